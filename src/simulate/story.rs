//! A layout to stories: an initial situation, a sequence of executable actions, and what can be asked about it.

use std::sync::Arc;
use std::time::Duration;

use racgen_logic::canonical::world_key;
use racgen_logic::seed::digest;
use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;

use crate::domain::package::Package;
use crate::simulate::error::SimulationError;
use crate::simulate::explore::{explore, one_more};
use crate::simulate::layout::Layout;
use crate::simulate::layout_cache::PreparedLayout;
use crate::simulate::shortest::shortest;
use crate::simulate::situation::{AnswerSheet, Outcome, Situation};
use crate::simulate::trajectory::{MOST_TRAJECTORIES, Sampling, Trajectory};
use crate::simulate::transition_system::TransitionSystem;

/// How often a story is begun anew because no action is executable before its end.
const MOST_DEAD_ENDS: usize = 100;

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

/// A story: what happened, and the answers to everything that can be asked about it.
#[derive(Clone, Debug)]
pub struct Story {
    /// The initial situation, all true fluents.
    pub initial: Situation,
    /// The actions executable in it.
    pub possible: Vec<usize>,
    /// The actions, as indices into [`actions`](crate::simulate::transition_system::CompiledLayout::actions).
    pub plan: Vec<usize>,
    /// The situations passed, the last one after the whole plan.
    pub passed: Vec<Situation>,
    /// Up to two further actions that questions may suppose.
    pub further: Vec<usize>,
    /// The situations after them.
    pub beyond: Vec<Situation>,
    /// Key of layout and initial situation.
    pub world: Arc<str>,
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
    sampling: Sampling,
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
        Simulator { package, engine, prepared, sampling, limit, position: 0 }
    }

    /// The layout.
    pub fn layout(&self) -> &Layout {
        &self.prepared.layout
    }

    /// Goes on with the situation at a position of the layout's sequence.
    pub fn go_to(&mut self, position: usize) {
        self.position = position;
    }

    /// The number of situations of the layout, where it is known.
    pub fn situations(&self) -> Option<usize> {
        self.prepared.situations.count()
    }

    /// How many worlds with a key that `keep` accepts the layout has, where its situations are known.
    pub fn worlds(&self, keep: impl Fn(&str) -> bool) -> Option<usize> {
        let (layout, engine) = (self.layout(), &self.engine);
        let key = |s: &Situation| key(self.package, layout, engine, s, &[]).into();
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
        let key = |s: &Situation| key(package, layout, engine, s, &[]).into();
        prepared.situations.draw(package, layout, engine, position, key, rng)
    }

    /// The key of a world, or with a plan that of a world and what happens in it.
    pub fn key(&self, situation: &Situation, plan: &[usize]) -> String {
        key(self.package, self.layout(), &self.engine, situation, plan)
    }

    /// Draws a plan of `depth` actions from a situation: the situations passed, none where the walk ends early.
    ///
    /// # Errors
    /// Solver failures; too many plans to enumerate.
    pub fn draw_plan(
        &mut self,
        start: &Situation,
        depth: usize,
        rng: &mut ChaCha8Rng,
    ) -> Result<Option<Trajectory>, SimulationError> {
        let Some((here, initially)) = self.engine.consider(start, None)? else { return Ok(None) };
        let chosen = match self.sampling {
            Sampling::Explore => {
                return explore(&mut self.engine, (here, initially), depth, rng);
            }
            Sampling::Walk => None,
            Sampling::Enumerate => match self.enumerate(start, depth)?.choose(rng) {
                Some(plan) => Some(plan.clone()),
                None => return Ok(None),
            },
        };
        let mut passed = vec![here];
        let mut plan = Vec::new();
        for time in 0..depth {
            let here = &passed[time];
            let mut options = match &chosen {
                Some(plan) => vec![plan[time]],
                None => here.executable.clone(),
            };
            // An executable action may still be barred by a constraint on the situation it leads to.
            let next = loop {
                if options.is_empty() {
                    return Ok(None);
                }
                let action = options.swap_remove(rng.random_range(0..options.len()));
                if let Some(outcome) = self.engine.step(&passed[time].situation, action)? {
                    plan.push(action);
                    break outcome;
                }
            };
            passed.push(next);
        }
        Ok(Some(Trajectory { plan, passed, initially }))
    }

    /// All plans of `depth` actions from a situation, from the time-expanded program (section 2.5), in order.
    ///
    /// # Errors
    /// [`SimulationError::TooManyPlans`].
    pub fn enumerate(&self, start: &Situation, depth: usize) -> Result<Vec<Vec<usize>>, SimulationError> {
        let initially: Vec<Term> = start.iter().map(|f| self.engine.fluents[f].clone()).collect();
        let program = self.layout().trajectory_program(self.package, &initially, depth);
        let found = program.search(&[("occ", 2)], None, self.limit)?.enumerate(MOST_TRAJECTORIES + 1)?;
        if found.len() > MOST_TRAJECTORIES {
            return Err(SimulationError::TooManyPlans { depth });
        }
        let mut plans: Vec<Vec<usize>> = found
            .iter()
            .map(|answer| {
                let mut steps: Vec<(&Term, usize)> = answer
                    .iter()
                    .filter_map(|occ| {
                        let action = self.engine.actions.binary_search(&occ.args()[0]).ok()?;
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
        let mut dead_ends = 0;
        for _ in 0..tries {
            let (start, world) = self.draw_world(rng)?;
            if !by_instance && !keep(&world) {
                continue;
            }
            let Some(walk) = self.draw_plan(&start, depth, rng)? else {
                dead_ends += 1;
                if dead_ends >= MOST_DEAD_ENDS {
                    let domain = self.package.name.clone();
                    return Err(SimulationError::NoPlan { domain, depth, tries: dead_ends });
                }
                continue;
            };
            if by_instance && !keep(&self.key(&walk.passed[0].situation, &walk.plan)) {
                continue;
            }
            return Ok(Some(self.complete(walk, world, rng)?));
        }
        Ok(None)
    }

    /// Draws up to two further actions, and works out everything that can be asked.
    fn complete(
        &mut self,
        walk: Trajectory,
        world: Arc<str>,
        rng: &mut ChaCha8Rng,
    ) -> Result<Story, SimulationError> {
        let mut beyond: Vec<(usize, Outcome)> = Vec::new();
        for _ in 0..2 {
            let Some(further) = self.further(&walk, &beyond, rng)? else { break };
            beyond.push(further);
        }
        self.settle(walk, world, beyond)
    }

    /// Draws a further action; none where the one that is drawn cannot occur.
    fn further(
        &mut self,
        walk: &Trajectory,
        beyond: &[(usize, Outcome)],
        rng: &mut ChaCha8Rng,
    ) -> Result<Option<(usize, Outcome)>, SimulationError> {
        let passed: Vec<&Outcome> = walk.passed.iter().chain(beyond.iter().map(|(_, o)| o)).collect();
        if self.sampling == Sampling::Explore {
            let plan: Vec<usize> = walk.plan.iter().copied().chain(beyond.iter().map(|(a, _)| *a)).collect();
            return one_more(&mut self.engine, &passed, &plan, rng);
        }
        let here = passed[passed.len() - 1];
        let Some(action) = here.executable.choose(rng) else { return Ok(None) };
        Ok(self.engine.step(&here.situation, *action)?.map(|next| (*action, next)))
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
        let Some((here, initially)) = self.engine.consider(start, None)? else { return Ok(None) };
        let mut passed = vec![here];
        for action in plan {
            let Some(next) = self.engine.step(&passed[passed.len() - 1].situation, *action)? else {
                return Ok(None);
            };
            passed.push(next);
        }
        let mut beyond: Vec<(usize, Outcome)> = Vec::new();
        for action in further {
            let last = &passed[passed.len() - 1];
            let here = beyond.last().map_or(last, |(_, outcome)| outcome);
            let Some(next) = self.engine.step(&here.situation, *action)? else { break };
            beyond.push((*action, next));
        }
        let world = self.key(&passed[0].situation, &[]).into();
        let walk = Trajectory { plan: plan.to_vec(), passed, initially };
        Ok(Some(self.settle(walk, world, beyond)?))
    }

    /// What is answered in one scene of the story that [`Simulator::retell`] would tell; none where there is none.
    ///
    /// # Errors
    /// Solver failures.
    pub fn glimpse(
        &mut self,
        start: &Situation,
        plan: &[usize],
        further: &[usize],
        scene: Timepoint,
    ) -> Result<Option<AnswerSheet>, SimulationError> {
        let (steps, more, supposed) = match scene {
            Timepoint::Initially => (0, 0, None),
            Timepoint::Now => (plan.len(), 0, None),
            Timepoint::Supposing => (plan.len(), 0, further.first().copied()),
            Timepoint::AfterOne => (plan.len(), 1, None),
            Timepoint::AfterTwo => (plan.len(), 2, None),
        };
        let mut here = start.clone();
        for action in plan.iter().take(steps).chain(further.iter().take(more)) {
            let Some(next) = self.engine.step(&here, *action)? else { return Ok(None) };
            here = next.situation;
        }
        Ok(self.engine.consider(&here, supposed)?.map(|(_, sheet)| sheet))
    }

    /// The actions executable in a situation.
    ///
    /// # Errors
    /// Solver failures.
    pub fn executable(&mut self, situation: &Situation) -> Result<Vec<usize>, SimulationError> {
        let considered = self.engine.consider(situation, None)?;
        Ok(considered.map_or_else(Vec::new, |(outcome, _)| outcome.executable))
    }

    /// Works out everything that can be asked about a plan and further actions.
    fn settle(
        &mut self,
        walk: Trajectory,
        world: Arc<str>,
        beyond: Vec<(usize, Outcome)>,
    ) -> Result<Story, SimulationError> {
        let Trajectory { plan, passed: outcomes, initially } = walk;
        let (initial, possible) = (outcomes[0].situation.clone(), outcomes[0].executable.clone());
        let last = &outcomes[outcomes.len() - 1];
        let (further, beyond): (Vec<usize>, Vec<Outcome>) = beyond.into_iter().unzip();
        let mut sheet = |situation: &Situation, supposed| -> Result<Option<AnswerSheet>, SimulationError> {
            Ok(self.engine.consider(situation, supposed)?.map(|(_, sheet)| sheet))
        };
        let mut sheets = Vec::new();
        let now = if plan.is_empty() { Some(initially.clone()) } else { sheet(&last.situation, None)? };
        if let Some(action) = further.first()
            && let Some(now) = sheet(&last.situation, Some(*action))?
        {
            let possible = outcomes[0].executable.contains(action);
            let before = if possible { sheet(&initial, Some(*action))? } else { None };
            sheets.push((Timepoint::Supposing, now, before));
        }
        for (scene, outcome) in [Timepoint::AfterOne, Timepoint::AfterTwo].into_iter().zip(&beyond) {
            if let Some(now) = sheet(&outcome.situation, None)? {
                sheets.push((scene, now, Some(initially.clone())));
            }
        }
        sheets.extend(now.map(|now| (Timepoint::Now, now, Some(initially.clone()))));
        sheets.push((Timepoint::Initially, initially.clone(), Some(initially)));
        let passed = outcomes.into_iter().skip(1).map(|o| o.situation).collect();
        let beyond = beyond.into_iter().map(|o| o.situation).collect();
        Ok(Story { initial, possible, plan, passed, further, beyond, world, sheets })
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

    /// Has clingo confirm each step and each sheet of a story.
    ///
    /// # Errors
    /// [`SimulationError::Disagreement`].
    pub fn judge(&mut self, story: &Story) -> Result<(), SimulationError> {
        let mut here = story.initial.clone();
        for action in story.plan.iter().chain(&story.further) {
            let next = self.engine.step(&here, *action)?;
            self.engine.judge_step(&here, *action, next.as_ref())?;
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

/// A number in [0, 1) that a key decides, the same in every run.
pub fn share_of(key: &str) -> f64 {
    let hash = digest(["share", key]);
    u64::from_str_radix(&hash[..13], 16).unwrap_or(0) as f64 / (1u64 << 52) as f64
}

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
