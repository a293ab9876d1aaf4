//! Limits on what one bot or owner may do.

use std::num::NonZeroU32;

use azulejo_arena::grpc::CallLimits;
use azulejo_arena::state::Settings;
use clap::Args;

/// Limits per bot and per owner. Calls beyond them are refused with the reason `QUOTA`.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Limits of bots and owners")]
pub(super) struct Quotas {
    /// Bots of one owner.
    #[arg(long, env = "AZULEJO_BOTS_PER_OWNER", default_value = "20", value_name = "BOTS")]
    bots_per_owner: NonZeroU32,
    /// Running challenges of one owner.
    #[arg(
        long,
        env = "AZULEJO_CONCURRENT_CHALLENGES",
        default_value = "8",
        value_name = "MATCHES"
    )]
    concurrent_challenges: NonZeroU32,
    /// Challenges of one owner per minute.
    #[arg(
        long,
        env = "AZULEJO_CHALLENGES_PER_MINUTE",
        default_value = "120",
        value_name = "MATCHES"
    )]
    challenges_per_minute: NonZeroU32,
    /// New versions of one bot per day.
    #[arg(long, env = "AZULEJO_VERSIONS_PER_DAY", default_value = "20", value_name = "VERSIONS")]
    versions_per_day: NonZeroU32,
    /// How often the owner may resume a bot per day, after automatic pauses.
    #[arg(long, env = "AZULEJO_RESUMES_PER_DAY", default_value = "5", value_name = "RESUMES")]
    resumes_per_day: NonZeroU32,
    /// Calls of one bot per second, on average. It may make twice as many at once.
    #[arg(long, env = "AZULEJO_CALLS_PER_SECOND", default_value = "200", value_name = "CALLS")]
    calls_per_second: NonZeroU32,
    /// Sessions that one bot may open per minute.
    #[arg(
        long,
        env = "AZULEJO_SESSIONS_PER_MINUTE",
        default_value = "60",
        value_name = "SESSIONS"
    )]
    sessions_per_minute: NonZeroU32,
}

impl Quotas {
    pub(super) fn settings(&self, invited_only: bool) -> Settings {
        let limit = |limit: NonZeroU32| usize::try_from(limit.get()).unwrap_or(usize::MAX);
        Settings {
            invited_only,
            bots_per_owner: limit(self.bots_per_owner),
            concurrent_challenges: limit(self.concurrent_challenges),
            challenges_per_minute: limit(self.challenges_per_minute),
            versions_per_day: limit(self.versions_per_day),
            resumes_per_day: limit(self.resumes_per_day),
        }
    }

    pub(super) const fn calls(&self) -> CallLimits {
        CallLimits {
            per_second: self.calls_per_second,
            sessions_per_minute: self.sessions_per_minute,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Options {
        #[command(flatten)]
        quotas: Quotas,
    }

    #[test]
    fn the_defaults_of_the_options_are_those_of_the_arena() {
        let Options { quotas } = Options::parse_from(["azulejo"]);
        assert_eq!(format!("{:?}", quotas.settings(false)), format!("{:?}", Settings::default()));
        assert_eq!(quotas.calls(), CallLimits::default());
    }

    #[test]
    fn a_limit_of_zero_is_refused() {
        assert!(Options::try_parse_from(["azulejo", "--bots-per-owner", "0"]).is_err());
    }
}
