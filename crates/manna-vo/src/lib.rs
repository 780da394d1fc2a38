//! A client for the Virtual Observatory: one guarded HTTP door and the protocols that go through it.

pub mod http;
pub mod sesame;
pub mod tap;
