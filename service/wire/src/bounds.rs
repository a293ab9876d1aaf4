//! How long each list, text and byte string of a request may be, checked before a message is
//! decoded: a list that is too long costs neither memory nor work.
//!
//! The table is complete: a test compares it with the descriptors of all requests.

mod shape;
#[cfg(test)]
mod tests;

use crate::{BadField, Problem};

pub(crate) use shape::Shape;

/// The most that a field may contain.
#[derive(Clone, Copy, Debug)]
struct Bound {
    /// Entries of a list.
    entries: usize,
    /// Bytes of a text or of bytes, or of each entry of a list of them.
    bytes: usize,
}

const fn list(entries: usize) -> Bound {
    Bound { entries, bytes: 0 }
}

const fn text(bytes: usize) -> Bound {
    Bound { entries: 0, bytes }
}

const fn texts(entries: usize, bytes: usize) -> Bound {
    Bound { entries, bytes }
}

/// Names, ids and tokens. Far more than any of them has: a name that is a little too long is
/// refused by the rules for names, which say more.
const NAME: Bound = text(256);
/// Cursors, keys and nonces, which have rules of their own too.
const OPAQUE: Bound = text(1024);

/// Messages that are not looked into. A state stays encoded; [`State::read`](crate::State::read)
/// bounds its size before it decodes it.
const EXEMPT: [&str; 1] = ["azulejo.game.v1.GameState"];

/// The bound of every field, by its full name.
const BOUNDS: &[(&str, Bound)] = &[
    ("azulejo.arena.v1.BanOwnerRequest.note", text(800)),
    ("azulejo.arena.v1.BanOwnerRequest.owner", NAME),
    // A game has at most four players.
    ("azulejo.arena.v1.CreateChallengeRequest.opponents", list(3)),
    ("azulejo.arena.v1.CreateChallengeRequest.request_id", NAME),
    ("azulejo.arena.v1.CreateTokenRequest.bot", NAME),
    ("azulejo.arena.v1.ExportMatchesRequest.page_token", OPAQUE),
    ("azulejo.arena.v1.GetBotRequest.bot", NAME),
    ("azulejo.arena.v1.GetLadderRequest.page_token", OPAQUE),
    ("azulejo.arena.v1.GetLadderRequest.pool", NAME),
    ("azulejo.arena.v1.GetMatchRequest.match_id", NAME),
    ("azulejo.arena.v1.GetStandingsRequest.page_token", OPAQUE),
    ("azulejo.arena.v1.GetStandingsRequest.pool", NAME),
    ("azulejo.arena.v1.HeartbeatRequest.ended_match_ids", texts(200, 256)),
    ("azulejo.arena.v1.Hello.sdk", NAME),
    ("azulejo.arena.v1.Hello.version", NAME),
    ("azulejo.arena.v1.ListAuditRequest.page_token", OPAQUE),
    ("azulejo.arena.v1.ListBotsRequest.page_token", OPAQUE),
    ("azulejo.arena.v1.ListInvitationsRequest.page_token", OPAQUE),
    ("azulejo.arena.v1.ListMatchesRequest.bot", NAME),
    ("azulejo.arena.v1.ListMatchesRequest.page_token", OPAQUE),
    ("azulejo.arena.v1.ListMatchesRequest.pool", NAME),
    ("azulejo.arena.v1.ListOwnersRequest.page_token", OPAQUE),
    ("azulejo.arena.v1.ListSuspiciousPairsRequest.pool", NAME),
    ("azulejo.arena.v1.ListTokensRequest.page_token", OPAQUE),
    ("azulejo.arena.v1.NextEventsRequest.session", NAME),
    // More than there are rulesets and time classes.
    ("azulejo.arena.v1.Offer.rulesets", list(64)),
    ("azulejo.arena.v1.Offer.time_classes", list(8)),
    ("azulejo.arena.v1.Opponent.bot", NAME),
    ("azulejo.arena.v1.Opponent.house", NAME),
    ("azulejo.arena.v1.PauseBotRequest.bot", NAME),
    // 200 characters of up to four bytes.
    ("azulejo.arena.v1.PauseBotRequest.note", text(800)),
    ("azulejo.arena.v1.ReadyRequest.match_id", NAME),
    ("azulejo.arena.v1.ReadyRequest.nonce", OPAQUE),
    ("azulejo.arena.v1.RegisterBotRequest.invitation", NAME),
    ("azulejo.arena.v1.RegisterBotRequest.name", NAME),
    ("azulejo.arena.v1.RegisterBotRequest.owner", NAME),
    ("azulejo.arena.v1.RegisterBotRequest.request_id", NAME),
    ("azulejo.arena.v1.ResignRequest.match_id", NAME),
    ("azulejo.arena.v1.ResumeBotRequest.bot", NAME),
    ("azulejo.arena.v1.RevokeTokenRequest.token", NAME),
    ("azulejo.arena.v1.SubmitMoveRequest.match_id", NAME),
    ("azulejo.arena.v1.SubmitMoveRequest.notation", OPAQUE),
    ("azulejo.arena.v1.UnbanOwnerRequest.owner", NAME),
    ("azulejo.arena.v1.VoidMatchRequest.match_id", NAME),
    ("azulejo.arena.v1.VoidMatchRequest.note", text(800)),
    ("azulejo.arena.v1.WatchMatchRequest.match_id", NAME),
    ("azulejo.engine.v1.ApplyRequest.notation", OPAQUE),
    ("azulejo.engine.v1.BatchApplyRequest.requests", list(1024)),
    // 4,096 characters of up to four bytes.
    ("azulejo.engine.v1.ParsePositionRequest.position", text(4 * 4096)),
    // One for each seat, of 64 characters.
    ("azulejo.engine.v1.RenderRequest.names", texts(16, 256)),
    // Dozens of times the longest game.
    ("azulejo.engine.v1.ReplayRequest.record", text(256 * 1024)),
    // There are at most nine displays and the supply.
    ("azulejo.game.v1.AzulDisplays.displays", list(64)),
    ("azulejo.game.v1.Seed.key", OPAQUE),
    ("azulejo.game.v1.SummerPavilionDisplays.displays", list(64)),
];

fn bound_of(field: &str) -> Option<Bound> {
    BOUNDS.iter().find(|(name, _)| *name == field).map(|&(_, bound)| bound)
}

fn too_many(field: &str, most: usize) -> BadField {
    BadField::new(field, Problem::MoreThan { most })
}

fn too_long(field: &str, found: usize, most: usize) -> BadField {
    BadField::new(field, Problem::TooLong { found, most })
}
