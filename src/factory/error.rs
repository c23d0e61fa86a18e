//! Why a factory makes no rows.

use racgen_logic::fault::Fault;

use crate::domain::question_groups::UNKNOWN;
use crate::language::error::LanguageError;
use crate::pictures::arrange::Crowded;
use crate::pictures::error::PictureError;
use crate::simulate::error::SimulationError;

/// Why no rows come out.
#[derive(Debug, thiserror::Error)]
pub enum FactoryError {
    /// No layout, or no story.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// Fewer worlds than splits.
    #[error(
        "level N{level} of `{domain}` has too few distinct worlds for {splits} splits that share none ({found} found); \
         use --split-by instance, which keeps world and plan apart instead"
    )]
    FewWorlds {
        /// The domain.
        domain: String,
        /// The level.
        level: i32,
        /// How many there are.
        found: usize,
        /// How many splits there are.
        splits: usize,
    },
    /// No world of a split.
    #[error(
        "no world of N{level} of `{domain}` turned up for the split {split}; \
         use --split-by instance, which keeps world and plan apart instead"
    )]
    NoWorld {
        /// The domain.
        domain: String,
        /// The level.
        level: i32,
        /// The split.
        split: String,
    },
    /// No question of a kind.
    #[error(
        "no {kind} question of `{domain}` can be asked at N{level}, depth {depth}, of the families wanted; leave it out of --mix, \
         as in --mix {}=1, or take other depths, levels or groups{}", another_than(.kind), unknown_hint(.groups, *.outcomes)
    )]
    NoQuestions {
        /// The kind.
        kind: &'static str,
        /// The domain.
        domain: String,
        /// The level.
        level: i32,
        /// The depth.
        depth: i32,
        /// The groups that were asked for.
        groups: Vec<String>,
        /// Do actions of the domain have several outcomes?
        outcomes: bool,
    },
    /// A family that was asked for is none.
    #[error(
        "no question of `{domain}` at N{level}, depth {depth} is of the family `{family}`; there are {known}, and `racgen \
         domains {domain}` tells of what type they are"
    )]
    NoFamily {
        /// The family.
        family: String,
        /// The domain.
        domain: String,
        /// The level.
        level: i32,
        /// The depth.
        depth: i32,
        /// The families that there are.
        known: String,
    },
    /// A slot could not be filled.
    #[error(
        "row {index} of {split} (N{level}, depth {depth}) found no question in {stories} stories; this level and depth admit too few, choose another --mix or level"
    )]
    NoItem {
        /// Row index.
        index: u64,
        /// Split name.
        split: String,
        /// The level.
        level: i32,
        /// The depth.
        depth: i32,
        /// Stories tried.
        stories: usize,
    },
    /// The domain cannot be told in the vocabulary of the generic domain.
    #[error(transparent)]
    Language(#[from] LanguageError),
    /// A picture whose letters are too small, or whose lines hide each other.
    #[error(
        "situations of N{level} of `{domain}` cannot all be drawn so that they can be read{}; take a lower --level, or tell \
         them in words with --tell text", .crowded.as_ref().map_or(String::new(), |why| format!(": in one of them, {}", why.what()))
    )]
    Illegible {
        /// The domain.
        domain: String,
        /// The level.
        level: i32,
        /// What does not fit.
        crowded: Option<Crowded>,
    },
    /// A drawing that makes no picture.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// A template failed.
    #[error(transparent)]
    Template(#[from] Fault),
}

/// A kind of questions that is not this one.
fn another_than(kind: &str) -> &'static str {
    if kind == "verify" { "other" } else { "verify" }
}

/// What questions about stories told in part need, or where actions have several outcomes.
fn unknown_hint(groups: &[String], outcomes: bool) -> &'static str {
    if outcomes {
        "; must and may need actions whose outcomes come to different things, two initial situations in which the same actions \
         have different answers, and the part `invariant` of world.lp"
    } else if groups.iter().any(|group| group == UNKNOWN) {
        "; those of the group unknown need an object that no static fact names, and `racgen check` says where there is none"
    } else {
        ""
    }
}
