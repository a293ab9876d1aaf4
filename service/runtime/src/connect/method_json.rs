//! The messages of a method as JSON: by the transcoder where it can, by reflection where it must.

use bytes::Bytes;
use prost::Message;
use prost_reflect::{DynamicMessage, MessageDescriptor, MethodDescriptor};
use tonic::Status;

use crate::json::{self, Transcoder};

use super::{ErrorHolders, locate};

/// Requests in, answers out.
#[derive(Debug)]
pub(crate) struct MethodJson {
    request: MessageDescriptor,
    answer: MessageDescriptor,
    /// Where answers contain errors.
    errors: ErrorHolders,
    requests: Transcoder,
    answers: Transcoder,
}

impl MethodJson {
    /// One for each method, in this order.
    pub(crate) fn each(methods: &[MethodDescriptor]) -> Vec<Self> {
        let kinds = methods.iter().flat_map(|method| [method.input(), method.output()]);
        let mut transcoders = Transcoder::each(kinds).into_iter();
        let mut methods = methods.iter();
        let each = || {
            let (method, requests, answers) =
                (methods.next()?, transcoders.next()?, transcoders.next()?);
            let (request, answer) = (method.input(), method.output());
            let errors = ErrorHolders::of(&answer);
            Some(Self { request, answer, errors, requests, answers })
        };
        std::iter::from_fn(each).collect()
    }

    /// A request in binary, or an error that names the field which is wrong.
    pub(super) fn read(&self, text: &[u8]) -> Result<Bytes, Status> {
        // No body is an empty message, so that `curl -X POST` works.
        if text.is_empty() {
            return Ok(Bytes::new());
        }
        self.requests
            .to_message(text)
            .map_or_else(|| self.read_by_reflection(text), Ok)
            .map(Bytes::from)
    }

    fn read_by_reflection(&self, text: &[u8]) -> Result<Vec<u8>, Status> {
        let mut json = serde_json::Deserializer::from_slice(text);
        let (kind, options) = (self.request.clone(), json::strict());
        let message = DynamicMessage::deserialize_with_options(kind, &mut json, &options)
            .and_then(|message| json.end().map(|()| message));
        let message = message.map_err(|_| locate::refused(&self.request, text))?;
        Ok(message.encode_to_vec())
    }

    /// The JSON of an answer, in which errors name fields as JSON spells them; none if it cannot be
    /// converted.
    pub(super) fn write(&self, answer: &[u8]) -> Option<Vec<u8>> {
        self.answers.to_json(answer).or_else(|| self.write_by_reflection(answer))
    }

    fn write_by_reflection(&self, answer: &[u8]) -> Option<Vec<u8>> {
        let mut answer = DynamicMessage::decode(self.answer.clone(), answer).ok()?;
        self.errors.respell(&mut answer);
        let mut text = Vec::new();
        json::write_dynamic(&answer, &mut text)?;
        Some(text)
    }
}
