//! How many sequences of moves there are from given positions: `perft.txt`, a line each with
//! depth, leaves and position.

use azulejo_rules::{azul, pavilion};
use azulejo_tests::golden::folder;

#[test]
fn the_number_of_move_sequences_is_a_fact_of_the_rules() {
    let table = std::fs::read_to_string(folder().join("perft.txt")).unwrap();
    let rows = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut counted = 0;
    for row in rows {
        let mut words = row.splitn(3, ' ');
        let mut word = || words.next().unwrap();
        let (depth, leaves, position) =
            (word().parse().unwrap(), word().parse::<u64>().unwrap(), word());
        let found = match position.split(' ').next() {
            Some("azul") => position.parse::<azul::Position>().unwrap().perft(depth),
            _ => position.parse::<pavilion::Position>().unwrap().perft(depth),
        };
        assert_eq!(found, leaves, "depth {depth} of {position}");
        counted += 1;
    }
    assert!(counted >= 20, "{counted} rows are too few");
}
