//! The schema of a store, step by step, as part of the program.

use std::sync::LazyLock;

use sqlx::SqlSafeStr as _;
use sqlx::migrate::{Migration, MigrationType, Migrator};

pub(super) static SQLITE: LazyLock<Migrator> =
    LazyLock::new(|| steps(&[("arena", include_str!("../../migrations/sqlite/0001_arena.sql"))]));

pub(super) static POSTGRES: LazyLock<Migrator> =
    LazyLock::new(|| steps(&[("arena", include_str!("../../migrations/postgres/0001_arena.sql"))]));

/// Numbered from 1 on. Of `sqlx::migrate!`, which does the same, the compiler would build both
/// databases a second time, for itself.
fn steps(scripts: &[(&'static str, &'static str)]) -> Migrator {
    let step = |(version, &(name, sql)): (i64, &(&'static str, &'static str))| {
        Migration::new(version, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    };
    Migrator::with_migrations((1..).zip(scripts).map(step).collect())
}
