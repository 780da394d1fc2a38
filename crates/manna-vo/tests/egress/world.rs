//! What the world around the door is like during one case, and what was seen of the door in it.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::Value;

#[derive(Clone, Default)]
pub(crate) struct World(Arc<Mutex<State>>);

#[derive(Default)]
pub(crate) struct State {
    /// Answers for a name, one list a question; the last one stays.
    pub(crate) names: HashMap<String, Vec<Vec<IpAddr>>>,
    pub(crate) cname: Option<(String, String)>,
    pub(crate) is_dns_silent: bool,
    /// How often a name was asked for, by record type.
    pub(crate) asked: HashMap<(String, u16), usize>,
    pub(crate) redirects: Vec<(u16, Vec<String>)>,
    pub(crate) response: Value,
    /// The address each connection was made to.
    pub(crate) connections: Vec<SocketAddr>,
    /// The head of each request.
    pub(crate) requests: Vec<String>,
}

impl World {
    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    /// A new world for a case.
    pub(crate) fn reset(&self, setup: &Value) {
        let mut state = State::default();
        for (name, list) in setup["dns"].as_object().into_iter().flatten() {
            state
                .names
                .entry(plain(name))
                .or_default()
                .push(addresses(list));
        }
        for (name, lists) in setup["dns_seq"].as_object().into_iter().flatten() {
            state.names.insert(
                plain(name),
                lists.as_array().unwrap().iter().map(addresses).collect(),
            );
        }
        if let Some([from, to]) = setup["cname"].as_array().map(Vec::as_slice) {
            state.cname = Some((plain(from.as_str().unwrap()), plain(to.as_str().unwrap())));
        }
        state.is_dns_silent = !setup["dns_delay_s"].is_null();
        for redirect in setup["redirects"].as_array().into_iter().flatten() {
            let location = &redirect["location"];
            let one = location.as_str().map(|one| vec![one.to_owned()]);
            let all = one.unwrap_or_else(|| {
                location
                    .as_array()
                    .into_iter()
                    .flatten()
                    .map(|l| l.as_str().unwrap().to_owned())
                    .collect()
            });
            state.redirects.push((
                u16::try_from(redirect["status"].as_u64().unwrap()).unwrap(),
                all,
            ));
        }
        state.response = setup["response"].clone();
        *self.lock() = state;
    }
}

fn plain(name: &str) -> String {
    name.trim_end_matches('.').to_ascii_lowercase()
}

fn addresses(list: &Value) -> Vec<IpAddr> {
    list.as_array()
        .unwrap()
        .iter()
        .map(|one| one.as_str().unwrap().parse().unwrap())
        .collect()
}
