//! The layout of an observation.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Where each part of a position is in its observation.
#[derive(Debug)]
#[pyclass(frozen, get_all, module = "azulejo")]
pub(crate) struct Layout {
    /// The version of the layout, such as "obs1".
    version: &'static str,
    /// The number of values.
    size: usize,
    /// A number that differs whenever the layout does, to be stored with a trained network.
    hash: u64,
    /// The parts, from the first value to the last.
    sections: Py<PyTuple>,
}

/// A part of an observation.
#[derive(Debug)]
#[pyclass(frozen, get_all, module = "azulejo")]
pub(crate) struct Section {
    name: String,
    offset: usize,
    shape: Py<PyTuple>,
    /// The divisor of its values.
    scale: u8,
}

impl Layout {
    pub(crate) fn of(py: Python<'_>, layout: &azulejo_play::Layout) -> PyResult<Self> {
        let sections = layout.sections.iter().map(|section| {
            Py::new(
                py,
                Section {
                    name: section.name.clone(),
                    offset: section.offset,
                    shape: PyTuple::new(py, section.shape.iter())?.unbind(),
                    scale: section.scale,
                },
            )
        });
        let sections = sections.collect::<PyResult<Vec<_>>>()?;
        Ok(Self {
            version: azulejo_play::OBSERVATION_VERSION,
            size: layout.size,
            hash: layout.hash(),
            sections: PyTuple::new(py, sections)?.unbind(),
        })
    }
}

#[pymethods]
impl Layout {
    fn __repr__(&self) -> String {
        format!(
            "<azulejo.Layout {} of {} values, hash {:#018x}>",
            self.version, self.size, self.hash
        )
    }
}

#[pymethods]
impl Section {
    fn __repr__(&self) -> String {
        let Self { name, offset, shape, scale } = self;
        format!("<azulejo.Section {name:?} at {offset}, shape {shape}, scale {scale}>")
    }
}
