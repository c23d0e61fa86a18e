//! Ground rules and inputs of which exactly one is true at a time to a circuit of few gates, which works out chosen atoms
//! in many situations at once.
//!
//! As in [`lanes`](super::lanes), each situation is a bit of a word, its lane. A circuit is for programs that are run very
//! often, such as games: compiling one takes more, and running it less. Where exactly one of some inputs is true, as one
//! move of each role is made, a disjunction over most of them is the negation of the disjunction over the others, and
//! bodies that differ in such an input alone become one. Conjunctions that are the same exist once, and pairs of wires that
//! many conjunctions demand have a gate of their own. What the targets do not depend on is left out. Gates are
//! numbered by the few slots that they need at a time, so that a pass stays in the processor's cache.

mod choice;
mod rules;
mod schedule;
mod shared;
mod wires;

pub use self::choice::LaneChoice;
pub use self::schedule::Pass;

use self::rules::RuleGates;
use self::wires::Wire;
use super::Unsupported;
use super::definitions::Definitions;
use super::lanes::Word;
use crate::ground::GroundProgram;

/// The atom that a violated constraint makes true, as a target.
pub const VIOLATION: u32 = super::definitions::VIOLATION;

/// The gates that chosen atoms depend on, in an order of evaluation.
///
/// ```
/// use racgen_logic::clingo::{Program, Source};
/// use racgen_logic::evaluate::circuit::{Circuit, Pass};
/// use racgen_logic::evaluate::lanes::Word;
///
/// let text = "{ on; press(1..4) }. lit :- on, press(1). lit :- press(2..3).";
/// let program = Program { sources: vec![Source::new("lamp.lp", text)], ..Program::default() };
/// let ground = program.ground(&[("on", 0), ("press", 1), ("lit", 0)]).unwrap();
/// let atoms = |name, arity| ground.predicate(name, arity).filter_map(|(_, a)| a).collect::<Vec<u32>>();
///
/// let (on, press, lit) = (atoms("on", 0), atoms("press", 1), atoms("lit", 0));
/// let inputs = [on, press.clone()].concat();
/// let circuit = Circuit::new(&ground, &inputs, &[press], &[Pass { targets: lit, after: None }]).unwrap();
/// let mut values = circuit.values::<1>();
/// for (place, word) in [0b01111, 0b00010, 0b00001, 0b00100, 0b11000].into_iter().enumerate() {
///     values.set(place, Word([word]));
/// }
/// circuit.run(0, &mut values);
/// assert_eq!(values.get(circuit.output(0, 0)).0[0] & 0b11111, 0b00111);
/// ```
#[derive(Debug)]
pub struct Circuit {
    inputs: usize,
    passes: Vec<Vec<PassStep>>,
    outputs: Vec<Vec<CircuitOutput>>,
    slots: usize,
}

/// Situations of a [`Circuit`], one in each lane.
#[derive(Clone, Debug)]
pub struct CircuitValues<const L: usize> {
    slots: Vec<Word<L>>,
}

/// Where a target stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CircuitOutput(u32);

impl CircuitOutput {
    fn new(slot: u32, complemented: bool) -> CircuitOutput {
        CircuitOutput(slot << 1 | u32::from(complemented))
    }
}

#[derive(Clone, Debug)]
enum PassStep {
    Run(Run),
    Loop(PassLoop),
}

/// Gates that read equally many slots.
#[derive(Clone, Debug)]
struct Run {
    /// How many slots must be true, and how many false.
    plain: u32,
    complemented: u32,
    /// Gate by gate: its slot, those that must be true, those that must be false.
    slots: Vec<u32>,
}

/// Atoms that depend on each other.
#[derive(Clone, Debug, Default)]
struct PassLoop {
    members: Vec<u32>,
    /// A member's slot, and a part of `wires`.
    rules: Vec<(u32, u32, u32)>,
    /// Slots, with a last bit that says whether they must be false.
    wires: Vec<u32>,
}

/// How large a circuit is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CircuitSize {
    /// Conjunctions.
    pub gates: usize,
    /// Wires that they read.
    pub wires: usize,
    /// Groups of atoms that depend on each other.
    pub loops: usize,
    /// Words of memory.
    pub slots: usize,
}

impl<const L: usize> CircuitValues<L> {
    /// Gives the input at a place its truth values.
    #[inline]
    pub fn set(&mut self, input: usize, value: Word<L>) {
        self.slots[input] = value;
    }

    /// Makes room for another circuit over the same inputs, whose passes run in turns with those of the first.
    pub fn fit(&mut self, other: &Circuit) {
        self.slots.resize(self.slots.len().max(other.slots), Word::NONE);
    }

    /// The truth values of all inputs and of what else has a slot, inputs first.
    #[inline]
    pub fn slots_mut(&mut self) -> &mut [Word<L>] {
        &mut self.slots
    }

    /// Where a target is true, as of the last run of its pass.
    #[inline]
    pub fn get(&self, output: CircuitOutput) -> Word<L> {
        let value = self.slots[(output.0 >> 1) as usize];
        if output.0 & 1 == 0 { value } else { !value }
    }
}

impl Circuit {
    /// Compiles what the targets of the passes depend on. Values are given to the inputs by their places; inputs of the
    /// program that are not named are false. Of each group in `exactly_one`, all of which are named, exactly one is true
    /// in every situation, or what the circuit says of it means nothing.
    ///
    /// # Errors
    /// [`Unsupported`]: disjunctions, loops through negation, and sums that depend on themselves.
    pub fn new(
        program: &GroundProgram,
        inputs: &[u32],
        exactly_one: &[Vec<u32>],
        passes: &[Pass],
    ) -> Result<Circuit, Unsupported> {
        let mut definitions = Definitions::new(program)?;
        definitions.forget_what_never_holds();
        let targets: Vec<u32> = passes.iter().flat_map(|pass| pass.targets.iter().copied()).collect();
        let mut rules = RuleGates::new(definitions, inputs, exactly_one, &targets)?;
        let wires: Vec<Vec<Wire>> =
            passes.iter().map(|pass| pass.targets.iter().map(|atom| rules.wire(*atom)).collect()).collect();
        shared::share(&mut rules.gates, &wires.concat());
        let after: Vec<Option<usize>> = passes.iter().map(|pass| pass.after).collect();
        let plan = schedule::schedule(&rules.gates, inputs.len(), &wires, &after);
        let schedule::PassSchedule { passes, outputs, slots } = plan;
        Ok(Circuit { inputs: inputs.len(), passes, outputs, slots })
    }

    /// Situations in which all inputs are false.
    pub fn values<const L: usize>(&self) -> CircuitValues<L> {
        CircuitValues { slots: vec![Word::NONE; self.slots] }
    }

    /// Where a target of a pass stands.
    pub fn output(&self, pass: usize, target: usize) -> CircuitOutput {
        self.outputs[pass][target]
    }

    /// Where the targets of a pass stand.
    pub fn outputs(&self, pass: usize) -> &[CircuitOutput] {
        &self.outputs[pass]
    }

    /// Where the input at a place stands.
    pub fn input(&self, place: usize) -> CircuitOutput {
        CircuitOutput::new(place as u32, false)
    }

    /// Where what is always true stands.
    pub fn always(&self) -> CircuitOutput {
        CircuitOutput::new(self.inputs as u32, true)
    }

    /// Where what is never true stands.
    pub fn never(&self) -> CircuitOutput {
        CircuitOutput::new(self.inputs as u32, false)
    }

    /// How large it is.
    pub fn size(&self) -> CircuitSize {
        let mut size = CircuitSize { slots: self.slots, ..CircuitSize::default() };
        for step in self.passes.iter().flatten() {
            match step {
                PassStep::Run(run) => {
                    let reads = (run.plain + run.complemented) as usize;
                    let gates = run.slots.len() / (1 + reads);
                    size.gates += gates;
                    size.wires += gates * reads;
                }
                PassStep::Loop(own) => {
                    size.loops += 1;
                    size.gates += own.rules.len();
                    size.wires += own.wires.len();
                }
            }
        }
        size
    }

    /// Works out the targets of a pass. Passes run in order; one may be left out if none comes after it.
    #[inline]
    pub fn run<const L: usize>(&self, pass: usize, values: &mut CircuitValues<L>) {
        for step in &self.passes[pass] {
            match step {
                PassStep::Run(run) => run.run(&mut values.slots),
                PassStep::Loop(own) => own.close(&mut values.slots),
            }
        }
    }
}

impl Run {
    #[inline]
    fn run<const L: usize>(&self, values: &mut [Word<L>]) {
        match (self.plain, self.complemented) {
            (2, 0) => self.fixed::<L, 2, 0>(values),
            (1, 1) => self.fixed::<L, 1, 1>(values),
            (0, 2) => self.fixed::<L, 0, 2>(values),
            (3, 0) => self.fixed::<L, 3, 0>(values),
            (2, 1) => self.fixed::<L, 2, 1>(values),
            (1, 2) => self.fixed::<L, 1, 2>(values),
            (0, 3) => self.fixed::<L, 0, 3>(values),
            (0, 4) => self.fixed::<L, 0, 4>(values),
            _ => self.any_shape(values),
        }
    }

    /// Gates of a shape that the compiler knows.
    #[inline]
    fn fixed<const L: usize, const P: usize, const N: usize>(&self, values: &mut [Word<L>]) {
        for gate in self.slots.chunks_exact(1 + P + N) {
            let (mut all, mut none) = (Word::ALL, Word::NONE);
            for slot in &gate[1..1 + P] {
                all = all & values[*slot as usize];
            }
            for slot in &gate[1 + P..] {
                none = none | values[*slot as usize];
            }
            values[gate[0] as usize] = all & !none;
        }
    }

    fn any_shape<const L: usize>(&self, values: &mut [Word<L>]) {
        let (plain, complemented) = (self.plain as usize, self.complemented as usize);
        for gate in self.slots.chunks_exact(1 + plain + complemented) {
            let (mut all, mut none) = (Word::ALL, Word::NONE);
            for slot in &gate[1..1 + plain] {
                all = all & values[*slot as usize];
            }
            for slot in &gate[1 + plain..] {
                none = none | values[*slot as usize];
            }
            values[gate[0] as usize] = all & !none;
        }
    }
}

impl PassLoop {
    /// The least fixpoint of the rules over each other.
    fn close<const L: usize>(&self, values: &mut [Word<L>]) {
        self.members.iter().for_each(|slot| values[*slot as usize] = Word::NONE);
        loop {
            let mut changed = Word::NONE;
            for (head, from, to) in &self.rules {
                let before = values[*head as usize];
                let mut all = Word::ALL;
                for wire in &self.wires[*from as usize..*to as usize] {
                    let value = values[(wire >> 1) as usize];
                    all = all & if wire & 1 == 0 { value } else { !value };
                }
                let now = before | all;
                values[*head as usize] = now;
                changed = changed | (before ^ now);
            }
            if changed.is_none() {
                return;
            }
        }
    }
}
