//! TLS on the public port.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use tonic::transport::{Certificate, Channel, ClientTlsConfig};
use tonic_health::pb::health_check_response::ServingStatus;

use crate::game::{assert_well, path};
use crate::grpc::{assert_health, health, over};
use crate::patience::{PATIENCE, soon, until, until_async};
use crate::plain;
use crate::process::{Folder, Server, engine, refused_start};

fn openssl(folder: &Folder, arguments: &str) {
    let mut command = Command::new("openssl");
    command.current_dir(folder.file(".")).args(arguments.split(' '));
    let made = command.output().expect("openssl makes the certificates");
    assert!(made.status.success(), "{arguments}: {}", String::from_utf8_lossy(&made.stderr));
}

/// An authority `ca.pem`, and `cert.pem` with `key.pem` for localhost.
fn certificates() -> Folder {
    let folder = Folder::new();
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    openssl(&folder, &format!("req -x509 {key} -keyout ca.key -out ca.pem -days 2 -subj /CN=ca"));
    openssl(&folder, &format!("req -new {key} -keyout key.pem -out cert.csr -subj /CN=localhost"));
    let names = "subjectAltName=DNS:localhost,IP:127.0.0.1\nbasicConstraints=CA:FALSE\n";
    std::fs::write(folder.file("names"), names).unwrap();
    let signed = "x509 -req -in cert.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2";
    openssl(&folder, &format!("{signed} -extfile names -out cert.pem"));
    openssl(&folder, &format!("req -new {key} -keyout other.pem -out other.csr -subj /CN=other"));
    folder
}

fn flag(folder: &Folder, name: &str) -> String {
    folder.file(name).display().to_string()
}

fn secured(folder: &Folder) -> Server {
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
async fn grpc_over_tls_works_for_who_trusts_the_authority_and_for_nobody_else() {
    let folder = certificates();
    let server = secured(&folder);
    let trusted = trusting(&server, &folder.file("ca.pem")).await.unwrap();
    assert_well(&mut over(trusted)).await;
    let strangers = certificates();
    assert!(trusting(&server, &strangers.file("ca.pem")).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn without_tls_the_public_port_says_nothing_and_the_admin_port_answers() {
    let folder = certificates();
    let server = secured(&folder);
    assert!(health(server.url(), "ready").await.is_err());
    let mut stream = plain::open(server.public);
    stream.write_all(b"GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n").unwrap();
    assert!(!plain::read(&mut stream).starts_with(b"HTTP"));
    assert_health(&server.admin_url(), "ready", ServingStatus::Serving).await;
    assert_eq!(plain::get(server.admin, "/metrics").status, 200);
    assert_well(&mut over(trusting(&server, &folder.file("ca.pem")).await.unwrap())).await;
}

/// Files of the same names in another folder take their place, one after the other.
fn replace(folder: &Folder, names: &[&str], by: &Folder) {
    for name in names {
        std::fs::copy(by.file(name), folder.file(name)).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_renewed_certificate_is_served_without_a_restart_and_open_connections_stay() {
    let (folder, renewed) = (certificates(), certificates());
    let old = folder.file("ca.pem");
    let server = secured(&folder);
    let mut open = over(trusting(&server, &old).await.unwrap());
    replace(&folder, &["cert.pem", "key.pem"], &renewed);
    let new = renewed.file("ca.pem");
    until_async("the renewed certificate", PATIENCE, || async {
        trusting(&server, &new).await.ok()
    })
    .await;
    assert!(trusting(&server, &old).await.is_err());
    assert_well(&mut open).await;
    assert!(server.log().contains("the certificate is renewed"), "{}", server.log());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_renewal_that_is_no_certificate_with_its_key_is_told_and_the_old_one_stays() {
    let (folder, other) = (certificates(), certificates());
    let server = secured(&folder);
    replace(&folder, &["cert.pem"], &other);
    until("the problem is told", PATIENCE, || {
        server
            .log()
            .contains("--tls-cert and --tls-key are no certificate with its key")
            .then_some(())
    });
    assert_well(&mut over(trusting(&server, &folder.file("ca.pem")).await.unwrap())).await;
    replace(&folder, &["key.pem"], &other);
    until_async("the rest of it", PATIENCE, || async {
        trusting(&server, &other.file("ca.pem")).await.ok()
    })
    .await;
}

/// Many clients of HTTP offer `http/1.1` alone, Node's fetch among them.
#[test]
fn plain_http_over_tls_works_for_clients_that_offer_http_1_alone() {
    let folder = certificates();
    let server = secured(&folder);
    let mut client = Command::new("openssl")
        .args(["s_client", "-quiet", "-verify_return_error", "-servername", "localhost"])
        .args(["-alpn", "http/1.1", "-connect", &server.public.to_string()])
        .arg("-CAfile")
        .arg(folder.file("ca.pem"))
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
    // It may have been turned away already.
    let _away = client.stdin.as_mut().unwrap().write_all(request.as_bytes());
    let said = client.wait_with_output().unwrap();
    assert!(said.stdout.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&said.stderr));
}

#[test]
fn files_that_are_no_certificate_with_its_key_stop_the_start_and_the_flag_is_named() {
    let folder = certificates();
    std::fs::write(folder.file("empty"), "").unwrap();
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
        let ports = ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"];
        let tls = ["--tls-cert", &cert, "--tls-key", &key];
        let output = refused_start(engine(&[&ports[..], &tls].concat()));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(named), "{cert} {key}: {said}");
    }
}

#[test]
fn nobody_is_told_where_to_call_a_server_that_does_not_start() {
    let ports = ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"];
    let tls = ["--tls-cert", "missing.pem", "--tls-key", "missing.pem"];
    let output = refused_start(engine(&[&ports[..], &tls].concat()));
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

/// What a client of the program says that trusts this authority.
fn exported(server: &Server, authority: &Path) -> String {
    let url = format!("https://localhost:{}", server.public.port());
    let mut command = Command::new(crate::process::program());
    command.env_clear().env("SSL_CERT_FILE", authority).stdin(Stdio::null());
    let said = command.args(["export", "/dev/null", "--server", &url]).output().unwrap();
    assert!(!said.status.success(), "an engine has nothing to export: {said:?}");
    String::from_utf8(said.stderr).unwrap()
}

#[test]
fn the_programs_own_clients_speak_tls_with_who_is_trusted_and_with_nobody_else() {
    let folder = certificates();
    let server = secured(&folder);
    let answered = exported(&server, &folder.file("ca.pem"));
    assert!(answered.contains("ExportMatches"), "{answered}");
    let strangers = certificates();
    let refused = exported(&server, &strangers.file("ca.pem"));
    assert!(refused.contains("does not answer"), "{refused}");
}
