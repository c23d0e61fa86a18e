//! A situation to those around it: all that can be reached by so many actions, breadth first, and how they hang together.
//!
//! Whole layers only are kept, so that whatever is said of a distance within them is so. The search ends where a further
//! layer would take more steps than the bound, or where there is none.

use std::sync::{Arc, OnceLock};

use hashbrown::HashTable;

use crate::simulate::error::SimulationError;
use crate::simulate::search::fact_places::FactPlaces;
use crate::simulate::search::goal::GoalFact;
use crate::simulate::situation::{BitSet, Situation};
use crate::simulate::transitions::met_situations::{MetSituations, hashed};
use crate::simulate::transitions::transition_system::TransitionSystem;

/// Steps that are evaluated at most; fewer where clingo evaluates each of them.
pub const MOST_STEPS: usize = 6_000;
const MOST_STEPS_BY_CLINGO: usize = 200;

/// A situation that was reached.
#[derive(Clone, Debug)]
pub struct NearSituation {
    /// All its true fluents.
    pub situation: Arc<Situation>,
    /// How many actions a shortest way to it has.
    pub distance: usize,
    /// What can be carried out.
    pub executable: Arc<[usize]>,
    /// The situation before it on a shortest way, and the action; none at the start.
    before: Option<(u32, u32)>,
}

/// All situations within some distance of another.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// The situations, in order of distance; the start is the first.
    pub reached: Vec<NearSituation>,
    /// Every situation up to this distance is known, and no other.
    pub radius: usize,
    /// Is there no other situation to reach at all?
    pub exhausted: bool,
    /// Where among them what is true.
    pub places: FactPlaces,
    /// By action, where it can be carried out; worked out once it is asked for.
    able: OnceLock<Vec<BitSet>>,
    /// By place, the actions that a shortest way there may begin with; worked out once one of them is asked for.
    firsts: OnceLock<Vec<BitSet>>,
    /// How many actions there are.
    actions: usize,
    /// The places, found by the words of their situations; worked out once one of them is asked for.
    known: OnceLock<HashTable<usize>>,
    /// By distance, the place of the first situation of that distance.
    layers: Vec<usize>,
    /// Where the actions of all places lead, in the order of these, and where those of each begin; none of the outermost layer.
    leads: Vec<u32>,
    first_leads: Vec<usize>,
}

/// Which of the situations that were met are reached.
#[derive(Default)]
struct MetPlaces {
    /// By place, the number.
    numbers: Vec<u32>,
    /// By number, the place.
    places: Vec<Option<u32>>,
}

impl MetPlaces {
    /// Gives the situation of a number the next place.
    fn add(&mut self, number: u32) -> usize {
        let (place, number) = (self.numbers.len(), number as usize);
        self.numbers.push(number as u32);
        if self.places.len() <= number {
            self.places.resize(number + 1, None);
        }
        self.places[number] = Some(place as u32);
        place
    }

    fn place(&self, number: u32) -> Option<usize> {
        self.places.get(number as usize).copied().flatten().map(|place| place as usize)
    }
}

/// The shortest ways from one place to the others.
#[derive(Clone, Debug)]
pub struct WaysFrom {
    /// By place, the fewest actions that lead there, as far as that is known.
    pub distances: Vec<Option<usize>>,
    /// The place before it on a shortest way, and the action; none at the start.
    before: Vec<Option<(usize, usize)>>,
}

impl WaysFrom {
    /// A shortest way to a place that is known to be reached.
    pub fn way(&self, place: usize) -> Vec<usize> {
        back(place, |here| self.before[here])
    }
}

/// The actions that lead to a place, by what comes before each.
pub(super) fn back(place: usize, before: impl Fn(usize) -> Option<(usize, usize)>) -> Vec<usize> {
    let steps = std::iter::successors(before(place), |(here, _)| before(*here));
    let mut actions: Vec<usize> = steps.map(|(_, action)| action).collect();
    actions.reverse();
    actions
}

/// Where some actions lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayedOut {
    /// To the situation at this place.
    Ends(usize),
    /// The action of this number, from 0, cannot be carried out.
    Fails(usize),
    /// Beyond what is known.
    Unknown,
}

impl Surroundings {
    /// Searches around a situation, of which all true fluents are given.
    ///
    /// # Errors
    /// Solver failures.
    pub fn of(
        engine: &mut TransitionSystem,
        start: &Situation,
        executable: Vec<usize>,
    ) -> Result<Surroundings, SimulationError> {
        let mut found = Surroundings::search(engine, start, executable)?;
        found.places =
            FactPlaces::of(found.reached.iter().map(|near| &*near.situation), engine.fluents.len());
        Ok(found)
    }

    /// A situation alone, with nothing known of what is around it.
    pub fn alone(engine: &TransitionSystem, start: &Situation, executable: Vec<usize>) -> Surroundings {
        let mut found = Surroundings::start(engine, start, executable);
        found.places = FactPlaces::of(std::iter::once(start), engine.fluents.len());
        found
    }

    fn start(engine: &TransitionSystem, start: &Situation, executable: Vec<usize>) -> Surroundings {
        let (situation, executable) = (Arc::new(start.clone()), executable.into());
        let first = NearSituation { situation, distance: 0, before: None, executable };
        Surroundings {
            reached: vec![first],
            radius: 0,
            exhausted: false,
            places: FactPlaces::default(),
            able: OnceLock::new(),
            firsts: OnceLock::new(),
            actions: engine.compiled().actions.len(),
            known: OnceLock::new(),
            layers: vec![0, 1],
            leads: Vec::new(),
            first_leads: vec![0],
        }
    }

    /// Where the actions that can be carried out at a place lead, in the same order; nothing in the outermost layer.
    pub(super) fn leads(&self, place: usize) -> &[u32] {
        match self.first_leads.get(place + 1) {
            Some(end) => &self.leads[self.first_leads[place]..*end],
            None => &[],
        }
    }

    fn search(
        engine: &mut TransitionSystem,
        start: &Situation,
        executable: Vec<usize>,
    ) -> Result<Surroundings, SimulationError> {
        let most = if engine.compiled().is_native() { MOST_STEPS } else { MOST_STEPS_BY_CLINGO };
        let mut met = MetPlaces::default();
        met.add(engine.meet(start, &executable));
        let mut found = Surroundings::start(engine, start, executable);
        let mut steps = 0;
        loop {
            let layer = found.layers[found.radius]..found.layers[found.radius + 1];
            steps += found.reached[layer.clone()].iter().map(|here| here.executable.len()).sum::<usize>();
            if steps > most {
                return Ok(found);
            }
            engine.explore(&met.numbers[layer.clone()])?;
            for place in layer {
                found.expand(engine.met_situations(), place, &mut met);
            }
            if found.reached.len() == found.layers[found.radius + 1] {
                found.exhausted = true;
                return Ok(found);
            }
            found.radius += 1;
            found.layers.push(found.reached.len());
        }
    }

    /// Adds where the actions of one situation lead.
    fn expand(&mut self, known: &MetSituations, place: usize, met: &mut MetPlaces) {
        let distance = self.reached[place].distance;
        for (number, to) in known.leads(met.numbers[place]).iter().copied().enumerate() {
            let lead = met.place(to).unwrap_or_else(|| {
                let action = self.reached[place].executable[number];
                self.reached.push(NearSituation {
                    situation: known.situation(to).clone(),
                    distance: distance + 1,
                    before: Some((place as u32, action as u32)),
                    executable: known.executable(to).clone(),
                });
                met.add(to)
            });
            self.leads.push(lead as u32);
        }
        self.first_leads.push(self.leads.len());
    }

    fn place_of_words(&self, words: &[u64]) -> Option<usize> {
        let of_place = |place: &usize| self.reached[*place].situation.words();
        let made = || {
            let mut known = HashTable::with_capacity(self.reached.len());
            for (place, near) in self.reached.iter().enumerate() {
                known.insert_unique(hashed(near.situation.words()), place, |place| hashed(of_place(place)));
            }
            known
        };
        self.known.get_or_init(made).find(hashed(words), |place| of_place(place) == words).copied()
    }

    /// The places of the situations of a distance.
    pub fn layer(&self, distance: usize) -> std::ops::Range<usize> {
        match (self.layers.get(distance), self.layers.get(distance + 1)) {
            (Some(from), Some(to)) => *from..*to,
            _ => 0..0,
        }
    }

    /// The fewest actions that reach a goal; none where that is not known.
    pub fn distance(&self, goal: &[GoalFact]) -> Option<usize> {
        self.places.of_goal(goal).iter().next().map(|place| self.reached[place].distance)
    }

    /// The shortest ways from a place, where these are so few actions that no way is unknown.
    pub fn ways_from(&self, place: usize) -> WaysFrom {
        let mut found =
            WaysFrom { distances: vec![None; self.reached.len()], before: vec![None; self.reached.len()] };
        let most = if self.exhausted { usize::MAX } else { self.radius - self.reached[place].distance };
        let (mut layer, mut distance) = (vec![place], 0);
        found.distances[place] = Some(0);
        while !layer.is_empty() && distance < most {
            distance += 1;
            let mut next = Vec::new();
            for here in layer {
                for (action, to) in self.steps(here) {
                    if found.distances[to].is_none() {
                        (found.distances[to], found.before[to]) = (Some(distance), Some((here, action)));
                        next.push(to);
                    }
                }
            }
            layer = next;
        }
        found
    }

    /// How far a situation is; none where that is not known.
    pub fn distance_of(&self, situation: &Situation) -> Option<usize> {
        self.place_of(situation).map(|place| self.reached[place].distance)
    }

    /// Where a situation stands among them.
    pub fn place_of(&self, situation: &Situation) -> Option<usize> {
        self.place_of_words(situation.words())
    }

    /// The places at which a goal is met by the fewest actions.
    pub fn nearest(&self, goal: &[GoalFact]) -> impl Iterator<Item = usize> + '_ {
        let met = self.places.of_goal(goal);
        let layer = met.iter().next().map_or(0..0, |place| self.layer(self.reached[place].distance));
        layer.filter(move |place| met.contains(*place))
    }

    /// The fewest actions after which an action can be carried out; none where that is not known.
    pub fn distance_to_action(&self, action: usize) -> Option<usize> {
        let can = |here: &&NearSituation| here.executable.binary_search(&action).is_ok();
        self.reached.iter().find(can).map(|here| here.distance)
    }

    /// Where an action can be carried out.
    pub fn places_of_action(&self, action: usize) -> &BitSet {
        let made = || {
            let mut found = vec![BitSet::new(self.reached.len()); self.actions];
            for (place, near) in self.reached.iter().enumerate() {
                near.executable.iter().for_each(|action| found[*action].insert(place));
            }
            found
        };
        &self.able.get_or_init(made)[action]
    }

    /// How many situations are nearer than a distance: those that a search breadth first looks at before it finds one.
    pub fn nearer(&self, distance: usize) -> usize {
        self.layer(distance).start
    }

    /// The actions that a shortest way to a goal may begin with.
    pub fn firsts(&self, goal: &[GoalFact]) -> Vec<usize> {
        let firsts = self.firsts.get_or_init(|| self.all_firsts());
        let mut all = BitSet::new(self.actions);
        self.nearest(goal).for_each(|place| all.add(&firsts[place]));
        all.listed()
    }

    /// By place, the actions that a shortest way there may begin with.
    fn all_firsts(&self) -> Vec<BitSet> {
        let mut found = vec![BitSet::new(self.actions); self.reached.len()];
        for (action, to) in self.steps(0).filter(|(_, to)| self.reached[*to].distance == 1) {
            found[to].insert(action);
        }
        for place in self.layer(1).start..self.reached.len() {
            // Those farther away stand behind it.
            let (own, farther) = found.split_at_mut(place + 1);
            let distance = self.reached[place].distance + 1;
            for to in self.leads(place).iter().map(|to| *to as usize) {
                if self.reached[to].distance == distance {
                    farther[to - place - 1].add(&own[place]);
                }
            }
        }
        found
    }

    /// A shortest way to the situation at a place.
    pub fn way(&self, place: usize) -> Vec<usize> {
        let before = |here: usize| self.reached[here].before;
        back(place, |here| before(here).map(|(last, action)| (last as usize, action as usize)))
    }

    /// The places that shortest ways to a goal pass, and those where they end.
    pub fn on_the_way(&self, goal: &[GoalFact]) -> Vec<usize> {
        let mut last: Vec<usize> = self.nearest(goal).collect();
        let Some(distance) = last.first().map(|place| self.reached[*place].distance) else { return last };
        let mut passed = last.clone();
        for layer in (0..distance).rev() {
            let leads =
                |from: &usize| self.leads(*from).iter().any(|to| last.binary_search(&(*to as usize)).is_ok());
            last = self.layer(layer).filter(leads).collect();
            passed.extend(&last);
        }
        passed
    }

    /// A shortest way to the situation at a place that begins with an action; none where none does.
    pub fn way_by(&self, place: usize, first: usize) -> Option<Vec<usize>> {
        let distance = self.reached[place].distance;
        let mut here = self.steps(0).find(|(action, _)| *action == first)?.1;
        let mut way = vec![first];
        // From the goal back, the places of each layer from which it can still be reached in time.
        let mut toward = vec![vec![place]];
        for layer in (1..distance).rev() {
            let last = &toward[toward.len() - 1];
            let leads = |from: &usize| self.leads(*from).iter().any(|to| last.contains(&(*to as usize)));
            toward.push(self.layer(layer).filter(leads).collect());
        }
        while let Some(layer) = toward.pop() {
            if !layer.contains(&here) {
                return None;
            }
            let Some(next) = toward.last() else { break };
            let (action, to) = self.steps(here).find(|(_, to)| next.contains(to))?;
            way.push(action);
            here = to;
        }
        Some(way)
    }

    /// Where some actions lead, one after the other.
    pub fn course(&self, actions: &[usize]) -> PlayedOut {
        let mut here = 0;
        for (step, action) in actions.iter().enumerate() {
            let executable = &self.reached[here].executable;
            let Ok(number) = executable.binary_search(action) else { return PlayedOut::Fails(step) };
            match self.leads(here).get(number) {
                Some(next) => here = *next as usize,
                None => return PlayedOut::Unknown,
            }
        }
        PlayedOut::Ends(here)
    }

    /// What can be carried out at a place with where it leads; empty in the outermost layer.
    pub fn steps(&self, place: usize) -> impl ExactSizeIterator<Item = (usize, usize)> + '_ {
        let leads = self.leads(place).iter().map(|to| *to as usize);
        self.reached[place].executable[..leads.len()].iter().copied().zip(leads)
    }
}
