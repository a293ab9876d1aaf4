//! A connection that has grown old is told to go, so that servers which came later get their share.

use std::time::Duration;

use crate::game::{azul, new_game};
use crate::grpc::{OpenStream, channel, engine};
use crate::patience::soon;
use crate::process::Server;

/// Ends when the server ends the connection.
async fn told_to_go(server: &Server) -> Result<(), h2::Error> {
    let stream = tokio::net::TcpStream::connect(server.public).await.unwrap();
    let (_client, connection) = h2::client::handshake(stream).await.unwrap();
    connection.await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_connection_is_told_to_go_and_callers_do_not_notice() {
    let server = Server::start(&["--max-connection-age", "300"]);
    let mut client = engine(&server).await;
    for number in 0..5 {
        client.new_game(new_game(azul(2), number)).await.unwrap();
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    soon("the connection ends", told_to_go(&server)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_runs_on_an_old_connection_has_time_to_end() {
    let server = Server::start(&["--max-connection-age", "200"]);
    let mut stream = OpenStream::open(channel(server.url()).await, None).await.unwrap();
    tokio::time::sleep(Duration::from_millis(800)).await;
    stream.ask().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_may_grow_as_old_as_they_like_unless_it_is_said() {
    let server = Server::start(&[]);
    let waited = tokio::time::timeout(Duration::from_millis(800), told_to_go(&server)).await;
    assert!(waited.is_err(), "{waited:?}");
}
