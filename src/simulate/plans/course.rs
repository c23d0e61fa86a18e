//! A situation to a plan, action by action: to new situations with all schemas of actions, or as a sampling of another
//! kind has it. Whoever evaluates the steps may take many courses further at once.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rustc_hash::FxHashMap as HashMap;

use crate::simulate::situation::{Outcome, Situation};
use crate::simulate::transitions::compiled_layout::CompiledLayout;

/// How many steps that lead back to a situation are looked at before one of them is taken. Where there is a way to a
/// new situation, two or three mostly suffice; where there is none, more would only cost time.
const MOST_STEPS_BACK: usize = 8;

/// The weight of a schema that was not used yet. The squares of 1 to 10 divide it.
const UNUSED: u64 = 2520 * 2520;

/// How much more often a like action is taken than another, where both are to be had.
const PERSISTENCE: u64 = 3;

/// How often a plan that can only step back takes its last action back and goes another way: small worlds have corners.
const MOST_RETREATS: usize = 2;

/// Plans of so many actions are looked through whenever it is asked what they passed.
const SHORT: usize = 32;

/// How many further actions a course goes on with after its plan.
const FURTHER: usize = 2;

/// How a course chooses its actions.
#[derive(Clone)]
pub(crate) enum Policy {
    /// To situations not passed yet, with schemas that were used less so far.
    Explore,
    /// To situations not passed yet, mostly with actions that have something in common with the last one: runs of like
    /// actions come to what actions of all sorts do not.
    Persist,
    /// Any that can be carried out.
    Walk,
    /// Those of a plan.
    Follow(Vec<usize>),
}

/// What a course does next.
pub(crate) enum Next {
    /// It tries a deed, an action with what comes of it, and wants to know what this leads to.
    Try(usize),
    /// The plan cannot be completed.
    DeadEnd,
    /// Plan and further actions are complete.
    Arrived,
}

/// A plan that grows, and up to two further actions after it.
pub(crate) struct Course {
    policy: Policy,
    depth: usize,
    pub(crate) plan: Vec<usize>,
    /// The same with what came of it.
    pub(crate) deeds: Vec<usize>,
    /// The situations passed, the initial one first.
    pub(crate) passed: Vec<Outcome>,
    pub(crate) beyond: Vec<(usize, Outcome)>,
    /// Situations from which the plan stepped back.
    corners: Vec<Outcome>,
    /// How often each situation of a long plan was passed; those of a short one are looked through.
    met: HashMap<Situation, u32>,
    /// An action of each schema, and how often the schema was used by the first actions of the plan, and by how many.
    used: (Vec<(usize, u64)>, usize),
    choice: Option<Choice>,
    tried: Tried,
    /// No further action could be found.
    stopped: bool,
}

/// An action that is tried.
#[derive(Clone, Copy, Default)]
struct Tried {
    action: usize,
    /// With what comes of it.
    deed: usize,
    /// Could something else have come?
    open: bool,
}

/// The choice of one action.
struct Choice {
    schemas: Vec<Schema>,
    /// The first step that led back to a situation passed before.
    aside: Option<(Tried, Outcome)>,
    back: usize,
}

/// Actions of one functor, or all there are, and their weight among others.
struct Schema {
    weight: u64,
    actions: Vec<usize>,
}

impl Tried {
    /// An action, and one of its outcomes where it has several.
    fn of(engine: &CompiledLayout, action: usize, rng: &mut ChaCha8Rng) -> Tried {
        let count = engine.deeds.of(action).count();
        let number = if count > 1 { rng.random_range(0..count) } else { 0 };
        let deed = engine.deeds.of(action).nth(number).unwrap_or(action);
        Tried { action, deed, open: count > 1 }
    }
}

impl Course {
    pub(crate) fn new(policy: Policy, start: Outcome, depth: usize) -> Course {
        let met = if depth > SHORT {
            HashMap::from_iter([(start.situation.clone(), 1)])
        } else {
            HashMap::default()
        };
        Course {
            policy,
            depth,
            plan: Vec::new(),
            deeds: Vec::new(),
            passed: vec![start],
            beyond: Vec::new(),
            corners: Vec::new(),
            met,
            used: (Vec::new(), 0),
            choice: None,
            tried: Tried::default(),
            stopped: false,
        }
    }

    /// The situation that was reached last.
    pub(crate) fn here(&self) -> &Outcome {
        self.beyond.last().map_or(&self.passed[self.passed.len() - 1], |(_, outcome)| outcome)
    }

    fn is_planned(&self) -> bool {
        self.plan.len() == self.depth
    }

    /// The next action to be tried.
    ///
    /// To explore, an action schema is drawn with a weight of `1 / (1 + times used)^2`, then one of its actions. A step
    /// back to a situation passed before is put aside, and the first one put aside is taken where nothing else is found.
    pub(crate) fn next(&mut self, engine: &CompiledLayout, rng: &mut ChaCha8Rng) -> Next {
        loop {
            if self.is_planned() && (self.stopped || self.beyond.len() == FURTHER) {
                return Next::Arrived;
            }
            let mut choice = self.choice.take().unwrap_or_else(|| self.options(engine));
            if choice.back < MOST_STEPS_BACK
                && let Some(action) = draw(&mut choice.schemas, rng)
            {
                self.tried = Tried::of(engine, action, rng);
                self.choice = Some(choice);
                return Next::Try(self.tried.deed);
            }
            match choice.aside {
                Some((tried, outcome)) => self.take_back(tried, outcome),
                None if self.is_planned() => self.stopped = true,
                None => return Next::DeadEnd,
            }
        }
    }

    /// Notes what the action that was tried leads to; nothing where it is barred by a constraint on the situation it
    /// would lead to.
    pub(crate) fn came_to(&mut self, outcome: Option<Outcome>) {
        let explores = matches!(self.policy, Policy::Explore | Policy::Persist);
        let Some(choice) = &mut self.choice else { return };
        let Some(outcome) = outcome else {
            // Of further actions the first that is drawn is tried, and no other.
            if !explores && self.plan.len() == self.depth {
                choice.schemas.clear();
            }
            return;
        };
        // That nothing came of an action that may fail is news.
        if explores && !self.tried.open {
            let beyond = self.beyond.iter().map(|(_, outcome)| outcome);
            let corners = self.corners.iter().filter(|_| self.plan.len() < self.depth);
            let short = if self.depth > SHORT { &[][..] } else { &self.passed[..] };
            let mut known = corners.chain(short).chain(beyond);
            if known.any(|before| before.situation == outcome.situation)
                || self.met.contains_key(&outcome.situation)
            {
                choice.aside.get_or_insert((self.tried, outcome));
                choice.back += 1;
                return;
            }
        }
        self.choice = None;
        self.step(self.tried, outcome);
    }

    /// Goes on with an action.
    fn step(&mut self, tried: Tried, outcome: Outcome) {
        if self.is_planned() {
            self.beyond.push((tried.action, outcome));
        } else {
            self.plan.push(tried.action);
            self.deeds.push(tried.deed);
            if self.depth > SHORT {
                *self.met.entry(outcome.situation.clone()).or_default() += 1;
                // What can be done is asked of the last situations only, and of the first.
                if let Some(place) =
                    self.passed.len().checked_sub(MOST_RETREATS + 1).filter(|place| *place > 0)
                {
                    self.passed[place].executable = Vec::new();
                }
            }
            self.passed.push(outcome);
        }
    }

    /// Goes back to a situation passed before, or takes the last action of the plan back to go another way.
    fn take_back(&mut self, tried: Tried, outcome: Outcome) {
        let retreats = !self.is_planned() && self.corners.len() < MOST_RETREATS;
        if retreats && self.plan.pop().is_some() {
            self.deeds.pop();
            let corner = self.passed.pop();
            if let Some(times) = corner.as_ref().and_then(|corner| self.met.get_mut(&corner.situation)) {
                *times -= 1;
            }
            self.met.retain(|_, times| *times > 0);
            self.used = (Vec::new(), 0);
            self.corners.extend(corner);
        } else {
            self.step(tried, outcome);
        }
    }

    /// Counts the schemas of the actions that were planned since it was done last.
    fn count_schemas(&mut self, engine: &CompiledLayout) {
        let functor = |action: usize| engine.actions[action].functor();
        let (used, counted) = &mut self.used;
        for action in &self.plan[*counted..] {
            match used.iter_mut().find(|(of, _)| functor(*of) == functor(*action)) {
                Some((_, times)) => *times += 1,
                None => used.push((*action, 1)),
            }
        }
        *counted = self.plan.len();
    }

    /// The actions that may be tried, as the policy groups them.
    fn options(&mut self, engine: &CompiledLayout) -> Choice {
        if matches!(self.policy, Policy::Explore) {
            self.count_schemas(engine);
        }
        let executable = &self.here().executable;
        let any = |actions: Vec<usize>| vec![Schema { weight: 0, actions }];
        let schemas = match &self.policy {
            Policy::Explore => {
                let functor = |action: usize| engine.actions[action].functor();
                let used = |action: usize| {
                    let planned = self.used.0.iter().find(|(of, _)| functor(*of) == functor(action));
                    let beyond = self.beyond.iter().filter(|(of, _)| functor(*of) == functor(action)).count();
                    planned.map_or(0, |(_, times)| *times) + beyond as u64
                };
                schemas(engine, executable, used)
            }
            Policy::Persist => alike(engine, executable, self.plan.last().copied()),
            Policy::Follow(plan) if !self.is_planned() => any(vec![plan[self.plan.len()]]),
            Policy::Walk | Policy::Follow(_) => any(executable.clone()),
        };
        Choice { schemas, aside: None, back: 0 }
    }
}

/// The schemas of the actions; `used` says how often that of an action was used.
fn schemas(engine: &CompiledLayout, actions: &[usize], used: impl Fn(usize) -> u64) -> Vec<Schema> {
    let functor = |action: usize| engine.actions[action].functor();
    let mut found: Vec<Schema> = Vec::new();
    for action in actions.iter().copied() {
        match found.iter_mut().find(|schema| functor(schema.actions[0]) == functor(action)) {
            Some(schema) => schema.actions.push(action),
            None => {
                let used = used(action);
                let weight = (UNUSED / ((1 + used) * (1 + used))).max(1);
                found.push(Schema { weight, actions: vec![action] });
            }
        }
    }
    found
}

/// The actions that have the functor of the last one and an argument in common with it, and the others.
fn alike(engine: &CompiledLayout, actions: &[usize], last: Option<usize>) -> Vec<Schema> {
    let is_alike = |action: &usize| {
        last.is_some_and(|last| {
            let (this, last) = (&engine.actions[*action], &engine.actions[last]);
            this.functor() == last.functor() && this.args().iter().zip(last.args()).any(|(a, b)| a == b)
        })
    };
    let (alike, others): (Vec<usize>, Vec<usize>) = actions.iter().partition(|action| is_alike(action));
    let schemas = [(PERSISTENCE, alike), (1, others)];
    let schemas = schemas.into_iter().filter(|(_, actions)| !actions.is_empty());
    schemas.map(|(weight, actions)| Schema { weight, actions }).collect()
}

/// Draws a schema, where there are weights, and takes an action out of it.
fn draw(schemas: &mut Vec<Schema>, rng: &mut ChaCha8Rng) -> Option<usize> {
    let total: u64 = schemas.iter().map(|schema| schema.weight).sum();
    let mut place = if total == 0 { 0 } else { rng.random_range(0..total) };
    let number = schemas.iter().position(|schema| {
        let found = place < schema.weight || total == 0;
        place = place.saturating_sub(schema.weight);
        found
    })?;
    let actions = &mut schemas[number].actions;
    if actions.is_empty() {
        return None;
    }
    let action = actions.swap_remove(rng.random_range(0..actions.len()));
    if actions.is_empty() {
        schemas.swap_remove(number);
    }
    Some(action)
}
