//! The lists of multisets, and the rank that the document computes without them.

use azulejo_rules::pavilion::{Color, Move};

use crate::document::Document;

pub(crate) struct Multisets {
    /// By size, from 1 on.
    lists: Vec<Vec<String>>,
    /// How many there are, by number of colors and size.
    counts: Vec<Vec<usize>>,
}

impl Multisets {
    pub(crate) fn read(document: &Document) -> Self {
        let section = document.section("Action ids / Multisets");
        let words = |block: &crate::document::Block| {
            block.lines.iter().flat_map(|line| line.split(' ')).map(str::to_owned).collect()
        };
        let counts = section.table(&["colors", "0 tiles"]);
        let row = |(colors, row): (usize, &Vec<String>)| {
            let is_next = row[0] == colors.to_string();
            row[1..].iter().filter(|_| is_next).map(|cell| cell.parse().unwrap()).collect()
        };
        Self {
            lists: section.blocks_of("multisets").map(words).collect(),
            counts: counts.rows.iter().enumerate().map(row).collect(),
        }
    }

    /// The multiset of this size with this rank.
    pub(crate) fn at(&self, size: usize, rank: usize) -> Result<&str, String> {
        let list = size.checked_sub(1).and_then(|index| self.lists.get(index));
        let found = list.and_then(|list| list.get(rank)).map(String::as_str);
        found.ok_or(format!("no multiset {rank} of {size} tiles"))
    }

    /// The rank of these tiles, by the steps of the document.
    pub(crate) fn rank(&self, tiles: &str) -> Result<usize, String> {
        let counts = counts_of(tiles)?;
        let mut rank = 0;
        let mut rest: usize = counts.iter().sum();
        for (color, &count) in counts.iter().enumerate() {
            for more in count + 1..=rest {
                let here = self.counts[5 - color].get(rest - more);
                rank += here.ok_or_else(|| format!("{tiles} are too many tiles"))?;
            }
            rest -= count;
        }
        Ok(rank)
    }

    /// Every list has the length and the order that the counts give it.
    pub(crate) fn check(&self) -> Result<(), String> {
        let (counts, lists) = (&self.counts, &self.lists);
        let is_whole = counts.len() == 7 && counts.iter().all(|row| row.len() == 5);
        if !is_whole || lists.len() != 4 {
            return Err("the counts are for 0 to 6 colors, the lists for 1 to 4 tiles".to_owned());
        }
        for (colors, row) in counts.iter().enumerate() {
            for (size, &count) in row.iter().enumerate() {
                let expected = match (colors, size) {
                    (_, 0) => 1,
                    (0, _) => 0,
                    _ => counts[colors - 1][size] + row[size - 1],
                };
                if count != expected {
                    return Err(format!("{count} multisets of {size} in {colors} colors"));
                }
            }
        }
        for (index, list) in lists.iter().enumerate() {
            let size = index + 1;
            if list.len() != counts[6][size] {
                return Err(format!("{} multisets of {size} tiles", list.len()));
            }
            for (rank, tiles) in list.iter().enumerate() {
                let right = counts_of(tiles)?.iter().sum::<usize>() == size;
                if !right || self.rank(tiles)? != rank {
                    return Err(format!("{tiles} is not multiset {rank} of {size} tiles"));
                }
            }
        }
        Ok(())
    }
}

/// How many tiles of each color there are.
fn counts_of(tiles: &str) -> Result<Vec<usize>, String> {
    match format!("+{tiles}").parse() {
        Ok(Move::TakeBonus(read)) => {
            Ok(Color::ALL.iter().map(|&color| read.count(color).into()).collect())
        }
        _ => Err(format!("{tiles} are not tiles")),
    }
}
