use alloc::vec::Vec;

/// Receives the events of a move or a deal.
///
/// `()` ignores them and costs nothing, for search.
pub trait Witness<E> {
    fn saw(&mut self, event: E);
}

impl<E> Witness<E> for () {
    #[inline]
    fn saw(&mut self, _: E) {}
}

impl<E> Witness<E> for Vec<E> {
    fn saw(&mut self, event: E) {
        self.push(event);
    }
}
