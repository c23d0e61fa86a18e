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
//! through the whole time-expanded program (section 2.5). Items of games (`games`) and questions about rules (`rules`)
//! are read by a voice of theirs.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use racgen_data::row::Row;
use racgen_logic::seed::digest;
use racgen_logic::term::Term;
use rayon::prelude::*;
use rustc_hash::FxHashMap as HashMap;

use crate::audit::beside::Beside;
use crate::audit::reread::games::GameVoice;
use crate::audit::reread::reading::{ReadStory, is_generic, read_generic, read_own};
use crate::audit::reread::rules::RulesVoice;
use crate::audit::reread::scene::{StoryReplay, parameters};
use crate::audit::reread::verdict::{Domain, Finding, Trouble, Verdict, finding};
use crate::audit::reread::voice::verdicts;
use crate::domain::catalogue::Catalogue;
use crate::language::read::parser::Inverse;

/// The domain of the questions of `racgen rules`.
const RULES: &str = "rules";

/// Who reads the rows of a domain.
#[derive(Clone)]
enum Reader {
    Domain(Arc<Domain>),
    Game(Arc<GameVoice>),
    Rules(Arc<RulesVoice>),
    /// Nobody, because of this.
    Broken(Finding),
    /// Nobody: the rules of this game are not at hand.
    Nobody,
}

/// Reads rows of all domains, games and rule sets.
pub struct Reread<'c> {
    catalogue: &'c Catalogue,
    beside: Beside,
    readers: Mutex<HashMap<String, Reader>>,
    limit: Duration,
}

impl<'c> Reread<'c> {
    /// A reader of the domains of a catalogue; `limit` is that of a solver call.
    pub fn new(catalogue: &'c Catalogue, limit: Duration) -> Reread<'c> {
        Reread { catalogue, beside: Beside::default(), readers: Mutex::default(), limit }
    }

    /// Also reads items of the games and rule sets whose rules stand beside the data at or below this path.
    pub fn with(self, path: &Path) -> Reread<'c> {
        Reread { beside: Beside::of(path, crate::audit::beside::manifest(path).as_ref()), ..self }
    }

    /// Can rows of this domain be read back? Those of games whose rules are not at hand cannot.
    pub fn reads(&self, name: &str) -> bool {
        !matches!(self.reader(name), Reader::Nobody)
    }

    fn reader(&self, name: &str) -> Reader {
        let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        readers.entry(name.to_owned()).or_insert_with(|| self.load(name)).clone()
    }

    fn load(&self, name: &str) -> Reader {
        let game = || match self.beside.game(name) {
            Some(texts) => match GameVoice::reader(&texts, self.limit) {
                Ok(voice) => Reader::Game(Arc::new(voice)),
                Err(Some(found)) => Reader::Broken(found),
                Err(None) => Reader::Nobody,
            },
            None => Reader::Nobody,
        };
        if self.beside.is_game(name) {
            return game();
        }
        if let Ok(package) = self.catalogue.load(name) {
            let inverse = Inverse::new(&package).0;
            return Reader::Domain(Arc::new(Domain { package, inverse }));
        }
        if name == RULES {
            return match RulesVoice::reader(self.beside.rules()) {
                Ok(voice) => Reader::Rules(Arc::new(voice)),
                Err(found) => Reader::Broken(found),
            };
        }
        let detail = format!("`{name}`; give the folder of its package with --domain-dir");
        match game() {
            Reader::Nobody => Reader::Broken(Finding { trouble: Trouble::UnknownDomain, detail }),
            found => found,
        }
    }

    /// The verdict on each of the rows. `progress` is told how many more are done.
    pub fn judge(&self, rows: &[Row], progress: &(dyn Fn(u64) + Sync)) -> Vec<Verdict> {
        let mut by_story: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let keys: Vec<String> = rows.par_iter().map(story_key).collect();
        for (number, key) in keys.into_iter().enumerate() {
            by_story.entry(key).or_default().push(number);
        }
        let groups: Vec<Vec<usize>> = by_story.into_values().collect();
        let mut verdicts: Vec<Option<Verdict>> = vec![None; rows.len()];
        let (laid_out, told): (Vec<Vec<usize>>, Vec<Vec<usize>>) = groups
            .into_iter()
            .partition(|group| matches!(self.reader(&rows[group[0]].domain), Reader::Domain(_)));
        for (row, verdict) in self.told(rows, told, progress) {
            verdicts[row] = Some(verdict);
        }
        let read: Vec<(Vec<usize>, Result<ReadStory, Finding>)> =
            laid_out.into_par_iter().map(|group| (group.clone(), self.read(rows, group))).collect();
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

    /// The verdicts on stories of games and rule sets, and on those that nobody can read.
    fn told(
        &self,
        rows: &[Row],
        groups: Vec<Vec<usize>>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Vec<(usize, Verdict)> {
        let judge = |group: Vec<usize>| -> Vec<(usize, Verdict)> {
            let of_story: Vec<&Row> = group.iter().map(|row| &rows[*row]).collect();
            let found = match self.reader(&of_story[0].domain) {
                Reader::Game(voice) => verdicts(&*voice, &of_story),
                Reader::Rules(voice) => verdicts(&*voice, &of_story),
                Reader::Broken(found) => vec![Err(found); group.len()],
                Reader::Nobody | Reader::Domain(_) => {
                    let detail =
                        format!("the rules of `{}` do not stand beside the data", of_story[0].domain);
                    vec![finding(Trouble::UnknownDomain, detail); group.len()]
                }
            };
            progress(group.len() as u64);
            group.into_iter().zip(found).collect()
        };
        groups.into_par_iter().map(judge).collect::<Vec<_>>().into_iter().flatten().collect()
    }

    /// Reads what the rows of one story share.
    fn read(&self, rows: &[Row], group: Vec<usize>) -> Result<ReadStory, Finding> {
        let row = &rows[group[0]];
        let Reader::Domain(domain) = self.reader(&row.domain) else {
            return finding(Trouble::UnknownDomain, format!("`{}`", row.domain));
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
