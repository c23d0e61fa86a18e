//! What is told of the initial situation to all that it may have been, by the ground rules: many searches at once, each step
//! of which is a lane.
//!
//! A search decides one group of fluents that exclude each other after the other, those first where few are left or that often led
//! to dead ends. The rules tell of each lane what surely holds and what may, so that it ends as soon as something that is so in
//! every situation no longer can be.

use std::collections::BTreeSet;

use racgen_logic::clingo::Program;
use racgen_logic::error::LogicError;
use racgen_logic::evaluate::bounds::{bounds, possibly, surely};
use racgen_logic::evaluate::lanes::{LaneEvaluator, LaneValues, Word};

use crate::simulate::initial::legality::inertial;
use crate::simulate::open::bounds::{BoundedAtom, LayoutBounds};
use crate::simulate::situation::{BitSet, Situation};
use crate::simulate::theory::named_atoms::AtomPlace;
use crate::simulate::transitions::compiled_layout::CompiledLayout;
use crate::simulate::transitions::lanes::{load, truth};

/// How many lanes are worked out at once, in words.
const WIDTH: usize = 4;
/// How many searches share them.
const AT_ONCE: usize = 16;
/// After so many lanes each open fluent of a search is supposed by itself.
const PROBED: usize = 64;
/// After so many lanes a search is left to clingo.
const MOST_LANES: usize = 20_000;

/// What is told of an initial situation: the fluents of which it is known whether they are true, and a situation in which they
/// are as told.
pub type ToldStart<'s> = (BitSet, &'s Situation);

/// The rules of what is so in every situation of a layout.
pub struct CompletionRules {
    /// Does the layout share its grounding with others?
    pub is_shared: bool,
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
    /// Fluents of which each excludes all others, those groups first of which one is true in every situation; is it such a one?
    groups: Vec<(BitSet, bool)>,
    /// The others: they follow from what is decided, but may be told as well.
    derived: Vec<usize>,
}

/// A step of a search: what is decided to be true, and what is so or may yet be.
#[derive(Clone)]
struct SearchNode {
    search: usize,
    sure: BitSet,
    possible: BitSet,
    /// The group of its search that was decided last.
    decided: Option<usize>,
}

/// Fluents that exclude each other.
struct FluentGroup {
    fluents: BitSet,
    /// Is one of them true in each situation that agrees with what is told?
    is_needed: bool,
    /// How often it was decided last before it was found that nothing could be so.
    dead_ends: usize,
}

/// How far a search has come.
#[derive(Default)]
struct CompletionSearch {
    /// What is decided after the other.
    groups: Vec<FluentGroup>,
    /// What is to be worked out yet.
    nodes: Vec<SearchNode>,
    situations: Vec<Situation>,
    lanes: usize,
    is_probed: bool,
    is_left: bool,
}

impl CompletionSearch {
    /// Are there more than `most` situations, or is it left to clingo?
    fn is_over(&self, most: usize) -> bool {
        self.is_left || self.situations.len() > most
    }
}

impl CompletionRules {
    /// Grounds a program of what is so at time 0; none where its rules do not decide all that is told, so that clingo must.
    ///
    /// # Errors
    /// Solver failures.
    pub fn new(program: &Program, compiled: &CompiledLayout) -> Result<Option<CompletionRules>, LogicError> {
        let ground = program.ground(&[("holds", 2)])?;
        let Ok(Some(both)) = bounds(&ground) else { return Ok(None) };
        let chosen = ground.rules.iter().filter(|rule| rule.choice).flat_map(|rule| &rule.head);
        let mut chosen: Vec<u32> = chosen.copied().collect();
        chosen.sort_unstable();
        chosen.dedup();
        let place = |number: Option<u32>, of: fn(u32) -> u32| match number {
            Some(0) => AtomPlace::Never,
            Some(atom) => AtomPlace::Atom(of(atom)),
            None => AtomPlace::Always,
        };
        let named: Vec<BoundedAtom> = ground
            .predicate("holds", 2)
            .map(|(atom, number)| {
                let is_chosen = number.is_some_and(|number| chosen.binary_search(&number).is_ok());
                (atom.clone(), [place(number, surely), place(number, possibly)], is_chosen)
            })
            .collect();
        let targets = named.iter().flat_map(|(_, places, _)| places).filter_map(AtomPlace::atom);
        let Ok(evaluator) = LaneEvaluator::new(&both, &targets.collect::<Vec<u32>>()) else {
            return Ok(None);
        };
        Ok(CompletionRules::of_atoms((&named, evaluator), compiled, chosen.len(), false))
    }

    /// Those of a layout that shares its grounding with others; none where its rules do not decide all that is told.
    pub(crate) fn of_open(
        LayoutBounds { named, evaluator }: LayoutBounds,
        compiled: &CompiledLayout,
    ) -> Option<CompletionRules> {
        let chosen = named.iter().filter(|(_, _, is_chosen)| *is_chosen).count();
        CompletionRules::of_atoms((&named, evaluator), compiled, chosen, true)
    }

    /// None where others are `chosen` than inertial fluents.
    fn of_atoms(
        (named, evaluator): (&[BoundedAtom], LaneEvaluator),
        compiled: &CompiledLayout,
        chosen: usize,
        is_shared: bool,
    ) -> Option<CompletionRules> {
        let size = compiled.fluents.len();
        let (mut sure, mut possible) = (vec![AtomPlace::Never; size], vec![AtomPlace::Never; size]);
        let mut decided = BitSet::new(size);
        for (atom, places, is_chosen) in named.iter().filter(|(atom, ..)| atom.is("holds", 2)) {
            if let Ok(fluent) = compiled.fluents.binary_search(&atom.args()[0]) {
                [sure[fluent], possible[fluent]] = *places;
            }
            if let Some(fluent) = inertial(compiled, atom).filter(|_| *is_chosen) {
                decided.insert(fluent);
            }
        }
        if decided.iter().count() != chosen {
            return None;
        }
        let inputs = |places: &[AtomPlace]| -> Vec<AtomPlace> {
            let own = |(fluent, place): (usize, &AtomPlace)| {
                if decided.contains(fluent) { *place } else { AtomPlace::Never }
            };
            places.iter().enumerate().map(own).collect()
        };
        let (sure_inputs, possible_inputs) = (inputs(&sure), inputs(&possible));
        let derived = (0..size).filter(|fluent| !decided.contains(*fluent)).collect();
        let (excluded, groups) = (Vec::new(), Vec::new());
        let mut rules = CompletionRules {
            is_shared,
            evaluator,
            sure,
            possible,
            sure_inputs,
            possible_inputs,
            decided,
            excluded,
            groups,
            derived,
        };
        rules.excluded = rules.exclusions();
        rules.groups = rules.exclusive();
        Some(rules)
    }

    /// Groups of fluents that exclude each other: of each fluent, and of each two that do, one that has no room for another.
    fn exclusive(&self) -> Vec<(BitSet, bool)> {
        let mut all: BTreeSet<BitSet> = BTreeSet::new();
        for one in self.decided.iter() {
            all.insert(self.group_with(&[one]));
            let others = self.excluded[one].intersection(&self.decided);
            all.extend(
                others.iter().filter(|other| *other > one).map(|other| self.group_with(&[one, other])),
            );
        }
        let all: Vec<BitSet> = all.into_iter().collect();
        let mut values: LaneValues<WIDTH> = self.evaluator.values();
        let mut groups: Vec<(BitSet, bool)> = Vec::new();
        let none = BitSet::new(self.sure.len());
        for some in all.chunks(Word::<WIDTH>::LANES) {
            let without = |group: &BitSet| {
                let mut possible = self.decided.clone();
                possible.take_out(group);
                possible
            };
            let sets: Vec<BitSet> = some.iter().map(without).collect();
            load(&mut values, &self.sure_inputs, &vec![&none; some.len()]);
            load(&mut values, &self.possible_inputs, &sets.iter().collect::<Vec<_>>());
            let verdict = self.evaluator.run(&mut values);
            let is_needed = verdict.inconsistent & !verdict.undecided;
            groups.extend(some.iter().enumerate().map(|(lane, group)| (group.clone(), is_needed.get(lane))));
        }
        groups.sort_by_key(|(group, is_needed)| (!is_needed, usize::MAX - group.iter().count()));
        groups
    }

    /// Fluents, and others of which each excludes all the rest.
    fn group_with(&self, fluents: &[usize]) -> BitSet {
        let mut found = BitSet::of(self.sure.len(), fluents);
        let mut others = self.decided.clone();
        for fluent in fluents {
            others = others.intersection(&self.excluded[*fluent]);
        }
        fluents.iter().for_each(|fluent| others.remove(*fluent));
        loop {
            let Some(other) = others.iter().next() else { return found };
            found.insert(other);
            others = others.intersection(&self.excluded[other]);
            others.remove(other);
        }
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
            let sets: Vec<BitSet> = some.iter().map(|both| BitSet::of(size, both)).collect();
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

    /// The node that a search begins with.
    fn root(&self, search: usize, (known, situation): &ToldStart) -> SearchNode {
        let sure = known.intersection(situation).intersection(&self.decided);
        let mut possible = sure.clone();
        let may_be = |fluent: &usize| !known.contains(*fluent) && !self.excluded[*fluent].contains(*fluent);
        self.decided.iter().filter(may_be).for_each(|fluent| possible.insert(fluent));
        sure.iter().for_each(|fluent| possible.take_out(&self.excluded[fluent]));
        SearchNode { search, sure, possible, decided: None }
    }

    /// How much is left open by what is told, before anything is searched: the logarithm of the number of ways to decide each group of
    /// fluents by itself.
    pub fn openness(&self, told: &ToldStart) -> f64 {
        let mut root = self.root(0, told);
        let groups = self.groups_of(&root);
        if !self.propagate(&mut root, &groups) {
            return 0.0;
        }
        let ways = |group: &FluentGroup| group.fluents.common(&root.possible) + usize::from(!group.is_needed);
        groups.iter().map(|group| (ways(group) as f64).ln()).sum()
    }

    /// For each of what is told, the situations that agree with it, in order; none where there are more than `most`. Nothing
    /// at all is said of those that the rules do not decide, or not soon.
    pub fn of(&self, told: &[ToldStart], most: usize) -> Vec<Option<Option<Vec<Situation>>>> {
        let roots = told.iter().enumerate();
        let mut nodes: Vec<SearchNode> = roots.map(|(search, told)| self.root(search, told)).collect();
        let mut found: Vec<CompletionSearch> = told.iter().map(|_| CompletionSearch::default()).collect();
        let mut values: LaneValues<WIDTH> = self.evaluator.values();
        for node in &mut nodes {
            let search = &mut found[node.search];
            search.groups = self.groups_of(node);
            if self.propagate(node, &search.groups) {
                search.nodes.push(node.clone());
            }
        }
        let roots = nodes;
        loop {
            let long = |search: &CompletionSearch| search.lanes >= PROBED && !search.is_probed;
            let long =
                (0..found.len()).filter(|search| long(&found[*search]) && !found[*search].nodes.is_empty());
            let long: Vec<&SearchNode> = long.map(|search| &roots[search]).collect();
            self.probe(&mut values, told, &long, &mut found);
            // Some go on at the same pace, so that one that finds too much does not find much more.
            let going = found.iter_mut().filter(|search| !search.nodes.is_empty());
            let mut going: Vec<&mut CompletionSearch> = going.take(AT_ONCE).collect();
            if going.is_empty() {
                break;
            }
            let pace = Word::<WIDTH>::LANES / going.len();
            let next = |search: &mut &mut CompletionSearch| {
                search.nodes.split_off(search.nodes.len().saturating_sub(pace))
            };
            let some: Vec<SearchNode> = going.iter_mut().flat_map(next).collect();
            self.step(&mut values, told, some, &mut found, most);
        }
        let settled = found.into_iter().map(|search| {
            let mut all = search.situations;
            all.sort_unstable();
            (!search.is_left).then_some((all.len() <= most).then_some(all))
        });
        settled.collect()
    }

    /// The groups of a search that begins with a node: those of which one is true, and as many others as there must be so that what is
    /// open is in some.
    fn groups_of(&self, node: &SearchNode) -> Vec<FluentGroup> {
        let mut found: Vec<FluentGroup> = Vec::new();
        let mut missing = node.possible.clone();
        missing.take_out(&node.sure);
        for (fluents, is_needed) in &self.groups {
            let fluents = fluents.intersection(&node.possible);
            let is_open = fluents.common(&node.possible) > fluents.common(&node.sure);
            if is_open && (*is_needed || fluents.common(&missing) > 0) {
                missing.take_out(&fluents);
                found.push(FluentGroup { fluents, is_needed: *is_needed, dead_ends: 0 });
            }
        }
        found
    }

    /// Takes out of what is to be worked out what cannot be true with what is told, of searches by the nodes that they began with.
    fn probe(
        &self,
        values: &mut LaneValues<WIDTH>,
        told: &[ToldStart],
        roots: &[&SearchNode],
        found: &mut [CompletionSearch],
    ) {
        let mut supposed: Vec<(SearchNode, usize)> = Vec::new();
        for root in roots {
            found[root.search].is_probed = true;
            let open = root.possible.iter().filter(|fluent| !root.sure.contains(*fluent));
            supposed.extend(open.map(|fluent| (self.with(root, fluent), fluent)));
        }
        for some in supposed.chunks(Word::<WIDTH>::LANES) {
            let nodes: Vec<&SearchNode> = some.iter().map(|(node, _)| node).collect();
            let (violated, undecided) = self.violations(values, told, &nodes);
            let violated = violated & !undecided;
            for (_, (node, fluent)) in some.iter().enumerate().filter(|(lane, _)| violated.get(*lane)) {
                let nodes = &mut found[node.search].nodes;
                nodes.retain(|node| !node.sure.contains(*fluent));
                nodes.iter_mut().for_each(|node| node.possible.remove(*fluent));
            }
        }
        for root in roots {
            let CompletionSearch { nodes, groups, .. } = &mut found[root.search];
            nodes.retain_mut(|node| self.propagate(node, groups));
        }
    }

    /// What a node becomes where a fluent is true.
    fn with(&self, node: &SearchNode, fluent: usize) -> SearchNode {
        let mut node = node.clone();
        self.decide(&mut node, fluent);
        node
    }

    fn decide(&self, node: &mut SearchNode, fluent: usize) {
        node.sure.insert(fluent);
        node.possible.take_out(&self.excluded[fluent]);
    }

    /// Decides what alone is left of those of which one is true; is something left of all of them?
    fn propagate(&self, node: &mut SearchNode, groups: &[FluentGroup]) -> bool {
        let mut is_settled = false;
        while !is_settled {
            is_settled = true;
            for group in groups.iter().filter(|group| group.is_needed) {
                match group.fluents.common(&node.possible) {
                    0 => return false,
                    1 if group.fluents.common(&node.sure) == 0 => {
                        let last = group.fluents.intersection(&node.possible);
                        last.iter().for_each(|fluent| self.decide(node, fluent));
                        is_settled = false;
                    }
                    _ => {}
                }
            }
        }
        true
    }

    /// Where what is so in every situation, or told, can no longer be so, and where the rules do not tell.
    fn violations(
        &self,
        values: &mut LaneValues<WIDTH>,
        told: &[ToldStart],
        nodes: &[&SearchNode],
    ) -> (Word<WIDTH>, Word<WIDTH>) {
        load(values, &self.sure_inputs, &nodes.iter().map(|node| &node.sure).collect::<Vec<_>>());
        load(values, &self.possible_inputs, &nodes.iter().map(|node| &node.possible).collect::<Vec<_>>());
        let verdict = self.evaluator.run(values);
        let mut violated = verdict.inconsistent;
        // What is told besides what is decided must not be otherwise. Nodes of one search stand together.
        let mut first = 0;
        for lanes in nodes.chunk_by(|one, other| one.search == other.search) {
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
        (violated, verdict.undecided)
    }

    /// Works out some nodes, and puts what becomes of them behind the others of their searches.
    fn step(
        &self,
        values: &mut LaneValues<WIDTH>,
        told: &[ToldStart],
        some: Vec<SearchNode>,
        found: &mut [CompletionSearch],
        most: usize,
    ) {
        let (violated, undecided) = self.violations(values, told, &some.iter().collect::<Vec<_>>());
        for (lane, node) in some.into_iter().enumerate() {
            let search = &mut found[node.search];
            search.lanes += 1;
            search.is_left |= undecided.get(lane) || search.lanes > MOST_LANES;
            if search.is_over(most) {
                search.nodes.clear();
                continue;
            }
            if violated.get(lane) {
                node.decided.into_iter().for_each(|group| search.groups[group].dead_ends += 1);
                continue;
            }
            // What seldom leads to a dead end has little to do with the rest, and is put off: else the rest would be found out for
            // each of its values.
            let best = search.groups.iter().enumerate().filter_map(|(place, group)| {
                let left = group.fluents.common(&node.possible);
                let is_open = left > group.fluents.common(&node.sure);
                let ways = left + usize::from(!group.is_needed);
                is_open.then(|| (place, (ways * ways) as f64 / (1 + group.dead_ends) as f64))
            });
            let best = best.min_by(|one, other| one.1.total_cmp(&other.1));
            let Some((decided, _)) = best else {
                let mut situation = BitSet::new(self.sure.len());
                let is_true = |fluent: &usize| truth(values, self.sure[*fluent]).get(lane);
                (0..self.sure.len()).filter(is_true).for_each(|fluent| situation.insert(fluent));
                search.situations.push(situation);
                continue;
            };
            let group = &search.groups[decided];
            let mut next: Vec<SearchNode> = Vec::new();
            if !group.is_needed {
                let mut without = node.clone();
                without.possible.take_out(&group.fluents);
                next.push(without);
            }
            let left = group.fluents.intersection(&node.possible);
            next.extend(left.iter().map(|fluent| self.with(&node, fluent)));
            for mut node in next {
                node.decided = Some(decided);
                if self.propagate(&mut node, &search.groups) {
                    search.nodes.push(node);
                } else {
                    search.groups[decided].dead_ends += 1;
                }
            }
        }
    }
}
