//! Connections that are useless are closed, and running out of file descriptors does not spin.

use std::io::Write as _;
use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};

use azulejo_tests::process::ANY_PORTS;
use azulejo_tests::waiting::{PATIENCE, until};

use crate::grpc::{OpenStream, channel, engine};
use crate::http1;
use crate::process::{Server, engine as engine_command};
use crate::processor;
use crate::requests::assert_well;

const QUICK: [&str; 4] = ["--idle-timeout", "600", "--write-timeout", "600"];

/// Reads until the server closes the connection.
#[track_caller]
fn assert_closed(stream: &mut TcpStream) -> Duration {
    let begun = Instant::now();
    http1::read(stream);
    begun.elapsed()
}

#[test]
fn a_connection_on_which_nothing_arrives_is_closed() {
    let server = Server::start(&QUICK);
    let waited = assert_closed(&mut http1::open(server.public));
    assert!(waited >= Duration::from_millis(500) && waited < Duration::from_secs(5), "{waited:?}");
}

#[test]
fn a_connection_without_a_call_is_closed() {
    let server = Server::start(&QUICK);
    let mut stream = http1::open(server.public);
    // Without `connection: close`: the client could send another request.
    stream.write_all(b"GET / HTTP/1.1\r\nhost: azulejo.test\r\n\r\n").unwrap();
    let waited = assert_closed(&mut stream);
    assert!(waited >= Duration::from_millis(500) && waited < Duration::from_secs(5), "{waited:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_with_an_open_stream_stays_open_and_callers_do_not_notice_closed_ones() {
    let server = Server::start(&QUICK);
    let mut client = engine(&server).await;
    let mut stream = OpenStream::open(channel(server.url()).await, None).await.unwrap();
    assert_well(&mut client).await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    stream.ask().await.unwrap();
    assert_well(&mut client).await;
}

#[test]
fn connections_beyond_the_limit_are_closed_at_once() {
    let server = Server::start(&["--max-connections", "2"]);
    let open = [http1::open(server.public), http1::open(server.public)];
    // The two are accepted one after the other, and a place is free soon after its connection.
    let waited = assert_closed(&mut http1::open(server.public));
    assert!(waited < Duration::from_secs(5), "{waited:?}");
    drop(open);
    until("a connection is served again", PATIENCE, || {
        let mut stream = http1::open(server.public);
        let request = b"GET / HTTP/1.1\r\nhost: azulejo.test\r\nconnection: close\r\n\r\n";
        let _closed = stream.write_all(request);
        http1::read(&mut stream).starts_with(b"HTTP/1.1 200").then_some(())
    });
}

/// The engine with these limits of open files, as `ulimit` sets them.
fn with_files(limits: &str, flags: &[&str]) -> Server {
    let engine = engine_command(&[&ANY_PORTS, flags].concat());
    let mut command = Command::new("/bin/sh");
    command.env_clear().arg("-c").arg(format!("{limits} && exec \"$0\" \"$@\""));
    command.arg(engine.get_program()).args(engine.get_args());
    Server::of(command)
}

#[test]
fn the_limit_of_open_files_is_raised_at_the_start() {
    let server = with_files("ulimit -Sn 100 && ulimit -Hn 400", &[]);
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", server.id())).unwrap();
    let line = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
    let numbers: Vec<&str> = line.split_whitespace().skip(3).take(2).collect();
    assert_eq!(numbers, ["400", "400"], "{line}");
}

#[test]
fn connections_leave_file_descriptors_for_everything_else() {
    let server = with_files("ulimit -n 200", &[]);
    let open: Vec<TcpStream> = (0..300).map(|_| http1::open(server.public)).collect();
    for _ in 0..5 {
        assert_eq!(http1::get(server.admin, "/metrics").status, 200);
    }
    drop(open);
}

#[test]
fn without_file_descriptors_the_server_pauses_and_then_goes_on() {
    // More connections than files, against the default.
    let server = with_files("ulimit -n 60", &["--max-connections", "1000"]);
    let open: Vec<TcpStream> = (0..100).map(|_| http1::open(server.public)).collect();
    until("the files are used up", PATIENCE, || {
        server.log().contains("cannot accept connections").then_some(())
    });
    let before = processor::time(server.id());
    std::thread::sleep(Duration::from_secs(2));
    let spent = processor::time(server.id()).saturating_sub(before);
    assert!(spent < Duration::from_millis(200), "{spent:?} of 2 s");
    drop(open);
    assert_eq!(http1::call(server.public, "ListRulesets", b"{}").status, 200);
}
