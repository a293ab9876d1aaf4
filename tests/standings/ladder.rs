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
use azulejo_arena::state::{Reliability, Settings};
use azulejo_arena::time::Time;

use crate::chance::Chance;
use crate::cheat::{Cheat, Role};
use crate::{id, player};

/// Points of Elo in one unit of the model.
pub(crate) const ELO: f64 = 173.717_792_761_248_7;
pub(crate) const BOTS: usize = 200;
/// The advantage of each seat, in points: earlier seats are better.
const SEATS: [f64; 4] = [30.0, 10.0, -10.0, -30.0];
const TICK: Duration = Duration::from_millis(500);

/// Who plays, and for how long. The same seed has the same bots, also if some of them cheat.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    pub(crate) bots: usize,
    pub(crate) players: usize,
    pub(crate) cheat: Option<Cheat>,
    /// Games of every bot that neither cheats nor is a house bot.
    pub(crate) enough: u32,
    pub(crate) seed: u64,
}

/// A bot of the ladder.
#[derive(Debug)]
pub(crate) struct Bot {
    pub(crate) player: Player,
    pub(crate) house: bool,
    /// In points of Elo around 0.
    pub(crate) strength: f64,
    pub(crate) seats: Vec<u32>,
    /// What it does to gain rating, if it cheats.
    pub(crate) role: Option<Role>,
    /// A version that its bot no longer uses.
    retired: bool,
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
    pub(crate) pool: Pool,
    pub(crate) ladder: Ladder,
    matchmaker: Matchmaker,
    reliability: Reliability,
    cheat: Option<Cheat>,
    running: Vec<Match>,
    dice: Chance,
    now: Time,
}

impl Simulation {
    /// Plays until every bot except house bots has played this many games.
    pub(crate) fn run(players: usize, enough: u32, seed: u64) -> Self {
        Self::of(&Field { bots: BOTS, players, cheat: None, enough, seed })
    }

    pub(crate) fn of(field: &Field) -> Self {
        let &Field { bots, players, cheat, enough, seed } = field;
        let mut dice = Chance(seed);
        // Two bots per owner: they never meet.
        let names =
            (0..bots).map(|number| (format!("owner{}/bot{}", number / 2, number % 2), false));
        let house =
            ["house/greedy", "house/random", "house/strong"].map(|name| (name.to_owned(), true));
        let bots = names.chain(house).enumerate().map(|(number, (name, house))| Bot {
            player: player(&name),
            house,
            strength: 200.0 * dice.normal(),
            seats: vec![0; players],
            role: cheat.filter(|_| !house).and_then(|cheat| cheat.role(number)),
            retired: false,
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
            reliability: Reliability::default(),
            cheat,
            running: Vec::new(),
            dice,
            now: Time::default(),
        };
        let plays = |bot: &Bot| !bot.house && bot.role.is_none() && bot.games() < enough;
        while simulation.bots.values().any(plays) {
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
        let there = self.bots.values().filter(|bot| {
            bot.away_until <= self.now
                && !bot.retired
                && self.reliability.may_play(&bot.player.bot, self.now)
        });
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
        let is_rotation = block.is_some();
        let block = block.unwrap_or_else(|| id.clone());
        if self.is_dodged(&table, is_rotation) {
            self.tables.push(Vec::new());
            return block;
        }
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
            .map(|(player, seat)| {
                let luck = (self.bots[player].strength + seat) / ELO + self.dice.gumbel();
                if self.loses_on_purpose(player, players) { f64::NEG_INFINITY } else { luck }
            })
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
        self.ladder.add(self.pool, players, &ends);
        let seats = players.iter().zip(ends.iter().map(|end| end.placement));
        self.games.add(&run.id, &run.block, seats);
        for (player, end) in players.iter().zip(&ends) {
            self.reliability.finished(&player.bot);
            let bot = self.bots.get_mut(player).unwrap();
            bot.playing -= 1;
            bot.free_since = self.now;
            // Now and then a bot disconnects for a while.
            if !bot.house && self.dice.unit() < 0.02 {
                let away = Duration::from_secs_f64(300.0 * self.dice.unit());
                bot.away_until = self.now.after(away);
            }
            if bot.role == Some(Role::Hopper) && end.placement > 1 {
                self.change_version(player);
            }
        }
    }

    /// Whether a bot of the table does not begin the match. It has to guess whom it meets, unless the
    /// match has the same bots as the one before.
    fn is_dodged(&mut self, table: &Table, is_rotation: bool) -> bool {
        let rating = |player: &Player| self.ladder.standing(self.pool, player).shown();
        let dodges = |player: &&Player| {
            let knows = match self.bots[*player].role {
                Some(Role::Dodger { knows_opponents }) => knows_opponents || is_rotation,
                _ => false,
            };
            let own = rating(player);
            let others = table.players.iter().filter(|other| other != player);
            knows && others.clone().any(|other| rating(other) > own - Role::MARGIN)
        };
        let Some(dodger) = table.players.iter().find(dodges).cloned() else { return false };
        if self.cheat != Some(Cheat::DodgersAsBefore) {
            self.reliability.no_show(&dodger.bot, self.now);
        }
        true
    }

    fn loses_on_purpose(&self, player: &Player, table: &[Player]) -> bool {
        let bot = &self.bots[player];
        match &bot.role {
            Some(Role::Sandbagger) => bot.games() <= Role::LOST_ON_PURPOSE,
            Some(Role::Loser { to }) => table.iter().any(|other| other.bot.as_str() == to),
            Some(Role::Winner | Role::Dodger { .. } | Role::Hopper) | None => false,
        }
    }

    /// The bot goes on as a new version, if it may.
    fn change_version(&mut self, player: &Player) {
        let versions = self.bots.keys().filter(|other| other.bot == player.bot).count();
        if versions > Settings::default().versions_per_day {
            return;
        }
        let old = self.bots.get_mut(player).unwrap();
        old.retired = true;
        let version = format!("{}", versions + 1).parse().unwrap();
        let player = Player { bot: player.bot.clone(), version };
        let new = Bot {
            player: player.clone(),
            seats: vec![0; old.seats.len()],
            role: old.role.clone(),
            retired: false,
            playing: 0,
            ..*old
        };
        self.bots.insert(player, new);
    }
}

impl Bot {
    pub(crate) fn games(&self) -> u32 {
        self.seats.iter().sum()
    }
}
