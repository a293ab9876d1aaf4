//! A ladder whose bots have a strength that is known: real matchmaking and real ratings, but the
//! matches are decided by dice, in simulated time.

use std::collections::BTreeMap;
use std::time::Duration;

use azulejo_arena::names::{MatchId, Player};
use azulejo_arena::pairing::{Candidate, Dice as _, Matchmaker, Table};
use azulejo_arena::pool::Pool;
use azulejo_arena::rating::Ladder;
use azulejo_arena::record::{EndReason, SeatEnd};
use azulejo_arena::standings::Games;
use azulejo_arena::time::Time;

use crate::chance::Chance;
use crate::{id, player};

/// Points of Elo in one unit of the model.
pub(crate) const ELO: f64 = 173.717_792_761_248_7;
pub(crate) const BOTS: usize = 200;
/// The advantage of each seat, in points: earlier seats are better.
const SEATS: [f64; 4] = [30.0, 10.0, -10.0, -30.0];
const TICK: Duration = Duration::from_millis(500);

/// A bot of the ladder.
#[derive(Debug)]
pub(crate) struct Bot {
    pub(crate) player: Player,
    pub(crate) house: bool,
    /// In points of Elo around 0.
    pub(crate) strength: f64,
    pub(crate) seats: Vec<u32>,
    playing: u32,
    free_since: Time,
    /// Away until then.
    away_until: Time,
}

#[derive(Debug)]
struct Match {
    id: MatchId,
    block: MatchId,
    table: Table,
    ends: Time,
}

/// What happened on a ladder.
#[derive(Debug)]
pub(crate) struct Simulation {
    pub(crate) bots: BTreeMap<Player, Bot>,
    pub(crate) games: Games,
    /// Seconds that each bot waited for a table while it was connected.
    pub(crate) waits: Vec<f64>,
    /// All tables, by the players that met.
    pub(crate) tables: Vec<Vec<Player>>,
    pub(crate) seconds: f64,
    pool: Pool,
    ladder: Ladder,
    matchmaker: Matchmaker,
    running: Vec<Match>,
    dice: Chance,
    now: Time,
}

impl Simulation {
    /// Plays until every bot except house bots has played this many games.
    pub(crate) fn run(players: usize, enough: u32, seed: u64) -> Self {
        let mut dice = Chance(seed);
        // Two bots per owner: they never meet.
        let names =
            (0..BOTS).map(|number| (format!("owner{}/bot{}", number / 2, number % 2), false));
        let house =
            ["house/greedy", "house/random", "house/strong"].map(|name| (name.to_owned(), true));
        let bots = names.chain(house).map(|(name, house)| Bot {
            player: player(&name),
            house,
            strength: 200.0 * dice.normal(),
            seats: vec![0; players],
            playing: 0,
            // They connect one after the other.
            free_since: Time::default(),
            away_until: Time(Duration::from_secs_f64(60.0 * dice.unit())),
        });
        let mut simulation = Self {
            bots: bots.map(|bot| (bot.player.clone(), bot)).collect(),
            games: Games::default(),
            waits: Vec::new(),
            tables: Vec::new(),
            seconds: 0.0,
            pool: format!("azul-colored-{players}-blitz").parse().unwrap(),
            ladder: Ladder::default(),
            matchmaker: Matchmaker::default(),
            running: Vec::new(),
            dice,
            now: Time::default(),
        };
        while simulation.bots.values().any(|bot| !bot.house && bot.games() < enough) {
            simulation.tick();
        }
        simulation.seconds = simulation.now.since(Time::default()).as_secs_f64();
        simulation
    }

    fn tick(&mut self) {
        self.now = self.now.after(TICK);
        let now = self.now;
        let over: Vec<Match> = self.running.extract_if(.., |run| run.ends <= now).collect();
        for run in over {
            self.end(&run);
        }
        let mut candidates = self.candidates();
        for (block, table) in self.matchmaker.due(&mut candidates, now) {
            self.begin(table, Some(block));
        }
        while let Some(table) = self.matchmaker.next(&mut candidates, &self.ladder, &mut self.dice)
        {
            let block = self.begin(table.clone(), None);
            self.matchmaker.began(&block, &table, now);
        }
    }

    fn candidates(&self) -> Vec<Candidate> {
        let there = self.bots.values().filter(|bot| bot.away_until <= self.now);
        let candidate = |bot: &Bot| {
            let places = if bot.house { 8 } else { 1_u32 };
            Candidate {
                proven: true,
                careful: false,
                player: bot.player.clone(),
                house: bot.house,
                pools: vec![self.pool],
                places,
                free: places.saturating_sub(bot.playing),
                waited: self.now.since(bot.free_since.max(bot.away_until)),
            }
        };
        there.map(candidate).collect()
    }

    fn begin(&mut self, table: Table, block: Option<MatchId>) -> MatchId {
        let id = id(self.tables.len() as u64);
        let block = block.unwrap_or_else(|| id.clone());
        for (seat, player) in table.players.iter().enumerate() {
            let bot = self.bots.get_mut(player).unwrap();
            if !bot.house {
                let since = bot.free_since.max(bot.away_until);
                self.waits.push(self.now.since(since).as_secs_f64());
            }
            bot.playing += 1;
            bot.seats[seat] += 1;
        }
        self.tables.push(table.players.clone());
        let lasts = Duration::from_secs_f64(20.0 + 40.0 * self.dice.unit());
        self.running.push(Match { id, block: block.clone(), table, ends: self.now.after(lasts) });
        block
    }

    fn end(&mut self, run: &Match) {
        let players = &run.table.players;
        let luck: Vec<f64> = (players.iter().zip(SEATS))
            .map(|(player, seat)| (self.bots[player].strength + seat) / ELO + self.dice.gumbel())
            .collect();
        let place = |own: f64| 1 + luck.iter().filter(|other| **other > own).count();
        let ends: Vec<SeatEnd> = luck
            .iter()
            .map(|own| SeatEnd {
                placement: u8::try_from(place(*own)).unwrap(),
                reason: EndReason::Finished,
                total: 0,
            })
            .collect();
        for (player, standing) in self.ladder.after(self.pool, players, &ends) {
            self.ladder.set(self.pool, player, standing);
        }
        let seats = players.iter().zip(ends.iter().map(|end| end.placement));
        self.games.add(&run.id, &run.block, seats);
        for player in players {
            let bot = self.bots.get_mut(player).unwrap();
            bot.playing -= 1;
            bot.free_since = self.now;
            // Now and then a bot disconnects for a while.
            if !bot.house && self.dice.unit() < 0.02 {
                let away = Duration::from_secs_f64(300.0 * self.dice.unit());
                bot.away_until = self.now.after(away);
            }
        }
    }
}

impl Bot {
    pub(crate) fn games(&self) -> u32 {
        self.seats.iter().sum()
    }
}
