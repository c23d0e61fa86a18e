//! A phrase book to phrases that deny each other: those of one list, which should say the same; that of an absence and that
//! of what is absent; and those of two fluents, which are then never true at once.
//!
//! Words alone are compared. Articles aside, two phrases deny each other where they have the same words, but for a "not",
//! a "no" and the like in one of them: "r1 carries a container" and "r1 carries no container".

use std::collections::BTreeSet;

use racgen_logic::fault::{Fault, Faults};
use racgen_logic::term::Term;

use crate::check::invariants::story;
use crate::check::reached::Reached;
use crate::domain::package::Package;
use crate::phrases::book::{PhraseBook, Phrasings, RelationPhrases};
use crate::phrases::pattern::{Pattern, PatternPlace};
use crate::phrases::phrasing::Phrasing;
use crate::simulate::transitions::compiled_layout::CompiledLayout;

/// Words that say nothing here.
const ARTICLES: [&str; 5] = ["a", "an", "the", "any", "some"];
/// Words that deny, and what is left without the denial.
const DENYING: [(&str, &str); 12] = [
    ("not", ""),
    ("no", ""),
    ("never", ""),
    ("cannot", "can"),
    ("none", "one"),
    ("nothing", "something"),
    ("nobody", "somebody"),
    ("nowhere", "somewhere"),
    ("neither", "either"),
    ("nor", "or"),
    ("without", "with"),
    ("lacks", "has"),
];
/// Other words by which a sentence may say that something is absent.
const ABSENT: [&str; 14] = [
    "empty", "free", "clear", "bare", "idle", "alone", "absent", "missing", "gone", "every", "all", "each",
    "only", "vacant",
];

/// A word of a phrase.
#[derive(Clone, Debug, PartialEq, Eq)]
enum PhraseWord {
    Plain(String),
    /// A slot, and the type of its objects.
    Slot(usize, String),
}

/// The words of a phrase without articles and denials.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Said {
    words: Vec<PhraseWord>,
    /// Is it denied?
    denied: bool,
}

/// Mark around the number of a slot.
const MARK: char = '\u{e1fe}';

impl Said {
    fn new(phrasing: &Phrasing, kinds: &[String]) -> Said {
        let marks: Vec<String> = (0..=kinds.len()).map(|slot| format!(" {MARK}{slot} ")).collect();
        let mut text = String::new();
        phrasing.fill(&mut text, |slot| marks.get(slot).map_or(" ", String::as_str));
        let mut said = Said { words: Vec::new(), denied: false };
        let parted = |c: char| c.is_whitespace() || ",;:.?!\"()".contains(c);
        for word in text.split(parted).filter(|word| !word.is_empty()) {
            if let Some(slot) = word.strip_prefix(MARK).and_then(|number| number.parse::<usize>().ok()) {
                let kind = kinds.get(slot).cloned().unwrap_or_default();
                // "Switch s1" is s1.
                said.words.pop_if(|word| *word == PhraseWord::Plain(kind.clone()));
                said.words.push(PhraseWord::Slot(slot, kind));
                continue;
            }
            let mut word = word.to_lowercase().replace('\u{2019}', "'");
            if let Some(verb) = word.strip_suffix("n't") {
                said.denied = !said.denied;
                word = verb.to_owned();
            }
            if let Some((_, rest)) = DENYING.iter().find(|(denying, _)| *denying == word) {
                said.denied = !said.denied;
                word = (*rest).to_owned();
            }
            let named = matches!(said.words.last(), Some(PhraseWord::Slot(_, kind)) if *kind == word);
            if !word.is_empty() && !named && !ARTICLES.contains(&word.as_str()) {
                said.words.push(PhraseWord::Plain(word));
            }
        }
        said
    }

    /// The same with the names of types in place of slots.
    fn of_types(&self) -> Said {
        let word = |word: &PhraseWord| match word {
            PhraseWord::Slot(_, kind) => PhraseWord::Plain(kind.clone()),
            word => word.clone(),
        };
        Said { words: self.words.iter().map(word).collect(), denied: self.denied }
    }

    /// May it say that something is absent?
    fn tells_absence(&self) -> bool {
        let absent = |word: &PhraseWord| match word {
            PhraseWord::Plain(word) => {
                ABSENT.contains(&word.as_str()) || word.starts_with("un") || word.ends_with("less")
            }
            PhraseWord::Slot(..) => false,
        };
        self.denied || self.words.iter().any(absent)
    }
}

/// The types of a pattern's slots.
fn kinds(pattern: &Pattern) -> Vec<String> {
    let kind = |place: &PatternPlace| match place {
        PatternPlace::Slot { kind, .. } => Some(kind.clone()),
        PatternPlace::Constant(_) => None,
    };
    match pattern.bare {
        true => vec![pattern.functor.clone()],
        false => pattern.places.iter().filter_map(kind).collect(),
    }
}

/// The phrase as the phrase book has it, but for the names of its slots.
fn shown(phrasing: &Phrasing, kinds: &[String]) -> String {
    let slots: Vec<String> = kinds.iter().map(|kind| format!("{{{{ {kind} }}}}")).collect();
    let mut text = String::new();
    phrasing.fill(&mut text, |slot| slots.get(slot).map_or("{{ person }}", String::as_str));
    text
}

/// The lists of phrasings of a phrase book that say one thing each, with the types of their slots.
fn lists(book: &PhraseBook) -> Vec<(Vec<String>, &Phrasings)> {
    let list = || vec!["list".to_owned()];
    let mut all: Vec<(Vec<String>, &Phrasings)> = book.objects.iter().map(|(_, p)| (list(), p)).collect();
    for relation in book.facts.iter().chain(&book.fluents) {
        let own = kinds(&relation.pattern);
        let parts = relation.group.iter().chain(&relation.which).chain(&relation.count);
        all.extend([&relation.each, &relation.ask].map(|p| (own.clone(), p)));
        all.extend(parts.map(|(_, p)| (own.clone(), p)));
        all.extend([&relation.chain, &relation.all].map(|p| (list(), p)));
        all.push((Vec::new(), &relation.none));
    }
    for action in &book.actions {
        let own = kinds(&action.pattern);
        all.extend([&action.did, &action.can, &action.clause].map(|p| (own.clone(), p)));
    }
    all.extend(book.questions.iter().map(|question| (kinds(&question.pattern), &question.ask)));
    all.extend(book.rules.iter().map(|rule| (Vec::new(), rule)));
    all
}

/// What is wrong with a phrase book whatever the rules of its domain are.
pub(crate) fn check_denials(book: &PhraseBook, faults: &mut Faults) {
    for (kinds, phrasings) in lists(book) {
        let said: Vec<Said> = phrasings.list.iter().map(|p| Said::new(p, &kinds)).collect();
        for (later, one) in said.iter().enumerate() {
            let denies = |other: &&Said| other.words == one.words && other.denied != one.denied;
            if let Some(earlier) = said[..later].iter().position(|other| denies(&other)) {
                let [first, second] = [earlier, later].map(|n| shown(&phrasings.list[n], &kinds));
                faults.push(Fault::new(
                    &book.file,
                    phrasings.line,
                    format!("\"{first}\" and \"{second}\" stand in one list, but one denies the other"),
                    "strike one of them: all phrasings of a list say the same",
                ));
            }
        }
    }
    for relation in book.facts.iter().chain(&book.fluents) {
        check_absence(book, relation, faults);
    }
}

/// The sentence that there is none must not say what is said of one that there is.
fn check_absence(book: &PhraseBook, relation: &RelationPhrases, faults: &mut Faults) {
    let own = kinds(&relation.pattern);
    for none in &relation.none.list {
        let absent = Said::new(none, &[]);
        let present = |said: &&Phrasing| Said::new(said, &own).of_types() == absent;
        if let Some(each) = relation.each.list.iter().find(present) {
            faults.push(Fault::new(
                &book.file,
                relation.none.line,
                format!(
                    "\"{}\" is said where no `{}` is true, but it says what \"{}\" does",
                    shown(none, &[]),
                    relation.pattern.functor,
                    shown(each, &own)
                ),
                "let `none` deny it: \"No ...\"",
            ));
        }
    }
}

/// What need not be wrong in a phrase book: sentences of an absence without a word for it, and lists that read badly.
pub(crate) fn phrase_notes(book: &PhraseBook) -> Vec<String> {
    let mut notes = Vec::new();
    for relation in book.facts.iter().chain(&book.fluents) {
        for none in relation.none.list.iter().filter(|none| !Said::new(none, &[]).tells_absence()) {
            notes.push(format!(
                "{}:{}: \"{}\" is said where no `{}` is true, but has no word that denies anything: check that it says so",
                book.file,
                relation.none.line,
                shown(none, &[]),
                relation.pattern.functor
            ));
        }
    }
    let objects = book.objects.iter().map(|(_, phrasings)| (0, vec!["list".to_owned()], phrasings));
    let relations = book.facts.iter().chain(&book.fluents).flat_map(|relation| {
        let whole = [&relation.chain, &relation.all].map(|p| (0, vec!["list".to_owned()], p));
        let groups = relation.group.iter().map(|(slot, p)| (*slot, kinds(&relation.pattern), p));
        whole.into_iter().chain(groups)
    });
    for (slot, kinds, phrasings) in objects.chain(relations) {
        for phrasing in phrasings.list.iter().filter(|phrasing| !after_colon(phrasing, slot)) {
            notes.push(format!(
                "{}:{}: \"{}\" puts a list into a sentence; names are told as \"a, b, c\", without an \"and\", so put a \
                 colon before them: \"These are the trucks: {{{{ list }}}}.\"",
                book.file,
                phrasings.line,
                shown(phrasing, &kinds)
            ));
        }
    }
    notes
}

/// Does a list stand behind a colon, or in brackets?
fn after_colon(phrasing: &Phrasing, slot: usize) -> bool {
    let mark = MARK.to_string();
    let mut text = String::new();
    phrasing.fill(&mut text, |number| if number == slot { &mark } else { "x" });
    text.split(MARK).next().is_some_and(|before| before.trim_end().ends_with([':', '(']))
}

/// Slots of one phrase, and those of another that are the same.
type SameSlots = Vec<(usize, usize)>;

/// Two fluents that are told as each other's denial: the entries, and which slot of the denied one is which of the other.
/// Other slots of the denied one stand for whatever there is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Denial {
    denied: usize,
    denying: usize,
    same: SameSlots,
    /// Their phrases.
    phrases: [String; 2],
}

/// The fluents of a package that are told as denials of each other, and which of them were met to be true at once.
pub(crate) struct Denials<'p> {
    package: &'p Package,
    all: Vec<Denial>,
    met: BTreeSet<usize>,
}

impl<'p> Denials<'p> {
    /// Finds the pairs.
    pub(crate) fn new(package: &'p Package) -> Denials<'p> {
        let fluents = &package.book.fluents;
        let mut all: Vec<Denial> = Vec::new();
        for (denied, one) in fluents.iter().enumerate() {
            for (denying, other) in fluents.iter().enumerate().filter(|(entry, _)| *entry != denied) {
                let found =
                    denial(one, other).map(|(same, phrases)| Denial { denied, denying, same, phrases });
                let known = |d: &Denial| all.iter().any(|k| k.denied == d.denying && k.denying == d.denied);
                let new: Vec<Denial> = found.filter(|denial| !known(denial)).into_iter().collect();
                all.extend(new);
            }
        }
        Denials { package, all, met: BTreeSet::new() }
    }

    /// Finds situations of a layout whose text would contradict itself; each pair of phrases is told once.
    pub(crate) fn look(&mut self, compiled: &CompiledLayout, level: i32, reached: &Reached) -> Vec<Fault> {
        let book = &self.package.book;
        let entry = |fluent: &Term| book.fluents.iter().position(|r| self.package.fits(&r.pattern, fluent));
        let entries: Vec<Option<usize>> = compiled.fluents.iter().map(entry).collect();
        let mut found = Vec::new();
        for (number, denial) in self.all.iter().enumerate() {
            if self.met.contains(&number) {
                continue;
            }
            let slots =
                |fluent: usize, entry: usize| book.fluents[entry].pattern.fillers(&compiled.fluents[fluent]);
            let clash = reached.all.iter().enumerate().find_map(|(place, (situation, _))| {
                let of = |entry: usize| -> Vec<usize> {
                    situation.iter().filter(|fluent| entries[*fluent] == Some(entry)).collect()
                };
                let all_denied = of(denial.denied);
                of(denial.denying).into_iter().find_map(|denying| {
                    let said = slots(denying, denial.denying);
                    let meant = |fluent: &&usize| {
                        let other = slots(**fluent, denial.denied);
                        denial.same.iter().all(|(one, two)| other.get(*one) == said.get(*two))
                    };
                    all_denied.iter().find(meant).map(|denied| (place, *denied, denying))
                })
            });
            let Some((place, denied, denying)) = clash else { continue };
            self.met.insert(number);
            let [one, other] = &denial.phrases;
            found.push(Fault::new(
                &book.file,
                book.fluents[denial.denying].each.line,
                format!(
                    "\"{other}\" denies \"{one}\", but `{}` and `{}` are both true at level N{level}{}",
                    compiled.fluents[denying],
                    compiled.fluents[denied],
                    story(compiled, reached, place)
                ),
                "correct the effects or the initial situations, or word one of them differently",
            ));
        }
        found
    }
}

/// Which slots of two fluents are the same where a phrase of the second denies one of the first, and the phrases.
fn denial(one: &RelationPhrases, other: &RelationPhrases) -> Option<(SameSlots, [String; 2])> {
    let (of_one, of_other) = (kinds(&one.pattern), kinds(&other.pattern));
    for phrase in &one.each.list {
        let said = Said::new(phrase, &of_one);
        for denying in &other.each.list {
            let denied = Said::new(denying, &of_other);
            if let Some(same) = aligned(&said, &denied).filter(|_| said.denied != denied.denied) {
                return Some((same, [shown(phrase, &of_one), shown(denying, &of_other)]));
            }
        }
    }
    None
}

/// The slots that two phrases share, where they have the same words; a slot of the first may be the type's name in the
/// second.
fn aligned(one: &Said, other: &Said) -> Option<SameSlots> {
    if one.words.len() != other.words.len() {
        return None;
    }
    let mut same = Vec::new();
    for pair in one.words.iter().zip(&other.words) {
        match pair {
            (PhraseWord::Slot(slot, kind), PhraseWord::Slot(of_other, of_kind)) if kind == of_kind => {
                same.push((*slot, *of_other));
            }
            (PhraseWord::Slot(_, kind), PhraseWord::Plain(word))
                if word == kind || *word == format!("{kind}s") => {}
            (PhraseWord::Plain(word), PhraseWord::Plain(of_other)) if word == of_other => {}
            _ => return None,
        }
    }
    Some(same)
}
