//! A layout to whether a situation is one of its initial situations.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use racgen_logic::clingo::{Program, Search};
use racgen_logic::error::LogicError;
use racgen_logic::evaluate::lanes::{LaneEvaluator, LaneValues, Word};
use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;
use rustc_hash::FxHashSet as HashSet;

use crate::domain::package::Package;
use crate::simulate::layout::Layout;
use crate::simulate::open::grounding::LayoutGrounding;
use crate::simulate::open::level::OpenLayout;
use crate::simulate::situation::{BitSet, Situation};
use crate::simulate::theory::named_atoms::AtomPlace;
use crate::simulate::transitions::compiled_layout::CompiledLayout;
use crate::simulate::transitions::lanes::{load, truth};

/// How many words, and so situations, are worked out at once.
const WIDTH: usize = 1;
const LANES: usize = Word::<WIDTH>::LANES;

/// Tells whether situations are initial situations of a layout: by its ground rules, and by clingo where these do not
/// decide.
pub struct Legality {
    program: Program,
    engine: Arc<CompiledLayout>,
    limit: Duration,
    lanes: Option<Arc<LegalityInLanes>>,
    /// Made once it is needed.
    clingo: Option<LegalityByClingo>,
}

impl Legality {
    /// What tells it of a layout's situations, given what its ground rules tell, if they do.
    pub(crate) fn new(
        program: Program,
        engine: Arc<CompiledLayout>,
        lanes: Option<Arc<LegalityInLanes>>,
        limit: Duration,
    ) -> Legality {
        Legality { program, engine, limit, lanes, clingo: None }
    }

    /// Which of the situations, given as the inertial fluents that are true, are initial situations of the layout.
    ///
    /// # Errors
    /// Solver failures.
    pub fn of(&mut self, situations: &[Situation]) -> Result<Vec<bool>, LogicError> {
        let mut legal = Vec::with_capacity(situations.len());
        for some in situations.chunks(LANES) {
            let lanes: Vec<&Situation> = some.iter().collect();
            let (is_legal, decided) = match &self.lanes {
                Some(rules) => rules.of::<WIDTH>(&lanes),
                None => (Word::NONE, Word::NONE),
            };
            for (lane, situation) in some.iter().enumerate() {
                legal.push(match decided.get(lane) {
                    true => is_legal.get(lane),
                    false => self.by_clingo(situation)?,
                });
            }
        }
        Ok(legal)
    }

    fn by_clingo(&mut self, situation: &Situation) -> Result<bool, LogicError> {
        let solver = match &mut self.clingo {
            Some(ready) => ready,
            none => none.insert(LegalityByClingo::new(&self.program, &self.engine, self.limit)?),
        };
        solver.of(situation)
    }
}

/// The rules of a layout's situations, which are compiled once they are needed.
pub struct SituationRules {
    pub(crate) program: Program,
    /// The layout among those that share their groundings, if they do.
    open: Option<OpenLayout>,
    lanes: OnceLock<Option<Arc<LegalityInLanes>>>,
}

impl SituationRules {
    /// Those of a layout for itself.
    pub fn new(package: &Package, layout: &Layout) -> SituationRules {
        SituationRules::of(package, layout, None)
    }

    /// Those of a layout that may share groundings with others.
    pub(crate) fn of(package: &Package, layout: &Layout, open: Option<OpenLayout>) -> SituationRules {
        SituationRules { program: layout.situation_program(package), open, lanes: OnceLock::new() }
    }

    /// The layout among those that share their groundings, if they do.
    pub(crate) fn open(&self) -> Option<&OpenLayout> {
        self.open.as_ref()
    }

    /// clingo's search for situations of the layout, by their fluents; at random where there is a source of randomness.
    ///
    /// # Errors
    /// Solver failures.
    pub(crate) fn search(&self, rng: Option<ChaCha8Rng>, limit: Duration) -> Result<Search, LogicError> {
        match self.open.as_ref().and_then(OpenLayout::recorded) {
            Some((rules, known)) => rules.search(&known, rng, limit),
            None => self.program.search(&[("holds", 2)], rng, limit),
        }
    }

    /// What tells of many situations at once; none where the rules do not decide what is an initial situation.
    ///
    /// # Errors
    /// Solver failures.
    pub(crate) fn lanes(&self, engine: &CompiledLayout) -> Result<Option<Arc<LegalityInLanes>>, LogicError> {
        if let Some(known) = self.lanes.get() {
            return Ok(known.clone());
        }
        let shared = self.open.as_ref().and_then(OpenLayout::situations);
        let made = match shared.and_then(|ground| LegalityInLanes::of_open(ground, engine)) {
            Some(made) => Some(made),
            None => LegalityInLanes::new(&self.program, engine)?,
        };
        Ok(self.lanes.get_or_init(|| made.map(Arc::new)).clone())
    }
}

/// Tells it of one situation after the other, by clingo alone.
pub struct LegalityByClingo {
    search: Search,
    /// Inertial fluents and their atoms; those without one always hold.
    places: Vec<(usize, Option<u32>)>,
    /// These fluents.
    possible: BitSet,
}

impl LegalityByClingo {
    /// Grounds the program of a layout's situations.
    ///
    /// # Errors
    /// Solver failures.
    pub fn new(
        program: &Program,
        engine: &CompiledLayout,
        limit: Duration,
    ) -> Result<LegalityByClingo, LogicError> {
        let search = program.search(&[("holds", 2)], None, limit)?;
        let places = search.atoms().filter_map(|(atom, number)| Some((inertial(engine, atom)?, number)));
        let places: Vec<(usize, Option<u32>)> = places.collect();
        let mut possible = BitSet::new(engine.fluents.len());
        places.iter().for_each(|(fluent, _)| possible.insert(*fluent));
        Ok(LegalityByClingo { search, places, possible })
    }

    /// Is the situation, given as the inertial fluents that are true, an initial situation of the layout?
    ///
    /// # Errors
    /// Solver failures.
    pub fn of(&mut self, situation: &Situation) -> Result<bool, LogicError> {
        let mut assume = Vec::new();
        for (fluent, number) in &self.places {
            match number {
                Some(number) => assume.push((*number, situation.contains(*fluent))),
                None if !situation.contains(*fluent) => return Ok(false),
                None => {}
            }
        }
        Ok(situation.iter().all(|fluent| self.possible.contains(fluent))
            && !self.search.truth(&assume, 1)?.is_empty())
    }
}

/// Tells it of many situations at once, by the ground rules.
pub(crate) struct LegalityInLanes {
    evaluator: LaneEvaluator,
    /// By fluent, where it stands; one that is not inertial nowhere.
    places: Vec<AtomPlace>,
    /// The inertial fluents.
    inertial: Vec<usize>,
    /// Whether the rules leave each of them open.
    open: Vec<AtomPlace>,
}

impl LegalityInLanes {
    /// Grounds the program of a layout's situations; none where the rules do not decide what is one.
    ///
    /// # Errors
    /// Solver failures.
    pub(crate) fn new(
        program: &Program,
        engine: &CompiledLayout,
    ) -> Result<Option<LegalityInLanes>, LogicError> {
        let ground = program.ground(&[("holds", 2)])?;
        let places = places(&ground.named, engine);
        let choices = ground.rules.iter().filter(|rule| rule.choice);
        let mut chosen: Vec<u32> = Vec::new();
        for rule in choices {
            if rule.body.weighted().next().is_some() {
                return Ok(None);
            }
            chosen.extend(&rule.head);
        }
        let targets: Vec<u32> = places.iter().filter_map(AtomPlace::atom).collect();
        let Ok(evaluator) = LaneEvaluator::new(&ground, &targets) else { return Ok(None) };
        Ok(LegalityInLanes::of_choices(evaluator, places, chosen, engine))
    }

    /// The same of rules that were ground with the layout open.
    pub(crate) fn of_open(ground: LayoutGrounding, engine: &CompiledLayout) -> Option<LegalityInLanes> {
        let places = places(&ground.named, engine);
        let targets: Vec<u32> = places.iter().filter_map(AtomPlace::atom).collect();
        LegalityInLanes::of_choices(ground.evaluator.part(&targets), places, ground.inputs, engine)
    }

    fn of_choices(
        evaluator: LaneEvaluator,
        places: Vec<AtomPlace>,
        chosen: Vec<u32>,
        engine: &CompiledLayout,
    ) -> Option<LegalityInLanes> {
        let chosen: HashSet<u32> = chosen.into_iter().collect();
        let is_open = |place: &AtomPlace| place.atom().is_some_and(|atom| chosen.contains(&atom));
        let open: Vec<AtomPlace> =
            places.iter().map(|place| if is_open(place) { *place } else { AtomPlace::Never }).collect();
        if open.iter().filter(|place| is_open(place)).count() < chosen.len() {
            return None;
        }
        let inertial = engine.inertial.iter().collect();
        Some(LegalityInLanes { evaluator, places, inertial, open })
    }

    /// Which of the situations, one a lane, are initial situations of the layout, and of which the rules decide it.
    pub(crate) fn of<const L: usize>(&self, situations: &[&Situation]) -> (Word<L>, Word<L>) {
        let mut values: LaneValues<L> = self.evaluator.values();
        load(&mut values, &self.open, situations);
        let verdict = self.evaluator.run(&mut values);
        let decided = !verdict.undecided & Word::first(situations.len());
        let mut legal = decided & !verdict.inconsistent;
        for fluent in &self.inertial {
            let mut wanted = Word::NONE;
            for (lane, situation) in situations.iter().enumerate() {
                if situation.contains(*fluent) {
                    wanted.insert(lane);
                }
            }
            legal = legal & !(wanted ^ truth(&values, self.places[*fluent]));
        }
        (legal, decided)
    }
}

/// By fluent, where it stands in a situation; one that is not inertial nowhere.
fn places(named: &[(Term, Option<u32>)], engine: &CompiledLayout) -> Vec<AtomPlace> {
    let mut places = vec![AtomPlace::Never; engine.fluents.len()];
    for (term, atom) in named.iter().filter(|(term, _)| term.is("holds", 2)) {
        if let Some(fluent) = inertial(engine, term) {
            places[fluent] = (*atom).into();
        }
    }
    places
}

/// The inertial fluent that an atom `holds(F,0)` is about.
pub(crate) fn inertial(engine: &CompiledLayout, atom: &Term) -> Option<usize> {
    let fluent = engine.fluents.binary_search(&atom.args()[0]).ok()?;
    (atom.args()[1] == Term::Number(0) && engine.inertial.contains(fluent)).then_some(fluent)
}
