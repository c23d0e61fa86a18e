//! The programs of a package to what they derive that nothing reads, and to what they name that there is not.
//!
//! clingo takes a misspelt name for a name of its own: a rule for `hold(...)` changes nothing, and a body with
//! `occ(pres(S),T)` never holds. Both are found by form: what a program derives and reads stands in its text, and which
//! fluents and actions there are is known from layouts.

use std::collections::{BTreeMap, BTreeSet};

use racgen_logic::clingo::Source;
use racgen_logic::fault::{Fault, Faults};
use racgen_logic::statements::{Statement, Token, TokenKind, WrittenAtom, arguments, statements};
use racgen_logic::term::Term;

use crate::domain::embedded::axioms;
use crate::domain::package::Package;
use crate::simulate::transitions::compiled_layout::CompiledLayout;

/// The axioms, which read what packages derive.
const AXIOMS: [&str; 4] = ["kernel.lp", "open.lp", "closed.lp", "ask.lp"];
/// What is read off answer sets, not by rules.
const SHOWN: [(&str, usize); 11] = [
    ("fluent", 1),
    ("action", 1),
    ("executable", 2),
    ("holds", 2),
    ("occ", 2),
    ("outcome", 2),
    ("ask", 2),
    ("answer", 2),
    ("trivial", 1),
    ("seek", 1),
    ("goal", 2),
];

/// Terms within terms that are looked at.
const DEEPEST: usize = 20;

/// What an argument of an atom names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Named {
    Fluent,
    Action,
    Outcome,
}

impl Named {
    fn word(self) -> &'static str {
        match self {
            Named::Fluent => "fluent",
            Named::Action => "action",
            Named::Outcome => "outcome",
        }
    }
}

/// Whose first argument names what.
const NAMING: [(&str, usize, Named); 11] = [
    ("holds", 2, Named::Fluent),
    ("now", 1, Named::Fluent),
    ("next", 1, Named::Fluent),
    ("goal", 2, Named::Fluent),
    ("defined", 1, Named::Fluent),
    ("occ", 2, Named::Action),
    ("executable", 2, Named::Action),
    ("outcome", 2, Named::Action),
    ("comes", 2, Named::Outcome),
    ("can", 1, Named::Action),
    ("suppose", 1, Named::Action),
];

/// A term as a rule writes it: what a ground term must be to be meant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum TermForm {
    /// A variable, or something that is worked out.
    Any,
    Number(i32),
    Of(String, Vec<TermForm>),
}

impl TermForm {
    /// Of a term within so many others, any will do.
    fn read(tokens: &[Token], text: &str, depth: usize) -> TermForm {
        match tokens {
            _ if depth > DEEPEST => TermForm::Any,
            [only] if only.kind == TokenKind::Number => {
                only.text(text).parse().map_or(TermForm::Any, TermForm::Number)
            }
            [only] if only.kind == TokenKind::Name => TermForm::Of(only.text(text).to_owned(), Vec::new()),
            [name, open, inner @ .., close]
                if name.kind == TokenKind::Name && open.text(text) == "(" && close.text(text) == ")" =>
            {
                // Pools and operations beside the parentheses are none of one term.
                let args = arguments(inner, text);
                if args.iter().any(|arg| arg.iter().any(|t| t.text(text) == ";")) || !balanced(inner, text) {
                    return TermForm::Any;
                }
                let args = args.into_iter().map(|arg| TermForm::read(arg, text, depth + 1)).collect();
                TermForm::Of(name.text(text).to_owned(), args)
            }
            _ => TermForm::Any,
        }
    }

    /// May the term be meant? Names of parameters stand for numbers.
    fn fits(&self, term: &Term, constants: &BTreeSet<String>) -> bool {
        match self {
            TermForm::Any => true,
            TermForm::Number(number) => *term == Term::Number(*number),
            TermForm::Of(name, args) if args.is_empty() && constants.contains(name.as_str()) => true,
            TermForm::Of(name, args) => {
                term.is(name, args.len())
                    && args.iter().zip(term.args()).all(|(form, arg)| form.fits(arg, constants))
            }
        }
    }
}

/// Do the parentheses close each other, none of them before it was opened?
fn balanced(tokens: &[Token], text: &str) -> bool {
    let mut depth = 0i32;
    for token in tokens.iter().filter(|token| token.kind == TokenKind::Sign) {
        depth += match token.text(text) {
            "(" => 1,
            ")" => -1,
            _ => 0,
        };
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

/// Where a program names a fluent or an action.
struct NamedTerm {
    what: Named,
    form: TermForm,
    /// As it is written.
    written: String,
    place: (String, usize),
    met: bool,
}

/// What the programs of a package name, and which of it was met in layouts.
pub(crate) struct ProgramNames {
    /// What is derived and not read, until it is told.
    unread: Faults,
    naming: Vec<NamedTerm>,
    /// Constants that stand for something else: parameters, and what `#const` names.
    constants: BTreeSet<String>,
    known: BTreeMap<Named, BTreeSet<(String, usize)>>,
}

/// The text of a program and its statements.
struct Read<'p> {
    source: &'p Source,
    statements: Vec<Statement>,
}

impl ProgramNames {
    /// What stands in the programs.
    pub(crate) fn new(package: &Package) -> ProgramNames {
        let own = [&package.domain, &package.world, &package.questions];
        let own: Vec<Read> =
            own.into_iter().map(|source| Read { source, statements: statements(&source.text) }).collect();
        let mut unread = Faults::default();
        find_unread(package, &own, &mut unread);
        let naming = own.iter().flat_map(Read::namings).collect();
        let parameters = package.levels.values().flatten().map(|(name, _)| name.clone());
        let shared = ["n", "max_count"].map(str::to_owned);
        let constants = parameters.chain(shared).chain(own.iter().flat_map(Read::constants)).collect();
        ProgramNames { unread, naming, constants, known: BTreeMap::new() }
    }

    /// Notes what a layout has of what is named. What nothing reads is told now that the programs are known to be such:
    /// of a text with a missing full stop, form tells little.
    pub(crate) fn look(&mut self, engine: &CompiledLayout, faults: &mut Faults) {
        faults.extend(std::mem::take(&mut self.unread));
        let constants = &self.constants;
        for naming in self.naming.iter_mut().filter(|naming| !naming.met) {
            let terms = match naming.what {
                Named::Fluent => &engine.fluents,
                Named::Action => &engine.actions,
                Named::Outcome => &engine.deeds.outcomes,
            };
            naming.met = terms.iter().any(|term| naming.form.fits(term, constants));
        }
        let outcomes = (Named::Outcome, &engine.deeds.outcomes);
        for (what, terms) in [(Named::Fluent, &engine.fluents), (Named::Action, &engine.actions), outcomes] {
            let known = self.known.entry(what).or_default();
            known.extend(terms.iter().map(|term| (term.functor().to_owned(), term.args().len())));
        }
    }

    /// What no layout looked at has; others may.
    pub(crate) fn doubts(&self, faults: &mut Faults) {
        for naming in self.naming.iter().filter(|naming| !naming.met) {
            let what = naming.what.word();
            let (file, line) = &naming.place;
            let same = || self.known.get(&naming.what).into_iter().flatten();
            let near = match &naming.form {
                TermForm::Of(name, _) => nearest(name, same().map(|(name, _)| name.as_str())),
                _ => None,
            };
            let remedy = match near {
                Some(near) => format!("correct it: is `{near}` meant?"),
                None => {
                    format!(
                        "correct it; the {what}s are {}",
                        same().map(written).collect::<Vec<_>>().join(", ")
                    )
                }
            };
            let cause = format!("`{}` is no {what} at any level, so that this never holds", naming.written);
            faults.push_once(Fault::new(file, *line, cause, remedy));
        }
    }
}

impl Read<'_> {
    fn text(&self) -> &str {
        &self.source.text
    }

    /// What it names by `#const`.
    fn constants(&self) -> Vec<String> {
        let text = self.text();
        let named = self.statements.iter().filter(|s| s.directive(text) == Some("#const"));
        named.filter_map(|s| Some(s.tokens.get(1)?.text(text).to_owned())).collect()
    }

    /// Where it names fluents and actions.
    fn namings(&self) -> Vec<NamedTerm> {
        let text = self.text();
        let mut found = Vec::new();
        for statement in &self.statements {
            let all = statement.derives(text).into_iter().chain(statement.reads(text));
            found.extend(all.filter_map(|atom| self.naming(&atom)));
        }
        found
    }

    fn naming(&self, atom: &WrittenAtom) -> Option<NamedTerm> {
        let text = self.text();
        let (_, _, what) =
            NAMING.into_iter().find(|(name, arity, _)| *name == atom.name && *arity == atom.args.len())?;
        let mut tokens = *atom.args.first()?;
        // `neg(F)` is the negation of the fluent F.
        if let [neg, open, inner @ .., close] = tokens
            && what == Named::Fluent
            && [neg, open, close].map(|token| token.text(text)) == ["neg", "(", ")"]
            && balanced(inner, text)
        {
            tokens = inner;
        }
        let (first, last) = (tokens.first()?, tokens.last()?);
        let form = TermForm::read(tokens, text, 0);
        let written = text[first.place.start..last.place.end].to_owned();
        let place = (self.source.name.to_string(), first.line);
        let met = form == TermForm::Any;
        Some(NamedTerm { what, form, written, place, met })
    }
}

/// Predicates that are derived, and that neither rule, axiom nor racgen reads.
fn find_unread(package: &Package, own: &[Read], faults: &mut Faults) {
    let shared: Vec<Source> = AXIOMS.into_iter().map(axioms).chain([package.automatic.clone()]).collect();
    let mut read: BTreeSet<(String, usize)> =
        SHOWN.into_iter().map(|(name, arity)| (name.to_owned(), arity)).collect();
    read.extend(package.statics.iter().cloned());
    let mut add = |text: &str, all: &[Statement]| {
        let atoms = all.iter().flat_map(|statement| statement.reads(text));
        read.extend(atoms.map(|atom| (atom.name.to_owned(), atom.args.len())));
    };
    shared.iter().for_each(|source| add(&source.text, &statements(&source.text)));
    own.iter().for_each(|program| add(program.text(), &program.statements));
    let mut told = BTreeSet::new();
    for program in own {
        for statement in &program.statements {
            for atom in statement.derives(program.text()) {
                let predicate = (atom.name.to_owned(), atom.args.len());
                if read.contains(&predicate) || !told.insert(predicate.clone()) {
                    continue;
                }
                let name = written(&predicate);
                let near = nearest(atom.name, read.iter().map(|(name, _)| name.as_str()));
                let remedy = match near {
                    Some(near) if near == atom.name => {
                        let other = read.iter().filter(|(name, _)| name == near).map(written);
                        format!("write it as {}, or delete the rule", other.collect::<Vec<_>>().join(" or "))
                    }
                    Some(near) => format!("correct it: is `{near}` meant? Or delete the rule"),
                    None => "correct its name, read it in a rule, or delete the rule".to_owned(),
                };
                faults.push(Fault::new(
                    &program.source.name,
                    atom.line,
                    format!("`{name}` is derived, and nothing reads it"),
                    remedy,
                ));
            }
        }
    }
}

fn written((name, arity): &(String, usize)) -> String {
    format!("{name}/{arity}")
}

/// The name that differs least, where that is little enough to be a slip.
fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let most = if name.chars().count() <= 4 { 1 } else { 2 };
    let near = known.map(|other| (distance(name, other), other)).filter(|(distance, _)| *distance <= most);
    near.min().map(|(_, other)| other)
}

/// How many letters must be changed, added or left out to make one word of the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = before + usize::from(x != *y);
            before = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_near() {
        let known = ["holds", "occ", "executable", "at"];
        let near = |name| nearest(name, known.into_iter());
        assert_eq!(near("hold"), Some("holds"));
        assert_eq!(near("executeable"), Some("executable"));
        assert_eq!(near("helper"), None);
        assert_eq!(near("on"), None);
    }
}
