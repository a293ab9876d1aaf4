//! Errors of calls, independent of the transport.

use azulejo_rules::parts::BadText;
use azulejo_rules::{azul, pavilion};
use azulejo_wire::{BadField, azul_path, pavilion_path};
use thiserror::Error;

use crate::{BadTable, Refusal};

/// Why a call was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EngineError {
    #[error(transparent)]
    BadField(#[from] BadField),
    #[error("invalid Azul position: {0}")]
    AzulPosition(azul::BadPosition),
    #[error("invalid Summer Pavilion position: {0}")]
    PavilionPosition(pavilion::BadPosition),
    #[error("{refusal}")]
    IllegalMove {
        /// The request field that named the move.
        by: &'static str,
        refusal: Refusal,
    },
    #[error("action {id} is not in the action space, which has {count} ids from 0")]
    NoSuchAction { id: u32, count: u16 },
    #[error("invalid move: {0}")]
    BadNotation(BadText),
    #[error("{what}{0}", what = if .0.at().is_some() { "invalid position: " } else { "" })]
    BadPositionText(BadTable),
    #[error("display {}: {refusal}", index + 1)]
    BadDeal { index: usize, refusal: Refusal },
    #[error("no deal is due")]
    NoDealDue,
    #[error("invalid record: {0}")]
    BadRecord(String),
    #[error("the deadline expired before the work was done")]
    OutOfTime,
}

impl EngineError {
    /// The path of the wrong field, relative to the request; empty if there is none.
    #[must_use]
    pub fn field(&self) -> String {
        match self {
            Self::BadField(bad) => bad.path.clone(),
            Self::AzulPosition(defect) => inside("state.azul", &azul_path(defect)),
            Self::PavilionPosition(defect) => {
                inside("state.summer_pavilion", &pavilion_path(defect))
            }
            Self::IllegalMove { by, .. } => (*by).to_owned(),
            Self::NoSuchAction { .. } => "action_id".to_owned(),
            Self::BadNotation(_) => "notation".to_owned(),
            Self::BadPositionText(_) => "position".to_owned(),
            Self::BadDeal { index, refusal } => match refusal {
                Refusal::Azul(_) => format!("displays.azul.displays[{index}]"),
                Refusal::SummerPavilion(_) => format!("displays.summer_pavilion.displays[{index}]"),
                Refusal::OtherGame => "displays".to_owned(),
            },
            Self::NoDealDue => "state".to_owned(),
            Self::BadRecord(_) => "record".to_owned(),
            Self::OutOfTime => String::new(),
        }
    }
}

fn inside(outer: &str, path: &str) -> String {
    if path.is_empty() { outer.to_owned() } else { format!("{outer}.{path}") }
}
