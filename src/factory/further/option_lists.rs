//! What is right and what is wrong to lists of four things to choose from, of which whoever does not know the situation can tell
//! no more than that it is one of two.
//!
//! In each list something wrong, the rival, stands against what is right. Either both look alike: they name the same of what else
//! is asked, the other options name the same of them, and the told actions do the same to what they name. Or there is another question, dealt next, in which something that
//! looks like this rival is right, and what looks like this one's answer is its rival.

use std::borrow::Cow;
use std::cell::RefCell;
use std::hash::{Hash, Hasher};

use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet, FxHasher};

use crate::factory::further::offers::Rivalry;

/// How many things there are to choose from.
pub(super) const CHOICES: usize = 4;
/// Rivals that do not look like what is right, of different looks, that one thing is listed with in turn.
const RIVALS: usize = 4;
/// Orders in which looks are listed beside the two.
const ORDERS: u32 = 3;
/// How many things that look like the two, and how many others, may be listed beside them.
const TRIED: usize = 6;

/// What can be seen of a term by names alone: its functor, and of each argument where others name it, or else its kind. Of a
/// term without arguments that is nothing, as the fluents of theories are but numbered.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct TermShape<'t> {
    functor: &'t str,
    /// Of each argument what its name begins with, and the numbers of the parts of the others that are the same.
    arguments: Vec<(Cow<'t, str>, Vec<u32>)>,
}

/// The shape of a term beside others.
pub(super) fn shape<'t>(term: &'t Term, besides: &[&Term]) -> TermShape<'t> {
    let of_argument = |argument: &'t Term| {
        let kind: Cow<'t, str> = match argument {
            Term::Function(name, own) if own.is_empty() => Cow::Borrowed(without_number(name)),
            other => Cow::Owned(without_number(&other.to_string()).to_owned()),
        };
        let (mut number, mut places) = (0, Vec::new());
        besides.iter().for_each(|other| seen(other, argument, &mut number, &mut places));
        (kind, places)
    };
    let arguments: Vec<(Cow<'t, str>, Vec<u32>)> = term.args().iter().map(of_argument).collect();
    TermShape { functor: if arguments.is_empty() { "" } else { term.functor() }, arguments }
}

/// A name without the digits at its end.
fn without_number(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit())
}

/// Counts the parts of a term, and adds the numbers of those that are the same as another.
fn seen(term: &Term, part: &Term, number: &mut u32, places: &mut Vec<u32>) {
    if term == part {
        places.push(*number);
    }
    *number += 1;
    term.args().iter().for_each(|argument| seen(argument, part, number, places));
}

fn hashed(value: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// What actions that name one of some objects are, with what they name of these and of others.
fn touched_by(plan: &[&Term], own: &[&str], others: &[&str]) -> u64 {
    let mut hasher = FxHasher::default();
    let mut named: Vec<&str> = Vec::new();
    for action in plan {
        named.clear();
        named.extend(action.constants());
        if named.iter().any(|object| own.contains(object)) {
            action.functor().hash(&mut hasher);
            for object in &named {
                let place = |all: &[&str]| all.iter().position(|one| one == object);
                (place(own), place(others)).hash(&mut hasher);
            }
        }
    }
    hasher.finish()
}

/// How an option looks beside what else is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct OptionLook {
    /// By names alone.
    names: u64,
    /// What the told actions do to what it names, and what is told of that together with what is asked, or else of all of it.
    touched: u64,
}

/// Things to choose from, of which the first place is 1.
pub(super) struct OptionList {
    pub(super) all: Vec<usize>,
    /// The place of the right one.
    pub(super) place: usize,
    pub(super) rivalry: Rivalry,
}

/// Makes lists beside what else a question asks, of a story.
pub(super) struct OptionLister<'t> {
    terms: &'t [Term],
    /// What else is asked.
    besides: Vec<&'t Term>,
    /// Objects of which nothing is told.
    left_out: Vec<&'t str>,
    /// What it names.
    asked: Vec<&'t str>,
    /// What it looks like.
    pattern: u64,
    plan: Vec<&'t Term>,
    /// What is told of the initial situation and names something of what is asked.
    facts: Vec<&'t Term>,
    /// What is so in the initial situation, where that counts.
    initially: Vec<&'t Term>,
    known: RefCell<HashMap<usize, OptionLook>>,
}

impl<'t> OptionLister<'t> {
    /// Lists terms, by their numbers, beside others and the told actions.
    pub(super) fn new(
        terms: &'t [Term],
        (besides, left_out): (Vec<&'t Term>, Vec<&'t str>),
        plan: impl Iterator<Item = &'t Term>,
    ) -> OptionLister<'t> {
        let asked: Vec<&str> = besides.iter().copied().flat_map(Term::constants).collect();
        let shapes: Vec<TermShape> = besides.iter().map(|term| shape(term, &besides)).collect();
        let plan: Vec<&Term> = plan.collect();
        let is_touched = plan.iter().any(|action| asked.iter().any(|one| action.mentions(one)));
        let pattern = hashed((shapes, is_touched));
        let (facts, initially, known) = (Vec::new(), Vec::new(), RefCell::default());
        OptionLister { terms, besides, left_out, asked, pattern, plan, facts, initially, known }
    }

    /// Beside what is told of the initial situation, too.
    pub(super) fn beside_facts(self, facts: impl Iterator<Item = &'t Term>) -> OptionLister<'t> {
        let names_asked = |fact: &&Term| self.asked.iter().any(|one| fact.mentions(one));
        OptionLister { facts: facts.filter(names_asked).collect(), ..self }
    }

    /// So that options look alike in what links their own objects in the initial situation.
    pub(super) fn linked_initially(self, facts: impl Iterator<Item = &'t Term>) -> OptionLister<'t> {
        OptionLister { initially: facts.collect(), ..self }
    }

    /// Of an option with several objects, what else is so initially that names all of them.
    fn links(&self, option: &Term, own: &[&str]) -> Vec<u64> {
        let names_all = |fact: &&Term| own.iter().all(|one| fact.mentions(one));
        let others = self.initially.iter().copied().filter(|fact| own.len() > 1 && *fact != option);
        let mut found: Vec<u64> =
            others.filter(names_all).map(|fact| touched_by(&[fact], own, &[])).collect();
        found.sort_unstable();
        found
    }

    /// What is told of these objects together with others that are asked about.
    fn linked(&self, own: &[&str]) -> Vec<u64> {
        let others: Vec<&str> = self.asked.iter().copied().filter(|one| !own.contains(one)).collect();
        let names = |fact: &Term, all: &[&str]| all.iter().any(|one| fact.mentions(one));
        let both = self.facts.iter().filter(|fact| names(fact, own) && names(fact, &others));
        let mut found: Vec<u64> = both.map(|fact| touched_by(&[fact], own, &self.asked)).collect();
        found.sort_unstable();
        found
    }

    /// How an option looks.
    pub(super) fn look(&self, option: usize) -> OptionLook {
        let new = || {
            let term = &self.terms[option];
            let own: Vec<&str> = term.constants().collect();
            let told = [self.linked(&own), self.links(term, &own)].concat();
            let touched = hashed((touched_by(&self.plan, &own, &self.asked), told));
            let left_out: Vec<bool> = own.iter().map(|object| self.left_out.contains(object)).collect();
            OptionLook { names: hashed((shape(term, &self.besides), left_out)), touched }
        };
        *self.known.borrow_mut().entry(option).or_insert_with(new)
    }

    /// What else is asked looks like this.
    pub(super) fn pattern(&self) -> u64 {
        self.pattern
    }

    /// Some options, each of another look.
    pub(super) fn of_looks(&self, some: &[usize], most: usize, rng: &mut ChaCha8Rng) -> Vec<usize> {
        let mut some = some.to_vec();
        some.shuffle(rng);
        let mut looks: HashSet<OptionLook> = HashSet::default();
        some.retain(|one| looks.insert(self.look(*one)));
        some.truncate(most);
        some
    }

    /// Lists of what is right with rivals that look like it to whoever goes by names alone; one, if there is a rival to which the
    /// actions do the same, or else one for each of some looks. Of what is wrong, what comes first is listed first.
    pub(super) fn alike(&self, right: usize, wrong: &[usize], rng: &mut ChaCha8Rng) -> Vec<OptionList> {
        let own = self.look(right);
        let (same, others): (Vec<usize>, Vec<usize>) =
            wrong.iter().partition(|one| self.look(**one).names == own.names);
        let rivals = self.rivals(own, &same);
        let rest: Vec<usize> = same.into_iter().chain(others).collect();
        self.lists(right, rivals, &rest, rng)
    }

    /// Lists of what is right with rivals to which the actions do the same: such as look like it, or else others whose looks are wanted,
    /// `first` of all such.
    pub(super) fn any(
        &self,
        right: usize,
        wrong: &[usize],
        (first, wanted): (&dyn Fn(usize) -> bool, &HashSet<OptionLook>),
        rng: &mut ChaCha8Rng,
    ) -> Vec<OptionList> {
        let own = self.look(right);
        let is_rival = |one: &usize| {
            let look = self.look(*one);
            look == own || look.touched == own.touched && wanted.contains(&look)
        };
        let mut rivals: Vec<usize> = wrong.iter().copied().filter(is_rival).collect();
        rivals.sort_by_key(|one| !first(*one));
        self.lists(right, self.rivals(own, &rivals), wrong, rng)
    }

    /// Lists with each of these rivals, of those that do not look alike in all orders.
    fn lists(
        &self,
        right: usize,
        rivals: Vec<usize>,
        rest: &[usize],
        rng: &mut ChaCha8Rng,
    ) -> Vec<OptionList> {
        let mut found: Vec<OptionList> = Vec::new();
        for rival in rivals {
            let orders = if self.look(rival) == self.look(right) { 1 } else { ORDERS };
            for list in (0..orders).filter_map(|order| self.list([right, rival], rest, order, rng)) {
                if !found.iter().any(|known| known.rivalry == list.rivalry) {
                    found.push(list);
                }
            }
        }
        found
    }

    /// The first that looks like what is right, or else the first of each of some looks.
    fn rivals(&self, own: OptionLook, wrong: &[usize]) -> Vec<usize> {
        if let Some(alike) = wrong.iter().find(|one| self.look(**one) == own) {
            return vec![*alike];
        }
        let mut looks: HashSet<OptionLook> = HashSet::default();
        let mut found = wrong.to_vec();
        found.retain(|one| looks.insert(self.look(*one)));
        found.truncate(RIVALS);
        found
    }

    /// Lists of what is right, its rival and what else is wrong: if the two look alike, what looks like them; or else what looks like
    /// neither, in an order of looks by names, so that other questions list what looks the same. If possible the others name the
    /// same of the two.
    fn list(&self, two: [usize; 2], rest: &[usize], order: u32, rng: &mut ChaCha8Rng) -> Option<OptionList> {
        let looks = two.map(|one| self.look(one));
        let rest = rest.iter().copied().filter(|one| *one != two[1]);
        let (mut alike, mut others): (Vec<usize>, Vec<usize>) =
            rest.partition(|one| looks.contains(&self.look(*one)));
        if looks[0] != looks[1] {
            alike.clear();
            others.sort_by_cached_key(|one| hashed((order, self.look(*one).names)));
        }
        alike.truncate(TRIED);
        others.truncate(TRIED);
        let many = alike.len();
        let tried: Vec<usize> = alike.into_iter().chain(others).collect();
        let named = |one: &usize| NamedConstants::of(&self.terms[*one]);
        let (own, others) = (two.each_ref().map(named), tried.iter().map(named).collect::<Vec<_>>());
        let pairs = (0..tried.len()).flat_map(|one| (one + 1..tried.len()).map(move |other| [one, other]));
        let beside = |[one, other]: [usize; 2]| [&own[0], &own[1], &others[one], &others[other]];
        let differ = |pair: [usize; 2]| {
            let terms = beside(pair);
            named_beside(&terms, 0) != named_beside(&terms, 1)
        };
        // The more of them look like the two, the sooner they are tried.
        let mut pairs: Vec<[usize; 2]> = pairs.collect();
        pairs.sort_by_key(|pair| pair.iter().filter(|place| **place >= many).count());
        let best = pairs.iter().copied().find(|pair| !differ(*pair)).or(pairs.first().copied())?;
        let mut all = vec![two[0], two[1], tried[best[0]], tried[best[1]]];
        let terms = beside(best);
        let seen: [(OptionLook, u64); CHOICES] =
            std::array::from_fn(|place| (self.look(all[place]), named_beside(&terms, place)));
        let [own, other, rest @ ..] = seen;
        // Of what is told in part others tell of each other as well, by what the actions do to them.
        let is_partly = !self.left_out.is_empty();
        let mut rest =
            rest.map(|(look, named)| (look.names, named, if is_partly { look.touched } else { 0 }));
        rest.sort_unstable();
        let between = hashed((self.pattern, own.min(other), own.max(other), rest));
        let side = (own != other).then_some(u64::from(own < other));
        all.shuffle(rng);
        let place = all.iter().position(|one| *one == two[0])? + 1;
        Some(OptionList { all, place, rivalry: Rivalry { between, side } })
    }
}

/// A term's functor, and its constants in order.
struct NamedConstants<'t> {
    functor: &'t str,
    constants: Vec<&'t str>,
}

impl<'t> NamedConstants<'t> {
    fn of(term: &'t Term) -> NamedConstants<'t> {
        NamedConstants { functor: term.functor(), constants: term.constants().collect() }
    }
}

/// What the others of some terms name of what one of them names: of each of its constants, where in which terms.
fn named_beside(terms: &[&NamedConstants], place: usize) -> u64 {
    let others = || terms.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, term)| *term);
    let of = |constant: &str| {
        let mut places: Vec<(&str, usize)> = Vec::new();
        for NamedConstants { functor, constants } in others() {
            let at = (0..constants.len()).filter(|at| constants[*at] == constant);
            places.extend(at.map(|at| (*functor, at)));
        }
        places.sort_unstable();
        places
    };
    hashed(terms[place].constants.iter().map(|constant| of(constant)).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(all: &[&str]) -> Vec<Term> {
        all.iter().map(|term| term.parse().unwrap()).collect()
    }

    #[test]
    fn rivals_look_alike_or_change_places() {
        let mut rng = racgen_logic::seed::stream(1, &["lists"]);
        let options = terms(&["on(b1,b2)", "on(b1,b3)", "on(b1,b4)", "on(b1,b5)", "clear(b6)", "clear(b7)"]);
        let asked = terms(&["clear(b1)"]);
        let plan = terms(&["move(b2,table)", "move(b6,table)"]);
        let lister = OptionLister::new(&options, (asked.iter().collect(), Vec::new()), plan.iter());
        // Nothing happened to the third and its like.
        let [list] = &lister.alike(2, &[0, 1, 3, 4, 5], &mut rng)[..] else { panic!("one list") };
        assert_eq!((list.all[list.place - 1], list.rivalry.side), (2, None));
        assert!(list.all.contains(&1) && list.all.contains(&3) && list.all.len() == CHOICES);
        // What was moved has no rival of its looks among what was not, so that there is to be a mate.
        let moved = lister.alike(0, &[1, 2, 4, 5], &mut rng);
        let other = lister.alike(1, &[0, 4, 5], &mut rng);
        assert!(!moved.is_empty() && moved.iter().all(|list| list.rivalry.side.is_some()));
        let mates = |one: &OptionList| {
            let rivalry = one.rivalry;
            other
                .iter()
                .any(|list| list.rivalry.between == rivalry.between && list.rivalry.side != rivalry.side)
        };
        assert!(moved.iter().any(mates));
        // Of another kind nothing looks alike.
        assert!(lister.alike(4, &[0, 1, 2, 3], &mut rng).is_empty());
    }

    #[test]
    fn an_option_stands_out_by_what_the_others_name_of_it() {
        let options = terms(&["on(a,x)", "on(b,x)", "on(x,c)", "on(d,e)", "on(x,f)"]);
        let all: Vec<NamedConstants> = options.iter().map(NamedConstants::of).collect();
        let all: Vec<&NamedConstants> = all.iter().collect();
        let named: Vec<u64> = (0..all.len()).map(|place| named_beside(&all, place)).collect();
        assert_eq!((named[0], named[2]), (named[1], named[4]));
        assert!(named[0] != named[2] && named[0] != named[3] && named[2] != named[3]);
    }
}
