//! Objects behind handles: numbers that a host keeps and that are checked on every use.

/// Bits of a handle that are a place; the others count how often the place was used.
const PLACE_BITS: u32 = 20;
const USES: u32 = 1 << (31 - PLACE_BITS);

/// The most objects at a time.
pub(crate) const MOST: u32 = 1 << PLACE_BITS;

#[derive(Debug)]
struct Place<T> {
    uses: u32,
    object: Option<T>,
}

/// Objects behind handles. A handle is positive and becomes invalid when its object is removed.
#[derive(Debug)]
pub(crate) struct Slab<T> {
    places: Vec<Place<T>>,
    free: Vec<u32>,
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Self { places: Vec::new(), free: Vec::new() }
    }
}

impl<T> Slab<T> {
    /// The handle of a new object; `None` if there are too many.
    pub(crate) fn insert(&mut self, object: T) -> Option<u32> {
        if let Some(index) = self.free.pop() {
            let place = &mut self.places[index as usize];
            // Starts at 1, so that 0 is never a handle.
            place.uses = place.uses % (USES - 1) + 1;
            place.object = Some(object);
            return Some(place.uses << PLACE_BITS | index);
        }
        let index = u32::try_from(self.places.len()).ok().filter(|&index| index >> PLACE_BITS == 0);
        let index = index?;
        self.places.push(Place { uses: 1, object: Some(object) });
        Some(1 << PLACE_BITS | index)
    }

    #[inline]
    pub(crate) fn get(&self, handle: u32) -> Option<&T> {
        let place = self.places.get((handle & (MOST - 1)) as usize)?;
        if place.uses == handle >> PLACE_BITS { place.object.as_ref() } else { None }
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, handle: u32) -> Option<&mut T> {
        let place = self.places.get_mut((handle & (MOST - 1)) as usize)?;
        if place.uses == handle >> PLACE_BITS { place.object.as_mut() } else { None }
    }

    pub(crate) fn remove(&mut self, handle: u32) -> Option<T> {
        let index = handle & (MOST - 1);
        let place = self.places.get_mut(index as usize)?;
        if place.uses != handle >> PLACE_BITS {
            return None;
        }
        let object = place.object.take()?;
        self.free.push(index);
        Some(object)
    }

    /// The number of objects.
    pub(crate) fn count(&self) -> usize {
        self.places.len() - self.free.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_is_valid_until_its_object_is_removed() {
        let mut slab = Slab::default();
        let first = slab.insert('a').unwrap();
        let second = slab.insert('b').unwrap();
        assert_eq!(slab.remove(first), Some('a'));
        assert_eq!(slab.get(first), None);
        assert_eq!(slab.remove(first), None);
        let third = slab.insert('c').unwrap();
        assert_ne!(first, third);
        assert_eq!(
            (slab.get(first), slab.get(second), slab.get(third)),
            (None, Some(&'b'), Some(&'c'))
        );
        assert_eq!(slab.count(), 2);
    }

    #[test]
    fn no_number_is_a_handle_of_an_empty_slab() {
        let mut slab = Slab::<char>::default();
        for handle in [0, 1, 1 << PLACE_BITS, u32::MAX] {
            assert!(slab.get_mut(handle).is_none() && slab.remove(handle).is_none());
        }
    }

    #[test]
    fn a_place_that_is_used_often_has_positive_handles() {
        let mut slab = Slab::default();
        for use_ in 0..3 * USES {
            let handle = slab.insert(use_).unwrap();
            assert!(handle > 0 && i32::try_from(handle).is_ok());
            assert_eq!(slab.remove(handle), Some(use_));
        }
    }

    #[test]
    fn a_full_slab_refuses_further_objects() {
        let mut slab = Slab::default();
        assert!((0..MOST).all(|_| slab.insert(()).is_some()));
        assert_eq!(slab.insert(()), None);
    }
}
