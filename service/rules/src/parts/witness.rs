use alloc::vec::Vec;

/// Someone who is told what happens while a move or a deal is carried out.
///
/// `()` looks away, and costs nothing: that is how a search plays.
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
