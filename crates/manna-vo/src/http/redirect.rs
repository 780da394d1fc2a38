//! Where an answer points to: relative references, and the rules for following a redirect (rule 8).

use http::header::LOCATION;
use http::{HeaderMap, Method, StatusCode};

use super::error::{Refusal, Rule};
use super::policy::Policy;
use super::request::Request;
use super::service_url::{ServiceUrl, check_characters};

/// Whether the status asks to go on elsewhere (RFC 9110 section 15.4). 300, 304 and 305 do not.
pub(super) fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

/// The request that follows a redirect.
pub(super) fn follow(
    policy: &Policy,
    request: Request,
    status: StatusCode,
    headers: &HeaderMap,
) -> Result<Request, Refusal> {
    let location = only_location(headers)?;
    let target = resolve(policy, &request.url, location)
        .map_err(|rule| Refusal::with_log(Rule::RedirectTarget, format!("{location}: {rule:?}")))?;
    let same_host = target.host() == request.url.host();
    let downgrade = request.url.is_https() && !target.is_https();
    if downgrade && !same_host && cfg!(not(manna_guard_off)) {
        return Err(Refusal::with_log(Rule::RedirectDowngrade, location));
    }
    let becomes_get = match status.as_u16() {
        303 => true,
        301 | 302 => request.method == Method::POST,
        _ => false,
    };
    if becomes_get {
        return Ok(Request {
            method: Method::GET,
            url: target,
            body: None,
            ..request
        });
    }
    if request.method != Method::GET && !same_host && cfg!(not(manna_guard_off)) {
        return Err(Refusal::with_log(Rule::RedirectReplay, location));
    }
    Ok(Request {
        url: target,
        ..request
    })
}

/// The one `Location`; two are two readings, and none is picked.
fn only_location(headers: &HeaderMap) -> Result<&str, Refusal> {
    let mut all = headers.get_all(LOCATION).iter();
    let first = all
        .next()
        .ok_or_else(|| Refusal::with_log(Rule::RedirectForm, "no Location"))?;
    if all.next().is_some() && cfg!(not(manna_guard_off)) {
        return Err(Refusal::with_log(
            Rule::RedirectForm,
            "more than one Location",
        ));
    }
    match first.to_str() {
        Ok(location) if !location.is_empty() => Ok(location),
        _ => Err(Refusal::with_log(
            Rule::RedirectForm,
            "an empty or unreadable Location",
        )),
    }
}

/// Reads a reference found in an answer (RFC 3986 section 5.2) and passes it through the guard: raw
/// first, then as a whole. A link from `https` to the same host's `http` becomes `https`.
pub(super) fn resolve(
    policy: &Policy,
    base: &ServiceUrl,
    reference: &str,
) -> Result<ServiceUrl, Rule> {
    #[cfg(manna_guard_off)]
    return super::unguarded::join(base, reference);
    #[cfg(not(manna_guard_off))]
    {
        check_characters(reference)?;
        let absolute = absolute(base, reference);
        let target = policy.parse(&absolute)?;
        if base.is_https() && !target.is_https() && target.host() == base.host() {
            let upgraded = target.upgraded();
            policy.admit(&upgraded)?;
            return Ok(upgraded);
        }
        Ok(target)
    }
}

fn absolute(base: &ServiceUrl, reference: &str) -> String {
    if has_scheme(reference) {
        return reference.to_owned();
    }
    if reference.starts_with("//") {
        return format!("{}:{reference}", base.scheme());
    }
    let reference = reference.split('#').next().unwrap_or_default();
    let (path, query) = match reference.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (reference, None),
    };
    let (path, query) = match path {
        "" => (base.path().to_owned(), query.or(base.query())),
        _ if path.starts_with('/') => (without_dot_segments(path), query),
        _ => {
            let directory = base
                .path()
                .rsplit_once('/')
                .map_or("", |(directory, _)| directory);
            (without_dot_segments(&format!("{directory}/{path}")), query)
        }
    };
    let query = query.map(|query| format!("?{query}")).unwrap_or_default();
    format!("{}{path}{query}", base.origin())
}

/// RFC 3986 section 3.1, up to the colon; a colon after a slash belongs to a path.
fn has_scheme(reference: &str) -> bool {
    let scheme = reference
        .split([':', '/', '?', '#'])
        .next()
        .unwrap_or_default();
    reference
        .get(scheme.len()..)
        .is_some_and(|rest| rest.starts_with(':'))
}

/// RFC 3986 section 5.2.4, for a path that begins with a slash.
fn without_dot_segments(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.split('/').skip(1).peekable();
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        match segment {
            "." => {}
            ".." => {
                kept.pop();
            }
            _ => {
                kept.push(segment);
                continue;
            }
        }
        if is_last {
            kept.push("");
        }
    }
    format!("/{}", kept.join("/"))
}
