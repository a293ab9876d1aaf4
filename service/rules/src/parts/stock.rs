use thiserror::Error;

use super::{Chance, Outcomes, TileColor, Tiles};

/// The bag, the discards (the lid of Azul, the tower of Summer Pavilion) and how many tiles have
/// been drawn so far. It has only counts: there is no order of tiles to peek at.
#[derive(Clone, Copy, Debug)]
pub struct Stock<C: TileColor> {
    pub bag: Tiles<C>,
    pub discards: Tiles<C>,
    pub drawn: u32,
}

/// How one display was filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filled<C: TileColor> {
    pub tiles: Tiles<C>,
    /// If the bag ran empty and the discards were tipped into it: after how many tiles.
    pub tipped_after: Option<u8>,
}

/// Tiles that this deal cannot have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BadDeal<C: TileColor> {
    #[error("no deal is due")]
    NotDue,
    #[error("this deal has {due} tiles, not {found}")]
    Size { due: u8, found: u8 },
    #[error("the bag holds no more than {available} {color:?} tiles, the deal has {found}")]
    NotInBag { color: C, available: u8, found: u8 },
    #[error(
        "the bag runs empty in this deal, so all its {left} {color:?} tiles must come, not {found}"
    )]
    LeftInBag { color: C, left: u8, found: u8 },
    #[error("bag and discards hold no more than {available} {color:?} tiles, the deal has {found}")]
    NotInDiscards { color: C, available: u8, found: u8 },
}

impl<C: TileColor> Stock<C> {
    /// A full bag, nothing drawn.
    #[must_use]
    pub fn new() -> Self {
        Self { bag: Tiles::full_box(), discards: Tiles::EMPTY, drawn: 0 }
    }

    #[must_use]
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.bag.is_empty() && self.discards.is_empty()
    }

    /// How many tiles a display with `room` free places gets.
    #[must_use]
    pub fn due(&self, room: u8) -> u8 {
        room.min(self.bag.total() + self.discards.total())
    }

    /// Fills a display with `room` free places, tile by tile.
    ///
    /// Azul: "Preparing the next round" (discards lie in the lid). Summer Pavilion: "Phase 3"
    /// (discards lie in the tower). Only when a tile is needed and the bag is empty are the
    /// discards tipped in; if both are empty, the display stays short.
    pub fn fill(&mut self, room: u8, chance: &mut impl Chance<C>) -> Filled<C> {
        let mut filled = Filled { tiles: Tiles::EMPTY, tipped_after: None };
        for laid in 0..room {
            if self.bag.is_empty() {
                if self.discards.is_empty() {
                    break;
                }
                self.bag = self.discards.take();
                filled.tipped_after = Some(laid);
            }
            let color = chance.draw(self.bag, self.drawn);
            self.bag.remove(color, 1);
            self.drawn += 1;
            filled.tiles.put(color, 1);
        }
        filled
    }

    /// Fills a display with `room` free places with these tiles, if they can be drawn.
    pub fn fill_with(&mut self, room: u8, tiles: Tiles<C>) -> Result<Filled<C>, BadDeal<C>> {
        self.check(room, tiles)?;
        let tipped_after = (tiles.total() > self.bag.total()).then(|| self.bag.total());
        if tipped_after.is_some() {
            self.bag += self.discards.take();
        }
        self.bag -= tiles;
        self.drawn += u32::from(tiles.total());
        Ok(Filled { tiles, tipped_after })
    }

    fn check(&self, room: u8, tiles: Tiles<C>) -> Result<(), BadDeal<C>> {
        let (due, size) = (self.due(room), tiles.total());
        if size != due {
            return Err(BadDeal::Size { due, found: size });
        }
        let runs_empty = due > self.bag.total();
        for &color in C::ALL {
            let (found, left) = (tiles.count(color), self.bag.count(color));
            let available = left + self.discards.count(color);
            if !runs_empty && found > left {
                return Err(BadDeal::NotInBag { color, available: left, found });
            }
            if runs_empty && found < left {
                return Err(BadDeal::LeftInBag { color, left, found });
            }
            if runs_empty && found > available {
                return Err(BadDeal::NotInDiscards { color, available, found });
            }
        }
        Ok(())
    }

    /// Every way in which a display with `room` free places can be filled, with its probability.
    #[must_use]
    pub fn outcomes(&self, room: u8) -> Outcomes<C> {
        let due = self.due(room);
        match due.checked_sub(self.bag.total()) {
            None | Some(0) => Outcomes::new(Tiles::EMPTY, self.bag, due),
            Some(more) => Outcomes::new(self.bag, self.discards, more),
        }
    }
}

impl<C: TileColor> Default for Stock<C> {
    fn default() -> Self {
        Self::new()
    }
}
