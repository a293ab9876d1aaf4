//! Draws positions of both games and both sides from the start, the middle and the end of a random
//! game with a fixed seed: `cargo run -p azulejo-draw --example gallery -- <folder>`.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use azulejo_draw::{LastMove, Options, TextOptions, Theme};
use azulejo_draw::{azul_svg, azul_text, pavilion_svg, pavilion_text};
use azulejo_rules::parts::{PlayerCount, Seat, Seed, Seeded, Side};
use azulejo_rules::{azul, pavilion};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("which folder?")?);
    fs::create_dir_all(&folder)?;
    for side in Side::ALL {
        for players in PlayerCount::ALL {
            let played = play_azul(side, players);
            for (stage, index) in stages(played.len()) {
                let (position, last) = &played[index];
                let stem = format!("azul-{side}-{}-{stage}", players.seats());
                let draw = |options: &Options| azul_svg(position, options);
                hang(&folder, &stem, *last, draw)?;
                let text = |options: &TextOptions| azul_text(position, options);
                fs::write(folder.join(format!("{stem}.txt")), text(&TextOptions::default()))?;
            }
            let played = play_pavilion(side, players);
            for (stage, index) in stages(played.len()) {
                let (position, last) = &played[index];
                let stem = format!("pavilion-{side}-{}-{stage}", players.seats());
                let draw = |options: &Options| pavilion_svg(position, options);
                hang(&folder, &stem, *last, draw)?;
                let text = |options: &TextOptions| pavilion_text(position, options);
                fs::write(folder.join(format!("{stem}.txt")), text(&TextOptions::default()))?;
            }
        }
    }
    Ok(())
}

/// One picture in each theme.
fn hang(
    folder: &Path,
    stem: &str,
    last: Option<LastMove>,
    draw: impl Fn(&Options) -> String,
) -> std::io::Result<()> {
    let names = ["Ana", "Rui", "Inês", "Tomé"].map(str::to_owned).to_vec();
    for (theme, word) in [(Theme::Light, "light"), (Theme::Dark, "dark"), (Theme::Auto, "auto")] {
        let svg = draw(&Options { theme, names: names.clone(), last });
        fs::write(folder.join(format!("{stem}-{word}.svg")), svg)?;
    }
    Ok(())
}

fn stages(positions: usize) -> [(&'static str, usize); 3] {
    [("early", 3), ("middle", positions * 55 / 100), ("end", positions - 1)]
}

/// A random number generator with a fixed seed: the same gallery every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(self.0 >> 33).unwrap_or(0) % bound
    }
}

fn play_azul(side: Side, players: PlayerCount) -> Vec<(azul::Position, Option<LastMove>)> {
    let (seed, mut dice) = (Seed::from_number(7), Dice(7));
    let mut position = azul::Position::new(azul::Rules::new(side, players), Seat::First);
    let mut played = Vec::new();
    loop {
        position.deal_all(&mut Seeded(&seed), &mut ());
        let last = played.last().and_then(|&(_, next)| next);
        let Some(seat) = position.to_move() else {
            played.push((position, last));
            break shifted(played);
        };
        let moves = position.legal_moves();
        let wanted: Vec<_> = moves.iter().filter(|action| !is_floor(**action)).collect();
        let action = match wanted.len() {
            0 => moves[dice.below(moves.len())],
            some => *wanted[dice.below(some)],
        };
        played.push((position, Some(LastMove::azul(seat, action))));
        position.play_unchecked(action, &mut ());
    }
}

fn is_floor(action: azul::Move) -> bool {
    matches!(action, azul::Move::Take { destination: azul::Destination::Floor, .. })
}

fn play_pavilion(side: Side, players: PlayerCount) -> Vec<(pavilion::Position, Option<LastMove>)> {
    let (seed, mut dice) = (Seed::from_number(7), Dice(7));
    let mut position = pavilion::Position::new(pavilion::Rules::new(side, players), Seat::First);
    let mut played = Vec::new();
    loop {
        position.deal_all(&mut Seeded(&seed), &mut ());
        let last = played.last().and_then(|&(_, next)| next);
        let Some(seat) = position.to_move() else {
            played.push((position, last));
            break shifted(played);
        };
        let moves = position.legal_moves();
        // Players pass only if they cannot place a tile: the boards fill better.
        let action = match moves.len() {
            1 => moves[0],
            more => moves[1 + dice.below(more - 1)],
        };
        played.push((position, Some(LastMove::pavilion(seat, action))));
        position.play_unchecked(action, &mut ());
    }
}

/// Each position with the move that led to it.
fn shifted<P>(played: Vec<(P, Option<LastMove>)>) -> Vec<(P, Option<LastMove>)> {
    let (positions, next): (Vec<_>, Vec<_>) = played.into_iter().unzip();
    positions.into_iter().zip([None].into_iter().chain(next)).collect()
}
