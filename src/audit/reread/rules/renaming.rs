//! Words and predicates to which of them are one: by the rules of the data set, and by the facts.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap as HashMap;

use crate::audit::reread::verdict::{Finding, broken};
use crate::rules::datalog::reader::{Syntax, read_rules};
use crate::rules::datalog::syntax::{Arg, Atom, Rule, Vocabulary};
use crate::rules::questions::reader::{ToldArg, ToldAtom, ToldPredicate, ToldRule};

/// Pairs of rules that are tried until words and predicates fit.
const MOST_TRIED: usize = 200_000;

/// An argument of a rule, whatever its variables are called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ClausePlace {
    /// Variables are numbered as they come, in the head and then in the body.
    Variable(usize),
    /// A constant, by its id.
    Constant(String),
}

/// A rule over predicates of some kind, its atoms in their order, the head first.
pub(crate) type StoryForm<P> = Vec<(P, Vec<ClausePlace>)>;

/// Which predicate the words stand for.
pub(crate) type WordRenaming = BTreeMap<ToldPredicate, String>;

/// Facts by their predicates, as lists of ids.
pub(crate) type Relations<P> = BTreeMap<P, BTreeSet<Vec<String>>>;

/// The rules of the data set.
pub(crate) struct Original {
    pub(crate) forms: Vec<StoryForm<String>>,
    /// As they stand in the keys of worlds.
    pub(crate) text: String,
}

/// Words and predicates that fit each other in rules, in facts and in what is asked about; none if nothing fits. `hint` is
/// tried first.
pub(crate) fn renaming(
    (originals, rules): (&[StoryForm<String>], &[StoryForm<ToldPredicate>]),
    (told, given): (&Relations<ToldPredicate>, &Relations<(String, usize)>),
    hint: &WordRenaming,
    (asked, name): (&ToldPredicate, &str),
) -> Option<WordRenaming> {
    if rules.len() != originals.len() {
        return None;
    }
    let (used, found) = (vec![false; originals.len()], WordRenaming::new());
    let mut search = BijectionSearch { told, given, originals, rules, used, found, hint, tried: 0 };
    let fits = search.pair(asked, name) && search.go(0);
    fits.then_some(search.found)
}

/// Looks for a renaming, rule by rule and then by facts.
struct BijectionSearch<'s> {
    told: &'s Relations<ToldPredicate>,
    given: &'s Relations<(String, usize)>,
    originals: &'s [StoryForm<String>],
    rules: &'s [StoryForm<ToldPredicate>],
    used: Vec<bool>,
    found: WordRenaming,
    hint: &'s WordRenaming,
    tried: usize,
}

impl BijectionSearch<'_> {
    /// Takes it that the words stand for the predicate; false if they cannot.
    fn pair(&mut self, words: &ToldPredicate, name: &str) -> bool {
        if let Some(known) = self.found.get(words) {
            return known == name;
        }
        let taken = self.found.iter().any(|(other, known)| known == name && other != words);
        let told = self.told.get(words);
        let fits = !taken && told == self.given.get(&(name.to_owned(), words.0));
        if fits {
            self.found.insert(words.clone(), name.to_owned());
        }
        fits
    }

    fn go(&mut self, number: usize) -> bool {
        let Some(rule) = self.rules.get(number) else { return self.facts() };
        let unlike = |form: &StoryForm<String>| {
            !rule
                .iter()
                .zip(form)
                .all(|(told, own)| self.hint.get(&told.0).is_some_and(|name| *name == own.0))
        };
        let mut order: Vec<usize> = (0..self.originals.len()).filter(|n| !self.used[*n]).collect();
        order.sort_by_key(|n| unlike(&self.originals[*n]));
        for choice in order {
            self.tried += 1;
            if self.tried > MOST_TRIED {
                return false;
            }
            let before = self.found.clone();
            let form = &self.originals[choice];
            let alike = form.len() == rule.len() && form.iter().zip(rule).all(|(a, b)| a.1 == b.1);
            if alike && rule.iter().zip(form).all(|((words, _), (name, _))| self.pair(words, name)) {
                self.used[choice] = true;
                if self.go(number + 1) {
                    return true;
                }
                self.used[choice] = false;
            }
            self.found = before;
        }
        false
    }

    /// Words of facts that no rule has go to predicates with the same facts; those are alike, so that any will do.
    fn facts(&mut self) -> bool {
        let (all, given) = (self.told, self.given);
        for (words, facts) in all {
            if self.found.contains_key(words) {
                continue;
            }
            let names = given.iter().filter(|((_, arity), given)| *arity == words.0 && *given == facts);
            let names: Vec<&String> = names.map(|((name, _), _)| name).collect();
            if !names.into_iter().any(|name| self.pair(words, name)) {
                return false;
            }
        }
        all.len() == given.len()
    }
}

/// The arguments of atoms, variables numbered as they come.
fn places<A>(atoms: &[&[A]], read: impl Fn(&A) -> Result<u32, String>) -> Vec<Vec<ClausePlace>> {
    let mut met: Vec<u32> = Vec::new();
    let mut place = |arg: &A| match read(arg) {
        Ok(variable) => {
            let known = met.iter().position(|other| *other == variable);
            ClausePlace::Variable(known.unwrap_or_else(|| {
                met.push(variable);
                met.len() - 1
            }))
        }
        Err(constant) => ClausePlace::Constant(constant),
    };
    atoms.iter().map(|args| args.iter().map(&mut place).collect()).collect()
}

impl Original {
    /// Reads the file `rules.txt` of a data set.
    ///
    /// # Errors
    /// A file that is no rules.
    pub(crate) fn new(file: &str, text: &str) -> Result<Original, Finding> {
        let mut vocabulary = Vocabulary::default();
        let read = read_rules(text, file, Syntax::Prolog, &mut vocabulary);
        let rules: Vec<Rule> = match read {
            Ok(read) => read.into_iter().map(|read| read.rule).collect(),
            Err(fault) => return Err(broken(fault.to_string())),
        };
        // Constants are numbered anew, as the bodies name them.
        let mut known: Vec<u32> = Vec::new();
        for arg in rules.iter().flat_map(|rule| &rule.body).flat_map(|atom| &atom.args) {
            if let Arg::Constant(constant) = arg
                && !known.contains(constant)
            {
                known.push(*constant);
            }
        }
        let id = |constant: u32| {
            let place = known.iter().position(|other| *other == constant);
            place.map_or_else(|| vocabulary.constant_name(constant).to_owned(), |place| format!("c{place}"))
        };
        let form = |rule: &Rule| {
            let atoms: Vec<&Atom> = std::iter::once(&rule.head).chain(&rule.body).collect();
            let args: Vec<&[Arg]> = atoms.iter().map(|atom| atom.args.as_slice()).collect();
            let places = places(&args, |arg| match arg {
                Arg::Variable(variable) => Ok(*variable),
                Arg::Constant(constant) => Err(id(*constant)),
            });
            let name = |atom: &&Atom| vocabulary.predicate_name(atom.predicate).to_owned();
            atoms.iter().map(name).zip(places).collect()
        };
        let ids: HashMap<String, String> =
            known.iter().map(|c| (vocabulary.constant_name(*c).to_owned(), id(*c))).collect();
        let lines: Vec<String> =
            text.lines().filter(|line| !line.is_empty()).map(|line| renumbered(line, &ids)).collect();
        Ok(Original { forms: rules.iter().map(form).collect(), text: lines.join("\n") })
    }
}

/// A rule with other constants.
fn renumbered(line: &str, ids: &HashMap<String, String>) -> String {
    let mut out = String::new();
    let mut rest = line;
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    while let Some(first) = rest.chars().next() {
        let end = match is_word(first) {
            true => rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (word, after) = rest.split_at(end);
        // A predicate stands before its arguments.
        let constant = ids.get(word).filter(|_| !after.starts_with('('));
        out.push_str(constant.map_or(word, |id| id));
        rest = after;
    }
    out
}

/// The rules over words, with the ids of persons.
pub(crate) fn forms(rules: &[ToldRule], ids: &BTreeMap<String, String>) -> Vec<StoryForm<ToldPredicate>> {
    let form = |rule: &ToldRule| {
        let atoms: Vec<&ToldAtom> = rule.atoms().collect();
        let args: Vec<&[ToldArg]> = atoms.iter().map(|atom| atom.args.as_slice()).collect();
        let places = places(&args, |arg| match arg {
            ToldArg::Letter(letter) => Ok(*letter),
            ToldArg::Person(name) => Err(ids.get(name).cloned().unwrap_or_default()),
        });
        atoms.iter().map(|atom| atom.predicate.clone()).zip(places).collect()
    };
    rules.iter().map(form).collect()
}
