//! What a kind of games for two tells to the frame around it.

use crate::iq::grammar::kif::KifText;

/// Rules of a game for two, which define `over`, `(wins player)` where it is over, and perhaps `drawn`.
#[derive(Debug)]
pub struct DuelRules {
    /// What it is, in a word or two.
    pub kind: &'static str,
    /// The rules.
    pub rules: KifText,
    /// Steps after which it is over at the latest.
    pub horizon: u32,
    /// Can it be drawn?
    pub draws: bool,
    /// The role that the agent must have; none where it may have either.
    pub seat: Option<usize>,
}
