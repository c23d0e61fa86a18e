//! Stories to all that they offer to families beyond prediction.

use std::collections::{BTreeMap, BTreeSet};

use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::domain::package::Package;
use crate::domain::question_groups::suits;
use crate::factory::choosing::profile::Shapes;
use crate::factory::error::FactoryError;
use crate::factory::further::extra_cells::difficulty;
use crate::factory::further::named_objects::NamedObjects;
use crate::factory::further::offers::{Given, OfferCell, OfferedQuestion, Offers, Subject};
use crate::factory::further::option_lists::shape;
use crate::factory::further::programs::{GroupProgram, Programs};
use crate::factory::further::proving::KnownProofs;
use crate::factory::further::search_families::LastingFunctors;
use crate::language::words::lexicon::Lexicon;
use crate::phrases::book::FamilyPhrases;
use crate::phrases::pattern::PatternPlace;
use crate::simulate::error::SimulationError;
use crate::simulate::narrative::family_program::{FoundAnswer, History, Listing};
use crate::simulate::narrative::told_kinds::told_kinds;
use crate::simulate::situation::{BitSet, Outcome, Situation};
use crate::simulate::story::{Simulator, Story};
use crate::simulate::transitions::transition_system::TransitionSystem;

/// Fluents that are paired with another whose first time is asked about, besides those that change.
const STEADY: usize = 3;
/// Actions of a story after which is asked what they change.
const MOST_NEXT: usize = 4;
/// Actions that a question lists, and how often a story is asked to count among some.
const LISTED: usize = 5;
const LISTS: usize = 4;

/// Gathers what stories of one layout offer.
#[derive(Clone, Copy)]
pub struct Gatherer<'g> {
    /// The package.
    pub package: &'g Package,
    /// The layout's phrases.
    pub lexicon: &'g Lexicon,
    /// Which objects the layout's questions and actions name.
    pub shapes: &'g Shapes,
    /// The rules of the groups.
    pub programs: &'g Programs,
    /// By type, how many names its objects may have.
    pub names: &'g [usize],
    /// The groups that are asked for.
    pub groups: &'g [String],
    /// The families that are asked about; all of them where none is named.
    pub chosen: &'g [String],
    /// By column of difficulty, the values that are asked for.
    pub effort: &'g BTreeMap<String, (i64, i64)>,
    /// Families of which nothing is needed, by their numbers.
    pub idle: &'g BTreeSet<usize>,
    /// What may stay so in the questions of each family that asks what can be meanwhile; all where nothing is known.
    pub lasting: &'g LastingFunctors,
}

/// The place of the told action that an answer is: in place of an action its step stands.
fn step_of(answer: &Term) -> Option<usize> {
    let number = answer.args().first().filter(|_| answer.is("step", 1))?;
    if let Term::Number(number) = number { usize::try_from(number - 1).ok() } else { None }
}

/// Do names tell that a told action made a fluent true? It names all that the fluent does, or no other of them looks like it beside that.
/// In theories nothing is named.
fn is_named(
    (engine, named): (&TransitionSystem, &NamedObjects),
    story: &Story,
    step: usize,
    fluent: usize,
) -> bool {
    let looks = |action: usize| shape(&engine.actions[action], &[&engine.fluents[fluent]]);
    let own = story.plan[step];
    named.names_all(own, fluent)
        || !story.plan.iter().any(|action| *action != own && looks(*action) == looks(own))
}

/// What can be said in a layout.
pub(crate) struct SayableTerms {
    /// By fluent, its place in the phrase book.
    pub(crate) entries: Vec<Option<usize>>,
    /// All fluents of which it can be said that they are true.
    pub(crate) fluents: Vec<usize>,
    /// The same as a set.
    pub(crate) statable: BitSet,
    /// Those of them that are not about one object alone. To deny of one object alone what is false of it is mostly to deny
    /// a denial: "it is not the case that the crane is empty".
    pub(crate) deniable: BitSet,
    /// The actions that have names.
    pub(crate) actions: BitSet,
}

impl<'g> Gatherer<'g> {
    pub(super) fn families(&self) -> &'g [FamilyPhrases] {
        &self.package.common.families
    }

    pub(super) fn wants(&self, family: &FamilyPhrases) -> bool {
        let named = self.chosen.is_empty() || self.chosen.contains(&family.pattern.functor);
        let outcomes = self.package.has_outcomes;
        named && self.groups.contains(&family.group) && suits(&family.pattern.functor, outcomes)
    }

    /// All that these stories, each with its number, offer.
    ///
    /// # Errors
    /// Solver failures; rules of a group that cannot be grounded.
    pub fn gather(
        &self,
        (stage, proofs): (&mut Simulator, &mut KnownProofs),
        stories: &[(usize, &Story)],
        rng: &mut ChaCha8Rng,
    ) -> Result<Offers, FactoryError> {
        let mut offers = Offers::new();
        // The story as it is told has its actions; without any there is nothing to ask.
        let stories: Vec<(usize, &Story)> =
            stories.iter().filter(|(_, story)| !story.plan.is_empty()).copied().collect();
        let Some(depth) = stories.first().map(|(_, story)| story.plan.len()) else { return Ok(offers) };
        let sayable = self.sayable(&stage.engine);
        for group in self.groups {
            let program = self.programs.of(group, self.families(), depth).map_err(SimulationError::from)?;
            if let Some(program) = program {
                self.history(stage, &program, &stories, &sayable, &mut offers, rng)?;
            }
        }
        self.edits(stage, &stories, &sayable, &mut offers, rng)?;
        self.searches((&mut *stage, proofs), &stories, &sayable, &mut offers, rng)?;
        self.partly(stage, &stories, &sayable, &mut offers, rng)?;
        self.composites(stage, &stories, &mut offers, rng)?;
        self.undefined(stage, &stories, &mut offers, rng);
        for (column, (least, most)) in self.effort {
            let fits = |offer: &OfferedQuestion| {
                difficulty(column, offer).is_some_and(|value| (*least..=*most).contains(&(value as i64)))
            };
            offers.values_mut().for_each(|all| all.retain(fits));
            offers.retain(|_, all| !all.is_empty());
        }
        Ok(offers)
    }

    fn sayable(&self, engine: &TransitionSystem) -> SayableTerms {
        sayable(self.package, self.lexicon, engine)
    }

    /// Families about the situations that stories pass.
    fn history(
        &self,
        stage: &mut Simulator,
        program: &GroupProgram,
        stories: &[(usize, &Story)],
        sayable: &SayableTerms,
        offers: &mut Offers,
        rng: &mut ChaCha8Rng,
    ) -> Result<(), FactoryError> {
        let lasts: Vec<&Situation> =
            stories.iter().map(|(_, s)| s.passed.last().unwrap_or(&s.initial)).collect();
        let size = stage.engine.actions.len();
        let can: Vec<BitSet> = stage.executable(&lasts)?.iter().map(|all| set(all, size)).collect();
        let could: Vec<BitSet> = stories.iter().map(|(_, story)| set(&story.possible, size)).collect();
        let nexts = self.nexts(stage, (stories, &lasts), (&can, &could), sayable, rng)?;
        // In the vocabulary of the generic domain no names can be seen.
        let named = self.lexicon.view.is_none().then(|| NamedObjects::of(&stage.engine));
        for (number, (told, story)) in stories.iter().enumerate() {
            let passed: Vec<&Situation> = std::iter::once(&story.initial).chain(&story.passed).collect();
            let idle = History { passed: vec![&story.initial; passed.len()], executable: &could[number] };
            let history = History { passed, executable: &can[number] };
            let guessed = named.as_ref().map(|named| by_names(named, story, sayable));
            let guessed = guessed
                .as_ref()
                .map(|all| History { passed: all.iter().collect(), executable: &can[number] });
            let by_names = named.as_ref().zip(guessed.as_ref());
            let nexts = &nexts[number];
            let scene = Told { number: *told, story, history: &history, idle: &idle, by_names, nexts };
            self.of_fluents(&stage.engine, program, &scene, sayable, offers, rng);
            self.of_lists(stage, program, &scene, sayable, offers, rng);
        }
        Ok(())
    }

    /// By story, some actions that can be carried out in its last situation, and where they lead from there and, if they
    /// can be carried out there, from the initial situation.
    fn nexts(
        &self,
        stage: &mut Simulator,
        (stories, lasts): (&[(usize, &Story)], &[&Situation]),
        (can, could): (&[BitSet], &[BitSet]),
        sayable: &SayableTerms,
        rng: &mut ChaCha8Rng,
    ) -> Result<Vec<Vec<NextStep>>, FactoryError> {
        let mut drawn: Vec<(usize, usize)> = Vec::new();
        for (number, can) in can.iter().enumerate() {
            let said: Vec<usize> = can.iter().filter(|action| sayable.actions.contains(*action)).collect();
            drawn.extend(said.sample(rng, MOST_NEXT).map(|action| (number, *action)));
        }
        let steps: Vec<(&Situation, usize)> =
            drawn.iter().map(|(story, action)| (lasts[*story], *action)).collect();
        let after = stage.engine.steps(&steps)?;
        let possible = drawn.iter().filter(|(story, action)| could[*story].contains(*action));
        let steps: Vec<(&Situation, usize)> =
            possible.map(|(story, action)| (&stories[*story].1.initial, *action)).collect();
        let mut before = stage.engine.steps(&steps)?.into_iter();
        let mut found: Vec<Vec<NextStep>> = stories.iter().map(|_| Vec::new()).collect();
        for ((story, action), after) in drawn.into_iter().zip(after) {
            let first = if could[story].contains(action) { before.next().flatten() } else { None };
            let situation = |outcome: Option<Outcome>| outcome.map(|outcome| outcome.situation);
            found[story].push(NextStep { action, after: situation(after), initially: situation(first) });
        }
        Ok(found)
    }

    /// Questions about one or two fluents.
    fn of_fluents(
        &self,
        engine: &TransitionSystem,
        program: &GroupProgram,
        scene: &Told,
        sayable: &SayableTerms,
        offers: &mut Offers,
        rng: &mut ChaCha8Rng,
    ) {
        let Told { history, idle, .. } = scene;
        let changes = |fluent: &usize| {
            let first = history.passed[0].contains(*fluent);
            history.passed.iter().any(|situation| situation.contains(*fluent) != first)
        };
        let (mut moving, mut steady): (Vec<usize>, Vec<usize>) =
            sayable.fluents.iter().partition(|fluent| changes(fluent));
        moving.sort_unstable();
        let mut pairs: Vec<[usize; 2]> = Vec::new();
        let comes = |fluent: &&usize| !history.passed[0].contains(**fluent);
        for second in moving.iter().filter(comes).copied() {
            let (some, _) = steady.partial_shuffle(rng, STEADY);
            let others = moving.iter().chain(some.iter()).filter(|first| **first != second && comes(first));
            pairs.extend(others.map(|first| [*first, second]));
        }
        let singles: Vec<[usize; 2]> = sayable.fluents.iter().map(|fluent| [*fluent; 2]).collect();
        for (count, all) in [(1, singles), (2, pairs)] {
            let wanted: Vec<(usize, usize)> = program
                .families
                .iter()
                .enumerate()
                .filter(|(_, family)| {
                    let family = &self.families()[**family];
                    self.wants(family)
                        && slots(family).len() == count
                        && slots(family).iter().all(|s| *s == "fluent")
                })
                .map(|(place, family)| (place, *family))
                .collect();
            if wanted.is_empty() {
                continue;
            }
            let of = |history| all.iter().map(|fluents| (history, *fluents)).collect::<Vec<_>>();
            let found = program.rules.answers(&of(*history));
            let without = program.rules.answers(&of(*idle));
            let guessed = scene.by_names.map(|(_, guessed)| program.rules.answers(&of(guessed)));
            for (place, family) in &wanted {
                let rules = &program.rules.families[*place];
                let mut here: BTreeMap<&str, Vec<OfferedQuestion>> = BTreeMap::new();
                for (number, ((fluents, found), without)) in all.iter().zip(&found).zip(&without).enumerate()
                {
                    let (Some(answer), without) = (found[*place], without[*place]) else { continue };
                    let step = step_of(&rules.answers[answer.answer]);
                    let is_told = |step: usize| {
                        let named = scene.by_names.map(|(named, _)| named);
                        named.is_some_and(|named| is_named((engine, named), scene.story, step, fluents[0]))
                    };
                    if step.is_some_and(is_told) {
                        continue;
                    }
                    // What is not asked there is not so.
                    let same = match without {
                        Some(other) => other.answer == answer.answer,
                        None => rules.answers[answer.answer].is("no", 0),
                    };
                    let guess = guessed.as_ref().and_then(|guessed| guessed[number][*place]);
                    let by_names = guess.is_some_and(|guess| guess.answer == answer.answer);
                    let offer = OfferedQuestion {
                        by_names,
                        ..scene.offer(
                            Subject::Fluents(fluents[..count].to_vec()),
                            &rules.answers[answer.answer],
                            answer,
                            same,
                        )
                    };
                    here.entry(engine.fluents[fluents[0]].functor()).or_default().push(offer);
                }
                for (functor, found) in here {
                    let cell = OfferCell { kind: rules.kind, family: *family, detail: functor.to_owned() };
                    offers.entry(cell).or_default().extend(found);
                }
            }
        }
    }

    /// Questions whose answers are sets, or the sizes of sets.
    fn of_lists(
        &self,
        stage: &Simulator,
        program: &GroupProgram,
        scene: &Told,
        sayable: &SayableTerms,
        offers: &mut Offers,
        rng: &mut ChaCha8Rng,
    ) {
        let shown = said(self.package, self.lexicon, sayable, Some(&scene.story.initial));
        let said = said(self.package, self.lexicon, sayable, None);
        for (place, number) in program.families.iter().enumerate() {
            let family = &self.families()[*number];
            let rules = &program.rules.families[place];
            if !self.wants(family) || !(rules.is_list || rules.counts) {
                continue;
            }
            for subject in self.subjects(stage, family, scene, sayable, rng) {
                let next = match &subject {
                    Subject::Action(action) => scene.nexts.iter().find(|next| next.action == *action),
                    _ => None,
                };
                let after = next.and_then(|next| next.after.as_ref());
                let found = self.members(stage, (program, place), (scene.history, after), &said, &subject);
                let Some((fluents, actions)) = found else { continue };
                // Of a kind that no statement of the text shows nobody could tell that it is meant.
                if fluents.iter().any(|fluent| !shown.contains(*fluent)) {
                    continue;
                }
                let after = next.and_then(|next| next.initially.as_ref());
                let idle = self.members(stage, (program, place), (scene.idle, after), &said, &subject);
                let count = fluents.len() + actions.len();
                if rules.is_list
                    && (count > rules.most_listed() || actions.iter().any(|a| !sayable.actions.contains(*a)))
                {
                    continue;
                }
                let (same, given) = match rules.counts {
                    true => {
                        let before = idle.map(|(f, a)| f.len() + a.len());
                        (before == Some(count), Given::Term(Term::Number(count as i32)))
                    }
                    false => {
                        let same = idle.as_ref() == Some(&(fluents.clone(), actions.clone()));
                        let of_actions = fluents.is_empty() && !actions.is_empty();
                        (same, if of_actions { Given::Actions(actions) } else { Given::Fluents(fluents) })
                    }
                };
                let detail = match &subject {
                    Subject::Action(action) => stage.engine.actions[*action].functor().to_owned(),
                    Subject::Object(object) => {
                        self.package.types[stage.layout().objects[*object].kind].name.clone()
                    }
                    _ => String::new(),
                };
                let cell = OfferCell { kind: rules.kind, family: *number, detail };
                let asked = OfferedQuestion::new(scene.number, subject, given);
                let offer = OfferedQuestion { plain: same, trivial: same, class: count as u32, ..asked };
                offers.entry(cell).or_default().push(offer);
            }
        }
    }

    /// What a family that asks for lists may be put about.
    fn subjects(
        &self,
        stage: &Simulator,
        family: &FamilyPhrases,
        scene: &Told,
        sayable: &SayableTerms,
        rng: &mut ChaCha8Rng,
    ) -> Vec<Subject> {
        let executable: Vec<usize> =
            scene.history.executable.iter().filter(|action| sayable.actions.contains(*action)).collect();
        match slots(family).as_slice() {
            [] => vec![Subject::Story],
            ["action"] => scene.nexts.iter().map(|next| Subject::Action(next.action)).collect(),
            ["object"] if self.lexicon.view.is_none() => {
                (0..stage.layout().objects.len()).map(Subject::Object).collect()
            }
            ["actions"] => {
                let others: Vec<usize> =
                    sayable.actions.iter().filter(|action| !executable.contains(action)).collect();
                let mut list = || {
                    let not = rng.random_range(0..=LISTED);
                    let mut all: Vec<usize> = others.sample(rng, not).copied().collect();
                    all.extend(executable.sample(rng, LISTED - not));
                    all.shuffle(rng);
                    (all.len() == LISTED).then_some(Subject::Actions(all))
                };
                (0..LISTS).filter_map(|_| list()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The members of the answer about a subject.
    fn members(
        &self,
        stage: &Simulator,
        (program, place): (&GroupProgram, usize),
        (history, next): (&History, Option<&Situation>),
        said: &BitSet,
        subject: &Subject,
    ) -> Option<(Vec<usize>, Vec<usize>)> {
        let sizes = (stage.engine.fluents.len(), stage.engine.actions.len());
        let about = match subject {
            Subject::Object(object) => {
                let id = &stage.layout().objects[*object].id;
                let naming = (0..sizes.0).filter(|fluent| names(&stage.engine.fluents[*fluent], id));
                Some(set(&naming.collect::<Vec<_>>(), sizes.0))
            }
            _ => None,
        };
        let listed = match subject {
            Subject::Actions(actions) => Some(set(actions, sizes.1)),
            _ => None,
        };
        let listing = Listing { next, said, about: about.as_ref(), listed: listed.as_ref() };
        program.rules.members(place, history, &listing, sizes)
    }
}

/// A story, the situations that it passes, and those that it would pass if none of its actions happened.
struct Told<'s> {
    number: usize,
    story: &'s Story,
    history: &'s History<'s>,
    idle: &'s History<'s>,
    /// What actions and fluents name, and the situations as whoever goes by that takes them to be.
    by_names: Option<(&'s NamedObjects, &'s History<'s>)>,
    nexts: &'s [NextStep],
}

/// An action that can be carried out after a story, and where it leads from there, and from the initial situation.
struct NextStep {
    action: usize,
    after: Option<Situation>,
    initially: Option<Situation>,
}

impl Told<'_> {
    fn offer(&self, subject: Subject, answer: &Term, found: FoundAnswer, same: bool) -> OfferedQuestion {
        let (given, class) = match answer {
            Term::Number(number) => (Given::Term(answer.clone()), u32::try_from(*number).unwrap_or(0)),
            other => match step_of(other) {
                Some(place) => (Given::Action(self.story.plan[place]), place as u32),
                None => (Given::Term(other.clone()), 0),
            },
        };
        OfferedQuestion {
            yes: answer.is("yes", 0),
            plain: same,
            trivial: same,
            class,
            since: found.decided.map(|time| self.story.plan.len() - time),
            ..OfferedQuestion::new(self.number, subject, given)
        }
    }
}

/// The situations of a story as whoever goes by names takes them to be: an action changes each fact all of whose objects it names.
fn by_names(named: &NamedObjects, story: &Story, sayable: &SayableTerms) -> Vec<Situation> {
    let mut passed = vec![story.initial.clone()];
    for action in &story.plan {
        let mut here = passed[passed.len() - 1].clone();
        for fluent in sayable.fluents.iter().copied().filter(|fluent| named.names_all(*action, *fluent)) {
            match here.contains(fluent) {
                true => here.remove(fluent),
                false => here.insert(fluent),
            }
        }
        passed.push(here);
    }
    passed
}

/// What can be said in a layout.
pub(crate) fn sayable(package: &Package, lexicon: &Lexicon, engine: &TransitionSystem) -> SayableTerms {
    let book = &package.book;
    let view = lexicon.view.as_ref();
    let entries: Vec<Option<usize>> =
        lexicon.fluents.iter().map(|spoken| spoken.as_ref().map(|spoken| spoken.entry)).collect();
    let has_clause = |entry: &Option<usize>| entry.is_some_and(|entry| !book.fluents[entry].each.is_empty());
    let fluents = entries.iter().enumerate().filter(|(_, entry)| view.is_some() || has_clause(entry));
    let fluents: Vec<usize> = fluents.map(|(fluent, _)| fluent).collect();
    let statable = set(&fluents, entries.len());
    let mut deniable = statable.clone();
    fluents.iter().filter(|f| engine.fluents[**f].args().len() == 1).for_each(|f| deniable.remove(*f));
    let mut actions = BitSet::new(engine.actions.len());
    for action in 0..engine.actions.len() {
        let named = match view {
            Some(view) => view.theory().actions[action].is_some(),
            None => lexicon.actions[action].is_some(),
        };
        if named {
            actions.insert(action);
        }
    }
    SayableTerms { entries, fluents, statable, deniable, actions }
}

/// The fluents of the kinds that initial situations are described with, or that one of them is described with.
pub(crate) fn said(
    package: &Package,
    lexicon: &Lexicon,
    sayable: &SayableTerms,
    initial: Option<&Situation>,
) -> BitSet {
    match lexicon.view {
        Some(_) => sayable.statable.clone(),
        None => told_kinds(&package.book.fluents, &sayable.entries, initial),
    }
}

/// The types of a family's slots.
fn slots(family: &FamilyPhrases) -> Vec<&str> {
    let places = family.pattern.places.iter();
    places
        .filter_map(|place| match place {
            PatternPlace::Slot { kind, .. } => Some(kind.as_str()),
            PatternPlace::Constant(_) => None,
        })
        .collect()
}

/// Does a term name an object, without being nothing else?
pub fn names(term: &Term, id: &str) -> bool {
    term.args().iter().any(|argument| argument.is(id, 0) || names(argument, id))
}

fn set(numbers: &[usize], size: usize) -> BitSet {
    let mut found = BitSet::new(size);
    numbers.iter().for_each(|number| found.insert(*number));
    found
}
