//! Errors within answers: a batch answers each of its requests with a message or a
//! `google.rpc.Status`, which names fields like any other error.

use std::collections::HashSet;
use std::sync::Arc;

use prost_reflect::{DynamicMessage, MessageDescriptor, ReflectMessage, Value};
use tonic_types::pb::Status as Rich;

const STATUS: &str = "google.rpc.Status";

/// The message types of an answer through which an error can be reached; usually none.
#[derive(Clone, Debug, Default)]
pub(crate) struct ErrorHolders(Arc<HashSet<String>>);

impl ErrorHolders {
    pub(crate) fn of(answer: &MessageDescriptor) -> Self {
        let types = reachable(answer);
        let mut holders = HashSet::from([STATUS.to_owned()]);
        // Until nothing is added: a type is a holder if one of its fields is.
        while let Some(found) = types.iter().find(|message| {
            let is_holder = |child: MessageDescriptor| holders.contains(child.full_name());
            !holders.contains(message.full_name()) && children(message).any(is_holder)
        }) {
            holders.insert(found.full_name().to_owned());
        }
        holders.remove(STATUS);
        Self(Arc::new(holders))
    }

    /// Spells the field paths of all errors within an answer as JSON does.
    pub(crate) fn respell(&self, message: &mut DynamicMessage) {
        if self.0.is_empty() {
            return;
        }
        if message.descriptor().full_name() == STATUS {
            respell_status(message);
        } else if self.0.contains(message.descriptor().full_name()) {
            for (_, value) in message.fields_mut() {
                self.respell_value(value);
            }
        }
    }

    /// The same for a message within an answer: it may be an error itself.
    pub(crate) fn respell_nested(&self, message: &mut DynamicMessage) {
        if message.descriptor().full_name() == STATUS {
            respell_status(message);
        } else {
            self.respell(message);
        }
    }

    fn respell_value(&self, value: &mut Value) {
        if let Value::List(values) = value {
            for value in values {
                self.respell_value(value);
            }
        } else if let Value::Message(message) = value {
            self.respell(message);
        }
    }
}

/// All message types of an answer, itself included.
fn reachable(answer: &MessageDescriptor) -> Vec<MessageDescriptor> {
    let (mut found, mut next) = (vec![answer.clone()], 0);
    while let Some(message) = found.get(next).cloned() {
        for child in children(&message) {
            if !found.contains(&child) {
                found.push(child);
            }
        }
        next += 1;
    }
    found
}

fn children(message: &MessageDescriptor) -> impl Iterator<Item = MessageDescriptor> {
    let fields: Vec<_> = message.fields().collect();
    fields.into_iter().filter_map(|field| field.kind().as_message().cloned())
}

fn respell_status(message: &mut DynamicMessage) {
    let Ok(mut status) = message.transcode_to::<Rich>() else { return };
    if super::respell_rich(&mut status) {
        // The types are the same by their name; if not, the error stays as it is.
        let mut respelled = DynamicMessage::new(message.descriptor());
        if respelled.transcode_from(&status).is_ok() {
            *message = respelled;
        }
    }
}
