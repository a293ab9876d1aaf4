//! Lists for organisers, as tables.

use anyhow::Result;
use azulejo_sdk::arena as pb;
use azulejo_terminal::output::print_table;

use super::Remote;
use super::remote::{bots_client, call, client, refused};

/// Entries per page.
const PAGE_SIZE: u32 = 200;
/// The most entries that a list prints without `--limit`.
pub(super) const USUAL_LIMIT: usize = 1_000;

/// Calls a list page by page, until it ends or has enough entries.
macro_rules! pages {
    ($remote:expr, $client:expr, $method:ident, $request:ident, $entries:ident, $limit:expr) => {{
        let (mut client, mut found, mut page_token) = ($client, Vec::new(), String::new());
        loop {
            let request = call($remote, pb::$request { page_size: PAGE_SIZE, page_token })?;
            let page = client.$method(request).await.map_err(|status| refused(&status))?;
            let page = page.into_inner();
            found.extend(page.$entries);
            page_token = page.next_page_token;
            if page_token.is_empty() || found.len() >= $limit {
                break;
            }
        }
        let more = !page_token.is_empty() || found.len() > $limit;
        found.truncate($limit);
        (found, more)
    }};
}

pub(super) async fn owners(remote: &Remote, limit: usize) -> Result<()> {
    let client = client(remote).await?;
    let (owners, more) = pages!(remote, client, list_owners, ListOwnersRequest, owners, limit);
    let row = |owner: pb::Owner| {
        let banned =
            if owner.banned { format!("banned: {}", owner.ban_note) } else { String::new() };
        vec![
            owner.name,
            time(owner.create_time.map(|at| at.seconds)),
            owner.bots.to_string(),
            banned,
        ]
    };
    print(&["owner", "registered (UTC)", "bots", "ban"], owners.into_iter().map(row), more);
    Ok(())
}

pub(super) async fn tokens(remote: &Remote, limit: usize) -> Result<()> {
    let client = bots_client(remote).await?;
    let (tokens, more) = pages!(remote, client, list_tokens, ListTokensRequest, tokens, limit);
    let row = |token: pb::Token| {
        let holder = match (token.bot.is_empty(), token.owner.is_empty()) {
            (false, _) => format!("bot {}", token.bot),
            (true, false) => format!("owner {}", token.owner),
            (true, true) => "organiser".to_owned(),
        };
        let state = if token.revoked { "revoked" } else { "valid" };
        vec![
            token.public_part,
            holder,
            time(token.create_time.map(|at| at.seconds)),
            state.to_owned(),
        ]
    };
    print(&["token", "holder", "created (UTC)", "state"], tokens.into_iter().map(row), more);
    Ok(())
}

pub(super) async fn invitations(remote: &Remote, limit: usize) -> Result<()> {
    let client = client(remote).await?;
    let (invitations, more) =
        pages!(remote, client, list_invitations, ListInvitationsRequest, invitations, limit);
    let row = |invitation: pb::Invitation| {
        let state = if invitation.used { "used" } else { "open" };
        vec![
            invitation.number.to_string(),
            time(invitation.create_time.map(|at| at.seconds)),
            state.to_owned(),
        ]
    };
    print(&["number", "created (UTC)", "state"], invitations.into_iter().map(row), more);
    Ok(())
}

pub(super) async fn audit(remote: &Remote, limit: usize) -> Result<()> {
    let client = client(remote).await?;
    let (entries, more) = pages!(remote, client, list_audit, ListAuditRequest, entries, limit);
    let row = |entry: pb::AuditEntry| {
        let act = entry.act().as_str_name().trim_start_matches("AUDIT_ACT_");
        let act = act.to_lowercase().replace('_', " ");
        let number = entry.number.to_string();
        vec![
            number,
            time(entry.create_time.map(|at| at.seconds)),
            entry.organiser,
            act,
            entry.subject,
            entry.note,
        ]
    };
    let headings = ["number", "time (UTC)", "organiser", "act", "subject", "note"];
    print(&headings, entries.into_iter().map(row), more);
    Ok(())
}

/// The suspicious pairs of a pool, or of all pools.
pub(super) async fn pairs(remote: &Remote, pool: Option<String>) -> Result<()> {
    let pools = match pool {
        Some(pool) => vec![pool],
        None => super::remote::pools(remote).await?,
    };
    if pools.is_empty() {
        say!("no rated match was played");
    }
    let mut client = client(remote).await?;
    for pool in pools {
        let message = pb::ListSuspiciousPairsRequest { pool: pool.clone(), page_size: PAGE_SIZE };
        let found = client.list_suspicious_pairs(call(remote, message)?).await;
        let pb::ListSuspiciousPairsResponse { pairs, matches } =
            found.map_err(|status| refused(&status))?.into_inner();
        say!("{pool}: {} suspicious pairs in {matches} rated matches", pairs.len());
        if !pairs.is_empty() {
            let headings =
                ["bot", "opponent", "meetings", "expected", "score", "expected", "suspicion"];
            print(&headings, pairs.into_iter().map(pair_row), false);
        }
    }
    Ok(())
}

fn pair_row(pair: pb::SuspiciousPair) -> Vec<String> {
    let suspicion = match (pair.met_too_often, pair.one_sided) {
        (true, true) => "met too often, one-sided",
        (true, false) => "met too often",
        (false, true) => "one-sided",
        (false, false) => "",
    };
    vec![
        pair.bot,
        pair.opponent,
        pair.meetings.to_string(),
        format!("{:.1}", pair.expected_meetings),
        format!("{:.0} %", 100.0 * pair.score),
        format!("{:.0} %", 100.0 * pair.expected_score),
        suspicion.to_owned(),
    ]
}

fn print(headings: &[&str], rows: impl Iterator<Item = Vec<String>>, more: bool) {
    print_table(headings, rows);
    if more {
        say!("There are more entries; raise --limit.");
    }
}

/// Seconds since 1970 as `2026-01-31 23:59:59`; empty if they are unknown.
fn time(seconds: Option<i64>) -> String {
    let Some(seconds) = seconds else { return String::new() };
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = date(days);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
}

/// The date that is this many days after 1970-01-01. A year begins in March here, so that the leap day is
/// its last.
const fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + if month <= 2 { 1 } else { 0 };
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_shown_as_dates() {
        let shown = |seconds| time(Some(seconds));
        assert_eq!(shown(0), "1970-01-01 00:00:00");
        assert_eq!(shown(951_868_799), "2000-02-29 23:59:59");
        assert_eq!(shown(951_868_800), "2000-03-01 00:00:00");
        assert_eq!(shown(1_798_761_599), "2026-12-31 23:59:59");
        assert_eq!(time(None), "");
    }
}
