use rstest::rstest;

use super::*;

fn displayed(text: &str) -> String {
    let Ok(address) = Address::from_str(text);
    address.to_string()
}

#[rstest]
#[case::a_file("azulejo.db", "azulejo.db")]
#[case::a_file_elsewhere("/var/lib/a b?.db", "/var/lib/a b?.db")]
#[case::a_file_with_a_scheme("sqlite:azulejo.db", "azulejo.db")]
#[case::a_file_as_a_url("sqlite:///var/azulejo.db", "/var/azulejo.db")]
#[case::memory("memory", "memory")]
#[case::memory_of_sqlite("sqlite::memory:", "memory")]
#[case::a_database("postgres://me:hush@db/arena", "postgres://db:5432/arena")]
#[case::a_database_with_a_port("postgresql://me@db:77/arena", "postgres://db:77/arena")]
#[case::over_tls("postgres://me:hu%2Fsh@db/arena?sslmode=require", "postgres://db:5432/arena")]
#[case::at_a_socket("postgres://me@%2Frun%2Fpg/arena", "postgres:///run/pg/arena")]
fn an_address_is_displayed_without_its_password(#[case] text: &str, #[case] shown: &str) {
    assert_eq!(displayed(text), shown);
}

#[rstest]
#[case::nothing("", "it is empty")]
#[case::no_file("sqlite:", "requires a file name")]
#[case::another_scheme("mysql://me:hush@db/arena", "mysql:// is not supported")]
#[case::a_slash_in_a_password("postgres://me:77/hush@db/arena", "%2F")]
#[case::an_invalid_port("postgres://me:hush@db:port/arena", "invalid port number")]
#[case::a_port_out_of_range("postgres://me:hush@db:77777/arena", "invalid port number")]
#[case::an_invalid_mode("postgres://me:hush@db/arena?sslmode=maybe", "maybe")]
#[case::a_misspelled_parameter(
    "postgres://me@db/arena?pasword=hush",
    "unknown parameter \"pasword\""
)]
fn an_invalid_address_is_explained_without_its_password(#[case] text: &str, #[case] part: &str) {
    let Err(problem) = Location::of(text) else { panic!("{text:?} is accepted") };
    let shown = format!("{problem} {problem:?} {} {:?}", displayed(text), Address(text.to_owned()));
    assert!(shown.contains(part), "{shown}");
    assert!(!shown.contains("hush"), "{shown}");
}
