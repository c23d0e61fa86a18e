//! Lists of actions to where they lead, if all of them can be carried out.
//!
//! Many are followed at once, each in a lane, in which the situations on the way stay: only the first is put in, and only the
//! last taken out.

use racgen_logic::evaluate::lanes::{LaneEvaluator, LaneValues, Word};

use crate::simulate::error::SimulationError;
use crate::simulate::situation::{Outcome, Situation};
use crate::simulate::theory::named_atoms::AtomPlace;
use crate::simulate::transitions::compiled_layout::CompiledLayout;
use crate::simulate::transitions::lanes::{load, truth, unload_words};
use crate::simulate::transitions::transition_system::{LANES, MANY, StepValues, TransitionSystem};

/// A situation and the actions, or deeds, that are to be carried out in it one after the other.
pub type PlanFrom<'t> = (&'t Situation, &'t [usize]);

/// How far tales were followed in lanes.
struct TaleLanes<const L: usize> {
    /// Those of which all actions can be carried out.
    able: Word<L>,
    /// Those of which the evaluator cannot tell.
    undecided: Word<L>,
}

impl CompiledLayout {
    /// Follows tales of equal length, as many as there are lanes at most; the values are those of the last step.
    fn follow<const L: usize>(
        &self,
        evaluator: &LaneEvaluator,
        values: &mut LaneValues<L>,
        (tales, bare): (&[PlanFrom], bool),
    ) -> TaleLanes<L> {
        let starts: Vec<&Situation> = tales.iter().map(|(start, _)| *start).collect();
        let (mut able, mut undecided) = (Word::first(tales.len()), Word::NONE);
        let length = tales.first().map_or(0, |(_, plan)| plan.len());
        load(values, &self.now, &starts);
        for step in 0..length {
            if step > 0 {
                self.go_on(values, bare);
            }
            self.load_deeds(values, tales.iter().map(|(_, plan)| Some(plan[step])));
            let verdict = evaluator.run(values);
            undecided = undecided | able & verdict.undecided;
            able = able & !verdict.inconsistent & !verdict.undecided;
            if able.is_none() {
                break;
            }
        }
        TaleLanes { able, undecided }
    }

    /// What holds after a step is what holds before the next one.
    fn go_on<const L: usize>(&self, values: &mut LaneValues<L>, bare: bool) {
        let holds = |fluent: usize| match bare && !self.inertial.contains(fluent) {
            true => Word::NONE,
            false => truth(values, self.next[fluent]),
        };
        let words: Vec<Word<L>> = (0..self.fluents.len()).map(holds).collect();
        for (place, word) in self.now.iter().zip(words) {
            if let AtomPlace::Atom(atom) = place {
                values.set(*atom, word);
            }
        }
    }
}

/// Where steps lead: the words of the situations, one after the other.
pub struct StepEnds {
    width: usize,
    words: Vec<u64>,
    able: Vec<bool>,
}

impl StepEnds {
    /// The words of the situation that a step leads to; none where its action cannot be carried out.
    pub(crate) fn of(&self, step: usize) -> Option<&[u64]> {
        self.able[step].then(|| &self.words[step * self.width..(step + 1) * self.width])
    }

    fn put(&mut self, step: usize, situation: &Situation) {
        self.able[step] = true;
        self.words[step * self.width..(step + 1) * self.width].copy_from_slice(situation.words());
    }
}

/// What is wanted of tales.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PlayWanted {
    /// Can they be carried out?
    Possible,
    /// What holds where they lead?
    Situations,
    /// What holds there, and can be carried out?
    Ends,
}

/// Where a tale leads, if its actions can be carried out; without what holds there, where that is not wanted.
type PlayEnd = Option<Option<Outcome>>;

impl TransitionSystem {
    /// What the last of some actions comes to that are all to be carried out; none where one of them cannot be, or where there
    /// are none.
    ///
    /// # Errors
    /// Those of [`TransitionSystem::steps`].
    pub fn plays(&mut self, tales: &[PlanFrom]) -> Result<Vec<Option<Outcome>>, SimulationError> {
        Ok(self.ends(tales, PlayWanted::Ends)?.into_iter().map(Option::flatten).collect())
    }

    /// As [`TransitionSystem::plays`], but without what can be carried out then. Takes less time.
    ///
    /// # Errors
    /// Those of [`TransitionSystem::steps`].
    pub fn plays_to(&mut self, tales: &[PlanFrom]) -> Result<Vec<Option<Situation>>, SimulationError> {
        let ends = self.ends(tales, PlayWanted::Situations)?;
        Ok(ends.into_iter().map(|end| end.flatten().map(|outcome| outcome.situation)).collect())
    }

    /// Of which tales can all actions be carried out?
    ///
    /// # Errors
    /// Those of [`TransitionSystem::steps`].
    pub fn possible(&mut self, tales: &[PlanFrom]) -> Result<Vec<bool>, SimulationError> {
        Ok(self.ends(tales, PlayWanted::Possible)?.into_iter().map(|end| end.is_some()).collect())
    }

    /// What single steps lead to. Takes less time and room than [`TransitionSystem::plays_to`], where most lead to what is known.
    ///
    /// # Errors
    /// Those of [`TransitionSystem::steps`].
    pub fn steps_to(&mut self, steps: &[(&Situation, usize)]) -> Result<StepEnds, SimulationError> {
        let width = self.compiled.fluents.len().div_ceil(64);
        let mut ends = StepEnds { width, words: Vec::with_capacity(steps.len() * width), able: Vec::new() };
        let mut rest = steps;
        while !rest.is_empty() {
            let (some, others) = rest.split_at(rest.len().min(if rest.len() > LANES { MANY } else { LANES }));
            rest = others;
            let left = match some.len() > LANES {
                true => self.ends_of_steps(some, &mut ends, |values| &mut values.many),
                false => self.ends_of_steps(some, &mut ends, |values| &mut values.few),
            };
            let first = ends.able.len() - some.len();
            for place in left {
                let (start, action) = some[place];
                if let Some(outcome) = self.step(start, action)? {
                    ends.put(first + place, &outcome.situation);
                }
            }
        }
        Ok(ends)
    }

    /// Adds where some steps lead, as far as the evaluator can tell; the places of those of which it cannot.
    fn ends_of_steps<const L: usize>(
        &mut self,
        steps: &[(&Situation, usize)],
        ends: &mut StepEnds,
        among: impl Fn(&mut StepValues) -> &mut Option<LaneValues<L>>,
    ) -> Vec<usize> {
        let compiled = &*self.compiled;
        let Some(native) = compiled.native.as_ref().filter(|_| !self.by_clingo) else {
            ends.words.resize(ends.words.len() + steps.len() * ends.width, 0);
            ends.able.resize(ends.able.len() + steps.len(), false);
            return (0..steps.len()).collect();
        };
        let evaluator = compiled.course(native);
        let values = among(&mut self.values.course).get_or_insert_with(|| evaluator.values());
        let tales: Vec<PlanFrom> =
            steps.iter().map(|(start, action)| (*start, std::slice::from_ref(action))).collect();
        let followed = compiled.follow(evaluator, values, (&tales, false));
        let next = |fluent: usize| truth(values, compiled.next[fluent]);
        unload_words(steps.len(), compiled.fluents.len(), next, &mut ends.words);
        ends.able.extend((0..steps.len()).map(|lane| followed.able.get(lane)));
        followed.undecided.lanes().collect()
    }

    fn ends(&mut self, tales: &[PlanFrom], wanted: PlayWanted) -> Result<Vec<PlayEnd>, SimulationError> {
        let mut found: Vec<PlayEnd> = vec![None; tales.len()];
        let mut order: Vec<usize> = (0..tales.len()).collect();
        order.sort_by_key(|tale| tales[*tale].1.len());
        let mut left: Vec<usize> = Vec::new();
        for same in order.chunk_by(|one, other| tales[*one].1.len() == tales[*other].1.len()) {
            if tales[same[0]].1.is_empty() {
                same.iter().for_each(|tale| found[*tale] = Some(None));
                continue;
            }
            let mut rest = same;
            while !rest.is_empty() {
                let (some, others) =
                    rest.split_at(rest.len().min(if rest.len() > LANES { MANY } else { LANES }));
                let own: Vec<PlanFrom> = some.iter().map(|tale| tales[*tale]).collect();
                let (ends, undecided) = match some.len() > LANES {
                    true => self.ends_in_lanes(&own, wanted, |values| &mut values.many),
                    false => self.ends_in_lanes(&own, wanted, |values| &mut values.few),
                };
                some.iter().zip(ends).for_each(|(tale, end)| found[*tale] = end);
                left.extend(undecided.into_iter().map(|place| some[place]));
                rest = others;
            }
        }
        for tale in left {
            found[tale] = self.end(tales[tale])?.map(Some);
        }
        Ok(found)
    }

    /// Where tales of equal length lead, as far as the evaluator can tell, and the places of those of which it cannot.
    fn ends_in_lanes<const L: usize>(
        &mut self,
        tales: &[PlanFrom],
        wanted: PlayWanted,
        among: impl Fn(&mut StepValues) -> &mut Option<LaneValues<L>>,
    ) -> (Vec<PlayEnd>, Vec<usize>) {
        let compiled = &*self.compiled;
        let Some(native) = compiled.native.as_ref().filter(|_| !self.by_clingo) else {
            return (vec![None; tales.len()], (0..tales.len()).collect());
        };
        let bare = wanted == PlayWanted::Possible;
        let (evaluator, values) = match wanted {
            PlayWanted::Possible => (compiled.bare_course(native), &mut self.values.bare_course),
            PlayWanted::Situations => (compiled.course(native), &mut self.values.course),
            PlayWanted::Ends => (&native.step, &mut self.values.step),
        };
        let values = among(values).get_or_insert_with(|| evaluator.values());
        let followed = compiled.follow(evaluator, values, (tales, bare));
        let able = |lane: usize| followed.able.get(lane);
        let ends = match wanted {
            PlayWanted::Possible => (0..tales.len()).map(|lane| able(lane).then_some(None)).collect(),
            _ if followed.able.is_none() => vec![None; tales.len()],
            PlayWanted::Situations | PlayWanted::Ends => {
                let can = if wanted == PlayWanted::Ends { &*compiled.can_next } else { &[] };
                let all = compiled.outcomes(values, tales.len(), &compiled.next, can);
                all.into_iter().enumerate().map(|(lane, end)| able(lane).then_some(Some(end))).collect()
            }
        };
        (ends, followed.undecided.lanes().collect())
    }

    /// Where a tale leads, step by step.
    fn end(&mut self, (start, plan): PlanFrom) -> Result<Option<Outcome>, SimulationError> {
        let mut here: Option<Outcome> = None;
        for action in plan {
            here = self.step(here.as_ref().map_or(start, |outcome| &outcome.situation), *action)?;
            if here.is_none() {
                break;
            }
        }
        Ok(here)
    }
}
