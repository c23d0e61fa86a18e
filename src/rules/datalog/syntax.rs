//! Names to numbers and back: vocabularies, atoms, rules and facts of Datalog.
//!
//! A predicate has one arity. Within a rule, variables are numbered; their names are of no consequence.

use std::fmt::Write;
use std::sync::Arc;

use rustc_hash::FxHashMap as HashMap;

/// An argument of an atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Arg {
    /// A variable, numbered within its rule.
    Variable(u32),
    /// A constant, numbered by a [`Vocabulary`].
    Constant(u32),
}

/// A predicate and its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Atom {
    /// The predicate's number.
    pub predicate: u32,
    /// As many as the predicate's arity.
    pub args: Vec<Arg>,
}

impl Atom {
    /// The variables, from left to right, with repetitions.
    pub fn variables(&self) -> impl Iterator<Item = u32> {
        self.args.iter().filter_map(|arg| match arg {
            Arg::Variable(variable) => Some(*variable),
            Arg::Constant(_) => None,
        })
    }
}

/// `head :- body`; without a body, a fact that the rules bring along.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rule {
    /// What follows.
    pub head: Atom,
    /// All of what it takes.
    pub body: Vec<Atom>,
}

impl Rule {
    /// The number of variables, if they are numbered without gaps.
    pub fn variables(&self) -> usize {
        let all = std::iter::once(&self.head).chain(&self.body).flat_map(Atom::variables);
        all.max().map_or(0, |highest| highest as usize + 1)
    }

    /// Does the head's predicate occur in the body?
    pub fn is_recursive(&self) -> bool {
        self.body.iter().any(|atom| atom.predicate == self.head.predicate)
    }
}

/// A ground atom.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fact {
    /// The predicate's number.
    pub predicate: u32,
    /// The constants' numbers.
    pub args: Box<[u32]>,
}

#[derive(Clone, Debug, Default)]
struct SymbolTable {
    numbers: HashMap<Arc<str>, u32>,
    names: Vec<Arc<str>>,
}

impl SymbolTable {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let name: Arc<str> = name.into();
        let number = self.names.len() as u32;
        self.names.push(name.clone());
        self.numbers.insert(name, number);
        number
    }
}

/// The predicates and constants that texts were read with, or are to be written with.
///
/// ```
/// use racgen::rules::datalog::reader::{Syntax, read_rules};
/// use racgen::rules::datalog::syntax::Vocabulary;
/// let mut vocabulary = Vocabulary::default();
/// let read = read_rules("p(A,B) :- q(B,_), r(A, B).", "a.pl", Syntax::Auto, &mut vocabulary).unwrap();
/// assert_eq!(vocabulary.rule(&read[0].rule), "p(X0,X1) :- q(X1,X2),r(X0,X1).");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    predicates: SymbolTable,
    arities: Vec<usize>,
    constants: SymbolTable,
}

impl Vocabulary {
    /// The number of a predicate.
    ///
    /// # Errors
    /// The arity that the predicate has, if it is another one.
    pub fn predicate(&mut self, name: &str, arity: usize) -> Result<u32, usize> {
        let number = self.predicates.number(name);
        if number as usize == self.arities.len() {
            self.arities.push(arity);
        }
        let known = self.arities[number as usize];
        if known == arity { Ok(number) } else { Err(known) }
    }

    /// The number of a constant.
    pub fn constant(&mut self, name: &str) -> u32 {
        self.constants.number(name)
    }

    /// The number of a predicate that is known already.
    pub fn known_predicate(&self, name: &str) -> Option<u32> {
        self.predicates.numbers.get(name).copied()
    }

    /// How many predicates there are.
    pub fn predicates(&self) -> usize {
        self.arities.len()
    }

    /// How many constants there are.
    pub fn constants(&self) -> usize {
        self.constants.names.len()
    }

    /// The arity of a predicate.
    pub fn arity(&self, predicate: u32) -> usize {
        self.arities[predicate as usize]
    }

    /// The arities of all predicates.
    pub fn arities(&self) -> &[usize] {
        &self.arities
    }

    /// The name of a predicate.
    pub fn predicate_name(&self, predicate: u32) -> &str {
        &self.predicates.names[predicate as usize]
    }

    /// The name of a constant.
    pub fn constant_name(&self, constant: u32) -> &str {
        &self.constants.names[constant as usize]
    }

    /// Appends `p(a,b)`; names that are no plain words are quoted.
    pub fn write_fact(&self, fact: &Fact, out: &mut String) {
        quote_predicate(self.predicate_name(fact.predicate), out);
        for (i, constant) in fact.args.iter().enumerate() {
            out.push(if i == 0 { '(' } else { ',' });
            quote(self.constant_name(*constant), out);
        }
        if !fact.args.is_empty() {
            out.push(')');
        }
    }

    /// `p(a,b)`.
    pub fn fact(&self, fact: &Fact) -> String {
        let mut out = String::new();
        self.write_fact(fact, &mut out);
        out
    }

    /// `p(X0,b)`; variable 0 is `X0`.
    pub fn atom(&self, atom: &Atom) -> String {
        let mut out = String::new();
        quote_predicate(self.predicate_name(atom.predicate), &mut out);
        for (i, arg) in atom.args.iter().enumerate() {
            out.push(if i == 0 { '(' } else { ',' });
            match arg {
                Arg::Variable(variable) => _ = write!(out, "X{variable}"),
                Arg::Constant(constant) => quote(self.constant_name(*constant), &mut out),
            }
        }
        if !atom.args.is_empty() {
            out.push(')');
        }
        out
    }

    /// `p(X0,X1) :- q(X0,X2),r(X2,X1).`
    pub fn rule(&self, rule: &Rule) -> String {
        let body: Vec<String> = rule.body.iter().map(|atom| self.atom(atom)).collect();
        let arrow = if body.is_empty() { "" } else { " :- " };
        format!("{}{arrow}{}.", self.atom(&rule.head), body.join(","))
    }
}

/// Appends a predicate's name: as [`quote`], and what would be read as a number or as truth in quotes, too.
fn quote_predicate(name: &str, out: &mut String) {
    if name == "true" || name.starts_with(|c: char| c.is_ascii_digit()) {
        quoted(name, out);
    } else {
        quote(name, out);
    }
}

/// Appends a name, in single quotes unless it is a word that begins with a small letter, or a whole number.
fn quote(name: &str, out: &mut String) {
    let word = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let number = !name.is_empty() && name.len() < 10 && name.bytes().all(|b| b.is_ascii_digit());
    if word && name != "not" || number {
        out.push_str(name);
    } else {
        quoted(name, out);
    }
}

fn quoted(name: &str, out: &mut String) {
    out.push('\'');
    for c in name.chars() {
        match c {
            '\'' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            _ => out.push(c),
        }
    }
    out.push('\'');
}
