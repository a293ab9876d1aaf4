//! Everything that an arena needs to continue, as rows of either database.

use std::collections::HashMap;

use super::failure::unreadable;
use super::readable::log_damage;
use super::rows::{self, NumberedMatch};
use super::{DamagedMatch, Pause, Saved, SavedBot, SavedMatch, StoreError, Token};
use crate::names::{BotId, MatchId, Owner, Player, Version};
use crate::pool::Pool;
use crate::rating::LiveRating;
use crate::time::Wall;

/// Number of recent matches by which the health of a bot is judged.
pub(super) const RECENT: i64 = 50;

pub(super) const OWNERS: &str = "SELECT owner FROM owners ORDER BY number";
pub(super) const BANS: &str =
    "SELECT owner, banned FROM owners WHERE banned IS NOT NULL ORDER BY number";
pub(super) const BOTS: &str =
    "SELECT bot, house, registered, paused, last_straw, paused_by_organiser, request FROM bots
    ORDER BY number";
pub(super) const VERSIONS: &str = "SELECT bot, version FROM versions ORDER BY number";
pub(super) const TOKENS: &str =
    "SELECT public, hash, owner, bot, created FROM tokens WHERE NOT revoked ORDER BY number";
pub(super) const INVITATIONS: &str = "SELECT hash FROM invitations WHERE NOT used ORDER BY number";
pub(super) const STANDINGS: &str =
    "SELECT pool, bot, version, mean, deviation, games, wins, forfeits FROM standings
    ORDER BY pool, bot, version";
pub(super) const FORMULA: &str = "SELECT formula FROM rating_formula";
/// Who met in the last rated results of each pool.
pub(super) const MEETINGS: &str = "SELECT l.number, l.pool, s.bot, s.version
    FROM (SELECT r.number, r.match_number, m.pool,
            row_number() OVER (PARTITION BY m.pool ORDER BY r.number DESC) AS place
        FROM results r JOIN matches m ON m.number = r.match_number WHERE r.rated) l
    JOIN seats s ON s.match_number = l.match_number
    WHERE l.place <= $1 ORDER BY l.number, s.seat";
pub(super) const RUNNING: &str = " FROM matches m LEFT JOIN results r ON r.match_number = m.number
    WHERE m.ended IS NULL ORDER BY m.number";
/// The seats of a match.
pub(super) const SEATS: &str =
    "SELECT match_number, bot FROM seats WHERE match_number = $1 ORDER BY seat";
pub(super) const UNTOLD: &str =
    "SELECT m.id, u.bot FROM untold u JOIN matches m ON m.number = u.match_number
    ORDER BY u.match_number, u.bot";

pub(super) type BotRow =
    (String, bool, i64, Option<Vec<u8>>, Option<String>, bool, Option<Vec<u8>>);
pub(super) type TokenRow = (String, Vec<u8>, Option<String>, Option<String>, Option<i64>);
pub(super) type StandingRow = (String, String, String, f64, f64, i64, f64, i64);

/// The number of a result, its pool, bot and version.
pub(super) type MeetingRow = (i64, String, String, String);

/// The rows that the statements above return.
#[derive(Default)]
pub(super) struct LoadedRows {
    pub(super) owners: Vec<String>,
    /// Owner and note.
    pub(super) bans: Vec<(String, Vec<u8>)>,
    pub(super) bots: Vec<BotRow>,
    /// Bot and version.
    pub(super) versions: Vec<(String, String)>,
    /// Bot, reason of the end, and match: the last ladder matches of each bot, the newest last.
    pub(super) recent: Vec<(String, String, String)>,
    pub(super) tokens: Vec<TokenRow>,
    pub(super) invitations: Vec<Vec<u8>>,
    pub(super) standings: Vec<StandingRow>,
    pub(super) formula: i64,
    pub(super) meetings: Vec<MeetingRow>,
    pub(super) running: Vec<NumberedMatch>,
    /// Match and bot, if it is a bot's: the seats of the running matches that are damaged.
    pub(super) seats: Vec<(i64, Option<String>)>,
    /// Match and bot.
    pub(super) untold: Vec<(String, String)>,
}

impl LoadedRows {
    /// The numbers of the running matches that are damaged.
    pub(super) fn damaged(&self) -> Vec<i64> {
        let damaged = self.running.iter().filter(|found| found.saved.is_err());
        damaged.map(|found| found.number).collect()
    }

    pub(super) fn read(self) -> Result<Saved, StoreError> {
        let owners = self.owners.iter().map(|owner| rows::name(owner, "an owner"));
        let hashes = self.invitations.iter().map(|hash| rows::bytes32(hash, "an invitation"));
        let (running, damaged) = running(self.running, &self.seats);
        Ok(Saved {
            owners: owners.collect::<Result<_, _>>()?,
            bans: self.bans.into_iter().map(ban).collect::<Result<_, _>>()?,
            bots: bots(self.bots, versions(self.versions)?, recent(self.recent))?,
            tokens: self.tokens.into_iter().map(token).collect::<Result<_, _>>()?,
            invitations: hashes.collect::<Result<_, _>>()?,
            standings: self.standings.into_iter().map(standing).collect::<Result<_, _>>()?,
            rating_formula: rows::number(self.formula, "the formula of the ratings")?,
            meetings: meetings(self.meetings),
            running,
            damaged,
            untold: self.untold.iter().map(untold).collect::<Result<_, _>>()?,
        })
    }
}

fn bots(
    rows: Vec<BotRow>,
    mut versions: HashMap<String, Vec<Version>>,
    mut recent: HashMap<String, Vec<bool>>,
) -> Result<Vec<SavedBot>, StoreError> {
    let mut bots = Vec::with_capacity(rows.len());
    for (bot, house, registered, paused, trigger, by_organiser, request) in rows {
        let request = request.map(|hash| rows::bytes32(&hash, &bot)).transpose()?;
        let trigger_match = trigger.map(|id| rows::name(&id, &bot)).transpose()?;
        let reason = paused.map(String::from_utf8).transpose();
        let reason = reason.map_err(|_| unreadable(format_args!("the pause of {bot}")))?;
        bots.push(SavedBot {
            house,
            registered: Wall(registered.cast_unsigned()),
            versions: versions.remove(&bot).unwrap_or_default(),
            pause: reason.map(|reason| Pause { reason, trigger_match, by_organiser }),
            recent: recent.remove(&bot).unwrap_or_default(),
            request,
            bot: rows::name(&bot, "a bot")?,
        });
    }
    Ok(bots)
}

fn versions(rows: Vec<(String, String)>) -> Result<HashMap<String, Vec<Version>>, StoreError> {
    let mut versions: HashMap<String, Vec<Version>> = HashMap::new();
    for (bot, version) in rows {
        let version = rows::name(&version, format_args!("a version of {bot}"))?;
        versions.entry(bot).or_default().push(version);
    }
    Ok(versions)
}

fn recent(rows: Vec<(String, String, String)>) -> HashMap<String, Vec<bool>> {
    let mut recent: HashMap<String, Vec<bool>> = HashMap::new();
    for (bot, reason, id) in rows {
        match rows::reason(reason, format_args!("match {id}")) {
            Ok(reason) => recent.entry(bot).or_default().push(reason.is_failure()),
            Err(damage) => log_damage(&id, &damage),
        }
    }
    recent
}

/// The running matches that can be read, and the others.
fn running(
    found: Vec<NumberedMatch>,
    seats: &[(i64, Option<String>)],
) -> (Vec<SavedMatch>, Vec<DamagedMatch>) {
    let (mut running, mut damaged) = (Vec::new(), Vec::new());
    for found in found {
        match found.saved {
            Ok(saved) => running.push(saved),
            Err(damage) => {
                log_damage(&found.id, &damage);
                let seats = seats.iter().filter(|(number, _)| *number == found.number);
                let bots: Vec<Option<&String>> = seats.map(|(_, bot)| bot.as_ref()).collect();
                // Without a valid id and number, nothing about it can be written.
                if let (Ok(id), Ok(next)) = (found.id.parse(), u32::try_from(found.next)) {
                    let names = bots.iter().filter_map(|bot| bot.and_then(|bot| bot.parse().ok()));
                    damaged.push(DamagedMatch {
                        id,
                        next,
                        bots: names.collect(),
                        seats: bots.len(),
                    });
                }
            }
        }
    }
    (running, damaged)
}

fn token((public, hash, owner, bot, created): TokenRow) -> Result<Token, StoreError> {
    let what = format!("token {public}");
    let hash = rows::bytes32(&hash, &what)?;
    let created = created.map(|at| Wall(at.cast_unsigned()));
    Ok(Token {
        public,
        hash,
        holder: rows::holder(owner.as_deref(), bot.as_deref(), &what)?,
        created,
    })
}

fn ban((owner, note): (String, Vec<u8>)) -> Result<(Owner, String), StoreError> {
    let note = rows::note(note, format_args!("the ban of {owner}"))?;
    Ok((rows::name(&owner, "a banned owner")?, note))
}

fn standing(row: StandingRow) -> Result<(Pool, Player, LiveRating), StoreError> {
    let (pool, bot, version, mean, deviation, games, wins, forfeits) = row;
    let what = format!("a standing of {bot}");
    let (games, forfeits) = (rows::number(games, &what)?, rows::number(forfeits, &what)?);
    let standing = LiveRating { mean, deviation, games, wins, forfeits };
    Ok((rows::name(&pool, &what)?, rows::player(&bot, &version, &what)?, standing))
}

/// From rows that are ordered by result. A damaged name is left out.
fn meetings(rows: Vec<MeetingRow>) -> Vec<(Pool, Vec<Player>)> {
    let mut meetings: Vec<(Pool, Vec<Player>)> = Vec::new();
    let mut last = None;
    for (number, pool, bot, version) in rows {
        let what = format!("result {number}");
        let (pool, player) = match (rows::name(&pool, &what), rows::player(&bot, &version, &what)) {
            (Ok(pool), Ok(player)) => (pool, player),
            (Err(damage), _) | (_, Err(damage)) => {
                log_damage(&what, &damage);
                continue;
            }
        };
        match meetings.last_mut().filter(|_| last == Some(number)) {
            Some((_, players)) => players.push(player),
            None => meetings.push((pool, vec![player])),
        }
        last = Some(number);
    }
    meetings
}

fn untold((id, bot): &(String, String)) -> Result<(MatchId, BotId), StoreError> {
    Ok((rows::name(id, "a match")?, rows::name(bot, "a bot of a finished match")?))
}
