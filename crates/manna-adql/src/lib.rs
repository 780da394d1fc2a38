//! ADQL 2.1 text to a tree, and the tree to another dialect; no network.
