//! A group of families of questions to the ground rules that answer them, for 64 fluents or actions at once.
//!
//! What a family means stands in `asp/GROUP.lp`, over `asp/narrative.lp`. Its rules are grounded once for each length of a
//! plan, with placeholders for the fluents, actions and objects of a question, whose truth is left open; lanes of the
//! evaluator are then different fluents. So a new family over the history of a story needs rules and wordings only.

use std::time::Duration;

use racgen_logic::clingo::{Program, Source};
use racgen_logic::error::LogicError;
use racgen_logic::evaluate::lanes::{LaneEvaluator, LaneValues, Word};
use racgen_logic::term::Term;

use crate::domain::embedded::axioms;
use crate::phrases::pattern::{Pattern, PatternPlace};
use crate::simulate::situation::{BitSet, Situation};
use crate::simulate::theory::named_atoms::{AtomPlace, NamedAtoms};
use crate::simulate::transitions::compiled_layout::Kind;
use crate::simulate::transitions::lanes::truth;

/// The most members that a list in an answer has, and a list that is to be short.
const MOST_LISTED: usize = 40;
const MOST_SHORT: usize = 16;

/// What is derived.
pub(crate) const DERIVED: &[(&str, usize)] =
    &[("ask", 2), ("answer", 2), ("list", 1), ("short", 1), ("counts", 1), ("member", 2), ("decided", 2)];
/// What is left open.
const OPEN: &[(&str, usize)] =
    &[("holds", 2), ("next", 1), ("can", 1), ("said", 1), ("about", 2), ("listed", 1)];

/// The placeholders of a question's fluents, of its action, and of a fluent and an action that may be members of a list.
const SUBJECTS: [&str; 2] = ["f", "h"];
const ACTION: &str = "a";
const ANY_FLUENT: &str = "x";
const ANY_ACTION: &str = "y";

/// Situations evaluated at once.
const LANES: usize = 64;

/// The sources of a group's rules.
pub(crate) fn sources(group: &str) -> Vec<Source> {
    vec![axioms("narrative.lp"), axioms(&format!("{group}.lp"))]
}

/// The constants of a group's rules.
pub(crate) fn constants(depth: usize) -> Vec<(String, i64)> {
    let most = [("most_listed", MOST_LISTED), ("most_short", MOST_SHORT), ("n", depth)];
    most.into_iter().map(|(name, value)| (name.to_owned(), value as i64)).collect()
}

/// The only answer of a group's program to a question about questions, where `given` says what is known of those; none where
/// the rules do not ask it.
///
/// # Errors
/// Solver failures; rules that have several answer sets, or not one answer.
pub(crate) fn only_answer(
    group: &str,
    question: &Term,
    given: String,
    limit: Duration,
) -> Result<Option<Term>, LogicError> {
    let mut all = sources(group);
    all.push(Source::new("the questions within", given));
    let program = Program { sources: all, parts: vec![], constants: constants(1) };
    let found = program.search(DERIVED, None, limit)?.enumerate(2)?;
    let fault = |message: String| LogicError::Program { place: format!("asp/{group}.lp"), message };
    let [only] = found.as_slice() else {
        return Err(fault(format!("`{question}` has {} answer sets", found.len())));
    };
    if !only.iter().any(|term| term.functor() == "ask") {
        return Ok(None);
    }
    let answers: Vec<&Term> =
        only.iter().filter(|term| term.is("answer", 2)).map(|term| &term.args()[1]).collect();
    match answers.as_slice() {
        [answer] => Ok(Some((*answer).clone())),
        _ => Err(fault(format!("`{question}` has {} answers", answers.len()))),
    }
}

/// The situations of a story, and what can be done in the last of them.
#[derive(Clone, Debug)]
pub struct History<'s> {
    /// The situations, from the initial one on.
    pub passed: Vec<&'s Situation>,
    /// The actions executable in the last one.
    pub executable: &'s BitSet,
}

/// What is known of a question whose answer is a list, besides the history.
#[derive(Clone, Debug)]
pub struct Listing<'s> {
    /// The situation after the action that the question names.
    pub next: Option<&'s Situation>,
    /// The fluents that texts tell of.
    pub said: &'s BitSet,
    /// The fluents that name the question's object.
    pub about: Option<&'s BitSet>,
    /// The actions that the question lists.
    pub listed: Option<&'s BitSet>,
}

/// An answer that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundAnswer {
    /// Its place among [`FamilyRules::answers`].
    pub answer: usize,
    /// The situation that decides it, where a single one does.
    pub decided: Option<usize>,
}

/// What the rules say of one family.
#[derive(Debug)]
pub struct FamilyRules {
    /// The kind of its questions.
    pub kind: Kind,
    /// Is the answer a set?
    pub is_list: bool,
    /// Is that to be short?
    is_short: bool,
    /// Is it the size of one?
    pub counts: bool,
    /// All answers, where it is no set.
    pub answers: Vec<Term>,
    asked: AtomPlace,
    answered: Vec<AtomPlace>,
    decided: Vec<(usize, AtomPlace)>,
    list: AtomPlace,
    fluent_member: AtomPlace,
    action_member: AtomPlace,
}

/// The ground rules of a group, for plans of one length.
pub struct FamilyProgram {
    evaluator: LaneEvaluator,
    /// By family, in the order given.
    pub families: Vec<FamilyRules>,
    holds: [Vec<AtomPlace>; 3],
    next: AtomPlace,
    said: AtomPlace,
    about: AtomPlace,
    can: [AtomPlace; 2],
    listed: AtomPlace,
}

/// The question of a family with placeholders in its slots.
fn placeholder(pattern: &Pattern) -> Term {
    let mut fluents = SUBJECTS.into_iter();
    let args = pattern.places.iter().map(|place| match place {
        PatternPlace::Slot { kind, .. } if kind == "fluent" => fluents.next().unwrap_or("f").to_owned(),
        PatternPlace::Slot { kind, .. } if kind == "action" => ACTION.to_owned(),
        PatternPlace::Slot { kind, .. } => kind.chars().take(1).collect(),
        PatternPlace::Constant(name) => name.clone(),
    });
    Term::function(&pattern.functor, args.map(|name| Term::constant(&name)).collect())
}

impl FamilyProgram {
    /// Grounds the rules of a group for plans of this many actions.
    ///
    /// # Errors
    /// Rules that cannot be grounded, or that the evaluator does not take.
    pub fn new(group: &str, families: &[&Pattern], depth: usize) -> Result<FamilyProgram, LogicError> {
        let wanted: Vec<Term> = families.iter().map(|pattern| placeholder(pattern)).collect();
        let mut text: String = wanted.iter().map(|question| format!("wanted({question}).\n")).collect();
        let [f, h] = SUBJECTS;
        text += &format!("{{ holds({f},T); holds({h},T); holds({ANY_FLUENT},T) }} :- time(T).\n");
        text += &format!(
            "{{ next({ANY_FLUENT}); said({ANY_FLUENT}); about({ANY_FLUENT},o); can({ACTION}); can({ANY_ACTION}); \
             listed({ANY_ACTION}) }}.\n"
        );
        text += "told_action(T,step(T)) :- time(T), T > 0.\n";
        let mut all = sources(group);
        all.push(Source::new("the placeholders", text));
        let program = Program { sources: all, parts: vec![], constants: constants(depth) };
        let ground = program.ground(&[DERIVED, OPEN].concat())?;
        let names = NamedAtoms::new(&ground.named);
        let families: Vec<FamilyRules> =
            wanted.iter().map(|question| FamilyRules::new(question, &names)).collect();
        let targets: Vec<u32> = families.iter().flat_map(FamilyRules::atoms).collect();
        let evaluator = LaneEvaluator::new(&ground, &targets).map_err(|error| LogicError::Program {
            place: format!("asp/{group}.lp"),
            message: format!("the rules cannot be evaluated: {error:?}"),
        })?;
        let at = |name: &str, args: &[&str]| {
            names.place(&Term::function(name, args.iter().map(|arg| Term::constant(arg)).collect()))
        };
        let holds = |fluent: &str| -> Vec<AtomPlace> {
            let term = [Term::constant(fluent)];
            (0..=depth).map(|time| names.timed("holds", &term, time as i32)[0]).collect()
        };
        Ok(FamilyProgram {
            holds: [holds(f), holds(h), holds(ANY_FLUENT)],
            next: at("next", &[ANY_FLUENT]),
            said: at("said", &[ANY_FLUENT]),
            about: at("about", &[ANY_FLUENT, "o"]),
            can: [at("can", &[ACTION]), at("can", &[ANY_ACTION])],
            listed: at("listed", &[ANY_ACTION]),
            evaluator,
            families,
        })
    }

    /// The answers to the questions of all families about fluents, given as stories with up to two fluents: by question,
    /// then by family. What is not asked, or asks for a set, has none.
    pub fn answers(&self, asked: &[(&History, [usize; 2])]) -> Vec<Vec<Option<FoundAnswer>>> {
        let mut found = Vec::with_capacity(asked.len());
        for some in asked.chunks(LANES) {
            let mut values = self.evaluator.values::<1>();
            for (slot, places) in self.holds[..2].iter().enumerate() {
                for (time, place) in places.iter().enumerate() {
                    set(&mut values, *place, |lane| {
                        let (history, fluents) = some.get(lane)?;
                        Some(history.passed[time].contains(fluents[slot]))
                    });
                }
            }
            self.evaluator.run(&mut values);
            found.extend((0..some.len()).map(|lane| {
                self.families.iter().map(|family| family.found(&values, lane)).collect::<Vec<_>>()
            }));
        }
        found
    }

    /// The fluents and the actions that belong to the answer of a family's question; none if it is not asked.
    pub fn members(
        &self,
        family: usize,
        history: &History,
        listing: &Listing,
        sizes: (usize, usize),
    ) -> Option<(Vec<usize>, Vec<usize>)> {
        let rules = &self.families[family];
        let (fluents, asked) = self.lanes(rules, history, listing, sizes.0, true);
        let (actions, also) = self.lanes(rules, history, listing, sizes.1, false);
        (asked || also).then_some((fluents, actions))
    }

    /// Those of the fluents, or of the actions, that are members, and whether the question is asked.
    fn lanes(
        &self,
        rules: &FamilyRules,
        history: &History,
        listing: &Listing,
        size: usize,
        of_fluents: bool,
    ) -> (Vec<usize>, bool) {
        let member = if of_fluents { rules.fluent_member } else { rules.action_member };
        if matches!(member, AtomPlace::Never) {
            return (Vec::new(), false);
        }
        let (mut found, mut asked) = (Vec::new(), false);
        for start in (0..size).step_by(LANES) {
            let mut values = self.evaluator.values::<1>();
            let all = LANES.min(size - start);
            let here = |lane: usize| (lane < all).then_some(start + lane);
            if of_fluents {
                for (time, place) in self.holds[2].iter().enumerate() {
                    set(&mut values, *place, |lane| Some(history.passed[time].contains(here(lane)?)));
                }
                set(&mut values, self.next, |lane| Some(listing.next?.contains(here(lane)?)));
                set(&mut values, self.said, |lane| Some(listing.said.contains(here(lane)?)));
                set(&mut values, self.about, |lane| Some(listing.about?.contains(here(lane)?)));
            } else {
                set(&mut values, self.can[1], |lane| Some(history.executable.contains(here(lane)?)));
                set(&mut values, self.listed, |lane| Some(listing.listed?.contains(here(lane)?)));
            }
            // The action of the question can be carried out where a situation comes after it.
            set(&mut values, self.can[0], |_| Some(listing.next.is_some()));
            self.evaluator.run(&mut values);
            let (members, list) = (truth(&values, member), truth(&values, rules.list));
            asked |= list.get(0);
            found.extend((0..all).filter(|lane| members.get(*lane)).map(|lane| start + lane));
        }
        (found, asked)
    }
}

/// Gives an open atom its truth in each lane.
fn set(values: &mut LaneValues<1>, place: AtomPlace, holds: impl Fn(usize) -> Option<bool>) {
    let AtomPlace::Atom(atom) = place else { return };
    let mut word = Word::<1>::NONE;
    (0..LANES).filter(|lane| holds(*lane) == Some(true)).for_each(|lane| word.insert(lane));
    values.set(atom, word);
}

impl FamilyRules {
    fn new(question: &Term, names: &NamedAtoms) -> FamilyRules {
        let own = |name: &'static str| {
            let all = names.predicate(name, 2).filter(|(term, _)| term.args()[0] == *question);
            all.map(|(term, place)| (term.args()[1].clone(), place)).collect::<Vec<_>>()
        };
        let asks = own("ask");
        let named = |name: &Term| Kind::ALL.into_iter().find(|kind| name.is(kind.name(), 0));
        let kind = asks.iter().find_map(|(name, _)| named(name)).unwrap_or(Kind::Other);
        let mut answers = own("answer");
        answers.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        let flag = |name: &str| names.place(&Term::function(name, vec![question.clone()]));
        let (list, counts) = (flag("list"), flag("counts"));
        let is_list = !matches!(list, AtomPlace::Never);
        let counted = !matches!(counts, AtomPlace::Never);
        let member = |thing: &str| {
            names.place(&Term::function("member", vec![question.clone(), Term::constant(thing)]))
        };
        let time = |term: &Term| if let Term::Number(time) = term { *time as usize } else { 0 };
        let (answers, answered) = answers.into_iter().unzip();
        FamilyRules {
            kind,
            is_list,
            is_short: !matches!(flag("short"), AtomPlace::Never),
            counts: counted,
            answers,
            answered,
            asked: asks.first().map_or(AtomPlace::Never, |(_, place)| *place),
            decided: own("decided").iter().map(|(term, place)| (time(term), *place)).collect(),
            list: if is_list { list } else { counts },
            fluent_member: member(ANY_FLUENT),
            action_member: member(ANY_ACTION),
        }
    }

    /// The most members that a list has.
    pub fn most_listed(&self) -> usize {
        if self.is_short { MOST_SHORT } else { MOST_LISTED }
    }

    fn atoms(&self) -> impl Iterator<Item = u32> {
        let own = [self.asked, self.list, self.fluent_member, self.action_member];
        let decided = self.decided.iter().map(|(_, place)| *place);
        let all = own.into_iter().chain(self.answered.iter().copied()).chain(decided);
        all.filter_map(|place| if let AtomPlace::Atom(atom) = place { Some(atom) } else { None })
    }

    fn found(&self, values: &LaneValues<1>, lane: usize) -> Option<FoundAnswer> {
        if self.is_list || self.counts || !truth(values, self.asked).get(lane) {
            return None;
        }
        let answer = self.answered.iter().position(|place| truth(values, *place).get(lane))?;
        let decided = self.decided.iter().find(|(_, place)| truth(values, *place).get(lane));
        Some(FoundAnswer { answer, decided: decided.map(|(time, _)| *time) })
    }
}
