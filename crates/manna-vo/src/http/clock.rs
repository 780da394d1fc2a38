//! The total deadline of a request, and waits that end with it or with a bound of their own.

use std::future::Future;
use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use super::error::{FetchError, Phase};
use super::host::Host;

#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    deadline: Instant,
    total: Duration,
}

impl Clock {
    pub(super) fn start(total: Duration) -> Self {
        let now = Instant::now();
        // A total beyond what the clock can hold means a year: nobody waits for it.
        let deadline = now
            .checked_add(total)
            .unwrap_or(now + Duration::from_secs(365 * 86_400));
        Self { deadline, total }
    }

    /// Waits for `work` no longer than `limit`, and never past the deadline; the error says which
    /// of the two ran out.
    pub(super) async fn wait<T>(
        &self,
        host: &Host,
        phase: Phase,
        limit: Duration,
        work: impl Future<Output = T>,
    ) -> Result<T, FetchError> {
        let own = Instant::now()
            .checked_add(limit)
            .filter(|&end| end < self.deadline);
        timeout_at(own.unwrap_or(self.deadline), work)
            .await
            .map_err(|_| match own {
                Some(_) => FetchError::Timeout {
                    host: host.clone(),
                    phase,
                    after: limit,
                },
                None => FetchError::Timeout {
                    host: host.clone(),
                    phase: Phase::Total,
                    after: self.total,
                },
            })
    }

    /// The longest a wait can still take.
    pub(super) fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }
}
