//! Sets up a world, and ends the faults before the final checks.

use crate::edge::Request;
use azulejo_arena::names::BotId;
use azulejo_arena::pool::{Pool, TimeClass};
use azulejo_arena::state::Offer;

use crate::bot::{Bot, Errand};
use crate::character::Character;
use crate::dice::Dice;
use crate::net::Net;
use crate::world::{MS, Occurrence, SECOND, World};

/// One to four pools. Rapid is rare, but needed: only there can a bot be gone before it is out of time.
pub(crate) fn pools(dice: &mut Dice) -> Vec<Pool> {
    let all: Vec<Pool> = Pool::all().collect();
    let fits = |pool: &&Pool, class| pool.time_class == class;
    let count = dice.between(1, 4);
    let pick = |_| {
        let class = match dice.below(10) {
            0 | 1 => TimeClass::Rapid,
            2..=5 => TimeClass::Bullet,
            _ => TimeClass::Blitz,
        };
        let some: Vec<&Pool> = all.iter().filter(|pool| fits(pool, class)).collect();
        **dice.pick(&some)
    };
    (0..count).map(pick).collect()
}

impl World {
    /// Starts the first arena, registers the bots, and plans their connections and the faults.
    pub(crate) fn set_up(&mut self) {
        self.start_arena();
        let count = self.dice.between(3, 10);
        for index in 0..count {
            // Some owners have several bots.
            let owner = if index > 1 && self.dice.permille(200) { index / 2 } else { index };
            let house = self.dice.permille(100);
            self.add_bot(usize::try_from(owner).unwrap(), usize::try_from(index).unwrap(), house);
        }
        // Without faults: a bot that is not registered cannot connect.
        self.calm = true;
        self.work(0);
        self.calm = false;
        for bot in 0..self.bots.len() {
            let at = self.dice.between(0, 2 * SECOND) + 100 * MS;
            self.plan(at, Occurrence::Wake { bot, errand: Errand::Reopen });
            let at = self.dice.between(SECOND, 10 * SECOND);
            self.plan(at, Occurrence::Wake { bot, errand: Errand::Act });
        }
        self.plan_faults();
    }

    fn add_bot(&mut self, owner: usize, index: usize, house: bool) {
        let owner = if house { "house".to_owned() } else { format!("owner{owner}") };
        let name = format!("bot{index}");
        let id: BotId = format!("{owner}/{name}").parse().unwrap();
        let now = self.servers[0].now(self.now, self.wall);
        let arena = self.servers[0].arena.as_mut().unwrap();
        if house {
            arena.state.add_house_bot(&name, now).unwrap();
        } else {
            let known = self.bots.iter().any(|bot| bot.id.owner() == id.owner());
            let by = known.then(|| id.owner().clone());
            let owner = id.owner().clone();
            arena.handle(
                None,
                Request::Register { by, owner, name, invitation: None, request: None },
                now,
            );
        }
        let character = if house { Character::Prompt } else { Character::of(&mut self.dice) };
        let mut dice = self.dice.fork();
        let offer = offer(&self.pools, &mut dice);
        let net = Net::of(character, &mut dice);
        self.who.insert(id.clone(), self.bots.len());
        self.bots.push(Bot::new(id, character, offer, net, dice));
    }

    fn plan_faults(&mut self) {
        for _ in 0..self.dice.between(0, 3) {
            let at = self.dice.between(3 * SECOND, 90 * SECOND);
            let fault = match self.dice.below(6) {
                0 | 1 => Occurrence::Crash,
                2 | 3 => Occurrence::TakeOver,
                4 => Occurrence::WallJump,
                _ => Occurrence::Organise,
            };
            self.plan(at, fault);
        }
    }

    /// No more faults, no new matches: all bots reconnect.
    pub(crate) fn calm_down(&mut self) {
        self.calm = true;
        self.boot();
        for bot in 0..self.bots.len() {
            self.bots[bot].offer.concurrent_matches = 0;
            self.bots[bot].away = false;
            self.bots[bot].net.calm();
            let at = self.now + self.dice.between(SECOND, 3 * SECOND);
            self.plan(at, Occurrence::Wake { bot, errand: Errand::Fresh });
        }
    }
}

fn offer(pools: &[Pool], dice: &mut Dice) -> Offer {
    let mut offered: Vec<Pool> = pools.iter().copied().filter(|_| dice.permille(850)).collect();
    if offered.is_empty() {
        offered = pools.to_vec();
    }
    let concurrent_matches = u32::try_from(dice.between(1, 3)).unwrap();
    Offer {
        pools: offered,
        concurrent_matches,
        accepts_challenges: dice.permille(700),
        plays_ladder: true,
    }
}
