//! The notes files built into the binary.

/// Names the files; a test fails when one in `archives/` is not named here.
macro_rules! files {
    ($($name:literal),+ $(,)?) => {
        &[$((concat!($name, ".toml"), include_str!(concat!("../../../../archives/", $name, ".toml")))),+]
    };
}

/// File name and content of each, by name.
pub(super) const FILES: &[(&str, &str)] = files![
    "alma", "cadc", "datalab", "eso", "gaia", "gaia_ari", "irsa", "mast", "nrao", "sdss", "simbad",
    "vizier",
];
