//! The rulebooks, sentence by sentence.
