//! A learned program to rules for clingo about one triple of a task.
//!
//! What is exported for other systems names the triple in each atom, has relations `KIND_is_C` for constants and `not_p`
//! for negation; programs learned from it use these, and are run as they are: the triple at hand has a name of its own.
//! A clause of Prolog's that clingo would call unsafe has what its head may be asked for in the place of what nothing
//! binds. A variable that only a negation has means that there is none.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use racgen_logic::fault::Fault;

use crate::games::gdl::flatten::Flat;
use crate::games::learned::clauses::{
    LearnedAtom, LearnedClause, LearnedLiteral, LearnedStatement, LearnedTerm, statements,
};
use crate::games::learned::log::program_of_log;
use crate::games::learned::respell::to_asp;
use crate::games::tasks::reference::{for_prolog, plain, spell, spell_argument};

/// The name of the triple that a program is run on; no constant of a task has it.
pub const TRIPLE: &str = "racgen_triple";
/// Relations that a program may be given besides those of the task; no relation of a task has these names.
const ANYTHING: &str = "racgen_anything";
const ASKED: &str = "racgen_asked";
const SOME: &str = "racgen_some";

/// A relation: name and number of arguments.
type RelationSign = (String, usize);

/// Who is to read a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// clingo: each variable must be bound.
    Asp,
    /// Prolog, or the log of a learner.
    Prolog,
}

/// What a task says of its relations.
#[derive(Clone, Debug, Default)]
pub struct TaskRelations {
    /// The relations to be derived, with the constants of each argument.
    asked: BTreeMap<RelationSign, Vec<BTreeSet<String>>>,
    /// Relations of statics and backgrounds, by the names that clingo and Prolog know.
    given: BTreeSet<RelationSign>,
    /// All constants.
    constants: BTreeSet<String>,
}

/// A program that clingo takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LearnedProgram {
    /// The rules, each on the line that it had.
    pub rules: String,
    /// Facts and rules that they need besides.
    pub beside: String,
    /// Background atoms are wanted as they are.
    pub bare: bool,
    /// Background atoms are wanted with the triple's name before their arguments.
    pub named: bool,
    /// What a person should know.
    pub notes: Vec<String>,
}

impl TaskRelations {
    /// The relations of a task: atoms to be derived, and atoms given.
    pub fn new<'a>(
        asked: impl Iterator<Item = &'a Flat>,
        given: impl Iterator<Item = &'a Flat>,
    ) -> TaskRelations {
        let mut task = TaskRelations::default();
        for atom in asked {
            let arity = atom.arguments.len();
            let columns =
                task.asked.entry((plain(&atom.name), arity)).or_insert_with(|| vec![BTreeSet::new(); arity]);
            for (column, argument) in columns.iter_mut().zip(&atom.arguments) {
                let constant = spell_argument(argument);
                task.constants.insert(constant.clone());
                column.insert(constant);
            }
        }
        for atom in given {
            task.given.insert((plain(&atom.name), atom.arguments.len()));
            task.given.insert((for_prolog(&atom.name), atom.arguments.len()));
            task.constants.extend(atom.arguments.iter().map(|a| spell_argument(a)));
        }
        task
    }

    /// Is the relation known, perhaps with the triple's name for first argument?
    fn knows(&self, (name, arity): &RelationSign, named: bool) -> bool {
        let has = |arity: usize| {
            let signature = (name.clone(), arity);
            self.asked.contains_key(&signature) || self.given.contains(&signature)
        };
        has(*arity) || (named && arity.checked_sub(1).is_some_and(has))
    }

    /// The constant that a relation `KIND_is_C` holds of: the longest that the task knows.
    fn constant_of(&self, name: &str) -> Option<String> {
        let ends = name.match_indices("_is_").map(|(at, sign)| &name[at + sign.len()..]);
        let constants: Vec<String> = ends
            .filter(|end| !end.is_empty())
            .map(|end| end.strip_prefix("minus_").map_or_else(|| end.to_owned(), |n| format!("-{n}")))
            .collect();
        constants.iter().find(|c| self.constants.contains(*c)).or(constants.last()).cloned()
    }
}

fn signature(atom: &LearnedAtom) -> RelationSign {
    (atom.name.clone(), atom.arguments.len())
}

/// Makes a learned program one for clingo.
///
/// # Errors
/// Relations that neither the task nor the program knows, with file and line.
pub fn program_for(
    text: &str,
    file: &str,
    dialect: Dialect,
    task: &TaskRelations,
) -> Result<LearnedProgram, Fault> {
    let text = match dialect {
        Dialect::Prolog => program_of_log(text),
        Dialect::Asp => text.to_owned(),
    };
    let placed = statements(&text);
    let mut heads: BTreeSet<RelationSign> = BTreeSet::new();
    let mut declared: BTreeSet<RelationSign> = BTreeSet::new();
    let mut others = false;
    for statement in &placed {
        match &statement.statement {
            LearnedStatement::Clause(clause) => _ = heads.insert(signature(&clause.head)),
            LearnedStatement::Declared(list) => declared.extend(list.iter().cloned()),
            LearnedStatement::Other => others = true,
            LearnedStatement::Directive => {}
        }
    }
    let bare = |s: &RelationSign| task.asked.contains_key(s);
    let named = |s: &RelationSign| s.1 > 0 && task.asked.contains_key(&(s.0.clone(), s.1 - 1)) && !bare(s);
    let mut program = LearnedProgram {
        rules: String::new(),
        beside: String::new(),
        bare: true,
        named: heads.iter().any(named),
        notes: Vec::new(),
    };
    program.bare = !program.named || others || heads.iter().any(bare);
    let mut translation = ClauseTranslation {
        task,
        dialect,
        file,
        heads: &heads,
        declared: &declared,
        others,
        named: program.named,
        wanted: BTreeSet::new(),
        constants: BTreeMap::new(),
        anything: false,
        somes: 0,
    };
    let mut line = 1;
    for statement in &placed {
        while line < statement.line {
            program.rules.push('\n');
            line += 1;
        }
        let written = &text[statement.bytes.clone()];
        match &statement.statement {
            LearnedStatement::Clause(clause) => {
                let made = translation.clause(clause, written, statement.line)?;
                line += made.matches('\n').count();
                program.rules += &made;
                program.rules.push(' ');
            }
            LearnedStatement::Declared(list) => {
                list.iter().for_each(|(name, arity)| program.rules += &format!("#defined {name}/{arity}. "));
            }
            LearnedStatement::Directive => {}
            LearnedStatement::Other => {
                let raw = if dialect == Dialect::Prolog { to_asp(written) } else { written.to_owned() };
                program.rules += raw.trim_end();
                program.rules.push(' ');
                line += raw.trim_end().matches('\n').count();
            }
        }
    }
    program.rules.push('\n');
    translation.finish(&mut program, others);
    Ok(program)
}

/// A program on its way, and what it was found to need.
struct ClauseTranslation<'t> {
    task: &'t TaskRelations,
    dialect: Dialect,
    file: &'t str,
    heads: &'t BTreeSet<RelationSign>,
    declared: &'t BTreeSet<RelationSign>,
    /// Are there statements that only clingo can read?
    others: bool,
    named: bool,
    /// Relations of which nothing is known.
    wanted: BTreeSet<RelationSign>,
    /// Relations `KIND_is_C` and their constants.
    constants: BTreeMap<String, String>,
    anything: bool,
    somes: usize,
}

impl ClauseTranslation<'_> {
    fn known(&self, signature: &RelationSign) -> bool {
        self.heads.contains(signature)
            || self.declared.contains(signature)
            || self.task.knows(signature, self.named)
    }

    /// A literal with `not_p` and `KIND_is_C` resolved.
    fn resolved(&mut self, literal: &LearnedLiteral, line: usize) -> Result<LearnedLiteral, Fault> {
        let (atom, positive) = match literal {
            LearnedLiteral::Is(atom) => (atom, true),
            LearnedLiteral::Not(atom) => (atom, false),
            other => return Ok(other.clone()),
        };
        let own = signature(atom);
        if self.known(&own) {
            return Ok(literal.clone());
        }
        let base = atom.name.strip_prefix("not_").unwrap_or_default();
        // Prolog's own names are told from a game's by a prefix, which `not_` stands before.
        let negated = LearnedAtom { name: base.to_owned(), arguments: atom.arguments.clone() };
        if !base.is_empty() && (self.known(&signature(&negated)) || of_a_state(base)) {
            if !self.known(&signature(&negated)) {
                self.wanted.insert(signature(&negated));
            }
            return Ok(if positive { LearnedLiteral::Not(negated) } else { LearnedLiteral::Is(negated) });
        }
        if own.1 == 1
            && let Some(constant) = self.task.constant_of(&own.0)
        {
            self.constants.insert(own.0, constant);
            return Ok(literal.clone());
        }
        if of_a_state(&own.0) {
            self.wanted.insert(own);
            return Ok(literal.clone());
        }
        if self.others {
            return Ok(literal.clone());
        }
        let known: BTreeSet<String> = self.task.given.iter().map(|(n, a)| format!("`{n}/{a}`")).collect();
        let known: Vec<String> = known.into_iter().collect();
        Err(Fault::new(
            self.file,
            line,
            format!("`{}/{}` is no relation of the task, and no rule derives it", own.0, own.1),
            format!("the background has {}, with or without the name of a triple", known.join(", ")),
        ))
    }

    fn clause(&mut self, clause: &LearnedClause, written: &str, line: usize) -> Result<String, Fault> {
        if clause.body.contains(&LearnedLiteral::Never) {
            let (name, arity) = signature(&clause.head);
            return Ok(format!("#defined {name}/{arity}."));
        }
        let body: Vec<LearnedLiteral> =
            clause.body.iter().map(|l| self.resolved(l, line)).collect::<Result<_, _>>()?;
        if self.dialect == Dialect::Asp {
            if body == clause.body {
                return Ok(written.to_owned());
            }
            return Ok(rule(&clause.head, body.iter().map(literal).collect()));
        }
        let mut bound = bound(&body);
        let mut conditions: Vec<String> = Vec::new();
        for (place, argument) in clause.head.arguments.iter().enumerate() {
            for variable in &argument.variables {
                if bound.insert(variable.clone()) {
                    conditions.push(self.domain(&clause.head, place, argument, variable));
                }
            }
        }
        for own in &body {
            if let LearnedLiteral::Compare(a, _, b) = own {
                for variable in a.variables.iter().chain(&b.variables) {
                    if bound.insert(variable.clone()) {
                        self.anything = true;
                        conditions.push(format!("{ANYTHING}({variable})"));
                    }
                }
            }
        }
        let mut before = String::new();
        let mut spelled: Vec<String> = Vec::new();
        for own in &body {
            match own {
                LearnedLiteral::Not(atom) => {
                    let all: BTreeSet<&String> = atom.arguments.iter().flat_map(|a| &a.variables).collect();
                    let (shared, local): (Vec<&String>, Vec<&String>) =
                        all.into_iter().partition(|v| bound.contains(*v));
                    if local.is_empty() {
                        spelled.push(literal(own));
                        continue;
                    }
                    // There is none, whatever the rest may be.
                    self.somes += 1;
                    let shared: Vec<&str> = shared.into_iter().map(String::as_str).collect();
                    let some =
                        format!("{SOME}({})", [&[&*self.somes.to_string()], &shared[..]].concat().join(","));
                    let _ = write!(before, "{some} :- {}. ", literal(&LearnedLiteral::Is(atom.clone())));
                    spelled.push(format!("not {some}"));
                }
                own => spelled.push(literal(own)),
            }
        }
        spelled.extend(conditions);
        Ok(before + &rule(&clause.head, spelled))
    }

    /// A condition that gives a variable of a head, which nothing binds, what the head may be asked for.
    fn domain(&mut self, head: &LearnedAtom, place: usize, argument: &LearnedTerm, variable: &str) -> String {
        let (name, arity) = signature(head);
        if argument.text == *variable {
            if self.task.asked.contains_key(&(name.clone(), arity)) {
                return format!("{ASKED}({name},{arity},{place},{variable})");
            }
            if arity > 0 && self.task.asked.contains_key(&(name.clone(), arity - 1)) {
                return match place {
                    0 => format!("{variable} = {TRIPLE}"),
                    place => format!("{ASKED}({name},{},{},{variable})", arity - 1, place - 1),
                };
            }
        }
        self.anything = true;
        format!("{ANYTHING}({variable})")
    }

    /// What the rules need besides, and what is to be said of them.
    fn finish(self, program: &mut LearnedProgram, others: bool) {
        let out = &mut program.beside;
        for (name, arity) in self.task.given.iter().chain(self.task.asked.keys()) {
            let _ = write!(out, "#defined {name}/{arity}. ");
            if self.named {
                let _ = write!(out, "#defined {name}/{}. ", arity + 1);
            }
        }
        for (name, arity) in &self.wanted {
            let _ = write!(out, "#defined {name}/{arity}. ");
            if !others {
                program.notes.push(format!(
                    "`{name}/{arity}` never holds in these triples; if no triple has it, look for a misspelling"
                ));
            }
        }
        for (name, constant) in &self.constants {
            let _ = write!(out, "{name}({constant}). ");
        }
        if self.anything {
            let all = self.task.constants.iter().map(String::as_str).chain(self.named.then_some(TRIPLE));
            all.for_each(|constant| _ = write!(out, "{ANYTHING}({constant}). "));
        }
        if program.rules.contains(ASKED) {
            for ((name, arity), columns) in &self.task.asked {
                for (place, column) in columns.iter().enumerate() {
                    column.iter().for_each(|c| _ = write!(out, "{ASKED}({name},{arity},{place},{c}). "));
                }
            }
        }
        for (name, arity) in self.task.asked.keys() {
            let with = (name.clone(), arity + 1);
            if self.named && self.heads.contains(&with) && !self.task.asked.contains_key(&with) {
                let variables: Vec<String> = (0..*arity).map(|n| format!("X{n}")).collect();
                let inner = variables.iter().map(|v| format!(",{v}")).collect::<String>();
                let head = if variables.is_empty() {
                    name.clone()
                } else {
                    format!("{name}({})", variables.join(","))
                };
                let _ = write!(out, "{head} :- {name}({TRIPLE}{inner}). ");
            }
        }
        out.push('\n');
        if others {
            return;
        }
        let has = |s: &RelationSign| {
            self.heads.contains(s) || (self.named && self.heads.contains(&(s.0.clone(), s.1 + 1)))
        };
        let missing: Vec<String> = self
            .task
            .asked
            .keys()
            .filter(|s| !has(s))
            .map(|(name, arity)| format!("`{name}/{arity}`"))
            .collect();
        if !missing.is_empty() {
            program.notes.push(format!("no rule derives {}, which counts as never true", missing.join(", ")));
        }
    }
}

/// The variables that conditions bind.
fn bound(body: &[LearnedLiteral]) -> BTreeSet<String> {
    let mut bound: BTreeSet<String> = BTreeSet::new();
    for literal in body {
        if let LearnedLiteral::Is(atom) = literal {
            bound.extend(atom.arguments.iter().flat_map(|a| a.variables.iter().cloned()));
        }
    }
    loop {
        let before = bound.len();
        for literal in body {
            if let LearnedLiteral::Compare(a, "=", b) = literal {
                for (from, to) in [(a, b), (b, a)] {
                    if from.variables.iter().all(|v| bound.contains(v)) {
                        bound.extend(to.variables.iter().cloned());
                    }
                }
            }
        }
        if bound.len() == before {
            return bound;
        }
    }
}

fn atom(atom: &LearnedAtom) -> String {
    let arguments: Vec<&str> = atom.arguments.iter().map(|a| a.text.as_str()).collect();
    if arguments.is_empty() { atom.name.clone() } else { format!("{}({})", atom.name, arguments.join(",")) }
}

fn literal(literal: &LearnedLiteral) -> String {
    match literal {
        LearnedLiteral::Is(inner) => atom(inner),
        LearnedLiteral::Not(inner) => format!("not {}", atom(inner)),
        LearnedLiteral::Compare(a, sign, b) => format!("{} {sign} {}", a.text, b.text),
        LearnedLiteral::Never => "#false".into(),
    }
}

fn rule(head: &LearnedAtom, body: Vec<String>) -> String {
    let sign = if body.is_empty() { "" } else { " :- " };
    format!("{}{sign}{}.", atom(head), body.join(", "))
}

/// Is this the name of a relation that a background might have?
fn of_a_state(name: &str) -> bool {
    name.starts_with("true_") || name.starts_with("does_") || matches!(name, "true" | "does")
}

/// A background atom as facts: as it is, and with the triple's name, as far as a program wants that.
pub fn facts_of(flat: &Flat, fixed: bool, program: &LearnedProgram) -> Vec<String> {
    let mut facts = Vec::new();
    let spellings = [false, true];
    for prolog in spellings.into_iter().take(1 + usize::from(for_prolog(&flat.name) != plain(&flat.name))) {
        if program.bare || fixed {
            facts.push(spell(flat, None, prolog));
        }
        if program.named {
            facts.push(spell(flat, Some(TRIPLE), prolog));
        }
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(text: &str) -> Result<LearnedProgram, Fault> {
        let flats = |list: &[&str]| list.iter().filter_map(|a| Flat::read(a)).collect::<Vec<_>>();
        let asked = flats(&["goal(a, 0)", "goal(b, 100)"]);
        let given = flats(&["true_at(a, 1)", "succ(1, 2)"]);
        let task = TaskRelations::new(asked.iter(), given.iter());
        program_for(text, "l.pl", Dialect::Prolog, &task)
    }

    #[test]
    fn exports_are_undone() -> Result<(), Fault> {
        let program = made("goal(A,B,C):- true_at(A,D,E),role_is_b(B),not_true_at(A,B,E),score_is_0(C).")?;
        assert_eq!(
            program.rules.trim(),
            "goal(A,B,C) :- true_at(A,D,E), role_is_b(B), not true_at(A,B,E), score_is_0(C)."
        );
        for beside in ["role_is_b(b). ", "score_is_0(0). ", "goal(X0,X1) :- goal(racgen_triple,X0,X1). "] {
            assert!(program.beside.contains(beside), "{beside} in {}", program.beside);
        }
        assert!(program.named && !program.bare);
        Ok(())
    }

    #[test]
    fn what_nothing_binds_is_what_may_be_asked() -> Result<(), Fault> {
        let program = made("goal(A,B,C):-true_at(A,D,C).\ngoal(A,a,C) :- \\+ true_at(A,D,C).")?;
        let rules: Vec<&str> = program.rules.lines().map(str::trim).collect();
        assert_eq!(rules[0], "goal(A,B,C) :- true_at(A,D,C), racgen_asked(goal,2,0,B).");
        assert_eq!(
            rules[1],
            "racgen_some(1,A,C) :- true_at(A,D,C). goal(A,a,C) :- not racgen_some(1,A,C), A = racgen_triple, \
             racgen_asked(goal,2,1,C)."
        );
        assert!(program.beside.contains("racgen_asked(goal,2,0,b). "));
        Ok(())
    }

    #[test]
    fn misspellings_are_told() -> Result<(), Fault> {
        let told = made("goal(A,B) :- tru_at(A,B).").err().map(|f| f.to_string()).unwrap_or_default();
        assert!(told.starts_with("l.pl:1") && told.contains("`tru_at/2`"), "{told}");
        assert_eq!(
            made("% nothing learned")?.notes,
            ["no rule derives `goal/2`, which counts as never true"]
        );
        let program = made("goal(A,B) :- true_in(A,B).")?;
        assert!(program.notes[0].starts_with("`true_in/2` never holds"), "{:?}", program.notes);
        Ok(())
    }
}
