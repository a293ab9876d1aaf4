//! Strategies of scripted bots. Most tests let all bots but one play well.

use azulejo_wire::arena::v1 as pb;
use pb::play_event::Event;
use pb::submit_move_request::Action;

use crate::scripted_bot::{Events, ScriptedBot};

/// Plays a legal move immediately.
pub(crate) async fn well(player: &ScriptedBot, turn: &pb::Turn) {
    let submitted = player.submit(&turn.match_id, turn.turn, legal(turn)).await;
    submitted.unwrap_or_else(|status| panic!("{} at turn {}: {status:?}", player.id, turn.turn));
}

/// A legal move that is not always the same, and ends the game soon: tiles are placed on lines.
pub(crate) fn legal(turn: &pb::Turn) -> Action {
    let middle = turn.legal_moves.len() / 2;
    Action::ActionId(turn.legal_moves[middle].action_id)
}

/// An action id that is not a legal move now.
pub(crate) fn illegal(turn: &pb::Turn) -> Action {
    let is_legal = |id: &u32| turn.legal_moves.iter().any(|legal| legal.action_id == *id);
    Action::ActionId((0..1_000).find(|id| !is_legal(id)).unwrap())
}

/// Plays the first match that it is assigned to by this strategy, and returns its end. It calls
/// Ready and answers pings.
pub(crate) async fn first_match(
    player: &ScriptedBot,
    mut events: Events,
    mut strategy: impl AsyncFnMut(&ScriptedBot, &pb::Turn),
) -> pb::MatchEnded {
    let mut own: Option<String> = None;
    loop {
        let (_, event) = events.next().await.expect("the stream goes on");
        match event {
            Event::Snapshot(snapshot) => {
                for pb::Seating { r#match, starting, turn, .. } in snapshot.seatings {
                    let id = own.get_or_insert(r#match.unwrap().id);
                    if starting.is_some() {
                        player.ready(id).await.unwrap();
                    }
                    if let Some(turn) = turn {
                        strategy(player, &turn).await;
                    }
                }
            }
            Event::MatchStarting(starting) => {
                let id = starting.r#match.unwrap().id;
                if *own.get_or_insert(id.clone()) == id {
                    player.ready(&id).await.unwrap();
                }
            }
            Event::Turn(turn) if own.as_ref() == Some(&turn.match_id) => {
                strategy(player, &turn).await;
            }
            Event::MatchEnded(ended) if own == ended.r#match.as_ref().map(|it| it.id.clone()) => {
                return ended;
            }
            Event::Ping(pb::Ping { number }) => drop(player.beat(number, &[]).await),
            Event::Replaced(_) => panic!("{} was replaced", player.id),
            Event::Turn(_)
            | Event::MatchEnded(_)
            | Event::MatchStarted(_)
            | Event::MoveMade(_)
            | Event::GoingAway(_)
            | Event::Paused(_) => {}
        }
    }
}

/// Makes one decision of its first match, and returns at the next turn.
pub(crate) async fn until_second_turn(player: &ScriptedBot, events: &mut Events) -> pb::Turn {
    let mut first = true;
    loop {
        match events.next().await.expect("the stream goes on").1 {
            // Its match may have been called while it was away: without an answer it is a no-show.
            Event::Snapshot(snapshot) => {
                for seating in snapshot.seatings {
                    if seating.starting.is_some() {
                        player.ready(&seating.r#match.unwrap().id).await.unwrap();
                    }
                    if let Some(turn) = seating.turn.filter(|_| first) {
                        first = false;
                        well(player, &turn).await;
                    }
                }
            }
            Event::MatchStarting(starting) => {
                player.ready(&starting.r#match.unwrap().id).await.unwrap();
            }
            Event::Turn(turn) if first => {
                first = false;
                well(player, &turn).await;
            }
            Event::Turn(turn) => return turn,
            Event::Ping(pb::Ping { number }) => drop(player.beat(number, &[]).await),
            _ => {}
        }
    }
}
