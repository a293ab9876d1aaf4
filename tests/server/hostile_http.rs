//! Requests over plain HTTP that are not valid calls.

use rstest::{fixture, rstest};

use crate::http1::{self, Response};
use crate::process::Server;
use crate::requests::path;

const JSON: (&str, &str) = ("content-type", "application/json");

#[fixture]
fn server() -> Server {
    Server::start(&["--log", "debug"])
}

/// The same server still answers, and it logged no panic.
fn assert_unharmed(server: &Server) {
    assert_eq!(http1::call(server.public, "ListRulesets", b"{}").status, 200);
    let log = server.log();
    assert!(!log.contains("panic"), "{log}");
}

fn posted(server: &Server, method: &str, headers: &[(&str, &str)]) -> Response {
    http1::request(server.public, "POST", path(method), headers, b"{}")
}

#[rstest]
#[case::text(Some("text/plain"))]
#[case::a_form(Some("application/x-www-form-urlencoded"))]
#[case::nothing(None)]
#[case::grpc_web(Some("application/grpc-web"))]
#[case::grpc_web_as_text(Some("application/grpc-web-text"))]
#[case::grpc_as_json(Some("application/grpc+json"))]
#[case::a_connect_stream(Some("application/connect+json"))]
#[case::nonsense(Some("\u{7f}"))]
fn a_wrong_content_type_is_refused_with_the_right_ones(
    server: Server,
    #[case] content: Option<&str>,
) {
    let headers: Vec<_> = content.iter().map(|content| ("content-type", *content)).collect();
    let answer = posted(&server, "ListRulesets", &headers);
    if content == Some("\u{7f}") {
        // A header must not contain this character.
        assert_eq!(answer.status / 100, 4);
    } else {
        answer.assert_refused(415, "unimplemented", "UNSUPPORTED_CONTENT_TYPE");
        assert!(answer.header("accept-post").unwrap().contains("application/json"));
    }
    assert_unharmed(&server);
}

#[rstest]
fn a_charset_does_no_harm(server: Server) {
    let headers = [("content-type", "application/json; charset=utf-8")];
    assert_eq!(posted(&server, "ListRulesets", &headers).status, 200);
}

#[rstest]
fn methods_with_side_effects_are_not_called_by_get(server: Server) {
    for method in ["NewGame", "Playouts"] {
        let target = format!("{}?encoding=json&message=%7B%7D", path(method));
        let answer = http1::get(server.public, &target);
        assert_eq!((answer.status, answer.header("allow")), (405, Some("POST")), "{method}");
    }
    assert_unharmed(&server);
}

#[rstest]
fn other_methods_are_called_by_get(server: Server) {
    let good = format!("{}?encoding=json&message=%7B%7D", path("ListRulesets"));
    let by_get = http1::get(server.public, &good);
    assert_eq!(by_get.status, 200);
    assert_eq!(by_get.json(), http1::call(server.public, "ListRulesets", b"{}").json());
}

#[rstest]
#[case::no_query("")]
#[case::no_message("?encoding=json")]
#[case::no_encoding("?message=%7B%7D")]
#[case::an_unknown_encoding("?encoding=xml&message=%7B%7D")]
#[case::invalid_base64("?encoding=proto&base64=1&message=!!!")]
#[case::base64_of_another_alphabet("?encoding=proto&base64=1&message=%2B%2F%2B%2F")]
#[case::base64_cut_off("?encoding=json&base64=1&message=e")]
#[case::a_broken_percent("?encoding=json&message=%7")]
#[case::invalid_utf_8("?encoding=json&message=%ff%fe")]
#[case::invalid_gzip("?encoding=json&compression=gzip&base64=1&message=e30")]
fn a_broken_query_is_a_bad_message(server: Server, #[case] query: &str) {
    let target = format!("{}{query}", path("ListRulesets"));
    let answer = http1::get(server.public, &target);
    answer.assert_refused(400, "invalid_argument", "BAD_MESSAGE");
    assert_unharmed(&server);
}

#[rstest]
#[case("PUT")]
#[case("DELETE")]
#[case("PATCH")]
#[case("HEAD")]
#[case("TRACE")]
#[case("BREW")]
fn other_verbs_are_not_allowed(server: Server, #[case] verb: &str) {
    let answer = http1::request(server.public, verb, path("NewGame"), &[JSON], b"");
    assert_eq!((answer.status, answer.header("allow")), (405, Some("GET, POST")));
    assert_unharmed(&server);
}

#[rstest]
fn a_preflight_request_of_a_browser_is_answered(server: Server) {
    let asks = [
        ("origin", "https://example.org"),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "content-type,connect-protocol-version"),
    ];
    let answer = http1::request(server.public, "OPTIONS", path("NewGame"), &asks, b"");
    assert_eq!(answer.status, 204);
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
    assert!(answer.header("access-control-allow-methods").unwrap().contains("POST"));
    assert!(answer.header("access-control-allow-headers").is_some());
    for answer in [
        posted(&server, "ListRulesets", &[JSON, ("origin", "https://example.org")]),
        posted(&server, "Apply", &[JSON, ("origin", "https://example.org")]),
        posted(&server, "ListRulesets", &[("origin", "https://example.org")]),
    ] {
        assert_eq!(answer.header("access-control-allow-origin"), Some("*"), "{answer:?}");
    }
}

#[rstest]
fn an_unknown_method_is_not_found(server: Server) {
    for target in ["/azulejo.engine.v1.EngineService/Cheat", "/no.such.Service/Method"] {
        let answer = http1::request(server.public, "POST", target, &[JSON], b"{}");
        answer.assert_refused(404, "unimplemented", "UNKNOWN_METHOD");
    }
    assert_eq!(http1::get(server.public, "/robots.txt").status, 404);
    assert_unharmed(&server);
}

#[rstest]
fn an_unknown_encoding_or_version_is_named(server: Server) {
    let answer = posted(&server, "ListRulesets", &[JSON, ("content-encoding", "br")]);
    answer.assert_refused(501, "unimplemented", "UNSUPPORTED_ENCODING");
    let answer = posted(&server, "ListRulesets", &[JSON, ("connect-protocol-version", "2")]);
    answer.assert_refused(400, "invalid_argument", "BAD_MESSAGE");
    let answer = posted(&server, "ListRulesets", &[JSON, ("content-encoding", "gzip")]);
    answer.assert_refused(400, "invalid_argument", "BAD_MESSAGE");
    assert_unharmed(&server);
}

/// Server streams are tested in `json_streams`.
#[rstest]
fn a_bidirectional_stream_cannot_be_called_by_plain_http(server: Server) {
    let target = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
    let answer = http1::request(server.public, "POST", target, &[JSON], b"{}");
    answer.assert_refused(501, "unimplemented", "STREAM_ONLY");
    assert_unharmed(&server);
}
