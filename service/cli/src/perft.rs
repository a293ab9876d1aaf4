//! `azulejo perft`: counts sequences of moves.

use anyhow::{Context, Result, bail};
use azulejo_engine::Table;
use azulejo_rules::parts::{PlayerCount, Seat, Side, TileColor, Tiles, Word};
use azulejo_rules::{azul, pavilion};
use azulejo_terminal::options::{Board, Game};
use azulejo_terminal::output::{grouped, pointing_at, print_json, print_table, progress};
use clap::Args;
use serde::Serialize;

/// Count the sequences of moves from a position, to test a move generator.
///
/// There is no chance within a factory offer, so the number of sequences of a given length follows
/// from the rules: two correct engines agree on it. Sequences that reach a deal or the end of the game
/// earlier are not counted.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  azulejo perft --deal BBYR/BYKW/YYRK/RKKW/WWWB --depth 4
  azulejo perft --game summer-pavilion --deal OORRBBYYGG/OOPR/RRBG/BYYP/GGPO/YPBR --depth 3
  azulejo perft --position \"azul colored 2 round 1/50 offer turn 0 …\" --depth 3")]
pub(crate) struct Perft {
    /// Game of the deal.
    #[arg(long, value_enum, default_value = "azul")]
    game: Game,
    /// Side of the player boards, for the deal.
    #[arg(long, value_enum, default_value = "colored")]
    board: Board,
    /// Start from a new game with these factory displays, separated by `/`: 5, 7 or 9 for 2, 3 or 4
    /// players. For Summer Pavilion, the ten tiles of the supply come first.
    #[arg(long, required_unless_present = "position", conflicts_with = "position")]
    deal: Option<String>,
    /// Start from this position: one line of text, as printed by `azulejo position`.
    #[arg(long)]
    position: Option<String>,
    /// Number of moves.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// Print one line of JSON for this depth only, instead of a table of all depths.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct PerftReport {
    depth: u32,
    leaves: u64,
}

impl Perft {
    pub(crate) fn run(&self) -> Result<()> {
        let table = match &self.position {
            Some(text) => crate::position::parse(text)?,
            None => self.dealt(self.deal.as_deref().unwrap_or_default())?,
        };
        if self.json {
            let leaves = count_with_progress(&table, self.depth);
            return print_json(&PerftReport { depth: self.depth, leaves });
        }
        let rows = (1..=self.depth)
            .map(|depth| vec![depth.to_string(), grouped(count_with_progress(&table, depth))]);
        print_table(&["depth", "leaves"], rows);
        Ok(())
    }

    fn dealt(&self, deal: &str) -> Result<Table> {
        let side = self.board.into();
        Ok(match self.game {
            Game::Azul => azul_deal(deal, side)?.into(),
            Game::SummerPavilion => pavilion_deal(deal, side)?.into(),
        })
    }
}

/// Counts separately for each first move, to update the progress bar.
fn count_with_progress(table: &Table, depth: u32) -> u64 {
    let moves = table.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let bar = progress(moves.len() as u64, "first moves");
    let below = |action| {
        let mut child = *table;
        let leaves = child.play(action).map_or(0, |_| child.perft(depth - 1));
        bar.inc(1);
        leaves
    };
    let leaves = moves.into_iter().map(below).sum();
    bar.finish_and_clear();
    leaves
}

fn heaps<C: TileColor>(deal: &str) -> Result<Vec<Tiles<C>>> {
    let heaps = Word { text: deal, at: 1 }.heaps::<C, 10>();
    Ok(heaps.map_err(|bad| pointing_at(deal, Some(bad.at), &bad))?.to_vec())
}

fn players_for(factories: usize) -> Result<PlayerCount> {
    Ok(match factories {
        5 => PlayerCount::Two,
        7 => PlayerCount::Three,
        9 => PlayerCount::Four,
        other => bail!("a deal has 5, 7 or 9 factory displays, not {other}"),
    })
}

fn azul_deal(deal: &str, side: Side) -> Result<azul::Position> {
    let heaps = heaps(deal)?;
    let rules = azul::Rules::new(side, players_for(heaps.len())?);
    let mut position = azul::Position::new(rules, Seat::First);
    for (index, &tiles) in heaps.iter().enumerate() {
        let dealt = position.deal_exactly(tiles, &mut ());
        dealt.with_context(|| format!("factory display {}", index + 1))?;
    }
    Ok(position)
}

fn pavilion_deal(deal: &str, side: Side) -> Result<pavilion::Position> {
    let heaps = heaps(deal)?;
    let rules = pavilion::Rules::new(side, players_for(heaps.len().saturating_sub(1))?);
    let mut position = pavilion::Position::new(rules, Seat::First);
    for (index, &tiles) in heaps.iter().enumerate() {
        let dealt = position.deal_exactly(tiles, &mut ());
        dealt.with_context(|| match index {
            0 => "the supply (first group)".to_owned(),
            factory => format!("factory display {factory}"),
        })?;
    }
    Ok(position)
}
