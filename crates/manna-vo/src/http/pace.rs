//! The least a body may bring in any window of time, measured on the wire and only while we wait: a
//! reader that takes its time is not the archive's fault.

use std::collections::VecDeque;
use std::time::Duration;

/// Arrivals closer together than this count as one, so that a trickle of single bytes costs no memory.
const GRAIN: Duration = Duration::from_millis(50);

#[derive(Debug)]
pub(super) struct Pace {
    window: Duration,
    least: u64,
    /// Time spent waiting so far.
    waited: Duration,
    /// When (in waited time) how many bytes came, oldest first; only as many as the sum needs.
    arrivals: VecDeque<(Duration, u64)>,
    sum: u64,
}

impl Pace {
    pub(super) fn new(least: u64, window: Duration) -> Self {
        Self {
            window,
            least,
            waited: Duration::ZERO,
            arrivals: VecDeque::new(),
            sum: 0,
        }
    }

    /// How long the next wait may take before a whole window has brought less than the least.
    pub(super) fn patience(&self) -> Duration {
        let since = match self.arrivals.front() {
            Some(&(when, _)) if self.sum >= self.least => when,
            // Before enough has ever come, the window began with the body.
            _ => Duration::ZERO,
        };
        (since + self.window).saturating_sub(self.waited)
    }

    /// A wait ended after `waited` with `bytes`.
    pub(super) fn record(&mut self, waited: Duration, bytes: u64) {
        self.waited += waited;
        self.sum += bytes;
        match self.arrivals.back_mut() {
            Some((when, count)) if *when + GRAIN > self.waited => *count += bytes,
            _ => self.arrivals.push_back((self.waited, bytes)),
        }
        while let Some(&(_, oldest)) = self.arrivals.front()
            && self.sum - oldest >= self.least
        {
            self.sum -= oldest;
            self.arrivals.pop_front();
        }
    }

    #[cfg(test)]
    pub(super) fn arrivals(&self) -> usize {
        self.arrivals.len()
    }
}
