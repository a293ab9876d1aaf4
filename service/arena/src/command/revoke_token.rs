use super::Command;
use crate::names::{Owner, public_part};
use crate::state::{ArenaState, Refusal};
use crate::store::Holder;
use crate::time::Now;

/// Revokes a token: an owner may revoke their own, an organiser any.
#[derive(Clone, Debug)]
pub struct RevokeToken {
    /// None: an organiser.
    pub by: Option<Owner>,
    /// The token, or its public part.
    pub token: String,
}

impl Command for RevokeToken {
    type Reply = ();

    fn run(self, arena: &mut ArenaState, _now: Now) -> Result<(), Refusal> {
        let Self { by, token } = self;
        let public = public_part(&token);
        let found = arena.tokens.get(public).ok_or(Refusal::NoSuchToken)?;
        let own = match (&found.holder, &by) {
            (_, None) => true,
            (Holder::Bot(bot), Some(by)) => bot.owner() == by,
            (Holder::Owner(owner), Some(by)) => owner == by,
            (Holder::Admin, Some(_)) => false,
        };
        if !own {
            return Err(Refusal::NoSuchToken);
        }
        arena.revoke(public);
        Ok(())
    }
}
