//! Deadlines: the caller's `grpc-timeout`, capped by the server. A late call is answered with
//! `DEADLINE_EXCEEDED`; the transport alone would answer `CANCELLED`.

use std::time::{Duration, Instant};

use http::{HeaderMap, HeaderName};

static GRPC_TIMEOUT: HeaderName = HeaderName::from_static("grpc-timeout");

/// When a call has to be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline(Instant);

impl Deadline {
    #[must_use]
    pub fn has_passed(&self) -> bool {
        Instant::now() >= self.0
    }

    pub(crate) const fn instant(self) -> Instant {
        self.0
    }

    /// The caller's deadline, or the server's if that is earlier.
    pub(crate) fn within(allowed: Option<Duration>, cap: Duration) -> Self {
        Self::after(allowed.map_or(cap, |time| with_margin(time).min(cap)))
    }

    pub(crate) fn after(time: Duration) -> Self {
        Self(Instant::now() + time)
    }
}

/// The header `grpc-timeout`, a number of at most eight digits and a unit. The protocol does not say
/// what to do with an invalid one: it is ignored.
pub(crate) fn allowed(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(&GRPC_TIMEOUT)?.to_str().ok()?;
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    if digits.is_empty() || digits.len() > 8 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number: u64 = digits.parse().ok()?;
    match unit {
        "H" => Some(Duration::from_secs(number * 3600)),
        "M" => Some(Duration::from_secs(number * 60)),
        "S" => Some(Duration::from_secs(number)),
        "m" => Some(Duration::from_millis(number)),
        "u" => Some(Duration::from_micros(number)),
        "n" => Some(Duration::from_nanos(number)),
        _ => None,
    }
}

/// A little less than the caller allows: the answer must reach the caller in time, and the timer of
/// the transport, which answers `CANCELLED`, must not fire first.
fn with_margin(allowed: Duration) -> Duration {
    allowed.saturating_sub((allowed / 10).min(Duration::from_millis(5)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Duration> {
        let mut headers = HeaderMap::new();
        headers.insert("grpc-timeout", text.parse().unwrap());
        allowed(&headers)
    }

    #[test]
    fn a_timeout_is_a_number_and_a_unit() {
        assert_eq!(read("200m"), Some(Duration::from_millis(200)));
        assert_eq!(read("1S"), Some(Duration::from_secs(1)));
        assert_eq!(read("99999999H"), Some(Duration::from_hours(99_999_999)));
        assert_eq!(read("5u"), Some(Duration::from_micros(5)));
    }

    #[test]
    fn an_invalid_timeout_is_ignored() {
        for text in ["", "S", "5", "-1S", "1s", "123456789S", "+5S", "5é"] {
            let mut headers = HeaderMap::new();
            headers.insert("grpc-timeout", http::HeaderValue::from_bytes(text.as_bytes()).unwrap());
            assert_eq!(allowed(&headers), None, "{text:?}");
        }
    }
}
