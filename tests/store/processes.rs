//! Two processes on one store: they fence each other, and one that is killed leaves whole batches.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Lines};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use azulejo_arena::store::{StoreError, open};
use azulejo_tests::Random;
use rstest::rstest;

use crate::backends::Lasting;
use crate::fixtures::*;
use crate::whole_batches::*;

const ADDRESS: &str = "AZULEJO_STORE_ADDRESS";
const FIRST: &str = "AZULEJO_STORE_FIRST";
const CHILD: &str = "processes::a_child_that_commits_until_it_is_stopped";

/// Does nothing unless a test below started it.
#[tokio::test]
#[ignore = "a child process, which the tests in this file start"]
async fn a_child_that_commits_until_it_is_stopped() {
    let variable = |name| std::env::var_os(name).map(OsString::into_string);
    let (Some(Ok(address)), Some(Ok(first))) = (variable(ADDRESS), variable(FIRST)) else { return };
    let store = open(&address).await.unwrap();
    let epoch = store.take_over("a child").await.unwrap();
    println!();
    let first: u64 = first.parse().unwrap();
    for n in first..first + 10_000 {
        match store.commit(epoch, &whole_match(n)).await {
            Ok(()) => println!("acknowledged {n}"),
            Err(StoreError::Fenced) => return println!("fenced"),
            Err(other) => panic!("{other}"),
        }
    }
    panic!("it was not stopped");
}

/// A child process that commits. It is killed when dropped.
struct Arena {
    process: Child,
    said: Lines<BufReader<ChildStdout>>,
}

impl Arena {
    fn start(address: &str, first: u64) -> Self {
        let mut process = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", CHILD, "--ignored", "--nocapture"])
            .env(ADDRESS, address)
            .env(FIRST, first.to_string())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let said = BufReader::new(process.stdout.take().unwrap()).lines();
        Self { process, said }
    }

    /// The next batch that was acknowledged to it; none if there are no more.
    fn acknowledged(&mut self) -> Option<u64> {
        let mut said = self.said.by_ref().map_while(Result::ok);
        let number = said.find_map(|line| Some(line.strip_prefix("acknowledged ")?.to_owned()));
        // A number that was cut off does not count.
        number.and_then(|number| number.parse().ok())
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[rstest]
#[case::in_a_file(Lasting::in_a_file())]
#[case::in_a_database(Lasting::in_a_database())]
#[tokio::test]
async fn what_was_acknowledged_to_a_killed_process_is_there_and_at_most_one_batch_more(
    #[case] place: Lasting,
) {
    let store = place.open().await;
    with_alice_and_bob(&*store).await;
    let mut random = Random::new(7);
    let (mut there, mut in_flight) = (0, 0);
    for _ in 0..20 {
        let mut arena = Arena::start(&place.address, there);
        let batches = 1 + random.below(12);
        let mut acknowledged: u64 = there;
        for _ in 0..batches {
            acknowledged = arena.acknowledged().unwrap() + 1;
        }
        // Anywhere within the next batches, not always just after one.
        std::thread::sleep(Duration::from_micros(random.below(6_000) as u64));
        arena.process.kill().unwrap();
        while let Some(n) = arena.acknowledged() {
            assert_eq!(n, acknowledged);
            acknowledged += 1;
        }
        // The batch in flight has ended once the store can be taken over.
        store.take_over("the parent").await.unwrap();
        there = whole_batches(&*place.open().await).await;
        let expected = acknowledged..=acknowledged + 1;
        assert!(expected.contains(&there), "acknowledged {acknowledged}, found {there}");
        in_flight += there - acknowledged;
    }
    println!("20 kills, {there} batches, {in_flight} of them were in flight");
}

#[rstest]
#[case::in_a_file(Lasting::in_a_file())]
#[case::in_a_database(Lasting::in_a_database())]
#[tokio::test]
async fn two_processes_fence_each_other(#[case] place: Lasting) {
    let store = place.open().await;
    let first = with_alice_and_bob(&*store).await;
    let mut arena = Arena::start(&place.address, 0);
    let mut acknowledged = arena.acknowledged().unwrap() + 1;
    assert_fenced(store.commit(first, &[ladder(1_000)]).await);
    assert_fenced(store.renew(first).await);
    let epoch = store.take_over("the parent").await.unwrap();
    while let Some(n) = arena.acknowledged() {
        assert_eq!(n, acknowledged);
        acknowledged += 1;
    }
    assert!(arena.process.wait().unwrap().success());
    assert_eq!(whole_batches(&*place.open().await).await, acknowledged);
    store.commit(epoch, &whole_match(acknowledged)).await.unwrap();
    let mut next = Arena::start(&place.address, acknowledged + 1);
    assert_eq!(next.acknowledged(), Some(acknowledged + 1));
    assert_fenced(store.commit(epoch, &whole_match(1_000)).await);
}
