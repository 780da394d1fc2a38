//! Names to addresses: fully qualified, both families, no search list, no hosts file, bounded in time
//! and number. It answers; whether the answers may be used is the policy's business.

use std::collections::HashMap;
use std::fmt;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use hickory_resolver::config::{LookupIpStrategy, ResolveHosts};
use hickory_resolver::net::NetError;
use hickory_resolver::proto::rr::Name;
use hickory_resolver::{Resolver, TokioResolver};

use super::settings::Dns;

/// The longest an answer is believed, whatever its TTL says, and the age at which the machine's
/// configuration is read again: a laptop changes networks.
const MAX_AGE: Duration = Duration::from_secs(60);

/// How long a name that does not exist is remembered.
const MAX_NEGATIVE_AGE: Duration = Duration::from_secs(10);

pub(super) enum Names {
    System(Box<Mutex<Option<(TokioResolver, Instant)>>>),
    Static(HashMap<String, Vec<IpAddr>>),
}

impl Names {
    pub(super) fn new(dns: &Dns) -> Self {
        match dns {
            Dns::System => Self::System(Box::default()),
            Dns::Static(answers) => Self::Static(answers.clone()),
        }
    }

    /// All addresses of a lower-case name without trailing dot, or what went wrong, for the log.
    pub(super) async fn lookup(&self, name: &str, within: Duration) -> Result<Vec<IpAddr>, String> {
        let resolver = match self {
            Self::Static(answers) => return Ok(answers.get(name).cloned().unwrap_or_default()),
            Self::System(cell) => system_resolver(cell).map_err(|error| error.to_string())?,
        };
        // The trailing dot makes the name absolute: the search list of the machine never applies.
        let absolute = Name::from_ascii(format!("{name}.")).map_err(|error| error.to_string())?;
        match tokio::time::timeout(within, resolver.lookup_ip(absolute)).await {
            Ok(Ok(answers)) => Ok(answers.iter().collect()),
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => Err("no answer in time".to_owned()),
        }
    }
}

impl fmt::Debug for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::System(_) => "System",
            Self::Static(_) => "Static",
        })
    }
}

/// Built when first needed, so that a machine without a resolver configuration fails the call that
/// needs one and not the start.
fn system_resolver(
    cell: &Mutex<Option<(TokioResolver, Instant)>>,
) -> Result<TokioResolver, NetError> {
    let mut slot = cell.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((resolver, since)) = &*slot
        && since.elapsed() < MAX_AGE
    {
        return Ok(resolver.clone());
    }
    let resolver = build()?;
    *slot = Some((resolver.clone(), Instant::now()));
    Ok(resolver)
}

fn build() -> Result<TokioResolver, NetError> {
    let mut builder = Resolver::builder_tokio()?;
    let options = builder.options_mut();
    options.use_hosts_file = ResolveHosts::Never;
    options.ip_strategy = LookupIpStrategy::Ipv4AndIpv6;
    options.cache_size = 1024;
    options.positive_max_ttl = Some(MAX_AGE);
    options.negative_max_ttl = Some(MAX_NEGATIVE_AGE);
    options.try_tcp_on_error = true;
    builder.build()
}
