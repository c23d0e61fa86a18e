//! The name of a suite to its data sets: RuDaS-v0 of section 3.1.

use racgen_logic::seed::stream;
use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::rules::generate::dataset::RuleData;
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
/// use racgen::rules::files::suite::v0;
/// use racgen::rules::generate::settings::Category;
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

/// A data set that was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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

impl Made {
    /// What is told of a data set.
    pub fn of(member: &Member, data: &RuleData) -> Made {
        Made {
            name: member.name.clone(),
            seed: member.settings.seed,
            train: data.train_len(),
            rules: data.graph.nodes.len(),
            identifiable: data.dispensable.is_empty(),
        }
    }
}
