//! Whom TLS trusts: the machine's roots and the operator's.

use std::sync::{Arc, OnceLock};

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio_rustls::TlsConnector;

use super::settings::SettingsError;

/// A connector for HTTP/1.1. A machine without roots is not an error here: `http` works, and `https`
/// fails with the reason.
pub(super) fn connector(extra_roots_pem: Option<&[u8]>) -> Result<TlsConnector, SettingsError> {
    let mut roots = RootCertStore::empty();
    roots.extend(native_roots().roots.iter().cloned());
    if let Some(pem) = extra_roots_pem {
        add_extra(&mut roots, pem)?;
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| SettingsError::Roots {
            reason: error.to_string(),
        })?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(TlsConnector::from(Arc::new(config)))
}

/// The machine's roots, read once a process: there are some 150 files' worth of them.
fn native_roots() -> &'static RootCertStore {
    static NATIVE: OnceLock<RootCertStore> = OnceLock::new();
    NATIVE.get_or_init(|| {
        let mut roots = RootCertStore::empty();
        let native = rustls_native_certs::load_native_certs();
        let (_, unusable) = roots.add_parsable_certificates(native.certs);
        if roots.is_empty() {
            tracing::warn!(
                unusable,
                errors = native.errors.len(),
                "this machine has no trusted certificates"
            );
        }
        roots
    })
}

fn add_extra(roots: &mut RootCertStore, pem: &[u8]) -> Result<(), SettingsError> {
    let mut count = 0_usize;
    for certificate in CertificateDer::pem_slice_iter(pem) {
        let certificate = certificate.map_err(|error| SettingsError::Roots {
            reason: error.to_string(),
        })?;
        roots
            .add(certificate)
            .map_err(|error| SettingsError::Roots {
                reason: error.to_string(),
            })?;
        count += 1;
    }
    match count {
        0 => Err(SettingsError::Roots {
            reason: "it holds no certificate".to_owned(),
        }),
        _ => Ok(()),
    }
}
