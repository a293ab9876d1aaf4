//! `azulejo load ladder`: all checks pass on an arena that is killed meanwhile, and its checker
//! rejects a store from which something is missing.

use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

use azulejo_tests::Postgres;
use azulejo_tests::process::{azulejo, output_within};
use serde_json::Value;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use tempfile::TempDir;

/// A run with its checks, on a busy machine.
const PATIENCE: Duration = Duration::from_mins(5);

struct Swarm {
    _folder: TempDir,
    store: PathBuf,
    report: Value,
}

impl Swarm {
    fn plays(flags: &[&str]) -> Self {
        let folder = TempDir::new().unwrap();
        let store = folder.path().join("arena.db");
        let fixed = [
            "load",
            "ladder",
            "--json",
            "--yardstick-seconds",
            "0",
            "--keep",
            "--store",
            store.to_str().unwrap(),
        ];
        let output = output_within(PATIENCE, azulejo(&[&fixed, flags].concat()));
        let report = json(&output);
        println!("{report}");
        let failing = failing(&report);
        assert_eq!(output.status.success(), failing.is_empty(), "{output:?}");
        Self { _folder: folder, store, report }
    }

    /// Runs the checker on a copy of the store that this has changed.
    async fn after(&self, sql: &str) -> Vec<String> {
        let folder = TempDir::new().unwrap();
        let store = folder.path().join("arena.db");
        for part in ["db", "db-wal"] {
            let from = self.store.with_extension(part);
            if from.exists() {
                std::fs::copy(from, store.with_extension(part)).unwrap();
            }
        }
        let pool = SqlitePoolOptions::new().max_connections(1);
        let options = SqliteConnectOptions::new().filename(&store).foreign_keys(false);
        let pool = pool.connect_with(options).await.unwrap();
        let changed = sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&pool).await.unwrap();
        assert_eq!(changed.rows_affected() > 0, !sql.is_empty(), "{sql}");
        pool.close().await;
        let journal = self.store.with_extension("journal.json");
        checked(&store, &journal)
    }
}

fn json(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(text.trim()).unwrap_or_else(|_| panic!("one line of JSON: {output:?}"))
}

/// The items that failed.
fn failing(report: &Value) -> Vec<String> {
    let verdicts = report["verdicts"].as_array().unwrap().iter();
    let failing = verdicts.filter(|verdict| verdict["holds"] == false);
    failing.map(|verdict| verdict["item"].as_str().unwrap().to_owned()).collect()
}

/// The failed items, without those that depend on the load of the machine; the exit code must
/// agree.
fn checked(store: &Path, journal: &Path) -> Vec<String> {
    let (store, journal) = (store.to_str().unwrap(), journal.to_str().unwrap());
    let words = ["load", "check", "--json", "--store", store, "--journal", journal];
    let output = output_within(PATIENCE, azulejo(&words));
    let mut failing = failing(&json(&output));
    assert_eq!(output.status.success(), failing.is_empty(), "{output:?}");
    failing.retain(|item| item != "charged");
    failing
}

/// All checks pass. Delays depend on the load of the machine, so they are printed
/// but not checked.
fn assert_kept(report: &Value) {
    let verdicts = report["verdicts"].as_array().unwrap();
    let items: Vec<&str> =
        verdicts.iter().map(|verdict| verdict["item"].as_str().unwrap()).collect();
    let expected = [
        "moves",
        "receipts",
        "results",
        "ratings",
        "ended",
        "received",
        "records",
        "charged",
        "time-outs",
        "games",
        "deals",
        "memory",
    ];
    assert_eq!(items, expected);
    for verdict in verdicts {
        let judged = !["charged", "memory"].contains(&verdict["item"].as_str().unwrap());
        assert!(!judged || verdict["holds"] == true, "{verdict}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_swarm_passes_all_checks_and_a_store_that_lost_something_fails() {
    let swarm =
        Swarm::plays(&["--bots", "40", "--think", "20ms", "--seconds", "10", "--kill-every", "5"]);

    assert_kept(&swarm.report);
    assert!(swarm.report["server"]["kills"].as_u64().unwrap() >= 1);
    assert!(swarm.report["moves_acknowledged"].as_u64().unwrap() > 1_000);

    assert_eq!(swarm.after("").await, [] as [&str; 0], "nothing was changed");
    let other_move = "UPDATE match_events SET payload = json_replace(payload, '$.action',
            (SELECT other.payload ->> 'action' FROM match_events other
             WHERE other.payload ->> 'action' <> match_events.payload ->> 'action'
             AND other.payload ->> 'event' = 'moved' LIMIT 1))
        WHERE (match_number, seq) = (SELECT match_number, max(seq) FROM match_events
            WHERE payload ->> 'event' = 'moved' GROUP BY match_number LIMIT 1)";
    assert_eq!(swarm.after(other_move).await, ["moves", "records"]);
    let receipt = "UPDATE match_events
        SET payload = json_replace(payload, '$.receipt.charged', 1 + (payload ->> '$.receipt.charged'))
        WHERE (match_number, seq) = (SELECT match_number, min(seq) FROM match_events
            WHERE payload ->> 'event' = 'moved' GROUP BY match_number LIMIT 1)";
    assert_eq!(swarm.after(receipt).await, ["receipts", "records"]);
    let lost_move = "DELETE FROM match_events WHERE match_number = 1 AND seq = 5";
    assert_eq!(swarm.after(lost_move).await, ["moves"]);
    let lost_match = "DELETE FROM match_events WHERE match_number = 1";
    let said = swarm.after(lost_match).await;
    assert!(said.contains(&"moves".to_owned()) && said.contains(&"ended".to_owned()), "{said:?}");
    let lost_result = "DELETE FROM results WHERE number = 1";
    assert_eq!(swarm.after(lost_result).await, ["results", "ratings"]);
    let other_result = "UPDATE seats SET placement = 3 - placement
        WHERE match_number = (SELECT match_number FROM results
            JOIN seats USING (match_number) WHERE rated AND placement = 2 LIMIT 1)";
    assert_eq!(swarm.after(other_result).await, ["results", "ratings"]);
    let other_rating =
        "UPDATE standings SET mean = mean + 1e-9 WHERE bot = (SELECT min(bot) FROM standings)";
    assert_eq!(swarm.after(other_rating).await, ["ratings"]);
    let untold =
        "INSERT INTO untold SELECT match_number, bot FROM seats WHERE bot IS NOT NULL LIMIT 1";
    assert_eq!(swarm.after(untold).await, ["received"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn badly_behaved_bots_harm_no_other_bot() {
    let swarm = Swarm::plays(&[
        "--bots",
        "48",
        "--think",
        "20ms",
        "--seconds",
        "12",
        "--bad",
        "0.25",
        "--pools",
        "azul-colored-2-blitz,summer-pavilion-gray-3-blitz",
    ]);

    assert_kept(&swarm.report);
    assert!(swarm.report["seats_finished"].as_u64().unwrap() > 20);
}

/// A swarm on PostgreSQL, which crashes and restarts this often meanwhile.
fn on_postgresql(crashes: u32, flags: &[&str]) -> Value {
    /// Long enough for all bots to reconnect.
    const EVERY: Duration = Duration::from_secs(6);
    let postgres = Postgres::alone("");
    let store = postgres.fresh().url;
    let fixed = ["load", "ladder", "--json", "--yardstick-seconds", "0", "--store", &store];
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..crashes {
                std::thread::sleep(EVERY);
                postgres.stop_immediately();
                postgres.start();
            }
        });
        let output = output_within(PATIENCE, azulejo(&[&fixed, flags].concat()));
        let report = json(&output);
        println!("{report}");
        report
    })
}

#[test]
fn a_swarm_on_postgresql_loses_nothing_when_arena_and_database_crash() {
    let report = on_postgresql(
        2,
        &["--bots", "40", "--think", "20ms", "--seconds", "18", "--kill-every", "8"],
    );

    assert_kept(&report);
    assert!(report["server"]["kills"].as_u64().unwrap() >= 1);
    assert!(report["moves_acknowledged"].as_u64().unwrap() > 1_000);
}

#[test]
#[ignore = "takes three minutes: ten crashes of the database, then ten of the arena"]
fn a_swarm_on_postgresql_loses_nothing_in_ten_crashes_of_each() {
    let database = on_postgresql(10, &["--bots", "300", "--seconds", "70"]);
    assert_kept(&database);
    let arena = on_postgresql(0, &["--bots", "300", "--seconds", "83", "--kill-every", "8"]);
    assert_kept(&arena);
    assert!(arena["server"]["kills"].as_u64().unwrap() >= 10, "{arena}");
}
