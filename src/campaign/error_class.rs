//! Errors of all layers to what they say of a call: its arguments are at fault, something went wrong, or it was stopped.
//!
//! The command line makes exit codes of it, and the Python module exceptions.

use racgen_data::error::DataError;
use racgen_logic::fault::{Fault, Faults};

use crate::campaign::error::CampaignError;
use crate::games::error::GameError;
use crate::halma::error::HalmaError;
use crate::iq::error::IqError;
use crate::pictures::error::PictureError;
use crate::rules::error::RulesError;

/// What an error says of the call that it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorClass {
    /// Arguments, or files that they name, are at fault.
    Usage,
    /// Something was found wrong, or went wrong.
    Failure,
    /// It was stopped.
    Interrupted,
}

/// An error of which it is known what it says of a call.
pub trait Classed: ToString {
    /// What it says.
    fn class(&self) -> ErrorClass;
}

impl Classed for DataError {
    fn class(&self) -> ErrorClass {
        match self {
            DataError::Occupied { .. } => ErrorClass::Usage,
            _ => ErrorClass::Failure,
        }
    }
}

impl Classed for CampaignError {
    fn class(&self) -> ErrorClass {
        match self {
            CampaignError::Interrupted => ErrorClass::Interrupted,
            CampaignError::Settings(_) | CampaignError::Package(_) => ErrorClass::Usage,
            CampaignError::Data(error) => error.class(),
            CampaignError::Rules(error) => error.class(),
            CampaignError::Games(error) => error.class(),
            CampaignError::Mazes(error) => error.class(),
            CampaignError::Iq(error) => error.class(),
            CampaignError::Items { .. } => ErrorClass::Failure,
        }
    }
}

impl Classed for GameError {
    fn class(&self) -> ErrorClass {
        match self {
            GameError::Interrupted => ErrorClass::Interrupted,
            GameError::Data(error) => error.class(),
            error if error.usage() => ErrorClass::Usage,
            _ => ErrorClass::Failure,
        }
    }
}

impl Classed for HalmaError {
    fn class(&self) -> ErrorClass {
        match self {
            HalmaError::Interrupted => ErrorClass::Interrupted,
            HalmaError::Settings(_) | HalmaError::Fault(_) | HalmaError::Read(_) => ErrorClass::Usage,
            HalmaError::Picture(error) => error.class(),
            HalmaError::Data(error) => error.class(),
            _ => ErrorClass::Failure,
        }
    }
}

impl Classed for PictureError {
    fn class(&self) -> ErrorClass {
        match self {
            PictureError::Fault(_) | PictureError::Read(_) => ErrorClass::Usage,
            PictureError::Raster(_) => ErrorClass::Failure,
        }
    }
}

impl Classed for IqError {
    fn class(&self) -> ErrorClass {
        match self {
            IqError::Interrupted => ErrorClass::Interrupted,
            IqError::Settings(_) | IqError::Start { .. } | IqError::Read(_) => ErrorClass::Usage,
            IqError::Data(error) => error.class(),
            IqError::Game(error) => error.class(),
            IqError::Unplayable { .. } | IqError::Solver(_) => ErrorClass::Failure,
        }
    }
}

impl Classed for RulesError {
    fn class(&self) -> ErrorClass {
        match self {
            RulesError::Settings(_) | RulesError::Fault(_) | RulesError::Read(_) => ErrorClass::Usage,
            RulesError::Data(error) => error.class(),
            _ => ErrorClass::Failure,
        }
    }
}

impl Classed for Fault {
    fn class(&self) -> ErrorClass {
        ErrorClass::Usage
    }
}

impl Classed for Faults {
    fn class(&self) -> ErrorClass {
        ErrorClass::Usage
    }
}
