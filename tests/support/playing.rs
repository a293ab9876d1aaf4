use azulejo_rules::parts::{PlayerCount, Seat, Seed, Side, TileColor, Tiles};

use crate::{Observed, Playable, Random};

/// How a test game is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Any legal move.
    Uniform,
    /// A move that gets on with the game, if there is one.
    Eager,
    /// The move that commits most.
    Dear,
    /// Displays of one color where the bag allows it.
    Monochrome,
    /// From a start with very few tiles left.
    Scarce,
}

impl Style {
    pub const ALL: [Self; 5] =
        [Self::Uniform, Self::Eager, Self::Dear, Self::Monochrome, Self::Scarce];
}

/// A game that was played to its end.
#[derive(Debug)]
pub struct Finished<G: Playable> {
    pub first: G,
    pub last: G,
    pub steps: Vec<G::Step>,
    pub start: Seat,
    pub seen: Vec<Observed>,
}

/// Plays a game to its end and shows `visit` every position on the way, the last one too.
pub fn play_game<G: Playable>(
    side: Side,
    players: PlayerCount,
    style: Style,
    seed: u64,
    mut visit: impl FnMut(&G, &mut Random),
) -> Finished<G> {
    let mut random = Random::new(seed);
    let start = random.pick(&Seat::ALL[..players.seats()]);
    let first = match style {
        Style::Scarce => G::scarce(side, &mut random),
        Style::Uniform | Style::Eager | Style::Dear | Style::Monochrome => {
            G::start(side, players, start)
        }
    };
    let deals = Seed::from_number(seed);
    let (mut position, mut steps, mut seen) = (first, Vec::new(), Vec::new());
    loop {
        visit(&position, &mut random);
        if position.is_over() {
            break;
        }
        if position.awaits_deal() {
            let tiles = deal(&mut position, style, &deals, &mut seen);
            steps.push(G::deal_step(tiles));
        } else {
            let action = choose(&position, style, &mut random);
            assert!(position.play(action, &mut seen), "offered and refused: {action}");
            steps.push(G::move_step(action));
        }
    }
    if position.winners() > 1 {
        seen.push(Observed::SharedVictory);
    }
    Finished { first, last: position, steps, start, seen }
}

fn deal<G: Playable>(
    position: &mut G,
    style: Style,
    seed: &Seed,
    seen: &mut Vec<Observed>,
) -> Tiles<G::Color> {
    if style != Style::Monochrome || position.rounds() > 2 {
        return position.deal(seed, seen);
    }
    let dominance = |tiles: &Tiles<G::Color>| {
        <G::Color as TileColor>::ALL.iter().map(|&color| tiles.count(color)).max()
    };
    let (outcomes, _) = position.outcomes();
    // The first color, not the last: in Summer Pavilion that one is wild at first.
    let best = outcomes.iter().rev().map(|&(tiles, _)| tiles).max_by_key(dominance).unwrap();
    assert!(position.deal_exactly(best), "an outcome that was listed is refused: {best}");
    best
}

fn choose<G: Playable>(position: &G, style: Style, random: &mut Random) -> G::Move {
    let moves = position.moves();
    let preferred: Vec<G::Move> = match style {
        Style::Uniform | Style::Monochrome => Vec::new(),
        Style::Eager | Style::Scarce => {
            moves.iter().copied().filter(|&action| G::is_eager(action)).collect()
        }
        Style::Dear => {
            let most = moves.iter().map(|&action| position.price(action)).max();
            moves.iter().copied().filter(|&action| Some(position.price(action)) == most).collect()
        }
    };
    if preferred.is_empty() { random.pick(&moves) } else { random.pick(&preferred) }
}
