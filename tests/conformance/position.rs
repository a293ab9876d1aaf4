//! What holds in every position.

use azulejo_rules::parts::{Factory, Seat};
use azulejo_tests::{Finished, Playable, Random, Style};

/// Checks one position of a game; the name of the game, with its seed, goes into every failure.
pub(crate) fn check<G: Playable>(position: &G, random: &mut Random, game: &str) {
    assert_eq!(position.tiles_in_sight(), G::TILES, "tiles conserved: {game}: {position}");
    check_offer(position, random, game);
    check_text_and_gate(position, game);
    check_mask(position, game);
    if position.awaits_deal() {
        check_deal(position, random, game);
    }
    check_hash(position, random, game);
}

/// Offered is accepted, and every other move of the action space is refused and changes nothing.
fn check_offer<G: Playable>(position: &G, random: &mut Random, game: &str) {
    let offered = position.moves();
    let may_be_empty = position.is_over() || position.awaits_deal();
    assert_eq!(offered.is_empty(), may_be_empty, "something to do: {game}: {position}");
    assert_eq!(
        position.to_move().is_none(),
        may_be_empty,
        "it is the turn of a seat: {game}: {position}"
    );
    assert_eq!(offered.len(), position.count_moves(), "counted as listed: {game}: {position}");

    let mut ids = offered.iter().map(|&action| position.action_id(action).unwrap()).peekable();
    let mut refused = Vec::new();
    for id in 0..position.action_count() {
        let action = position.action_at(id).unwrap();
        assert_eq!(position.action_id(action), Some(id), "{game}: {action}");
        let is_offered = ids.next_if_eq(&id).is_some();
        assert_eq!(
            position.accepts(action),
            is_offered,
            "offered = accepted: {game}: {action}: {position}"
        );
        if !is_offered {
            refused.push(action);
        }
    }
    assert_eq!(ids.next(), None, "ascending, no duplicates: {game}: {position}");
    assert_eq!(position.action_at(position.action_count()), None);

    if !refused.is_empty() {
        let action = random.pick(&refused);
        let mut copy = *position;
        assert!(!copy.play(action, &mut Vec::new()));
        assert_eq!(
            (copy, copy.drawn()),
            (*position, position.drawn()),
            "refused = unchanged: {game}"
        );
    }
    if !offered.is_empty() {
        let action = random.pick(&offered);
        assert_eq!(action.to_string().parse::<G::Move>().unwrap(), action, "{game}");
        let (mut checked, mut unchecked) = (*position, *position);
        assert!(checked.play(action, &mut Vec::new()));
        unchecked.play_unseen(action);
        assert_eq!(checked, unchecked, "checked = unchecked: {game}: {action}");
    }
}

fn check_text_and_gate<G: Playable>(position: &G, game: &str) {
    let text = position.to_string();
    let parsed: G = text.parse().unwrap_or_else(|bad| panic!("{game}: {bad}: {text}"));
    assert_eq!(parsed, *position, "print and parse: {game}: {text}");
    assert_eq!(parsed.drawn(), position.drawn(), "{game}: {text}");
    assert_eq!(parsed.to_string(), text, "{game}");
    assert_eq!(position.regated().as_ref(), Ok(position), "{game}: {text}");
}

/// The mask and the list of ids have the legal moves.
fn check_mask<G: Playable>(position: &G, game: &str) {
    let (mask, moves) = position.mask();
    let legal: Vec<u16> =
        (0..).zip(&mask).filter(|&(_, &bit)| bit == 1).map(|(id, _)| id).collect();
    let listed = position.moves().into_iter().map(|action| position.action_id(action).unwrap());
    assert_eq!(legal, listed.collect::<Vec<u16>>(), "mask: {game}: {position}");
    assert_eq!(position.ids(), legal, "{game}: {position}");
    assert_eq!(moves as usize, legal.len(), "{game}: {position}");
    assert!(mask.iter().all(|&bit| bit <= 1), "{game}: {position}");
}

/// An observation of any seat contains the whole position.
pub(crate) fn check_observation<G: Playable>(position: &G, random: &mut Random, game: &str) {
    let seats: Vec<Seat> = position.players().iter().collect();
    let viewer = random.pick(&seats);
    let mut values = position.observation(viewer);
    let rebuilt = position.rebuilt_from(&values);
    assert_eq!(rebuilt.as_ref(), Ok(position), "seen by {viewer:?}: {game}: {position}");
    // Whatever one changed value makes of it: another position with exactly that observation, or an
    // error.
    let at = random.below(values.len());
    values[at] = u8::try_from(random.below(4)).unwrap();
    if let Ok(other) = position.rebuilt_from(&values) {
        assert_eq!(other.observation(viewer), values, "value {at}: {game}: {other}");
    }
}

/// The listed outcomes are all different and all drawable, and their ways add up.
fn check_deal<G: Playable>(position: &G, random: &mut Random, game: &str) {
    let (outcomes, all) = position.outcomes();
    assert_eq!(outcomes.iter().map(|&(_, ways)| ways).sum::<u64>(), all, "{game}: {position}");
    let (tiles, _) = random.pick(&outcomes);
    assert!(position.clone().deal_exactly(tiles), "{game}: {tiles}: {position}");
    assert_eq!(outcomes.iter().filter(|&&(other, _)| other == tiles).count(), 1, "{game}");
}

fn check_hash<G: Playable>(position: &G, random: &mut Random, game: &str) {
    let factories = Factory::of(position.players()).len();
    let (one, other) = (random.below(factories), random.below(factories));
    if let Some(exchanged) = position.with_factories_exchanged(one, other) {
        assert_eq!(exchanged.hash(), position.hash(), "{game}: {position}");
    }
}

/// The record of a game, printed and parsed, leads to the same end.
pub(crate) fn check_replay<G: Playable>(finished: &Finished<G>, style: Style, game: &str) {
    // A record starts with a new game, and these did not.
    if style == Style::Scarce {
        return;
    }
    let record = finished.last.record(finished.start, finished.steps.clone());
    let parsed: G::Record = record.to_string().parse().unwrap();
    assert_eq!(parsed, record, "{game}");
    assert_eq!(G::replay(&parsed).as_ref(), Ok(&finished.last), "{game}: {record}");
}
