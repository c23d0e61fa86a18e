//! Errors of all layers to Python exceptions with the command's sentences.

use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::types::PyAnyMethods;
use pyo3::{PyErr, Python};
use racgen::audit::run::AuditError;
use racgen::campaign::error::CampaignError;
use racgen::score::run::ScoreError;
use racgen_data::error::DataError;
use racgen_logic::fault::{Fault, Faults};

/// What went wrong, so that threads without Python can hand it on.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Arguments, or files that they name, are at fault.
    Usage(String),
    /// Something was found wrong, or went wrong.
    Other(String),
    /// The work was stopped.
    Interrupted,
}

impl Failure {
    /// The exception: one of those in `racgen.errors`.
    pub(crate) fn raised(self, py: Python<'_>) -> PyErr {
        let (class, text) = match self {
            Failure::Usage(text) => ("UsageError", text),
            Failure::Other(text) => ("RacgenError", text),
            Failure::Interrupted => return PyKeyboardInterrupt::new_err("interrupted"),
        };
        let made = py.import("racgen.errors").and_then(|errors| errors.getattr(class)?.call1((text.as_str(),)));
        made.map_or_else(|_| PyRuntimeError::new_err(text), PyErr::from_value)
    }

    pub(crate) fn usage(text: impl ToString) -> Failure {
        Failure::Usage(text.to_string())
    }

    pub(crate) fn other(text: impl ToString) -> Failure {
        Failure::Other(text.to_string())
    }
}

impl From<CampaignError> for Failure {
    fn from(error: CampaignError) -> Failure {
        match error {
            CampaignError::Interrupted => Failure::Interrupted,
            CampaignError::Settings(_) | CampaignError::Package(_) => Failure::usage(error),
            CampaignError::Data(error) => error.into(),
            error => Failure::other(error),
        }
    }
}

impl From<DataError> for Failure {
    fn from(error: DataError) -> Failure {
        match error {
            DataError::Occupied { .. } => Failure::usage(error),
            error => Failure::other(error),
        }
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Failure {
        Failure::usage(fault)
    }
}

impl From<Faults> for Failure {
    fn from(faults: Faults) -> Failure {
        Failure::usage(faults)
    }
}

impl From<AuditError> for Failure {
    fn from(error: AuditError) -> Failure {
        Failure::other(error)
    }
}

impl From<ScoreError> for Failure {
    fn from(error: ScoreError) -> Failure {
        Failure::other(error)
    }
}
