//! The certificate of the public port. Its files are looked at again and again, so that a renewed
//! one is served without a restart.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock, Weak};
use std::time::Duration;

use anyhow::{Context, Result};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;

const LOOK_EVERY: Duration = Duration::from_secs(2);
/// Files that are being replaced do not belong together for a moment; that is no news.
const NEWS_AFTER: u32 = 2;
/// What stays wrong is told about once an hour.
const NEWS_EVERY: u32 = 1_800;

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
    /// Reads certificate and key, and looks after them as long as somebody serves with them.
    pub(crate) fn looked_after(certificate: &Path, key: &Path) -> Result<Arc<Self>> {
        let files = Files { certificate: certificate.to_owned(), key: key.to_owned() };
        let read = files.with_key(files.chain()?)?;
        let held = Arc::new(Self(RwLock::new(Arc::new(read))));
        tokio::spawn(look_after(files, Arc::downgrade(&held)));
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
    fn chain(&self) -> Result<Vec<CertificateDer<'static>>> {
        CertificateDer::pem_file_iter(&self.certificate)
            .and_then(Iterator::collect::<Result<Vec<_>, _>>)
            .with_context(|| format!("--tls-cert: cannot read {}", self.certificate.display()))
    }

    fn with_key(&self, chain: Vec<CertificateDer<'static>>) -> Result<CertifiedKey> {
        let key = PrivateKeyDer::from_pem_file(&self.key)
            .with_context(|| format!("--tls-key: cannot read {}", self.key.display()))?;
        let provider = rustls::crypto::ring::default_provider();
        CertifiedKey::from_der(chain, key, &provider)
            .context("--tls-cert and --tls-key are no certificate with its key")
    }

    /// The certificate in the files, if it is another one.
    fn renewed(&self, held: &CertifiedKey) -> Result<Option<CertifiedKey>> {
        let chain = self.chain()?;
        if chain == held.cert { Ok(None) } else { self.with_key(chain).map(Some) }
    }
}

async fn look_after(files: Files, certificate: Weak<Certificate>) {
    let mut failures = 0;
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        let Some(held) = certificate.upgrade() else { return };
        let (files, now) = (files.clone(), held.now());
        let looked = tokio::task::spawn_blocking(move || files.renewed(&now)).await;
        match looked.context("the files were not looked at").flatten() {
            Ok(None) => failures = 0,
            Ok(Some(renewed)) => {
                failures = 0;
                held.renew(renewed);
                tracing::info!("the certificate is renewed");
            }
            Err(problem) => {
                failures += 1;
                if failures % NEWS_EVERY == NEWS_AFTER {
                    tracing::error!("{problem:#}; the certificate from before is served");
                }
            }
        }
    }
}
