//! How puppets play: well, unless a test says otherwise.

use azulejo_wire::arena::v1 as pb;
use pb::play_event::Event;
use pb::submit_move_request::Action;

use crate::puppet::{Events, Puppet};

/// Plays a legal move at once.
pub(crate) async fn well(puppet: &Puppet, turn: &pb::Turn) {
    let submitted = puppet.submit(&turn.match_id, turn.turn, legal(turn)).await;
    submitted.unwrap_or_else(|status| panic!("{} at turn {}: {status:?}", puppet.id, turn.turn));
}

/// A legal move that is not always the same, and ends the game soon: tiles go to lines.
pub(crate) fn legal(turn: &pb::Turn) -> Action {
    let middle = turn.legal_moves.len() / 2;
    Action::ActionId(turn.legal_moves[middle].action_id)
}

/// A number of the action space that is no legal move now.
pub(crate) fn illegal(turn: &pb::Turn) -> Action {
    let is_legal = |id: &u32| turn.legal_moves.iter().any(|legal| legal.action_id == *id);
    Action::ActionId((0..1_000).find(|id| !is_legal(id)).unwrap())
}

/// Plays the first match that it is called to, by this manner, and tells how it ended. It says
/// that it is ready, and answers pings.
pub(crate) async fn first_match(
    puppet: &Puppet,
    mut events: Events,
    mut manner: impl AsyncFnMut(&Puppet, &pb::Turn),
) -> pb::MatchEnded {
    let mut own: Option<String> = None;
    loop {
        let (_, event) = events.next().await.expect("the stream goes on");
        match event {
            Event::Snapshot(snapshot) => {
                for pb::Seating { r#match, starting, turn, .. } in snapshot.seatings {
                    let id = own.get_or_insert(r#match.unwrap().id);
                    if starting.is_some() {
                        puppet.ready(id).await.unwrap();
                    }
                    if let Some(turn) = turn {
                        manner(puppet, &turn).await;
                    }
                }
            }
            Event::MatchStarting(starting) => {
                let id = starting.r#match.unwrap().id;
                if *own.get_or_insert(id.clone()) == id {
                    puppet.ready(&id).await.unwrap();
                }
            }
            Event::Turn(turn) if own.as_ref() == Some(&turn.match_id) => {
                manner(puppet, &turn).await;
            }
            Event::MatchEnded(ended) if own == ended.r#match.as_ref().map(|it| it.id.clone()) => {
                return ended;
            }
            Event::Ping(pb::Ping { number }) => drop(puppet.beat(number, &[]).await),
            Event::Replaced(_) => panic!("{} was replaced", puppet.id),
            Event::Turn(_)
            | Event::MatchEnded(_)
            | Event::MatchStarted(_)
            | Event::MoveMade(_)
            | Event::GoingAway(_)
            | Event::Paused(_) => {}
        }
    }
}

/// Plays one decision of its first match, and stops where the next one is due.
pub(crate) async fn until_second_turn(puppet: &Puppet, events: &mut Events) -> pb::Turn {
    let mut first = true;
    loop {
        match events.next().await.expect("the stream goes on").1 {
            Event::MatchStarting(starting) => {
                puppet.ready(&starting.r#match.unwrap().id).await.unwrap();
            }
            Event::Turn(turn) if first => {
                first = false;
                well(puppet, &turn).await;
            }
            Event::Turn(turn) => return turn,
            _ => {}
        }
    }
}
