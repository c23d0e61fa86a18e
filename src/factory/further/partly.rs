//! Stories to what they offer to families about stories that are told in part: what is sure of them,
//! and what would settle the rest.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, IteratorRandom, SliceRandom};

use crate::domain::question_groups::{HIDDEN, UNKNOWN};
use crate::factory::error::FactoryError;
use crate::factory::further::gathering::{Gatherer, SayableTerms};
use crate::factory::further::matter::{PartMatter, is_of_four, is_of_three_answers};
use crate::factory::further::offers::{
    Given, OfferCell, OfferedQuestion, Offers, PartAsked, PartSubject, Subject, numbered,
};
use crate::phrases::book::FamilyPhrases;
use crate::simulate::error::SimulationError;
use crate::simulate::layout::Layout;
use crate::simulate::narrative::completions::ToldStart;
use crate::simulate::narrative::partly::{PartTelling, has_invariants, names_any};
use crate::simulate::narrative::partly_by_clingo::modal_answers;
use crate::simulate::situation::{BitSet, Situation};
use crate::simulate::story::{Simulator, Story, TwinTelling};
use crate::simulate::transitions::compiled_layout::Kind;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// Tellings of a story that are kept.
const TELLINGS: usize = 3;
/// How many are tried to find such that leave something open, and of which the actions tell something.
const TRIES: usize = 7;
/// How many objects a telling leaves out, each number as often as it stands here.
const LEFT_OUT: [usize; 5] = [1, 1, 2, 2, 3];
/// The most initial situations that a telling may leave possible, before and after what happens is known.
pub(super) const MOST_STARTS: usize = 64;
pub(super) const MOST_COMPLETIONS: usize = 32;
/// Fluents of one functor, or actions, with each answer that are offered of a telling.
const OFFERED: usize = 8;

/// The answers of families that ask what is sure, which their rules give.
static MODAL: Mutex<BTreeMap<String, [Term; 3]>> = Mutex::new(BTreeMap::new());

/// A story told in part, and all that may have been so.
pub(super) struct PartStory<'s> {
    pub(super) told: usize,
    pub(super) story: &'s Story,
    pub(super) telling: PartTelling,
    /// What the text says of the initial situation.
    pub(super) facts: BitSet,
    /// A number for that, and for what is left out.
    pub(super) beginning: u64,
    /// The initial situations that the text on them allows.
    pub(super) starts: Vec<Situation>,
    /// Those of them in which what is told to happen can happen, by their places, and where that leads.
    pub(super) ways: Vec<(usize, Situation)>,
}

impl PartStory<'_> {
    /// What the story was sought to be asked about, if it was.
    fn sought(&self) -> Option<&TwinTelling> {
        self.story.twin.as_ref().filter(|twin| twin.is_sought())
    }

    /// The question with its answer; is it `same` as the initial situation gives?
    pub(super) fn offer(&self, asked: PartAsked, answer: Given, same: bool, class: u32) -> OfferedQuestion {
        let (telling, completions) = (self.telling.clone(), self.ways.len());
        let subject = PartSubject { telling, completions, stated: self.facts.iter().count(), asked };
        let plain = OfferedQuestion::new(self.told, Subject::Partly(Box::new(subject)), answer);
        let crossing = Some([self.beginning, numbered(&self.story.plan)]);
        // What has three answers is asked of these only where they were sought for it.
        let sought = self.sought().is_some();
        OfferedQuestion { plain: same, trivial: same, class, crossing, sought, ..plain }
    }
}

/// What is so in all of some situations, and in some of them.
pub(super) struct Modality {
    all: BitSet,
    some: BitSet,
}

impl Modality {
    pub(super) fn of<'b>(size: usize, sets: impl Iterator<Item = &'b BitSet>) -> Modality {
        let (mut all, mut some): (Option<BitSet>, BitSet) = (None, BitSet::new(size));
        for set in sets {
            match &mut all {
                Some(all) => all.keep(set),
                none => *none = Some(set.clone()),
            }
            some.add(set);
        }
        Modality { all: all.unwrap_or_else(|| BitSet::new(size)), some }
    }

    /// Is it so in some, but not in all?
    pub(super) fn is_open(&self, member: usize) -> bool {
        self.some.contains(member) && !self.all.contains(member)
    }

    /// 0 in all, 1 in none, 2 in some but not all.
    pub(super) fn class(&self, member: usize) -> usize {
        match (self.all.contains(member), self.some.contains(member)) {
            (true, _) => 0,
            (_, false) => 1,
            _ => 2,
        }
    }
}

impl Gatherer<'_> {
    /// Families about stories that are told in part.
    pub(super) fn partly(
        &self,
        stage: &mut Simulator,
        stories: &[(usize, &Story)],
        sayable: &SayableTerms,
        offers: &mut Offers,
        rng: &mut ChaCha8Rng,
    ) -> Result<(), FactoryError> {
        let of_group = |group: &str| -> Vec<(usize, &FamilyPhrases)> {
            let all = self.families().iter().enumerate();
            all.filter(|(number, family)| {
                family.group == group && self.wants(family) && !self.idle.contains(number)
            })
            .collect()
        };
        let (unknown, hidden) = (of_group(UNKNOWN), of_group(HIDDEN));
        let has_words = self.lexicon.view.is_none() && has_invariants(self.package);
        if !has_words || unknown.is_empty() && hidden.is_empty() {
            return Ok(());
        }
        if self.package.has_outcomes {
            let (told, open) = self.courses(stage, stories, sayable)?;
            return self.of_outcomes(stage, &unknown, (&told, &open), sayable, offers);
        }
        let of_three = hidden.iter().filter(|(_, family)| is_of_three_answers(family));
        let in_part: Vec<(usize, &FamilyPhrases)> = unknown.iter().chain(of_three).copied().collect();
        if !in_part.is_empty() {
            // Fours are hardly ever found by chance, so that only twins are told for them.
            let is_needed =
                |story: &Story| story.twin.is_some() || !in_part.iter().all(|(_, f)| is_of_four(f));
            let stories: Vec<(usize, &Story)> =
                stories.iter().copied().filter(|(_, story)| is_needed(story)).collect();
            let told = self.tellings(stage, &in_part, &stories, sayable, rng)?;
            self.settles(stage, &in_part, &told, sayable, offers, rng);
            self.three_answers(stage, &in_part, &told, sayable, offers, rng)?;
        }
        for (number, family) in hidden {
            match family.pattern.functor.as_str() {
                "hidden_action" => self.hidden_action(stage, number, stories, sayable, offers, rng)?,
                "failed_action" => self.failed_action(stage, number, stories, sayable, offers, rng)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Stories with objects of which the text says nothing.
    fn tellings<'s>(
        &self,
        stage: &mut Simulator,
        families: &[(usize, &FamilyPhrases)],
        stories: &[(usize, &'s Story)],
        sayable: &SayableTerms,
        rng: &mut ChaCha8Rng,
    ) -> Result<Vec<PartStory<'s>>, FactoryError> {
        let free = free_objects(stage.layout());
        let told = told_fluents(self.package, sayable);
        let (mut tried, mut starts): (Vec<(usize, Vec<usize>)>, Vec<ToldStart>) = (Vec::new(), Vec::new());
        for (number, (_, story)) in stories.iter().enumerate() {
            // Twins are told without what makes them such.
            for _ in 0..if story.twin.is_some() { 1 } else { TRIES } {
                let count = left_out_count(rng);
                let mut left_out: Vec<usize> = match &story.twin {
                    Some(twin) => twin.left_out.clone(),
                    None => free.iter().copied().sample(rng, count),
                };
                left_out.sort_unstable();
                if story.twin.is_none() && left_out.len() < count {
                    continue;
                }
                if tried.iter().rev().take_while(|(of, _)| *of == number).any(|(_, known)| *known == left_out)
                {
                    continue;
                }
                let mut known = told.clone();
                left_out.iter().for_each(|object| known.take_out(&stage.naming()[*object]));
                tried.push((number, left_out));
                starts.push((known, &story.initial));
            }
        }
        let completed = stage.completer()?.few_completions(&starts, MOST_STARTS)?;
        let mut found = Vec::new();
        for (((place, left_out), (known, _)), starts) in tried.into_iter().zip(&starts).zip(completed) {
            let Some(starts) = starts.filter(|starts| starts.len() > 1) else { continue };
            let (told, story) = stories[place];
            let facts = known.intersection(&story.initial);
            let beginning = numbered(&(&facts, &left_out));
            let telling = PartTelling { left_out, untold: None };
            found.push(PartStory { told, story, telling, facts, beginning, starts, ways: Vec::new() });
        }
        let tales: Vec<(&Situation, &[usize])> = found
            .iter()
            .flat_map(|part| part.starts.iter().map(|start| (start, part.story.plan.as_slice())))
            .collect();
        let mut ends = play(&mut stage.engine, &tales)?.into_iter();
        for part in &mut found {
            let own = (0..part.starts.len()).zip(ends.by_ref());
            part.ways = own.filter_map(|(start, end)| Some((start, end?))).collect();
        }
        found.retain(|part| (2..=MOST_COMPLETIONS).contains(&part.ways.len()));
        // First those of which the actions tell something: that they took place excludes what the text left open, or what would
        // settle a question is another than if nothing happened.
        let settles = self.asks_what_settles(families);
        found.sort_by_cached_key(|part| {
            let anew = settles && self.settles_anew(part, sayable);
            (part.told, !anew, part.ways.len() == part.starts.len())
        });
        let mut kept: BTreeMap<usize, usize> = BTreeMap::new();
        found.retain(|part| {
            let count = kept.entry(part.told).or_default();
            *count += 1;
            *count <= TELLINGS
        });
        Ok(found)
    }

    /// Questions about what is sure.
    fn three_answers(
        &self,
        stage: &mut Simulator,
        families: &[(usize, &FamilyPhrases)],
        told: &[PartStory],
        sayable: &SayableTerms,
        offers: &mut Offers,
        rng: &mut ChaCha8Rng,
    ) -> Result<(), FactoryError> {
        let answers = self.modal(families, stage)?;
        let families: Vec<(usize, PartMatter, &[Term; 3])> = families
            .iter()
            .filter_map(|(number, family)| {
                Some((*number, PartMatter::of(family), answers.get(&family.pattern.functor)?))
            })
            .collect();
        let matters: BTreeSet<PartMatter> = families.iter().map(|(_, matter, _)| *matter).collect();
        let sure = sure_things(stage, told, &matters)?;
        let twins = asked_of_twins(told, &sure, sayable);
        let actions: Vec<usize> = sayable.actions.iter().collect();
        for (part, sure) in told.iter().zip(&sure) {
            for (number, matter, answers) in &families {
                let SureOfPart { now, before } = &sure[matter];
                let things = match matter {
                    PartMatter::Action => &actions,
                    PartMatter::Statement | PartMatter::Beginning => &sayable.fluents,
                };
                let terms = matter.terms(&stage.engine);
                let mut by_functor: BTreeMap<(&str, usize), Vec<usize>> = BTreeMap::new();
                // What is told of the beginning is not asked about it.
                let is_asked = |thing: &&usize| *matter != PartMatter::Beginning || before.is_open(**thing);
                // Of a twin those that it was sought for, or that go together with others.
                let sought = part.sought().map(|twin| match matter {
                    PartMatter::Action => &twin.actions,
                    PartMatter::Statement | PartMatter::Beginning => &twin.fluents,
                });
                let together = twins.get(&(part.beginning, *matter));
                let offered = if part.story.twin.is_some() { usize::MAX } else { OFFERED };
                for thing in sought.or(together).unwrap_or(things).iter().filter(is_asked) {
                    let key = (terms[*thing].functor(), now.class(*thing));
                    by_functor.entry(key).or_default().push(*thing);
                }
                for ((functor, class), mut things) in by_functor {
                    let (some, _) = things.partial_shuffle(rng, offered);
                    let cell = OfferCell { kind: Kind::Other, family: *number, detail: functor.to_owned() };
                    let offer = |thing: &usize| {
                        let asked = match matter {
                            PartMatter::Action => PartAsked::Action(*thing),
                            PartMatter::Statement => PartAsked::Fluent(*thing),
                            PartMatter::Beginning => PartAsked::First(*thing),
                        };
                        let answer = Given::Term(answers[class].clone());
                        let same = before.class(*thing) == class;
                        part.offer(asked, answer, same, class as u32)
                    };
                    offers.entry(cell).or_default().extend(some.iter().map(offer));
                }
            }
        }
        Ok(())
    }

    /// By family, the answers of what is so in all completions, in none, and in some.
    pub(super) fn modal(
        &self,
        families: &[(usize, &FamilyPhrases)],
        stage: &Simulator,
    ) -> Result<BTreeMap<String, [Term; 3]>, FactoryError> {
        let mut known = MODAL.lock().unwrap_or_else(PoisonError::into_inner);
        let new = families.iter().filter(|(_, family)| {
            let name = &family.pattern.functor;
            family.pattern.places.len() == 1 && !known.contains_key(name)
        });
        for (_, family) in new.collect::<Vec<_>>() {
            let question = Term::function(&family.pattern.functor, vec![Term::constant("x")]);
            let found = modal_answers(&family.group, &[question], stage.limit());
            known.extend(found.map_err(SimulationError::from)?);
        }
        Ok(known.clone())
    }
}

/// What is sure of a matter: at the end, and at the beginning.
struct SureOfPart {
    now: Modality,
    before: Modality,
}

/// What is sure of each of some matters, by telling.
fn sure_things(
    stage: &mut Simulator,
    told: &[PartStory],
    matters: &BTreeSet<PartMatter>,
) -> Result<Vec<BTreeMap<PartMatter, SureOfPart>>, FactoryError> {
    let (mut can, mut could) = (Vec::new(), Vec::new());
    if matters.contains(&PartMatter::Action) {
        let ends: Vec<&Situation> = told.iter().flat_map(|p| p.ways.iter().map(|(_, end)| end)).collect();
        can = stage.executable(&ends)?;
        let starts: Vec<&Situation> = told.iter().flat_map(|p| &p.starts).collect();
        could = stage.executable(&starts)?;
    }
    let (mut can, mut could) = (can.into_iter(), could.into_iter());
    let sizes = (stage.engine.fluents.len(), stage.engine.actions.len());
    let able = |all: &mut dyn Iterator<Item = Vec<usize>>, count: usize| {
        let sets: Vec<BitSet> = all.take(count).map(|all| BitSet::of(sizes.1, &all)).collect();
        Modality::of(sizes.1, sets.iter())
    };
    let of_part = |part: &PartStory| {
        let (now, before) = (able(&mut can, part.ways.len()), able(&mut could, part.starts.len()));
        let mut actions = Some(SureOfPart { now, before });
        let of_matter = |matter: &PartMatter| {
            let at_first = || Modality::of(sizes.0, part.starts.iter());
            let sure = match matter {
                PartMatter::Action => actions.take()?,
                PartMatter::Statement => {
                    let ends = part.ways.iter().map(|(_, end)| end);
                    SureOfPart { now: Modality::of(sizes.0, ends), before: at_first() }
                }
                PartMatter::Beginning => {
                    let left = part.ways.iter().map(|(start, _)| &part.starts[*start]);
                    SureOfPart { now: Modality::of(sizes.0, left), before: at_first() }
                }
            };
            Some((*matter, sure))
        };
        matters.iter().filter_map(of_matter).collect()
    };
    Ok(told.iter().map(of_part).collect())
}

/// Of twins that were not sought for a question, what may be asked of them: by what is told of their beginning, whatever has all
/// three answers after it.
fn asked_of_twins(
    told: &[PartStory],
    sure: &[BTreeMap<PartMatter, SureOfPart>],
    sayable: &SayableTerms,
) -> BTreeMap<(u64, PartMatter), Vec<usize>> {
    let mut together: BTreeMap<(u64, PartMatter), Vec<&Modality>> = BTreeMap::new();
    for (part, sure) in told.iter().zip(sure) {
        if part.story.twin.is_some() && part.sought().is_none() {
            for (matter, sure) in sure {
                together.entry((part.beginning, *matter)).or_default().push(&sure.now);
            }
        }
    }
    let actions: Vec<usize> = sayable.actions.iter().collect();
    let asked = together.into_iter().map(|((beginning, matter), all)| {
        let things = if matter == PartMatter::Action { &actions } else { &sayable.fluents };
        let has_all = |thing: &&usize| {
            let classes: BTreeSet<usize> = all.iter().map(|sure| sure.class(**thing)).collect();
            classes.len() == 3
        };
        ((beginning, matter), things.iter().filter(has_all).copied().collect())
    });
    asked.collect()
}

/// The objects of which something may be left out: what never changes is told of all objects.
pub(super) fn free_objects(layout: &Layout) -> Vec<usize> {
    let is_free = |object: &usize| {
        let id = &*layout.objects[*object].id;
        !layout.statics.iter().any(|fact| names_any(fact, &[id]))
    };
    (0..layout.objects.len()).filter(is_free).collect()
}

/// How many objects a telling leaves out.
pub(super) fn left_out_count(rng: &mut ChaCha8Rng) -> usize {
    LEFT_OUT.choose(rng).copied().unwrap_or(1)
}

/// The fluents that are told of an initial situation where they are true.
pub(crate) fn told_fluents(package: &crate::domain::package::Package, sayable: &SayableTerms) -> BitSet {
    let mut told = BitSet::new(sayable.entries.len());
    let is_told = |entry: &Option<usize>| entry.is_some_and(|entry| package.book.fluents[entry].told);
    let all = sayable.entries.iter().enumerate().filter(|(_, entry)| is_told(entry));
    all.for_each(|(fluent, _)| told.insert(fluent));
    told
}

/// The situation before a step of a story.
pub(super) fn situation_at(story: &Story, step: usize) -> &Situation {
    if step == 0 { &story.initial } else { &story.passed[step - 1] }
}

/// Where actions lead that are all to be carried out; none where one of them cannot be.
pub(super) fn play(
    engine: &mut TransitionSystem,
    tales: &[(&Situation, &[usize])],
) -> Result<Vec<Option<Situation>>, SimulationError> {
    let ends = engine.plays_to(tales)?;
    let end = |((start, plan), end): (&(&Situation, &[usize]), Option<Situation>)| match plan {
        [] => Some((*start).clone()),
        _ => end,
    };
    Ok(tales.iter().zip(ends).map(end).collect())
}
