//! Any bytes, in any pieces: no panic, no hang, and the pieces change nothing.

#![no_main]

mod told;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    // The first byte says how long the pieces are.
    let Some((size, document)) = data.split_first() else {
        return;
    };
    let size = usize::from(*size).max(1);
    let whole = told::read([document]);
    assert_eq!(told::read(document.chunks(size)), whole);
});
