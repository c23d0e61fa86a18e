//! Why a data set was not written.

use racgen_data::error::DataError;
use racgen_logic::fault::Faults;

use crate::games::error::GameError;
use crate::halma::error::HalmaError;
use crate::iq::error::IqError;
use crate::items::error::ItemError;
use crate::rules::error::RulesError;

/// Everything that keeps a data set from being written.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// A package is at fault.
    #[error(transparent)]
    Package(#[from] Faults),
    /// Items could not be made.
    #[error("{config}: {cause}")]
    Items {
        /// The configuration.
        config: String,
        /// Why.
        cause: ItemError,
    },
    /// Files could not be written or read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Rules could not be made.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// Tasks of games could not be made.
    #[error(transparent)]
    Games(#[from] GameError),
    /// Mazes could not be made.
    #[error(transparent)]
    Mazes(HalmaError),
    /// Agents could not be measured.
    #[error(transparent)]
    Iq(IqError),
    /// The user stopped the run.
    #[error("interrupted; nothing half-written was left behind, and --resume continues")]
    Interrupted,
    /// Settings that make no sense.
    #[error("{0}")]
    Settings(String),
}

impl From<HalmaError> for CampaignError {
    fn from(error: HalmaError) -> CampaignError {
        match error {
            HalmaError::Data(error) => CampaignError::Data(error),
            HalmaError::Interrupted => CampaignError::Interrupted,
            other => CampaignError::Mazes(other),
        }
    }
}

impl From<IqError> for CampaignError {
    fn from(error: IqError) -> CampaignError {
        match error {
            IqError::Data(error) => CampaignError::Data(error),
            IqError::Interrupted => CampaignError::Interrupted,
            other => CampaignError::Iq(other),
        }
    }
}
