//! Queries for pages of matches, the newest first, for both databases.

use sqlx::{Database, Encode, QueryBuilder, Type};

use super::{Filter, Status};

/// The parts of the query that differ between the databases.
pub(super) struct Page {
    /// `SELECT` with the columns of matches `m` and their results `r`.
    pub(super) columns: &'static str,
    /// Joins the seats `s` of a bot with their matches. SQLite is forced to begin with the seats;
    /// PostgreSQL chooses the order itself.
    pub(super) of_a_bot: &'static str,
}

impl Page {
    /// The query scans an index from the newest match downwards and stops after one page, however many
    /// matches there are: the index of a bot's seats, or that of match numbers.
    pub(super) fn of<DB: Database>(
        &self,
        filter: &Filter,
        before: Option<i64>,
        most: u32,
    ) -> QueryBuilder<DB>
    where
        for<'q> i64: Encode<'q, DB> + Type<DB>,
        for<'q> String: Encode<'q, DB> + Type<DB>,
    {
        let Filter { bot, pool, status } = filter;
        let mut query = QueryBuilder::new(self.columns);
        let number = if bot.is_some() { "s.match_number" } else { "m.number" };
        query.push(if bot.is_some() { self.of_a_bot } else { " FROM matches m" });
        query.push(" LEFT JOIN results r ON r.match_number = m.number WHERE ");
        query.push(number).push(" < ").push_bind(before.unwrap_or(i64::MAX));
        if let Some(bot) = bot {
            query.push(" AND s.bot = ").push_bind(bot.as_str().to_owned());
            // A bot that plays itself has two seats, but the match is listed once.
            query.push(
                " AND s.seat = (SELECT min(seat) FROM seats t
                    WHERE t.match_number = s.match_number AND t.bot = s.bot)",
            );
        }
        if let Some(pool) = pool {
            query.push(" AND m.pool = ").push_bind(pool.to_string());
        }
        // A match without a result is one whose seats have placement 0.
        let voided =
            "EXISTS (SELECT 1 FROM seats v WHERE v.match_number = m.number AND v.placement = 0)";
        match (status, bot) {
            (Some(Status::Over), _) => query.push(" AND m.ended IS NOT NULL"),
            (Some(Status::Ended), _) => {
                query.push(" AND m.ended IS NOT NULL AND NOT ").push(voided)
            }
            // Few matches are voided: without a bot, a partial index finds them.
            (Some(Status::Voided), None) => query.push(
                " AND m.number IN (SELECT v.match_number FROM seats v WHERE v.placement = 0)",
            ),
            (Some(Status::Voided), Some(_)) => query.push(" AND ").push(voided),
            (Some(Status::Running), None) => query.push(" AND m.ended IS NULL"),
            (Some(Status::Running), Some(_)) => query.push(" AND s.result_number IS NULL"),
            (None, _) => &mut query,
        };
        query.push(" ORDER BY ").push(number).push(" DESC LIMIT ").push_bind(i64::from(most));
        query
    }
}
