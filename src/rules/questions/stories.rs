//! Rules to stories with questions: facts and rules as sentences, and whether something follows, at a known depth.
//!
//! Each story has the data set's rules and a few facts of its own about persons. For each proof depth that occurs, it
//! asks about one fact that holds and one on the same predicate that does not, so that yes and no are equally
//! frequent at each depth; the depth of the latter question is that of its partner. Where the stated facts name
//! the persons of the one together, they do so with the other, too, wherever there is such a fact.

use std::borrow::Cow;
use std::sync::Arc;

use racgen_data::row::{ObjectName, Row};
use racgen_logic::canonical::world_key;
use racgen_logic::seed::{digest, stream};
use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rustc_hash::FxHashSet as HashSet;

use crate::items::row_builder::{Asked, Place, Telling, row};
use crate::language::tell::verbalize::Verbalize;
use crate::rules::datalog::closure::Closure;
use crate::rules::datalog::judge as referee;
use crate::rules::datalog::syntax::{Arg, Atom, Fact, Rule};
use crate::rules::error::RulesError;
use crate::rules::generate::dataset::RuleData;
use crate::rules::generate::graph::RuleGraph;
use crate::rules::generate::instantiate::{Growth, Instantiation};
use crate::rules::questions::verbalizer::{Phrases, RuleVerbalizer, pick};

/// Persons of a story besides those that the rules name.
const PERSONS: usize = 8;
/// Most persons of a story.
const MOST_PERSONS: usize = 30;
/// Support facts of a story, at least and at most, before the last instance.
const FACTS: (usize, usize) = (5, 14);
/// Most facts in all.
const MOST_FACTS: u64 = 400;
/// Stories tried for each that is needed.
const TRIES: u64 = 20;
/// The splits, and how many of ten stories are theirs.
pub const SPLIT_NAMES: [(&str, u32); 3] = [("train", 8), ("validation", 1), ("test", 1)];
/// Out of ten stories, those of validation and test.
const SPLITS: [&str; 10] =
    ["train", "train", "train", "train", "validation", "train", "train", "train", "train", "test"];

/// The rules with their constants renumbered from 0, and how many those are.
fn own_constants(graph: &RuleGraph) -> (RuleGraph, usize) {
    let mut graph = graph.clone();
    let mut known: Vec<u32> = Vec::new();
    for node in &mut graph.nodes {
        for arg in node.rule.body.iter_mut().flat_map(|atom| &mut atom.args) {
            if let Arg::Constant(constant) = arg {
                let place = known.iter().position(|k| k == constant).unwrap_or_else(|| {
                    known.push(*constant);
                    known.len() - 1
                });
                *constant = place as u32;
            }
        }
    }
    (graph, known.len())
}

/// Makes at least `count` questions, in pairs of yes and no. No two stories have the same facts up to renaming.
///
/// # Errors
/// [`RulesError::Settings`] if the rules need more persons or words than there are; those of clingo.
pub fn questions(data: &RuleData, count: u64) -> Result<Vec<Row>, RulesError> {
    let phrases = Phrases::new(data, &mut stream(data.settings.seed, &["rules", "words"]))?;
    let (graph, own) = own_constants(&data.graph);
    if count > 0 && own + PERSONS > MOST_PERSONS {
        return Err(RulesError::Settings(format!(
            "the rules name {own} constants, and --questions tells of {} persons at most; lower the weight of \
             constants in --terms, or ask for --questions 0",
            MOST_PERSONS - PERSONS
        )));
    }
    let mut rows = Vec::new();
    let mut worlds = HashSet::default();
    let mut number = 0;
    while (rows.len() as u64) < count && number < count * TRIES {
        let split = SPLITS[(number % 10) as usize];
        let mut rng = stream(data.settings.seed, &["rules", "story", &number.to_string()]);
        number += 1;
        if let Some(mut story) = story(data, &graph, own, &phrases, &mut rng)?
            && story.first().is_some_and(|row| worlds.insert(row.world.clone()))
        {
            for row in &mut story {
                row.split = split.into();
                row.index = rows.len() as i64;
                row.id = identity(row);
                rows.push(row.clone());
            }
        }
    }
    Ok(rows)
}

/// How much the words of a story tell two facts apart: does a stated fact name all persons of the one, but none
/// all of the other; does one name more persons than the other; does a person stand where nobody is known to
/// stand; how far apart are the numbers of times that stated facts name the persons.
type Distance = (bool, bool, bool, usize);

/// Finds for a fact that holds one on the same predicate that does not.
struct Partners<'s> {
    given: &'s [Fact],
    known: &'s [(Fact, u32)],
    persons: &'s [u32],
    closure: &'s Closure,
    twice: &'s HashSet<u32>,
}

impl Partners<'_> {
    /// One person is exchanged, or two change places, so that the names say as little about the answer as can be.
    fn of(&self, fact: &Fact, taken: &HashSet<Fact>, rng: &mut ChaCha8Rng) -> Option<(Distance, Fact)> {
        let mut changed: Vec<Fact> = Vec::new();
        let mut change = |alter: &dyn Fn(&mut [u32])| {
            let mut other = fact.clone();
            alter(&mut other.args);
            let sensible = distinct(&other) == other.args.len() || self.twice.contains(&other.predicate);
            if sensible && !self.closure.contains(other.predicate, &other.args) && !taken.contains(&other) {
                changed.push(other);
            }
        };
        for place in 0..fact.args.len() {
            self.persons.iter().for_each(|person| change(&|args| args[place] = *person));
            (0..place).for_each(|other| change(&|args| args.swap(place, other)));
        }
        changed.shuffle(rng);
        let together = self.together(fact) > 0;
        let (persons, named) = (distinct(fact), self.named(fact));
        let distance = |other: &Fact| {
            let usual = other.args.iter().enumerate().all(|(place, person)| {
                let there = |(known, _): &(Fact, u32)| {
                    known.predicate == other.predicate && known.args.get(place) == Some(person)
                };
                self.known.iter().any(there)
            });
            let apart = (self.together(other) > 0) != together;
            (apart, distinct(other) != persons, !usual, self.named(other).abs_diff(named))
        };
        changed.into_iter().map(|other| (distance(&other), other)).min_by_key(|(distance, _)| *distance)
    }

    /// How many stated facts name all persons of this one.
    fn together(&self, fact: &Fact) -> usize {
        self.given.iter().filter(|told| fact.args.iter().all(|person| told.args.contains(person))).count()
    }

    /// How often stated facts name the persons of this one.
    fn named(&self, fact: &Fact) -> usize {
        let times =
            |person: &u32| self.given.iter().flat_map(|told| &told.args).filter(|p| *p == person).count();
        fact.args.iter().map(times).sum()
    }
}

/// The predicates that rules name with one argument twice, or of which these ask for that. Of all others, no story tells
/// that somebody warns himself.
fn named_twice(rules: &[Rule]) -> HashSet<u32> {
    let atoms = rules.iter().flat_map(|rule| std::iter::once(&rule.head).chain(&rule.body));
    let repeats = |args: &[Arg]| args.iter().enumerate().any(|(i, arg)| args[..i].contains(arg));
    let mut twice: HashSet<u32> =
        atoms.filter(|atom| repeats(&atom.args)).map(|atom| atom.predicate).collect();
    loop {
        // Two arguments of a head that may be the same stand in an atom of the body together.
        let passed = rules.iter().filter(|rule| twice.contains(&rule.head.predicate)).flat_map(|rule| {
            let of_head = |atom: &&Atom| {
                let own: HashSet<u32> =
                    atom.variables().filter(|v| rule.head.variables().any(|h| h == *v)).collect();
                own.len() > 1
            };
            rule.body.iter().filter(of_head).map(|atom| atom.predicate)
        });
        let more: Vec<u32> = passed.filter(|predicate| !twice.contains(predicate)).collect();
        if more.is_empty() {
            return twice;
        }
        twice.extend(more);
    }
}

/// How many persons a fact names.
fn distinct(fact: &Fact) -> usize {
    fact.args.iter().collect::<HashSet<_>>().len()
}

/// The id of a question: a hash of what it says and of its place.
pub(crate) fn identity(row: &Row) -> String {
    let parts = [&*row.split, &*row.world, &row.context, &row.question, &row.query, &row.index.to_string()];
    digest(parts.into_iter().chain([row.seed.to_string().as_str()]))
}

fn story(
    data: &RuleData,
    graph: &RuleGraph,
    own: usize,
    phrases: &Phrases,
    rng: &mut ChaCha8Rng,
) -> Result<Option<Vec<Row>>, RulesError> {
    let all = own + PERSONS;
    let wanted = rng.random_range(FACTS.0..=FACTS.1);
    let instances = stream(rng.random(), &["rules", "instances"]);
    let instantiation = Instantiation::new(graph, &data.settings, all as u32, MOST_FACTS, instances);
    let mut instantiation = instantiation.without_repetitions();
    let enough = |closure: &Closure| {
        if closure.given_count() >= wanted { Growth::Enough } else { Growth::Wanting }
    };
    if instantiation.grow(enough).is_err() {
        return Ok(None);
    }
    let rules = graph.rules();
    let given: Vec<Fact> = instantiation.closure.given().collect();
    let mut closure = instantiation.closure.emptied(&rules);
    given.iter().for_each(|fact| _ = closure.give(fact));
    closure.run("the story")?;
    if referee::consequences(&rules, &given)?.len() != closure.given_count() + closure.derived_count() {
        return Err(RulesError::Disagreement("in a story".into()));
    }

    let mut names = phrases.language.persons.clone();
    names.shuffle(rng);
    names.truncate(all);
    let teller = RuleVerbalizer { phrases, persons: &names, rules: &rules };
    let Ok(told) = teller.tell(&given, &[], rng);

    let id = |constant: u32| format!("c{constant}");
    let term = |fact: &Fact| {
        let args = fact.args.iter().map(|arg| Term::constant(&id(*arg))).collect();
        Term::function(graph.vocabulary.predicate_name(fact.predicate), args)
    };
    // Persons whom the text names: those of the rules, who differ from all others, and those of the facts.
    let in_facts = |person: u32| given.iter().any(|fact| fact.args.contains(&person));
    let persons: Vec<u32> = (0..all as u32).filter(|p| (*p as usize) < own || in_facts(*p)).collect();
    let ids: Vec<String> = persons.iter().map(|person| id(*person)).collect();
    let id_refs: Vec<&str> = ids.iter().map(String::as_str).collect();
    let kinds: Vec<usize> = persons
        .iter()
        .map(|person| if (*person as usize) < own { *person as usize + 1 } else { 0 })
        .collect();
    let terms: Vec<Term> = given.iter().map(term).collect();
    let program: Vec<String> = rules.iter().map(|rule| graph.vocabulary.rule(rule)).collect();
    let world: Arc<str> = world_key(&program.join("\n"), &id_refs, &kinds, &terms).into();
    let objects: Arc<[ObjectName]> = persons
        .iter()
        .zip(&ids)
        .map(|(person, id)| ObjectName {
            id: id.as_str().into(),
            kind: "person".into(),
            name: names[*person as usize].as_str().into(),
        })
        .collect();
    let telling =
        Telling { world, objects, facts: terms.iter().map(Term::to_string).collect(), ..told.telling() };

    let mut known: Vec<(Fact, u32)> =
        given.iter().map(|fact| (fact.clone(), 0)).chain(closure.derived()).collect();
    known.shuffle(rng);
    let deepest = known.iter().map(|(_, depth)| *depth).max().unwrap_or(0);
    let twice = named_twice(&rules);
    let can_ask = |fact: &Fact| distinct(fact) == fact.args.len() || twice.contains(&fact.predicate);
    let partners =
        Partners { given: &given, known: &known, persons: &persons, closure: &closure, twice: &twice };
    let mut denied: HashSet<Fact> = HashSet::default();
    let mut rows = Vec::new();
    for depth in 0..=deepest {
        let at_depth = known.iter().filter(|(fact, d)| *d == depth && can_ask(fact));
        let mut best: Option<(Distance, &Fact, Fact)> = None;
        for (fact, _) in at_depth {
            if let Some((distance, partner)) = partners.of(fact, &denied, rng)
                && best.as_ref().is_none_or(|(least, ..)| distance < *least)
            {
                best = Some((distance, fact, partner));
            }
            if best.as_ref().is_some_and(|(least, ..)| *least == Distance::default()) {
                break;
            }
        }
        let Some((_, holds, fails)) = best else { continue };
        denied.insert(fails.clone());
        let form = pick(&phrases.language.questions, rng);
        let mut pair = [(holds, "yes"), (&fails, "no")];
        pair.shuffle(rng);
        for (fact, answer) in pair {
            let (question, template) = teller.question(fact, form, rng);
            let place = Place {
                domain: "rules",
                split: "",
                level: 1,
                depth: depth as i32,
                seed: data.settings.seed,
                index: 0,
            };
            let asked = Asked {
                question_type: Cow::Borrowed("verify"),
                family: "follows".into(),
                template,
                question,
                answer: answer.to_owned(),
                answer_type: Cow::Borrowed("bool"),
                query: Term::function("follows", vec![term(fact)]).to_string(),
                gold: vec![answer.to_owned()],
            };
            rows.push(row(&place, &telling, asked));
        }
    }
    Ok(Some(rows))
}
