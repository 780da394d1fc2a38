//! No guard: what a URL does when nothing stands in its way. Compiled only with `--cfg manna_guard_off`,
//! which does not build without debug assertions, to show that the egress suite notices.

use super::error::Rule;
use super::host::Host;
use super::service_url::ServiceUrl;

pub(super) fn read(raw: &str) -> Result<ServiceUrl, Rule> {
    convert(&url::Url::parse(raw).map_err(|_| Rule::HostForm)?)
}

pub(super) fn join(base: &ServiceUrl, reference: &str) -> Result<ServiceUrl, Rule> {
    let base = url::Url::parse(base.as_str()).map_err(|_| Rule::HostForm)?;
    convert(&base.join(reference).map_err(|_| Rule::HostForm)?)
}

fn convert(url: &url::Url) -> Result<ServiceUrl, Rule> {
    let https = match url.scheme() {
        "https" => true,
        "http" => false,
        _ => return Err(Rule::Scheme),
    };
    let host = match url.host().ok_or(Rule::NoHost)? {
        url::Host::Domain(name) => Host::Name(name.into()),
        url::Host::Ipv4(address) => Host::V4(address),
        url::Host::Ipv6(address) => Host::V6(address),
    };
    let query = url
        .query()
        .map(|query| format!("?{query}"))
        .unwrap_or_default();
    let tail = format!("{}{query}", url.path());
    Ok(ServiceUrl::assemble(https, host, url.port(), &tail))
}
