//! What the checks that need no reading keep of a row: numbers and hashes, so that a million rows fit in memory.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use racgen_data::row::Row;
use racgen_logic::seed::digest;
use rustc_hash::{FxHashMap as HashMap, FxHasher};

use crate::audit::attacks::answering::{AnsweredPattern, answered};
use crate::audit::attacks::bag::{Bag, Codes, about_the_start, bag};
use crate::audit::attacks::initially::{InitialFacts, initial_facts};
use crate::audit::attacks::options::{ListedOptions, listed};
use crate::audit::attacks::pairing::PairSide;
use crate::domain::question_groups::HIDDEN_FACT;
use crate::factory::further::telling::CERTAINTY;
use crate::simulate::narrative::partly::LEFT_OUT;
use crate::simulate::narrative::undefined::{UNANSWERABLE, is_stranger};

/// A number for each distinct text.
#[derive(Debug, Default)]
pub struct Interner {
    numbers: HashMap<Arc<str>, u32>,
    texts: Vec<Arc<str>>,
    codes: Codes,
}

impl Interner {
    /// The number of a text.
    pub fn number(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let (number, text): (u32, Arc<str>) = (self.texts.len() as u32, text.into());
        self.texts.push(text.clone());
        self.numbers.insert(text, number);
        number
    }

    /// The text of a number.
    pub fn text(&self, number: u32) -> &Arc<str> {
        &self.texts[number as usize]
    }
}

/// One item, as the checks of labels and leaks see it.
#[derive(Clone, Debug)]
pub struct AuditItem {
    /// Its id.
    pub id: u32,
    /// Name of the domain, or of the data set.
    pub domain: u32,
    /// Name of the split.
    pub split: u32,
    /// `verify`, `count` or `other`.
    pub question_type: u32,
    /// What is asked about.
    pub family: u32,
    /// World complexity.
    pub level: i32,
    /// Number of actions.
    pub depth: i32,
    /// The answer.
    pub answer: u32,
    /// Is the answer made of statements or actions, rather than of words?
    pub sentences: bool,
    /// Does the answer say how sure something is, one of three?
    pub certain: bool,
    /// Of a question that is asked in fours which cross: is it yes or no, rather than that it cannot be determined?
    pub settled: Option<bool>,
    /// Number of facts told.
    pub facts: u32,
    /// The phrasing, its number taken out, and the numbers.
    pub template: (u32, Vec<u32>),
    /// Length of the question in characters.
    pub question_length: u32,
    /// Length of the context in characters.
    pub context_length: u32,
    /// Words and pairs of words of the question, hashed.
    pub words: Vec<u32>,
    /// What can be seen without reading the story, hashed.
    pub surface: Vec<u32>,
    /// Names in the question.
    pub names: Vec<u32>,
    /// All names of the text.
    pub all_names: Arc<[u32]>,
    /// What it shares with the item that it is paired with; the empty text for items on their own.
    pub pair: u32,
    /// What was changed in it.
    pub change: u32,
    /// What is compared with its partner, where it stands in a pair.
    pub side: Option<Box<PairSide>>,
    /// Hash of context and question.
    pub text: u128,
    /// What is asked after which actions, hashed, without the world.
    pub asked: u32,
    /// Key of the world.
    pub world: u32,
    /// Key of the world and the plan.
    pub instance: u32,
    /// Does the initial situation give the same answer? None where that is not known.
    pub trivial: Option<bool>,
    /// Does anything happen before it is asked?
    pub acts: bool,
    /// Is it asked about the initial state?
    pub about_start: bool,
    /// Question and actions in small numbers, of yes/no questions with actions.
    pub bag: Option<Box<Bag>>,
    /// What the question lists to choose from, if it does.
    pub listed: Option<Box<ListedOptions>>,
    /// Which names are equal in the question and its answer, where that is made of statements or actions and not chosen from a list.
    pub answered: Option<AnsweredPattern>,
    /// What the initial situation says of the objects of a question whether something is sure, or possible.
    pub initially: InitialFacts,
    /// Phrasings of the initial state and the actions, where the text was read back.
    pub said: Arc<[u32]>,
}

/// Whether an answer is a yes (`true`), a no, or neither.
pub fn label(answer: &str) -> Option<bool> {
    match answer.trim().to_lowercase().as_str() {
        "yes" | "true" => Some(true),
        "no" | "false" => Some(false),
        _ => None,
    }
}

/// A phrasing's name without its numbers, and these: `after.one.3/at.2` to `after.one/at` and 3, 2.
fn template(name: &str) -> (String, Vec<u32>) {
    let mut numbers = Vec::new();
    let parts: Vec<&str> = name
        .split('/')
        .map(|part| match part.rsplit_once('.') {
            Some((form, number)) if number.parse::<u32>().is_ok() => {
                numbers.extend(number.parse::<u32>());
                form
            }
            _ => part,
        })
        .collect();
    (parts.join("/"), numbers)
}

/// The words of a text, small.
pub fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '\'').filter(|w| !w.is_empty());
    words.map(str::to_lowercase).collect()
}

fn hashed(parts: &impl Hash) -> u32 {
    let mut hasher = FxHasher::default();
    parts.hash(&mut hasher);
    (hasher.finish() >> 16) as u32
}

/// Words and pairs of neighbouring words, hashed, each once.
fn features(text: &str) -> Vec<u32> {
    let words = words(text);
    let mut found: Vec<u32> = words.iter().map(hashed).collect();
    found.extend(words.windows(2).map(|pair| hashed(&pair)));
    found.sort_unstable();
    found.dedup();
    found
}

/// A row whose query names the objects of which nothing is told as well: the text says of them that it leaves them out, so
/// that whoever guesses sees them.
fn asked_of(row: &Row) -> Cow<'_, Row> {
    let prefix = format!("{LEFT_OUT}(");
    let left_out: Vec<&str> =
        row.facts.iter().filter_map(|fact| fact.strip_prefix(&prefix)?.strip_suffix(')')).collect();
    match row.query.strip_suffix(')') {
        Some(query) if !left_out.is_empty() => {
            Cow::Owned(Row { query: format!("{query},{})", left_out.join(",")), ..row.clone() })
        }
        _ => Cow::Borrowed(row),
    }
}

/// How many objects a question names that the text does not have: whoever sees the question alone takes them for others.
fn strangers(row: &Row) -> usize {
    if !row.gold.iter().any(|answer| answer == UNANSWERABLE) {
        return 0;
    }
    let mut found = BTreeSet::new();
    let ids = || row.objects.iter().map(|object| &*object.id);
    let words = row.query.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    found.extend(words.filter(|word| is_stranger(word, ids())));
    found.len()
}

impl AuditItem {
    /// What is kept of a row.
    pub fn new(row: &Row, texts: &mut Interner) -> AuditItem {
        let question_length = row.question.chars().count() as u32;
        let context_length = row.context.chars().count() as u32;
        let generic = row.objects.iter().any(|o| o.id.contains('('));
        let told = row.objects.iter().filter(|o| !generic || &*o.kind == "fluent" || &*o.kind == "action");
        let told: Vec<&str> = told.map(|o| &*o.name).collect();
        let question = words(&row.question);
        let inside = |name: &str| {
            let name = words(name);
            !name.is_empty() && question.windows(name.len()).any(|w| *w == *name)
        };
        let names: Vec<u32> = told.iter().filter(|n| inside(n)).map(|name| texts.number(name)).collect();
        let all_names: Vec<u32> = told.iter().map(|name| texts.number(name)).collect();
        let (form, numbers) = template(&row.template);
        let certain = &*row.answer_type == CERTAINTY;
        let mut surface = vec![
            hashed(&("template", &row.template)),
            hashed(&("form", &form)),
            hashed(&("question", question_length / 8)),
            hashed(&("context", context_length / 200)),
            hashed(&("state", row.initial_state.chars().count() / 100)),
            hashed(&("actions", row.actions.chars().count() / 40)),
            hashed(&("level", row.level)),
            hashed(&("depth", row.depth)),
            hashed(&("objects", row.objects.len())),
            hashed(&("names", names.len() + strangers(row))),
        ];
        if certain {
            surface.push(hashed(&("facts", row.facts.len())));
        }
        let told = (certain || label(&row.answer).is_some()).then(|| asked_of(row));
        // What a picture shows is told to the reader as well.
        let shown: &[String] = if row.extra.contains_key("image") { &row.facts } else { &[] };
        let text = digest([&*row.context, &row.question].into_iter().chain(shown.iter().map(String::as_str)));
        let plan = digest(std::iter::once(&*row.world).chain(row.plan.iter().map(String::as_str)));
        let listed = listed(row, &mut texts.codes).map(Box::new);
        AuditItem {
            id: texts.number(&row.id),
            domain: texts.number(&row.domain),
            split: texts.number(&row.split),
            question_type: texts.number(&row.question_type),
            family: texts.number(&row.family),
            level: row.level,
            depth: row.depth,
            answer: texts.number(&row.answer),
            certain,
            settled: (&*row.family == HIDDEN_FACT).then(|| label(&row.answer).is_some()),
            facts: row.facts.len() as u32,
            sentences: ["facts", "action", "actions", "plan"].contains(&&*row.answer_type),
            template: (texts.number(&form), numbers),
            question_length,
            context_length,
            words: features(&row.question),
            surface,
            names,
            all_names: all_names.into(),
            pair: texts.number(&row.pair),
            change: texts.number(&row.change),
            side: PairSide::of(row).map(Box::new),
            text: u128::from_str_radix(&text, 16).unwrap_or(0),
            asked: hashed(&(&row.query, &row.plan)),
            world: texts.number(&row.world),
            instance: texts.number(&plan),
            trivial: None,
            acts: !row.plan.is_empty(),
            about_start: about_the_start(&row.query),
            answered: if listed.is_none() { answered(row) } else { None },
            listed,
            initially: initial_facts(row, &mut texts.codes),
            bag: told.and_then(|row| bag(&row, &mut texts.codes)).map(Box::new),
            said: [].into(),
        }
    }
}
