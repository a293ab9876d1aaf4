//! `service/rules/RULES.md` says which function and which tests stand for each rule. It must stay
//! true: this reads it, the tests beside this file and the sources of the rules.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// One line of a table of `RULES.md`.
struct Rule {
    id: String,
    functions: Vec<String>,
    tests: Vec<String>,
}

/// A test of this suite and the situations that its doc comment names.
struct Test {
    name: String,
    situations: BTreeSet<u8>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The Rust sources under a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.append(&mut sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The words between backticks.
fn quoted(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn rules() -> Vec<Rule> {
    let mut rules = Vec::new();
    for line in read("service/rules/RULES.md").lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let &[id, rule, functions, tests] = cells.as_slice() else {
            panic!("not four cells: {line}");
        };
        if id != "id" && !id.starts_with("--") {
            assert!(!rule.is_empty(), "{id} says nothing");
            let (functions, tests) = (quoted(functions), quoted(tests));
            rules.push(Rule { id: id.to_owned(), functions, tests });
        }
    }
    rules
}

fn situations(doc: &str) -> BTreeSet<u8> {
    let numbers = doc.strip_prefix("Situation ").or(doc.strip_prefix("Situations "));
    let (numbers, _) = numbers.and_then(|text| text.split_once('.')).unwrap_or_default();
    numbers.split(", ").filter_map(|number| number.parse().ok()).collect()
}

fn tests_of_this_suite() -> Vec<Test> {
    let mut tests = Vec::new();
    for path in sources(&root().join("tests/rulebook")) {
        let text = read(&path);
        if path.ends_with("map.rs") {
            continue;
        }
        let (mut is_test, mut named) = (false, BTreeSet::new());
        for line in text.lines() {
            if let Some(doc) = line.strip_prefix("/// ") {
                named.append(&mut situations(doc));
            } else if line == "#[test]" || line == "#[rstest]" {
                is_test = true;
            } else if let Some((name, _)) = line.strip_prefix("fn ").and_then(|f| f.split_once('('))
                && is_test
            {
                tests.push(Test { name: name.to_owned(), situations: std::mem::take(&mut named) });
                is_test = false;
            }
        }
    }
    tests
}

fn expected_ids() -> Vec<String> {
    let sections = [("A", 7), ("B", 10), ("C", 6), ("E-", 20), ("F-", 66), ("G", 2)];
    let numbered = sections
        .into_iter()
        .flat_map(|(section, last)| (1..=last).map(move |number| format!("{section}{number}")));
    numbered.chain(["D".to_owned()]).collect()
}

#[test]
fn every_rule_is_listed_once_with_a_function_and_a_test() {
    let mut listed: Vec<String> = rules().iter().map(|rule| rule.id.clone()).collect();
    let mut expected = expected_ids();
    listed.sort();
    expected.sort();

    assert_eq!(listed, expected);
    for rule in rules() {
        assert!(!rule.functions.is_empty(), "{} names no function", rule.id);
        assert!(!rule.tests.is_empty(), "{} names no test", rule.id);
    }
}

#[test]
fn every_named_function_exists_in_the_named_file() {
    for rule in rules() {
        for path in rule.functions {
            let parts: Vec<&str> = path.split("::").collect();
            let &[game, file, .., function] = parts.as_slice() else {
                panic!("{}: {path} names no file", rule.id);
            };
            let text = read(format!("service/rules/src/{game}/{file}.rs"));
            let exists = ["(", "<"].iter().any(|end| text.contains(&format!("fn {function}{end}")));
            assert!(exists, "{}: there is no {path}", rule.id);
        }
    }
}

#[test]
fn every_named_test_exists_and_every_test_is_named() {
    let ours: BTreeSet<String> = tests_of_this_suite().into_iter().map(|test| test.name).collect();
    let beside: String = sources(&root().join("service/rules/src")).iter().map(read).collect();
    let mut named = BTreeSet::new();

    for rule in rules() {
        for test in rule.tests {
            let exists = ours.contains(&test) || beside.contains(&format!("fn {test}("));
            assert!(exists, "{}: there is no test {test}", rule.id);
            named.insert(test);
        }
    }

    let nameless: Vec<&String> = ours.difference(&named).collect();
    assert!(nameless.is_empty(), "RULES.md does not mention {nameless:?}");
}

#[test]
fn no_two_tests_have_the_same_name() {
    let mut names = BTreeSet::new();

    for test in tests_of_this_suite() {
        assert!(names.insert(test.name.clone()), "{} is there twice", test.name);
    }
}

#[test]
fn every_situation_is_documented_at_the_tests_that_its_row_names() {
    let mut documented: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for test in tests_of_this_suite() {
        for number in test.situations {
            documented.entry(format!("F-{number}")).or_default().insert(test.name.clone());
        }
    }

    for rule in rules().into_iter().filter(|rule| rule.id.starts_with("F-")) {
        let tests: BTreeSet<String> = rule.tests.into_iter().collect();
        assert_eq!(documented.get(&rule.id), Some(&tests), "{}", rule.id);
    }
}
