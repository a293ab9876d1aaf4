//! The page of a match.

use azulejo_engine::fairness::{Bytes32, commitment};
use serde_json::{Value, json};

use crate::arena::{Arena, arena};

/// The number of steps that the page of a match shows.
fn steps(page: &str) -> usize {
    let (_, rest) = page.split_once("</b> of ").expect("the page counts its steps");
    rest.split('<').next().unwrap().parse().unwrap()
}

fn totals(found: &Value) -> Vec<String> {
    let seats = found["result"]["score"]["seats"].as_array().unwrap_or_else(|| panic!("{found}"));
    seats.iter().map(|seat| seat["total"].as_u64().unwrap_or_default().to_string()).collect()
}

fn both(arena: &Arena) -> [(&str, &Value); 2] {
    [&arena.azul, &arena.pavilion].map(|found| (found["id"].as_str().unwrap(), found))
}

#[test]
fn the_last_step_of_a_finished_match_shows_the_final_scores() {
    let arena = arena();
    for (id, found) in both(&arena) {
        let page = arena.get(format!("/match/{id}"));
        assert_eq!(page.status, 200);
        page.document();
        let text = page.text();
        for (seat, total) in found["seats"].as_array().unwrap().iter().zip(totals(found)) {
            assert!(text.contains(&format!("<b>{total}</b>")), "the table has no {total}");
            assert!(text.contains(&format!(">{total}</text>")), "the picture has no {total}");
            assert!(text.contains(&format!("/bot/{}\"", seat["bot"].as_str().unwrap())));
        }
        assert!(text.contains("played to the end") && text.contains("1st"), "{text}");
        assert_eq!(text, arena.get(format!("/match/{id}?step={}", steps(text))).text());
    }
}

#[test]
fn a_reader_can_go_through_a_match_step_by_step() {
    let arena = arena();
    for (id, _) in both(&arena) {
        let last = steps(arena.get(format!("/match/{id}")).text());
        for step in [1, 2, last / 2, last - 1, last] {
            let page = arena.get(format!("/match/{id}?step={step}"));
            page.document();
            let leads = |name: &str, to: usize| {
                let named = format!("<span class=\"name\">{name}</span>");
                let to = format!("href=\"/match/{id}?step={to}#board\"");
                let mut links =
                    page.text().split("<a ").filter_map(|link| link.split("</a>").next());
                links.any(|link| link.contains(&named) && link.starts_with(&to))
            };
            assert_eq!(leads("First", 1), step > 1, "first of {step}");
            assert_eq!(leads("Previous", step.saturating_sub(1)), step > 1, "previous of {step}");
            assert_eq!(leads("Next", step + 1), step < last, "next of {step}");
            assert_eq!(leads("Last", last), step < last, "last of {step}");
            assert_eq!(page.text().matches("aria-current=\"step\"").count(), 1);
        }
        let first = arena.get(format!("/match/{id}?step=1"));
        assert!(first.text().contains("displays are filled"), "the first step is a deal");
    }
}

/// The value with this name in the list of proofs.
fn proof(page: &str, name: &str) -> Option<Bytes32> {
    let (_, rest) = page.split_once(&format!("<dt>{name}</dt><dd><code>"))?;
    rest.split('<').next()?.parse().ok()
}

#[test]
fn the_secret_fits_the_commitment_and_is_shown_only_after_the_end() {
    let arena = arena();
    for (id, _) in both(&arena) {
        let page = arena.get(format!("/match/{id}"));
        let secret = proof(page.text(), "Secret").expect("the secret is revealed");
        assert_eq!(proof(page.text(), "Commitment"), Some(commitment(id, &secret)));
    }
    let running = json!({"status": "MATCH_STATUS_PLAYING"});
    let running = arena.call("MatchesService/ListMatches", &running);
    for found in running["matches"].as_array().into_iter().flatten() {
        let page = arena.get(format!("/match/{}", found["id"].as_str().unwrap()));
        page.document();
        let over = page.text().contains(" · ended ");
        assert!(proof(page.text(), "Commitment").is_some());
        assert_eq!(proof(page.text(), "Secret").is_some(), over, "{found}");
    }
}

#[test]
fn the_record_is_offered_where_there_is_one() {
    let arena = arena();
    for (id, _) in both(&arena) {
        let record = arena.get(format!("/match/{id}/record"));
        let offered = arena.get(format!("/match/{id}")).text().contains("/record\"");
        assert_eq!(record.status, if offered { 200 } else { 404 });
        if offered {
            assert_eq!(record.header("content-type"), Some("application/json"));
            let told = arena.call("MatchesService/GetMatch", &json!({"matchId": id}));
            assert_eq!(record.text(), told["record"].as_str().unwrap());
            azulejo_tests::assert_valid_record(record.text());
        }
    }
}
