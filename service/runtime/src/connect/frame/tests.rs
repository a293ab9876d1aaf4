use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use rstest::rstest;
use tonic::Code;
use tonic_types::StatusExt;

use super::*;

/// All messages that are complete.
fn drain(decoder: &mut Decoder) -> Vec<Bytes> {
    std::iter::from_fn(|| decoder.next().unwrap()).collect()
}

#[test]
fn messages_are_the_same_wherever_the_data_is_cut() {
    let messages = ["", "a", "hello", "a longer message"].map(Bytes::from);
    let data = messages.iter().map(|message| framed(PLAIN, message)).collect::<Vec<_>>().concat();
    for first in 0..=data.len() {
        for second in first..=data.len() {
            let mut decoder = Decoder::default();
            let mut found = Vec::new();
            for piece in [&data[..first], &data[first..second], &data[second..]] {
                decoder.push(piece);
                found.extend(drain(&mut decoder));
            }
            assert_eq!(found, messages, "cut at {first} and {second}");
            assert!(decoder.is_empty());
        }
    }
}

#[test]
fn a_message_that_comes_byte_by_byte_is_complete_with_its_last_byte() {
    let data = framed(PLAIN, b"hello");
    let mut decoder = Decoder::default();
    for byte in &data[..data.len() - 1] {
        decoder.push(&[*byte]);
        assert_eq!(decoder.next(), Ok(None));
        assert!(!decoder.is_empty());
    }
    decoder.push(&data[data.len() - 1..]);
    assert_eq!(decoder.next(), Ok(Some(Bytes::from("hello"))));
}

#[test]
fn a_compressed_message_of_a_service_is_malformed() {
    let mut decoder = Decoder::default();
    decoder.push(&framed(COMPRESSED, b"hello"));
    assert_eq!(decoder.next(), Err(Malformed));
}

#[test]
fn a_request_is_one_message_plain_or_compressed() {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(b"{}").unwrap();
    let gzip = gzip.finish().unwrap();
    assert_eq!(only(&framed(PLAIN, b"{}"), "", 100).unwrap(), "{}");
    assert_eq!(only(&framed(PLAIN, b"{}"), "gzip", 100).unwrap(), "{}");
    assert_eq!(only(&framed(COMPRESSED, &gzip), "gzip", 100).unwrap(), "{}");
}

#[rstest]
#[case::empty(Bytes::new(), "", "BAD_MESSAGE")]
#[case::half_a_prefix(Bytes::from_static(b"\0\0\0"), "", "BAD_MESSAGE")]
#[case::cut_off(framed(PLAIN, b"{}").slice(..6), "", "BAD_MESSAGE")]
#[case::two_messages([framed(PLAIN, b"{}"), framed(PLAIN, b"{}")].concat().into(), "", "BAD_MESSAGE")]
#[case::an_unknown_flag(framed(4, b"{}"), "", "BAD_MESSAGE")]
#[case::the_flag_of_the_end(framed(END, b"{}"), "", "BAD_MESSAGE")]
#[case::compressed_without_a_name(framed(COMPRESSED, b"{}"), "", "BAD_MESSAGE")]
#[case::compressed_but_not_gzip(framed(COMPRESSED, b"{}"), "gzip", "BAD_MESSAGE")]
#[case::an_unknown_encoding(framed(COMPRESSED, b"{}"), "br", "UNSUPPORTED_ENCODING")]
#[case::too_large(framed(PLAIN, &[b' '; 101]), "", "MESSAGE_TOO_LARGE")]
#[case::a_length_of_4_gib(Bytes::from_static(b"\0\xff\xff\xff\xff{}"), "", "MESSAGE_TOO_LARGE")]
fn other_bodies_are_refused(#[case] body: Bytes, #[case] encoding: &str, #[case] reason: &str) {
    let refused = only(&body, encoding, 100).unwrap_err();
    assert_eq!(refused.get_details_error_info().unwrap().reason, reason, "{refused:?}");
}

#[test]
fn the_size_limit_holds_after_decompression() {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(&[b' '; 10_000]).unwrap();
    let gzip = gzip.finish().unwrap();
    assert!(gzip.len() < 100);
    let refused = only(&framed(COMPRESSED, &gzip), "gzip", 100).unwrap_err();
    assert_eq!(refused.code(), Code::ResourceExhausted);
}
