//! Options that decide what rows are, as they are typed, to settings; the keys of a campaign file, too.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::campaign::error::CampaignError;
use crate::campaign::repeat::Repeat;
use crate::domain::question_groups::asked_groups;
use crate::factory::settings::{Settings, SplitBy, StateTelling};
use crate::items::source::Split;
use crate::simulate::plans::sampling::Sampling;

/// The most items that a configuration may have.
pub const MOST_ITEMS: u64 = 1_000_000_000;
/// The most actions of a plan.
const DEEPEST: i32 = 10_000;

/// The most sentences beside the point.
const MOST_REMARKS: u32 = 50;

/// The highest value of a parameter.
const MOST_PARAMETER: f64 = 1e6;

/// Headings of the help.
#[cfg(feature = "cli")]
const ITEMS: &str = "What is made";
#[cfg(feature = "cli")]
const SPLITS: &str = "Splits";
#[cfg(feature = "cli")]
const TEXTS: &str = "Texts";
#[cfg(feature = "cli")]
const PAIRS: &str = "Items in pairs";

/// What decides the rows of a data set; the keys of a campaign file, too.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct RowOptions {
    /// Domains, separated by commas: names, `all` for every one that is found, `invented:0-99` for invented ones; with a
    /// weight, as blocks=2, one has so many times the items
    #[cfg_attr(feature = "cli", arg(help_heading = ITEMS, long, short, value_name = "NAME,..."))]
    #[serde(deserialize_with = "weighted")]
    pub domain: Option<String>,
    /// World complexity: N1-N5 as 1-5; a number, a range 1-3 or a list 1,3 [default: 1]
    #[cfg_attr(feature = "cli", arg(help_heading = ITEMS, long, short, value_name = "N"))]
    #[serde(deserialize_with = "listed")]
    pub level: Option<String>,
    /// Number of actions: a number, a range 1-5 or a list 1,3,5 [default: 1]
    #[cfg_attr(feature = "cli", arg(help_heading = ITEMS, long, value_name = "A"))]
    #[serde(deserialize_with = "listed")]
    pub depth: Option<String>,
    /// Items of each domain, over all splits, levels and depths [default: 1000]
    #[cfg_attr(feature = "cli", arg(help_heading = ITEMS, long, short = 'n', value_name = "N", value_parser = whole_number))]
    pub items: Option<u64>,
    /// Proportions of the three types of questions [default: verify=4,count=3,other=3]
    #[cfg_attr(feature = "cli", arg(help_heading = ITEMS, long, value_name = "TYPE=WEIGHT,..."))]
    #[serde(deserialize_with = "weighted")]
    pub mix: Option<String>,
    /// Ask questions of these families only, separated by commas; `racgen domains NAME` lists those of a domain
    #[cfg_attr(feature = "cli", arg(help_heading = ITEMS, long, value_name = "NAME,..."))]
    #[serde(deserialize_with = "listed")]
    pub family: Option<String>,
    /// Groups of questions that take turns, separated by commas: prediction, time, whatif, goals, ever, plans, hidden, unknown,
    /// composite, undefined; `all` for all of them [default: prediction]
    #[cfg_attr(feature = "cli", arg(help_heading = ITEMS, long, value_name = "GROUP,..."))]
    #[serde(deserialize_with = "listed")]
    pub ask: Option<String>,
    /// Of questions beyond prediction, only those whose column of difficulty has these values: since=2-4,plan_length=4-8
    #[cfg_attr(feature = "cli", arg(help_heading = ITEMS, long, value_name = "COLUMN=LOW-HIGH"))]
    #[serde(deserialize_with = "listed")]
    pub effort: Option<String>,
    /// Splits and their weights [default: train=80,validation=10,test=10]
    #[cfg_attr(feature = "cli", arg(help_heading = SPLITS, long, value_name = "NAME=WEIGHT,..."))]
    #[serde(deserialize_with = "listed")]
    pub splits: Option<String>,
    /// What no two splits share: the world, the world with its plan, the domain, or the domain and some combinations of
    /// mechanisms [default: world]
    #[cfg_attr(feature = "cli", arg(help_heading = SPLITS, long, value_enum))]
    pub split_by: Option<SplitBy>,
    /// Put the items of all domains into one configuration
    #[cfg_attr(feature = "cli", arg(help_heading = ITEMS, long))]
    pub pool: bool,
    /// Seed of all random choices [default: 0]
    #[cfg_attr(feature = "cli", arg(help_heading = ITEMS, long, short, value_parser = whole_number))]
    pub seed: Option<u64>,
    /// How action sequences are drawn: step by step to new situations by all schemas of actions, step by step by any
    /// action, or uniformly from all of them [default: explore]
    #[cfg_attr(feature = "cli", arg(help_heading = ITEMS, long, value_enum))]
    pub sampling: Option<Sampling>,
    /// Does the context hold the rules? [default: with]
    #[cfg_attr(feature = "cli", arg(help_heading = TEXTS, long, value_enum))]
    pub rules: Option<Rules>,
    /// Share of each list of phrasings that only the split test_language uses
    #[cfg_attr(feature = "cli", arg(help_heading = SPLITS, long, value_name = "SHARE"))]
    pub holdout_phrasings: Option<f64>,
    /// Share of each pool of names that only the split test_language uses
    #[cfg_attr(feature = "cli", arg(help_heading = SPLITS, long, value_name = "SHARE"))]
    pub holdout_names: Option<f64>,
    /// Let splits have answer words that the first split lacks
    #[cfg_attr(feature = "cli", arg(help_heading = SPLITS, long))]
    pub open_vocabulary: bool,
    /// Fill the column `rationale`: how the answer follows, step by step
    #[cfg_attr(feature = "cli", arg(help_heading = TEXTS, long))]
    pub rationale: bool,
    /// Make rows in pairs that differ in one action, one fact or one word, and in their answers
    #[cfg_attr(feature = "cli", arg(help_heading = PAIRS, long))]
    pub minimal_pairs: bool,
    /// Add the split test_contrast: items, each with one made from it by a change of table 22
    #[cfg_attr(feature = "cli", arg(help_heading = PAIRS, long))]
    pub contrast: bool,
    /// Put K sentences into each initial state that are true and beside the point
    #[cfg_attr(feature = "cli", arg(help_heading = TEXTS, long, value_name = "K", value_parser = remarks))]
    pub irrelevant: Option<u32>,
    /// Order the sentences of each initial state at random
    #[cfg_attr(feature = "cli", arg(help_heading = TEXTS, long))]
    pub shuffle_state: bool,
    /// Add the split test_names, in which names are random letters
    #[cfg_attr(feature = "cli", arg(help_heading = SPLITS, long, value_enum))]
    pub names: Option<NamesOption>,
    /// Tell the items in the vocabulary of another domain; `generic` numbers fluents and actions
    #[cfg_attr(feature = "cli", arg(help_heading = TEXTS, long = "as", value_enum, value_name = "DOMAIN"))]
    #[serde(rename = "as")]
    pub told_as: Option<ToldAs>,
    /// How the initial state is told: in words, by a picture in the column `image`, or both [default: text]
    #[cfg_attr(feature = "cli", arg(help_heading = TEXTS, long, value_enum, value_name = "FORM"))]
    pub tell: Option<StateTelling>,
    /// Add the split test_looks, whose pictures have colours and letters that no other split's have
    #[cfg_attr(feature = "cli", arg(help_heading = SPLITS, long))]
    pub holdout_looks: bool,
    /// Fix a parameter of the package, whatever the level says (may be given several times)
    #[cfg_attr(feature = "cli", arg(help_heading = ITEMS, long = "set", value_name = "PARAMETER=VALUE"))]
    #[serde(deserialize_with = "assigned")]
    pub set: Vec<String>,
}

/// Vocabularies that items of any domain can be told in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum ToldAs {
    /// That of the generic domain (section 9).
    Generic,
}

/// Names beyond those of the package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum NamesOption {
    /// Random letters.
    Random,
}

/// Does the context hold the rules?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Rules {
    /// Yes.
    With,
    /// No; they stay in their own column.
    Without,
}

/// A whole number, 0 or more.
///
/// # Errors
/// What is none, in words.
pub fn whole_number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "it takes a whole number, 0 or more".to_owned())
}

/// Sentences beside the point, as many as an initial state can bear.
///
/// # Errors
/// What is no such number, in words.
pub fn remarks(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| *number <= MOST_REMARKS);
    number.ok_or_else(|| format!("it takes a whole number from 0 to {MOST_REMARKS}"))
}

/// What a campaign file may write for an option that takes several values: a text as on the command line, a number, or
/// a list of them.
#[derive(Deserialize)]
#[serde(untagged, expecting = "it takes a text such as \"1,3\", a number, or a list of these")]
enum CampaignValues {
    Number(i64),
    Text(String),
    List(Vec<CampaignValues>),
}

impl CampaignValues {
    fn text(&self) -> String {
        match self {
            CampaignValues::Number(number) => number.to_string(),
            CampaignValues::Text(text) => text.clone(),
            CampaignValues::List(list) => list.iter().map(CampaignValues::text).collect::<Vec<_>>().join(","),
        }
    }
}

fn listed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Option::<CampaignValues>::deserialize(deserializer).map(|value| value.map(|value| value.text()))
}

/// What a campaign file may write for an option that gives names numbers.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "it takes a text such as \"a=1,b=2\", a list of such texts, or a table such as { a = 1 }"
)]
enum CampaignPairs {
    Text(String),
    List(Vec<String>),
    Table(BTreeMap<String, toml::Value>),
}

impl CampaignPairs {
    fn texts(self) -> Vec<String> {
        match self {
            CampaignPairs::Text(text) => vec![text],
            CampaignPairs::List(list) => list,
            CampaignPairs::Table(table) => {
                table.iter().map(|(name, value)| format!("{name}={value}")).collect()
            }
        }
    }
}

fn assigned<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    CampaignPairs::deserialize(deserializer).map(CampaignPairs::texts)
}

fn weighted<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Option::<CampaignPairs>::deserialize(deserializer).map(|value| value.map(|value| value.texts().join(",")))
}

fn bad(text: String) -> CampaignError {
    CampaignError::Settings(text)
}

/// Reads `3`, `1-5`, `1,3,5` or `N2`.
///
/// # Errors
/// What is no number within the bounds, and ranges that run backwards.
pub fn numbers(
    text: &str,
    flag: &str,
    letter: char,
    within: std::ops::RangeInclusive<i32>,
) -> Result<Vec<i32>, CampaignError> {
    let one = |part: &str| -> Result<i32, CampaignError> {
        let number =
            part.trim().trim_start_matches([letter, letter.to_ascii_lowercase()]).parse::<i32>().ok();
        number.filter(|n| within.contains(n)).ok_or_else(|| {
            bad(format!(
                "{flag} takes numbers from {} to {}, as 3, 1-5 or 1,3,5; `{part}` is none",
                within.start(),
                within.end()
            ))
        })
    };
    let mut all = Vec::new();
    for part in text.split(',') {
        match part.split_once('-') {
            Some((low, high)) => {
                let (low, high) = (one(low)?, one(high)?);
                if low > high {
                    return Err(bad(format!("{flag}: the range `{part}` runs backwards")));
                }
                all.extend(low..=high);
            }
            None => all.push(one(part)?),
        }
    }
    all.sort_unstable();
    all.dedup();
    Ok(all)
}

/// Reads `train=8,test=2`.
///
/// # Errors
/// A part that is not of the form NAME=NUMBER.
pub fn pairs(text: &str, flag: &str) -> Result<Vec<(String, f64)>, CampaignError> {
    text.split(',')
        .map(|part| {
            let (name, value) = part.split_once('=').ok_or_else(|| {
                bad(format!("{flag} takes NAME=NUMBER, separated by commas; `{part}` is not of that form"))
            })?;
            let value: f64 =
                value.trim().parse().map_err(|_| bad(format!("{flag}: `{value}` is no number")))?;
            Ok((name.trim().to_owned(), value))
        })
        .collect()
}

impl RowOptions {
    /// These options, and where they say nothing, those of `other`.
    pub fn or(self, other: &RowOptions) -> RowOptions {
        let other = other.clone();
        RowOptions {
            domain: self.domain.or(other.domain),
            level: self.level.or(other.level),
            depth: self.depth.or(other.depth),
            items: self.items.or(other.items),
            mix: self.mix.or(other.mix),
            family: self.family.or(other.family),
            ask: self.ask.or(other.ask),
            effort: self.effort.or(other.effort),
            splits: self.splits.or(other.splits),
            split_by: self.split_by.or(other.split_by),
            pool: self.pool || other.pool,
            seed: self.seed.or(other.seed),
            sampling: self.sampling.or(other.sampling),
            rules: self.rules.or(other.rules),
            holdout_phrasings: self.holdout_phrasings.or(other.holdout_phrasings),
            holdout_names: self.holdout_names.or(other.holdout_names),
            open_vocabulary: self.open_vocabulary || other.open_vocabulary,
            rationale: self.rationale || other.rationale,
            minimal_pairs: self.minimal_pairs || other.minimal_pairs,
            contrast: self.contrast || other.contrast,
            irrelevant: self.irrelevant.or(other.irrelevant),
            shuffle_state: self.shuffle_state || other.shuffle_state,
            names: self.names.or(other.names),
            told_as: self.told_as.or(other.told_as),
            tell: self.tell.or(other.tell),
            holdout_looks: self.holdout_looks || other.holdout_looks,
            set: if self.set.is_empty() { other.set } else { self.set },
        }
    }

    /// The settings these options ask for.
    ///
    /// # Errors
    /// Values that do not read, with the form they should have.
    pub fn settings(&self) -> Result<Settings, CampaignError> {
        let mut settings = Settings::default();
        if let Some(text) = &self.level {
            settings.levels = numbers(text, "--level", 'N', 1..=5)?;
        }
        if let Some(text) = &self.depth {
            settings.depths = numbers(text, "--depth", 'A', 0..=DEEPEST)?;
        }
        if let Some(items) = self.items {
            if !(1..=MOST_ITEMS).contains(&items) {
                return Err(bad(format!("--items takes a number above 0, and at most {MOST_ITEMS}")));
            }
            settings.items = items;
        }
        if let Some(text) = &self.mix {
            let mut mix = [0; 3];
            for (name, weight) in pairs(text, "--mix")? {
                let kind = crate::simulate::transitions::compiled_layout::Kind::ALL
                    .iter()
                    .position(|k| k.name() == name);
                let kind =
                    kind.ok_or_else(|| bad(format!("--mix: `{name}` is none of verify, count, other")))?;
                if weight < 0.0 || weight.fract() != 0.0 || weight > 1000.0 {
                    return Err(bad(format!("--mix takes whole numbers from 0 to 1000; `{weight}` is none")));
                }
                mix[kind] = weight as u32;
            }
            settings.mix = mix;
        }
        if let Some(text) = &self.family {
            settings.families = text.split(',').map(|name| name.trim().to_owned()).collect();
        }
        if let Some(text) = &self.ask {
            settings.ask = asked_groups(text).map_err(bad)?;
        }
        for part in self.effort.iter().flat_map(|text| text.split(',')) {
            let range = part.split_once('=').and_then(|(column, range)| {
                let (low, high) = range.split_once('-').unwrap_or((range, range));
                let (low, high) = (low.trim().parse::<i64>().ok()?, high.trim().parse::<i64>().ok()?);
                (low <= high).then(|| (column.trim().to_owned(), (low, high)))
            });
            let (column, range) = range.ok_or_else(|| {
                bad(format!("--effort takes COLUMN=LOW-HIGH, as since=2-4; `{part}` is not of that form"))
            })?;
            settings.effort.insert(column, range);
        }
        if let Some(text) = &self.splits {
            settings.splits =
                pairs(text, "--splits")?.into_iter().map(|(name, weight)| Split { name, weight }).collect();
        }
        for text in &self.set {
            for (name, value) in pairs(text, "--set")? {
                if value.fract() != 0.0 || value.abs() > MOST_PARAMETER {
                    return Err(bad(format!(
                        "--set takes whole numbers of at most {MOST_PARAMETER}; `{value}` is none"
                    )));
                }
                settings.parameters.insert(name, value as i64);
            }
        }
        settings.split_by = self.split_by.unwrap_or(settings.split_by);
        settings.seed = self.seed.unwrap_or(settings.seed);
        settings.sampling = self.sampling.unwrap_or(settings.sampling);
        settings.rules = self.rules.is_none_or(|r| r == Rules::With);
        settings.holdout_phrasings = self.holdout_phrasings.unwrap_or(0.0);
        settings.holdout_names = self.holdout_names.unwrap_or(0.0);
        settings.open_vocabulary = self.open_vocabulary;
        settings.rationale = self.rationale;
        settings.minimal_pairs = self.minimal_pairs;
        settings.contrast = self.contrast;
        if self.irrelevant.is_some_and(|remarks| remarks > MOST_REMARKS) {
            return Err(bad(format!("--irrelevant takes a whole number from 0 to {MOST_REMARKS}")));
        }
        settings.disorder.remarks = self.irrelevant.unwrap_or(0) as usize;
        settings.disorder.shuffled = self.shuffle_state;
        settings.random_names = self.names.is_some();
        settings.as_generic = self.told_as.is_some();
        settings.tell = self.tell.unwrap_or_default();
        settings.holdout_looks = self.holdout_looks;
        settings.check().map_err(bad)?;
        Ok(settings)
    }

    /// A command with these options.
    pub fn repeated(&self, mut command: Repeat) -> Repeat {
        let Ok(Value::Object(all)) = serde_json::to_value(self) else { return command };
        for (name, value) in all {
            let flag = format!("--{name}");
            command = match value {
                Value::String(text) => command.option(&flag, text),
                Value::Number(number) => command.option(&flag, number),
                Value::Bool(set) => command.flag(&flag, set),
                Value::Array(list) => list
                    .iter()
                    .filter_map(Value::as_str)
                    .fold(command, |command, value| command.option(&flag, value)),
                _ => command,
            };
        }
        command
    }
}
