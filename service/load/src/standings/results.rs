//! Random results for a store.

use anyhow::Result;
use azulejo_arena::names::{BotId, MatchId, Player, Version};
use azulejo_arena::pool::Pool;
use azulejo_arena::record::{Bytes32, EndReason, Origin, Seat, SeatEnd, Spec};
use azulejo_arena::store::{Ended, Sqlite, Store as _, Write};
use azulejo_arena::time::Wall;
use azulejo_terminal::output::progress;

/// Matches that are written at once.
const BATCH: usize = 1_000;
/// Standard deviation of the strengths: 200 points of Elo.
const SPREAD: f64 = 1.15;

/// Writes bots and the results of their matches: blocks with all seat rotations of a table.
pub(super) async fn write(store: &Sqlite, pool: Pool, bots: u32, results: u32) -> Result<()> {
    let epoch = store.take_over("azulejo load standings").await?;
    let players = (0..bots).map(player).collect::<Result<Vec<Player>>>()?;
    for some in players.chunks(BATCH) {
        let writes: Vec<Write> = some.iter().flat_map(registration).collect();
        store.commit(epoch, &writes).await?;
    }
    let mut random = Random(7);
    let mut strengths: Vec<f64> = (0..bots).map(|_| SPREAD * random.normal()).collect();
    // Bots with similar numbers are about as strong, and meet.
    strengths.sort_by(f64::total_cmp);
    let bar = progress(results.into(), "writing");
    let (mut writes, mut table, mut block) = (Vec::new(), Vec::new(), id(0));
    for number in 0..results {
        let seats = pool.players();
        if (number as usize).is_multiple_of(seats) {
            table = random.table(bots as usize, seats);
            block = id(number.into());
        }
        table.rotate_left(1);
        let seats: Vec<&Player> = table.iter().map(|&bot| &players[bot]).collect();
        let luck: Vec<f64> = table.iter().map(|&bot| strengths[bot] + random.gumbel()).collect();
        writes.extend(played(pool, &id(number.into()), &block, &seats, &luck));
        if writes.len() >= 4 * BATCH || number + 1 == results {
            store.commit(epoch, &std::mem::take(&mut writes)).await?;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(store.release(epoch).await?)
}

fn player(number: u32) -> Result<Player> {
    Ok(format!("owner{number}/bot@1").parse()?)
}

fn registration(player: &Player) -> [Write; 3] {
    let Player { bot, version } = player.clone();
    let (owner, registered): (_, Wall) = (bot.owner().clone(), Wall(1));
    let new = |bot: BotId| Write::Bot { bot, house: false, registered, request: None };
    let declared =
        |bot: BotId, version: Version| Write::Version { bot, version, declared: Wall(1) };
    [Write::Owner { owner, registered }, new(bot.clone()), declared(bot, version)]
}

/// A match in which the luckier players were placed better, and which all bots know to be over.
fn played(
    pool: Pool,
    id: &MatchId,
    block: &MatchId,
    seats: &[&Player],
    luck: &[f64],
) -> Vec<Write> {
    let spec = Spec {
        id: id.clone(),
        pool,
        seats: seats.iter().map(|&player| Seat::Remote(player.clone())).collect(),
        origin: Origin::Ladder,
        block: block.clone(),
        called: Wall(1),
        why: String::new(),
        seat_reasons: Vec::new(),
        request: None,
    };
    let better = |own: f64| luck.iter().filter(|other| **other > own).count() as u8;
    let end =
        |&own: &f64| SeatEnd { placement: 1 + better(own), reason: EndReason::Finished, total: 0 };
    let ended = Ended {
        id: id.clone(),
        at: Wall(2),
        seats: luck.iter().map(end).collect(),
        rated: true,
        standings: Vec::new(),
        summary: None,
    };
    let delivered =
        seats.iter().map(|player| Write::EndDelivered { id: id.clone(), bot: player.bot.clone() });
    [Write::Match { spec, secret: Bytes32([0; 32]) }, Write::Ended(ended)]
        .into_iter()
        .chain(delivered)
        .collect()
}

fn id(number: u64) -> MatchId {
    MatchId::from_random(std::array::from_fn(|place| (number >> (4 * place) & 15) as u8))
}

/// The same numbers in every run (`SplitMix64`).
struct Random(u64);

impl Random {
    /// Between 0 and 1.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let bits = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (((bits ^ (bits >> 31)) >> 11) as f64 + 0.5) / 9_007_199_254_740_992.0
    }

    fn normal(&mut self) -> f64 {
        let (length, angle) = (self.unit(), self.unit());
        (-2.0 * length.ln()).sqrt() * (2.0 * std::f64::consts::PI * angle).cos()
    }

    /// Players ranked by strength plus such a number beat each other with logistic probabilities.
    fn gumbel(&mut self) -> f64 {
        -(-self.unit().ln()).ln()
    }

    /// A random bot, and opponents of about its strength.
    fn table(&mut self, bots: usize, seats: usize) -> Vec<usize> {
        let first = self.unit() * bots as f64;
        let mut table = vec![first as usize];
        while table.len() < seats {
            let other = first + 0.15 * bots as f64 * self.normal();
            if (0.0..bots as f64).contains(&other) && !table.contains(&(other as usize)) {
                table.push(other as usize);
            }
        }
        table
    }
}
