//! Numpy arrays. None of them is touched before numpy is known to be there: without it, the bindings
//! would panic. They would also panic if they made an array without memory, so numpy makes them.

use azulejo_play::Observations;
use numpy::{
    BorrowError, Element, PyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray,
    PyReadwriteArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::error::{in_use, named, wrong_type};

/// Raises `ImportError` if numpy is not installed.
pub(crate) fn require_numpy(py: Python<'_>) -> PyResult<()> {
    static FOUND: PyOnceLock<()> = PyOnceLock::new();
    let look = || match py.import("numpy") {
        Ok(_) => Ok(()),
        Err(_) => Err(PyImportError::new_err(
            "arrays require numpy: pip install numpy, or azulejo-sdk[numpy]",
        )),
    };
    FOUND.get_or_try_init(py, look).copied()
}

/// The memory of an array. It is the `base` of what Python sees, and hides the array that owns the
/// memory: an array that Python can reach can be resized, or be made one of another type.
#[derive(Debug)]
#[pyclass(frozen, module = "azulejo")]
pub(crate) struct Memory {
    owner: Py<PyAny>,
}

#[pymethods]
impl Memory {
    /// Where it is, for `numpy.asarray`.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.owner.bind(py).getattr("__array_interface__")
    }
}

/// An array that an object writes. Python sees another one of the same memory, whatever it does to it.
#[derive(Debug)]
pub(crate) struct Owned<T: Element> {
    own: Py<PyArray2<T>>,
    seen: Py<PyAny>,
}

impl<T: Element> Owned<T> {
    /// Zeros. `columns` of `None` makes a flat view.
    pub(crate) fn zeros(py: Python<'_>, rows: usize, columns: Option<usize>) -> PyResult<Self> {
        Self::seen_as(py, rows, columns, None)
    }

    /// The same, and Python sees elements of another type of the same size.
    pub(crate) fn seen_as(
        py: Python<'_>,
        rows: usize,
        columns: Option<usize>,
        element: Option<&str>,
    ) -> PyResult<Self> {
        let numpy = py.import("numpy")?;
        let own_element = numpy::dtype::<T>(py);
        let seen_element = match element {
            Some(element) => element.into_pyobject(py)?.into_any(),
            None => own_element.clone().into_any(),
        };
        let owner = match columns {
            Some(columns) => numpy.call_method1("zeros", ((rows, columns), seen_element))?,
            None => numpy.call_method1("zeros", (rows, seen_element))?,
        };
        let memory = Bound::new(py, Memory { owner: owner.unbind() })?;
        let seen = numpy.call_method1("asarray", (&memory,))?;
        let own = numpy.call_method1("asarray", (&memory,))?;
        let own = own.call_method1("view", (own_element,))?;
        let own = own.call_method1("reshape", (rows, columns.unwrap_or(1)))?;
        Ok(Self { own: own.cast_into::<PyArray2<T>>()?.unbind(), seen: seen.unbind() })
    }

    /// What Python sees.
    pub(crate) fn view(&self, py: Python<'_>) -> Py<PyAny> {
        self.seen.clone_ref(py)
    }

    pub(crate) fn write<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<PyReadwriteArray<'py, T, numpy::Ix2>> {
        let array = self.own.bind(py).try_readwrite();
        array.map_err(|error| borrowed("an array of this object", &error))
    }
}

fn borrowed(what: &str, error: &BorrowError) -> PyErr {
    match error {
        BorrowError::NotWriteable => named(format!("{what} is read-only"), "READ_ONLY", None),
        BorrowError::AlreadyBorrowed | _ => in_use(what),
    }
}

/// A part that is in one piece.
pub(crate) fn slice_mut<'a, T: Element, D: numpy::ndarray::Dimension>(
    what: &str,
    array: &'a mut PyReadwriteArray<'_, T, D>,
) -> PyResult<&'a mut [T]> {
    check_memory(what, array)?;
    array.as_slice_mut().map_err(|_| not_contiguous(what))
}

fn check_memory<T: Element, D: numpy::ndarray::Dimension>(
    what: &str,
    array: &Bound<'_, PyArray<T, D>>,
) -> PyResult<()> {
    if !array.is_c_contiguous() {
        return Err(not_contiguous(what));
    }
    if !array.is_aligned() {
        let message = format!("{what} is not aligned in memory: use its copy()");
        return Err(named(message, "NOT_ALIGNED", None));
    }
    Ok(())
}

fn not_contiguous(what: &str) -> PyErr {
    named(format!("{what} is not contiguous: use its copy()"), "NOT_CONTIGUOUS", None)
}

/// An array of zeros for the caller.
pub(crate) fn zeros<T: Element>(
    py: Python<'_>,
    shape: (usize, usize),
) -> PyResult<Bound<'_, PyArray2<T>>> {
    let made = py.import("numpy")?.call_method1("zeros", (shape, numpy::dtype::<T>(py)))?;
    Ok(made.cast_into()?)
}

/// An array from Python to read.
pub(crate) fn reading<'py, T: Element, D: numpy::ndarray::Dimension>(
    what: &str,
    given: &Bound<'py, PyAny>,
) -> PyResult<PyReadonlyArray<'py, T, D>> {
    let array = given.cast::<PyArray<T, D>>().map_err(|_| wrong_array::<T, D>(what, given))?;
    let array = array.try_readonly().map_err(|error| borrowed(what, &error))?;
    check_memory(what, &array)?;
    Ok(array)
}

/// A flat array from Python to write.
pub(crate) fn writing<'py, T: Element>(
    what: &str,
    given: &Bound<'py, PyAny>,
) -> PyResult<PyReadwriteArray<'py, T, numpy::Ix1>> {
    let array = given.cast::<PyArray1<T>>();
    let array = array.map_err(|_| wrong_array::<T, numpy::Ix1>(what, given))?;
    array.try_readwrite().map_err(|error| borrowed(what, &error))
}

fn wrong_array<T: Element, D: numpy::ndarray::Dimension>(
    what: &str,
    given: &Bound<'_, PyAny>,
) -> PyErr {
    let wanted = numpy::dtype::<T>(given.py());
    let dimensions = D::NDIM.unwrap_or_default();
    wrong_type(&format!(
        "{what} must be a numpy array of {wanted} with {dimensions} dimension{}",
        if dimensions == 1 { "" } else { "s" }
    ))
}

/// Checks the shape of an array with two dimensions.
pub(crate) fn check_shape<T: Element>(
    what: &str,
    array: &PyReadonlyArray<'_, T, numpy::Ix2>,
    expected: [usize; 2],
) -> PyResult<()> {
    let found = array.shape();
    if found == expected {
        return Ok(());
    }
    let message = format!("{what} has the shape {found:?}, expected {expected:?}");
    Err(named(message, "WRONG_COUNT", None))
}

/// Observations, as raw values or as numbers.
#[derive(Debug)]
pub(crate) enum Seen {
    Raw(Owned<u8>),
    Scaled(Owned<f32>),
}

/// The same, while they are written.
pub(crate) enum Written<'py> {
    Raw(PyReadwriteArray<'py, u8, numpy::Ix2>),
    Scaled(PyReadwriteArray<'py, f32, numpy::Ix2>),
}

impl Seen {
    pub(crate) fn zeros(py: Python<'_>, raw: bool, rows: usize, size: usize) -> PyResult<Self> {
        Ok(if raw {
            Self::Raw(Owned::zeros(py, rows, Some(size))?)
        } else {
            Self::Scaled(Owned::zeros(py, rows, Some(size))?)
        })
    }

    pub(crate) fn view(&self, py: Python<'_>) -> Py<PyAny> {
        match self {
            Self::Raw(array) => array.view(py),
            Self::Scaled(array) => array.view(py),
        }
    }

    pub(crate) fn write<'py>(&self, py: Python<'py>) -> PyResult<Written<'py>> {
        Ok(match self {
            Self::Raw(array) => Written::Raw(array.write(py)?),
            Self::Scaled(array) => Written::Scaled(array.write(py)?),
        })
    }
}

impl Written<'_> {
    pub(crate) fn observations(&mut self) -> PyResult<Observations<'_>> {
        let what = "the array of observations";
        Ok(match self {
            Self::Raw(array) => Observations::Raw(slice_mut(what, array)?),
            Self::Scaled(array) => Observations::Scaled(slice_mut(what, array)?),
        })
    }
}
