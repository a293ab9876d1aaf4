//! `proto/README.md` lists every reason, and no other.

use std::collections::BTreeSet;

const README: &str = include_str!("../../../../proto/README.md");
const SOURCES: [&str; 4] = [
    include_str!("status.rs"),
    include_str!("read.rs"),
    include_str!("pages.rs"),
    include_str!("../state/refusal.rs"),
];
const HANDLERS: &str = include_str!("play.rs");

/// Texts in quotation marks that look like a reason.
fn reasons(source: &str) -> impl Iterator<Item = &str> {
    let quoted = source.split('"').skip(1).step_by(2);
    quoted.filter(|text| {
        text.len() > 4 && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
    })
}

#[test]
fn every_reason_of_the_arena_is_listed_and_every_listed_one_exists() {
    let section = README.split("## The arena\n").nth(1).unwrap();
    let listed: BTreeSet<&str> =
        section.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    let used: BTreeSet<&str> = SOURCES.into_iter().chain([HANDLERS]).flat_map(reasons).collect();
    assert_eq!(used, listed);
}
