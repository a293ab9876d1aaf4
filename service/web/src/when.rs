//! Times for people.

use std::time::Duration;

use azulejo_arena::time::Wall;
use maud::{Markup, html};

/// "3 min ago", with the exact time as its title.
pub(crate) fn ago(then: Wall, now: Wall) -> Markup {
    let seconds = now.0.saturating_sub(then.0) / 1_000;
    let text = match seconds {
        0..60 => format!("{seconds} s ago"),
        60..3_600 => format!("{} min ago", seconds / 60),
        3_600..86_400 => format!("{} h ago", seconds / 3_600),
        _ => format!("{} d ago", seconds / 86_400),
    };
    let (date, clock) = calendar(then);
    html! { time datetime=(format!("{date}T{clock}Z")) title=(format!("{date} {clock} UTC")) { (text) } }
}

/// "2026-11-16 08:26:53 UTC".
pub(crate) fn exact(then: Wall) -> Markup {
    let (date, clock) = calendar(then);
    html! { time datetime=(format!("{date}T{clock}Z")) { (date) " " (clock) " UTC" } }
}

/// "9.87 s".
pub(crate) fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

/// Date and time of day in UTC.
fn calendar(Wall(millis): Wall) -> (String, String) {
    let seconds = millis / 1_000;
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Years that begin in March have their leap day at the end, and every 400 of them are alike.
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let date = format!("{:04}-{month:02}-{day:02}", era * 400 + year + next);
    (date, format!("{:02}:{:02}:{:02}", rest / 3_600, rest / 60 % 60, rest % 60))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_calendar_knows_leap_days() {
        let day = |seconds: u64| calendar(Wall(seconds * 1_000));
        let is = |date: &str, clock: &str| (date.to_owned(), clock.to_owned());
        assert_eq!(day(0), is("1970-01-01", "00:00:00"));
        assert_eq!(day(951_782_400), is("2000-02-29", "00:00:00"));
        assert_eq!(day(1_709_251_199), is("2024-02-29", "23:59:59"));
        assert_eq!(day(4_107_542_400), is("2100-03-01", "00:00:00"));
    }

    #[test]
    fn long_ago_is_shown_in_larger_units() {
        let text = |seconds: u64| ago(Wall(0), Wall(seconds * 1_000)).into_string();
        assert!(text(59).contains(">59 s ago<"));
        assert!(text(60).contains(">1 min ago<"));
        assert!(text(7_200).contains(">2 h ago<"));
        assert!(text(864_000).contains(">10 d ago<"));
    }
}
