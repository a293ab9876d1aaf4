//! Hostile addresses.

use crate::arena::arena;

#[test]
fn an_address_that_does_not_exist_gets_an_error_page() {
    let arena = arena();
    let id = arena.azul["id"].as_str().unwrap().to_owned();
    let long = "a".repeat(4_000);
    let targets: Vec<Vec<u8>> = [
        "/match/<script>alert(1)</script>",
        "/match/%3Cscript%3Ealert(1)%3C/script%3E",
        "/match/%00",
        "/match/%ff%fe",
        "/match/%",
        "/match/aaaaaaaaaaaaaaaa",
        "/match/aaaaaaaaaaaaaaaa/record",
        "/match/../../etc/passwd",
        "/bot/%3Cb%3E/x",
        "/bot/%ff/%00",
        "/bot/missing/nothing",
        "/bot/house",
        "/?pool=<script>",
        "/?pool=%3Cscript%3E",
        "/?pool=",
        "/?pool=azul-colored-9-blitz",
        "/<script>alert(1)</script>",
        "//evil.example/",
        "/match/",
        &format!("/match/{long}"),
        &format!("/bot/{long}/{long}"),
        &format!("/?pool={long}"),
    ]
    .iter()
    .map(|target| target.as_bytes().to_vec())
    .chain(
        ["-1", "0", "99999", "18446744073709551616", "1e9", "", "%00", "<script>", "%ff", &long]
            .map(|step| format!("/match/{id}?step={step}").into_bytes()),
    )
    .chain([b"/match/\xff\xfe".to_vec(), b"/?pool=\xc3\x28".to_vec()])
    .collect();
    for target in targets {
        let answer = arena.get(&target);
        let shown = String::from_utf8_lossy(&target[..target.len().min(80)]).into_owned();
        assert!(matches!(answer.status, 400 | 404), "{shown}: {}", answer.status);
        assert!(!answer.text().contains("<script"), "{shown}");
        // A request that is not valid HTTP does not reach the pages.
        if !answer.body.is_empty() {
            answer.document();
        }
    }
    assert_eq!(arena.get("/").status, 200, "the arena still runs");
}

#[test]
fn unknown_parts_of_a_query_are_ignored() {
    let arena = arena();
    for target in ["/?", "/?&&=&", "/?x=%3Cscript%3E", "/?%ff=%00", "/?step=-1"] {
        let answer = arena.get(target);
        assert_eq!(answer.status, 200, "{target}");
        answer.document();
        assert!(!answer.text().contains("<script"), "{target}");
    }
}

#[test]
fn a_host_from_outside_is_never_repeated_as_markup() {
    let arena = arena();
    let target = "/ HTTP/1.1\r\nhost: <script>alert(1)</script>\r\nx-from: test\r\nx: ";
    let answer = arena.get(target);
    assert!(matches!(answer.status, 200 | 400), "{}", answer.status);
    assert!(!answer.text().contains("<script"));
}
