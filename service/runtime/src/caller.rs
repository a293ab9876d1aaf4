//! Who makes a call. The services know their tokens; the server only counts.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

use http::HeaderMap;

/// Who makes a call, by the token that came with it. The number tells owners apart: bots of one
/// owner share a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// Without a valid token.
    Anonymous,
    Bot(u64),
    /// An owner of bots.
    Owner(u64),
    Organiser,
}

/// Finds the caller by the headers of a call.
#[derive(Clone)]
pub struct Identify(Arc<dyn Fn(&HeaderMap) -> Caller + Send + Sync>);

impl Identify {
    pub fn new(identify: impl Fn(&HeaderMap) -> Caller + Send + Sync + 'static) -> Self {
        Self(Arc::new(identify))
    }

    pub(crate) fn caller(&self, headers: &HeaderMap) -> Caller {
        (self.0)(headers)
    }
}

impl fmt::Debug for Identify {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Identify")
    }
}

/// Whose share of a limit is used: that of a holder of a token, or that of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Share {
    Holder(u64),
    Address(IpAddr),
}

impl Share {
    /// The share of the caller of a request, for limits of services; none if the server does not
    /// distinguish callers.
    #[must_use]
    pub fn of(extensions: &http::Extensions) -> Option<Self> {
        extensions.get().copied()
    }

    /// One network of IPv6 is one peer: its owner can choose among all its addresses.
    pub(crate) fn of_address(address: IpAddr) -> Self {
        Self::Address(match address.to_canonical() {
            IpAddr::V4(address) => IpAddr::V4(address),
            IpAddr::V6(address) => {
                const HOST: u128 = u64::MAX as u128;
                IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !HOST))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_one_ipv6_network_are_one_peer_and_mapped_ones_are_ipv4() {
        let share = |text: &str| Share::of_address(text.parse().unwrap());
        assert_eq!(share("2001:db8:1:2:3:4:5:6"), share("2001:db8:1:2::1"));
        assert_ne!(share("2001:db8:1:2::1"), share("2001:db8:1:3::1"));
        assert_eq!(share("::ffff:192.0.2.1"), share("192.0.2.1"));
        assert_ne!(share("192.0.2.1"), share("192.0.2.2"));
    }
}
