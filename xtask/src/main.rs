//! Runs every check of the project.

fn main() {}
