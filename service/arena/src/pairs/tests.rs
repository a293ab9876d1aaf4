use super::*;
use crate::record::EndReason;

/// Random numbers between 0 and 1, the same ones in every run.
struct Dice(u64);

impl Dice {
    fn unit(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f64::from(u32::try_from(self.0 >> 32).unwrap()) / f64::from(u32::MAX)
    }
}

fn result(first: &str, second: &str) -> Vec<(Player, SeatEnd)> {
    let seat = |bot: &str, placement| {
        let player = Player { bot: bot.parse().unwrap(), version: "1".parse().unwrap() };
        (player, SeatEnd { placement, reason: EndReason::Finished, total: 0 })
    };
    vec![seat(first, 1), seat(second, 2)]
}

/// Bot `n` of its own owner; its strength is `n` / 10, about 17 points more than that of the one before.
fn name(n: u32) -> String {
    format!("owner{n}/bot")
}

/// The bot at this place among 40.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 39")]
fn bot_at(place: f64) -> u32 {
    place.clamp(0.0, 39.0) as u32
}

/// Honest matches: 40 bots play against bots of similar strength most of the time.
fn honest(matches: usize, dice: &mut Dice) -> Meetings {
    let mut meetings = Meetings::default();
    while meetings.matches() < matches {
        let one = bot_at(dice.unit() * 40.0);
        let spread = if dice.unit() < 0.8 { 6.0 } else { 40.0 };
        let place = f64::from(one) + (dice.unit() - 0.5) * 2.0 * spread;
        let two = bot_at(place);
        if one == two || !(0.0..40.0).contains(&place) {
            continue;
        }
        let difference = (f64::from(one) - f64::from(two)) / 10.0;
        let ahead = dice.unit() < 1.0 / (1.0 + (-difference).exp());
        let (winner, loser) = if ahead { (one, two) } else { (two, one) };
        meetings.add(&result(&name(winner), &name(loser)));
    }
    meetings
}

#[test]
fn honest_bots_that_meet_bots_of_similar_strength_are_not_suspicious() {
    for seed in 0..20 {
        let meetings = honest(6_000, &mut Dice(seed));
        assert_eq!(meetings.suspicious(99), [], "seed {seed}");
    }
}

#[test]
fn two_bots_that_play_almost_only_each_other_are_reported() {
    let mut dice = Dice(1);
    let mut meetings = honest(6_000, &mut dice);
    for number in 0..200 {
        let (winner, loser) = if number % 2 == 0 { ("ann/a", "bob/b") } else { ("bob/b", "ann/a") };
        meetings.add(&result(winner, loser));
    }
    for n in 0..20 {
        meetings.add(&result("ann/a", &name(n)));
        meetings.add(&result(&name(n + 20), "bob/b"));
    }
    let found = meetings.suspicious(99);
    let [pair] = &found[..] else { panic!("{found:?}") };
    assert_eq!((pair.meetings, pair.met_too_often, pair.one_sided), (200, true, false), "{pair:?}");
    assert!(pair.expected_meetings < 20.0, "{pair:?}");
}

#[test]
fn a_bot_that_loses_on_purpose_is_reported_although_the_ratings_agree_with_the_result() {
    let mut dice = Dice(2);
    let mut meetings = honest(6_000, &mut dice);
    // Both are average against others, with which they meet as often as with each other.
    for _ in 0..40 {
        meetings.add(&result("zoe/wins", "abe/loses"));
    }
    for bot in ["zoe/wins", "abe/loses"] {
        for n in 15..25 {
            for _ in 0..20 {
                meetings.add(&result(bot, &name(n)));
                meetings.add(&result(&name(n), bot));
            }
        }
    }
    let found = meetings.suspicious(99);
    let [pair] = &found[..] else { panic!("{found:?}") };
    assert_eq!(
        (pair.bot.to_string(), pair.opponent.to_string()),
        ("zoe/wins".into(), "abe/loses".into())
    );
    assert_eq!((pair.meetings, pair.met_too_often, pair.one_sided), (40, false, true), "{pair:?}");
    assert!(pair.score > 0.99 && (0.4..0.6).contains(&pair.expected_score), "{pair:?}");
}

#[test]
fn a_bot_that_is_better_than_all_others_is_not_suspicious() {
    let mut meetings = honest(6_000, &mut Dice(3));
    for n in 0..40 {
        for _ in 0..15 {
            meetings.add(&result("best/bot", &name(n)));
        }
    }
    assert_eq!(meetings.suspicious(99), []);
}

#[test]
fn bots_of_one_owner_and_house_bots_are_not_reported_and_neither_are_the_only_two() {
    let mut meetings = honest(6_000, &mut Dice(4));
    for _ in 0..100 {
        meetings.add(&result("ann/a", "ann/b"));
        meetings.add(&result("house/greedy", "ann/c"));
    }
    assert_eq!(meetings.suspicious(99), []);

    let mut two = Meetings::default();
    for _ in 0..100 {
        two.add(&result("ann/a", "bob/b"));
    }
    assert_eq!(two.suspicious(99), [], "nothing is known about them but this");
    assert_eq!(two.matches(), 100);
}

#[test]
fn only_the_last_results_are_examined() {
    let mut meetings = Meetings::default();
    for _ in 0..MOST_RESULTS + 7 {
        meetings.add(&result("ann/a", "bob/b"));
    }
    assert_eq!(meetings.matches(), MOST_RESULTS);
}
