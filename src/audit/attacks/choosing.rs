//! Questions that list what to choose from, to how often trees choose the right option that see the question alone, the actions as
//! well, or the initial situation as well.
//!
//! Trees are asked of each option whether it is right, and the one that they think most of is chosen. They are cross-validated by
//! world.

use serde::Serialize;

use crate::audit::attacks::boost::{BinnedColumn, thoughts};
use crate::audit::attacks::bounded_share::BoundedShare;
use crate::audit::attacks::options::{ListedOptions, OptionSight, columns};

/// How often the right option is told; nothing where a family lists none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ChoiceGiveaway {
    /// The share that a guess tells: one in as many as are listed.
    pub chance: f64,
    /// By question and actions without the initial state.
    pub a: BoundedShare,
    /// By question and initial state without the actions.
    pub facts: BoundedShare,
    /// By the question alone: its form, and which names are equal in it.
    pub pattern: BoundedShare,
}

impl ChoiceGiveaway {
    /// What is given away by questions, each with what it lists and the part of the cross-validation that it belongs to.
    pub fn of(asked: &[(&ListedOptions, u8)]) -> ChoiceGiveaway {
        let labels: Vec<bool> = asked
            .iter()
            .flat_map(|(listed, _)| (0..listed.options.len()).map(|place| place == listed.right))
            .collect();
        let folds: Vec<u8> =
            asked.iter().flat_map(|(listed, fold)| listed.options.iter().map(|_| *fold)).collect();
        let learn = |sees: &[OptionSight]| {
            let seen = columns().into_iter().enumerate().filter(|(_, (sight, _))| sees.contains(sight));
            let told: Vec<BinnedColumn> = seen
                .filter_map(|(place, (_, ordered))| {
                    let all = asked.iter().flat_map(|(listed, _)| &listed.options);
                    BinnedColumn::new(&all.map(|values| values[place]).collect::<Vec<u8>>(), ordered)
                })
                .collect();
            let mut thought = &thoughts(&told, &labels, &folds)[..];
            BoundedShare::of(asked.iter().map(|(listed, _)| {
                let (own, others) = thought.split_at(listed.options.len());
                thought = others;
                chosen(own) == listed.right
            }))
        };
        let options: f64 = asked.iter().map(|(listed, _)| 1.0 / listed.options.len() as f64).sum();
        ChoiceGiveaway {
            chance: options / asked.len().max(1) as f64,
            a: learn(&[OptionSight::Asked, OptionSight::Acted]),
            facts: learn(&[OptionSight::Asked, OptionSight::Initial]),
            pattern: learn(&[OptionSight::Asked]),
        }
    }
}

/// The first of those that are thought most of.
fn chosen(thought: &[f64]) -> usize {
    (0..thought.len()).reduce(|best, one| if thought[one] > thought[best] { one } else { best }).unwrap_or(0)
}
