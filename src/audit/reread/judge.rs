//! Rows to verdicts: each text is read back to atoms, clingo answers the question anew, and the answer is compared
//! with the row's.
//!
//! Rows that tell one story are read together. Whose voice reads them, that of a domain, of a game or of rule sets, is
//! chosen here.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use racgen_data::row::Row;
use racgen_logic::seed::digest;
use rayon::prelude::*;
use rustc_hash::FxHashMap as HashMap;

use crate::audit::beside::Beside;
use crate::audit::reread::domains::shortest_plan::has_depth;
use crate::audit::reread::domains::voice::DomainVoice;
use crate::audit::reread::games::voice::GameVoice;
use crate::audit::reread::halma::voice::HalmaVoice;
use crate::audit::reread::rules::voice::RulesVoice;
use crate::audit::reread::verdict::{Finding, Trouble, Verdict};
use crate::audit::reread::voice::{Unheard, Voice};
use crate::domain::catalogue::Catalogue;
use crate::halma::items::source::DOMAIN as MAZES;

/// The domain of the questions of `racgen rules`.
const RULES: &str = "rules";

/// Who reads the rows of a domain; none where the rules of a game are not at hand.
type Reader = Option<Arc<dyn Voice>>;

/// The rows of a story, by their places among all.
type Places = Vec<usize>;

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
        self.reader(name).is_some()
    }

    /// The id that a row should have, by what it says and by its place; none where that is not known.
    pub(crate) fn identity(&self, row: &Row) -> Option<String> {
        self.reader(&row.domain)?.identity(row)
    }

    /// Are the items of a domain numbered across all splits and depths, rather than within each?
    pub(crate) fn numbers_across(&self, name: &str) -> bool {
        self.reader(name).is_some_and(|reader| reader.numbers_across())
    }

    /// How many of the rows have no length of a shortest plan that could be checked, though items of their kind have one:
    /// those of domains of which no row here has any, so that it may be missing as well as unknown.
    pub(crate) fn without_depth(&self, rows: &[Row]) -> usize {
        let mut domains: BTreeMap<&str, (usize, bool)> = BTreeMap::new();
        for row in rows {
            let (count, any) = domains.entry(&row.domain).or_default();
            *count += 1;
            *any |= has_depth(row);
        }
        let lacks = |name: &str| self.reader(name).is_some_and(|reader| reader.has_shortest_plans());
        let lacking = domains.into_iter().filter(|(name, (_, any))| !any && lacks(name));
        lacking.map(|(_, (count, _))| count).sum()
    }

    fn reader(&self, name: &str) -> Reader {
        let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        readers.entry(name.to_owned()).or_insert_with(|| self.choose(name)).clone()
    }

    /// Whose voice reads the rows of a domain.
    fn choose(&self, name: &str) -> Reader {
        if self.beside.is_game(name) {
            return self.game(name);
        }
        if let Ok(package) = self.catalogue.load(name) {
            return Some(Arc::new(DomainVoice::new(package, self.limit)));
        }
        if name == RULES {
            return Some(voice(RulesVoice::reader(self.beside.rules())));
        }
        if name == MAZES {
            return Some(voice(HalmaVoice::reader()));
        }
        let detail = format!("`{name}`; give the folder of its package with --domain-dir");
        let unknown = || Unheard(Finding { trouble: Trouble::UnknownDomain, detail });
        self.game(name).or_else(|| Some(Arc::new(unknown())))
    }

    fn game(&self, name: &str) -> Reader {
        match GameVoice::reader(&self.beside.game(name)?, self.limit) {
            Ok(game) => Some(Arc::new(game)),
            Err(found) => Some(Arc::new(Unheard(found?))),
        }
    }

    /// The verdict on each of the rows. `progress` is told how many more are done.
    pub fn judge(&self, rows: &[Row], progress: &(dyn Fn(u64) + Sync)) -> Vec<Verdict> {
        // Readers are made before the threads begin, for making one holds the lock of all.
        let stories: Vec<(Arc<dyn Voice>, Vec<Places>)> = by_story(rows)
            .into_iter()
            .map(|(name, stories)| (self.reader(name).unwrap_or_else(|| unread(name)), stories))
            .collect();
        let judge = |(voice, stories): (Arc<dyn Voice>, Vec<Places>)| -> Vec<(usize, Verdict)> {
            let of_story = |story: &Places| story.iter().map(|row| &rows[*row]).collect();
            let told: Vec<Vec<&Row>> = stories.iter().map(of_story).collect();
            let verdicts = voice.stories(&told, progress);
            stories.into_iter().flatten().zip(verdicts.into_iter().flatten()).collect()
        };
        let judged: Vec<Vec<(usize, Verdict)>> = stories.into_par_iter().map(judge).collect();
        let mut verdicts: Vec<(usize, Verdict)> = judged.into_iter().flatten().collect();
        verdicts.sort_unstable_by_key(|(row, _)| *row);
        verdicts.into_iter().map(|(_, verdict)| verdict).collect()
    }
}

/// What is said of rows that nobody reads.
fn unread(name: &str) -> Arc<dyn Voice> {
    let detail = format!("the rules of `{name}` do not stand beside the data");
    Arc::new(Unheard(Finding { trouble: Trouble::UnknownDomain, detail }))
}

/// A voice, or why there is none.
fn voice(read: Result<impl Voice + 'static, Finding>) -> Arc<dyn Voice> {
    match read {
        Ok(voice) => Arc::new(voice),
        Err(found) => Arc::new(Unheard(found)),
    }
}

/// The rows of each story, by domain.
fn by_story(rows: &[Row]) -> BTreeMap<&str, Vec<Places>> {
    let keys: Vec<String> = rows.par_iter().map(story_key).collect();
    let mut stories: BTreeMap<(&str, String), Places> = BTreeMap::new();
    for (number, key) in keys.into_iter().enumerate() {
        stories.entry((&rows[number].domain, key)).or_default().push(number);
    }
    let mut by_domain: BTreeMap<&str, Vec<Places>> = BTreeMap::new();
    for ((domain, _), story) in stories {
        by_domain.entry(domain).or_default().push(story);
    }
    by_domain
}

/// What tells stories apart.
fn story_key(row: &Row) -> String {
    let level = row.level.to_string();
    let objects = row.objects.iter().flat_map(|o| [&*o.id, &*o.kind, &*o.name]);
    let parts = [&*row.domain, &level, &row.initial_state, &row.rules, &row.actions];
    let lists = row.facts.iter().chain(row.plan.iter()).map(String::as_str);
    digest(parts.into_iter().chain(objects).chain(lists))
}
