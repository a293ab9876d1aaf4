use super::Command;
use crate::names::{BotId, Owner};
use crate::state::{ArenaState, Refusal};
use crate::store::Holder;
use crate::time::Now;

/// Creates another token of a bot.
#[derive(Clone, Debug)]
pub struct CreateToken {
    pub by: Owner,
    pub bot: BotId,
}

impl Command for CreateToken {
    type Reply = String;

    fn run(self, arena: &mut ArenaState, now: Now) -> Result<String, Refusal> {
        arena.check_owner(&self.by, &self.bot)?;
        arena.check_banned(&self.by)?;
        Ok(arena.create_token("azb", Holder::Bot(self.bot), now))
    }
}
