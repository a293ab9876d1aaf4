//! Floods of HTTP/2 frames. The server may end the connection; it keeps serving others.

use std::net::SocketAddr;
use std::time::Duration;

use azulejo_tests::waiting::{PATIENCE, soon, until_async};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::grpc::engine;
use crate::http2::{self, GRPC};
use crate::process::Server;
use crate::requests::{assert_well, path};

/// The same server still answers, its memory is small, and it logged no panic.
async fn assert_unharmed(server: &Server) {
    assert_well(&mut engine(server).await).await;
    let log = server.log();
    assert!(!log.contains("panic"), "{log}");
    assert!(server.memory() < 200, "{} MiB", server.memory());
}

fn hostile() -> Server {
    Server::start(&["--log", "info"])
}

#[tokio::test(flavor = "multi_thread")]
async fn opening_and_resetting_streams_by_the_thousand_ends_the_connection() {
    let server = hostile();
    let mut ended = false;
    for _ in 0..5 {
        let client = http2::connect(server.public).await;
        for _ in 0..5000 {
            let Ok((_, mut send)) = http2::begin(&client, &path("ListRulesets"), &[GRPC]).await
            else {
                ended = true;
                break;
            };
            send.send_reset(h2::Reason::CANCEL);
        }
    }
    assert!(ended, "25,000 streams were opened and reset");
    assert_unharmed(&server).await;
}

/// A frame with its head.
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    let mut bytes = length[1..].to_vec();
    bytes.extend([kind, flags]);
    bytes.extend(stream.to_be_bytes());
    bytes.extend(payload);
    bytes
}

/// The preface and empty settings.
async fn greeted(address: SocketAddr) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await.unwrap();
    stream.write_all(&frame(4, 0, 0, b"")).await.unwrap();
    stream
}

/// Headers of a POST of JSON, each written out in full.
fn headers(stream: u32) -> Vec<u8> {
    let mut block = vec![0x83, 0x86]; // :method POST, :scheme http
    let mut literal = |name: &str, value: &str| {
        block.push(0);
        for text in [name, value] {
            block.push(u8::try_from(text.len()).unwrap());
            block.extend(text.as_bytes());
        }
    };
    literal(":path", &path("ListRulesets"));
    literal(":authority", "azulejo.test");
    literal("content-type", "application/json");
    frame(1, 4, stream, &block)
}

/// Writes until the server stops reading, and reads what it sends, so that it never has to wait.
/// Returns whether the server ended the connection.
async fn flood(address: SocketAddr, opening: &[u8], again: &[u8], times: usize) -> bool {
    let (mut reader, mut writer) = greeted(address).await.into_split();
    let reading = tokio::spawn(async move {
        let mut piece = [0; 4096];
        while reader.read(&mut piece).await.is_ok_and(|length| length > 0) {}
    });
    let many = again.repeat(100);
    let writing = async {
        writer.write_all(opening).await?;
        for _ in 0..times / 100 {
            writer.write_all(&many).await?;
        }
        writer.flush().await
    };
    let broken = soon("the flood", writing).await.is_err();
    // The server sends GOAWAY and closes.
    let closed = tokio::time::timeout(Duration::from_millis(500), reading).await.is_ok();
    broken || closed
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_empty_data_does_no_harm() {
    let server = hostile();
    let opening = headers(1);
    let ended = flood(server.public, &opening, &frame(0, 0, 1, b""), 200_000).await;
    assert!(ended, "200,000 empty frames were taken");
    assert_unharmed(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_pings_does_no_harm() {
    let server = hostile();
    flood(server.public, b"", &frame(6, 0, 0, b"12345678"), 200_000).await;
    assert_unharmed(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_pings_whose_answers_are_not_read_does_no_harm() {
    let server = hostile();
    let mut stream = greeted(server.public).await;
    let pings = frame(6, 0, 0, b"12345678").repeat(1000);
    let writing = async {
        for _ in 0..1000 {
            stream.write_all(&pings).await?;
        }
        std::io::Result::Ok(())
    };
    // The server stops reading or closes; it must not keep all answers in memory.
    let _stuck_or_broken = tokio::time::timeout(Duration::from_secs(3), writing).await;
    assert_unharmed(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_settings_does_no_harm() {
    let server = hostile();
    flood(server.public, b"", &frame(4, 0, 0, b""), 200_000).await;
    assert_unharmed(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn endless_headers_end_the_connection() {
    let server = hostile();
    // A header block that never ends.
    let opening = frame(1, 0, 1, &[0x83, 0x86]);
    let again = frame(9, 0, 1, &[&[0, 1, b'x', 100][..], &[b'y'; 100]].concat());
    assert!(flood(server.public, &opening, &again, 200_000).await, "the server took it all");
    assert_unharmed(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn frames_that_break_the_protocol_end_only_their_own_connection() {
    let server = hostile();
    let wrong = [
        frame(0, 0, 1, b"data before headers"),
        frame(0, 0, 0, b"data on stream 0"),
        frame(6, 0, 0, b"short"),
        frame(8, 0, 0, &[0; 4]),
        frame(1, 4, 2, &[0x83]),
        frame(1, 4, 1, &[0xff; 20]),
        frame(3, 0, 9, &[0; 4]),
        frame(9, 4, 1, b"continues nothing"),
        frame(4, 0, 0, &[0; 5]),
    ];
    for bytes in &wrong {
        let mut stream = greeted(server.public).await;
        stream.write_all(bytes).await.unwrap();
        let closing = async {
            let mut piece = [0; 4096];
            while stream.read(&mut piece).await.is_ok_and(|length| length > 0) {}
        };
        let closed = tokio::time::timeout(PATIENCE, closing).await;
        assert!(closed.is_ok(), "the connection stays after {bytes:?}");
    }
    assert_unharmed(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_has_at_most_256_streams() {
    const RST_STREAM: u8 = 3;
    const REFUSED_STREAM: u32 = 7;
    let server = hostile();
    let client = http2::connect(server.public).await;
    until_async("the server announces its limit", PATIENCE, async || {
        (client.current_max_send_streams() == 256).then_some(())
    })
    .await;
    // A client that ignores this limit is refused.
    let mut stream = greeted(server.public).await;
    for number in 0..257 {
        stream.write_all(&headers(2 * number + 1)).await.unwrap();
    }
    let refused = async {
        loop {
            let mut head = [0; 9];
            stream.read_exact(&mut head).await.unwrap();
            let length = u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize;
            let mut payload = vec![0; length];
            stream.read_exact(&mut payload).await.unwrap();
            if head[3] == RST_STREAM {
                let number = u32::from_be_bytes(head[5..].try_into().unwrap());
                return (number, u32::from_be_bytes(payload.try_into().unwrap()));
            }
        }
    };
    assert_eq!(soon("a stream is refused", refused).await, (513, REFUSED_STREAM));
    assert_unharmed(&server).await;
}
