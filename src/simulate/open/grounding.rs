//! A program that leaves layouts open to its ground rules, and these with a layout to what is left of them.

use std::time::{Duration, Instant};

use racgen_logic::clingo::{Budget, Program, RecordedProgram};
use racgen_logic::evaluate::lanes::{LaneEvaluator, Settled};
use racgen_logic::ground::{Body, GroundProgram, GroundRule, Literal};
use racgen_logic::term::Term;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// The most that a grounding for all layouts of a level may have. Beyond, each layout is ground for itself: where static
/// relations are large, most of what could hold holds in none of them. The same on all machines.
const MOST_RULES: usize = 150_000;
const MOST_LITERALS: usize = 1_200_000;

/// What a grounding for all layouts of a level may cost.
pub(super) fn budget() -> Budget {
    Budget { rules: MOST_RULES, literals: MOST_LITERALS, time: Duration::MAX, start: Instant::now() }
}

/// What is open in a program that was ground with its layout open: the facts that layouts differ in, and what may be chosen in each.
pub(super) struct OpenInputs {
    /// What the bodies of choices rest on.
    conditions: LaneEvaluator,
    /// Inputs besides those of the layout, and the bodies of their choices.
    choices: Vec<(u32, Vec<Vec<Literal>>)>,
    /// Those that rules define in layouts where they may not be chosen: fluents are inertial or defined.
    defined: HashSet<u32>,
    /// What layouts differ in, and its atoms.
    layouts: Vec<(Term, u32)>,
    /// What holds in all of them.
    always: HashSet<Term>,
}

/// The inputs of one layout.
pub(super) struct LayoutInputs {
    /// Those whose truth the layout settles.
    pub(super) known: Vec<(u32, bool)>,
    /// Those that may be chosen.
    pub(super) opened: Vec<u32>,
}

/// A program that was ground with its layout open.
pub(crate) struct OpenGrounding {
    named: Vec<(Term, Option<u32>)>,
    evaluator: LaneEvaluator,
    inputs: OpenInputs,
    /// All rules, for searches.
    recorded: RecordedProgram,
}

/// What an open grounding comes to in one layout.
pub(crate) struct LayoutGrounding {
    /// The named atoms that can hold in the layout. Those that always do have no number.
    pub(crate) named: Vec<(Term, Option<u32>)>,
    /// For all of them.
    pub(crate) evaluator: LaneEvaluator,
    /// The inputs that are left.
    pub(crate) inputs: Vec<u32>,
}

impl OpenInputs {
    /// Those of a program, and its rules compiled. Its choices no longer have the atoms that rules define. `varying` are the facts
    /// that layouts differ in, `always` those that all of them have, and `is_input` tells the atoms that may be chosen besides. None
    /// where other atoms may be chosen, or the rules are no matter for evaluation in lanes.
    pub(super) fn of(
        ground: &mut GroundProgram,
        (varying, always): (&[Term], &[Term]),
        is_input: impl Fn(&Term) -> bool,
    ) -> Option<(OpenInputs, LaneEvaluator)> {
        let atoms: HashMap<&Term, Option<u32>> =
            ground.named.iter().map(|(term, atom)| (term, *atom)).collect();
        let layouts: Option<Vec<(Term, u32)>> =
            varying.iter().map(|term| Some((term.clone(), atoms.get(term).copied()??))).collect();
        let layouts = layouts?;
        let inputs = ground.named.iter().filter(|(term, _)| is_input(term));
        let inputs: HashSet<u32> = inputs.filter_map(|(_, atom)| *atom).collect();
        let choices = choices(ground, &layouts, &inputs)?;
        let defined = define_by_rules(ground);
        let bodies = choices.iter().flat_map(|(_, bodies)| bodies).flatten();
        let conditions: Vec<u32> = bodies.map(|literal| literal.atom()).collect();
        let named = ground.named.iter().filter_map(|(_, atom)| *atom).filter(|atom| *atom > 0);
        let targets: Vec<u32> = named.chain(conditions.iter().copied()).collect();
        let evaluator = LaneEvaluator::new(ground, &targets).ok()?;
        let conditions = evaluator.part(&conditions);
        let always = always.iter().cloned().collect();
        Some((OpenInputs { conditions, choices, defined, layouts, always }, evaluator))
    }

    /// Of the rules that define atoms in some layouts, that the choice in other layouts agrees with them: constraints. None where such
    /// a rule has a sum.
    pub(super) fn agreements(&self, ground: &GroundProgram) -> Option<Vec<GroundRule>> {
        let choices: HashMap<u32, &[Vec<Literal>]> =
            self.choices.iter().map(|(atom, bodies)| (*atom, &**bodies)).collect();
        let mut found = Vec::new();
        for rule in ground.rules.iter().filter(|rule| !rule.choice) {
            let Some(atom) = rule.head.first().filter(|atom| self.defined.contains(atom)) else { continue };
            let Body::All(body) = &rule.body else { return None };
            let missing = Literal::from_signed(-(*atom as i32));
            for chosen in choices.get(atom).into_iter().copied().flatten() {
                let all = body.iter().chain(chosen).copied().chain([missing]).collect();
                found.push(GroundRule { choice: false, head: Vec::new(), body: Body::All(all) });
            }
        }
        Some(found)
    }

    /// Which of the facts that layouts differ in are true in the layout with these; none where it is no layout of the level.
    fn known(&self, facts: &[Term]) -> Option<Vec<(u32, bool)>> {
        let facts: HashSet<&Term> = facts.iter().collect();
        let varying = self.layouts.iter().filter(|(term, _)| facts.contains(term)).count();
        let is_known = self.always.iter().all(|term| facts.contains(term));
        if !is_known || varying + self.always.len() != facts.len() {
            return None;
        }
        Some(self.layouts.iter().map(|(term, atom)| (*atom, facts.contains(term))).collect())
    }

    /// The inputs of the layout with these facts; none where it is no layout of the level, or where what may be chosen depends on what
    /// else is: that is left to clingo.
    pub(super) fn of_layout(&self, facts: &[Term]) -> Option<LayoutInputs> {
        let mut known = self.known(facts)?;
        let read: Vec<u32> = self.choices.iter().flat_map(|(_, b)| b).flatten().map(|l| l.atom()).collect();
        let conditions = self.conditions.fold(&known, &[], &read)?;
        let holds = |literal: &Literal| match conditions.settled(literal.atom()) {
            Settled::Is(value) => Some(value == literal.positive()),
            Settled::Open(_) => None,
        };
        let mut opened = Vec::new();
        for (atom, bodies) in &self.choices {
            let mut is_open = false;
            for body in bodies {
                let values: Vec<Option<bool>> = body.iter().map(holds).collect();
                match (values.contains(&Some(false)), values.contains(&None)) {
                    (true, _) => {}
                    (false, false) => is_open = true,
                    (false, true) => return None,
                }
            }
            if is_open {
                opened.push(*atom);
            } else if !self.defined.contains(atom) {
                known.push((*atom, false));
            }
        }
        Some(LayoutInputs { known, opened })
    }
}

impl OpenGrounding {
    /// Grounds a program whose layout is open: `varying` are the facts that layouts differ in, `always` those that all of
    /// them have, and `is_input` tells the atoms that may be chosen besides. None where the grounding is too large, is no
    /// matter for evaluation in lanes, or has other choices.
    pub(super) fn new(
        program: &Program,
        shown: &[(&str, usize)],
        varying: &[Term],
        always: &[Term],
        is_input: impl Fn(&Term) -> bool,
    ) -> Option<OpenGrounding> {
        // What is wrong with a program is told of each layout.
        let shown = shown_with(shown, varying);
        let (mut ground, recorded) = program.ground_and_record(&shown, Some(budget())).ok()?;
        let recorded = recorded.named(&is_input);
        let (inputs, evaluator) = OpenInputs::of(&mut ground, (varying, always), is_input)?;
        Some(OpenGrounding { named: ground.named, evaluator, inputs, recorded })
    }

    /// The rules, for clingo to search by the named atoms that may be chosen, and what is known of other atoms in the layout
    /// with these facts; none where it is no layout of the level.
    pub(super) fn recorded(&self, facts: &[Term]) -> Option<(&RecordedProgram, Vec<(u32, bool)>)> {
        Some((&self.recorded, self.inputs.known(facts)?))
    }

    /// What is left in the layout with these facts; none where it is no layout of the level.
    pub(crate) fn of(&self, facts: &[Term]) -> Option<LayoutGrounding> {
        let LayoutInputs { known, opened } = self.inputs.of_layout(facts)?;
        let kept: Vec<u32> =
            self.named.iter().filter_map(|(_, atom)| *atom).chain(opened.iter().copied()).collect();
        let folded = self.evaluator.fold(&known, &opened, &kept)?;
        let place = |(term, atom): &(Term, Option<u32>)| match atom {
            None => Some((term.clone(), None)),
            Some(0) => None,
            Some(atom) => match folded.settled(*atom) {
                Settled::Is(true) => Some((term.clone(), None)),
                Settled::Is(false) => None,
                Settled::Open(number) => Some((term.clone(), Some(number))),
            },
        };
        let named = self.named.iter().filter_map(place).collect();
        let open = |atom: &u32| match folded.settled(*atom) {
            Settled::Open(number) => Some(number),
            Settled::Is(_) => None,
        };
        let inputs = opened.iter().filter_map(open).collect();
        Some(LayoutGrounding { named, inputs, evaluator: folded.evaluator })
    }
}

/// The predicates that are shown, and those of the facts that layouts differ in.
pub(super) fn shown_with<'p>(shown: &[(&'p str, usize)], varying: &'p [Term]) -> Vec<(&'p str, usize)> {
    let mut all = shown.to_vec();
    for term in varying {
        let predicate = (term.functor(), term.args().len());
        if !all.contains(&predicate) {
            all.push(predicate);
        }
    }
    all
}

/// The atoms that may be chosen besides those that layouts differ in, each with the bodies of its choices; none where
/// others may be chosen, or the choice depends on a sum.
fn choices(
    ground: &GroundProgram,
    layouts: &[(Term, u32)],
    inputs: &HashSet<u32>,
) -> Option<Vec<(u32, Vec<Vec<Literal>>)>> {
    let layouts: HashSet<u32> = layouts.iter().map(|(_, atom)| *atom).collect();
    let mut found: Vec<(u32, Vec<Vec<Literal>>)> = Vec::new();
    let mut places: HashMap<u32, usize> = HashMap::default();
    for rule in ground.rules.iter().filter(|rule| rule.choice) {
        let Body::All(body) = &rule.body else { return None };
        for atom in &rule.head {
            if layouts.contains(atom) && body.is_empty() {
                continue;
            }
            if !inputs.contains(atom) {
                return None;
            }
            let place = *places.entry(*atom).or_insert(found.len());
            if place == found.len() {
                found.push((*atom, Vec::new()));
            }
            found[place].1.push(body.clone());
        }
    }
    Some(found)
}

/// Takes out of the choices the atoms that have rules as well, so that these are read; which they are.
fn define_by_rules(ground: &mut GroundProgram) -> HashSet<u32> {
    let rules = ground.rules.iter().filter(|rule| !rule.choice);
    let heads: HashSet<u32> = rules.flat_map(|rule| rule.head.iter().copied()).collect();
    let mut found = HashSet::default();
    for rule in ground.rules.iter_mut().filter(|rule| rule.choice) {
        found.extend(rule.head.iter().copied().filter(|atom| heads.contains(atom)));
        rule.head.retain(|atom| !heads.contains(atom));
    }
    found
}
