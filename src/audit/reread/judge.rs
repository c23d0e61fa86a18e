//! Rows to verdicts: each text is read back to atoms, clingo answers the question anew, and the answer is compared
//! with the row's.
//!
//! 1. `reading`: texts to stories, as the phrase book turned round tells them;
//! 2. `scene`: stories to situations, by clingo;
//! 3. `wordings`: the rules paragraph against the facts;
//! 4. `answers`: questions to clingo's answers, and these against the rows'.
//!
//! Rows that tell one story are read together, and stories of one layout share its grounding. Every situation, step
//! and answer is clingo's; the native evaluator has no part in it. The first story of each layout is also run
//! through the whole time-expanded program (section 2.5).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use racgen_data::row::Row;
use racgen_logic::seed::digest;
use racgen_logic::term::Term;
use rayon::prelude::*;
use rustc_hash::FxHashMap as HashMap;

use crate::audit::reread::reading::{ReadStory, is_generic, read_generic, read_own};
use crate::audit::reread::scene::{StoryReplay, parameters};
use crate::domain::catalogue::Catalogue;
use crate::domain::package::Package;
use crate::language::parser::Inverse;

/// What may be wrong with an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trouble {
    /// A paragraph or the question follows no phrasing.
    Unreadable,
    /// A paragraph or the question can be read in two ways.
    Ambiguous,
    /// What the text tells cannot be: no such situation, or an action that cannot occur.
    Impossible,
    /// The answer is another than the row's.
    WrongAnswer,
    /// The columns with ground terms say something else than the text.
    Columns,
    /// The rationale states what is not so, or comes to another answer.
    Rationale,
    /// The domain is not at hand.
    UnknownDomain,
}

impl Trouble {
    /// What it is, in words.
    pub fn words(self) -> &'static str {
        match self {
            Trouble::Unreadable => "the text follows no phrasing of the domain",
            Trouble::Ambiguous => "the text can be read in two ways",
            Trouble::Impossible => "what the text tells cannot be",
            Trouble::WrongAnswer => "clingo's answer to the text is another than the row's",
            Trouble::Columns => "the columns with ground terms say something else than the text",
            Trouble::Rationale => "the rationale states what is not so, or comes to another answer",
            Trouble::UnknownDomain => "the domain is not at hand",
        }
    }
}

/// What is wrong with an item, and the particulars.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What is wrong.
    pub trouble: Trouble,
    /// Words, terms, answers.
    pub detail: String,
}

pub(crate) fn finding<T>(trouble: Trouble, detail: impl Into<String>) -> Result<T, Finding> {
    Err(Finding { trouble, detail: detail.into() })
}

/// An item that was read and found right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sound {
    /// The key of its world, computed afresh: equal for worlds that differ in the names of their objects only.
    pub world: Arc<str>,
    /// The key of its world and plan.
    pub instance: Arc<str>,
    /// Does the initial situation give the same answer?
    pub trivial: bool,
    /// The phrasings of the initial state and the actions, where they can be told.
    pub said: Arc<[Arc<str>]>,
}

/// What a row came to.
pub type Verdict = Result<Sound, Finding>;

/// A package with its phrase book turned round.
pub(crate) struct Domain {
    pub(crate) package: Package,
    pub(crate) inverse: Inverse,
}

/// Reads rows of all domains.
pub struct Reread<'c> {
    catalogue: &'c Catalogue,
    domains: Mutex<HashMap<String, Option<Arc<Domain>>>>,
    limit: Duration,
}

impl<'c> Reread<'c> {
    /// A reader of the domains of a catalogue; `limit` is that of a solver call.
    pub fn new(catalogue: &'c Catalogue, limit: Duration) -> Reread<'c> {
        Reread { catalogue, domains: Mutex::default(), limit }
    }

    /// Is the domain at hand?
    pub fn knows(&self, name: &str) -> bool {
        self.domain(name).is_some()
    }

    fn domain(&self, name: &str) -> Option<Arc<Domain>> {
        let mut domains = self.domains.lock().unwrap_or_else(PoisonError::into_inner);
        let load = || {
            let package = self.catalogue.load(name).ok()?;
            let inverse = Inverse::new(&package).0;
            Some(Arc::new(Domain { package, inverse }))
        };
        domains.entry(name.to_owned()).or_insert_with(load).clone()
    }

    /// The verdict on each of the rows. `progress` is told how many more are done.
    pub fn judge(&self, rows: &[Row], progress: &(dyn Fn(u64) + Sync)) -> Vec<Verdict> {
        let mut by_story: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let keys: Vec<String> = rows.par_iter().map(story_key).collect();
        for (number, key) in keys.into_iter().enumerate() {
            by_story.entry(key).or_default().push(number);
        }
        let groups: Vec<Vec<usize>> = by_story.into_values().collect();
        let read: Vec<(Vec<usize>, Result<ReadStory, Finding>)> =
            groups.into_par_iter().map(|group| (group.clone(), self.read(rows, group))).collect();
        let mut verdicts: Vec<Option<Verdict>> = vec![None; rows.len()];
        let mut by_layout: BTreeMap<String, Vec<ReadStory>> = BTreeMap::new();
        for (group, story) in read {
            match story {
                Ok(story) => by_layout.entry(layout_key(&story)).or_default().push(story),
                Err(finding) => {
                    progress(group.len() as u64);
                    group.iter().for_each(|row| verdicts[*row] = Some(Err(finding.clone())));
                }
            }
        }
        let layouts: Vec<Vec<ReadStory>> = by_layout.into_values().collect();
        let judged: Vec<Vec<(usize, Verdict)>> = layouts
            .into_par_iter()
            .map(|stories| {
                let found = self.layout(rows, &stories);
                progress(found.len() as u64);
                found
            })
            .collect();
        for (row, verdict) in judged.into_iter().flatten() {
            verdicts[row] = Some(verdict);
        }
        let missing = || finding(Trouble::Impossible, "no situation follows from the text");
        verdicts.into_iter().map(|verdict| verdict.unwrap_or_else(missing)).collect()
    }

    /// Reads what the rows of one story share.
    fn read(&self, rows: &[Row], group: Vec<usize>) -> Result<ReadStory, Finding> {
        let row = &rows[group[0]];
        let Some(domain) = self.domain(&row.domain) else {
            return finding(
                Trouble::UnknownDomain,
                format!("`{}`; give the folder of its package with --domain-dir", row.domain),
            );
        };
        if is_generic(row) { read_generic(domain, row, group) } else { read_own(domain, row, group) }
    }

    /// Judges the stories of one layout.
    fn layout(&self, rows: &[Row], stories: &[ReadStory]) -> Vec<(usize, Verdict)> {
        let mut open: Vec<(usize, &ReadStory, Vec<usize>)> =
            stories.iter().enumerate().map(|(n, s)| (n, s, s.rows.clone())).collect();
        let mut done = Vec::new();
        // Parameters that no fact tells are first taken to be the greatest of the level, then the least.
        let fills = match stories.first() {
            Some(story) if !story.generic => {
                parameters(&story.domain.package, &rows[story.rows[0]], &story.layout)
            }
            _ => vec![BTreeMap::new()],
        };
        for (turn, parameters) in fills.iter().enumerate() {
            let last = turn + 1 == fills.len();
            let Some((_, first, _)) = open.first() else { break };
            let mut layout = first.layout.clone();
            layout.parameters.clone_from(parameters);
            let mut scene = StoryReplay::new(first, layout, self.limit);
            let mut left = Vec::new();
            for (number, story, wanted) in open {
                let first = number == 0 && turn == 0;
                let verdicts = match &mut scene {
                    Err(found) => wanted.iter().map(|row| (*row, Some(Err(found.clone())))).collect(),
                    Ok((scene, solvers)) => scene.story(story, rows, &wanted, first, solvers),
                };
                let mut unasked = Vec::new();
                for (row, verdict) in verdicts {
                    match verdict {
                        Some(Err(Finding { trouble: Trouble::Impossible, .. })) if !last => unasked.push(row),
                        Some(verdict) => done.push((row, verdict)),
                        None if !last => unasked.push(row),
                        None => done.push((
                            row,
                            finding(
                                Trouble::Unreadable,
                                format!("the domain does not ask this here: {}", rows[row].question),
                            ),
                        )),
                    }
                }
                if !unasked.is_empty() {
                    left.push((number, story, unasked));
                }
            }
            open = left;
        }
        done
    }
}

/// What tells stories apart.
fn story_key(row: &Row) -> String {
    let level = row.level.to_string();
    let objects = row.objects.iter().flat_map(|o| [&*o.id, &*o.kind, &*o.name]);
    let parts = [&*row.domain, &level, &row.initial_state, &row.rules, &row.actions];
    let lists = row.facts.iter().chain(row.plan.iter()).map(String::as_str);
    digest(parts.into_iter().chain(objects).chain(lists))
}

fn layout_key(story: &ReadStory) -> String {
    let objects: Vec<&str> = story.layout.objects.iter().map(|o| &*o.id).collect();
    let statics: Vec<String> = story.layout.statics.iter().map(Term::to_string).collect();
    let theory = story.theory.as_ref().map_or("", |t| &t.text);
    let level = story.layout.parameters.get("level").copied().unwrap_or_default();
    format!("{} {level} {} {} {theory}", story.domain.package.name, objects.join(" "), statics.join(" "))
}
