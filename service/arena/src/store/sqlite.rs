//! The store in a file: SQLite.
/// placeholder
#[derive(Debug)]
pub struct Sqlite;
