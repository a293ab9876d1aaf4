//! Random batches: a store does what the model does.

use std::cell::Cell;

use azulejo_arena::record::{EndReason, Origin};
use azulejo_arena::store::{Ended, Epoch, Filter, Holder, Pause, Store, StoreError, Token, Write};
use azulejo_arena::time::Wall;
use proptest::prelude::*;
use proptest::sample::select;

use crate::backends::Fresh;
use crate::fixtures::*;
use crate::model::Model;

/// A write, or one that depends on what is stored.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there are few of them")]
enum Planned {
    Plain(Write),
    /// The next event of a match, or one with a number that is off by this much.
    Next {
        n: u64,
        off: u32,
    },
    /// The result of a match is voided, with the number of its next event or another.
    Void {
        n: u64,
        off: u32,
    },
}

#[derive(Clone, Debug)]
struct Batch {
    planned: Vec<Planned>,
    /// Sent by a former holder of the store.
    stale: bool,
}

fn bot_name() -> impl Strategy<Value = &'static str> {
    select(vec![ALICE, ALICE, BOB, BOB, "carol/c", "alice/x"])
}

fn account() -> impl Strategy<Value = Write> {
    let hash = (0..3u8).prop_map(bytes);
    let holder = prop_oneof![
        Just(Holder::Admin),
        select(vec!["alice", "carol"]).prop_map(|name| Holder::Owner(owner(name))),
        bot_name().prop_map(|name| Holder::Bot(bot(name))),
    ];
    let public = (0..3u8).prop_map(|n| format!("tok_{n}"));
    let pause = proptest::option::of(proptest::option::of(0..4u64)).prop_map(|pause| {
        pause.map(|trigger| Pause {
            reason: "failing".to_owned(),
            trigger_match: trigger.map(id),
            by_organiser: trigger.is_none(),
        })
    });
    prop_oneof![
        select(vec!["alice", "bob", "carol"]).prop_map(new_owner),
        bot_name().prop_map(new_bot),
        (bot_name(), select(vec!["1", "2"])).prop_map(|(name, number)| new_version(name, number)),
        (public.clone(), hash.clone(), holder)
            .prop_map(|(public, hash, holder)| Token { public, hash, holder, created: None })
            .prop_map(Write::Token),
        public.prop_map(|public| Write::Revoked { public }),
        hash.clone().prop_map(|hash| Write::Invitation { hash, created: Wall(4) }),
        hash.prop_map(|hash| Write::Invited { hash }),
        (bot_name(), pause).prop_map(|(name, pause)| Write::Pause { bot: bot(name), pause }),
        (select(vec!["alice", "carol"]), proptest::option::of(Just("cheats".to_owned())))
            .prop_map(|(name, note)| Write::Ban { owner: owner(name), note }),
        bot_name().prop_map(|name| Write::LiveRatingRemoved { pool: pool(), player: player(name) }),
        bot_name().prop_map(|name| Write::Audit(act(name))),
    ]
}

fn end() -> impl Strategy<Value = Write> {
    let reasons = select(vec![EndReason::Finished, EndReason::Gone, EndReason::NoShow]);
    let seats = prop_oneof![8 => Just(2usize), 1 => Just(3usize)];
    (0..4u64, any::<bool>(), reasons, seats, bot_name(), any::<u32>()).prop_map(
        |(n, rated, reason, seats, name, games)| {
            let seats = vec![seat_end(2, reason); seats];
            let standings = if rated { vec![(player(name), standing(games))] } else { vec![] };
            Write::Ended(Ended {
                id: id(n),
                at: Wall(games.into()),
                seats,
                rated,
                standings,
                summary: None,
            })
        },
    )
}

fn of_a_match() -> impl Strategy<Value = Planned> {
    let origin = select(vec![Origin::Ladder, Origin::Challenge]);
    let call = (0..4u64, origin, bot_name(), proptest::option::of(bot_name()));
    let call = call.prop_map(|(n, origin, one, other)| {
        let seats = vec![remote(one), other.map_or_else(house, remote)];
        Write::Match { spec: spec(n, origin, seats), secret: bytes(n) }
    });
    let delivered = (0..4u64, bot_name())
        .prop_map(|(n, name)| Write::EndDelivered { id: id(n), bot: bot(name) });
    let off = || prop_oneof![9 => Just(0u32), 1 => Just(1), 1 => Just(u32::MAX)];
    prop_oneof![
        2 => call.prop_map(Planned::Plain),
        4 => (0..4u64, off()).prop_map(|(n, off)| Planned::Next { n, off }),
        1 => (0..4u64, off()).prop_map(|(n, off)| Planned::Void { n, off }),
        1 => end().prop_map(Planned::Plain),
        1 => delivered.prop_map(Planned::Plain),
    ]
}

fn batch() -> impl Strategy<Value = Batch> {
    let one = prop_oneof![account().prop_map(Planned::Plain), of_a_match(), of_a_match()];
    let planned = prop_oneof![
        2 => proptest::collection::vec(one.clone(), 1..2),
        1 => proptest::collection::vec(one, 0..5),
    ];
    let stale = prop_oneof![9 => Just(false), 1 => Just(true)];
    (planned, stale).prop_map(|(planned, stale)| Batch { planned, stale })
}

/// The writes that are meant, and what they make of the model; none if they are refused.
fn resolve(model: &Model, planned: &[Planned]) -> (Vec<Write>, Option<Model>) {
    let (mut after, mut refused) = (model.clone(), false);
    let mut writes = Vec::new();
    for one in planned {
        let write = match one {
            Planned::Plain(write) => write.clone(),
            Planned::Next { n, off } => event(*n, after.next_event(*n).wrapping_add(*off)),
            Planned::Void { n, off } => result_voided(*n, after.next_event(*n).wrapping_add(*off)),
        };
        refused |= after.apply(&write).is_err();
        writes.push(write);
    }
    (writes, (!refused).then_some(after))
}

async fn assert_same(store: &dyn Store, model: &Model) {
    let saved = store.load().await.unwrap();
    assert_eq!(saved.owners, model.owners);
    assert_eq!(saved.bots, model.bots);
    assert_eq!(saved.bans, model.bans());
    let audit = store.audit(None, 99).await.unwrap();
    assert!(audit.iter().map(|(_, entry)| entry).eq(model.audit.iter().rev()));
    assert_eq!(saved.tokens, model.valid_tokens());
    assert_eq!(saved.invitations, model.open_invitations());
    assert_eq!(saved.untold, model.untold());
    assert_eq!(saved.standings.len(), model.standings.len());
    assert!(model.standings.iter().all(|standing| saved.standings.contains(standing)));
    let running: Vec<_> = model.matches.iter().filter(|saved| saved.ended.is_none()).collect();
    assert_eq!(saved.running.iter().collect::<Vec<_>>(), running);
    let listed = store.list(&Filter::default(), None, 99).await.unwrap();
    assert!(listed.iter().map(|(_, saved)| saved).eq(model.matches.iter().rev()));
    let ended = store.ended(0, 99).await.unwrap();
    let ends = model.ends.iter().map(|(place, _)| &model.matches[*place]);
    assert!(ended.iter().map(|(_, saved)| saved).eq(ends));
    let outcomes = store.outcomes(0, 99).await.unwrap();
    let rated = model.ends.iter().filter(|(place, _)| model.matches[*place].rated);
    assert!(
        outcomes
            .iter()
            .map(|outcome| &outcome.id)
            .eq(rated.clone().map(|(place, _)| &model.matches[*place].spec.id))
    );
    for (outcome, (_, ends)) in outcomes.iter().zip(rated) {
        assert!(outcome.seats.iter().map(|(_, end)| end).eq(ends));
    }
}

/// How many batches were written, refused, and fenced.
async fn compare(store: Fresh, batches: Vec<Batch>) -> [usize; 3] {
    let old = store.take_over("old").await.unwrap();
    let epoch: Epoch = store.take_over("new").await.unwrap();
    let setup: Vec<Planned> = alice_and_bob().into_iter().map(Planned::Plain).collect();
    let mut model = Model::default();
    let mut count = [0; 3];
    for Batch { planned, stale } in
        std::iter::once(Batch { planned: setup, stale: false }).chain(batches)
    {
        let (writes, after) = resolve(&model, &planned);
        let result = store.commit(if stale { old } else { epoch }, &writes).await;
        match (result, after) {
            (Err(StoreError::Fenced), _) if stale => count[2] += 1,
            (Err(StoreError::Conflict(_)), None) if !stale => count[1] += 1,
            (Ok(()), Some(after)) if !stale => {
                count[0] += 1;
                model = after;
            }
            (result, after) => {
                panic!("{result:?}, but the model: {:?}: {writes:?}", after.is_some())
            }
        }
        assert_same(&*store, &model).await;
    }
    count
}

fn run(cases: u32, fresh: impl AsyncFn() -> Fresh) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let total = Cell::new([0; 3]);
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let batches = proptest::collection::vec(batch(), 1..60);
    let result = runner.run(&batches, |batches| {
        let count = runtime.block_on(async { compare(fresh().await, batches).await });
        let sum = total.get();
        total.set(std::array::from_fn(|kind| sum[kind] + count[kind]));
        Ok(())
    });
    result.unwrap();
    let total = total.get();
    println!("batches written, refused, fenced: {total:?}");
    assert!(total.iter().all(|&count| count > 0), "{total:?} covers too little");
}

#[test]
fn in_memory_any_writes_do_what_the_model_does() {
    run(100, Fresh::in_memory);
}

#[test]
fn in_a_file_any_writes_do_what_the_model_does() {
    run(10, Fresh::in_a_file);
}

#[test]
fn in_a_database_any_writes_do_what_the_model_does() {
    run(10, Fresh::in_a_database);
}
