//! Texts that are nearly right.

use proptest::collection::vec;
use proptest::prelude::*;

/// One change to a text. Places are taken modulo its length.
#[derive(Clone, Debug)]
pub(crate) enum Mutation {
    Replace(usize, char),
    Insert(usize, char),
    Remove(usize),
    Swap(usize, usize),
    /// Copies the word at the first place over the one at the second.
    CopyWord(usize, usize),
    /// Exchanges two words of the same kind: the text stays readable, the table may not.
    ReplaceNumber(usize, u16),
    Cut(usize),
}

pub(crate) fn mutations() -> impl Strategy<Value = Vec<Mutation>> {
    let letter = prop_oneof![
        8 => prop::sample::select("BYRKWOGPC0123456789-/.:+=[]fcr ".chars().collect::<Vec<_>>()),
        1 => any::<char>(),
    ];
    let one = prop_oneof![
        4 => (any::<usize>(), letter.clone()).prop_map(|(at, to)| Mutation::Replace(at, to)),
        2 => (any::<usize>(), letter).prop_map(|(at, what)| Mutation::Insert(at, what)),
        2 => any::<usize>().prop_map(Mutation::Remove),
        2 => (any::<usize>(), any::<usize>()).prop_map(|(one, other)| Mutation::Swap(one, other)),
        2 => (any::<usize>(), any::<usize>()).prop_map(|(from, to)| Mutation::CopyWord(from, to)),
        3 => (any::<usize>(), any::<u16>()).prop_map(|(at, to)| Mutation::ReplaceNumber(at, to)),
        1 => any::<usize>().prop_map(Mutation::Cut),
    ];
    vec(one, 1..4)
}

pub(crate) fn mutated(text: &str, mutations: &[Mutation]) -> String {
    mutations.iter().fold(text.to_owned(), |text, mutation| apply(&text, mutation))
}

fn apply(text: &str, mutation: &Mutation) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    if letters.is_empty() {
        return text.to_owned();
    }
    let length = letters.len();
    match *mutation {
        Mutation::Replace(at, to) => letters[at % length] = to,
        Mutation::Insert(at, what) => letters.insert(at % (length + 1), what),
        Mutation::Remove(at) => drop(letters.remove(at % length)),
        Mutation::Swap(one, other) => letters.swap(one % length, other % length),
        Mutation::Cut(at) => letters.truncate(at % (length + 1)),
        Mutation::CopyWord(from, to) => {
            let mut words: Vec<&str> = text.split(' ').collect();
            let (from, to) = (from % words.len(), to % words.len());
            words[to] = words[from];
            return words.join(" ");
        }
        Mutation::ReplaceNumber(at, to) => {
            let number = (to % 300).to_string();
            let mut words: Vec<&str> = text.split(' ').collect();
            let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
            let numbers: Vec<usize> =
                (0..words.len()).filter(|&index| is_number(&words[index])).collect();
            if let Some(&chosen) = numbers.get(at % numbers.len().max(1)) {
                words[chosen] = &number;
            }
            return words.join(" ");
        }
    }
    letters.into_iter().collect()
}
