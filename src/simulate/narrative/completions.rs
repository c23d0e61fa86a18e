//! What is told of the initial situation to all that it may have been, by the ground rules: many searches at once, each step
//! of which is a lane.
//!
//! A search decides one fluent after the other. The rules tell of each lane what surely holds and what may, so that it ends as
//! soon as something that is so in every situation no longer can be.

use racgen_logic::clingo::Program;
use racgen_logic::error::LogicError;
use racgen_logic::evaluate::bounds::{bounds, possibly, surely};
use racgen_logic::evaluate::lanes::{LaneEvaluator, LaneValues, Word};

use crate::simulate::initial::legality::inertial;
use crate::simulate::situation::{BitSet, Situation};
use crate::simulate::theory::named_atoms::AtomPlace;
use crate::simulate::transitions::compiled_layout::CompiledLayout;
use crate::simulate::transitions::lanes::{load, truth};

/// How many lanes are worked out at once, in words.
const WIDTH: usize = 4;
/// After so many lanes a search is left to clingo.
const MOST_LANES: usize = 20_000;

/// What is told of an initial situation: the fluents of which it is known whether they are true, and a situation in which they
/// are as told.
pub type ToldStart<'s> = (BitSet, &'s Situation);

/// The rules of what is so in every situation of a layout.
pub struct CompletionRules {
    evaluator: LaneEvaluator,
    /// By fluent, where it stands that it is surely true, and that it may be.
    sure: Vec<AtomPlace>,
    possible: Vec<AtomPlace>,
    /// The same of those that are decided; the others follow from them.
    sure_inputs: Vec<AtomPlace>,
    possible_inputs: Vec<AtomPlace>,
    decided: BitSet,
    /// By fluent that is decided, those that cannot be true where it is.
    excluded: Vec<BitSet>,
    /// The others: they follow from what is decided, but may be told as well.
    derived: Vec<usize>,
}

/// A step of a search: what is decided to be true, what may yet be, and how many of the open fluents are decided.
struct SearchNode {
    search: usize,
    sure: BitSet,
    possible: BitSet,
    next: usize,
}

/// How far a search has come.
struct CompletionSearch {
    /// The fluents that are to be decided.
    open: Vec<usize>,
    situations: Vec<Situation>,
    lanes: usize,
    is_left: bool,
}

impl CompletionRules {
    /// Grounds a program of what is so at time 0; none where its rules do not decide all that is told, so that clingo must.
    ///
    /// # Errors
    /// Solver failures.
    pub fn new(program: &Program, compiled: &CompiledLayout) -> Result<Option<CompletionRules>, LogicError> {
        let ground = program.ground(&[("holds", 2)])?;
        let size = compiled.fluents.len();
        let mut places = vec![AtomPlace::Never; size];
        for (atom, number) in ground.predicate("holds", 2) {
            if let Ok(fluent) = compiled.fluents.binary_search(&atom.args()[0]) {
                places[fluent] = number.into();
            }
        }
        let Ok(Some(both)) = bounds(&ground) else { return Ok(None) };
        let mut decided = BitSet::new(size);
        let chosen = ground.rules.iter().filter(|rule| rule.choice).flat_map(|rule| &rule.head);
        let mut chosen: Vec<u32> = chosen.copied().collect();
        chosen.sort_unstable();
        chosen.dedup();
        for (atom, number) in ground.predicate("holds", 2) {
            let fluent = inertial(compiled, atom);
            if let (Some(fluent), Some(number)) = (fluent, number)
                && chosen.binary_search(&number).is_ok()
            {
                decided.insert(fluent);
            }
        }
        if decided.iter().count() != chosen.len() {
            return Ok(None);
        }
        let shifted = |of: fn(u32) -> u32| -> Vec<AtomPlace> {
            let place = |place: &AtomPlace| match place.atom() {
                Some(0) => AtomPlace::Never,
                Some(atom) => AtomPlace::Atom(of(atom)),
                None => *place,
            };
            places.iter().map(place).collect()
        };
        let (sure, possible) = (shifted(surely), shifted(possibly));
        let targets: Vec<u32> = sure.iter().chain(&possible).filter_map(AtomPlace::atom).collect();
        let Ok(evaluator) = LaneEvaluator::new(&both, &targets) else { return Ok(None) };
        let inputs = |places: &[AtomPlace]| -> Vec<AtomPlace> {
            let own = |(fluent, place): (usize, &AtomPlace)| {
                if decided.contains(fluent) { *place } else { AtomPlace::Never }
            };
            places.iter().enumerate().map(own).collect()
        };
        let (sure_inputs, possible_inputs) = (inputs(&sure), inputs(&possible));
        let derived = (0..size).filter(|fluent| !decided.contains(*fluent)).collect();
        let excluded = Vec::new();
        let mut rules = CompletionRules {
            evaluator,
            sure,
            possible,
            sure_inputs,
            possible_inputs,
            decided,
            excluded,
            derived,
        };
        rules.excluded = rules.exclusions();
        Ok(Some(rules))
    }

    /// By fluent that is decided, those that cannot be true together with it, whatever else is.
    fn exclusions(&self) -> Vec<BitSet> {
        let size = self.sure.len();
        let mut excluded = vec![BitSet::new(size); size];
        let all: Vec<usize> = self.decided.iter().collect();
        let pairs: Vec<[usize; 2]> = all
            .iter()
            .flat_map(|one| all.iter().take_while(move |other| *other <= one).map(|o| [*one, *o]))
            .collect();
        let mut values: LaneValues<WIDTH> = self.evaluator.values();
        for some in pairs.chunks(Word::<WIDTH>::LANES) {
            let pair = |both: &[usize; 2]| {
                let mut set = BitSet::new(size);
                both.iter().for_each(|fluent| set.insert(*fluent));
                set
            };
            let sets: Vec<BitSet> = some.iter().map(pair).collect();
            load(&mut values, &self.sure_inputs, &sets.iter().collect::<Vec<_>>());
            load(&mut values, &self.possible_inputs, &vec![&self.decided; some.len()]);
            let violated = self.evaluator.run(&mut values).inconsistent;
            for (_, [one, other]) in some.iter().enumerate().filter(|(lane, _)| violated.get(*lane)) {
                excluded[*one].insert(*other);
                excluded[*other].insert(*one);
            }
        }
        excluded
    }

    /// For each of what is told, the situations that agree with it, in order; none where there are more than `most`. Nothing
    /// at all is said of those that the rules do not decide, or not soon.
    pub fn of(&self, told: &[ToldStart], most: usize) -> Vec<Option<Option<Vec<Situation>>>> {
        let mut found: Vec<CompletionSearch> = Vec::with_capacity(told.len());
        let mut nodes: Vec<SearchNode> = Vec::new();
        for (search, (known, situation)) in told.iter().enumerate() {
            let may_be =
                |fluent: &usize| !known.contains(*fluent) && !self.excluded[*fluent].contains(*fluent);
            let open: Vec<usize> = self.decided.iter().filter(may_be).collect();
            let sure = known.intersection(situation).intersection(&self.decided);
            let mut possible = sure.clone();
            open.iter().for_each(|fluent| possible.insert(*fluent));
            sure.iter().for_each(|fluent| possible.take_out(&self.excluded[fluent]));
            nodes.push(SearchNode { search, sure, possible, next: 0 });
            found.push(CompletionSearch { open, situations: Vec::new(), lanes: 0, is_left: false });
        }
        let mut values: LaneValues<WIDTH> = self.evaluator.values();
        while !nodes.is_empty() {
            let some = nodes.split_off(nodes.len().saturating_sub(Word::<WIDTH>::LANES));
            self.step(&mut values, told, some, &mut nodes, &mut found, most);
        }
        let settled = found.into_iter().map(|search| {
            let mut all = search.situations;
            all.sort_unstable();
            (!search.is_left).then_some((all.len() <= most).then_some(all))
        });
        settled.collect()
    }

    /// Works out some nodes, and puts what becomes of them behind the others.
    fn step(
        &self,
        values: &mut LaneValues<WIDTH>,
        told: &[ToldStart],
        some: Vec<SearchNode>,
        nodes: &mut Vec<SearchNode>,
        found: &mut [CompletionSearch],
        most: usize,
    ) {
        load(values, &self.sure_inputs, &some.iter().map(|node| &node.sure).collect::<Vec<_>>());
        load(values, &self.possible_inputs, &some.iter().map(|node| &node.possible).collect::<Vec<_>>());
        let verdict = self.evaluator.run(values);
        let mut violated = verdict.inconsistent;
        // What is told besides what is decided must not be otherwise. Nodes of one search stand together.
        let mut first = 0;
        for lanes in some.chunk_by(|one, other| one.search == other.search) {
            let own = Word::first(first + lanes.len()) & !Word::first(first);
            first += lanes.len();
            let (known, situation) = &told[lanes[0].search];
            for fluent in self.derived.iter().copied().filter(|fluent| known.contains(*fluent)) {
                let otherwise = match situation.contains(fluent) {
                    true => !truth(values, self.possible[fluent]),
                    false => truth(values, self.sure[fluent]),
                };
                violated = violated | own & otherwise;
            }
        }
        for (lane, node) in some.into_iter().enumerate() {
            let search = &mut found[node.search];
            search.lanes += 1;
            search.is_left |= verdict.undecided.get(lane) || search.lanes > MOST_LANES;
            if search.is_left || search.situations.len() > most || violated.get(lane) {
                continue;
            }
            // Those that cannot be true any more are false.
            let next = (node.next..search.open.len()).find(|next| node.possible.contains(search.open[*next]));
            let Some(next) = next else {
                let mut situation = BitSet::new(self.sure.len());
                let is_true = |fluent: &usize| truth(values, self.sure[*fluent]).get(lane);
                (0..self.sure.len()).filter(is_true).for_each(|fluent| situation.insert(fluent));
                search.situations.push(situation);
                continue;
            };
            let fluent = search.open[next];
            let mut with = SearchNode { sure: node.sure.clone(), possible: node.possible.clone(), ..node };
            let mut without = node;
            with.sure.insert(fluent);
            with.possible.take_out(&self.excluded[fluent]);
            without.possible.remove(fluent);
            with.next = next + 1;
            without.next = next + 1;
            nodes.extend([without, with]);
        }
    }
}
