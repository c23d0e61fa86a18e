//! A layout to stories: an initial situation, a sequence of executable actions, and what can be asked about it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use racgen_logic::canonical::world_key;
use racgen_logic::seed::digest;
use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;

use crate::domain::package::Package;
use crate::simulate::error::SimulationError;
use crate::simulate::initial::legality::Legality;
use crate::simulate::interchange::Interchange;
use crate::simulate::layout::Layout;
use crate::simulate::layout_cache::PreparedLayout;
use crate::simulate::narrative::part_search::PartSearches;
use crate::simulate::narrative::partly::Completer;
use crate::simulate::narrative::partly_by_clingo::{PartFacts, StoryWay};
use crate::simulate::plans::course::Policy;
use crate::simulate::plans::drafts::{Draft, Played, begin, go_on};
use crate::simulate::plans::sampling::{MOST_TRAJECTORIES, Sampling};
use crate::simulate::plans::shortest::shortest;
use crate::simulate::situation::{AnswerSheet, BitSet, Outcome, Situation};
use crate::simulate::transitions::compiled_layout::CompiledLayout;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// How often a story is begun anew because no action is executable before its end.
const MOST_DEAD_ENDS: usize = 100;

/// About so many steps of a plan are judged.
const MOST_JUDGED: usize = 100;

/// Where a question is put: in which situation, with which action supposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Timepoint {
    /// After the plan.
    Now,
    /// After the plan, about the effect of one further action.
    Supposing,
    /// After the plan and one further action.
    AfterOne,
    /// After the plan and two further actions.
    AfterTwo,
    /// Before the plan.
    Initially,
}

impl Timepoint {
    /// All of them.
    pub const ALL: [Timepoint; 5] = [
        Timepoint::Now,
        Timepoint::Supposing,
        Timepoint::AfterOne,
        Timepoint::AfterTwo,
        Timepoint::Initially,
    ];
}

/// How a story that is the twin of another is told in part, and what it was sought to be asked about, by numbers.
#[derive(Clone, Debug)]
pub struct TwinTelling {
    /// The objects of which the text says nothing.
    pub left_out: Vec<usize>,
    /// What is asked about; where nothing is named here or below, whatever it may be.
    pub fluents: Vec<usize>,
    /// The same of actions.
    pub actions: Vec<usize>,
}

impl TwinTelling {
    /// Was it sought for some questions?
    pub(crate) fn is_sought(&self) -> bool {
        !self.fluents.is_empty() || !self.actions.is_empty()
    }
}

/// A story: what happened, and the answers to everything that can be asked about it.
#[derive(Clone, Debug)]
pub struct Story {
    /// The initial situation, all true fluents.
    pub initial: Situation,
    /// The actions executable in it.
    pub possible: Vec<usize>,
    /// The actions, as indices into [`actions`](crate::simulate::transitions::compiled_layout::CompiledLayout::actions).
    pub plan: Vec<usize>,
    /// The same with what came of them, as [`Deeds`](crate::simulate::transitions::deeds::Deeds) number it.
    pub deeds: Vec<usize>,
    /// The situations passed, the last one after the whole plan.
    pub passed: Vec<Situation>,
    /// Up to two further actions that questions may suppose.
    pub further: Vec<usize>,
    /// The situations after them.
    pub beyond: Vec<Situation>,
    /// Key of layout and initial situation.
    pub world: Arc<str>,
    /// How it is to be told in part, where it was sought for that.
    pub twin: Option<TwinTelling>,
    sheets: Vec<(Timepoint, AnswerSheet, Option<AnswerSheet>)>,
}

impl Story {
    /// The answers in a scene, and for comparison the answers that the initial situation gives to the same
    /// questions; none where the scene cannot be set.
    pub fn sheet(&self, scene: Timepoint) -> Option<(&AnswerSheet, Option<&AnswerSheet>)> {
        self.sheets.iter().find(|(s, ..)| *s == scene).map(|(_, now, before)| (now, before.as_ref()))
    }
}

/// Draws and retells stories in one layout.
pub struct Simulator<'a> {
    /// The package.
    pub package: &'a Package,
    /// The ground program of the layout.
    pub engine: TransitionSystem,
    prepared: Arc<PreparedLayout>,
    /// Clingo's searches for completions of what is told, as far as they were needed.
    part_searches: PartSearches,
    pub(crate) sampling: Sampling,
    limit: Duration,
    /// Where in the sequence of the layout's situations the simulator is.
    position: usize,
}

impl<'a> Simulator<'a> {
    /// Grounds everything a layout needs.
    ///
    /// # Errors
    /// Solver failures; a layout without situations.
    pub fn new(
        package: &'a Package,
        layout: Layout,
        sampling: Sampling,
        limit: Duration,
        rng: &mut ChaCha8Rng,
    ) -> Result<Simulator<'a>, SimulationError> {
        let prepared = Arc::new(PreparedLayout::new(package, layout, limit, rng)?);
        Ok(Simulator::of(package, prepared, sampling, limit))
    }

    /// A simulator of a layout that is ready.
    pub fn of(
        package: &'a Package,
        prepared: Arc<PreparedLayout>,
        sampling: Sampling,
        limit: Duration,
    ) -> Simulator<'a> {
        let engine = TransitionSystem::of(prepared.compiled.clone(), limit);
        Simulator {
            package,
            engine,
            prepared,
            part_searches: PartSearches::default(),
            sampling,
            limit,
            position: 0,
        }
    }

    /// The layout.
    pub fn layout(&self) -> &Layout {
        &self.prepared.layout
    }

    /// The limit of each solver call.
    pub fn limit(&self) -> Duration {
        self.limit
    }

    /// Goes on with the situation at a position of the layout's sequence.
    pub fn go_to(&mut self, position: usize) {
        self.position = position;
    }

    /// The number of situations of the layout, where it is known.
    pub fn situations(&self) -> Option<usize> {
        self.prepared.situations.count()
    }

    /// What completes situations of the layout of which only a part is told.
    ///
    /// # Errors
    /// Solver failures.
    pub fn completer(&self) -> Result<Completer<'_>, SimulationError> {
        let PreparedLayout { layout, compiled, .. } = &*self.prepared;
        let rules = self.prepared.completions(self.package)?;
        Ok(Completer::new(self.package, layout, (compiled, rules), self.limit))
    }

    /// All completions of a story that is told in part, by clingo alone.
    ///
    /// # Errors
    /// Solver failures; more completions than a question may have.
    pub fn ways(&mut self, facts: &PartFacts) -> Result<Vec<StoryWay>, SimulationError> {
        let (package, layout) = (self.package, &self.prepared.layout);
        let program = |actions: usize| layout.invariant_program(package, actions);
        Ok(self.part_searches.ways(facts, program, self.limit)?)
    }

    /// By object, the fluents that name it.
    pub(crate) fn naming(&self) -> &[BitSet] {
        self.prepared.naming()
    }

    /// Two objects of the layout that change places; none where something that never changes tells them apart.
    pub(crate) fn interchange(&self, pair: [usize; 2]) -> Option<Arc<Interchange>> {
        self.prepared.interchange(pair)
    }

    /// What tells which situations are initial situations of the layout.
    ///
    /// # Errors
    /// Solver failures.
    pub fn legality(&self) -> Result<Legality, SimulationError> {
        self.prepared.legality(self.limit)
    }

    /// How many worlds with a key that `keep` accepts the layout has, where its situations are known.
    pub fn worlds(&self, keep: impl Fn(&str) -> bool) -> Option<usize> {
        let key = |s: &Situation| self.prepared.world_key(&self.package.name, s).into();
        let keys = self.prepared.situations.keys(key)?;
        Some(keys.iter().filter(|key| keep(key)).count())
    }

    /// Draws a situation and its world key.
    ///
    /// # Errors
    /// Solver failures.
    pub fn draw_world(&mut self, rng: &mut ChaCha8Rng) -> Result<(Situation, Arc<str>), SimulationError> {
        let Simulator { package, engine, prepared, position, .. } = self;
        let layout = &prepared.layout;
        let key = |s: &Situation| prepared.world_key(&package.name, s).into();
        prepared.situations.draw(package, layout, engine.compiled(), position, key, rng)
    }

    /// The key of a world, or with a plan that of a world and what happens in it.
    pub fn key(&self, situation: &Situation, plan: &[usize]) -> String {
        match plan {
            [] => self.prepared.world_key(&self.package.name, situation),
            _ => key(self.package, self.layout(), &self.engine, situation, plan),
        }
    }

    /// All plans of `depth` actions from a situation, from the time-expanded program (section 2.5), in order.
    ///
    /// # Errors
    /// [`SimulationError::TooManyPlans`].
    pub fn enumerate(&self, start: &Situation, depth: usize) -> Result<Vec<Vec<usize>>, SimulationError> {
        enumerate(self.package, self.layout(), &self.engine, start, depth, self.limit)
    }

    /// Draws a whole story of `depth` actions whose key `keep` accepts. The key is that of the world, or with
    /// `by_instance` that of world and plan.
    ///
    /// # Errors
    /// Solver failures; no plan of that length; [`None`] if `keep` accepts no key in `tries` draws.
    pub fn tell(
        &mut self,
        depth: usize,
        by_instance: bool,
        keep: impl Fn(&str) -> bool,
        tries: usize,
        rng: &mut ChaCha8Rng,
    ) -> Result<Option<Story>, SimulationError> {
        let told = self.tell_all(depth, by_instance, keep, tries, std::slice::from_mut(rng))?;
        Ok(told.into_iter().next().flatten())
    }

    /// As [`Simulator::tell`], a story for each source of random numbers, up to the first for which no world is found.
    /// That their steps are evaluated together takes hardly longer than those of one.
    ///
    /// # Errors
    /// Those of [`Simulator::tell`].
    pub fn tell_all(
        &mut self,
        depth: usize,
        by_instance: bool,
        keep: impl Fn(&str) -> bool,
        tries: usize,
        rngs: &mut [ChaCha8Rng],
    ) -> Result<Vec<Option<Story>>, SimulationError> {
        self.tell_with(Policy::Explore, (depth, by_instance), keep, tries, rngs)
    }

    /// As [`Simulator::tell_all`], with plans that go on with like actions for a while, if plans explore at all.
    ///
    /// # Errors
    /// Those of [`Simulator::tell`].
    pub fn tell_persistently(
        &mut self,
        depth: usize,
        by_instance: bool,
        keep: impl Fn(&str) -> bool,
        tries: usize,
        rngs: &mut [ChaCha8Rng],
    ) -> Result<Vec<Option<Story>>, SimulationError> {
        self.tell_with(Policy::Persist, (depth, by_instance), keep, tries, rngs)
    }

    fn tell_with(
        &mut self,
        explore: Policy,
        (depth, by_instance): (usize, bool),
        keep: impl Fn(&str) -> bool,
        tries: usize,
        rngs: &mut [ChaCha8Rng],
    ) -> Result<Vec<Option<Story>>, SimulationError> {
        let mut drafts: Vec<Draft> = rngs.iter_mut().map(|rng| Draft::new(rng, tries)).collect();
        let domain = self.package.name.clone();
        let dead_end = |tries| SimulationError::NoPlan { domain: domain.clone(), depth, tries };
        while drafts.iter().any(|draft| !draft.is_complete()) {
            let mut given_up = false;
            for draft in &mut drafts {
                draft.draw(given_up, |rng| self.draw_world(rng), |key| by_instance || keep(key))?;
                given_up |= draft.is_given_up();
            }
            let Simulator { package, prepared, sampling, limit, engine, .. } = self;
            let compiled = engine.compiled().clone();
            let policy = |start: &Situation, rng: &mut ChaCha8Rng| {
                Ok(match sampling {
                    Sampling::Explore => Some(explore.clone()),
                    Sampling::Walk => Some(Policy::Walk),
                    Sampling::Enumerate => {
                        let plans = enumerate(package, &prepared.layout, &compiled, start, depth, *limit)?;
                        plans.choose(rng).cloned().map(Policy::Follow)
                    }
                })
            };
            begin(&mut drafts, engine, depth, policy, &dead_end, MOST_DEAD_ENDS)?;
            let accept = |engine: &TransitionSystem, start: &Situation, plan: &[usize]| {
                !by_instance || keep(&key(package, &prepared.layout, engine, start, plan))
            };
            go_on(&mut drafts, engine, accept, &dead_end, MOST_DEAD_ENDS)?;
        }
        let played: Vec<Option<Played>> = drafts.into_iter().map(Draft::played).collect();
        let found: Vec<bool> = played.iter().map(Option::is_some).collect();
        let mut stories = self.settle(played.into_iter().flatten().collect())?.into_iter();
        Ok(found.into_iter().map(|found| if found { stories.next() } else { None }).collect())
    }

    /// The story in which these actions are carried out from this situation, and some of these further ones are
    /// supposed, as many as can be; none where the actions cannot occur.
    ///
    /// # Errors
    /// Solver failures.
    pub fn retell(
        &mut self,
        start: &Situation,
        plan: &[usize],
        further: &[usize],
    ) -> Result<Option<Story>, SimulationError> {
        Ok(self.retell_all(&[(start, plan)], further)?.pop().flatten())
    }

    /// As [`Simulator::retell`], of many initial situations and plans, whose steps are evaluated together.
    ///
    /// # Errors
    /// Solver failures.
    pub fn retell_all(
        &mut self,
        tales: &[(&Situation, &[usize])],
        further: &[usize],
    ) -> Result<Vec<Option<Story>>, SimulationError> {
        let asked: Vec<(&Situation, Option<usize>)> = tales.iter().map(|(start, _)| (*start, None)).collect();
        let begin = |(here, initially)| Retold { initially, passed: vec![here], beyond: Vec::new() };
        let mut told: Vec<Option<Retold>> =
            self.engine.sheets(&asked)?.into_iter().map(|begun| begun.map(begin)).collect();
        let mut stopped = vec![false; tales.len()];
        for step in 0.. {
            let next = |tale: usize| tales[tale].1.iter().chain(further).nth(step).copied();
            let going = told.iter().enumerate().filter(|(tale, _)| !stopped[*tale]);
            let going = going.filter_map(|(tale, told)| Some((tale, told.as_ref()?.last(), next(tale)?)));
            let (numbers, steps): (Vec<usize>, Vec<(&Situation, usize)>) =
                going.map(|(tale, here, action)| (tale, (here, action))).unzip();
            if steps.is_empty() {
                break;
            }
            let actions: Vec<usize> = steps.iter().map(|(_, action)| *action).collect();
            let outcomes = self.engine.steps(&steps)?;
            for ((tale, action), outcome) in numbers.into_iter().zip(actions).zip(outcomes) {
                match (outcome, &mut told[tale], step < tales[tale].1.len()) {
                    (Some(outcome), Some(told), true) => told.passed.push(outcome),
                    (Some(outcome), Some(told), false) => told.beyond.push((action, outcome)),
                    (_, none, true) => *none = None,
                    (..) => stopped[tale] = true,
                }
            }
        }
        let mut worlds: BTreeMap<Situation, Arc<str>> = BTreeMap::new();
        let found: Vec<bool> = told.iter().map(Option::is_some).collect();
        let played = told.into_iter().zip(tales).filter_map(|(told, (_, plan))| {
            let Retold { initially, passed, beyond } = told?;
            let first = &passed[0].situation;
            let world = match worlds.get(first) {
                Some(known) => known.clone(),
                None => worlds.entry(first.clone()).or_insert(self.key(first, &[]).into()).clone(),
            };
            let (plan, deeds) = (plan.to_vec(), plan.to_vec());
            Some(Played { world, initially, plan, deeds, passed, beyond })
        });
        let played: Vec<Played> = played.collect();
        let mut stories = self.settle(played)?.into_iter();
        Ok(found.into_iter().map(|found| if found { stories.next() } else { None }).collect())
    }

    /// What is answered in one scene of each of the stories that [`Simulator::retell`] would tell, from an initial
    /// situation and a plan; none where there is none. Their steps are evaluated together.
    ///
    /// # Errors
    /// Solver failures.
    pub fn glimpse(
        &mut self,
        tales: &[(Situation, Vec<usize>)],
        further: &[usize],
        scene: Timepoint,
    ) -> Result<Vec<Option<AnswerSheet>>, SimulationError> {
        let (is_begun, more, supposed) = match scene {
            Timepoint::Initially => (false, 0, None),
            Timepoint::Now => (true, 0, None),
            Timepoint::Supposing => (true, 0, further.first().copied()),
            Timepoint::AfterOne => (true, 1, None),
            Timepoint::AfterTwo => (true, 2, None),
        };
        let action_of = |tale: usize, step: usize| {
            let plan = if is_begun { tales[tale].1.as_slice() } else { &[] };
            plan.iter().chain(further.iter().take(more)).nth(step).copied()
        };
        let mut here: Vec<Option<Situation>> = tales.iter().map(|(start, _)| Some(start.clone())).collect();
        for step in 0.. {
            let going = here.iter().enumerate().filter_map(|(tale, here)| {
                let action = action_of(tale, step)?;
                here.as_ref().map(|here| (tale, (here, action)))
            });
            let (numbers, steps): (Vec<usize>, Vec<(&Situation, usize)>) = going.unzip();
            if steps.is_empty() {
                break;
            }
            let outcomes = self.engine.steps(&steps)?;
            for (tale, outcome) in numbers.into_iter().zip(outcomes) {
                here[tale] = outcome.map(|outcome| outcome.situation);
            }
        }
        let there = here.iter().enumerate().filter_map(|(tale, here)| Some((tale, here.as_ref()?)));
        let (numbers, asked): (Vec<usize>, Vec<(&Situation, Option<usize>)>) =
            there.map(|(tale, here)| (tale, (here, supposed))).unzip();
        let mut sheets: Vec<Option<AnswerSheet>> = vec![None; tales.len()];
        for (tale, considered) in numbers.into_iter().zip(self.engine.sheets(&asked)?) {
            sheets[tale] = considered.map(|(_, sheet)| sheet);
        }
        Ok(sheets)
    }

    /// The actions executable in each of these situations.
    ///
    /// # Errors
    /// Solver failures.
    pub fn executable(&mut self, situations: &[&Situation]) -> Result<Vec<Vec<usize>>, SimulationError> {
        self.engine.executable(situations)
    }

    /// Works out everything that can be asked about plans and further actions.
    pub(crate) fn settle(&mut self, played: Vec<Played>) -> Result<Vec<Story>, SimulationError> {
        let asked: Vec<(&Situation, Option<usize>)> = played.iter().flat_map(scenes).collect();
        let mut answered = self.engine.sheets(&asked)?.into_iter();
        let mut sheet = || answered.next().flatten().map(|(_, sheet)| sheet);
        let story = |played: Played| {
            let supposes = supposes(&played);
            let Played { world, initially, plan, deeds, passed: outcomes, beyond } = played;
            let (further, beyond): (Vec<usize>, Vec<Outcome>) = beyond.into_iter().unzip();
            let mut sheets = Vec::new();
            let now = if plan.is_empty() { Some(initially.clone()) } else { sheet() };
            if !further.is_empty() {
                let (supposing, before) = (sheet(), supposes.then(&mut sheet).flatten());
                sheets.extend(supposing.map(|now| (Timepoint::Supposing, now, before)));
            }
            for (scene, _) in [Timepoint::AfterOne, Timepoint::AfterTwo].into_iter().zip(&beyond) {
                sheets.extend(sheet().map(|now| (scene, now, Some(initially.clone()))));
            }
            sheets.extend(now.map(|now| (Timepoint::Now, now, Some(initially.clone()))));
            sheets.push((Timepoint::Initially, initially.clone(), Some(initially)));
            let (initial, possible) = (outcomes[0].situation.clone(), outcomes[0].executable.clone());
            let passed = outcomes.into_iter().skip(1).map(|o| o.situation).collect();
            let beyond = beyond.into_iter().map(|o| o.situation).collect();
            let twin = None;
            Story { initial, possible, plan, deeds, passed, further, beyond, world, twin, sheets }
        };
        Ok(played.into_iter().map(story).collect())
    }

    /// The length of a shortest plan from the initial situation of a story to the one after its plan; none where it is
    /// not found within a bound.
    ///
    /// # Errors
    /// Solver failures.
    pub fn effective_depth(&self, story: &Story) -> Result<Option<usize>, SimulationError> {
        let passed: Vec<&Situation> = std::iter::once(&story.initial).chain(&story.passed).collect();
        let mut engine = TransitionSystem::of(self.engine.compiled().clone(), self.limit);
        shortest(&mut engine, &passed, &story.possible)
    }

    /// Has clingo confirm each step and each sheet of a story; of a long plan, steps at even distances.
    ///
    /// # Errors
    /// [`SimulationError::Disagreement`].
    pub fn judge(&mut self, story: &Story) -> Result<(), SimulationError> {
        let mut here = story.initial.clone();
        let judged = (story.plan.len() / MOST_JUDGED).max(1);
        for (number, action) in story.deeds.iter().chain(&story.further).enumerate() {
            let next = self.engine.step(&here, *action)?;
            if number % judged == 0 || number >= story.plan.len() {
                self.engine.judge_step(&here, *action, next.as_ref())?;
            }
            here = next.map(|o| o.situation).unwrap_or(here);
        }
        let last = story.passed.last().unwrap_or(&story.initial);
        if let Some((sheet, _)) = story.sheet(Timepoint::Now) {
            self.engine.judge_sheet(last, None, sheet)?;
        }
        if let (Some((sheet, _)), Some(action)) = (story.sheet(Timepoint::Supposing), story.further.first()) {
            self.engine.judge_sheet(last, Some(*action), sheet)?;
        }
        if let Some((sheet, _)) = story.sheet(Timepoint::Initially) {
            self.engine.judge_sheet(&story.initial, None, sheet)?;
        }
        Ok(())
    }
}

/// How far a story is retold.
struct Retold {
    initially: AnswerSheet,
    passed: Vec<Outcome>,
    beyond: Vec<(usize, Outcome)>,
}

impl Retold {
    /// Where it is.
    fn last(&self) -> &Situation {
        let last = self.beyond.last().map(|(_, outcome)| outcome);
        &last.unwrap_or(&self.passed[self.passed.len() - 1]).situation
    }
}

/// The scenes of which everything is asked, in the order in which answers are read: now, unless that is the beginning;
/// with an action supposed, now and where it could be carried out at the beginning; and after each further action.
fn scenes(played: &Played) -> Vec<(&Situation, Option<usize>)> {
    let (first, last) = (&played.passed[0], &played.passed[played.passed.len() - 1]);
    let mut scenes = Vec::new();
    if !played.plan.is_empty() {
        scenes.push((&last.situation, None));
    }
    if let Some((action, _)) = played.beyond.first() {
        scenes.push((&last.situation, Some(*action)));
        if supposes(played) {
            scenes.push((&first.situation, Some(*action)));
        }
    }
    scenes.extend(played.beyond.iter().map(|(_, outcome)| (&outcome.situation, None)));
    scenes
}

/// Could the action that is supposed be carried out at the beginning as well?
fn supposes(played: &Played) -> bool {
    played.beyond.first().is_some_and(|(action, _)| played.passed[0].executable.contains(action))
}

fn enumerate(
    package: &Package,
    layout: &Layout,
    engine: &CompiledLayout,
    start: &Situation,
    depth: usize,
    limit: Duration,
) -> Result<Vec<Vec<usize>>, SimulationError> {
    let initially: Vec<Term> = start.iter().map(|f| engine.fluents[f].clone()).collect();
    let program = layout.trajectory_program(package, &initially, depth);
    let found = program.search(&[("occ", 2)], None, limit)?.enumerate(MOST_TRAJECTORIES + 1)?;
    if found.len() > MOST_TRAJECTORIES {
        return Err(SimulationError::TooManyPlans { depth });
    }
    let mut plans: Vec<Vec<usize>> = found
        .iter()
        .map(|answer| {
            let mut steps: Vec<(&Term, usize)> = answer
                .iter()
                .filter_map(|occ| {
                    let action = engine.actions.binary_search(&occ.args()[0]).ok()?;
                    Some((&occ.args()[1], action))
                })
                .collect();
            steps.sort();
            steps.into_iter().map(|(_, action)| action).collect()
        })
        .collect();
    plans.sort();
    plans.dedup();
    Ok(plans)
}

/// A number in [0, 1) that a key decides, the same in every run.
pub fn share_of(key: &str) -> f64 {
    let hash = digest(["share", key]);
    u64::from_str_radix(&hash[..13], 16).unwrap_or(0) as f64 / (1u64 << 52) as f64
}

/// The key of a world and what happens in it.
fn key(
    package: &Package,
    layout: &Layout,
    engine: &TransitionSystem,
    situation: &Situation,
    plan: &[usize],
) -> String {
    let ids: Vec<&str> = layout.objects.iter().map(|o| o.id.as_ref()).collect();
    let kinds: Vec<usize> = layout.objects.iter().map(|o| o.kind).collect();
    let fluents = situation.iter().filter(|f| engine.inertial.contains(*f));
    let fluents = fluents.map(|f| engine.fluents[f].clone());
    let steps = plan.iter().enumerate().map(|(time, action)| {
        Term::function("occ", vec![engine.actions[*action].clone(), Term::Number(time as i32)])
    });
    let facts: Vec<Term> = layout.statics.iter().cloned().chain(fluents).chain(steps).collect();
    world_key(&package.name, &ids, &kinds, &facts)
}
