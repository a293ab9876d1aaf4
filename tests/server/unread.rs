//! Peers that do not read their answers.

use std::io::Write as _;
use std::time::{Duration, Instant};

use azulejo_tests::waiting::{PATIENCE, soon, until, until_async};
use bytes::Bytes;
use rstest::rstest;
use tonic::Code;

use crate::grpc::{engine, refusal};
use crate::http1;
use crate::http2::{self, GRPC, framed};
use crate::process::Server;
use crate::requests::{assert_well, azul, new_game, path};

fn active_calls(server: &Server) -> Option<u32> {
    let metrics = http1::get(server.admin, "/metrics").text();
    let line = metrics.lines().find_map(|line| line.strip_prefix("azulejo_server_active_calls "));
    line.unwrap().parse().ok()
}

#[rstest]
#[case::by_grpc(GRPC, framed(0, b""))]
#[case::by_json(("content-type", "application/json"), Bytes::from_static(b"{}"))]
#[tokio::test(flavor = "multi_thread")]
async fn a_place_is_held_until_the_answer_is_read_or_its_peer_disconnected(
    #[case] header: (&str, &str),
    #[case] body: Bytes,
) {
    let server = Server::start(&["--max-calls", "1", "--write-timeout", "1500"]);
    let mut one = engine(&server).await;
    assert_well(&mut one).await;
    let stream = tokio::net::TcpStream::connect(server.public).await.unwrap();
    let mut closed_window = h2::client::Builder::new();
    closed_window.initial_window_size(0);
    let (client, connection) = closed_window.handshake::<_, Bytes>(stream).await.unwrap();
    let connection = tokio::spawn(connection);
    let (answer, mut send) = http2::begin(&client, &path("ListRulesets"), &[header]).await.unwrap();
    send.send_data(body, true).unwrap();
    let _unread = soon("the headers", answer).await.unwrap();

    assert_eq!(active_calls(&server), Some(1), "its place is still taken");
    let refused = one.clone().new_game(new_game(azul(2), 1)).await.unwrap_err();
    assert_eq!(refusal(&refused), (Code::ResourceExhausted, "OVERLOADED".to_owned()));

    let _ended = soon("the server disconnects it", connection).await.unwrap();
    until_async("the place is free", PATIENCE, async || {
        one.clone().new_game(new_game(azul(2), 1)).await.ok()
    })
    .await;
}

/// So much that the buffers of the system are full.
#[test]
fn a_peer_that_does_not_read_from_its_socket_is_disconnected() {
    let server = Server::start(&["--write-timeout", "1500"]);
    let mut stream = http1::open(server.public);
    let target = path("ListRulesets");
    let request = format!(
        "POST {target} HTTP/1.1\r\nhost: azulejo.test\r\ncontent-type: application/json\r\n\
         content-length: 2\r\n\r\n{{}}"
    );
    stream.set_write_timeout(Some(Duration::from_millis(200))).unwrap();
    let begun = Instant::now();
    // Answers pile up until the server can neither write nor read.
    until("the server disconnects it", PATIENCE, || {
        match stream.write_all(request.repeat(100).as_bytes()) {
            Ok(()) => None,
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => None,
            Err(_disconnected) => Some(()),
        }
    });
    assert!(begun.elapsed() >= Duration::from_millis(1500), "{:?}", begun.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_without_news_is_not_an_unread_one() {
    use crate::grpc::{OpenStream, channel};
    let server = Server::start(&["--write-timeout", "300"]);
    let mut stream = OpenStream::open(channel(server.url()).await, None).await.unwrap();
    tokio::time::sleep(Duration::from_secs(2)).await;
    stream.ask().await.unwrap();
    until("it is counted", PATIENCE, || active_calls(&server).filter(|&calls| calls == 1));
}
