//! Judges snapshots: how things stand, as the store has it.

use azulejo_arena::names::{BotId, MatchId};
use azulejo_wire::served::arena as pb;

use crate::hearing::id;
use crate::world::World;

impl World {
    pub(crate) fn judge_snapshot(
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
                self.judge_starting(starting);
            }
            if let Some(turn) = &seating.turn {
                self.tally.add("session: resumed with a turn");
                self.judge_turn(server, bot, turn);
            }
        }
        self.tally.add_many("session: told of ends", ended.len() as u64);
    }

    /// Every match of the bot that is not over, each as far as it is, and every end that it has
    /// not heard of.
    fn is_complete(&self, bot: &BotId, snapshot: &pb::Snapshot, ended: &[MatchId]) {
        let running = self.judge.shadows.iter().filter(|(_, shadow)| shadow.over.is_none());
        let own: Vec<&MatchId> =
            running.filter(|(_, shadow)| shadow.seat_of(bot).is_some()).map(|(id, _)| id).collect();
        let told: Vec<MatchId> = snapshot
            .seatings
            .iter()
            .map(|seating| id(&seating.r#match.as_ref().unwrap().id))
            .collect();
        assert_eq!(told.iter().collect::<Vec<_>>(), own, "all matches of {bot}");
        for (seating, id) in snapshot.seatings.iter().zip(own) {
            let shadow = &self.judge.shadows[id];
            let seat = shadow.seat_of(bot).unwrap();
            assert_eq!(seating.seat as usize, seat);
            let state = shadow.tables.last().map(azulejo_engine::Table::state);
            assert_eq!(seating.state, state);
            let due = shadow.due() == Some(seat) && shadow.plays(seat);
            assert_eq!(seating.turn.is_some(), due, "a turn if it is due: {id}");
            let asked = shadow.is_gathering() && shadow.nonces[seat].is_none();
            assert_eq!(seating.starting.is_some(), asked, "a start if it is asked: {id}");
        }
        let untold = self.store.rows.untold.iter().filter(|(_, other)| other == bot);
        let untold: Vec<MatchId> = untold.map(|(id, _)| id.clone()).take(100).collect();
        assert_eq!(ended, untold, "all ends that {bot} has not heard of");
    }
}
