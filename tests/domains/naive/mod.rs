//! A second, deliberately naive simulator, from facts, plan and question to the answer.
//!
//! It is written from the words of the paper (Banerjee et al., Can Transformers Reason About Effects of Actions?)
//! and of the phrase books, and shares nothing with the logic programs: each domain is a plain record of where
//! things are, and whether a fluent is true is looked up in that record. Tests hold generated rows against it.
#![allow(dead_code)]

mod blocks;
mod blocks_hand;
mod circuit;
mod depots;
mod driverlog;
mod dwr;
mod ferry;
mod floortile;
mod generic;
mod grid;
mod gripper;
mod hanoi;
pub mod invented;
mod jugs;
mod logistics;
mod miconic;
pub mod narrative;
mod npuzzle;
pub mod partly;
mod pipes;
mod river;
mod rovers;
mod satellite;
pub mod search;
pub mod slippery;
mod spanner;
mod suitcase;
mod visitall;

use std::collections::{BTreeMap, BTreeSet};

use racgen::logic::term::Term;

/// The largest number in a fluent or an action of any domain is below this.
const MOST_NUMBER: usize = 15;

/// Calls a function of the naive world of a domain, or says that none is known. A new package gets its line here.
macro_rules! of_domain {
    ($domain:expr, $function:ident($($argument:expr),*)) => {
        match $domain {
            "blocks" => $function::<$crate::naive::blocks::Blocks>($($argument),*),
            "blocks_hand" => $function::<$crate::naive::blocks_hand::BlocksHand>($($argument),*),
            "logistics" => $function::<$crate::naive::logistics::Logistics>($($argument),*),
            "dwr" => $function::<$crate::naive::dwr::Dwr>($($argument),*),
            "generic" => $function::<$crate::naive::generic::Generic>($($argument),*),
            "floortile" => $function::<$crate::naive::floortile::FloorTile>($($argument),*),
            "grid" => $function::<$crate::naive::grid::Grid>($($argument),*),
            "npuzzle" => $function::<$crate::naive::npuzzle::NPuzzle>($($argument),*),
            "rovers" => $function::<$crate::naive::rovers::Rovers>($($argument),*),
            "circuit" => $function::<$crate::naive::circuit::Circuit>($($argument),*),
            "suitcase" => $function::<$crate::naive::suitcase::Suitcases>($($argument),*),
            "pipes" => $function::<$crate::naive::pipes::Pipes>($($argument),*),
            "hanoi" => $function::<$crate::naive::hanoi::Hanoi>($($argument),*),
            "jugs" => $function::<$crate::naive::jugs::Jugs>($($argument),*),
            "river" => $function::<$crate::naive::river::River>($($argument),*),
            "satellite" => $function::<$crate::naive::satellite::Satellites>($($argument),*),
            "visitall" => $function::<$crate::naive::visitall::VisitAll>($($argument),*),
            "depots" => $function::<$crate::naive::depots::Depots>($($argument),*),
            "driverlog" => $function::<$crate::naive::driverlog::Driverlog>($($argument),*),
            "ferry" => $function::<$crate::naive::ferry::Ferry>($($argument),*),
            "gripper" => $function::<$crate::naive::gripper::Gripper>($($argument),*),
            "miconic" => $function::<$crate::naive::miconic::Miconic>($($argument),*),
            "spanner" => $function::<$crate::naive::spanner::Spanner>($($argument),*),
            invented if $crate::naive::invented::speak_of(invented) => {
                $function::<$crate::naive::invented::Invented>($($argument),*)
            }
            unknown => Err(format!("unknown domain {unknown}")),
        }
    };
}
pub(crate) use of_domain;

/// The answer to `query`, as ground terms: `yes` or `no`, one number, or ids in alphabetical order (`none` if there
/// are none).
///
/// `facts` are the objects (`robot(r1)`), the static facts and the fluents true initially; `plan` holds the actions in
/// their order.
///
/// # Errors
/// Facts that describe no legal situation, a fluent that is given as true and is not, actions that are not
/// executable, questions that are unknown or not well typed.
pub fn answer(domain: &str, facts: &[String], plan: &[String], query: &str) -> Result<Vec<String>, String> {
    of_domain!(domain, answer_in(facts, plan, query))
}

/// The actions that are executable after `plan_prefix`, in alphabetical order.
///
/// # Errors
/// As [`answer`].
pub fn successors(domain: &str, facts: &[String], plan_prefix: &[String]) -> Result<Vec<String>, String> {
    of_domain!(domain, successors_in(facts, plan_prefix))
}

/// The fluents that are true after `plan`, in alphabetical order; with no plan, what `facts` should list.
///
/// # Errors
/// As [`answer`].
pub fn true_fluents(domain: &str, facts: &[String], plan: &[String]) -> Result<Vec<String>, String> {
    of_domain!(domain, true_fluents_in(facts, plan))
}

/// What a domain knows: one situation of one world, and how actions change it.
///
/// Atoms come as words: `at(r1,l2)` is `["at", "r1", "l2"]`. A pattern is an atom with types in place of objects:
/// `at(robot,location)`, or a type alone, for the objects of that type themselves. Words that are no types stand for
/// themselves (`move(block,table)`), and `number` stands for any number. The functions below are called only with
/// atoms that match a pattern of the domain.
trait World: Clone {
    const TYPES: &'static [&'static str];
    const FLUENTS: &'static [&'static str];
    const ACTIONS: &'static [&'static str];
    /// Questions beyond those that all domains have.
    const FAMILIES: &'static [&'static str];

    /// The same, where they depend on the domain that is spoken of.
    fn types() -> &'static [&'static str] {
        Self::TYPES
    }
    fn fluents() -> &'static [&'static str] {
        Self::FLUENTS
    }
    fn actions() -> &'static [&'static str] {
        Self::ACTIONS
    }

    /// The situation that the facts other than those about objects describe.
    fn read(objects: Objects, facts: &[Vec<&str>]) -> Result<Self, String>;
    fn objects(&self) -> &Objects;
    fn holds(&self, fluent: &[&str]) -> bool;
    fn executable(&self, action: &[&str]) -> bool;
    /// The facts that an action requires besides those that never change, each with whether it must be true.
    fn conditions(&self, action: &[&str]) -> Vec<(String, bool)>;
    /// Changes the situation as the action does, which is executable.
    fn apply(&mut self, action: &[&str]) -> Result<(), String>;
    /// The answer to a question of a family of the domain.
    fn family(&self, question: &[&str]) -> Option<Answer>;

    /// May it follow from something else that is told that a fluent is no longer true?
    fn may_follow(fluent: &[&str]) -> bool {
        fluent == ["handempty"] || fluent.len() == 2
    }

    /// The objects of a type that are so.
    fn those(&self, kind: &str, so: impl Fn(&str) -> bool) -> Vec<String> {
        self.objects().those(kind, so)
    }
    /// Is any of them so?
    fn any(&self, kind: &str, so: impl Fn(&str) -> bool) -> Answer {
        Answer::Truth(!self.those(kind, so).is_empty())
    }
    /// How many are?
    fn number(&self, kind: &str, so: impl Fn(&str) -> bool) -> Answer {
        Answer::Number(self.those(kind, so).len())
    }
    /// Which are?
    fn which(&self, kind: &str, so: impl Fn(&str) -> bool) -> Answer {
        Answer::Names(self.those(kind, so))
    }
}

enum Answer {
    Truth(bool),
    Number(usize),
    Names(Vec<String>),
}

impl Answer {
    fn terms(self) -> Vec<String> {
        match self {
            Answer::Truth(true) => vec!["yes".to_owned()],
            Answer::Truth(false) => vec!["no".to_owned()],
            Answer::Number(n) => vec![n.to_string()],
            Answer::Names(names) if names.is_empty() => vec!["none".to_owned()],
            Answer::Names(names) => names.into_iter().collect::<BTreeSet<String>>().into_iter().collect(),
        }
    }
}

/// The objects of a world, by type.
#[derive(Clone)]
struct Objects(BTreeMap<String, Vec<String>>);

impl Objects {
    /// The objects of a type; none for what is no type.
    fn of(&self, kind: &str) -> Vec<String> {
        self.0.get(kind).cloned().unwrap_or_default()
    }

    fn is_type(&self, word: &str) -> bool {
        self.0.contains_key(word)
    }

    fn is(&self, id: &str, kind: &str) -> bool {
        self.of(kind).iter().any(|known| known == id)
    }

    /// The objects of a type for which something is so.
    fn those(&self, kind: &str, so: impl Fn(&str) -> bool) -> Vec<String> {
        self.of(kind).into_iter().filter(|id| so(id)).collect()
    }

    /// What may stand in a place of a pattern, other than a constant: the objects of its type, or numbers.
    fn choices(&self, place: &str) -> Option<Vec<String>> {
        match place {
            "number" => Some((0..=MOST_NUMBER).map(|number| number.to_string()).collect()),
            kind if self.is_type(kind) => Some(self.of(kind)),
            _ => None,
        }
    }

    /// Does the word stand at a place of a pattern?
    fn fits(&self, word: &str, place: &str) -> bool {
        if place == "number" {
            word.parse::<i32>().is_ok()
        } else if self.is_type(place) {
            self.is(word, place)
        } else {
            word == place
        }
    }

    fn matches(&self, atom: &[&str], pattern: &str) -> bool {
        let pattern = words(pattern).expect("a pattern of the domain");
        atom.len() == pattern.len() && atom.iter().zip(&pattern).all(|(word, place)| self.fits(word, place))
    }

    fn matches_any(&self, atom: &[&str], patterns: &[&str]) -> bool {
        patterns.iter().any(|pattern| self.matches(atom, pattern))
    }

    /// All ground atoms of a pattern.
    fn ground(&self, pattern: &str) -> Vec<String> {
        let mut atoms: Vec<Vec<String>> = vec![vec![]];
        for place in words(pattern).expect("a pattern of the domain") {
            let choices = self.choices(&place).unwrap_or_else(|| vec![place]);
            let mut longer = Vec::new();
            for atom in &atoms {
                for choice in &choices {
                    let mut atom = atom.clone();
                    atom.push(choice.clone());
                    longer.push(atom);
                }
            }
            atoms = longer;
        }
        atoms.iter().map(|atom| text(&strs(atom))).collect()
    }
}

/// The functor and the arguments of a term: `on(a,b)` is `on`, `a`, `b`; `after(f(a),b)` is `after`, `f(a)`, `b`.
pub fn words(text: &str) -> Result<Vec<String>, String> {
    let term: Term = text.parse().map_err(|e| format!("{e}"))?;
    let mut words = vec![term.functor().to_owned()];
    words.extend(term.args().iter().map(Term::to_string));
    Ok(words)
}

fn strs(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

/// The term of these words.
fn text(words: &[&str]) -> String {
    match words {
        [name] => (*name).to_owned(),
        [name, arguments @ ..] => format!("{name}({})", arguments.join(",")),
        [] => String::new(),
    }
}

/// The pairs of a static relation, or of a fluent that is true initially.
fn pairs<P: FromIterator<(String, String)>>(facts: &[Vec<&str>], name: &str) -> P {
    let of = facts.iter().filter(|fact| fact[0] == name);
    of.map(|fact| (fact[1].to_owned(), fact[2].to_owned())).collect()
}

/// The objects as a relation of neighbours puts them in order, from the first to the last.
fn in_order(objects: &[String], next: &[(String, String)]) -> Result<Vec<String>, String> {
    let first = objects.iter().find(|o| next.iter().all(|(_, second)| second != *o));
    let mut order = vec![first.ok_or("an order without a first")?.clone()];
    while let Some((_, second)) = next.iter().find(|(first, _)| first == order.last().expect("one")) {
        if order.contains(second) {
            return Err("an order that goes round".to_owned());
        }
        order.push(second.clone());
    }
    if order.len() == objects.len() { Ok(order) } else { Err("an order with gaps".to_owned()) }
}

/// The situation that the facts describe.
fn read<W: World>(facts: &[String]) -> Result<W, String> {
    let facts: Vec<Vec<String>> = facts.iter().map(|fact| words(fact)).collect::<Result<_, _>>()?;
    let facts: Vec<Vec<&str>> = facts.iter().map(|fact| strs(fact)).collect();

    let mut objects: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for kind in W::types() {
        objects.insert((*kind).to_owned(), vec![]);
    }
    let mut others = Vec::new();
    for fact in facts {
        match (fact.as_slice(), objects.get_mut(fact[0])) {
            ([_, id], Some(ids)) => ids.push((*id).to_owned()),
            _ => others.push(fact),
        }
    }

    let world = W::read(Objects(objects), &others)?;
    for fact in &others {
        if world.objects().matches_any(fact, W::fluents()) && !world.holds(fact) {
            return Err(format!("the facts contradict each other on {}", text(fact)));
        }
    }
    Ok(world)
}

fn possible<W: World>(world: &W, action: &str) -> Result<bool, String> {
    let action = words(action)?;
    if !world.objects().matches_any(&strs(&action), W::actions()) {
        return Err(format!("{} is no action", text(&strs(&action))));
    }
    Ok(world.executable(&strs(&action)))
}

/// The situation after a further action.
fn step<W: World>(world: &W, action: &str) -> Result<W, String> {
    if !possible(world, action)? {
        return Err(format!("{action} is not executable"));
    }
    let mut next = world.clone();
    next.apply(&strs(&words(action)?))?;
    Ok(next)
}

fn run<W: World>(initial: &W, plan: &[String]) -> Result<W, String> {
    let mut world = initial.clone();
    for action in plan {
        world = step(&world, action)?;
    }
    Ok(world)
}

fn executable_actions<W: World>(world: &W) -> Result<Vec<String>, String> {
    let mut executable = Vec::new();
    for pattern in W::actions() {
        for action in world.objects().ground(pattern) {
            if possible(world, &action)? {
                executable.push(action);
            }
        }
    }
    executable.sort();
    executable.dedup();
    Ok(executable)
}

fn truth<W: World>(world: &W, fluent: &str) -> Result<bool, String> {
    let fluent = words(fluent)?;
    if !world.objects().matches_any(&strs(&fluent), W::fluents()) {
        return Err(format!("{} is no fluent", text(&strs(&fluent))));
    }
    Ok(world.holds(&strs(&fluent)))
}

/// The answer to a question about the situation `now`.
fn ask<W: World>(now: &W, initial: &W, question: &str) -> Result<Answer, String> {
    let question = words(question)?;
    match strs(&question).as_slice() {
        ["initially", question] => ask(initial, initial, question),
        ["after", action, question] => ask(&step(now, action)?, initial, question),
        ["changes", action, fluent] => {
            let before = truth(now, fluent)?;
            let after = truth(&step(now, action)?, fluent)?;
            Ok(Answer::Truth(before != after))
        }
        ["executable", action] => Ok(Answer::Truth(possible(now, action)?)),
        ["executable_actions"] => Ok(Answer::Number(executable_actions(now)?.len())),
        atom if now.objects().matches_any(atom, W::fluents()) => Ok(Answer::Truth(now.holds(atom))),
        atom if now.objects().matches_any(atom, W::FAMILIES) => {
            now.family(atom).ok_or(format!("no answer to {}", text(atom)))
        }
        [name, arguments @ ..] => {
            if let Some(fluent) = name.strip_prefix("which_") {
                Ok(Answer::Names(fill(now, fluent, arguments)?))
            } else if let Some(fluent) = name.strip_prefix("count_") {
                Ok(Answer::Number(fill(now, fluent, arguments)?.len()))
            } else {
                Err(format!("unknown question {}", text(&strs(&question))))
            }
        }
        [] => Err("no question".to_owned()),
    }
}

/// The objects that make a fluent true when put in place of their type: for `at` with `robot`, `l2`, the robots at l2.
fn fill<W: World>(now: &W, fluent: &str, arguments: &[&str]) -> Result<Vec<String>, String> {
    let unknown = || format!("unknown question which or count {fluent}({})", arguments.join(","));
    let is_open = |argument: &str| argument == "number" || now.objects().is_type(argument);
    let places: Vec<usize> = (0..arguments.len()).filter(|i| is_open(arguments[*i])).collect();
    let [place] = places.as_slice() else { return Err(unknown()) };
    // The fluents of the generic domain are its objects themselves, and questions say `true` of them.
    let named = |pattern: &&str| *pattern == fluent || pattern.starts_with(&format!("{fluent}("));
    if !W::fluents().iter().any(named) && fluent != "true" {
        return Err(unknown());
    }
    let mut found = Vec::new();
    for id in now.objects().choices(arguments[*place]).unwrap_or_default() {
        let mut atom = vec![fluent];
        atom.extend(arguments);
        atom[place + 1] = &id;
        match ask(now, now, &text(&atom))? {
            Answer::Truth(true) => found.push(id),
            Answer::Truth(false) => {}
            _ => return Err(unknown()),
        }
    }
    Ok(found)
}

fn answer_in<W: World>(facts: &[String], plan: &[String], query: &str) -> Result<Vec<String>, String> {
    let initial: W = read(facts)?;
    let now = run(&initial, plan)?;
    Ok(ask(&now, &initial, query)?.terms())
}

fn successors_in<W: World>(facts: &[String], plan: &[String]) -> Result<Vec<String>, String> {
    let initial: W = read(facts)?;
    executable_actions(&run(&initial, plan)?)
}

fn true_fluents_in<W: World>(facts: &[String], plan: &[String]) -> Result<Vec<String>, String> {
    let initial: W = read(facts)?;
    let now = run(&initial, plan)?;
    let mut fluents = Vec::new();
    for pattern in W::fluents() {
        for fluent in now.objects().ground(pattern) {
            if truth(&now, &fluent)? {
                fluents.push(fluent);
            }
        }
    }
    fluents.sort();
    fluents.dedup();
    Ok(fluents)
}
