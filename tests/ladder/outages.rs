//! The store fails while bots play: the disk is full, commits fail, the database is gone. The arena
//! reports that it is not ready, continues by itself soon after the cause has ended, and loses nothing
//! that it acknowledged.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use azulejo_tests::Postgres;
use azulejo_tests::waiting::{PATIENCE, until, until_async};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions as _, SqliteConnection};
use tempfile::TempDir;

use crate::arena::Arena;
use crate::load::Crowd;

/// Matches continue within this time after the cause has ended.
const RECOVERY: Duration = Duration::from_secs(5);
/// Moves per test: so many that a loss would be noticed.
const ENOUGH_MOVES: u64 = 2_500;
/// How long a cause lasts after the arena has noticed it.
const SHORT: Duration = Duration::from_secs(3);
const LONG: Duration = Duration::from_mins(1);

/// Moves of bots that were made durable.
fn moves(arena: &Arena) -> u64 {
    let metrics = arena.metrics();
    let series = "azulejo_arena_moves_total{by=\"bot\"} ";
    metrics.lines().find_map(|line| line.strip_prefix(series)?.parse().ok()).unwrap()
}

async fn until_ready(arena: &Arena, ready: bool, longest: Duration) {
    until_async(&format!("ready is {ready}"), longest, || async {
        (arena.is_ready().await == ready).then_some(())
    })
    .await;
}

/// Lets bots play while the cause, which has begun, lasts and after `repair` has ended it.
async fn assert_survived(
    arena: Arena,
    crowd: Crowd,
    lasting: Duration,
    repair: impl AsyncFnOnce(),
) {
    until_ready(&arena, false, 2 * PATIENCE).await;
    tokio::time::sleep(lasting).await;
    assert!(!arena.is_ready().await, "the cause lasts");
    let before = moves(&arena);

    repair().await;

    let ended = Instant::now();
    until("matches continue", RECOVERY, || (moves(&arena) > before).then_some(()));
    let continued = ended.elapsed();
    until_ready(&arena, true, RECOVERY.saturating_sub(ended.elapsed())).await;
    println!("the cause lasted {lasting:?}; the first move was made {continued:?} after its end");
    until("enough is played", 3 * PATIENCE, || (moves(&arena) > ENOUGH_MOVES).then_some(()));
    crowd.assert_kept(arena).await;
}

/// A small file system in memory. It is unmounted when dropped.
struct SmallDisk {
    folder: TempDir,
}

impl SmallDisk {
    /// None if this user may not mount file systems.
    fn mount() -> Option<Self> {
        let folder = TempDir::new().unwrap();
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=24m", "tmpfs"])
            .arg(folder.path())
            .output();
        match mount {
            Ok(done) if done.status.success() => Some(Self { folder }),
            failed => {
                println!("NOT TESTED: a full disk, because no tmpfs can be mounted: {failed:?}");
                None
            }
        }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file until there is no room for another byte.
    fn fill(&self) -> PathBuf {
        let path = self.path().join("filling");
        let mut file = File::create(&path).unwrap();
        for size in [1 << 16, 1 << 12, 1] {
            while file.write_all(&vec![7; size]).is_ok() {}
        }
        path
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _unmounted = Command::new("umount").arg("--lazy").arg(self.path()).output();
    }
}

async fn full_disk(lasting: Duration) {
    let Some(disk) = SmallDisk::mount() else { return };
    let arena = Arena::with_store(disk.path().join("store.db").to_str().unwrap(), &[]);
    let crowd = Crowd::of(&arena, &arena.url()).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    let filling = disk.fill();
    assert_survived(arena, crowd, lasting, async || std::fs::remove_file(filling).unwrap()).await;
}

async fn execute(connection: &mut SqliteConnection, statement: &str) {
    sqlx::query(AssertSqlSafe(statement)).execute(connection).await.unwrap();
}

/// Every commit fails in the way that leaves sqlx with a transaction that SQLite has ended.
async fn failing_commits(lasting: Duration) {
    let arena = Arena::start(&[]);
    let crowd = Crowd::of(&arena, &arena.url()).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    let options = SqliteConnectOptions::new().filename(arena.store()).busy_timeout(PATIENCE);
    let mut other = options.connect().await.unwrap();
    let triggers = [("fail_lease", "UPDATE ON lease"), ("fail_events", "INSERT ON match_events")];
    for (name, on) in triggers {
        let fail = "BEGIN SELECT RAISE(ROLLBACK, 'the disk is on fire'); END";
        execute(&mut other, &format!("CREATE TRIGGER {name} BEFORE {on} {fail}")).await;
    }
    assert_survived(arena, crowd, lasting, async || {
        for (name, _) in triggers {
            execute(&mut other, &format!("DROP TRIGGER {name}")).await;
        }
    })
    .await;
}

async fn absent_database(lasting: Duration) {
    let server = Postgres::alone("");
    let database = server.fresh();
    let arena = Arena::with_store(&database.url, &[]);
    let crowd = Crowd::of(&arena, &arena.url()).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    server.stop_immediately();
    until_ready(&arena, false, PATIENCE).await;
    assert_front_page_without_results(&arena);
    assert_survived(arena, crowd, lasting, async || server.start()).await;
}

/// The front page says that results are missing, and shows what needs no store.
fn assert_front_page_without_results(arena: &Arena) {
    let began = Instant::now();
    let page = azulejo_tests::http::get(arena.public, "/");
    assert!(began.elapsed() < RECOVERY, "{:?}", began.elapsed());
    assert_eq!(page.status, 503);
    let text = page.text();
    assert!(text.contains("Results cannot be read at the moment"), "{text}");
    assert!(text.contains("rated game") && text.contains("reconnecting-0/bot"), "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_arena_continues_after_a_full_disk() {
    full_disk(SHORT).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_arena_continues_after_failed_commits() {
    failing_commits(SHORT).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_arena_continues_after_its_database_was_gone() {
    absent_database(SHORT).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes four minutes: each cause lasts for one"]
async fn the_arena_continues_after_outages_of_a_minute() {
    full_disk(LONG).await;
    failing_commits(LONG).await;
    absent_database(LONG).await;
}
