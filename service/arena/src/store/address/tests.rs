use rstest::rstest;

use super::*;

fn shown_as(text: &str) -> String {
    let Ok(address) = Address::from_str(text);
    address.to_string()
}

#[rstest]
#[case::a_file("azulejo.db", "azulejo.db")]
#[case::a_file_elsewhere("/var/lib/a b?.db", "/var/lib/a b?.db")]
#[case::a_file_by_its_kind("sqlite:azulejo.db", "azulejo.db")]
#[case::a_file_by_its_url("sqlite:///var/azulejo.db", "/var/azulejo.db")]
#[case::the_memory("memory", "memory")]
#[case::the_memory_of_sqlite("sqlite::memory:", "memory")]
#[case::a_database("postgres://me:hush@db/arena", "postgres://db:5432/arena")]
#[case::a_database_at_a_port("postgresql://me@db:77/arena", "postgres://db:77/arena")]
#[case::over_tls("postgres://me:hu%2Fsh@db/arena?sslmode=require", "postgres://db:5432/arena")]
#[case::at_a_socket("postgres://me@%2Frun%2Fpg/arena", "postgres:///run/pg/arena")]
fn an_address_is_shown_without_its_password(#[case] text: &str, #[case] shown: &str) {
    assert_eq!(shown_as(text), shown);
}

#[rstest]
#[case::nothing("", "it is empty")]
#[case::no_file("sqlite:", "the name of a file")]
#[case::another_kind("mysql://me:hush@db/arena", "mysql:// is no kind of store")]
#[case::a_slash_in_a_password("postgres://me:77/hush@db/arena", "%2F")]
#[case::a_strange_port("postgres://me:hush@db:port/arena", "invalid port number")]
#[case::a_port_out_of_range("postgres://me:hush@db:77777/arena", "invalid port number")]
#[case::a_strange_mode("postgres://me:hush@db/arena?sslmode=maybe", "maybe")]
#[case::a_misspelt_setting("postgres://me@db/arena?pasword=hush", "no setting \"pasword\"")]
fn a_wrong_address_says_what_is_wrong_without_its_password(#[case] text: &str, #[case] part: &str) {
    let Err(problem) = Place::of(text) else { panic!("{text:?} is fine?") };
    let said = format!("{problem} {problem:?} {} {:?}", shown_as(text), Address(text.to_owned()));
    assert!(said.contains(part), "{said}");
    assert!(!said.contains("hush"), "{said}");
}
