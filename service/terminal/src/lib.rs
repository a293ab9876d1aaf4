//! Shared by the commands of `azulejo`: options, output, seeds and drawings.
//!
//! | module | contents |
//! |---|---|
//! | [`interval`] | confidence intervals |
//! | [`options`] | `--game`, `--board`, `--players` |
//! | [`output`] | lines, tables, JSON, progress bars, error pointers |
//! | [`seed`] | `--seed` |
//! | [`view`] | boards in the terminal and as SVG files |

#[macro_use]
pub mod output;

pub mod interval;
pub mod options;
pub mod seed;
pub mod view;
