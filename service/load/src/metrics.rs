//! The metrics of a server in the Prometheus text format.

use anyhow::{Result, bail};

use crate::raw::http::{HttpConnection, OK};

/// All metrics at one moment.
#[derive(Clone, Debug)]
pub(super) struct Scrape(String);

impl Scrape {
    /// Reads them from a URL that ends with `/metrics`.
    pub(super) async fn read(url: &str) -> Result<Self> {
        let host = url.trim_end_matches("/metrics");
        let (status, body) = HttpConnection::connect(host).await?.get("/metrics").await?;
        if status != OK {
            bail!("{url}: HTTP status {status}");
        }
        Ok(Self(String::from_utf8(body.to_vec())?))
    }

    /// The sum of all samples with this name and this label.
    pub(super) fn sum(&self, name: &str, label: &str) -> f64 {
        self.samples(|sample| sample.starts_with(name) && sample.contains(label))
            .map(|(_, value)| value)
            .sum()
    }

    /// A histogram without labels, whose name begins and ends like this.
    pub(super) fn histogram(&self, begin: &str, end: &str) -> Option<Buckets> {
        let of_it = |sample: &str| {
            let name = sample.split_once("_bucket{").map(|(name, _)| name);
            name.is_some_and(|name| name.starts_with(begin) && name.ends_with(end))
        };
        let buckets = self.samples(of_it).filter_map(|(sample, count)| {
            let bound = sample.split_once("le=\"")?.1.split_once('"')?.0;
            Some((bound.parse().ok()?, count as u64))
        });
        let buckets: Vec<(f64, u64)> = buckets.collect();
        (!buckets.is_empty()).then_some(Buckets(buckets))
    }

    fn samples(&self, chosen: impl Fn(&str) -> bool) -> impl Iterator<Item = (&str, f64)> {
        let samples = self.0.lines().filter(|line| !line.starts_with('#'));
        let samples = samples.filter_map(|line| line.rsplit_once(' '));
        samples
            .filter(move |(sample, _)| chosen(sample))
            .filter_map(|(sample, value)| Some((sample, value.parse().ok()?)))
    }
}

/// A histogram: upper bounds, and how many values are not above them. The last bound is infinite.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Buckets(Vec<(f64, u64)>);

impl Buckets {
    pub(super) fn count(&self) -> u64 {
        self.0.last().map_or(0, |(_, count)| *count)
    }

    /// Adds the values between two scrapes.
    pub(super) fn add(&mut self, begin: &Self, end: &Self) {
        if self.0.is_empty() {
            self.0 = end.0.iter().map(|(bound, _)| (*bound, 0)).collect();
        }
        let counts = self.0.iter_mut().zip(begin.0.iter().zip(&end.0));
        for ((_, count), ((_, begin), (_, end))) in counts {
            *count += end.saturating_sub(*begin);
        }
    }

    /// Interpolated within its bucket. Values above the last finite bound count as that bound.
    pub(super) fn quantile(&self, quantile: f64) -> Option<f64> {
        let rank = quantile * self.count() as f64;
        let mut lower = (0.0, 0);
        for &(bound, count) in &self.0 {
            if count > lower.1 && count as f64 >= rank {
                if bound.is_infinite() {
                    return Some(lower.0);
                }
                let share = (rank - lower.1 as f64) / (count - lower.1) as f64;
                return Some(lower.0 + (bound - lower.0) * share.max(0.0));
            }
            lower = (bound, count);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{Buckets, Scrape};

    const TEXT: &str = "# HELP azulejo_arena_loop_delay_seconds Delay.
azulejo_arena_loop_delay_seconds_bucket{le=\"0.001\"} 90
azulejo_arena_loop_delay_seconds_bucket{le=\"0.002\"} 100
azulejo_arena_loop_delay_seconds_bucket{le=\"+Inf\"} 100
azulejo_arena_loop_delay_seconds_sum 0.2
calls_count{method=\"a/Heartbeat\",code=\"OK\"} 3
calls_count{method=\"a/Heartbeat\",code=\"ABORTED\"} 2
calls_count{method=\"a/Ready\",code=\"OK\"} 10
";

    fn buckets(counts: [u64; 3]) -> Buckets {
        Buckets([0.001, 0.002, f64::INFINITY].into_iter().zip(counts).collect())
    }

    #[test]
    fn histograms_are_read_by_the_ends_of_their_names() {
        let scrape = Scrape(TEXT.to_owned());

        let found = scrape.histogram("azulejo_arena_", "delay_seconds");
        assert_eq!(found, Some(buckets([90, 100, 100])));
        assert_eq!(scrape.histogram("azulejo_store_", "delay_seconds"), None);
        assert!((scrape.sum("calls_count", "/Heartbeat\"") - 5.0).abs() < 1e-9);
    }

    #[test]
    fn only_values_between_two_scrapes_count() {
        let mut sum = Buckets::default();
        sum.add(&buckets([90, 100, 100]), &buckets([91, 105, 106]));
        sum.add(&buckets([200, 300, 400]), &buckets([200, 302, 402]));

        assert_eq!(sum, buckets([1, 7, 8]));
        assert_eq!(sum.count(), 8);
    }

    #[test]
    fn quantiles_are_interpolated_within_their_bucket() {
        let buckets = buckets([50, 100, 100]);

        let close =
            |quantile, expected: f64| (buckets.quantile(quantile).unwrap() - expected).abs() < 1e-9;
        assert!(close(0.25, 0.0005));
        assert!(close(0.5, 0.001));
        assert!(close(0.75, 0.0015));
        assert!(close(1.0, 0.002));
    }

    #[test]
    fn a_quantile_above_all_bounds_is_the_last_bound() {
        assert_eq!(buckets([0, 0, 10]).quantile(0.5), Some(0.002));
        assert_eq!(Buckets::default().quantile(0.5), None);
        assert_eq!(buckets([0, 0, 0]).quantile(0.5), None);
    }
}
