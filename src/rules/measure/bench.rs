//! Data sets and learners' outputs to the tables of the RuDaS paper's section 6.
//!
//! A data set is a folder with `rules.txt` and `eval-support.txt`. A learner is a folder, named like it, with a file for
//! each data set: `NAME.txt` (or `.pl`, `.lp`, `.tsv`), or `NAME/rules.txt`. Three learners are built in: `empty` learns
//! nothing, `memoriser` learns its training facts, and `original` knows the rules.

use std::fs;
use std::path::{Path, PathBuf};

use racgen_data::table::{Cell, Table};
use racgen_logic::unread::Unread;
use rayon::prelude::*;
use serde_json::Value;

use crate::rules::datalog::input::{above, read_text};
use crate::rules::datalog::reader::{Syntax, read_facts, read_rules};
use crate::rules::datalog::syntax::{Arg, Atom, Rule, Vocabulary};
use crate::rules::error::RulesError;
use crate::rules::measure::score::{Measures, Reference, Universe};

/// How a bench runs.
#[derive(Clone, Debug)]
pub struct BenchSettings {
    /// Folders of learners.
    pub learners: Vec<PathBuf>,
    /// Are the built-in learners in the tables?
    pub built_in: bool,
    /// Which universe.
    pub universe: Universe,
    /// How learners write.
    pub syntax: Syntax,
    /// Rules of less confidence are left out.
    pub threshold: Option<f64>,
    /// Bound on consequences.
    pub most_facts: u64,
}

/// A data set as the bench needs it.
#[derive(Clone, Debug)]
struct DataSet {
    folder: PathBuf,
    name: String,
    category: String,
    size: String,
    depth: String,
    /// 0 complete, 1 incomplete, 2 incomplete with noise.
    world: Option<usize>,
}

#[derive(Clone, Debug)]
enum Learner {
    Empty,
    Memoriser,
    Original,
    Folder(PathBuf),
}

impl Learner {
    fn name(&self) -> String {
        match self {
            Learner::Empty => "empty".into(),
            Learner::Memoriser => "memoriser".into(),
            Learner::Original => "original".into(),
            Learner::Folder(path) => {
                path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into())
            }
        }
    }
}

/// What came of one learner on one data set. An answer that cannot be scored counts as an empty one.
struct BenchOutcome {
    measures: Option<Measures>,
    fault: Option<String>,
}

/// Scores all learners on all data sets below a folder.
///
/// # Errors
/// Unreadable data sets. What is wrong with a learner's output is told in the last table.
pub fn bench(folder: &Path, s: &BenchSettings) -> Result<Vec<Table>, RulesError> {
    let learned = folder.join("learned");
    let sets = data_sets(folder, &learned)?;
    if sets.is_empty() {
        return Err(RulesError::Settings(format!(
            "there is no data set in `{}`; a data set is a folder with rules.txt and eval-support.txt, as `racgen rules` \
             writes it",
            folder.display()
        )));
    }
    let mut learners: Vec<Learner> = Vec::new();
    if s.built_in {
        learners.extend([Learner::Empty, Learner::Memoriser, Learner::Original]);
    }
    let mut folders = s.learners.clone();
    if folders.is_empty() && learned.is_dir() {
        folders = subfolders(&learned)?;
    }
    if let Some(missing) = folders.iter().find(|path| !path.is_dir()) {
        return Err(RulesError::Settings(format!(
            "`{}` is no folder; --learned takes a folder with one file for each data set",
            missing.display()
        )));
    }
    learners.extend(folders.into_iter().map(Learner::Folder));
    let outcomes: Vec<Vec<BenchOutcome>> =
        sets.par_iter().map(|set| score_set(set, &learners, s)).collect::<Result<_, _>>()?;
    Ok(tables(&sets, &learners, &outcomes))
}

fn subfolders(folder: &Path) -> Result<Vec<PathBuf>, RulesError> {
    let failed = Unread::at(folder);
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).map_err(&failed)? {
        let path = entry.map_err(&failed)?.path();
        let hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        if path.is_dir() && !hidden {
            all.push(path);
        }
    }
    all.sort();
    Ok(all)
}

/// The folder itself, if it is a data set, or those in it, two levels down.
fn data_sets(folder: &Path, without: &Path) -> Result<Vec<DataSet>, RulesError> {
    let is_set = |path: &Path| path.join("rules.txt").is_file() && path.join("eval-support.txt").is_file();
    let mut found = Vec::new();
    if is_set(folder) {
        found.push(folder.to_owned());
    } else {
        for path in subfolders(folder)?.into_iter().filter(|path| path != without) {
            if is_set(&path) {
                found.push(path);
            } else {
                found.extend(subfolders(&path)?.into_iter().filter(|path| is_set(path)));
            }
        }
    }
    found.into_iter().map(|path| describe(&path)).collect()
}

/// Category, size and depth by the manifest, or by a name such as `DRDG-S-2-0`.
fn describe(folder: &Path) -> Result<DataSet, RulesError> {
    let full = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    let name = full.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut parts = name.split('-').map(str::to_owned);
    let mut part = || parts.next().unwrap_or_else(|| "?".into());
    let (category, size, depth) = (part().to_uppercase(), part(), part());
    let mut set = DataSet { folder: folder.to_owned(), name, category, size, depth, world: None };
    let path = folder.join(racgen_data::papers::manifest::MANIFEST);
    if path.is_file() {
        let text = read_text(&path)?;
        let manifest: Value = serde_json::from_str(&text).map_err(|error| {
            RulesError::Settings(format!("{}: {error}; make the data set again", path.display()))
        })?;
        let asked = &manifest["settings"];
        if let Some(category) = asked["category"].as_str() {
            set.category = category.to_uppercase();
        }
        if let Some(size) = asked["size"].as_str() {
            set.size = size.to_owned();
        }
        if let Some(depth) = asked["depth"].as_u64() {
            set.depth = depth.to_string();
        }
        let high = |key: &str| asked[key]["high"].as_f64();
        if let (Some(open), Some(missing), Some(noise)) = (high("open_world"), high("missing"), high("noise"))
        {
            set.world = Some(if missing > 0.0 || noise > 0.0 { 2 } else { usize::from(open > 0.0) });
        }
    }
    Ok(set)
}

fn score_set(
    set: &DataSet,
    learners: &[Learner],
    s: &BenchSettings,
) -> Result<Vec<BenchOutcome>, RulesError> {
    let mut vocabulary = Vocabulary::default();
    let path = set.folder.join("rules.txt");
    let read = read_rules(&read_text(&path)?, &path.display().to_string(), Syntax::Auto, &mut vocabulary)?;
    let original: Vec<Rule> = read.into_iter().map(|read| read.rule).collect();
    let path = set.folder.join("eval-support.txt");
    let support = read_facts(&read_text(&path)?, &path.display().to_string(), &mut vocabulary)?;
    let reference = Reference::new(&original, &support, vocabulary.arities(), s.most_facts)?;
    let empty = reference.score(&[], vocabulary.arities(), s.universe, s.most_facts);
    let empty = empty.map(|score| score.overall).ok();
    let learn = |learner: &Learner| -> Result<Measures, String> {
        // Each learner has names of its own, so that one cannot spoil another's arities.
        let mut vocabulary = vocabulary.clone();
        let rules = match learner {
            Learner::Empty => Vec::new(),
            Learner::Original => original.clone(),
            Learner::Memoriser => memorised(set, &mut vocabulary).map_err(|error| error.to_string())?,
            Learner::Folder(folder) => {
                let file = output_of(folder, &set.name).ok_or("no output")?;
                let text = read_text(&file).map_err(|error| error.to_string())?;
                let read = read_rules(&text, &file.display().to_string(), s.syntax, &mut vocabulary)
                    .map_err(|fault| fault.to_string())?;
                above(read, s.threshold).into_iter().map(|read| read.rule).collect()
            }
        };
        let score = reference.score(&rules, vocabulary.arities(), s.universe, s.most_facts);
        score.map(|score| score.overall).map_err(|error| error.to_string())
    };
    let outcome = |learner: &Learner| match learn(learner) {
        Ok(measures) => BenchOutcome { measures: Some(measures), fault: None },
        Err(fault) => BenchOutcome { measures: empty, fault: Some(fault) },
    };
    Ok(learners.iter().map(outcome).collect())
}

fn output_of(folder: &Path, name: &str) -> Option<PathBuf> {
    let endings = ["txt", "pl", "lp", "tsv"].map(|ending| folder.join(format!("{name}.{ending}")));
    endings.into_iter().chain([folder.join(name).join("rules.txt")]).find(|path| path.is_file())
}

/// The training facts as rules without bodies.
fn memorised(set: &DataSet, vocabulary: &mut Vocabulary) -> Result<Vec<Rule>, RulesError> {
    let path = set.folder.join("train.txt");
    if !path.is_file() {
        return Err(RulesError::Settings("there is no train.txt to memorise".into()));
    }
    let facts = read_facts(&read_text(&path)?, &path.display().to_string(), vocabulary)?;
    let rule = |fact: crate::rules::datalog::syntax::Fact| {
        let args = fact.args.iter().map(|constant| Arg::Constant(*constant)).collect();
        Rule { head: Atom { predicate: fact.predicate, args }, body: Vec::new() }
    };
    Ok(facts.into_iter().map(rule).collect())
}

/// The mean of a measure over the data sets that are wanted.
fn mean(outcomes: &[&BenchOutcome], measure: impl Fn(&Measures) -> f64) -> Cell {
    let values: Vec<f64> = outcomes.iter().filter_map(|o| o.measures.as_ref()).map(measure).collect();
    if values.is_empty() {
        Cell::None
    } else {
        Cell::Measure(values.iter().sum::<f64>() / values.len() as f64)
    }
}

fn tables(sets: &[DataSet], learners: &[Learner], outcomes: &[Vec<BenchOutcome>]) -> Vec<Table> {
    let of = |learner: usize, wanted: &dyn Fn(&DataSet) -> bool| -> Vec<&BenchOutcome> {
        let pairs = sets.iter().zip(outcomes).filter(|(set, _)| wanted(set));
        pairs.map(|(_, outcomes)| &outcomes[learner]).collect()
    };
    let names: Vec<String> = learners.iter().map(Learner::name).collect();
    // Table 1 of the paper has a row for each measure and a column for each learner.
    type Get = fn(&Measures) -> f64;
    let measures: [(&str, Get); 6] = [
        ("H-accuracy", |m| m.herbrand_accuracy),
        ("Accuracy", |m| m.accuracy),
        ("F1-score", |m| m.f1),
        ("H-score", |m| m.herbrand_score),
        ("Precision", |m| m.precision),
        ("Recall", |m| m.recall),
    ];
    let head =
        |first: &str, rest: Vec<String>| std::iter::once(first.to_owned()).chain(rest).collect::<Vec<_>>();
    let mut first = Table {
        title: format!("Impact of different metrics, averaged on {} data sets", sets.len()),
        head: head("Measure", names.clone()),
        ..Table::default()
    };
    for (name, get) in measures {
        let cells = (0..learners.len()).map(|learner| mean(&of(learner, &|_| true), get));
        first.rows.push(std::iter::once(Cell::Text(name.into())).chain(cells).collect());
    }
    type ScoreGroup<'a> = (String, Box<dyn Fn(&DataSet) -> bool + 'a>);
    let grouped = |title: &str, groups: Vec<ScoreGroup>| Table {
        title: title.to_owned(),
        head: head(
            "Learner",
            groups
                .iter()
                .map(|(name, wanted)| format!("{name} ({})", sets.iter().filter(|set| wanted(set)).count()))
                .collect(),
        ),
        rows: (0..learners.len())
            .map(|learner| {
                let cells = groups.iter().map(|(_, wanted)| mean(&of(learner, wanted), |m| m.herbrand_score));
                std::iter::once(Cell::Text(names[learner].clone())).chain(cells).collect()
            })
            .collect(),
        ..Table::default()
    };
    let worlds: Vec<ScoreGroup> = ["Complete", "Incomplete", "Incomplete + Noise"]
        .iter()
        .enumerate()
        .map(|(number, name)| -> ScoreGroup {
            ((*name).to_owned(), Box::new(move |set: &DataSet| set.world == Some(number)))
        })
        .collect();
    let distinct = |key: &dyn Fn(&DataSet) -> (usize, String)| -> Vec<String> {
        let mut keys: Vec<(usize, String)> = sets.iter().map(key).collect();
        keys.sort();
        keys.dedup();
        keys.into_iter().map(|(_, key)| key).collect()
    };
    let rank = |text: &str, order: &[&str]| order.iter().position(|o| *o == text).unwrap_or(order.len());
    let categories: Vec<ScoreGroup> =
        distinct(&|set| (rank(&set.category, &["CHAIN", "RDG", "DRDG", "MIXED"]), set.category.clone()))
            .into_iter()
            .map(|category| -> ScoreGroup {
                (category.clone(), Box::new(move |set: &DataSet| set.category == category))
            })
            .collect();
    let key = |set: &DataSet| format!("{}-{}", set.size, set.depth);
    let sizes: Vec<ScoreGroup> =
        distinct(&|set| (rank(&set.size, &["XS", "S", "M", "L", "XL", "X2L"]), key(set)))
            .into_iter()
            .map(|size| -> ScoreGroup { (size.clone(), Box::new(move |set: &DataSet| key(set) == size)) })
            .collect();
    let mut all = vec![
        first,
        grouped(
            "Effect of missing consequences and noise (H-score; number of data sets in brackets)",
            worlds,
        ),
        grouped("Impact of data set category (H-score; number of data sets in brackets)", categories),
        grouped(
            "Impact of data set size and rule graph depth (H-score; number of data sets in brackets)",
            sizes,
        ),
    ];
    let mut faults = Table {
        title: "Not scored, and counted as empty answers".into(),
        head: vec!["Learner".into(), "Data set".into(), "Reason".into()],
        ..Table::default()
    };
    for (set, outcomes) in sets.iter().zip(outcomes) {
        for (name, outcome) in names.iter().zip(outcomes) {
            if let Some(reason) = &outcome.fault {
                faults.rows.push([name, &set.name, reason].map(|text| Cell::Text(text.clone())).to_vec());
            }
        }
    }
    if !faults.rows.is_empty() {
        all.push(faults);
    }
    all
}
