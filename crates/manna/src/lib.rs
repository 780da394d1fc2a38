//! The MCP server and the command line of MANNA, as a library: the binary is a thin shell round [`cli`].

pub mod cli;
pub mod config;
pub mod mcp;
pub mod notes;
pub mod shape;
pub mod tools;
