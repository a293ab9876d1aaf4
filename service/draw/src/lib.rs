//! Draws a table of Azul or Summer Pavilion as an SVG document or as text for a terminal.
//!
//! Pure functions: a position goes in, a string comes out, and nothing is loaded.
//!
//! # Layout
//!
//! - [`Options`], [`TextOptions`], [`LastMove`]: options of a drawing.
//! - `svg/`: the picture. `paper.rs` writes SVG, `table.rs` draws what both games have in common,
//!   `tiles.rs` and `theme.rs` define shapes and colors; then one file per game and per board.
//! - `text/`: the same for a terminal, with or without colors.
//!
//! # A picture of each game
//!
//! ```
//! use azulejo_draw::{LastMove, Options, Theme, azul_svg, azul_text};
//! use azulejo_rules::azul::{Position, Rules};
//! use azulejo_rules::parts::{PlayerCount, Seat, Seed, Seeded, Side};
//!
//! let mut position = Position::new(Rules::new(Side::Colored, PlayerCount::Two), Seat::First);
//! position.deal_all(&mut Seeded(&Seed::from_number(1)), &mut ());
//! let action = position.legal_moves()[0];
//! position.play(action, &mut ())?;
//!
//! let names = vec!["Ana".to_owned(), "Rui".to_owned()];
//! let last = Some(LastMove::azul(Seat::First, action));
//! let svg = azul_svg(&position, &Options { theme: Theme::Dark, names, last });
//! assert!(svg.starts_with("<svg") && svg.contains("Ana"));
//! assert!(azul_text(&position, &Default::default()).contains("Player 1"));
//! # Ok::<(), azulejo_rules::azul::IllegalMove>(())
//! ```
//!
//! ```
//! use azulejo_draw::{Options, TextOptions, pavilion_svg, pavilion_text};
//! use azulejo_rules::parts::{PlayerCount, Seat, Side};
//! use azulejo_rules::pavilion::{Position, Rules};
//!
//! let position = Position::new(Rules::new(Side::Gray, PlayerCount::Four), Seat::First);
//! assert!(pavilion_svg(&position, &Options::default()).contains("data-star"));
//! assert!(pavilion_text(&position, &TextOptions::default()).contains("wild"));
//! ```
//!
//! # Attributes for programs
//!
//! Every tile is an element of class `tile` with `data-color` (its letter in the notation) and
//! `data-place`:
//!
//! | `data-place` | further attributes |
//! |---|---|
//! | `factory` | `data-index`, from 1 |
//! | `center`, `supply` | |
//! | `line` | `data-seat`, from 0; `data-row`, from 1 |
//! | `wall` | `data-seat`, `data-row`, `data-column` |
//! | `floor`, `hand` | `data-seat` |
//! | `star` | `data-seat`; `data-star`, its letter; `data-space`, 1 to 6 |
//!
//! The starting player marker, or token, has the class `marker`: in the `center`, on a `floor`, or
//! on a `board`. Elements of class `last` highlight the last move.

#![allow(
    clippy::cast_precision_loss,
    reason = "every number here counts tiles, seats or spaces of one table, far below 256"
)]

mod last_move;
mod options;
mod svg;
mod text;

pub use last_move::LastMove;
pub use options::{Options, TextOptions, Theme};
pub use svg::{azul_svg, pavilion_svg};
pub use text::{azul_text, pavilion_text};
