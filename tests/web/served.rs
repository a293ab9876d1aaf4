//! Pages are measured by route, and have places of their own.

use std::io::Write as _;

use azulejo_tests::http;
use azulejo_tests::process::{ANY_PORTS, ServerProcess, azulejo};
use azulejo_tests::waiting::{PATIENCE, until};
use tempfile::TempDir;

fn server(folder: &TempDir, flags: &[&str]) -> ServerProcess {
    let command = azulejo(&[&["serve", "--store", "memory"], &ANY_PORTS[..], flags].concat());
    ServerProcess::start(command, folder.path())
}

/// The number of pages counted with this route and status.
fn counted(server: &ServerProcess, route: &str, status: u16) -> Option<u64> {
    let metrics = http::get(server.admin, "/metrics").text();
    let labels = format!(r#"{{http_response_status_code="{status}",http_route="{route}"}} "#);
    let name = format!("http_server_request_duration_seconds_count{labels}");
    metrics.lines().find_map(|line| line.strip_prefix(&name)?.parse().ok())
}

#[test]
fn pages_are_measured_by_route_and_strangers_cannot_make_routes() {
    let folder = TempDir::new().unwrap();
    let server = server(&folder, &[]);
    for (target, times) in [("/", 2), ("/match/aaaaaaaaaaaaaaaa", 1), ("/a", 1), ("/b", 1)] {
        for _ in 0..times {
            let _page = http::get(server.public, target);
        }
    }
    assert_eq!(counted(&server, "/", 200), Some(2));
    assert_eq!(counted(&server, "/match/{id}", 404), Some(1));
    assert_eq!(counted(&server, "_OTHER", 404), Some(2));
    assert_eq!(counted(&server, "/a", 404), None);
}

#[test]
fn a_server_that_is_full_of_calls_still_serves_pages() {
    let folder = TempDir::new().unwrap();
    let server = server(&folder, &["--max-calls", "1"]);
    // A call whose body is still arriving holds the only place.
    let mut slow = http::open(server.public);
    let head = "POST /azulejo.engine.v1.EngineService/NewGame HTTP/1.1\r\nhost: azulejo.test\r\n\
                content-type: application/json\r\ncontent-length: 1000\r\n\r\n{";
    slow.write_all(head.as_bytes()).unwrap();
    until("the call holds the place", PATIENCE, || {
        let metrics = http::get(server.admin, "/metrics").text();
        metrics.contains("\nazulejo_server_active_calls 1\n").then_some(())
    });

    let call = http::post(server.public, "/azulejo.engine.v1.EngineService/ListRulesets", b"{}");

    call.assert_refused(429, "resource_exhausted", "OVERLOADED");
    assert_eq!(http::get(server.public, "/").status, 200);
}
