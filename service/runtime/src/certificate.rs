//! The certificate of the public port. Its files are polled, so that a renewed one is served
//! without a restart.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock, Weak};
use std::time::Duration;

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;

use crate::ServerError;

const POLL_EVERY: Duration = Duration::from_secs(2);
/// While files are being replaced they do not match for a moment; that is not worth reporting.
const REPORT_AFTER: u32 = 2;
/// A problem that stays is reported once an hour.
const REPORT_EVERY: u32 = 1_800;

#[derive(Clone, Debug)]
struct Files {
    certificate: PathBuf,
    key: PathBuf,
}

/// The certificate that is served now, with its key.
#[derive(Debug)]
pub(crate) struct Certificate(RwLock<Arc<CertifiedKey>>);

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.now())
    }
}

impl Certificate {
    /// Reads certificate and key, and polls their files until this is dropped.
    pub(crate) fn watch_files(certificate: &Path, key: &Path) -> Result<Arc<Self>, ServerError> {
        let files = Files { certificate: certificate.to_owned(), key: key.to_owned() };
        let read = files.with_key(files.chain()?)?;
        let held = Arc::new(Self(RwLock::new(Arc::new(read))));
        tokio::spawn(watch(files, Arc::downgrade(&held)));
        Ok(held)
    }

    fn now(&self) -> Arc<CertifiedKey> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn renew(&self, renewed: CertifiedKey) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(renewed);
    }
}

impl Files {
    fn chain(&self) -> Result<Vec<CertificateDer<'static>>, ServerError> {
        CertificateDer::pem_file_iter(&self.certificate)
            .and_then(Iterator::collect::<Result<Vec<_>, _>>)
            .map_err(|source| ServerError::Pem {
                flag: "--tls-cert",
                file: self.certificate.clone(),
                source,
            })
    }

    fn with_key(&self, chain: Vec<CertificateDer<'static>>) -> Result<CertifiedKey, ServerError> {
        let key = PrivateKeyDer::from_pem_file(&self.key).map_err(|source| ServerError::Pem {
            flag: "--tls-key",
            file: self.key.clone(),
            source,
        })?;
        let provider = rustls::crypto::ring::default_provider();
        CertifiedKey::from_der(chain, key, &provider).map_err(ServerError::KeyPair)
    }

    /// The certificate in the files, if it is another one.
    fn renewed(&self, held: &CertifiedKey) -> Result<Option<CertifiedKey>, ServerError> {
        let chain = self.chain()?;
        if chain == held.cert { Ok(None) } else { self.with_key(chain).map(Some) }
    }
}

async fn watch(files: Files, certificate: Weak<Certificate>) {
    let mut failures = 0;
    loop {
        tokio::time::sleep(POLL_EVERY).await;
        let Some(held) = certificate.upgrade() else { return };
        let (files, now) = (files.clone(), held.now());
        let read = tokio::task::spawn_blocking(move || files.renewed(&now)).await;
        match read.map_err(ServerError::from).flatten() {
            Ok(None) => failures = 0,
            Ok(Some(renewed)) => {
                failures = 0;
                held.renew(renewed);
                tracing::info!("certificate renewed");
            }
            Err(problem) => {
                failures += 1;
                if failures % REPORT_EVERY == REPORT_AFTER {
                    let problem = problem.with_causes();
                    tracing::error!("{problem}; still serving the previous certificate");
                }
            }
        }
    }
}
