//! Questions about rules to a source of items.

use racgen_data::row::Row;
use serde_json::json;

use crate::items::clock::Clock;
use crate::items::error::ItemError;
use crate::items::source::{About, GROUP_SIZE, Item, ItemSource, Split, Stream};
use crate::rules::error::RulesError;
use crate::rules::generate::dataset::RuleData;
use crate::rules::generate::settings::RuleSettings;
use crate::rules::questions::stories::{SPLIT_NAMES, questions};

/// The most items.
const MOST_ITEMS: u64 = 1_000_000;

/// Questions about the rules of one data set.
pub struct RuleQuestions {
    settings: RuleSettings,
    splits: Vec<Split>,
    /// By split.
    rows: Vec<Vec<Row>>,
}

/// Refuses no items, and too many.
///
/// # Errors
/// [`RulesError::Settings`].
pub fn check_items(items: u64) -> Result<(), RulesError> {
    if (1..=MOST_ITEMS).contains(&items) {
        return Ok(());
    }
    Err(RulesError::Settings(format!("--items takes a number above 0, and at most {MOST_ITEMS}")))
}

impl RuleQuestions {
    /// At least so many questions about the rules of a data set.
    ///
    /// # Errors
    /// A vocabulary that the language has no words for; rules about which too few stories can be told.
    pub fn new(data: &RuleData, count: u64) -> Result<RuleQuestions, RulesError> {
        let mut rows: Vec<Vec<Row>> = SPLIT_NAMES.iter().map(|_| Vec::new()).collect();
        for row in questions(data, count)? {
            let split = SPLIT_NAMES.iter().position(|(name, _)| *name == &*row.split).unwrap_or(0);
            rows[split].push(row);
        }
        let split = |(name, weight): &(&str, u32)| Split { name: (*name).into(), weight: f64::from(*weight) };
        Ok(RuleQuestions {
            settings: data.settings.clone(),
            splits: SPLIT_NAMES.iter().map(split).collect(),
            rows,
        })
    }

    /// All rows.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().flatten()
    }
}

impl ItemSource for RuleQuestions {
    fn about(&self) -> About {
        About { subject: "Questions about rules".into(), ..About::default() }
    }

    fn settings(&self) -> serde_json::Value {
        json!({"domain": "rules", "settings": self.settings})
    }

    fn splits(&self) -> &[Split] {
        &self.splits
    }

    fn streams(&self, split: usize) -> Vec<(Stream, u64)> {
        let items = self.rows[split].len() as u64;
        if items == 0 { Vec::new() } else { vec![(Stream { split, level: 1, ..Stream::default() }, items)] }
    }

    /// There are no actions whose effect an answer could ignore.
    fn knows_trivial(&self) -> bool {
        false
    }

    fn group(&self, stream: Stream, group: u64, _: u64, _: &Clock) -> Result<Vec<Item>, ItemError> {
        let rows =
            self.rows[stream.split].chunks(GROUP_SIZE as usize).nth(group as usize).unwrap_or_default();
        Ok(rows.iter().map(|row| Item { row: row.clone(), trivial: false }).collect())
    }
}
