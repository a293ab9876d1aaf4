//! The action ids of one game and side, as the document describes them: the ranges, the notation and
//! the formulas of every kind of move.

use azulejo_engine::{Ruleset, Side};

use crate::document::{Document, Section, Table, code};
use crate::formula::{Values, value, with_numbers};
use crate::multisets::Multisets;

pub(crate) struct Layout {
    kinds: Vec<Kind>,
    /// How the numbers are written: by name, in order from 0.
    written: Vec<(String, Vec<String>)>,
    multisets: Multisets,
}

/// One row of the tables.
pub(crate) struct Kind {
    pub(crate) name: String,
    /// `{source}{color}`
    notation: String,
    pub(crate) from: usize,
    /// By number of players, from 2 on.
    pub(crate) to: Vec<usize>,
    /// From the numbers of a move to its id.
    id: String,
    /// From the id to the numbers, in order.
    numbers: Vec<String>,
    prices: Option<Prices>,
}

/// By space.
#[derive(Clone)]
struct Prices {
    cost: Vec<usize>,
    before: Vec<usize>,
}

impl Layout {
    pub(crate) fn read(document: &Document, ruleset: Ruleset) -> Self {
        let (game, is_pavilion) = match ruleset {
            Ruleset::Azul(_) => ("Action ids / Azul", false),
            Ruleset::SummerPavilion(_) => ("Action ids / Summer Pavilion", true),
        };
        let side = match ruleset.side() {
            Side::Colored => "Colored side",
            Side::Gray => "Gray side",
        };
        let section = document.section(&format!("{game} / {side}"));
        let names = document.section(game).table(&["name", "values"]);
        let written = names.rows.iter().map(|row| {
            let values = code(&row[1]).map(str::to_owned).collect();
            (code(&row[0]).next().unwrap().to_owned(), values)
        });
        let mut kinds = Kind::read_all(section);
        if is_pavilion {
            let prices = section.table(&["star", "number"]);
            for kind in &mut kinds {
                let star = kind.name.strip_prefix("place, ");
                kind.prices = star.map(|star| Prices::read(prices, star));
            }
        }
        Self { kinds, written: written.collect(), multisets: Multisets::read(document) }
    }

    pub(crate) fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// The kind of the move with this id.
    fn kind_of(&self, players: usize, id: usize) -> Result<&Kind, String> {
        let holds = |kind: &&Kind| (kind.from..=kind.to[players - 2]).contains(&id);
        self.kinds.iter().find(holds).ok_or_else(|| format!("no range holds {id}"))
    }

    /// The move with this id, in notation.
    pub(crate) fn move_at(&self, players: usize, id: usize) -> Result<String, String> {
        let kind = self.kind_of(players, id)?;
        let mut values = Values::from([("n".to_owned(), id - kind.from)]);
        for statement in &kind.numbers {
            kind.carry_out(statement, &mut values)?;
        }
        self.write(kind, &values)
    }

    /// How the id of a move is computed, if it is of the same kind as the move with this id: the
    /// formula with numbers in place of the names.
    pub(crate) fn computation(
        &self,
        players: usize,
        id: usize,
        text: &str,
    ) -> Result<String, String> {
        let kind = self.kind_of(players, id)?;
        let mut values = Values::from([("from".to_owned(), kind.from)]);
        for (name, number) in self.parse(kind, text)? {
            kind.set(&name, number, &mut values)?;
        }
        Ok(with_numbers(&kind.id, &values))
    }

    /// Fills in the notation of the kind.
    fn write(&self, kind: &Kind, values: &Values) -> Result<String, String> {
        let number = |name: &str| values.get(name).copied().ok_or(format!("{name} has no value"));
        let mut text = String::new();
        for part in kind.parts() {
            match part {
                Part::Literal(letter) => text.push(letter),
                Part::Number("naturals") => text += &number("naturals")?.to_string(),
                Part::Number("tiles") => {
                    text += self.multisets.at(number("size")?, number("rank")?)?;
                }
                Part::Number(name) => text += self.letters(name)?.get(number(name)?).ok_or(name)?,
            }
        }
        Ok(text)
    }

    /// The numbers of a move.
    fn parse(&self, kind: &Kind, text: &str) -> Result<Vec<(String, usize)>, String> {
        let wrong = || format!("{text} is not written {}", kind.notation);
        let mut numbers = Vec::new();
        let mut rest = text;
        for part in kind.parts() {
            let end = match part {
                Part::Number("tiles") => rest.len(),
                Part::Literal(_) | Part::Number(_) => 1,
            };
            let (word, after) = rest.split_at_checked(end).ok_or_else(wrong)?;
            rest = after;
            let (name, number) = match part {
                Part::Literal(letter) if word == letter.to_string() => continue,
                Part::Literal(_) => return Err(wrong()),
                Part::Number("naturals") => ("naturals", word.parse().ok()),
                Part::Number("tiles") => ("rank", Some(self.multisets.rank(word)?)),
                Part::Number(name) => {
                    (name, self.letters(name)?.iter().position(|letter| letter == word))
                }
            };
            numbers.push((name.to_owned(), number.ok_or_else(wrong)?));
        }
        if rest.is_empty() { Ok(numbers) } else { Err(wrong()) }
    }

    fn letters(&self, name: &str) -> Result<&[String], String> {
        let found = self.written.iter().find(|(named, _)| named == name);
        found.map(|(_, letters)| letters.as_slice()).ok_or(format!("no values of {name}"))
    }
}

enum Part<'a> {
    Literal(char),
    Number(&'a str),
}

impl Kind {
    fn read_all(section: &Section) -> Vec<Self> {
        let ranges = section.table(&["kind", "notation"]);
        let formulas = section.table(&["kind", "id"]);
        let kind = |row: &Vec<String>| {
            let name = &row[0];
            let formula = formulas.rows.iter().find(|row| &row[0] == name);
            let formula = formula.unwrap_or_else(|| panic!("{name} has no formula"));
            let to = ["to, 2 players", "to, 3 players", "to, 4 players"];
            Self {
                name: name.clone(),
                notation: code(ranges.cell(row, "notation")).next().unwrap().to_owned(),
                from: ranges.cell(row, "from").parse().unwrap(),
                to: to.map(|column| ranges.cell(row, column).parse().unwrap()).to_vec(),
                id: code(&formula[1]).next().unwrap().to_owned(),
                numbers: code(&formula[2]).map(str::to_owned).collect(),
                prices: None,
            }
        };
        assert_eq!(ranges.rows.len(), formulas.rows.len());
        ranges.rows.iter().map(kind).collect()
    }

    fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        let mut rest = self.notation.as_str();
        std::iter::from_fn(move || {
            let first = rest.chars().next()?;
            if first == '{' {
                let (name, after) = rest[1..].split_once('}').unwrap();
                rest = after;
                return Some(Part::Number(name));
            }
            rest = &rest[1..];
            Some(Part::Literal(first))
        })
    }

    /// `color = n % 5`, or `space = last with before <= n`: the last space for which that is true.
    fn carry_out(&self, statement: &str, values: &mut Values) -> Result<(), String> {
        let (name, formula) = statement.split_once(" = ").ok_or(statement)?;
        let Some(condition) = formula.strip_prefix("last with ") else {
            return self.set(name, value(formula, values)?, values);
        };
        let (left, right) = condition.split_once(" <= ").ok_or(statement)?;
        let mut last = None;
        for space in 0..6 {
            self.set(name, space, values)?;
            if value(left, values)? <= value(right, values)? {
                last = Some(space);
            }
        }
        self.set(name, last.ok_or(statement)?, values)
    }

    /// A space brings its prices.
    fn set(&self, name: &str, number: usize, values: &mut Values) -> Result<(), String> {
        if let Some(prices) = self.prices.as_ref().filter(|_| name == "space") {
            let of = |list: &[usize]| list.get(number).copied().ok_or("no such space".to_owned());
            values.insert("cost".to_owned(), of(&prices.cost)?);
            values.insert("before".to_owned(), of(&prices.before)?);
        }
        values.insert(name.to_owned(), number);
        Ok(())
    }

    /// The costs of the spaces, for placements of Summer Pavilion.
    pub(crate) fn costs(&self) -> Option<&[usize]> {
        self.prices.as_ref().map(|prices| prices.cost.as_slice())
    }
}

impl Prices {
    fn read(table: &Table, star: &str) -> Self {
        let numbers = |name: &str| {
            let row = table.rows.iter().find(|row| row[0] == star && row[1] == format!("`{name}`"));
            let row = row.unwrap_or_else(|| panic!("the {star} has no {name}"));
            row[2..].iter().map(|cell| cell.parse().unwrap()).collect()
        };
        Self { cost: numbers("cost"), before: numbers("before") }
    }
}
