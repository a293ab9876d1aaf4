//! Certificates for TLS, made by openssl.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

const NEW_KEY: &str = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";

/// A folder with an authority `ca.pem`, with `cert.pem` and `key.pem` for localhost and 127.0.0.1,
/// and with `other.pem`, a key without a certificate.
#[must_use]
#[track_caller]
pub fn certificates() -> TempDir {
    let folder = TempDir::new().unwrap();
    let openssl = |arguments: String| run(folder.path(), &arguments);
    openssl(format!("req -x509 {NEW_KEY} -keyout ca.key -out ca.pem -days 2 -subj /CN=ca"));
    openssl(format!("req -new {NEW_KEY} -keyout key.pem -out cert.csr -subj /CN=localhost"));
    let names = "subjectAltName=DNS:localhost,IP:127.0.0.1\nbasicConstraints=CA:FALSE\n";
    std::fs::write(folder.path().join("names"), names).unwrap();
    let signed = "x509 -req -in cert.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2";
    openssl(format!("{signed} -extfile names -out cert.pem"));
    openssl(format!("req -new {NEW_KEY} -keyout other.pem -out other.csr -subj /CN=other"));
    folder
}

#[track_caller]
fn run(folder: &Path, arguments: &str) {
    let mut command = Command::new("openssl");
    let output = command.current_dir(folder).args(arguments.split(' ')).output();
    let output = output.expect("openssl is installed");
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
}
