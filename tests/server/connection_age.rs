//! Old connections are closed with GOAWAY, so that new servers get their share of the load.

use std::time::Duration;

use azulejo_tests::waiting::soon;

use crate::grpc::{OpenStream, channel, engine};
use crate::process::Server;
use crate::requests::{azul, new_game};

/// Ends when the server ends the connection.
async fn closed_by(server: &Server) -> Result<(), h2::Error> {
    let stream = tokio::net::TcpStream::connect(server.public).await.unwrap();
    let (_client, connection) = h2::client::handshake(stream).await.unwrap();
    connection.await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_connection_is_closed_and_callers_do_not_notice() {
    let server = Server::start(&["--max-connection-age", "300"]);
    let mut client = engine(&server).await;
    for number in 0..5 {
        client.new_game(new_game(azul(2), number)).await.unwrap();
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    soon("the connection ends", closed_by(&server)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn open_streams_on_an_old_connection_have_time_to_end() {
    let server = Server::start(&["--max-connection-age", "200"]);
    let mut stream = OpenStream::open(channel(server.url()).await, None).await.unwrap();
    tokio::time::sleep(Duration::from_millis(800)).await;
    stream.ask().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn by_default_connections_have_no_maximum_age() {
    let server = Server::start(&[]);
    let waited = tokio::time::timeout(Duration::from_millis(800), closed_by(&server)).await;
    assert!(waited.is_err(), "{waited:?}");
}
