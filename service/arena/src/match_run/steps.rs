//! The steps of a game: the first deal, and moves with the deals that follow them. Each is carried
//! out here once, whether it happens now or is read from the store.

use std::sync::Arc;

use azulejo_engine::{Event as GameEvent, Refusal, Seed, Table, fairness};

use super::replay::{MadeMove, Observer};
use super::{Change, Detail, Event, Game, Match, Phase, Played, TurnClock};

impl Match {
    /// Fixes the seed and fills the first displays: the deals in notation.
    pub(super) fn start(&mut self, observer: &mut impl Observer) -> Vec<String> {
        let seed = fairness::seed(self.spec.id.as_str(), &self.secret, &self.nonces());
        let mut table = Table::start(self.spec.pool.ruleset);
        let deals = deal_all(&mut table, &seed, &mut Vec::new(), observer);
        self.game = Some(Game {
            seed,
            table,
            turn: 0,
            clock: TurnClock::Waiting,
            steps: count(&deals),
            illegal_tries: 0,
            known: None,
        });
        self.phase = Phase::Playing;
        deals
    }

    /// Makes a move and fills the displays that wait. A refused move changes nothing.
    pub(super) fn make_move(
        &mut self,
        made: MadeMove,
        observer: &mut impl Observer,
    ) -> Result<Played, Refusal> {
        let Some(game) = &mut self.game else { return Err(Refusal::OtherGame) };
        let MadeMove { seat, action, receipt } = made;
        let (before, mut after) = (game.table, game.table);
        let mut events = after.play(action)?;
        observer.moved(made, &after, &events);
        let deals = deal_all(&mut after, &game.seed, &mut events, observer);
        let (turn, step) = (game.turn, game.steps + 1);
        game.table = after;
        game.turn += 1;
        game.steps = step + count(&deals);
        (game.clock, game.illegal_tries) = (TurnClock::Waiting, 0);
        if let Some(receipt) = receipt {
            self.seats[seat].clock.apply_receipt(&receipt);
            self.seats[seat].last = Some((turn, action, receipt));
        }
        Ok(Played { seat, turn, step, before, after, action, events, deals, receipt })
    }

    /// Starts the game now.
    pub(super) fn record_start(&mut self, changes: &mut Vec<Change>) {
        let deals = self.start(&mut ());
        let detail = self.table().map_or(Detail::None, |table| Detail::Started(Box::new(*table)));
        self.push(Event::Started { deals }, detail, changes);
    }

    /// Makes a move now.
    pub(super) fn record_move(
        &mut self,
        made: MadeMove,
        changes: &mut Vec<Change>,
    ) -> Result<(), Refusal> {
        let played = self.make_move(made, &mut ())?;
        let event = Event::Moved {
            seat: played.seat,
            turn: played.turn,
            action: played.action.to_string(),
            receipt: played.receipt,
            deals: played.deals.clone(),
        };
        self.push(event, Detail::Moved(Arc::new(played)), changes);
        Ok(())
    }

    /// Records an event that is not a step.
    pub(super) fn record(&mut self, event: Event, changes: &mut Vec<Change>) {
        self.apply(&event);
        self.push(event, Detail::None, changes);
    }

    fn push(&mut self, event: Event, detail: Detail, changes: &mut Vec<Change>) {
        changes.push(Change { seq: self.seq, event, detail });
        self.seq += 1;
    }
}

fn count(deals: &[String]) -> u32 {
    u32::try_from(deals.len()).unwrap_or(u32::MAX)
}

/// Fills every display that waits; returns the deals in the notation of the rules.
fn deal_all(
    table: &mut Table,
    seed: &Seed,
    events: &mut Vec<GameEvent>,
    observer: &mut impl Observer,
) -> Vec<String> {
    let mut deals = Vec::new();
    while table.awaits_deal() {
        let dealt = table.deal(seed);
        observer.dealt(table, &dealt);
        deals.extend(dealt.iter().filter_map(GameEvent::as_deal).map(|step| step.to_string()));
        events.extend(dealt);
    }
    deals
}
