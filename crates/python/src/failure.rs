//! Errors of all layers to Python exceptions with the command's sentences.

use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::types::PyAnyMethods;
use pyo3::{PyErr, Python};
use racgen::campaign::error_class::{Classed, ErrorClass};

/// What went wrong, so that threads without Python can hand it on.
#[derive(Debug)]
pub(crate) enum CallFailure {
    /// Arguments, or files that they name, are at fault.
    Usage(String),
    /// Something was found wrong, or went wrong.
    Other(String),
    /// The work was stopped.
    Interrupted,
}

impl CallFailure {
    /// The exception: one of those in `racgen.errors`.
    pub(crate) fn raised(self, py: Python<'_>) -> PyErr {
        let (class, text) = match self {
            CallFailure::Usage(text) => ("UsageError", text),
            CallFailure::Other(text) => ("RacgenError", text),
            CallFailure::Interrupted => return PyKeyboardInterrupt::new_err("interrupted"),
        };
        let made =
            py.import("racgen.errors").and_then(|errors| errors.getattr(class)?.call1((text.as_str(),)));
        made.map_or_else(|_| PyRuntimeError::new_err(text), PyErr::from_value)
    }

    pub(crate) fn usage(text: impl ToString) -> CallFailure {
        CallFailure::Usage(text.to_string())
    }

    pub(crate) fn other(text: impl ToString) -> CallFailure {
        CallFailure::Other(text.to_string())
    }
}

impl<E: Classed> From<E> for CallFailure {
    fn from(error: E) -> CallFailure {
        match error.class() {
            ErrorClass::Usage => CallFailure::usage(error),
            ErrorClass::Failure => CallFailure::other(error),
            ErrorClass::Interrupted => CallFailure::Interrupted,
        }
    }
}
