//! The migrations of the schema, embedded in the program.

use std::sync::LazyLock;

use sqlx::SqlSafeStr as _;
use sqlx::migrate::{Migration, MigrationType, Migrator};

pub(super) static SQLITE: LazyLock<Migrator> = LazyLock::new(|| {
    migrations(&[
        ("arena", include_str!("../../migrations/sqlite/0001_arena.sql")),
        ("requests", include_str!("../../migrations/sqlite/0002_requests.sql")),
        ("summaries", include_str!("../../migrations/sqlite/0003_summaries.sql")),
        ("organisers", include_str!("../../migrations/sqlite/0004_organisers.sql")),
        ("archives", include_str!("../../migrations/sqlite/0005_archives.sql")),
        ("formula", include_str!("../../migrations/sqlite/0006_formula.sql")),
    ])
});

pub(super) static POSTGRES: LazyLock<Migrator> = LazyLock::new(|| {
    migrations(&[
        ("arena", include_str!("../../migrations/postgres/0001_arena.sql")),
        ("requests", include_str!("../../migrations/postgres/0002_requests.sql")),
        ("summaries", include_str!("../../migrations/postgres/0003_summaries.sql")),
        ("organisers", include_str!("../../migrations/postgres/0004_organisers.sql")),
        ("archives", include_str!("../../migrations/postgres/0005_archives.sql")),
        ("formula", include_str!("../../migrations/postgres/0006_formula.sql")),
    ])
});

/// Migrations, numbered from 1. `sqlx::migrate!` does the same, but makes cargo build both database
/// drivers a second time, for the macro.
fn migrations(scripts: &[(&'static str, &'static str)]) -> Migrator {
    let migration = |(version, &(name, sql)): (i64, &(&'static str, &'static str))| {
        Migration::new(version, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    };
    Migrator::with_migrations((1..).zip(scripts).map(migration).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The file names of the scripts for a database, in order.
    fn files(database: &str) -> Vec<String> {
        let folder = format!("{}/migrations/{database}", env!("CARGO_MANIFEST_DIR"));
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort_unstable();
        names
    }

    fn names(migrator: &Migrator) -> Vec<String> {
        let name = |step: &Migration| format!("{:04}_{}.sql", step.version, step.description);
        migrator.iter().map(name).collect()
    }

    #[test]
    fn every_script_is_a_migration() {
        assert_eq!(names(&SQLITE), files("sqlite"));
        assert_eq!(names(&POSTGRES), files("postgres"));
    }

    /// A store records the checksums of its migrations, and cannot be opened if they change.
    #[test]
    fn a_released_migration_never_changes() {
        let checksums = |migrator: &Migrator| -> Vec<[u8; 4]> {
            migrator.iter().map(|step| step.checksum[..4].try_into().unwrap()).collect()
        };
        assert_eq!(
            checksums(&SQLITE),
            [
                [0x71, 0x2e, 0x7b, 0x52],
                [0x06, 0x6d, 0x8c, 0x0d],
                [0xc6, 0xe2, 0x41, 0xfb],
                [0xc6, 0x3b, 0xd4, 0xa0],
                [0x56, 0x5f, 0xf9, 0x74],
                [0xda, 0xf7, 0x57, 0xfc],
            ]
        );
        assert_eq!(
            checksums(&POSTGRES),
            [
                [0x53, 0x01, 0x41, 0x46],
                [0x82, 0x87, 0x33, 0x3b],
                [0xc6, 0xe2, 0x41, 0xfb],
                [0x18, 0x86, 0xc2, 0xcb],
                [0x48, 0x2f, 0x01, 0xe6],
                [0xb6, 0x3b, 0x9a, 0x5f],
            ]
        );
    }
}
