//! `proto/README.md` lists every enum of the contract with all its values.

use std::collections::BTreeMap;

use prost::Message as _;
use prost_types::FileDescriptorSet;

const README: &str = include_str!("../../proto/README.md");

type Enums = BTreeMap<String, Vec<(i32, String)>>;

/// The tables below `## Enums`: a heading for each enum, then a row for each value.
fn listed() -> Enums {
    let (_, section) = README.split_once("## Enums\n").expect("the README lists the enums");
    let mut enums = Enums::new();
    let mut name = String::new();
    for line in section.lines() {
        if let Some(heading) = line.strip_prefix("### ") {
            heading.clone_into(&mut name);
            enums.insert(name.clone(), Vec::new());
        }
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, number, value, meaning, ..] = cells.as_slice() else { continue };
        if let Ok(number) = number.parse() {
            assert!(!meaning.is_empty(), "{value} has no meaning");
            let values = enums.get_mut(&name).expect("a table follows a heading");
            values.push((number, value.trim_matches('`').to_owned()));
        }
    }
    enums
}

#[test]
fn the_readme_lists_every_enum_and_no_other() {
    let set = FileDescriptorSet::decode(azulejo_wire::DESCRIPTORS).unwrap();
    let ours = set.file.iter().filter(|file| file.package().starts_with("azulejo."));
    let mut declared = Enums::new();
    for file in ours {
        for each in &file.enum_type {
            let value = |value: &prost_types::EnumValueDescriptorProto| {
                (value.number(), value.name().to_owned())
            };
            let name = format!("{}.{}", file.package(), each.name());
            declared.insert(name, each.value.iter().map(value).collect());
        }
    }
    assert!(declared.len() > 15, "{declared:?}");
    assert_eq!(listed(), declared);
}
