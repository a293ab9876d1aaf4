//! A small service for the tests of this folder.

use std::sync::Arc;

use prometheus::{Histogram, HistogramOpts};
use prost_reflect::{DescriptorPool, MessageDescriptor};

use crate::connect::MethodJson;
use crate::methods::{Kind, Method};

fn pool() -> DescriptorPool {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/connect/testing");
    let proto = concat!(env!("CARGO_MANIFEST_DIR"), "/../../proto");
    let files = protox::compile(["test.proto"], [folder, proto]).unwrap();
    DescriptorPool::from_file_descriptor_set(files).unwrap()
}

/// A message of `test.v1`.
pub(crate) fn message(name: &str) -> MessageDescriptor {
    pool().get_message_by_name(&format!("test.v1.{name}")).unwrap()
}

/// A method of `test.v1.TestService`.
pub(super) fn method(name: &str) -> Method {
    let service = pool().get_service_by_name("test.v1.TestService").unwrap();
    let descriptor = service.methods().find(|method| method.name() == name).unwrap();
    let streams = (descriptor.is_client_streaming(), descriptor.is_server_streaming());
    Method {
        is_safe: false,
        is_unary: streams == (false, false),
        is_server_stream: streams == (false, true),
        is_session: false,
        service: Kind::Other,
        name: format!("test.v1.TestService/{name}"),
        ok: Histogram::with_opts(HistogramOpts::new("ok", "ok")).unwrap(),
        json: Arc::new(MethodJson::each(&[descriptor]).remove(0)),
    }
}
