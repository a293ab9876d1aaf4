//! The rulebooks, sentence by sentence: one module for each of their headings.
//!
//! `service/rules/RULES.md` says which rule each test stands for; `map` keeps it true.

// Spelled out for clippy, which allows `unwrap` only where it can see that this is a test.
#[cfg(test)]
mod azul_end_of_game;
#[cfg(test)]
mod azul_factory_offer;
#[cfg(test)]
mod azul_gate;
#[cfg(test)]
mod azul_gray_wall;
#[cfg(test)]
mod azul_next_round;
#[cfg(test)]
mod azul_record_game;
#[cfg(test)]
mod azul_setup;
#[cfg(test)]
mod azul_table;
#[cfg(test)]
mod azul_wall_tiling;
#[cfg(test)]
mod map;
#[cfg(test)]
mod pavilion_acquire_tiles;
#[cfg(test)]
mod pavilion_bonus_tiles;
#[cfg(test)]
mod pavilion_end_of_game;
#[cfg(test)]
mod pavilion_gate;
#[cfg(test)]
mod pavilion_gray_board;
#[cfg(test)]
mod pavilion_next_round;
#[cfg(test)]
mod pavilion_passing;
#[cfg(test)]
mod pavilion_play_tiles;
#[cfg(test)]
mod pavilion_setup;
#[cfg(test)]
mod pavilion_table;
#[cfg(test)]
mod table;
