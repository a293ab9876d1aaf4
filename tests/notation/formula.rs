//! The formulas of the document: whole numbers, names, `+ - * / %` and parentheses. Division rounds
//! down.

use std::collections::BTreeMap;

pub(crate) type Values = BTreeMap<String, usize>;

/// The value of a formula; an error if it has none.
pub(crate) fn value(formula: &str, values: &Values) -> Result<usize, String> {
    let mut reader = Reader { rest: formula, values };
    let value = reader.sum()?;
    if reader.rest.trim_start().is_empty() {
        Ok(value)
    } else {
        Err(format!("{formula}: {:?} cannot be read", reader.rest))
    }
}

/// The formula with numbers in place of the names.
pub(crate) fn with_numbers(formula: &str, values: &Values) -> String {
    let ends_word = |letter: char| !letter.is_alphanumeric();
    let words = formula.split_inclusive(ends_word).flat_map(|word| {
        let (name, end) = word.split_at(word.find(ends_word).unwrap_or(word.len()));
        let number = values.get(name).map_or(name.to_owned(), usize::to_string);
        [number, end.to_owned()]
    });
    words.collect()
}

struct Reader<'a> {
    rest: &'a str,
    values: &'a Values,
}

impl Reader<'_> {
    fn sum(&mut self) -> Result<usize, String> {
        let mut value = self.product()?;
        while let Some(sign) = self.sign("+-") {
            let other = self.product()?;
            let result = match sign {
                '+' => value.checked_add(other),
                _ => value.checked_sub(other),
            };
            value = result.ok_or(format!("{value} {sign} {other} is below 0"))?;
        }
        Ok(value)
    }

    fn product(&mut self) -> Result<usize, String> {
        let mut value = self.factor()?;
        while let Some(sign) = self.sign("*/%") {
            let other = self.factor()?;
            let result = match sign {
                '*' => value.checked_mul(other),
                '/' => value.checked_div(other),
                _ => value.checked_rem(other),
            };
            value = result.ok_or(format!("{value} {sign} {other} has no value"))?;
        }
        Ok(value)
    }

    fn factor(&mut self) -> Result<usize, String> {
        if self.sign("(").is_some() {
            let value = self.sum()?;
            return self.sign(")").map(|_| value).ok_or("a parenthesis is open".to_owned());
        }
        let end = self.rest.find(|letter: char| !letter.is_alphanumeric());
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        let found = word.parse().ok().or_else(|| self.values.get(word).copied());
        found.ok_or_else(|| format!("{word:?} has no value"))
    }

    /// The next sign, if it is one of these; spaces before and after it are skipped.
    fn sign(&mut self, signs: &str) -> Option<char> {
        let rest = self.rest.trim_start();
        let sign = rest.chars().next().filter(|&sign| signs.contains(sign))?;
        self.rest = rest[1..].trim_start();
        Some(sign)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_have_the_usual_precedence() {
        let values = Values::from([("a".to_owned(), 7), ("from".to_owned(), 25)]);
        assert_eq!(value("from + (a * 5 + 2) * 6 - 1", &values), Ok(25 + 37 * 6 - 1));
        assert_eq!(value("a / 2 % 2", &values), Ok(1));
        for wrong in ["", "b", "a - 8", "a / 0", "(a", "a)", "a a"] {
            assert!(value(wrong, &values).is_err(), "{wrong}");
        }
    }

    #[test]
    fn names_are_replaced_by_their_numbers() {
        let values = Values::from([("a".to_owned(), 7), ("from".to_owned(), 25)]);
        assert_eq!(with_numbers("from + (a * 5 + b) * a", &values), "25 + (7 * 5 + b) * 7");
    }
}
