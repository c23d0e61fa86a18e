//! Sentences of a [`RuleVerbalizer`](crate::rules::questions::verbalizer) to what they say: facts, rules and questions,
//! with the words of the language for predicates, names for persons and letters for variables.

use std::sync::LazyLock;

use rustc_hash::FxHashSet as HashSet;

use crate::language::read::cuts::sequences;
use crate::language::read::forms::{Forms, Misread, only};
use crate::rules::questions::verbalizer::{LANGUAGE, Language};

/// Who or what an atom is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum ToldArg {
    /// Somebody, by name.
    Person(String),
    /// A variable, by the place of its letter.
    Letter(u32),
}

/// A predicate is known by its number of arguments and its words.
pub(crate) type ToldPredicate = (usize, String);

/// A clause.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ToldAtom {
    /// The predicate.
    pub(crate) predicate: ToldPredicate,
    /// Its arguments.
    pub(crate) args: Vec<ToldArg>,
}

impl ToldAtom {
    /// The persons, if there is no letter.
    pub(crate) fn persons(&self) -> Option<Vec<&str>> {
        let names = self.args.iter().map(|arg| match arg {
            ToldArg::Person(name) => Some(name.as_str()),
            ToldArg::Letter(_) => None,
        });
        names.collect()
    }
}

/// A rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ToldRule {
    /// What follows.
    pub(crate) head: ToldAtom,
    /// From what.
    pub(crate) body: Vec<ToldAtom>,
}

impl ToldRule {
    /// All atoms.
    pub(crate) fn atoms(&self) -> impl Iterator<Item = &ToldAtom> {
        std::iter::once(&self.head).chain(&self.body)
    }

    /// One more than the last letter.
    fn letters(&self) -> usize {
        let letter = |arg: &ToldArg| if let ToldArg::Letter(n) = arg { *n as usize + 1 } else { 0 };
        self.atoms().flat_map(|atom| &atom.args).map(letter).max().unwrap_or(0)
    }
}

/// How a clause is told: a person has a quality, and so on.
#[derive(Clone, Copy, Debug)]
enum ClauseKind {
    Quality,
    Relation,
    Transfer,
    List,
}

#[derive(Clone, Debug)]
enum RuleSentence {
    Lead,
    Rule,
    Closed,
}

#[derive(Clone, Debug, PartialEq)]
enum ToldRuleSentence {
    Lead(usize),
    Rule(ToldRule),
    Closed,
}

/// The language, turned round.
pub(crate) struct TellReader {
    language: &'static Language,
    persons: HashSet<&'static str>,
    seconds: HashSet<&'static str>,
    clauses: Forms<ClauseKind>,
    facts: Forms<()>,
    rules: Forms<RuleSentence>,
    questions: Forms<usize>,
}

static READER: LazyLock<Result<TellReader, String>> = LazyLock::new(|| {
    let language = LANGUAGE.as_ref().map_err(Clone::clone)?;
    Ok(TellReader::new(language))
});

const AND: &str = " and ";

impl TellReader {
    /// The reader of racgen's own language.
    ///
    /// # Errors
    /// A fault of the language's file, in words.
    pub(crate) fn own() -> Result<&'static TellReader, String> {
        READER.as_ref().map_err(Clone::clone)
    }

    fn new(language: &'static Language) -> TellReader {
        let mut clauses = Forms::default();
        let slots = [("{a}", 0), ("{b}", 1), ("{c}", 2), ("{word}", 3)];
        for (kind, text) in [
            (ClauseKind::Quality, "{a} is {word}"),
            (ClauseKind::Relation, "{a} {word} {b}"),
            (ClauseKind::Transfer, "{a} {word} {b} to {c}"),
            (ClauseKind::List, "{a} and {b} are listed in this order {word}"),
        ] {
            clauses.add_text(kind, text, &slots);
        }
        let mut facts = Forms::default();
        facts.add_text((), "{fact}.", &[("{fact}", 0)]);
        let mut rules = Forms::default();
        language.leads.iter().for_each(|form| rules.add_text(RuleSentence::Lead, form, &[("{letters}", 0)]));
        let parts = [("{head}", 0), ("{Head}", 0), ("{body}", 1)];
        language.rules.iter().for_each(|form| rules.add_text(RuleSentence::Rule, form, &parts));
        language.closed.iter().for_each(|form| rules.add_text(RuleSentence::Closed, form, &[]));
        let mut questions = Forms::default();
        for (number, form) in language.questions.iter().enumerate() {
            questions.add_text(number, form, &[("{fact}", 0)]);
        }
        let set = |words: &'static [String]| words.iter().map(String::as_str).collect();
        TellReader {
            language,
            persons: set(&language.persons),
            seconds: set(&language.seconds),
            clauses,
            facts,
            rules,
            questions,
        }
    }

    fn arg(&self, text: &str) -> Option<ToldArg> {
        if self.persons.contains(text) {
            return Some(ToldArg::Person(text.to_owned()));
        }
        let known = &self.language.letters;
        let beyond = || text.strip_prefix('X')?.parse().ok().filter(|n: &u32| *n as usize >= known.len());
        let place = known.iter().position(|letter| letter == text).map(|place| place as u32);
        place.or_else(beyond).map(ToldArg::Letter)
    }

    /// Somebody, and what tells the predicate from others.
    fn ending(&self, text: &str) -> Option<(ToldArg, &str)> {
        let end = text.find(' ').unwrap_or(text.len());
        let second = self.seconds.get(&text[end..])?;
        Some((self.arg(&text[..end])?, second))
    }

    /// A word of a list, perhaps with a second.
    fn is_word(&self, text: &str, words: &[String]) -> bool {
        let second =
            |word: &String| text.strip_prefix(word.as_str()).is_some_and(|s| self.seconds.contains(s));
        words.iter().any(second)
    }

    /// What a clause may say.
    fn atoms(&self, text: &str) -> Vec<ToldAtom> {
        let read = self.clauses.read(text).into_iter();
        let mut found: Vec<ToldAtom> =
            read.filter_map(|(kind, slots)| self.atom(kind, slots.as_slice())).collect();
        found.dedup();
        found
    }

    fn atom(&self, kind: ClauseKind, slots: &[&str]) -> Option<ToldAtom> {
        let slot = |number: usize| slots.get(number).copied().unwrap_or_default();
        let (words, args) = match kind {
            ClauseKind::Quality => {
                let known = self.is_word(slot(3), &self.language.qualities);
                (known.then(|| slot(3).to_owned())?, vec![self.arg(slot(0))?])
            }
            ClauseKind::Relation => {
                let (last, second) = self.ending(slot(1))?;
                let known = self.language.relations.iter().any(|word| word == slot(3));
                (known.then(|| format!("{}{second}", slot(3)))?, vec![self.arg(slot(0))?, last])
            }
            ClauseKind::Transfer => {
                let (last, second) = self.ending(slot(2))?;
                let known = self.language.transfers.iter().any(|word| word == slot(3));
                let args = vec![self.arg(slot(0))?, self.arg(slot(1))?, last];
                (known.then(|| format!("{}{second}", slot(3)))?, args)
            }
            ClauseKind::List => {
                let known = self.is_word(slot(3), &self.language.lists);
                let front: Option<Vec<ToldArg>> = slot(0).split(", ").map(|name| self.arg(name)).collect();
                let args = [front?, vec![self.arg(slot(1))?]].concat();
                (known.then(|| slot(3).to_owned()).filter(|_| args.len() > 3)?, args)
            }
        };
        Some(ToldAtom { predicate: (args.len(), words), args })
    }

    /// All ways to read clauses with `and` between them, two at most.
    fn body(&self, text: &str) -> Vec<Vec<ToldAtom>> {
        let mut ends: Vec<usize> = text.match_indices(AND).map(|(at, _)| at).collect();
        let mut starts = vec![0];
        starts.extend(ends.iter().map(|end| end + AND.len()));
        ends.push(text.len());
        let look_up = |start: usize, end: usize| self.atoms(&text[start..end]);
        sequences(&starts, &ends, text.len(), AND.len(), text.len(), look_up)
    }

    /// The facts that a paragraph states.
    pub(crate) fn facts(&self, text: &str) -> Result<Vec<ToldAtom>, Misread> {
        let read = |(): &(), slots: &[&str]| {
            let mut found = self.atoms(slots[0]);
            found.retain(|atom| atom.persons().is_some());
            found
        };
        only(self.facts.paragraph(text, 0, read).map_err(Misread::Obstacle)?)
    }

    /// The rules that a paragraph states, between what the letters are and that all else is false.
    pub(crate) fn rules(&self, text: &str) -> Result<Vec<ToldRule>, Misread> {
        let letters = &self.language.letters;
        let read = |says: &RuleSentence, slots: &[&str]| -> Vec<ToldRuleSentence> {
            match says {
                RuleSentence::Lead => {
                    let lead = (0..=letters.len()).filter(|n| letters[..*n].join(", ") == slots[0]);
                    lead.map(ToldRuleSentence::Lead).collect()
                }
                RuleSentence::Closed => vec![ToldRuleSentence::Closed],
                RuleSentence::Rule => {
                    let bodies = self.body(slots[1]);
                    let with = |head: ToldAtom| {
                        let rule = move |body: &Vec<ToldAtom>| {
                            ToldRuleSentence::Rule(ToldRule { head: head.clone(), body: body.clone() })
                        };
                        bodies.iter().map(rule).collect::<Vec<_>>()
                    };
                    self.atoms(slots[0]).into_iter().flat_map(with).collect()
                }
            }
        };
        let told = only(self.rules.paragraph(text, 0, read).map_err(Misread::Obstacle)?)?;
        let [ToldRuleSentence::Lead(lead), rules @ .., ToldRuleSentence::Closed] = told.as_slice() else {
            let cause = "the rules do not begin with what the letters are and end with what is false";
            return Err(Misread::Differs(cause.into()));
        };
        let one = |told: &ToldRuleSentence| {
            if let ToldRuleSentence::Rule(rule) = told { Some(rule.clone()) } else { None }
        };
        let found: Option<Vec<ToldRule>> = rules.iter().map(one).collect();
        let Some(found) = found else {
            return Err(Misread::Differs("between the rules stands what is none".into()));
        };
        let used = found.iter().map(ToldRule::letters).max().unwrap_or(0).min(letters.len());
        if used != *lead {
            return Err(Misread::Differs(format!("the rules use {used} letters, and {lead} are explained")));
        }
        Ok(found)
    }

    /// The fact that is asked about, and the number of the phrasing.
    pub(crate) fn question(&self, text: &str) -> Result<(ToldAtom, usize), Misread> {
        let mut found: Vec<(ToldAtom, usize)> = Vec::new();
        for (number, slots) in self.questions.read(text) {
            let atoms = self.atoms(slots[0]).into_iter().filter(|atom| atom.persons().is_some());
            found.extend(atoms.map(|atom| (atom, number)));
        }
        only(found)
    }
}
