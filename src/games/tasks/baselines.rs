//! Published or own triples to the scores of simple learners: True, Inertia, Mean and nearest neighbours (section 5.1),
//! by balanced accuracy and perfectly solved (section 6.1), pooled over all atoms of a test file as the appendix has
//! them.

use std::path::{Path, PathBuf};

use racgen_data::table::{Cell, Table};
use rayon::prelude::*;
use rustc_hash::FxHashMap as HashMap;

use crate::games::error::GameError;
use crate::games::tasks::dat::Dat;
use crate::games::tasks::triples::Target;

/// Counts of a classifier over pairs of a triple and an atom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BaselineTally {
    /// Positive atoms, and those found positive.
    pub positives: u64,
    /// See `positives`.
    pub true_positives: u64,
    /// Negative atoms, and those found negative.
    pub negatives: u64,
    /// See `negatives`.
    pub true_negatives: u64,
}

impl BaselineTally {
    /// Counts one atom.
    pub fn count(&mut self, is: bool, found: bool) {
        let (all, right) = if is {
            (&mut self.positives, &mut self.true_positives)
        } else {
            (&mut self.negatives, &mut self.true_negatives)
        };
        *all += 1;
        *right += u64::from(is == found);
    }

    /// The counts of both.
    pub fn plus(mut self, other: BaselineTally) -> BaselineTally {
        self.positives += other.positives;
        self.true_positives += other.true_positives;
        self.negatives += other.negatives;
        self.true_negatives += other.true_negatives;
        self
    }

    /// In words.
    pub fn text(&self) -> String {
        format!(
            "balanced accuracy {:.2} %, perfectly solved: {} ({} of {} positives, {} of {} negatives)\n",
            self.balanced_accuracy(),
            if self.perfect() { "yes" } else { "no" },
            self.true_positives,
            self.positives,
            self.true_negatives,
            self.negatives
        )
    }

    /// The mean of sensitivity and specificity, in per cent; where there are only positives or only negatives, the
    /// share of these; -1 where there is nothing (section 6.1.1).
    ///
    /// ```
    /// use racgen::games::tasks::baselines::BaselineTally;
    /// let tally = BaselineTally { positives: 4, true_positives: 4, negatives: 10, true_negatives: 5 };
    /// assert_eq!(tally.balanced_accuracy(), 75.0);
    /// ```
    pub fn balanced_accuracy(&self) -> f64 {
        let share = |right: u64, all: u64| right as f64 / all as f64;
        match (self.positives, self.negatives) {
            (0, 0) => -1.0,
            (0, n) => 100.0 * share(self.true_negatives, n),
            (p, 0) => 100.0 * share(self.true_positives, p),
            (p, n) => 50.0 * (share(self.true_positives, p) + share(self.true_negatives, n)),
        }
    }

    /// Is every atom right (section 6.1.2)?
    pub fn perfect(&self) -> bool {
        self.true_positives == self.positives && self.true_negatives == self.negatives
    }
}

/// The scores of one task.
#[derive(Clone, Debug)]
pub struct Scores {
    /// The game.
    pub game: String,
    /// The target.
    pub target: Target,
    /// By learner, in the order of [`LEARNERS`].
    pub tallies: [BaselineTally; 5],
}

/// Names of the learners.
pub const LEARNERS: [&str; 5] = ["True", "Inertia", "Mean", "KNN1", "KNN5"];

/// A file's triples as numbers: background words, positives as bits over its atoms.
struct Coded {
    background: Vec<Box<[u64]>>,
    positives: Vec<Box<[u64]>>,
}

fn bits(count: usize) -> Box<[u64]> {
    vec![0; count.div_ceil(64)].into()
}

/// Scores the learners on one task: they learn from one file and are tested on another.
pub fn baselines(train: &Dat, test: &Dat, target: Target) -> [BaselineTally; 5] {
    let mut words: HashMap<&str, usize> = HashMap::default();
    let mut atoms: HashMap<&str, usize> = HashMap::default();
    for atom in &test.atoms {
        let next = atoms.len();
        atoms.entry(atom).or_insert(next);
    }
    let count = atoms.len();
    for (background, positives) in train.triples.iter().chain(&test.triples) {
        for word in background {
            let next = words.len();
            words.entry(word).or_insert(next);
        }
        for atom in positives {
            let next = atoms.len();
            atoms.entry(atom).or_insert(next);
        }
    }
    let code = |dat: &Dat| {
        let set = |list: &[String], known: &HashMap<&str, usize>| {
            let mut set = bits(known.len());
            list.iter().filter_map(|a| known.get(a.as_str())).for_each(|n| set[n / 64] |= 1 << (n % 64));
            set
        };
        Coded {
            background: dat.triples.iter().map(|t| set(&t.0, &words)).collect(),
            positives: dat.triples.iter().map(|t| set(&t.1, &atoms)).collect(),
        }
    };
    let (learned, asked) = (code(train), code(test));
    let has = |set: &[u64], n: usize| set[n / 64] >> (n % 64) & 1 == 1;

    let mut seen = vec![0_usize; count];
    for positives in &learned.positives {
        (0..count).filter(|n| has(positives, *n)).for_each(|n| seen[n] += 1);
    }
    let mean: Vec<bool> = seen.iter().map(|n| 2 * n > learned.positives.len()).collect();
    let inertia: Vec<Option<usize>> = {
        let mut by_number: Vec<&str> = vec![""; atoms.len()];
        atoms.iter().for_each(|(text, n)| by_number[*n] = text);
        let word = |atom: &&str| {
            atom.strip_prefix("next").and_then(|rest| words.get(format!("true{rest}").as_str()))
        };
        by_number.iter().map(|atom| word(atom).copied()).collect()
    };

    (0..asked.background.len())
        .into_par_iter()
        .map(|triple| {
            let (background, positives) = (&asked.background[triple], &asked.positives[triple]);
            // The five nearest, ties in the order of the file.
            let mut nearest: Vec<(u32, usize)> = Vec::with_capacity(6);
            for (number, other) in learned.background.iter().enumerate() {
                let distance = background.iter().zip(other).map(|(a, b)| (a ^ b).count_ones()).sum();
                if nearest.len() == 5 && nearest[4].0 <= distance {
                    continue;
                }
                let at = nearest.partition_point(|(d, _)| *d <= distance);
                nearest.insert(at, (distance, number));
                nearest.truncate(5);
            }
            let vote = |k: usize, atom: usize| {
                let votes = nearest.iter().take(k).filter(|(_, n)| has(&learned.positives[*n], atom)).count();
                2 * votes >= k && votes > 0
            };
            let mut tallies = [BaselineTally::default(); 5];
            for atom in 0..count {
                let is = has(positives, atom);
                let inert = match target {
                    Target::Next => inertia[atom].is_some_and(|word| has(background, word)),
                    _ => true,
                };
                let found = [true, inert, mean[atom], vote(1, atom), vote(5, atom)];
                tallies.iter_mut().zip(found).for_each(|(tally, found)| tally.count(is, found));
            }
            tallies
        })
        .reduce(|| [BaselineTally::default(); 5], |a, b| std::array::from_fn(|n| a[n].plus(b[n])))
}

/// The `.dat` files of a folder that belong to tasks: game, target and the folder's path up to the split.
pub fn tasks_in(folder: &Path) -> Result<Vec<(String, Target, PathBuf)>, GameError> {
    let entries = std::fs::read_dir(folder)
        .map_err(|cause| GameError::Read { file: folder.display().to_string(), cause })?;
    let mut found = Vec::new();
    for path in entries.flatten().map(|e| e.path()) {
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let Some(stem) = name.strip_suffix("_test.dat") else { continue };
        for target in Target::ALL {
            // The target is the last word of the name; a game may be called after one, too.
            if let Some(game) = stem.strip_suffix(&format!("_{}", target.name())) {
                found.push((game.to_owned(), target, folder.join(stem)));
            }
        }
    }
    found.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
    if found.is_empty() {
        return Err(GameError::Arguments(format!(
            "{} holds no GAME_TARGET_test.dat; make some with `racgen games FILE.kif --out DIR`",
            folder.display()
        )));
    }
    Ok(found)
}

/// Reads a file in the published layout.
///
/// # Errors
/// [`GameError::Read`], and the faults of its text.
pub fn read_dat(path: &Path) -> Result<Dat, GameError> {
    let file = path.display().to_string();
    let text =
        std::fs::read_to_string(path).map_err(|cause| GameError::Read { file: file.clone(), cause })?;
    Ok(Dat::read(&text, &file)?)
}

/// Scores the learners on all tasks of a folder.
///
/// # Errors
/// Folders without tasks, and files that do not read.
pub fn baselines_of(folder: &Path) -> Result<Vec<Scores>, GameError> {
    tasks_in(folder)?
        .into_iter()
        .map(|(game, target, stem)| {
            let file = |split: &str| PathBuf::from(format!("{}_{split}.dat", stem.display()));
            let (train, test) = (read_dat(&file("train"))?, read_dat(&file("test"))?);
            Ok(Scores { game, target, tallies: baselines(&train, &test, target) })
        })
        .collect()
}

/// A table of scores, with means and the share solved perfectly.
pub fn scores_table(all: &[Scores]) -> Table {
    let row = |first: &str, second: &str, values: [f64; 5]| {
        let names = [first, second].map(|text| Cell::Text(text.to_owned()));
        names.into_iter().chain(values.map(Cell::Figure)).collect()
    };
    let mean = |of: fn(&BaselineTally) -> f64| {
        std::array::from_fn(|n| {
            let values: Vec<f64> = all.iter().map(|s| of(&s.tallies[n])).filter(|v| *v >= 0.0).collect();
            values.iter().sum::<f64>() / values.len().max(1) as f64
        })
    };
    let balanced = BaselineTally::balanced_accuracy as fn(&BaselineTally) -> f64;
    let mut rows: Vec<Vec<Cell>> = all
        .iter()
        .map(|scores| row(&scores.game, scores.target.name(), scores.tallies.each_ref().map(balanced)))
        .collect();
    rows.push(row("mean", "balanced accuracy", mean(balanced)));
    rows.push(row("mean", "perfectly solved", mean(|t| if t.perfect() { 100.0 } else { 0.0 })));
    let head = ["game", "target"].into_iter().chain(LEARNERS).map(str::to_owned).collect();
    Table { head, rows, ..Table::default() }
}
