//! The `manna` binary.

fn main() {}
