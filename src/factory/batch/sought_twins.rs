//! How far a group has sought twins of its stories that are told in part.

/// How far twins of one sort were sought.
#[derive(Clone, Copy, Default)]
pub(super) struct SoughtTwins {
    /// The first story of which none were sought.
    pub(super) next: usize,
    /// Did those of some stories give no three questions that go together? Then others can do without.
    pub(super) in_vain: bool,
    /// How many threes were asked that are told apart so.
    pub(super) threes: usize,
}
