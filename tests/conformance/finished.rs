//! The last position of a game is as before another round: the marker or the token is in the center,
//! no seat has passed, and the seat that would start is to move.

use azulejo_rules::parts::{PlayerCount, Seat, Side, Source};
use azulejo_rules::{azul, pavilion};
use azulejo_tests::{Finished, Playable, Style, play_game};
use rstest::rstest;

const GAMES: u64 = 300;

/// Plays games and shows the last two positions and the move between them.
fn for_every_end<G: Playable>(
    side: Side,
    players: PlayerCount,
    check: impl Fn(&G, &Finished<G>, &str),
) {
    let styles = [Style::Uniform, Style::Eager, Style::Dear, Style::Monochrome];
    for (seed, style) in (0..GAMES).zip(styles.into_iter().cycle()) {
        let mut before = None;
        let finished = play_game::<G>(side, players, style, seed, |position, _| {
            if !position.is_over() {
                before = Some(*position);
            }
        });
        let game = format!("{} {side} {players:?} {style:?} seed {seed}", G::NAME);
        check(&before.unwrap(), &finished, &game);
    }
}

#[rstest]
fn a_finished_game_of_azul_waits_as_before_another_round(
    #[values(Side::Colored, Side::Gray)] side: Side,
    #[values(PlayerCount::Two, PlayerCount::Three, PlayerCount::Four)] players: PlayerCount,
) {
    for_every_end::<azul::Position>(side, players, |before, finished, game| {
        let last = azul::Setup::from(&finished.last);
        let from_center = matches!(
            finished.steps.last(),
            Some(azul::Step::Move(azul::Move::Take { source: Source::Center, .. }))
        );
        let taken = before.to_move().filter(|_| from_center);
        let next: Seat = before.marker().or(taken).unwrap_or(before.start());
        assert_eq!((last.start, last.turn, last.marker), (next, next, None), "{game}");
    });
}

#[rstest]
fn a_finished_game_of_summer_pavilion_waits_as_before_another_round(
    #[values(Side::Colored, Side::Gray)] side: Side,
    #[values(PlayerCount::Two, PlayerCount::Three, PlayerCount::Four)] players: PlayerCount,
) {
    for_every_end::<pavilion::Position>(side, players, |before, finished, game| {
        let last = pavilion::Setup::from(&finished.last);
        let next: Seat = before.token().unwrap_or(before.start());
        assert_eq!((last.start, last.turn, last.token), (next, next, None), "{game}");
        assert!(last.passed.is_empty() && last.round == 6, "{game}");
    });
}
