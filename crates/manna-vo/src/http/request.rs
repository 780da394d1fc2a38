//! What is asked: a method, a URL that passed the guard, and bounds.

use bytes::Bytes;
use http::Method;

use super::limits::Limits;
use super::query;
use super::service_url::ServiceUrl;

/// One request. Redirects are part of it: see [`Door::send`](super::Door::send).
#[derive(Debug, Clone)]
pub struct Request {
    pub(super) method: Method,
    pub(super) url: ServiceUrl,
    pub(super) accept: Option<&'static str>,
    pub(super) body: Option<Body>,
    pub(super) limits: Option<Limits>,
}

#[derive(Debug, Clone)]
pub(super) struct Body {
    pub(super) content_type: String,
    pub(super) bytes: Bytes,
}

impl Request {
    /// `GET`.
    pub fn get(url: ServiceUrl) -> Self {
        Self {
            method: Method::GET,
            url,
            accept: None,
            body: None,
            limits: None,
        }
    }

    /// `POST` with the parameters as `application/x-www-form-urlencoded` (TAP 1.1 section 2).
    pub fn post_form(url: ServiceUrl, parameters: Vec<(String, String)>) -> Self {
        Self::post(
            url,
            "application/x-www-form-urlencoded",
            query::form(&parameters).into(),
        )
    }

    /// `POST` with a body of any type, for example `multipart/form-data; boundary=...`.
    ///
    /// A `content_type` that cannot be a header value makes [`Door::send`](super::Door::send) fail.
    pub fn post(url: ServiceUrl, content_type: impl Into<String>, bytes: Bytes) -> Self {
        let body = Some(Body {
            content_type: content_type.into(),
            bytes,
        });
        Self {
            method: Method::POST,
            url,
            accept: None,
            body,
            limits: None,
        }
    }

    /// `DELETE`, as UWS 1.1 section 2.2.3.1 destroys a job.
    pub fn delete(url: ServiceUrl) -> Self {
        Self {
            method: Method::DELETE,
            ..Self::get(url)
        }
    }

    /// Sets parameters in the URL's query: see [`ServiceUrl::with_query`].
    #[must_use]
    pub fn query<K: AsRef<str>, V: AsRef<str>>(mut self, parameters: &[(K, V)]) -> Self {
        self.url = self.url.with_query(parameters);
        self
    }

    /// The media types that are welcome.
    #[must_use]
    pub fn accept(mut self, accept: &'static str) -> Self {
        self.accept = Some(accept);
        self
    }

    /// Bounds of this request's own; `max_bytes` stays below that of the door.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = Some(limits);
        self
    }

    /// The URL that is asked first.
    pub fn url(&self) -> &ServiceUrl {
        &self.url
    }
}
