//! The start: flags, environment, help.

use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};

use azulejo_tests::process::{ChildGuard, free_address};
use azulejo_tests::waiting::{PATIENCE, until};
use azulejo_wire::engine::v1 as pb;
use rstest::rstest;
use tonic::Code;

use crate::grpc;
use crate::http1;
use crate::requests::{azul, new_game};

use crate::process::{Server, engine, refused_start};

/// The error of a server that does not start. It does not panic, and prints no address.
#[track_caller]
fn refused(command: Command) -> String {
    let output = refused_start(command);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code().is_some_and(|code| code != 0), "{:?} {said}", output.status);
    assert!(!said.contains("panicked"), "{said}");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "", "{said}");
    said
}

#[rstest]
#[case("--listen", "localhost")]
#[case("--listen", "127.0.0.1")]
#[case("--listen", "127.0.0.1:99999")]
#[case("--admin-listen", "7701")]
#[case("--max-calls", "0")]
#[case("--max-calls", "many")]
#[case("--workers", "0")]
#[case("--workers", "-1")]
#[case("--call-timeout", "0")]
#[case("--call-timeout", "10s")]
#[case("--max-request-bytes", "0")]
#[case("--max-request-bytes", "1M")]
#[case("--drain", "-1")]
#[case("--grace", "0")]
#[case("--log-format", "xml")]
#[case("--log", "azulejo=loud")]
#[case("--otlp-endpoint", "not an address")]
#[case("--workers", "18446744073709551615")]
fn a_wrong_value_stops_the_start_and_the_flag_is_named(#[case] flag: &str, #[case] value: &str) {
    let value = format!("{flag}={value}");
    let ports = ["--listen=127.0.0.1:0", "--admin-listen=127.0.0.1:0"];
    let ports = ports.into_iter().filter(|port| !port.starts_with(&format!("{flag}=")));
    let flags: Vec<_> = ports.chain([value.as_str()]).collect();
    let said = refused(engine(&flags));
    assert!(said.contains(flag), "{said}");
}

#[test]
fn a_wrong_value_in_the_environment_stops_the_start_too() {
    let mut command = engine(&["--listen=127.0.0.1:0", "--admin-listen=127.0.0.1:0"]);
    command.env("AZULEJO_MAX_CALLS", "none");
    let said = refused(command);
    assert!(said.contains("--max-calls"), "{said}");
}

#[test]
fn an_unknown_flag_stops_the_start() {
    assert!(refused(engine(&["--lisen", "127.0.0.1:0"])).contains("--lisen"));
}

#[test]
fn a_port_in_use_is_named_with_its_flag() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    for (flag, other) in [("--listen", "--admin-listen"), ("--admin-listen", "--listen")] {
        let said = refused(engine(&[flag, &address, other, "127.0.0.1:0"]));
        assert!(said.contains(&address) && said.contains(&format!(" {flag}")), "{said}");
        assert!(said.to_lowercase().contains("in use"), "{said}");
    }
}

#[test]
fn both_ports_at_one_address_are_refused() {
    let free = free_address().to_string();
    let said = refused(engine(&["--listen", &free, "--admin-listen", &free]));
    assert!(said.contains("--admin-listen"), "{said}");
}

#[test]
fn the_help_names_the_environment_variable_of_every_flag() {
    let output = engine(&["--help"]).output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    let blocks: Vec<_> = help.split("\n      --").skip(1).collect();
    for block in &blocks {
        let flag = block.split([' ', '\n']).next().unwrap();
        let default = format!("[env: AZULEJO_{}", flag.replace('-', "_").to_uppercase());
        let is_named =
            block.contains(&default) || block.contains("[env: OTEL_EXPORTER_OTLP_ENDPOINT");
        assert!(is_named, "--{flag}: {block}");
    }
    let flags: Vec<_> =
        blocks.iter().map(|block| block.split([' ', '\n']).next().unwrap()).collect();
    for known in ["listen", "admin-listen", "tls-cert", "tls-key", "max-calls", "workers"] {
        assert!(flags.contains(&known), "{known}: {help}");
    }
    for known in ["call-timeout", "max-request-bytes", "drain", "grace", "log-format", "log"] {
        assert!(flags.contains(&known), "{known}: {help}");
    }
    assert!(flags.contains(&"otlp-endpoint"), "{help}");
}

#[tokio::test(flavor = "multi_thread")]
async fn environment_variables_set_what_no_flag_sets() {
    let mut command = engine(&["--max-request-bytes", "3000"]);
    command
        .env("AZULEJO_LISTEN", "127.0.0.1:0")
        .env("AZULEJO_ADMIN_LISTEN", "127.0.0.1:0")
        .env("AZULEJO_MAX_REQUEST_BYTES", "10")
        .env("AZULEJO_LOG_FORMAT", "json")
        .env("AZULEJO_LOG", "info")
        .env("AZULEJO_CALL_TIMEOUT_MS", "100")
        .env("AZULEJO_GRACE_MS", "1000");
    let mut server = Server::of(command);
    let mut one = grpc::engine(&server).await;
    let state = one.new_game(new_game(azul(4), 1)).await.unwrap().into_inner().state.unwrap();
    let answer = one.playouts(crate::requests::long_work(&state)).await;
    grpc::assert_refused(answer, Code::DeadlineExceeded, "DEADLINE_EXCEEDED");
    let long = pb::ReplayRequest { record: "x".repeat(3000) };
    grpc::assert_refused(one.replay(long).await, Code::ResourceExhausted, "MESSAGE_TOO_LARGE");
    server.terminate();
    assert_eq!(server.ends_within(azulejo_tests::waiting::PATIENCE).code(), Some(0));
    let log = server.log();
    assert!(log.lines().next().unwrap().starts_with('{'), "{log}");
}

#[test]
fn a_server_keeps_running_if_its_output_is_closed() {
    let free = free_address();
    let mut command = engine(&["--listen", &free.to_string(), "--admin-listen", "127.0.0.1:0"]);
    let mut child =
        ChildGuard(command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap());
    drop(child.0.stdout.take());
    until("it listens", PATIENCE, || {
        assert_eq!(child.0.try_wait().unwrap(), None, "it ended");
        TcpStream::connect(free).ok()
    });
    assert_eq!(http1::get(free, "/").status, 200);
    assert_eq!(child.0.try_wait().unwrap(), None, "it ended");
}

#[test]
fn the_admin_port_shows_the_version_and_the_public_port_a_welcome() {
    let server = Server::start(&[]);
    let version = http1::get(server.admin, "/version").json();
    assert_eq!(version["name"], "azulejo");
    assert_eq!(version["version"], env!("CARGO_PKG_VERSION"));
    let welcome = http1::get(server.public, "/");
    assert_eq!(welcome.status, 200);
    assert!(welcome.text().contains("NewGame"), "{}", welcome.text());
    assert_eq!(http1::get(server.public, "/metrics").status, 404, "metrics are private");
}
