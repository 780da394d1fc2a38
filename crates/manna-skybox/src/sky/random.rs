//! A small random number generator whose numbers never change: SplitMix64 (Steele, Lea & Flood 2014).

use std::f64::consts::TAU;

/// The state of the generator.
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    /// A generator for one purpose: different `stream`s of one seed are independent.
    pub(crate) fn new(seed: u64, stream: u64) -> Self {
        let mut random = Self(seed ^ stream.wrapping_mul(0xd1b5_4a32_d192_ed03));
        random.next();
        random
    }

    /// 64 random bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// Uniform in [0, 1).
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit a double")]
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Uniform in [low, high).
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Uniform in 0..count. `count` must not be 0.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.next() % (count.max(1) as u64)) as usize
    }

    /// True with this probability.
    pub(crate) fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// Two numbers of the standard normal distribution.
    pub(crate) fn gauss_pair(&mut self) -> (f64, f64) {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        let angle = TAU * self.unit();
        (radius * angle.cos(), radius * angle.sin())
    }

    /// A number of the standard normal distribution.
    pub(crate) fn gauss(&mut self) -> f64 {
        self.gauss_pair().0
    }

    /// One of `items`, which must not be empty.
    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        let index = self.below(items.len());
        items.get(index).expect("an index below the length")
    }
}

/// `value` cut to `digits` decimals, so that what is stored is what is printed.
pub(crate) fn rounded(value: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    (value * scale).round() / scale
}

/// The position `(east, north)` degrees away from `(ra, dec)` on the tangent plane, in degrees.
pub(crate) fn offset(ra: f64, dec: f64, east: f64, north: f64) -> (f64, f64) {
    let (xi, eta) = (east.to_radians(), north.to_radians());
    let (sin, cos) = dec.to_radians().sin_cos();
    let depth = cos - eta * sin;
    let longitude = xi.atan2(depth).to_degrees() + ra;
    let latitude = (sin + eta * cos).atan2(depth.hypot(xi)).to_degrees();
    (longitude.rem_euclid(360.0), latitude)
}
