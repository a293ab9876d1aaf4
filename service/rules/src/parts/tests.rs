//! The parts by themselves, with the colors of both games.

use alloc::vec::Vec;

use rstest::rstest;

use super::*;
use crate::azul::Color::{Black, Blue, Red, White, Yellow};
use crate::{azul, pavilion};

fn tiles(text: &str) -> Tiles<azul::Color> {
    Word { text, at: 1 }.tiles().unwrap()
}

#[test]
fn a_heap_counts_its_tiles_by_color() {
    let heap = tiles("B20YR3");

    assert_eq!([Blue, Yellow, Red, Black, White].map(|color| heap.count(color)), [20, 1, 3, 0, 0]);
    assert_eq!((heap.total(), heap.colors()), (24, 3));
    assert_eq!(Tiles::<pavilion::Color>::full_box().total(), 132);
    assert_eq!(Tiles::<azul::Color>::full_box().total(), 100);
}

#[rstest]
#[case::itself("B2Y", "B2Y", true)]
#[case::nothing("B2Y", "-", true)]
#[case::fewer("B20Y20R20K20W20", "B19Y20K", true)]
#[case::one_more("B2Y", "B3", false)]
#[case::another_color("B2Y", "W", false)]
#[case::more_of_one_less_of_another("B20Y", "Y2", false)]
fn a_heap_contains_another_if_it_has_every_tile_of_it(
    #[case] heap: &str,
    #[case] other: &str,
    #[case] contains: bool,
) {
    assert_eq!(tiles(heap).contains(tiles(other)), contains);
}

#[test]
fn a_tally_counts_more_tiles_than_the_box_holds() {
    let largest =
        pavilion::Color::ALL.map(|color| Tiles::of(color, Tiles::<pavilion::Color>::MOST));
    let heap = largest.into_iter().fold(Tiles::EMPTY, |all, one| all + one);

    let tally: Tally<pavilion::Color> = core::iter::repeat_n(heap, 33).collect();

    assert_eq!(pavilion::Color::ALL.map(|color| tally.count(color)), [33 * 31; 6]);
    let tally: Tally<azul::Color> = [tiles("B20YW"), tiles("B19R3")].into_iter().collect();
    assert_eq!(azul::Color::ALL.map(|color| tally.count(color)), [39, 1, 3, 0, 1]);
}

#[test]
fn the_tiles_of_a_heap_laid_out_by_color_can_be_counted_off() {
    let heap = tiles("B2RW");

    let laid_out: Vec<_> = (0..5).map(|index| heap.nth(index)).collect();

    assert_eq!(laid_out, [Some(Blue), Some(Blue), Some(Red), Some(White), None]);
}

#[test]
fn presence_is_one_tile_of_each_color_at_hand() {
    for count in 1..=20 {
        assert_eq!((Tiles::of(Yellow, count) + Tiles::of(White, 20)).presence(), tiles("YW"));
    }
    assert_eq!(tiles("B16R17").present().collect::<Vec<_>>(), [Blue, Red]);
}

#[test]
fn the_multisets_of_a_heap_come_in_order_and_each_once() {
    let listed: Vec<_> = tiles("B2YR").multisets(2).collect();

    assert_eq!(listed, ["B2", "BY", "BR", "YR"].map(tiles));
    assert_eq!(tiles("B2").multisets(3).count(), 0);
    assert_eq!(tiles("-").multisets(0).collect::<Vec<_>>(), [Tiles::EMPTY]);
}

#[test]
fn a_multiset_has_the_number_at_which_it_is_listed() {
    for size in 0..=4 {
        let all = Tiles::<pavilion::Color>::full_box().multisets(size);
        let mut count = 0;
        for (number, multiset) in all.enumerate() {
            assert_eq!(multiset_rank(multiset), number);
            assert_eq!(multiset_at(size.into(), number), Some(multiset));
            count += 1;
        }
        assert_eq!(multiset_count(6, size.into()), count);
        assert_eq!(multiset_at::<pavilion::Color>(size.into(), count), None);
    }
}

/// Three tiles of a bag of four, counted by hand: C(4,3) = 4 ways.
#[test]
fn the_probability_of_a_deal_is_exact() {
    let stock = Stock { bag: tiles("B2YR"), discards: tiles("W5"), drawn: 0 };

    let outcomes: Vec<_> = stock.outcomes(3).map(|outcome| (outcome.tiles, outcome.ways)).collect();

    assert_eq!(outcomes, [(tiles("B2Y"), 1), (tiles("B2R"), 1), (tiles("BYR"), 2)]);
    assert!(stock.outcomes(3).all(|outcome| outcome.all_ways == 4));
}

/// The bag's two tiles come for sure; two of the lid's three follow.
#[test]
fn a_deal_that_empties_the_bag_goes_on_with_the_discards() {
    let stock = Stock { bag: tiles("BY"), discards: tiles("W2K"), drawn: 0 };

    let outcomes: Vec<_> = stock.outcomes(4).map(|outcome| (outcome.tiles, outcome.ways)).collect();

    assert_eq!(outcomes, [(tiles("BYKW"), 2), (tiles("BYW2"), 1)]);
}

#[rstest]
#[case::too_few("BBB", BadDeal::Size { due: 4, found: 3 })]
#[case::too_many("B5", BadDeal::Size { due: 4, found: 5 })]
#[case::tile_left_in_bag("BKW2", BadDeal::LeftInBag { color: Yellow, left: 1, found: 0 })]
#[case::not_even_in_the_lid("BYR2", BadDeal::NotInDiscards { color: Red, available: 0, found: 2 })]
fn a_deal_that_cannot_be_drawn_is_refused(
    #[case] deal: &str,
    #[case] refusal: BadDeal<azul::Color>,
) {
    let mut stock = Stock { bag: tiles("BY"), discards: tiles("W2K"), drawn: 9 };

    assert_eq!(stock.fill_with(4, tiles(deal)), Err(refusal));

    assert_eq!((stock.bag, stock.discards, stock.drawn), (tiles("BY"), tiles("W2K"), 9));
}

#[test]
fn a_color_that_the_bag_lacks_is_refused_while_the_bag_suffices() {
    let mut stock = Stock { bag: tiles("B3Y2"), discards: tiles("W9"), drawn: 0 };

    let refused = stock.fill_with(4, tiles("B3W"));

    assert_eq!(refused, Err(BadDeal::NotInBag { color: White, available: 0, found: 1 }));
}

#[test]
fn seats_follow_each_other_clockwise() {
    use Seat::{First, Fourth, Second, Third};

    let from = |players: PlayerCount, start| players.clockwise_from(start).collect::<Vec<_>>();

    assert_eq!(from(PlayerCount::Two, Second), [Second, First]);
    assert_eq!(from(PlayerCount::Three, Third), [Third, First, Second]);
    assert_eq!(from(PlayerCount::Four, Third), [Third, Fourth, First, Second]);
    assert!(Seat::try_at(PlayerCount::Two, 2).is_err());
    assert_eq!(Seat::try_at(PlayerCount::Four, 3), Ok(Fourth));
}

#[test]
fn equal_keys_share_a_rank_and_the_next_is_left_out() {
    assert_eq!(ranks(&[5, 9, 9, 1])[..], [3, 1, 1, 4]);
    assert_eq!(winners(PlayerCount::Three, &[2, 1, 1])[..], [Seat::Second, Seat::Third]);
}

#[rstest]
#[case::unknown_letter("BBX", 3, "the letter of a color")]
#[case::nothing_at_all("", 1, "tiles, or '-' for none")]
#[case::none_of_it("B0", 1, "a count of at least 1 after the letter")]
#[case::more_than_the_box("Y2B21", 3, "no more tiles of a color than the box holds")]
fn a_heap_that_cannot_be_read_is_refused_with_its_place(
    #[case] text: &str,
    #[case] at: usize,
    #[case] expected: &'static str,
) {
    assert_eq!(Word { text, at: 1 }.tiles::<azul::Color>(), Err(BadText { at, expected }));
}

#[test]
fn a_seed_is_read_from_64_digits_and_never_shown() {
    let text = "0f".repeat(32);

    let seed: Seed = text.parse().unwrap();

    assert_eq!(seed.bytes(), &[15; 32]);
    assert_eq!(seed.to_hex(), text);
    assert_eq!(alloc::format!("{seed:?}"), "Seed(..)");
    assert_eq!("0f".parse::<Seed>(), Err(BadSeed::Length { found: 2 }));
    assert_eq!(text.replacen('f', "x", 1).parse::<Seed>(), Err(BadSeed::Digit { at: 2 }));
}

#[test]
fn positions_are_small_and_copied_freely() {
    fn is_copy<T: Copy>() {}
    is_copy::<azul::Position>();
    is_copy::<pavilion::Position>();

    assert_eq!(size_of::<azul::Position>(), 188);
    assert_eq!(size_of::<azul::Move>(), 3);
    assert_eq!(size_of::<pavilion::Position>(), 360);
}
