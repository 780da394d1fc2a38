//! What a tool answers when it cannot do what was asked: one shape for all tools (contract section 3).

use serde_json::{Map, Value};

/// The kind of a failure; decides what the caller does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorClass {
    /// The arguments are not usable.
    ValidationError,
    /// The archive cannot be reached, is too slow, or is no Virtual Observatory service.
    ArchiveError,
    /// The archive understood the query and refused it.
    TapQueryError,
    /// A fault of ours.
    InternalError,
}

impl ErrorClass {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::ValidationError => "validation_error",
            Self::ArchiveError => "archive_error",
            Self::TapQueryError => "tap_query_error",
            Self::InternalError => "internal_error",
        }
    }
}

/// What the caller should do about a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RetryStrategy {
    /// Change the arguments and call again.
    FixAndRetry,
    /// Call again unchanged, later.
    WaitAndRetry,
    /// Do not call again with these arguments.
    Abandon,
}

impl RetryStrategy {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::FixAndRetry => "fix_and_retry",
            Self::WaitAndRetry => "wait_and_retry",
            Self::Abandon => "abandon",
        }
    }
}

/// A failed tool call. Its texts reach a language model: they never hold an address, a path or a token.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ToolError {
    /// The kind of the failure.
    pub class: ErrorClass,
    /// What went wrong, in one or two sentences. For [`ErrorClass::TapQueryError`] the archive's own words.
    pub message: String,
    /// What to do next.
    pub retry: RetryStrategy,
    /// How to mend it, if we know.
    pub hint: Option<String>,
    /// How long the archive asked to be left alone, in seconds.
    pub retry_after_seconds: Option<u64>,
}

impl ToolError {
    /// Arguments that have to be changed.
    pub fn validation(message: impl Into<String>) -> Self {
        Self::new(
            ErrorClass::ValidationError,
            RetryStrategy::FixAndRetry,
            message,
        )
    }

    /// An argument that will never work, such as a refused host.
    pub fn refused(message: impl Into<String>) -> Self {
        Self::new(ErrorClass::ValidationError, RetryStrategy::Abandon, message)
    }

    /// An archive that did not answer as it should.
    pub fn archive(message: impl Into<String>) -> Self {
        Self::new(
            ErrorClass::ArchiveError,
            RetryStrategy::WaitAndRetry,
            message,
        )
    }

    /// A query that the archive refused, in the archive's words.
    pub fn query(message: impl Into<String>) -> Self {
        Self::new(
            ErrorClass::TapQueryError,
            RetryStrategy::FixAndRetry,
            message,
        )
    }

    /// A fault of ours. The cause goes to the log under the request id, never to the caller.
    pub fn internal() -> Self {
        Self::new(
            ErrorClass::InternalError,
            RetryStrategy::Abandon,
            "the server failed inside; the operator finds the cause in the log under this request_id",
        )
    }

    /// Adds what would mend it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds how long to wait, in seconds.
    #[must_use]
    pub fn after(mut self, seconds: Option<u64>) -> Self {
        self.retry_after_seconds = seconds;
        self
    }

    /// The object a client receives.
    pub fn to_json(&self, request_id: &str) -> Value {
        let mut object = Map::new();
        object.insert("error_class".into(), self.class.name().into());
        object.insert("message".into(), self.message.clone().into());
        object.insert("retry_strategy".into(), self.retry.name().into());
        object.insert("request_id".into(), request_id.into());
        if let Some(hint) = &self.hint {
            object.insert("hint".into(), hint.clone().into());
        }
        if let Some(seconds) = self.retry_after_seconds {
            object.insert("retry_after_seconds".into(), seconds.into());
        }
        Value::Object(object)
    }

    fn new(class: ErrorClass, retry: RetryStrategy, message: impl Into<String>) -> Self {
        Self {
            class,
            message: message.into(),
            retry,
            hint: None,
            retry_after_seconds: None,
        }
    }
}
