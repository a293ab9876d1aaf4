//! Groups of players whose ratings can be compared.

use super::games::Sorted;

/// The group of each player, from 0: the largest first, then by the name of their first member.
/// Players of one group are linked by results, directly or through others.
pub(super) fn groups(sorted: &Sorted) -> Vec<u32> {
    let mut links: Vec<usize> = (0..sorted.players.len()).collect();
    for game in &sorted.games {
        for pair in game.seats.windows(2) {
            let (a, b) =
                (root(&mut links, pair[0].0 as usize), root(&mut links, pair[1].0 as usize));
            // The smaller index becomes the root: it is the first by name.
            links[a.max(b)] = a.min(b);
        }
    }
    let roots: Vec<usize> = (0..links.len()).map(|player| root(&mut links, player)).collect();
    let mut sizes: Vec<(usize, usize)> = Vec::new();
    for &root in &roots {
        match sizes.iter_mut().find(|(other, _)| *other == root) {
            Some((_, size)) => *size += 1,
            None => sizes.push((root, 1)),
        }
    }
    sizes.sort_by_key(|&(root, size)| (std::cmp::Reverse(size), root));
    let number = |root: &usize| {
        let place = sizes.iter().position(|(other, _)| other == root).unwrap_or_default();
        u32::try_from(place).unwrap_or(u32::MAX)
    };
    roots.iter().map(number).collect()
}

fn root(links: &mut [usize], mut player: usize) -> usize {
    while links[player] != player {
        links[player] = links[links[player]];
        player = links[player];
    }
    player
}
