//! Every method of every service, by its path.

use std::collections::HashMap;
use std::sync::Arc;

use prometheus::Histogram;
use prost_reflect::{DescriptorPool, MethodDescriptor};

use crate::ServerError;
use crate::connect::MethodJson;
use crate::metrics::Metrics;

/// How the front treats a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Of the service that is called without the router.
    FastPath,
    /// The same, but it takes long or has a large response: it runs in the background.
    Heavy,
    /// Reports the health of the server.
    Health,
    /// A unary call that changes nothing: it runs in the background.
    Read,
    Other,
}

/// A method that can be called.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent properties of a method")]
pub(crate) struct Method {
    /// Its messages as JSON.
    pub(crate) json: Arc<MethodJson>,
    /// Whether Connect may call it by GET.
    pub(crate) is_safe: bool,
    pub(crate) is_unary: bool,
    /// Whether it takes one message and answers with a stream.
    pub(crate) is_server_stream: bool,
    pub(crate) service: Kind,
    /// Whether a bot calls it to wait for its events.
    pub(crate) is_session: bool,
    /// As traces and metrics call it: `azulejo.engine.v1.EngineService/Apply`.
    pub(crate) name: String,
    /// Where calls that went well are counted.
    pub(crate) ok: Histogram,
}

#[derive(Clone, Debug)]
pub(crate) struct Methods {
    by_path: Arc<HashMap<String, Arc<Method>>>,
}

impl Methods {
    /// The methods of encoded descriptor sets; those of the service `fast_path` bypass the router;
    /// those in `heavy` run in the background, and by those in `sessions` bots wait for events.
    pub(crate) fn of(
        sets: &[&[u8]],
        fast_path: &str,
        heavy: &[&str],
        sessions: &[&str],
        metrics: &Metrics,
    ) -> Result<Self, ServerError> {
        let mut pool = DescriptorPool::new();
        for set in sets {
            pool.decode_file_descriptor_set(*set)?;
        }
        let methods = pool.services().flat_map(|service| service.methods().collect::<Vec<_>>());
        let methods: Vec<_> = methods.collect();
        let json = MethodJson::each(&methods);
        let by_path = methods.iter().zip(json).map(|(descriptor, json)| {
            let parent = descriptor.parent_service();
            let service = parent.full_name();
            let name = format!("{service}/{}", descriptor.name());
            let streams = (descriptor.is_client_streaming(), descriptor.is_server_streaming());
            let is_unary = streams == (false, false);
            let is_safe = has_no_side_effects(descriptor).unwrap_or_default();
            let method = Method {
                is_safe,
                is_unary,
                is_server_stream: streams == (false, true),
                service: match service {
                    _ if service == fast_path && heavy.contains(&&*name) => Kind::Heavy,
                    _ if service == fast_path => Kind::FastPath,
                    name if name.starts_with("grpc.health.") => Kind::Health,
                    _ if is_safe && is_unary => Kind::Read,
                    _ => Kind::Other,
                },
                is_session: sessions.contains(&&*name),
                ok: metrics.of_method(&name),
                name: name.clone(),
                json: Arc::new(json),
            };
            (format!("/{name}"), Arc::new(method))
        });
        Ok(Self { by_path: Arc::new(by_path.collect()) })
    }

    pub(crate) fn at(&self, path: &str) -> Option<&Arc<Method>> {
        self.by_path.get(path)
    }
}

fn has_no_side_effects(descriptor: &MethodDescriptor) -> Option<bool> {
    // `idempotency_level = NO_SIDE_EFFECTS` of google.protobuf.MethodOptions.
    let level = descriptor.options().get_field_by_name("idempotency_level")?.as_enum_number();
    Some(level == Some(1))
}
