//! The parts of the spectrum, and the many ways people write them.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A part of the spectrum, as the IVOA's messenger vocabulary divides it (VODataService 1.2 section 3.3).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize, JsonSchema,
)]
pub enum Waveband {
    /// Longer than 10 mm.
    #[serde(rename = "radio")]
    Radio,
    /// 0.1 to 10 mm: millimetre and submillimetre.
    #[serde(rename = "millimeter")]
    Millimeter,
    /// 1 to 100 micrometres.
    #[serde(rename = "infrared")]
    Infrared,
    /// 300 to 1,000 nm.
    #[serde(rename = "optical")]
    Optical,
    /// 100 to 300 nm.
    #[serde(rename = "uv")]
    Uv,
    /// 10 to 100 nm.
    #[serde(rename = "euv")]
    Euv,
    /// 0.12 to 120 keV.
    #[serde(rename = "x-ray")]
    XRay,
    /// Above 120 keV.
    #[serde(rename = "gamma-ray")]
    GammaRay,
}

impl Waveband {
    /// All of them, longest wavelength first.
    pub const ALL: [Self; 8] = [
        Self::Radio,
        Self::Millimeter,
        Self::Infrared,
        Self::Optical,
        Self::Uv,
        Self::Euv,
        Self::XRay,
        Self::GammaRay,
    ];

    /// The word notes files and answers use.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Radio => "radio",
            Self::Millimeter => "millimeter",
            Self::Infrared => "infrared",
            Self::Optical => "optical",
            Self::Uv => "uv",
            Self::Euv => "euv",
            Self::XRay => "x-ray",
            Self::GammaRay => "gamma-ray",
        }
    }

    /// The bands a filter asks for: any of those named, in any common spelling, split at `,` `/` `;` or `|`.
    /// Words that name no band are passed over; nothing understood gives an empty list.
    #[must_use]
    pub fn asked_for(filter: &str) -> Vec<Self> {
        let mut bands: Vec<Self> = filter
            .split([',', '/', ';', '|'])
            .filter_map(Self::from_common_word)
            .collect();
        bands.sort_unstable();
        bands.dedup();
        bands
    }

    fn from_common_word(word: &str) -> Option<Self> {
        let plain: String = word
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .map(|c| c.to_ascii_lowercase())
            .collect();
        Some(match plain.as_str() {
            "radio" | "centimeter" | "centimetre" | "cm" => Self::Radio,
            "millimeter" | "millimetre" | "mm" | "submillimeter" | "submillimetre" | "submm" => {
                Self::Millimeter
            }
            "infrared" | "ir" | "nearinfrared" | "nearir" | "nir" | "midinfrared" | "midir"
            | "mir" | "farinfrared" | "farir" | "fir" => Self::Infrared,
            "optical" | "visible" | "visual" | "vis" => Self::Optical,
            "uv" | "ultraviolet" | "nuv" | "fuv" | "nearultraviolet" | "farultraviolet" => Self::Uv,
            "euv" | "extremeultraviolet" => Self::Euv,
            "xray" | "xrays" => Self::XRay,
            "gamma" | "gammaray" | "gammarays" => Self::GammaRay,
            _ => return None,
        })
    }
}

impl fmt::Display for Waveband {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
