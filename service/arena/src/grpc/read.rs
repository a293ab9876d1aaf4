//! Requests from outside, checked: numbers and texts become domain values.

use std::str::FromStr;

use azulejo_engine::{Budget, HouseBot, Move, Ruleset};
use azulejo_wire::game::v1::Ruleset as RulesetMessage;
use azulejo_wire::served::arena as pb;
use tonic::Status;
use uuid::Uuid;

use super::status;
use crate::command::{Opponent, SubmittedMove};
use crate::names::{BadName, is_unsafe};
use crate::pool::{Pool, TimeClass};
use crate::record::Bytes32;
use crate::state::{Hello, Offer};

/// The longest search of a house bot per move.
const LONGEST_SEARCH_MS: u128 = 1_000;
const LARGEST_SEARCH: u32 = 10_000;
/// Matches that a bot may play at the same time.
const MOST_CONCURRENT: u32 = 8;
/// The longest note of an organiser, in characters.
const LONGEST_REASON: usize = 200;
/// Invitations that one call creates.
const MOST_INVITATIONS: u32 = 1_000;

pub(super) fn name<T: FromStr<Err = BadName>>(field: &str, text: &str) -> Result<T, Status> {
    text.parse().map_err(|problem| status::bad_name(field, problem))
}

pub(super) fn pool(field: &str, name: &str) -> Result<Pool, Status> {
    name.parse().map_err(|problem| status::bad_pool(field, problem))
}

pub(super) fn nonce(bytes: &[u8]) -> Result<Bytes32, Status> {
    let bytes = bytes.try_into().map(Bytes32);
    bytes.map_err(|_| status::bad_field("BAD_NONCE", "nonce", "32 bytes are needed"))
}

/// The hash of a request id (a random UUID) and its purpose; none if it is omitted. A request made
/// with an owner's token cannot be repeated without it, nor the other way round.
pub(super) fn request_id(purpose: &str, text: &str) -> Result<Option<Bytes32>, Status> {
    if text.is_empty() {
        return Ok(None);
    }
    let uuid = Uuid::try_parse(text).ok().filter(|uuid| uuid.get_version_num() == 4);
    // One spelling only, so that a repeated request has the same hash.
    let is_uuid = uuid.is_some_and(|uuid| uuid.to_string() == text);
    if is_uuid {
        return Ok(Some(Bytes32::hash_of(format!("{purpose} {text}").as_bytes())));
    }
    let problem = "must be a random UUID (version 4) in lower case";
    Err(status::bad_field("BAD_REQUEST_ID", "request_id", problem))
}

pub(super) fn time_class(field: &str, class: i32) -> Result<TimeClass, Status> {
    match pb::TimeClass::try_from(class) {
        Ok(pb::TimeClass::Unspecified | pb::TimeClass::Blitz) => Ok(TimeClass::Blitz),
        Ok(pb::TimeClass::Bullet) => Ok(TimeClass::Bullet),
        Ok(pb::TimeClass::Rapid) => Ok(TimeClass::Rapid),
        Err(_) => {
            Err(status::bad_field("NO_SUCH_ENUM_VALUE", field, &format!("{class} is not known")))
        }
    }
}

/// A ruleset of the arena: with default options, so that all bots play the same game.
pub(super) fn ruleset(field: &str, message: Option<RulesetMessage>) -> Result<Ruleset, Status> {
    let ruleset = Ruleset::read(message).map_err(Status::from)?;
    if !Ruleset::all().contains(&ruleset) {
        let problem = "the arena plays with the default options only: omit round_limit";
        return Err(status::bad_field("UNUSUAL_OPTIONS", field, problem));
    }
    Ok(ruleset)
}

pub(super) fn hello(message: Option<pb::Hello>) -> Result<Hello, Status> {
    let pb::Hello { version, offer, sdk: _ } = message.ok_or_else(|| status::missing("hello"))?;
    // Default: one match of any kind at a time.
    let any = pb::Offer { max_concurrent_matches: 1, ..pb::Offer::default() };
    let offer = self::offer(offer.unwrap_or(any))?;
    Ok(Hello { version: name("hello.version", &version)?, offer })
}

fn offer(message: pb::Offer) -> Result<Offer, Status> {
    let pb::Offer {
        rulesets,
        time_classes,
        max_concurrent_matches,
        accepts_challenges,
        plays_ladder,
    } = message;
    let rulesets: Vec<Ruleset> = if rulesets.is_empty() {
        Ruleset::all()
    } else {
        let read = |message| ruleset("hello.offer.rulesets", Some(message));
        rulesets.into_iter().map(read).collect::<Result<_, _>>()?
    };
    let classes: Vec<TimeClass> = if time_classes.is_empty() {
        vec![TimeClass::Blitz]
    } else {
        let read = |class| time_class("hello.offer.time_classes", class);
        time_classes.into_iter().map(read).collect::<Result<_, _>>()?
    };
    if max_concurrent_matches > MOST_CONCURRENT {
        let problem = format!("{max_concurrent_matches} is not between 0 and {MOST_CONCURRENT}");
        let field = "hello.offer.max_concurrent_matches";
        return Err(status::bad_field("OUT_OF_RANGE", field, &problem));
    }
    let (rulesets, classes) = (without_duplicates(rulesets), without_duplicates(classes));
    let with_class = |time_class| rulesets.iter().map(move |&ruleset| Pool { ruleset, time_class });
    let pools = classes.into_iter().flat_map(with_class).collect();
    let plays_ladder = plays_ladder.unwrap_or(true);
    Ok(Offer {
        pools,
        concurrent_matches: max_concurrent_matches,
        accepts_challenges,
        plays_ladder,
    })
}

/// Each entry once, in the same order. Lists are short: the codec bounds them.
fn without_duplicates<T: PartialEq>(list: Vec<T>) -> Vec<T> {
    let mut found = Vec::new();
    for entry in list {
        if !found.contains(&entry) {
            found.push(entry);
        }
    }
    found
}

pub(super) fn opponent(index: usize, message: pb::Opponent) -> Result<Opponent, Status> {
    use pb::opponent::Opponent as Named;
    let field = |name: &str| format!("opponents[{index}].{name}");
    match message.opponent.ok_or_else(|| status::missing("opponents"))? {
        Named::Bot(bot) => name(&field("bot"), &bot).map(Opponent::Bot),
        Named::House(bot) => {
            let bot: HouseBot = bot.parse().map_err(|problem: azulejo_engine::NoSuchBot| {
                status::bad_field("NO_SUCH_BOT", &field("house"), &problem.to_string())
            })?;
            if is_too_slow(bot) {
                let problem = "in an arena, at most a second (strong:1000) or strong:10000n";
                return Err(status::bad_field("OUT_OF_RANGE", &field("house"), problem));
            }
            Ok(Opponent::House(bot))
        }
    }
}

/// Whether the house bot would search for longer than others should wait.
const fn is_too_slow(bot: HouseBot) -> bool {
    match bot {
        HouseBot::Random | HouseBot::Greedy => false,
        HouseBot::Strong { budget: Budget::Time(time), .. } => time.as_millis() > LONGEST_SEARCH_MS,
        HouseBot::Strong { budget: Budget::Nodes(nodes), .. } => nodes > LARGEST_SEARCH,
    }
}

/// The number of invitations to create; 0 is the default.
pub(super) fn invitations(count: u32) -> Result<u32, Status> {
    if count > MOST_INVITATIONS {
        let problem = format!("{count} is not between 1 and {MOST_INVITATIONS}");
        return Err(status::bad_field("OUT_OF_RANGE", "count", &problem));
    }
    Ok(count.max(1))
}

/// A sentence for people: short, and without control characters.
pub(super) fn sentence(field: &str, text: String) -> Result<String, Status> {
    let problem = match text.trim() {
        "" => "is empty",
        _ if text.chars().count() > LONGEST_REASON => "is longer than 200 characters",
        _ if text.chars().any(is_unsafe) => "holds a control character",
        _ => return Ok(text),
    };
    Err(status::bad_field("BAD_TEXT", field, problem))
}

/// A submitted move. Whether it belongs to the game of the match is decided there.
pub(super) fn submitted_move(
    action: Option<pb::submit_move_request::Action>,
) -> Result<SubmittedMove, Status> {
    use pb::submit_move_request::Action;
    Ok(match action.ok_or_else(|| status::missing("action"))? {
        Action::Move(message) => {
            let parsed = Move::read(message);
            let text = parsed.as_ref().map_or_else(|_| format!("{message:?}"), Move::to_string);
            SubmittedMove::Typed { parsed, text }
        }
        Action::ActionId(id) => SubmittedMove::Id(id),
        Action::Notation(text) => SubmittedMove::Notation(text),
    })
}
