//! The name of a suite to its data sets: RuDaS-v0 of section 3.1.

use std::path::Path;

use racgen_data::write::OutputError;
use racgen_data::write::staging::{MANIFEST, Staging, write};
use racgen_logic::seed::stream;
use rand::RngExt;
use rayon::prelude::*;
use serde::Serialize;

use crate::rules::error::RulesError;
use crate::rules::files::folder::{Writing, write_into};
use crate::rules::generate::command::command_of;
use crate::rules::generate::dataset::rule_data;
use crate::rules::generate::settings::{Category, RuleSettings, Scale, Share};

/// Known suites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum RuleSuite {
    /// 40 Chain, 78 RDG and 78 DRDG data sets of sizes XS and S and of depths 2 and 3.
    V0,
}

/// A data set of a suite.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Member {
    /// Its folder, as `DRDG-S-2-0`.
    pub name: String,
    /// What is asked for.
    pub settings: RuleSettings,
}

/// The data sets of RuDaS-v0: one component, at most two body atoms, two arguments; 20 to 40 % of the consequences
/// and 15 to 30 % of the support missing, 10 to 30 % noise. Sizes and depths are spread evenly.
///
/// ```
/// use crate::rules::{Category, v0};
/// let members = v0(0);
/// let count = |category| members.iter().filter(|m| m.settings.category == category).count();
/// assert_eq!([Category::Chain, Category::Rdg, Category::Drdg].map(count), [40, 78, 78]);
/// ```
pub fn v0(seed: u64) -> Vec<Member> {
    let mut members = Vec::new();
    for (category, count) in [(Category::Chain, 40), (Category::Rdg, 78), (Category::Drdg, 78)] {
        for number in 0..count {
            let (size, depth) = [(Scale::XS, 2), (Scale::S, 2), (Scale::XS, 3), (Scale::S, 3)][number % 4];
            let name = format!("{category}-{size}-{depth}-{}", number / 4);
            let settings = RuleSettings {
                category,
                size,
                depth,
                open_world: Share { low: 0.2, high: 0.4 },
                missing: Share { low: 0.15, high: 0.3 },
                noise: Share { low: 0.1, high: 0.3 },
                seed: stream(seed, &["rules", "suite", &name]).random::<u64>() >> 1,
                ..RuleSettings::default()
            };
            members.push(Member { name, settings });
        }
    }
    members
}

#[derive(Serialize)]
struct SuiteManifest<'a> {
    format: &'static str,
    version: &'static str,
    command: &'a str,
    seed: u64,
    data_sets: Vec<Made>,
}

/// A data set that was made.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Made {
    /// Its folder.
    pub name: String,
    /// The seed that makes it again.
    pub seed: u64,
    /// Training facts.
    pub train: usize,
    /// Rules.
    pub rules: usize,
    /// Can no rule and no body atom be dropped unnoticed?
    pub identifiable: bool,
}

/// Makes and writes data sets into one folder that gets its name only when it is complete.
///
/// # Errors
/// Those of the data sets, and those of the output.
pub fn write_suite(
    members: &[Member],
    writing: &Writing,
    command: &str,
    seed: u64,
    out: &Path,
    force: bool,
) -> Result<Vec<Made>, RulesError> {
    let staging = Staging::new(out, force)?;
    let made: Vec<Made> = members
        .par_iter()
        .map(|member| {
            let data = rule_data(&member.settings)?;
            write_into(&data, writing, &command_of(&member.settings), &staging.path().join(&member.name))?;
            Ok(Made {
                name: member.name.clone(),
                seed: member.settings.seed,
                train: data.train_len(),
                rules: data.graph.nodes.len(),
                identifiable: data.dispensable.is_empty(),
            })
        })
        .collect::<Result<_, RulesError>>()?;
    let version = env!("CARGO_PKG_VERSION");
    let manifest =
        SuiteManifest { format: "racgen rules suite 1", version, command, seed, data_sets: made.clone() };
    let text = serde_json::to_string_pretty(&manifest)
        .map_err(|error| OutputError::Encode { path: MANIFEST.into(), message: error.to_string() })?;
    write(staging.path(), MANIFEST, &(text + "\n"))?;
    staging.finish()?;
    Ok(made)
}
