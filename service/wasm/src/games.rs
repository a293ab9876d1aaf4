//! Single games.

use azulejo_play::{Game, PlayError, Ruleset, Start, playouts};

use crate::Failure;
use crate::engine::{Engine, Options, bot, check_memory, small};

/// What [`Engine::status`] says instead of a seat.
const OVER: u32 = 4;
const DEAL_DUE: u32 = 5;

/// The seat that has to decide, 4 after the end, or 5 before a deal.
#[inline]
fn status(game: &Game) -> u32 {
    match game.current_player() {
        Some(seat) => small(seat),
        None if game.is_terminal() => OVER,
        None => DEAL_DUE,
    }
}

impl Engine {
    /// Lines: ruleset, chance, start seat.
    pub fn new_game(&mut self, length: u32) -> Result<u32, Failure> {
        let mut lines = Options::of(self.text(length)?);
        let ruleset = lines.text();
        let chance = lines.chance()?;
        let seat = lines.seat("the number of a seat")?.unwrap_or_default();
        let game = Game::new(ruleset, Start { chance, seat })?;
        self.add_game(game)
    }

    /// Lines: chance, position.
    pub fn parse_game(&mut self, length: u32) -> Result<u32, Failure> {
        let mut lines = Options::of(self.text(length)?);
        let chance = lines.chance()?;
        let game = Game::parse(lines.text(), chance)?;
        self.add_game(game)
    }

    /// Lines: ruleset, chance; then the values, directly behind them.
    pub fn observed_game(&mut self, length: u32, values: u32) -> Result<u32, Failure> {
        let mut lines = Options::of(self.text(length)?);
        let ruleset = lines.text();
        let chance = lines.chance()?;
        let all = self.bytes(length.saturating_add(values))?;
        let game = Game::from_observation(ruleset, &all[length as usize..], chance)?;
        self.add_game(game)
    }

    /// Lines: chance; then the encoded state, directly behind them.
    pub fn game_of_state(&mut self, length: u32, bytes: u32) -> Result<u32, Failure> {
        let chance = Options::of(self.text(length)?).chance()?;
        let all = self.bytes(length.saturating_add(bytes))?;
        let game = Game::from_state(&all[length as usize..], chance)?;
        self.add_game(game)
    }

    pub fn clone_game(&mut self, game: u32) -> Result<u32, Failure> {
        let copy = self.game(game)?.clone();
        self.add_game(copy)
    }

    /// Makes a game equal to another, without a new handle. Returns its status.
    pub fn copy_game(&mut self, game: u32, from: u32) -> Result<u32, Failure> {
        let copy = self.game(from)?.clone();
        let game = self.game_mut(game)?;
        *game = copy;
        Ok(status(game))
    }

    pub fn free_game(&mut self, game: u32) -> Result<u32, Failure> {
        self.games.remove(game).map(|_| 0).ok_or(Failure::Handle(game))
    }

    pub fn status(&self, game: u32) -> Result<u32, Failure> {
        self.game(game).map(status)
    }

    pub fn ruleset(&mut self, game: u32) -> Result<u32, Failure> {
        let key = self.game(game)?.ruleset().key();
        Ok(self.write(key))
    }

    pub fn round(&self, game: u32) -> Result<u32, Failure> {
        Ok(self.game(game)?.round().into())
    }

    #[inline]
    pub fn legal(&mut self, game: u32) -> Result<u32, Failure> {
        let found = self.games.get(game).ok_or(Failure::Handle(game))?;
        Ok(small(found.write_actions(&mut self.legal)?))
    }

    /// Returns the number of legal moves.
    #[inline]
    pub fn mask(&mut self, game: u32) -> Result<u32, Failure> {
        let found = self.games.get(game).ok_or(Failure::Handle(game))?;
        Ok(found.write_mask(&mut self.mask[..found.action_count()])?)
    }

    #[inline]
    pub fn apply(&mut self, game: u32, action: u32) -> Result<u32, Failure> {
        let game = self.game_mut(game)?;
        let Ok(action) = u16::try_from(action) else {
            let (id, count) = (action.cast_signed().into(), game.action_count());
            return Err(PlayError::NoSuchAction { id, count }.into());
        };
        game.apply(action)?;
        Ok(status(game))
    }

    pub fn apply_text(&mut self, game: u32, length: u32) -> Result<u32, Failure> {
        let action = self.text(length)?.to_owned();
        let game = self.game_mut(game)?;
        game.apply_text(&action)?;
        Ok(status(game))
    }

    pub fn action_text(&mut self, game: u32, action: u32) -> Result<u32, Failure> {
        let found = self.game(game)?;
        let count = found.action_count();
        let no_such = |_| PlayError::NoSuchAction { id: action.cast_signed().into(), count };
        let text = found.action_text(u16::try_from(action).map_err(no_such)?)?;
        Ok(self.write(text))
    }

    pub fn action_id(&self, game: u32, length: u32) -> Result<u32, Failure> {
        Ok(self.game(game)?.action_id(self.text(length)?)?.into())
    }

    /// A JSON object: each outcome with its probability.
    pub fn outcomes(&mut self, game: u32) -> Result<u32, Failure> {
        let outcomes = self.game(game)?.chance_outcomes()?;
        let json = serde_json::to_vec(&outcomes).unwrap_or_default();
        Ok(self.write(json))
    }

    pub fn deal(&mut self, game: u32, length: u32) -> Result<u32, Failure> {
        let tiles = self.text(length)?.to_owned();
        let game = self.game_mut(game)?;
        game.apply_outcome(&tiles)?;
        Ok(status(game))
    }

    pub fn sample(&mut self, game: u32, number: u64) -> Result<u32, Failure> {
        let game = self.game_mut(game)?;
        game.sample_outcome(number)?;
        Ok(status(game))
    }

    /// The input names the kind. The output has four bytes a seat.
    pub fn returns(&mut self, game: u32, length: u32) -> Result<u32, Failure> {
        let kind = Options::of(self.text(length)?).read()?.unwrap_or_default();
        let returns = self.game(game)?.returns(kind);
        Ok(self.write(returns.into_iter().flat_map(f32::to_le_bytes).collect::<Vec<_>>()))
    }

    /// Two bytes a seat.
    pub fn scores(&mut self, game: u32) -> Result<u32, Failure> {
        let scores = self.game(game)?.scores();
        Ok(self.write(scores.into_iter().flat_map(u16::to_le_bytes).collect::<Vec<_>>()))
    }

    /// A byte a seat.
    pub fn ranks(&mut self, game: u32) -> Result<u32, Failure> {
        let ranks = self.game(game)?.ranks();
        Ok(self.write(ranks))
    }

    /// Returns the number of values, all at the place of raw observations.
    pub fn observe(&mut self, game: u32, seat: u32) -> Result<u32, Failure> {
        let found = self.games.get(game).ok_or(Failure::Handle(game))?;
        let size = found.observation_size();
        found.observe(seat as usize, &mut self.raw[..size])?;
        Ok(small(size))
    }

    /// The same, scaled, at the place of scaled observations.
    pub fn observe_scaled(&mut self, game: u32, seat: u32) -> Result<u32, Failure> {
        let found = self.games.get(game).ok_or(Failure::Handle(game))?;
        let size = found.observation_size();
        found.observe_scaled(seat as usize, &mut self.scaled[..size])?;
        Ok(small(size))
    }

    /// Eight bytes.
    pub fn hash(&mut self, game: u32) -> Result<u32, Failure> {
        let hash = self.game(game)?.hash();
        Ok(self.write(hash.to_le_bytes()))
    }

    pub fn position_text(&mut self, game: u32) -> Result<u32, Failure> {
        let text = self.game(game)?.text();
        Ok(self.write(text))
    }

    pub fn svg(&mut self, game: u32) -> Result<u32, Failure> {
        let svg = self.game(game)?.svg();
        Ok(self.write(svg))
    }

    pub fn drawing(&mut self, game: u32) -> Result<u32, Failure> {
        let drawing = self.game(game)?.drawing();
        Ok(self.write(drawing))
    }

    /// The input names a house bot.
    pub fn best_move(&self, game: u32, length: u32, seed: u64) -> Result<u32, Failure> {
        let bot = bot(self.text(length)?)?;
        Ok(self.game(game)?.best_move(bot, seed)?.into())
    }

    /// Returns the number of moves.
    pub fn play_out(&mut self, game: u32, seed: u64) -> Result<u32, Failure> {
        Ok(self.game_mut(game)?.play_out(seed))
    }

    /// The input names house bots, separated by spaces. The output has, for all games: two bytes for
    /// the points of each seat, four bytes for the length, a byte for the rank of each seat, a byte
    /// for the rounds.
    pub fn playouts(
        &mut self,
        game: u32,
        length: u32,
        games: u32,
        seed: u64,
    ) -> Result<u32, Failure> {
        let names = self.text(length)?.split_ascii_whitespace();
        let bots = names.map(bot).collect::<Result<Vec<_>, _>>()?;
        let start = self.game(game)?;
        // Collected once by game and once for all.
        check_memory((games as usize).saturating_mul(40))?;
        let found = playouts(start, games as usize, &bots, seed, 1)?;
        let mut output: Vec<u8> = found.scores.into_iter().flat_map(u16::to_le_bytes).collect();
        output.extend(found.lengths.into_iter().flat_map(u32::to_le_bytes));
        output.extend(found.ranks);
        output.extend(found.rounds);
        Ok(self.write(output))
    }

    /// The keys of all rulesets, one a line.
    pub fn rulesets(&mut self) -> u32 {
        let keys: Vec<String> = Ruleset::all().iter().map(Ruleset::key).collect();
        self.write(keys.join("\n"))
    }
}
