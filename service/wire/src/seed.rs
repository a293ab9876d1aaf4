use azulejo_rules::parts::Seed;

use crate::game::v1 as pb;
use crate::{BadField, Problem};

impl TryFrom<pb::Seed> for Seed {
    type Error = BadField;

    fn try_from(message: pb::Seed) -> Result<Self, BadField> {
        let pb::Seed { seed } = message;
        match seed.ok_or_else(|| BadField::missing("seed"))? {
            pb::seed::Seed::Key(key) => <[u8; 32]>::try_from(key.as_slice())
                .map(Self::new)
                .map_err(|_| BadField::new("key", Problem::SeedLength { found: key.len() })),
            pb::seed::Seed::Number(number) => Ok(Self::from_number(number)),
        }
    }
}

impl From<&Seed> for pb::Seed {
    fn from(seed: &Seed) -> Self {
        Self { seed: Some(pb::seed::Seed::Key(seed.bytes().to_vec())) }
    }
}
