//! TLS on the public port.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use azulejo_tests::certificates;
use azulejo_tests::process::{ANY_PORTS, azulejo};
use azulejo_tests::waiting::{PATIENCE, soon, until, until_async};
use tonic::transport::{Certificate, Channel, ClientTlsConfig};
use tonic_health::pb::health_check_response::ServingStatus;

use crate::grpc::{assert_health, health, over};
use crate::http1;
use crate::requests::{assert_well, path};
use tempfile::TempDir;

use crate::process::{Server, engine, refused_start};

fn flag(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

fn secured(folder: &TempDir) -> Server {
    let (cert, key) = (flag(folder, "cert.pem"), flag(folder, "key.pem"));
    Server::start(&["--tls-cert", &cert, "--tls-key", &key])
}

async fn trusting(server: &Server, authority: &Path) -> Result<Channel, tonic::transport::Error> {
    let authority = Certificate::from_pem(std::fs::read(authority).unwrap());
    let tls = ClientTlsConfig::new().ca_certificate(authority).domain_name("localhost");
    let endpoint = Channel::from_shared(format!("https://{}", server.public)).unwrap();
    soon("a connection", endpoint.tls_config(tls).unwrap().connect()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn grpc_over_tls_works_only_for_clients_that_trust_the_authority() {
    let folder = certificates();
    let server = secured(&folder);
    let trusted = trusting(&server, &folder.path().join("ca.pem")).await.unwrap();
    assert_well(&mut over(trusted)).await;
    let strangers = certificates();
    assert!(trusting(&server, &strangers.path().join("ca.pem")).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn plain_text_works_on_the_admin_port_only() {
    let folder = certificates();
    let server = secured(&folder);
    assert!(health(server.url(), "ready").await.is_err());
    let mut stream = http1::open(server.public);
    stream.write_all(b"GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n").unwrap();
    assert!(!http1::read(&mut stream).starts_with(b"HTTP"));
    assert_health(&server.admin_url(), "ready", ServingStatus::Serving).await;
    assert_eq!(http1::get(server.admin, "/metrics").status, 200);
    assert_well(&mut over(trusting(&server, &folder.path().join("ca.pem")).await.unwrap())).await;
}

/// Replaces files by those of the same names in another folder, one after the other.
fn replace(folder: &TempDir, names: &[&str], by: &TempDir) {
    for name in names {
        std::fs::copy(by.path().join(name), folder.path().join(name)).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_renewed_certificate_is_served_without_a_restart_and_open_connections_stay() {
    let (folder, renewed) = (certificates(), certificates());
    let old = folder.path().join("ca.pem");
    let server = secured(&folder);
    let mut open = over(trusting(&server, &old).await.unwrap());
    replace(&folder, &["cert.pem", "key.pem"], &renewed);
    let new = renewed.path().join("ca.pem");
    until_async("the renewed certificate", PATIENCE, || async {
        trusting(&server, &new).await.ok()
    })
    .await;
    assert!(trusting(&server, &old).await.is_err());
    assert_well(&mut open).await;
    assert!(server.log().contains("certificate renewed"), "{}", server.log());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_renewal_whose_certificate_and_key_do_not_match_is_logged_and_the_old_one_stays() {
    let (folder, other) = (certificates(), certificates());
    let server = secured(&folder);
    replace(&folder, &["cert.pem"], &other);
    until("the problem is logged", PATIENCE, || {
        server
            .log()
            .contains("--tls-cert and --tls-key: certificate and key do not match")
            .then_some(())
    });
    assert_well(&mut over(trusting(&server, &folder.path().join("ca.pem")).await.unwrap())).await;
    replace(&folder, &["key.pem"], &other);
    until_async("the rest of it", PATIENCE, || async {
        trusting(&server, &other.path().join("ca.pem")).await.ok()
    })
    .await;
}

/// Many HTTP clients offer only `http/1.1`, for example Node's fetch.
#[test]
fn plain_http_over_tls_works_for_clients_that_offer_http_1_only() {
    let folder = certificates();
    let server = secured(&folder);
    let mut client = Command::new("openssl")
        .args(["s_client", "-quiet", "-verify_return_error", "-servername", "localhost"])
        .args(["-alpn", "http/1.1", "-connect", &server.public.to_string()])
        .arg("-CAfile")
        .arg(folder.path().join("ca.pem"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let target = path("ListRulesets");
    let request = format!(
        "POST {target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: 2\r\n\r\n{{}}"
    );
    // The connection may be closed already.
    let _closed = client.stdin.as_mut().unwrap().write_all(request.as_bytes());
    let said = client.wait_with_output().unwrap();
    assert!(said.stdout.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&said.stderr));
}

#[test]
fn an_invalid_certificate_or_key_stops_the_start_and_the_flag_is_named() {
    let folder = certificates();
    std::fs::write(folder.path().join("empty"), "").unwrap();
    for (cert, key, named) in [
        ("cert.pem", "missing.pem", "--tls-key"),
        ("missing.pem", "key.pem", "--tls-cert"),
        ("cert.pem", "other.pem", "--tls-key"),
        ("cert.pem", "cert.pem", "--tls-key"),
        ("key.pem", "key.pem", "--tls-cert"),
        ("empty", "key.pem", "--tls-cert"),
        ("cert.pem", "empty", "--tls-key"),
    ] {
        let (cert, key) = (flag(&folder, cert), flag(&folder, key));
        let tls = ["--tls-cert", &cert, "--tls-key", &key];
        let output = refused_start(engine(&[&ANY_PORTS[..], &tls].concat()));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(named), "{cert} {key}: {said}");
    }
}

#[test]
fn a_server_that_does_not_start_prints_no_address() {
    let tls = ["--tls-cert", "missing.pem", "--tls-key", "missing.pem"];
    let output = refused_start(engine(&[&ANY_PORTS[..], &tls].concat()));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
}

#[test]
fn one_of_the_two_files_alone_stops_the_start() {
    for (given, missing) in [("--tls-cert", "--tls-key"), ("--tls-key", "--tls-cert")] {
        let output = refused_start(engine(&[given, "file.pem"]));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(missing), "{said}");
    }
}

/// The error of `azulejo export` with this authority.
fn exported(server: &Server, authority: &Path) -> String {
    let url = format!("https://localhost:{}", server.public.port());
    let mut command = azulejo(&["export", "/dev/null", "--server", &url]);
    let said = command.env("SSL_CERT_FILE", authority).output().unwrap();
    assert!(!said.status.success(), "an engine has nothing to export: {said:?}");
    String::from_utf8(said.stderr).unwrap()
}

#[test]
fn the_clients_of_the_program_accept_only_trusted_servers() {
    let folder = certificates();
    let server = secured(&folder);
    let answered = exported(&server, &folder.path().join("ca.pem"));
    assert!(answered.contains("ExportMatches"), "{answered}");
    let strangers = certificates();
    let refused = exported(&server, &strangers.path().join("ca.pem"));
    assert!(refused.contains("cannot connect to"), "{refused}");
}
