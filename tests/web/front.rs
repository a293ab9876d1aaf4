//! The front page, and what every page has.

use azulejo_tests::waiting::{PATIENCE, until};
use serde_json::{Value, json};

use crate::arena::arena;
use crate::browser;

#[test]
fn every_response_has_a_content_type_and_security_headers() {
    let arena = arena();
    let id = arena.azul["id"].as_str().unwrap();
    let kinds = [
        ("/", 200, "text/html; charset=utf-8"),
        (&format!("/match/{id}"), 200, "text/html; charset=utf-8"),
        ("/bot/house/greedy", 200, "text/html; charset=utf-8"),
        ("/style.css", 200, "text/css; charset=utf-8"),
        ("/favicon.svg", 200, "image/svg+xml"),
        ("/nothing", 404, "text/html; charset=utf-8"),
    ];
    for (target, status, kind) in kinds {
        let answer = arena.get(target);
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (status, Some(kind)),
            "{target}"
        );
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'; style-src 'self' 'sha256-"), "{policy}");
        assert!(!policy.contains("script") && !policy.contains("unsafe"), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
    }
}

#[test]
fn nothing_is_loaded_from_elsewhere_and_nothing_is_a_script() {
    let arena = arena();
    let id = arena.pavilion["id"].as_str().unwrap();
    for target in ["/".to_owned(), format!("/match/{id}"), "/bot/house/random".to_owned()] {
        let document = arena.get(&target).document();
        assert!(!document.tags.contains("script"), "{target}");
        let own = |link: &String| link.starts_with('/') || link.starts_with('#');
        assert!(document.links.iter().all(own), "{:?}", document.links);
    }
}

#[test]
fn the_ladder_of_a_pool_shows_every_bot_that_played_in_it() {
    let arena = arena();
    let pool = arena.azul["pool"]["name"].as_str().unwrap();

    let page = until("the standings are on the page", 3 * PATIENCE, || {
        let page = arena.get(format!("/?pool={pool}"));
        page.text().contains("Official standings, computed from all").then_some(page)
    });

    assert_eq!(page.status, 200);
    let document = page.document();
    for seat in arena.azul["seats"].as_array().unwrap() {
        let bot = seat["bot"].as_str().unwrap();
        assert!(document.links.contains(&format!("/bot/{bot}")), "{bot} is not there");
    }
    assert!(page.text().contains("aria-current=\"page\""), "the pool is marked");
    assert!(page.text().contains("scope=\"col\"") && page.text().contains("scope=\"row\""));
}

#[test]
fn the_ladder_and_the_pages_of_bots_show_the_official_ratings() {
    let arena = arena();
    let pool = arena.azul["pool"]["name"].as_str().unwrap();
    let standings = || arena.call("LadderService/GetStandings", &json!({ "pool": pool }));

    // The bots play on: no standings were published between the first call and the last.
    let (entries, ladder, bots) = until("pages of the same standings", 3 * PATIENCE, || {
        let before = standings();
        let entries: Vec<Value> = before["entries"].as_array()?.clone();
        let ladder = arena.get(format!("/?pool={pool}"));
        let page = |entry: &Value| arena.get(format!("/bot/{}", entry["bot"].as_str().unwrap()));
        let bots: Vec<_> = entries.iter().map(page).collect();
        (before == standings() && !entries.is_empty()).then_some((entries, ladder, bots))
    });

    for (entry, bot) in entries.iter().zip(bots) {
        let rating = format!("<b>{:.0}</b>", entry["rating"].as_f64().unwrap());
        assert!(ladder.text().contains(&rating), "{rating} is not on the ladder: {entry}");
        assert!(bot.text().contains(&rating), "{rating} is not on the page of {entry}");
    }
    let provisional = entries.iter().any(|entry| entry["provisional"] == true);
    assert_eq!(ladder.text().contains("? provisional: "), provisional);
}

#[test]
fn the_front_page_shows_how_to_join_this_server() {
    let arena = arena();
    let page = arena.get("/");
    let command = format!("--register you/first-bot --server http://{}", arena.address);
    assert!(page.text().contains(&command), "{}", page.text());
    let answer =
        arena.call("BotsService/RegisterBot", &json!({"owner": "you", "name": "first-bot"}));
    assert!(answer["token"].as_str().unwrap().starts_with("azb_"), "{answer}");

    let bot = arena.get("/bot/you/first-bot");

    assert_eq!(bot.status, 200);
    bot.document();
    assert!(bot.text().contains("It has not played yet"));
}

#[test]
fn the_front_page_refreshes_only_on_request() {
    let arena = arena();
    assert_eq!(arena.get("/").header("refresh"), None);
    assert_eq!(arena.get("/?live").header("refresh"), Some("5"));
}

#[test]
fn pages_are_only_for_reading() {
    let arena = arena();
    let answer = browser::delete(arena.address, "/");
    assert_eq!(answer.status, 405);
    answer.document();
}
