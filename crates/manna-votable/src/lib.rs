//! Streaming, bounded VOTable reader and writer: bytes in, events out, no I/O.
