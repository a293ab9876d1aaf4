//! The schema of a store, step by step, as part of the program.

use std::sync::LazyLock;

use sqlx::SqlSafeStr as _;
use sqlx::migrate::{Migration, MigrationType, Migrator};

pub(super) static SQLITE: LazyLock<Migrator> = LazyLock::new(|| {
    steps(&[
        ("arena", include_str!("../../migrations/sqlite/0001_arena.sql")),
        ("requests", include_str!("../../migrations/sqlite/0002_requests.sql")),
    ])
});

pub(super) static POSTGRES: LazyLock<Migrator> = LazyLock::new(|| {
    steps(&[
        ("arena", include_str!("../../migrations/postgres/0001_arena.sql")),
        ("requests", include_str!("../../migrations/postgres/0002_requests.sql")),
    ])
});

/// Numbered from 1 on. Of `sqlx::migrate!`, which does the same, the compiler would build both
/// databases a second time, for itself.
fn steps(scripts: &[(&'static str, &'static str)]) -> Migrator {
    let step = |(version, &(name, sql)): (i64, &(&'static str, &'static str))| {
        Migration::new(version, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    };
    Migrator::with_migrations((1..).zip(scripts).map(step).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The scripts in the folder of a database, by their names.
    fn files(database: &str) -> Vec<String> {
        let folder = format!("{}/migrations/{database}", env!("CARGO_MANIFEST_DIR"));
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort_unstable();
        names
    }

    fn named(steps: &Migrator) -> Vec<String> {
        let name = |step: &Migration| format!("{:04}_{}.sql", step.version, step.description);
        steps.iter().map(name).collect()
    }

    #[test]
    fn every_script_is_a_step() {
        assert_eq!(named(&SQLITE), files("sqlite"));
        assert_eq!(named(&POSTGRES), files("postgres"));
    }

    /// A store remembers what it was made by, and is refused if that changes.
    #[test]
    fn a_step_that_was_released_never_changes() {
        let begins = |steps: &Migrator| -> Vec<[u8; 4]> {
            steps.iter().map(|step| step.checksum[..4].try_into().unwrap()).collect()
        };
        assert_eq!(begins(&SQLITE), [[0x71, 0x2e, 0x7b, 0x52], [0x06, 0x6d, 0x8c, 0x0d]]);
        assert_eq!(begins(&POSTGRES), [[0x53, 0x01, 0x41, 0x46], [0x82, 0x87, 0x33, 0x3b]]);
    }
}
