//! The operator's settings and the address tables as one judge: which URL may be asked at all, and which
//! of a host's addresses may be connected to.

use std::net::{IpAddr, SocketAddr};

use super::address;
use super::error::{Refusal, Rule};
use super::own_addresses::OwnAddresses;
use super::service_url::ServiceUrl;
use super::settings::Settings;
use super::{name, port};

/// More answers for one name than an archive has machines.
const MAX_ANSWERS: usize = 32;

#[derive(Debug)]
pub(super) struct Policy {
    settings: Settings,
}

impl Policy {
    pub(super) fn new(settings: Settings) -> Self {
        Self { settings }
    }

    pub(super) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Rules 1 to 5, without any network.
    pub(super) fn parse(&self, raw: &str) -> Result<ServiceUrl, Rule> {
        #[cfg(manna_guard_off)]
        return super::unguarded::read(raw);
        #[cfg(not(manna_guard_off))]
        {
            let url = ServiceUrl::read(raw)?;
            self.admit(&url)?;
            Ok(url)
        }
    }

    /// Rules 2, 3, 5 and, for an address literal, 6.
    pub(super) fn admit(&self, url: &ServiceUrl) -> Result<(), Rule> {
        if !port::is_contacted(url.port()) {
            return Err(Rule::PortForbidden);
        }
        if url.host().name().is_some_and(name::is_internal) && !self.is_listed(url) {
            return Err(Rule::InternalName);
        }
        let allowed = &self.settings.allowed_hosts;
        if !allowed.is_empty() && !allowed.iter().any(|entry| entry.covers(url.host())) {
            return Err(Rule::NotAllowed);
        }
        match url.host().address() {
            Some(literal) if !self.is_trusted(url) && !self.is_public(literal) => {
                Err(Rule::NotPublic)
            }
            _ => Ok(()),
        }
    }

    /// The operator's own addresses for this host and port; empty when there are none.
    pub(super) fn pinned(&self, url: &ServiceUrl) -> Vec<SocketAddr> {
        let rules = self.settings.resolve.iter();
        rules
            .filter(|rule| rule.host == *url.host() && rule.port == url.port())
            .map(|rule| rule.target)
            .collect()
    }

    /// Rules 6 and 11 over all answers for one URL: one that is not public refuses them all, since a
    /// client that falls back would reach it.
    pub(super) fn judge(&self, url: &ServiceUrl, answers: &[IpAddr]) -> Result<(), Refusal> {
        if answers.is_empty() {
            return Err(Refusal::with_log(Rule::NotPublic, "no address"));
        }
        if answers.len() > MAX_ANSWERS {
            return Err(Refusal::with_log(
                Rule::NotPublic,
                format!("{} addresses", answers.len()),
            ));
        }
        if cfg!(manna_guard_off) || self.is_trusted(url) {
            return Ok(());
        }
        let own = OwnAddresses::read();
        let forbidden = |answer: &&IpAddr| !self.is_public(**answer) || own.contain(**answer);
        match answers.iter().find(forbidden) {
            Some(answer) => Err(Refusal::with_log(
                Rule::NotPublic,
                format!("resolves to {answer}"),
            )),
            None => Ok(()),
        }
    }

    fn is_public(&self, address: IpAddr) -> bool {
        address::is_public(address, &self.settings.nat64)
    }

    fn is_trusted(&self, url: &ServiceUrl) -> bool {
        let trusted = &self.settings.trusted_hosts;
        trusted
            .iter()
            .any(|entry| entry.covers(url.host(), url.port()))
            || !self.pinned(url).is_empty()
    }

    fn is_listed(&self, url: &ServiceUrl) -> bool {
        self.settings
            .trusted_hosts
            .iter()
            .any(|entry| entry.host == *url.host())
            || self
                .settings
                .resolve
                .iter()
                .any(|rule| rule.host == *url.host())
    }
}
