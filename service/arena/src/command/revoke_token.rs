use super::{Authority, Command};
use crate::names::public_part;
use crate::state::{ArenaState, Refusal};
use crate::store::{Act, Holder};
use crate::time::Now;

/// Revokes a token: an owner may revoke their own, an organiser any.
#[derive(Clone, Debug)]
pub struct RevokeToken {
    pub by: Authority,
    /// The token, or its public part.
    pub token: String,
}

impl Command for RevokeToken {
    type Reply = ();

    fn run(self, arena: &mut ArenaState, now: Now) -> Result<(), Refusal> {
        let Self { by, token } = self;
        let public = public_part(&token);
        let found = arena.tokens.get(public).ok_or(Refusal::NoSuchToken)?;
        let own = match (&found.holder, &by) {
            (_, Authority::Organiser(_)) => true,
            (Holder::Bot(bot), Authority::Owner(by)) => bot.owner() == by,
            (Holder::Owner(owner), Authority::Owner(by)) => owner == by,
            (Holder::Admin, Authority::Owner(_)) => false,
        };
        if !own {
            return Err(Refusal::NoSuchToken);
        }
        arena.revoke(public);
        if let Authority::Organiser(by) = by {
            arena.audit(by, Act::Revoke, public.to_owned(), String::new(), now);
        }
        Ok(())
    }
}
