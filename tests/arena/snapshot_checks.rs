//! Checks snapshots against the store.

use azulejo_arena::names::{BotId, MatchId};
use azulejo_wire::served::arena as pb;

use crate::output_checks::id;
use crate::world::World;

impl World {
    pub(crate) fn check_snapshot(
        &mut self,
        server: usize,
        bot: &BotId,
        snapshot: &pb::Snapshot,
        ended: &[MatchId],
    ) {
        assert_eq!(snapshot.bot, bot.as_str());
        if self.holds(server) {
            self.is_complete(bot, snapshot, ended);
        }
        for seating in &snapshot.seatings {
            self.tally.add("session: resumed with a match");
            if let Some(starting) = &seating.starting {
                self.tally.add("session: resumed with a start");
                self.check_starting(starting);
            }
            if let Some(turn) = &seating.turn {
                self.tally.add("session: resumed with a turn");
                self.check_turn(server, bot, turn);
            }
        }
        self.tally.add_many("session: resumed with ends", ended.len() as u64);
    }

    /// A snapshot has all running matches of the bot with their current state, and every end that the
    /// bot has not acknowledged.
    fn is_complete(&self, bot: &BotId, snapshot: &pb::Snapshot, ended: &[MatchId]) {
        let running = self.checker.shadows.iter().filter(|(_, shadow)| shadow.over.is_none());
        let own: Vec<&MatchId> =
            running.filter(|(_, shadow)| shadow.seat_of(bot).is_some()).map(|(id, _)| id).collect();
        let sent: Vec<MatchId> = snapshot
            .seatings
            .iter()
            .map(|seating| id(&seating.r#match.as_ref().unwrap().id))
            .collect();
        assert_eq!(sent.iter().collect::<Vec<_>>(), own, "all matches of {bot}");
        for (seating, id) in snapshot.seatings.iter().zip(own) {
            let shadow = &self.checker.shadows[id];
            let seat = shadow.seat_of(bot).unwrap();
            assert_eq!(seating.seat as usize, seat);
            let state = shadow.tables.last().map(azulejo_engine::Table::state);
            assert_eq!(seating.state, state);
            let due = shadow.due() == Some(seat) && shadow.plays(seat);
            assert_eq!(seating.turn.is_some(), due, "a turn if it is due: {id}");
            let asked = shadow.is_gathering() && shadow.nonces[seat].is_none();
            assert_eq!(seating.starting.is_some(), asked, "a start if the bot is not ready: {id}");
        }
        let untold = self.store.rows.untold.iter().filter(|(_, other)| other == bot);
        let untold: Vec<MatchId> = untold.map(|(id, _)| id.clone()).take(100).collect();
        assert_eq!(ended, untold, "all ends that {bot} has not acknowledged");
    }
}
