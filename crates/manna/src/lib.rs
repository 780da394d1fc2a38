//! MCP server and command line for the astronomical archives of the Virtual Observatory.
