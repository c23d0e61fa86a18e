//! Predictions and gold rows to accuracies: exact match of final answers, by type, family, level and depth, with
//! 95 % intervals, and beside them what guessing would give.
//!
//! Several files of predictions, each with a name, make the paper's tables 1, 2 and 16 to 21: trained on one level,
//! tested on all.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use racgen_data::error::DataError;
use racgen_data::read::rows::{files, rows};
use racgen_data::row::Row;
use rustc_hash::FxHashMap as HashMap;
use serde::Serialize;
use serde_json::Value as Json;

use crate::audit::attacks::item::words;
use crate::audit::reread::judge::Reread;
use crate::audit::reread::verdict::Sound;
use crate::campaign::error_class::{Classed, ErrorClass};
use crate::domain::catalogue::Catalogue;
use crate::score::judge::{self, AnswerJudge};
use crate::score::plans_said::{PLAN, PlanReader, PlanVerdict};
use crate::score::statements_said::{StatementReader, is_list};

/// What one solver call may take when texts are read back, as `racgen audit` has it.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// A file of predictions, and what it is called in tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predictions {
    /// The name.
    pub name: String,
    /// The file.
    pub path: PathBuf,
}

/// Which columns hold what, and what is added.
#[derive(Clone, Debug)]
pub struct ScoreOptions {
    /// The column of ids.
    pub id: String,
    /// The column of predictions.
    pub prediction: String,
    /// Work out the baselines?
    pub baselines: bool,
}

/// Why there is no score.
#[derive(Debug, thiserror::Error)]
pub enum ScoreError {
    /// A file cannot be read.
    #[error(transparent)]
    Read(#[from] DataError),
    /// A record of the predictions is at fault.
    #[error("`{}`, {place}: {cause}", path.display())]
    Prediction {
        /// The file.
        path: PathBuf,
        /// Line or row.
        place: String,
        /// What is wrong, and what to do.
        cause: String,
    },
    /// Two rows of the gold data have one id.
    #[error("`{}`: two items have the id {id}, so predictions cannot be told apart; `racgen audit` says more", path.display())]
    Twice {
        /// The folder.
        path: PathBuf,
        /// The id.
        id: String,
    },
    /// There are no predictions.
    #[error("`{}` holds no predictions; write one record an item, with its id and the prediction", .0.display())]
    Empty(PathBuf),
}

impl Classed for ScoreError {
    fn class(&self) -> ErrorClass {
        ErrorClass::Failure
    }
}

/// How many are right, of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScoreTally {
    /// Right ones.
    pub right: u64,
    /// All.
    pub items: u64,
}

impl ScoreTally {
    fn add(&mut self, right: bool) {
        self.items += 1;
        self.right += u64::from(right);
    }

    /// The share of right ones.
    pub fn accuracy(&self) -> f64 {
        self.right as f64 / self.items.max(1) as f64
    }

    /// The 95 % interval of the accuracy (Wilson 1927).
    ///
    /// ```
    /// let (low, high) = racgen::score::run::ScoreTally { right: 8, items: 10 }.interval();
    /// assert!((low - 0.490).abs() < 0.001 && (high - 0.943).abs() < 0.001);
    /// ```
    pub fn interval(&self) -> (f64, f64) {
        let (n, p, z) = (self.items as f64, self.accuracy(), 1.959_964);
        if n == 0.0 {
            return (0.0, 1.0);
        }
        let middle = p + z * z / (2.0 * n);
        let spread = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
        let scale = 1.0 + z * z / n;
        (((middle - spread) / scale).max(0.0), ((middle + spread) / scale).min(1.0))
    }
}

impl Serialize for ScoreTally {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (low, high) = self.interval();
        let all = [("accuracy", self.accuracy()), ("low", low), ("high", high)];
        let mut map: BTreeMap<&str, Json> =
            all.into_iter().map(|(name, value)| (name, value.into())).collect();
        map.insert("right", self.right.into());
        map.insert("items", self.items.into());
        map.serialize(serializer)
    }
}

/// The scores of one predictor, by group.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Score {
    /// Its name: that of the file, or of a baseline.
    pub name: String,
    /// Items without a prediction; they count as wrong.
    pub missing: u64,
    /// Items for which a baseline has no answer, such as those whose text cannot be read back; they do not count.
    pub unknown: u64,
    /// By way of grouping and group.
    pub groups: BTreeMap<&'static str, BTreeMap<String, ScoreTally>>,
    /// By id, why a predicted plan is wrong.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub wrong_plans: BTreeMap<String, String>,
    /// By pair: what was changed, and which of its items are right so far.
    #[serde(skip)]
    pairs: BTreeMap<String, (String, Vec<bool>)>,
}

/// The ways of grouping, in the order of tables.
pub const GROUPINGS: [&str; 15] = [
    "all",
    "split",
    "domain",
    "type",
    "level",
    "depth",
    "type and level",
    "type and depth",
    "domain and type",
    "family",
    "domain, type and level",
    "domain, type and depth",
    "change",
    "pair with both right",
    "plans",
];

/// Those that make the paper's tables.
pub(crate) const FOR_PAPER: [&str; 2] = ["domain, type and level", "domain, type and depth"];

impl Score {
    fn add(&mut self, row: &Row, right: bool) {
        let (kind, level, depth) = (&row.question_type, row.level, row.depth);
        let of_all = [
            "all".to_owned(),
            row.split.to_string(),
            row.domain.to_string(),
            kind.to_string(),
            format!("N{level}"),
            format!("A{depth}"),
            format!("{kind} N{level}"),
            format!("{kind} A{depth}"),
            format!("{} {kind}", row.domain),
            format!("{kind} {}", row.family),
            format!("{} {kind} N{level}", row.domain),
            format!("{} {kind} A{depth}", row.domain),
        ];
        for (grouping, group) in GROUPINGS.into_iter().zip(of_all) {
            self.groups.entry(grouping).or_default().entry(group).or_default().add(right);
        }
        if !row.pair.is_empty() {
            let change = if row.change.is_empty() { "none" } else { &row.change };
            self.groups.entry("change").or_default().entry(change.to_owned()).or_default().add(right);
            let (changed, all) = self.pairs.entry(row.pair.clone()).or_default();
            changed.push_str(&row.change);
            all.push(right);
            // Items made from each other count together, too: to have learnt the difference is to have both.
            if all.len() == 2 {
                let both = all.iter().all(|right| *right);
                let group = self.groups.entry("pair with both right").or_default();
                group.entry(changed.clone()).or_default().add(both);
            }
        }
    }
}

impl Score {
    /// Counts what came of a plan: does it lead to the goal, and by as few actions as possible?
    fn add_plan(&mut self, row: &Row, verdict: Option<&PlanVerdict>) {
        let groups = self.groups.entry("plans").or_default();
        groups.entry("goal reached".to_owned()).or_default().add(verdict.is_some_and(PlanVerdict::succeeds));
        groups
            .entry("fewest actions".to_owned())
            .or_default()
            .add(verdict.is_some_and(PlanVerdict::is_optimal));
        if let Some(verdict) = verdict.filter(|verdict| !verdict.is_right()) {
            self.wrong_plans.insert(row.id.clone(), verdict.to_string());
        }
    }
}

/// Reads the predictions by id.
fn read(file: &Predictions, options: &ScoreOptions) -> Result<HashMap<String, (String, String)>, ScoreError> {
    let mut found: HashMap<String, (String, String)> = HashMap::default();
    for (path, records) in files(&file.path)? {
        for record in records {
            let record = record?;
            let fault = |cause: String| ScoreError::Prediction {
                path: path.clone(),
                place: record.place.clone(),
                cause,
            };
            let text = |column: &str, flag: &str| match record.columns.get(column) {
                Some(Json::String(text)) => Ok(text.clone()),
                Some(Json::Number(number)) => Ok(number.to_string()),
                Some(Json::Bool(value)) => Ok(value.to_string()),
                Some(Json::Array(list)) if list.iter().all(Json::is_string) => {
                    Ok(list.iter().filter_map(Json::as_str).collect::<Vec<_>>().join(", "))
                }
                Some(_) => {
                    Err(fault(format!("the column `{column}` holds neither a text nor a number; correct it")))
                }
                None => {
                    let known: Vec<&str> = record.columns.keys().map(String::as_str).collect();
                    Err(fault(format!(
                        "there is no column `{column}` among {}; name the right one with --{flag}",
                        known.join(", ")
                    )))
                }
            };
            let id = text(&options.id, "id")?;
            let prediction = text(&options.prediction, "prediction")?;
            if found
                .insert(id.clone(), (prediction, format!("`{}`, {}", path.display(), record.place)))
                .is_some()
            {
                return Err(fault(format!("the id {id} has a prediction already; keep one of them")));
            }
        }
    }
    if found.is_empty() { Err(ScoreError::Empty(file.path.clone())) } else { Ok(found) }
}

/// Scores files of predictions against gold rows. Only splits that a file has predictions for count; items of these
/// without a prediction are wrong.
///
/// # Errors
/// Files that cannot be read; predictions without id or text, for unknown ids, or twice for one, with file and row.
pub fn score(
    predictions: &[Predictions],
    gold: &Path,
    catalogue: &Catalogue,
    options: &ScoreOptions,
) -> Result<Vec<Score>, ScoreError> {
    let mut given = Vec::new();
    for file in predictions {
        given.push((file, read(file, options)?));
    }
    let mut all: Vec<Row> = Vec::new();
    let mut by_id: HashMap<String, usize> = HashMap::default();
    for row in rows(gold)? {
        let mut row = row?;
        // Only what is scored by is kept, unless the texts are to be read back.
        if !options.baselines {
            [&mut row.context, &mut row.rules, &mut row.initial_state, &mut row.actions]
                .into_iter()
                .for_each(|text| *text = Arc::default());
        }
        if by_id.insert(row.id.clone(), all.len()).is_some() {
            return Err(ScoreError::Twice { path: gold.to_owned(), id: row.id });
        }
        all.push(row);
    }
    let mut scores = Vec::new();
    let mut statements = StatementReader::new(catalogue);
    let mut plans = PlanReader::new(catalogue);
    let mut tested: BTreeSet<usize> = BTreeSet::new();
    for (file, predicted) in &given {
        let mut splits: BTreeSet<&str> = BTreeSet::new();
        for (id, (_, place)) in predicted {
            match by_id.get(id) {
                Some(row) => drop(splits.insert(&all[*row].split)),
                None => {
                    return Err(ScoreError::Prediction {
                        path: file.path.clone(),
                        place: place.rsplit(", ").next().unwrap_or_default().to_owned(),
                        cause: format!(
                            "no item of `{}` has the id {id}; give the data it was made from",
                            gold.display()
                        ),
                    });
                }
            }
        }
        let mut score = Score { name: file.name.clone(), ..Score::default() };
        for (number, row) in all.iter().enumerate().filter(|(_, row)| splits.contains(&*row.split)) {
            tested.insert(number);
            let right = match predicted.get(&row.id) {
                Some((text, _)) if &*row.answer_type == PLAN => {
                    let verdict = plans.verdict(text, row);
                    score.add_plan(row, Some(&verdict));
                    verdict.is_right()
                }
                Some((text, _)) if is_list(&row.answer_type) => statements.answers(text, row),
                Some((text, _)) => answers(text, row),
                None => {
                    score.missing += 1;
                    if &*row.answer_type == PLAN {
                        score.add_plan(row, None);
                    }
                    false
                }
            };
            score.add(row, right);
        }
        scores.push(score);
    }
    if options.baselines {
        let tested: Vec<Row> = tested.iter().map(|n| all[*n].clone()).collect();
        let reread = Reread::new(catalogue, TIME_LIMIT).with(gold);
        scores.extend(baselines(&all, &tested, &reread));
    }
    Ok(scores)
}

/// Does a text answer a row rightly? Answers that list statements or actions are judged by the phrase book of the row's
/// domain, by [`answers_in`].
///
/// ```no_run
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let row = racgen::data::read::rows::nth("out/data/test-00000-of-00001.parquet".as_ref(), 0)?;
/// println!("{}", racgen::score::run::answers("Yes, because nothing is on it.", &row));
/// # Ok(())
/// # }
/// ```
pub fn answers(text: &str, row: &Row) -> bool {
    judge::answers(text, row)
}

/// As [`answers`], with the domains that rows may be of: lists of statements and of actions count in any order and in any
/// phrasing of their phrase books, and plans by what comes of them.
pub fn answers_in(catalogue: &Catalogue, text: &str, row: &Row) -> bool {
    AnswerJudge::new(catalogue).is_right(text, row)
}

/// What guessing gives: the most frequent answer of the family in the other splits, naive Bayes on the words of the
/// question, and the answer that the initial state gives, before any action.
fn baselines(all: &[Row], tested: &[Row], reread: &Reread) -> Vec<Score> {
    let named = |name: &str| Score { name: name.into(), ..Score::default() };
    let splits: BTreeSet<&str> = tested.iter().map(|row| &*row.split).collect();
    let learnt: Vec<&Row> = all.iter().filter(|row| !splits.contains(&*row.split)).collect();
    let mut majority = named("most frequent answer");
    let mut question = named("question only");
    let mut counts: BTreeMap<(&str, &str), BTreeMap<&str, u64>> = BTreeMap::new();
    for row in &learnt {
        let family = counts.entry((&row.question_type, &row.family)).or_default();
        *family.entry(&row.answer).or_default() += 1;
    }
    let bayes = Bayes::learn(&learnt);
    for row in tested {
        let family = counts.get(&(&*row.question_type, &*row.family));
        match family.and_then(|f| f.iter().max_by_key(|(answer, count)| (**count, *answer))) {
            Some((answer, _)) => majority.add(row, **answer == row.answer),
            None => majority.unknown += 1,
        }
        match bayes.guess(row) {
            Some(answer) => question.add(row, answer == row.answer),
            None => question.unknown += 1,
        }
    }
    let mut blind = named("the initial state's answer");
    for (row, verdict) in tested.iter().zip(reread.judge(tested, &|_| ())) {
        match verdict {
            Ok(Sound { trivial: Some(trivial), .. }) => blind.add(row, trivial),
            _ => blind.unknown += 1,
        }
    }
    vec![majority, question, blind]
}

/// Naive Bayes over the words of the question, for each family on its own.
struct Bayes<'r> {
    families: BTreeMap<(&'r str, &'r str), Counts<'r>>,
}

/// Of one family: the answers, and the answers of the questions with each word.
#[derive(Default)]
struct Counts<'r> {
    answers: BTreeMap<&'r str, f64>,
    words: HashMap<String, BTreeMap<&'r str, f64>>,
}

impl<'r> Bayes<'r> {
    fn learn(rows: &[&'r Row]) -> Bayes<'r> {
        let mut families: BTreeMap<(&str, &str), Counts> = BTreeMap::new();
        for row in rows {
            let counts = families.entry((&row.question_type, &row.family)).or_default();
            *counts.answers.entry(&row.answer).or_default() += 1.0;
            let words: BTreeSet<String> = words(&row.question).into_iter().collect();
            for word in words {
                *counts.words.entry(word).or_default().entry(&row.answer).or_default() += 1.0;
            }
        }
        Bayes { families }
    }

    fn guess(&self, row: &Row) -> Option<&'r str> {
        let counts = self.families.get(&(&*row.question_type, &*row.family))?;
        let words: BTreeSet<String> = words(&row.question).into_iter().collect();
        let score = |answer: &str, total: f64| -> f64 {
            let known = words.iter().filter_map(|word| counts.words.get(word));
            let of_words: f64 = known
                .map(|with| ((with.get(answer).copied().unwrap_or(0.0) + 0.5) / (total + 1.0)).ln())
                .sum();
            total.ln() + of_words
        };
        let scored = counts.answers.iter().map(|(answer, total)| (*answer, score(answer, *total)));
        scored.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(a.0))).map(|(answer, _)| answer)
    }
}
