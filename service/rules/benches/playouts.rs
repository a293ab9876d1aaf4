//! Times of what `tests/instructions` counts. Clocks differ: compare within one run only.

use azulejo_rules::parts::{Chance, PlayerCount, Seat, Side, TileColor, Tiles};
use azulejo_rules::{azul, pavilion};
use divan::Bencher;

fn main() {
    divan::main();
}

/// A small fast generator, so that chance does not hide the rules.
struct Fast(u64);

impl Fast {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(self.0 >> 33).unwrap_or(0) % n
    }
}

impl<C: TileColor> Chance<C> for Fast {
    fn draw(&mut self, bag: Tiles<C>, _drawn: u32) -> C {
        let number = self.below(usize::from(bag.total()));
        bag.nth(u32::try_from(number).unwrap_or(0)).unwrap_or(C::ALL[0])
    }
}

#[divan::bench(args = [Side::Colored, Side::Gray])]
fn azul_game(bencher: Bencher<'_, '_>, side: Side) {
    let mut chance = Fast(1);
    bencher.bench_local(|| {
        let mut position =
            azul::Position::new(azul::Rules::new(side, PlayerCount::Two), Seat::First);
        let mut moves = azul::MoveList::new();
        loop {
            position.deal_all(&mut chance, &mut ());
            position.collect_moves(&mut moves);
            if moves.is_empty() {
                return position.score();
            }
            position.play_unchecked(moves[chance.below(moves.len())], &mut ());
        }
    });
}

#[divan::bench(args = [Side::Colored, Side::Gray])]
fn summer_pavilion_game(bencher: Bencher<'_, '_>, side: Side) {
    let mut chance = Fast(1);
    bencher.bench_local(|| {
        let mut position =
            pavilion::Position::new(pavilion::Rules::new(side, PlayerCount::Two), Seat::First);
        let mut moves = pavilion::MoveList::new();
        loop {
            position.deal_all(&mut chance, &mut ());
            position.collect_moves(&mut moves);
            if moves.is_empty() {
                return position.score();
            }
            position.play_unchecked(moves[chance.below(moves.len())], &mut ());
        }
    });
}

#[divan::bench(args = [1, 2, 3])]
fn azul_perft(bencher: Bencher<'_, '_>, depth: u32) {
    let rules = azul::Rules::new(Side::Colored, PlayerCount::Two);
    let mut position = azul::Position::new(rules, Seat::First);
    position.deal_all(&mut Fast(1), &mut ());
    bencher.bench_local(|| position.perft(divan::black_box(depth)));
}
