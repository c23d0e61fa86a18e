//! A game's rules to the flattened reference solution of its tasks, as an answer-set program and as Prolog.
//!
//! The relations are those of the tasks: `true_cell/3`, `does_mark/3`, `next_cell/3` and so on. A variable that stands
//! for a whole fluent or move is replaced by each function it can be. What a task gives as statics is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

use rustc_hash::FxHashMap as HashMap;

use crate::games::gdl::flatten::Flat;
use crate::games::gdl::strata::Strata;
use crate::games::gdl::syntax::{Clause, Game, GdlAtom, GdlLiteral, GdlPattern};
use crate::games::play::ground_game::GroundGame;

/// Clauses that the variables of one clause may multiply to.
const MOST_CLAUSES: usize = 2_000;

/// Names of SWI-Prolog's own predicates that a game may want for a relation.
const TAKEN: [&str; 40] = [
    "succ", "plus", "between", "print", "write", "read", "tab", "nl", "halt", "op", "call", "atom", "number",
    "integer", "float", "string", "var", "nonvar", "ground", "length", "sort", "compare", "arg", "functor",
    "shell", "see", "seen", "tell", "told", "get", "put", "skip", "consult", "assert", "retract", "once",
    "ignore", "apply", "open", "close",
];

/// A name that clingo and Prolog both take for a relation or constant. Distinct names stay distinct unless a game uses
/// the escapes itself.
pub fn plain(name: &str) -> String {
    if name.parse::<i32>().is_ok_and(|n| n.to_string() == name) {
        return name.to_owned();
    }
    let mut text = String::new();
    for c in name.chars() {
        if c.is_ascii_alphanumeric() || c == '_' {
            text.push(c);
        } else {
            let _ = write!(text, "_x{:x}", c as u32);
        }
    }
    if !text.starts_with(|c: char| c.is_ascii_lowercase()) || text == "not" {
        text.insert_str(0, "c_");
    }
    text
}

/// A relation's name for Prolog: as [`plain`], and none of Prolog's own predicates.
pub fn for_prolog(name: &str) -> String {
    let name = plain(name);
    if TAKEN.contains(&name.as_str()) { format!("game_{name}") } else { name }
}

/// A flattened atom as clingo and Prolog write it; `first` stands before its arguments.
pub fn spell(flat: &Flat, first: Option<&str>, prolog: bool) -> String {
    let name = if prolog { for_prolog(&flat.name) } else { plain(&flat.name) };
    let arguments = flat.arguments.iter().map(|a| spell_argument(a));
    let arguments: Vec<String> = first.map(str::to_owned).into_iter().chain(arguments).collect();
    if arguments.is_empty() { name } else { format!("{name}({})", arguments.join(",")) }
}

/// An argument of a flattened atom as clingo and Prolog write it.
pub fn spell_argument(argument: &str) -> String {
    match Flat::read(argument) {
        Some(inner) => spell(&inner, None, false),
        None => plain(argument),
    }
}

/// A flattened literal: relation and arguments as text, with the sign; a comparison has `=` or `!=` for relation.
#[derive(Clone, Debug)]
struct FlatLiteral {
    positive: bool,
    relation: String,
    arguments: Vec<String>,
}

#[derive(Clone, Debug)]
struct FlatRule {
    head: FlatLiteral,
    body: Vec<FlatLiteral>,
}

/// The reference solution of a game.
#[derive(Clone, Debug)]
pub struct Solution {
    name: String,
    rules: Vec<FlatRule>,
    /// Relations of the rules, with their numbers of arguments, that recursion passes.
    recursive: BTreeSet<(String, usize)>,
    /// Relations that rules ask for.
    used: BTreeSet<(String, usize)>,
    /// Those that no rule derives.
    asked: BTreeSet<(String, usize)>,
}

/// Flattens the rules of a game.
pub fn reference(arena: &GroundGame) -> Solution {
    let game = &arena.game;
    let strata = Strata::new(game);
    let mut flattening = Flattening {
        game,
        functions: Default::default(),
        constants: Default::default(),
        renamed: HashMap::default(),
    };
    flattening.functions = functions(game);
    if let Some(whole) = &arena.whole {
        let lone = |term: &racgen_logic::term::Term| {
            let name: Arc<str> = term.functor().to_lowercase().into();
            (term.args().is_empty() && !game.parenthesised.contains(&name)).then_some(name)
        };
        flattening.constants = [
            whole.fluents.iter().filter_map(lone).collect(),
            whole.moves.iter().filter_map(|m| lone(&m.1)).collect(),
        ];
    }
    // A helper must not be mistaken for a flattened relation.
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for (place, relations) in [(0, ["true", "next"]), (1, ["does", "legal"])] {
        for (name, _) in &flattening.functions[place] {
            taken.extend(relations.iter().map(|r| format!("{r}_{}", game.print(name))));
        }
    }
    for clause in &game.clauses {
        let name = &clause.head.predicate;
        if strata.is_dynamic(&clause.head.signature()) && taken.contains(game.print(name)) {
            flattening.renamed.insert(name.clone(), format!("{}_of_the_rules", game.print(name)));
        }
    }

    let targets = ["legal", "next", "goal", "terminal"];
    let mut rules = Vec::new();
    for clause in &game.clauses {
        let head = &clause.head;
        let target = targets.contains(&&*head.predicate);
        if (!target && !strata.is_dynamic(&head.signature()))
            || matches!(&*head.predicate, "base" | "input" | "init")
        {
            continue;
        }
        for clause in flattening.spread(clause) {
            rules.push(flattening.rule(&clause));
        }
    }
    let signature = |l: &FlatLiteral| (l.relation.clone(), l.arguments.len());
    let defined: BTreeSet<(String, usize)> = rules.iter().map(|r| signature(&r.head)).collect();
    let (mut used, mut asked) = (BTreeSet::new(), BTreeSet::new());
    let mut recursive = BTreeSet::new();
    let mut uses: BTreeMap<(String, usize), BTreeSet<(String, usize)>> = BTreeMap::new();
    for rule in &rules {
        for literal in rule.body.iter().filter(|l| l.relation != "=" && l.relation != "!=") {
            used.insert(signature(literal));
            if !defined.contains(&signature(literal)) {
                asked.insert(signature(literal));
            }
            uses.entry(signature(&rule.head)).or_default().insert(signature(literal));
        }
    }
    for start in &defined {
        let mut open = vec![start];
        let mut seen = BTreeSet::new();
        while let Some(at) = open.pop() {
            for to in uses.get(at).into_iter().flatten() {
                if seen.insert(to) {
                    open.push(to);
                }
            }
        }
        if seen.contains(start) {
            recursive.insert(start.clone());
        }
    }
    Solution { name: game.name.clone(), rules, recursive, used, asked }
}

/// The functions of fluents (0) and of moves (1) that are joined to the names of relations.
pub(crate) fn functions(game: &Game) -> [BTreeSet<(Arc<str>, usize)>; 2] {
    let mut found: [BTreeSet<(Arc<str>, usize)>; 2] = Default::default();
    let atoms = game.clauses.iter().flat_map(|c| c.body.iter().filter_map(GdlLiteral::atom).chain([&c.head]));
    for (place, argument) in atoms.filter_map(open_argument) {
        if let GdlPattern::Function(name, arguments) = argument
            && (!arguments.is_empty() || game.parenthesised.contains(name))
        {
            found[place].insert((name.clone(), arguments.len()));
        }
    }
    found
}

/// The argument that stands for a fluent (0) or a move (1).
fn open_argument(atom: &GdlAtom) -> Option<(usize, &GdlPattern)> {
    match (&*atom.predicate, &atom.arguments[..]) {
        ("true" | "next" | "init" | "base", [fluent]) => Some((0, fluent)),
        ("does" | "legal" | "input", [_, action]) => Some((1, action)),
        _ => None,
    }
}

struct Flattening<'g> {
    game: &'g Game,
    /// Functions of fluents and of moves.
    functions: [BTreeSet<(Arc<str>, usize)>; 2],
    /// Constants among the reachable fluents and moves.
    constants: [BTreeSet<Arc<str>>; 2],
    renamed: HashMap<Arc<str>, String>,
}

impl Flattening<'_> {
    /// Replaces variables for whole fluents and moves by all that they can be.
    fn spread(&self, clause: &Clause) -> Vec<Clause> {
        let mut done = Vec::new();
        // A variable that was decided to be a constant stays.
        let mut open: Vec<(Clause, Vec<u32>)> = vec![(clause.clone(), Vec::new())];
        while let Some((clause, constant)) = open.pop() {
            let atoms = clause.body.iter().filter_map(GdlLiteral::atom).chain([&clause.head]);
            let variable = atoms.filter_map(open_argument).find_map(|(place, argument)| match argument {
                GdlPattern::Variable(v) if !constant.contains(v) => Some((place, *v)),
                _ => None,
            });
            let Some((place, variable)) = variable else {
                done.push(clause);
                continue;
            };
            if done.len() + open.len() > MOST_CLAUSES {
                break;
            }
            // A flattened relation binds the variable to constants only; a helper might bind it to a compound.
            let bound = clause.body.iter().any(|literal| match literal {
                GdlLiteral::Is(atom) => open_argument(atom)
                    .is_some_and(|(_, argument)| *argument == GdlPattern::Variable(variable)),
                _ => false,
            });
            if bound || self.functions[place].is_empty() {
                let mut stays = constant.clone();
                stays.push(variable);
                open.push((clause.clone(), stays));
            } else {
                for name in &self.constants[place] {
                    let mut copy = clause.clone();
                    replace(&mut copy, variable, &GdlPattern::Function(name.clone(), Vec::new()));
                    open.push((copy, constant.clone()));
                }
            }
            for (name, arity) in &self.functions[place] {
                let mut copy = clause.clone();
                let first = copy.variables.len() as u32;
                for number in 0..*arity {
                    copy.variables
                        .push(format!("{}{}", clause.variables[variable as usize], number + 1).into());
                }
                let arguments = (0..*arity as u32).map(|n| GdlPattern::Variable(first + n)).collect();
                replace(&mut copy, variable, &GdlPattern::Function(name.clone(), arguments));
                open.push((copy, constant.clone()));
            }
        }
        done.reverse();
        done
    }

    fn rule(&self, clause: &Clause) -> FlatRule {
        let names = variable_names(clause);
        let head = self.atom(&clause.head, true, &names);
        let mut body: Vec<FlatLiteral> = Vec::new();
        // Prolog wants variables bound before they are compared or negated.
        for late in [false, true] {
            for literal in &clause.body {
                match literal {
                    GdlLiteral::Is(atom) if !late => body.push(self.atom(atom, true, &names)),
                    GdlLiteral::Same(a, b, _) if !late => body.push(self.comparison(true, a, b, &names)),
                    GdlLiteral::Not(atom) if late => body.push(self.atom(atom, false, &names)),
                    GdlLiteral::Distinct(a, b, _) if late => body.push(self.comparison(false, a, b, &names)),
                    _ => {}
                }
            }
        }
        FlatRule { head, body }
    }

    fn comparison(&self, same: bool, a: &GdlPattern, b: &GdlPattern, names: &[String]) -> FlatLiteral {
        FlatLiteral {
            positive: true,
            relation: if same { "=" } else { "!=" }.into(),
            arguments: vec![self.term(a, names), self.term(b, names)],
        }
    }

    fn term(&self, term: &GdlPattern, names: &[String]) -> String {
        match term {
            GdlPattern::Variable(v) => names[*v as usize].clone(),
            GdlPattern::Function(name, arguments) => {
                let name = plain(self.game.print(name));
                if arguments.is_empty() {
                    return name;
                }
                let arguments: Vec<String> = arguments.iter().map(|a| self.term(a, names)).collect();
                format!("{name}({})", arguments.join(","))
            }
        }
    }

    fn atom(&self, atom: &GdlAtom, positive: bool, names: &[String]) -> FlatLiteral {
        let terms = |list: &[GdlPattern]| list.iter().map(|a| self.term(a, names)).collect::<Vec<_>>();
        if let Some((_, GdlPattern::Function(function, inner))) = open_argument(atom)
            && (!inner.is_empty() || self.game.parenthesised.contains(function))
        {
            let last = atom.arguments.len() - 1;
            let mut arguments = terms(&atom.arguments[..last]);
            arguments.extend(terms(inner));
            let relation = format!("{}_{}", atom.predicate, self.game.print(function));
            return FlatLiteral { positive, relation, arguments };
        }
        let renamed = self.renamed.get(&atom.predicate).cloned();
        let relation = renamed.unwrap_or_else(|| self.game.print(&atom.predicate).to_owned());
        FlatLiteral { positive, relation, arguments: terms(&atom.arguments) }
    }
}

fn replace(clause: &mut Clause, variable: u32, by: &GdlPattern) {
    fn inside(term: &mut GdlPattern, variable: u32, by: &GdlPattern) {
        match term {
            GdlPattern::Variable(v) if *v == variable => *term = by.clone(),
            GdlPattern::Variable(_) => {}
            GdlPattern::Function(_, arguments) => arguments.iter_mut().for_each(|a| inside(a, variable, by)),
        }
    }
    clause.head.arguments.iter_mut().for_each(|a| inside(a, variable, by));
    for literal in &mut clause.body {
        match literal {
            GdlLiteral::Is(atom) | GdlLiteral::Not(atom) => {
                atom.arguments.iter_mut().for_each(|a| inside(a, variable, by));
            }
            GdlLiteral::Distinct(a, b, _) | GdlLiteral::Same(a, b, _) => {
                inside(a, variable, by);
                inside(b, variable, by);
            }
        }
    }
}

/// Names of variables, with a capital first letter and no two the same.
fn variable_names(clause: &Clause) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in &clause.variables {
        let letters: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        let mut name = match letters.chars().next() {
            Some(c) if c.is_ascii_alphabetic() => c.to_ascii_uppercase().to_string() + &letters[1..],
            _ => format!("V{letters}"),
        };
        while names.contains(&name) {
            name.push('_');
        }
        names.push(name);
    }
    names
}

impl Solution {
    /// The relations that rules derive, as clingo knows them, with their numbers of arguments.
    pub fn derived(&self) -> BTreeSet<(String, usize)> {
        self.rules.iter().map(|rule| (plain(&rule.head.relation), rule.head.arguments.len())).collect()
    }

    /// The rules for clingo.
    pub fn asp(&self) -> String {
        let mut text = format!(
            "% Reference solution of the tasks of {}; statics and background are facts.\n",
            self.name
        );
        for rule in &self.rules {
            text += &self.spell(rule, false);
        }
        for (relation, arity) in &self.used {
            let _ = writeln!(text, "#defined {}/{arity}.", plain(relation));
        }
        text
    }

    /// The rules for Prolog; relations with names of Prolog's own predicates are renamed as in the task folders.
    pub fn prolog(&self) -> String {
        let mut text = format!(
            "% Reference solution of the tasks of {}; statics and background are facts.\n",
            self.name
        );
        let declared = |(relation, arity): &(String, usize)| format!("{}/{arity}", for_prolog(relation));
        for signature in &self.recursive {
            let _ = writeln!(text, ":- table {}.", declared(signature));
        }
        let heads: BTreeSet<(String, usize)> =
            self.rules.iter().map(|r| (r.head.relation.clone(), r.head.arguments.len())).collect();
        for signature in heads.iter().filter(|s| !self.recursive.contains(s)) {
            let _ = writeln!(text, ":- discontiguous {}.", declared(signature));
        }
        for signature in &self.asked {
            let _ = writeln!(text, ":- dynamic {}.", declared(signature));
        }
        let mut rules: Vec<&FlatRule> = self.rules.iter().collect();
        rules.sort_by(|a, b| a.head.relation.cmp(&b.head.relation));
        for rule in rules {
            text += &self.spell(rule, true);
        }
        text
    }

    fn spell(&self, rule: &FlatRule, prolog: bool) -> String {
        let literal = |l: &FlatLiteral| {
            if let ("=" | "!=", [a, b]) = (l.relation.as_str(), &l.arguments[..]) {
                let sign = match (l.relation.as_str(), prolog) {
                    ("=", _) => "=",
                    (_, true) => "\\==",
                    _ => "!=",
                };
                return format!("{a} {sign} {b}");
            }
            let name = if prolog { for_prolog(&l.relation) } else { plain(&l.relation) };
            let negation = match (l.positive, prolog) {
                (true, _) => "",
                (false, true) => "\\+ ",
                (false, false) => "not ",
            };
            let arguments =
                if l.arguments.is_empty() { String::new() } else { format!("({})", l.arguments.join(",")) };
            format!("{negation}{name}{arguments}")
        };
        let body: Vec<String> = rule.body.iter().map(literal).collect();
        let sign = if body.is_empty() { "" } else { " :- " };
        format!("{}{sign}{}.\n", literal(&rule.head), body.join(", "))
    }
}
