//! The connection breaks at the worst moment: during the COMMIT of a batch.

use azulejo_arena::store::{StoreError, open};
use azulejo_tests::Postgres;
use rstest::rstest;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use crate::fixtures::*;
use crate::whole_batches::*;

/// When a connection is cut.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Cut {
    Never,
    /// The server never receives the COMMIT.
    BeforeCommit,
    /// The server has answered, but the answer is lost.
    AfterCommit,
}

/// What the store sends to end a batch.
const COMMIT: &[u8] = b"COMMIT\0";

/// A proxy to the server that cuts connections as `cut` says. Returns its port.
async fn proxy(server: u16, cut: watch::Receiver<Cut>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            tokio::spawn(connection(client, server, cut.clone()));
        }
    });
    port
}

async fn connection(mut client: TcpStream, server: u16, cut: watch::Receiver<Cut>) {
    let mut server = TcpStream::connect(("127.0.0.1", server)).await.unwrap();
    let (mut asked, mut answered) = (vec![0; 65_536], vec![0; 65_536]);
    loop {
        tokio::select! {
            Ok(count @ 1..) = client.read(&mut asked) => {
                let asked = &asked[..count];
                let ends = asked.windows(COMMIT.len()).any(|part| part == COMMIT);
                let cut = *cut.borrow();
                if ends && cut == Cut::BeforeCommit {
                    return;
                }
                server.write_all(asked).await.unwrap();
                if ends && cut == Cut::AfterCommit {
                    assert!(server.read(&mut answered).await.unwrap() > 0);
                    return;
                }
            }
            Ok(count @ 1..) = server.read(&mut answered) => {
                client.write_all(&answered[..count]).await.unwrap();
            }
            else => return,
        }
    }
}

#[rstest]
#[case::before_the_server_received_it(Cut::BeforeCommit, 0)]
#[case::before_the_answer_arrived(Cut::AfterCommit, 1)]
#[tokio::test]
async fn a_commit_whose_connection_breaks_is_unknown_and_what_it_wrote_is_whole(
    #[case] worst: Cut,
    #[case] written: u64,
) {
    let server = Postgres::shared();
    let database = server.fresh();
    let (cut, cuts) = watch::channel(Cut::Never);
    let port = proxy(server.port(), cuts).await;
    let address = database.url.replace(&server.port().to_string(), &port.to_string());
    let store = open(&address).await.unwrap();
    let epoch = with_alice_and_bob(&*store).await;
    for n in 0..5 {
        cut.send(worst).unwrap();
        let result = store.commit(epoch, &whole_match(n)).await;
        assert!(matches!(result, Err(StoreError::Failed(_))), "{result:?}");
        cut.send(Cut::Never).unwrap();
        // The next call succeeds: it only waits until the server has noticed.
        store.commit(epoch, &[]).await.unwrap();
        assert_eq!(whole_batches(&*store).await, n + written);
        if written == 0 {
            store.commit(epoch, &whole_match(n)).await.unwrap();
        }
    }
    assert_eq!(whole_batches(&*store).await, 5);
}
