//! An embedded Virtual Observatory archive on loopback, for the demo and the tests.
