//! The details of a `google.rpc.Status`.

use azulejo_wire::google::rpc;
use prost::Message;

/// The reason, and the field that is wrong, if there is one. Nothing else may be in the details.
pub(crate) fn details(status: &rpc::Status) -> (rpc::ErrorInfo, Option<rpc::BadRequest>) {
    match status.details.as_slice() {
        [info] => (unpacked("ErrorInfo", info), None),
        [info, request] => (unpacked("ErrorInfo", info), Some(unpacked("BadRequest", request))),
        other => panic!("{} details: {status:?}", other.len()),
    }
}

fn unpacked<M: Message + Default>(name: &str, packed: &prost_types::Any) -> M {
    assert_eq!(packed.type_url, format!("type.googleapis.com/google.rpc.{name}"));
    M::decode(packed.value.as_slice()).unwrap()
}
