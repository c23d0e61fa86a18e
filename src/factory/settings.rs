//! Everything that decides what the rows of a data set are.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::package::Package;
use crate::domain::question_groups::{EXPLAINED, PREDICTION, is_partly, kinds, suits, with_outcomes};
use crate::factory::further::extra_cells::DIFFICULTIES;
use crate::items::apportion::apportion;
use crate::items::source::{Split, Stream};
use crate::language::tell::paragraphs::Disorder;
use crate::language::words::holdout::Holdout;
use crate::phrases::book::FamilyPhrases;
use crate::simulate::plans::sampling::Sampling;
use crate::simulate::transitions::compiled_layout::Kind;

/// What is kept apart by splits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum SplitBy {
    /// No world is in two splits.
    World,
    /// No world with the same plan is in two splits.
    Instance,
    /// No domain is in two splits, and no clone of one.
    Domain,
    /// Nor is it; and of some combinations of three mechanisms or more, all domains are in splits other than the first, which
    /// has each pair of their mechanisms.
    Composition,
}

impl SplitBy {
    /// Are whole domains dealt to splits?
    pub fn is_of_domains(self) -> bool {
        matches!(self, SplitBy::Domain | SplitBy::Composition)
    }
}

/// How an initial state is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum StateTelling {
    /// In words.
    #[default]
    Text,
    /// By a picture; words name the objects only.
    Picture,
    /// In words, and by a picture.
    Both,
}

impl StateTelling {
    /// Is there no picture?
    pub fn is_text(&self) -> bool {
        *self == StateTelling::Text
    }
}

/// Everything that decides what the rows of a data set are.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Settings {
    /// Levels N1..N5 as numbers.
    pub levels: Vec<i32>,
    /// Lengths of the action sequences.
    pub depths: Vec<i32>,
    /// Rows in all, shared evenly among levels and depths.
    pub items: u64,
    /// Weights of verify, count and other questions.
    pub mix: [u32; 3],
    /// The families of questions that are asked; all of them where none is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub families: Vec<String>,
    /// The groups of questions that are asked, in turn; prediction alone where none is named, or, where actions have several
    /// outcomes, all that can be asked there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ask: Vec<String>,
    /// Have actions several outcomes?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outcomes: bool,
    /// By column of difficulty, the least and the greatest value of items beyond prediction.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub effort: BTreeMap<String, (i64, i64)>,
    /// The splits; the first is the one that others take their vocabulary from.
    pub splits: Vec<Split>,
    /// What splits keep apart.
    pub split_by: SplitBy,
    /// The root seed.
    pub seed: u64,
    /// How action sequences are drawn.
    pub sampling: Sampling,
    /// Does the context hold the rules?
    pub rules: bool,
    /// Share of phrasings kept for the split `test_language`.
    pub holdout_phrasings: f64,
    /// Share of names kept for the split `test_language`.
    pub holdout_names: f64,
    /// May answers of other splits be unknown to the first?
    pub open_vocabulary: bool,
    /// Parameters that override the package's.
    pub parameters: BTreeMap<String, i64>,
    /// Is all told in the vocabulary of the generic domain (section 9)?
    #[serde(default)]
    pub as_generic: bool,
    /// Does each row have a rationale?
    #[serde(default)]
    pub rationale: bool,
    /// Do rows come in pairs that differ in one place and in their answers?
    #[serde(default)]
    pub minimal_pairs: bool,
    /// Is there a split `test_contrast`?
    #[serde(default)]
    pub contrast: bool,
    /// What makes initial states harder to read.
    #[serde(default)]
    pub disorder: Disorder,
    /// Is there a split `test_names`, in which names are random letters?
    #[serde(default)]
    pub random_names: bool,
    /// How is the initial state told?
    #[serde(default, skip_serializing_if = "StateTelling::is_text")]
    pub tell: StateTelling,
    /// Is there a split `test_looks`, whose pictures look like those of no other split?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub holdout_looks: bool,
}

/// The most actions of a story that questions beyond prediction are about: their rules speak of each of its situations.
const DEEPEST_STORY: i32 = 200;

/// That there is nothing to ask.
const UNWEIGHED: &str = "--mix gives no kind of question any weight";

/// The name of the split that holds held-out phrasings and names.
pub const LANGUAGE_SPLIT: &str = "test_language";
/// The name of the split whose rows are changed in the ways of table 22, each beside the row it came from.
pub const CONTRAST_SPLIT: &str = "test_contrast";
/// The name of the split in which names are random letters.
pub const NAMES_SPLIT: &str = "test_names";
/// The name of the split whose pictures have colours and letters that no other split's have.
pub const LOOKS_SPLIT: &str = "test_looks";

impl Default for Settings {
    fn default() -> Self {
        let split = |name: &str, weight| Split { name: name.into(), weight };
        Settings {
            levels: vec![1],
            depths: vec![1],
            items: 1000,
            mix: [4, 3, 3],
            families: Vec::new(),
            ask: Vec::new(),
            outcomes: false,
            effort: BTreeMap::new(),
            splits: vec![split("train", 0.8), split("validation", 0.1), split("test", 0.1)],
            split_by: SplitBy::World,
            seed: 0,
            sampling: Sampling::Explore,
            rules: true,
            holdout_phrasings: 0.0,
            holdout_names: 0.0,
            open_vocabulary: false,
            parameters: BTreeMap::new(),
            as_generic: false,
            rationale: false,
            minimal_pairs: false,
            contrast: false,
            disorder: Disorder::default(),
            random_names: false,
            tell: StateTelling::Text,
            holdout_looks: false,
        }
    }
}

impl Settings {
    /// Do the settings make sense?
    ///
    /// # Errors
    /// A sentence that says which does not.
    pub fn check(&self) -> Result<(), String> {
        if self.splits.is_empty() || self.splits.iter().any(|s| !s.weight.is_finite() || s.weight <= 0.0) {
            return Err("each split needs a weight above 0".into());
        }
        let open = Settings { outcomes: true, ..self.clone() };
        if self.weights().iter().chain(&open.weights()).all(|weight| *weight == 0) {
            return Err(UNWEIGHED.into());
        }
        if self.families.iter().any(String::is_empty) {
            return Err("--family takes names of families, separated by commas".into());
        }
        if !self.families.is_empty() && (self.minimal_pairs || self.contrast) {
            return Err("--family goes neither with --minimal-pairs nor with --contrast, which ask about something else in \
                        the second item of a pair"
                .into());
        }
        self.check_groups()?;
        self.check_pictures()?;
        let adds = [
            (self.holdout_phrasings > 0.0, "--holdout-phrasings"),
            (self.holdout_names > 0.0, "--holdout-names"),
            (self.random_names, "--names"),
            (self.contrast, "--contrast"),
            (self.holdout_looks, "--holdout-looks"),
        ];
        if let Some((_, flag)) = adds.iter().find(|(set, _)| *set && self.split_by.is_of_domains()) {
            return Err(format!(
                "{flag} adds a split of the same domains, and --split-by domain and composition deal each domain to one \
                 split; leave one of them out"
            ));
        }
        let shares =
            [(self.holdout_phrasings, "--holdout-phrasings"), (self.holdout_names, "--holdout-names")];
        match shares.into_iter().find(|(share, _)| !(0.0..=0.5).contains(share)) {
            Some((_, flag)) => Err(format!("{flag} takes a share from 0 to 0.5")),
            None => Ok(()),
        }
    }

    /// The splits that are asked for and those that other settings add, their weights adding up to one.
    pub fn all_splits(&self) -> Vec<Split> {
        let mut splits = self.splits.clone();
        let held_out = self.holdout_names > 0.0 || self.holdout_phrasings > 0.0;
        let more = [
            (held_out, LANGUAGE_SPLIT),
            (self.random_names, NAMES_SPLIT),
            (self.contrast, CONTRAST_SPLIT),
            (self.holdout_looks, LOOKS_SPLIT),
        ];
        let weight = splits.last().map_or(1.0, |s| s.weight);
        for (_, name) in more.iter().filter(|(wanted, _)| *wanted) {
            if !splits.iter().any(|s| s.name == *name) {
                splits.push(Split { name: (*name).into(), weight });
            }
        }
        let total: f64 = splits.iter().map(|s| s.weight).sum();
        splits.iter_mut().for_each(|s| s.weight /= total);
        splits
    }

    /// Levels and depths, in order.
    pub fn cells(&self) -> BTreeSet<(i32, i32)> {
        self.levels.iter().flat_map(|n| self.depths.iter().map(|a| (*n, *a))).collect()
    }

    /// The streams of one of [`Settings::all_splits`], in order, with their numbers of rows.
    pub fn streams(&self, splits: &[Split], split: usize) -> Vec<(Stream, u64)> {
        let cells = self.cells();
        let cell_sizes = apportion(self.items, &vec![1.0; cells.len()]);
        let weights: Vec<f64> = splits.iter().map(|s| s.weight).collect();
        let sized = cells.into_iter().zip(cell_sizes);
        sized
            .map(|((level, depth), rows)| {
                (Stream { split, level, depth, ..Stream::default() }, apportion(rows, &weights)[split])
            })
            .collect()
    }

    /// The groups beyond prediction that are asked for.
    pub fn further_groups(&self) -> impl Iterator<Item = &str> {
        self.ask.iter().map(String::as_str).filter(|group| *group != PREDICTION)
    }

    /// Is a family beyond prediction asked?
    pub fn asks(&self, family: &FamilyPhrases) -> bool {
        let named = self.families.is_empty() || self.families.contains(&family.pattern.functor);
        named && self.ask.contains(&family.group) && suits(&family.pattern.functor, self.outcomes)
    }

    /// The same for a package: where its actions have several outcomes and nothing else is said, what can be asked there is.
    pub fn suited(mut self, package: &Package) -> Settings {
        self.outcomes = package.has_outcomes;
        if self.outcomes && self.ask.is_empty() {
            self.ask = with_outcomes().map(str::to_owned).to_vec();
        }
        self
    }

    /// Are questions of prediction asked?
    pub fn predicts(&self) -> bool {
        self.ask.is_empty() || self.ask.iter().any(|group| group == PREDICTION)
    }

    /// Weights of verify, count and other questions: those that no group has take no part.
    pub fn weights(&self) -> [u32; 3] {
        let has = |kind: usize| {
            self.ask.is_empty() || self.ask.iter().any(|group| kinds(group, self.outcomes)[kind])
        };
        std::array::from_fn(|kind| if has(kind) { self.mix[kind] } else { 0 })
    }

    /// The group of the `n`-th question of a kind, none for prediction, and how many of that group and kind came before
    /// it. Verify questions come in pairs. Groups that are silent have no turn.
    pub fn turn(&self, kind: Kind, n: u64, silent: &BTreeSet<(String, Kind)>) -> (Option<&str>, u64) {
        if self.ask.is_empty() {
            return (None, n);
        }
        let has = |group: &&str| {
            kinds(group, self.outcomes)[kind as usize] && !silent.contains(&((*group).to_owned(), kind))
        };
        let own: Vec<&str> = self.ask.iter().map(String::as_str).filter(has).collect();
        let (groups, of_pair) = (own.len().max(1) as u64, if kind == Kind::Verify { 2 } else { 1 });
        let (turn, within) = (n / of_pair, n % of_pair);
        let group = own.get((turn % groups) as usize).copied().unwrap_or(PREDICTION);
        (Some(group).filter(|group| *group != PREDICTION), turn / groups * of_pair + within)
    }

    /// What can be asked where actions have several outcomes, and what only there?
    fn check_outcomes(&self, package: &Package) -> Result<(), String> {
        let name = &package.name;
        let misplaced = self.families.iter().find(|family| !suits(family, self.outcomes));
        if !self.outcomes {
            return misplaced.map_or(Ok(()), |family| {
                Err(format!(
                    "--family {family} is about actions with several outcomes, and those of the domain `{name}` have one each"
                ))
            });
        }
        let able = with_outcomes();
        let refused = self.ask.iter().find(|group| !able.contains(&group.as_str()));
        let other = [
            (self.as_generic, "--as generic tells"),
            (self.minimal_pairs, "--minimal-pairs changes"),
            (self.contrast, "--contrast changes"),
        ];
        let option = other.iter().find(|(set, _)| *set);
        let asked = format!("--ask {}", able.join(","));
        match (refused, misplaced, option) {
            (Some(group), ..) => Err(format!(
                "actions of the domain `{name}` have several outcomes, so that questions of the group {group} have no one answer \
                 there; ask what is sure and what is possible: {asked}"
            )),
            (_, Some(family), _) => Err(format!(
                "--family {family} is not asked in the domain `{name}`, whose actions have several outcomes; must and may are"
            )),
            (.., Some((_, what))) => Err(format!(
                "{what} what an action leads to, and actions of the domain `{name}` have several outcomes; leave the option out"
            )),
            _ => Ok(()),
        }
    }

    /// Families and groups must go together.
    fn check_families(&self, package: &Package) -> Result<(), String> {
        let all = &package.common.families;
        let further = |name: &String| all.iter().find(|family| family.pattern.functor == *name);
        let mut named = self.families.iter().filter_map(further);
        if let Some(family) = named.find(|family| !self.ask.contains(&family.group)) {
            let (name, group) = (&family.pattern.functor, &family.group);
            return Err(format!("--family {name} is of the group {group}; add it with --ask {group}"));
        }
        let none =
            |wants: &dyn Fn(&String) -> bool| !self.families.is_empty() && !self.families.iter().any(wants);
        if self.predicts() && !self.ask.is_empty() && none(&|name| further(name).is_none()) {
            return Err(
                "--family names no family of prediction, which --ask asks for; leave prediction out of it"
                    .into(),
            );
        }
        match self
            .further_groups()
            .find(|group| none(&|name| further(name).is_some_and(|f| f.group == *group)))
        {
            Some(group) => {
                let own: Vec<&str> =
                    all.iter().filter(|f| f.group == group).map(|f| f.pattern.functor.as_str()).collect();
                Err(format!("--family names no family of the group {group}; it has {}", own.join(", ")))
            }
            None => Ok(()),
        }
    }

    fn check_groups(&self) -> Result<(), String> {
        if let Some(column) = self.effort.keys().find(|column| !DIFFICULTIES.contains(&column.as_str())) {
            let known = DIFFICULTIES.join(", ");
            return Err(format!("--effort: `{column}` is no column of difficulty; there are {known}"));
        }
        if !self.effort.is_empty() && self.predicts() {
            return Err(
                "--effort is about questions beyond prediction; choose them with --ask, without prediction"
                    .into(),
            );
        }
        if self.ask.is_empty() {
            return Ok(());
        }
        let refused = [
            (self.minimal_pairs, "--minimal-pairs, whose pairs are questions of prediction"),
            (self.contrast, "--contrast, whose pairs are questions of prediction"),
        ];
        if let Some((_, why)) = refused.iter().find(|(set, _)| *set) {
            return Err(format!(
                "--ask with groups beyond prediction does not go with {why}; leave one of them out"
            ));
        }
        let unexplained = |group: &&String| *group != PREDICTION && !EXPLAINED.contains(&group.as_str());
        if let Some(group) = self.ask.iter().find(unexplained).filter(|_| self.rationale) {
            return Err(format!(
                "--rationale explains answers to questions of {PREDICTION}, {}, and not of {group}; leave the group out",
                EXPLAINED.join(", ")
            ));
        }
        match self.depths.iter().find(|depth| !(1..=DEEPEST_STORY).contains(*depth)) {
            Some(depth) => Err(format!(
                "--ask: groups beyond prediction are about stories of 1 to {DEEPEST_STORY} actions, not of {depth}; choose \
                 another --depth"
            )),
            None => Ok(()),
        }
    }

    /// What goes with pictures?
    fn check_pictures(&self) -> Result<(), String> {
        if self.tell.is_text() {
            return match self.holdout_looks {
                true => {
                    Err("--holdout-looks is about pictures; ask for them with --tell picture or both".into())
                }
                false => Ok(()),
            };
        }
        if self.as_generic {
            return Err(
                "--tell: a picture shows the objects of a domain, and --as generic tells of none; leave one of them out"
                    .into(),
            );
        }
        match self.ask.iter().find(|group| is_partly(group)) {
            Some(group) => Err(format!(
                "--tell: a picture shows the whole initial situation, and questions of the group {group} are about stories of \
                 which something is not told; leave the group out of --ask"
            )),
            None => Ok(()),
        }
    }

    /// Do they suit a package? Where names are held out, a pool must have names for every object twice, for both parts; the
    /// share gives way where it leaves one of them too few.
    ///
    /// # Errors
    /// A sentence that says what does not.
    pub fn check_for(&self, package: &Package) -> Result<(), String> {
        let suited = self.clone().suited(package);
        suited.check_outcomes(package)?;
        suited.check_families(package)?;
        if suited.weights().iter().all(|weight| *weight == 0) {
            return Err(UNWEIGHED.into());
        }
        if self.holdout_names == 0.0 {
            return Ok(());
        }
        let holdout = Holdout { phrasings: 0.0, names: self.holdout_names, wanted: false };
        for (t, most) in package.types.iter().zip(self.most_objects(package)) {
            let part = |wanted| Holdout { wanted, ..holdout }.names_for(t.names.len(), most).len();
            let least = part(true).min(part(false));
            if least < most {
                return Err(format!(
                    "--holdout-names {} leaves {least} of the {} names of type `{}` to a split, and a world may have {most} \
                     such objects; add names to domain.toml, or leave the option out",
                    self.holdout_names,
                    t.names.len(),
                    t.name
                ));
            }
        }
        Ok(())
    }

    /// By type, how many objects a world may have.
    pub fn most_objects(&self, package: &Package) -> Vec<usize> {
        let most = |count: &String| {
            let levels = self.levels.iter().filter_map(|level| package.levels.get(level)?.get(count));
            self.parameters.get(count).copied().or(levels.map(|(_, high)| *high).max()).unwrap_or(0)
        };
        package.types.iter().map(|t| usize::try_from(most(&t.count)).unwrap_or(0)).collect()
    }
}
