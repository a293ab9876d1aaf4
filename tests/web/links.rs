//! Every link leads to an existing page.

use std::collections::{BTreeMap, VecDeque};

use crate::arena::arena;
use crate::document::Document;

/// Pages that are looked at.
const MOST: usize = 200;

#[test]
fn every_link_leads_to_a_well_formed_page_and_to_a_place_on_it() {
    let arena = arena();
    let mut seen: BTreeMap<String, Option<Document>> = BTreeMap::new();
    let mut waiting = VecDeque::from(["/".to_owned()]);
    let mut jumps = Vec::new();
    while let Some(target) = waiting.pop_front() {
        if seen.contains_key(&target) || seen.len() >= MOST {
            continue;
        }
        let answer = arena.get(target.as_bytes());
        assert_eq!(answer.status, 200, "{target}");
        let is_page = answer.header("content-type").unwrap().starts_with("text/html");
        let document = is_page.then(|| answer.document());
        for link in document.iter().flat_map(|document| &document.links) {
            let (page, place) = link.split_once('#').unwrap_or((link, ""));
            let page = if page.is_empty() { &target } else { page };
            if !place.is_empty() {
                jumps.push((page.to_owned(), place.to_owned()));
            }
            waiting.push_back(page.to_owned());
        }
        seen.insert(target, document);
    }
    for (page, place) in jumps {
        if let Some(Some(document)) = seen.get(&page) {
            assert!(document.ids.contains(&place), "{page} has no place {place}");
        }
    }
    assert!(seen.len() > 50, "only {} pages", seen.len());
}
