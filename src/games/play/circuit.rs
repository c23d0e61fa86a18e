//! A ground game to its circuits: from the fluents of many states to what is the end and worth what, to what is legal, and
//! with a move of each role to the fluents that hold next.

use racgen_logic::evaluate::Unsupported;
use racgen_logic::evaluate::circuit::{Circuit, CircuitOutput, CircuitSize, CircuitValues, Pass};
use racgen_logic::evaluate::lanes::Word;

use crate::games::play::ground_game::{GroundTruth, Whole};

/// The circuits of a game. The inputs of all are the fluents, then the moves that are made, role by role.
#[derive(Debug)]
pub(crate) struct GameCircuits {
    /// What holds of a state where nothing is done: whether it is the end, then goals, then what holds next. Moves are
    /// false in it.
    rest: Circuit,
    /// What is legal, then what holds next. Each role makes one move.
    step: Circuit,
    pub(crate) fluents: usize,
    /// First of the moves of each role, and one more.
    pub(crate) first_move: Vec<usize>,
    pub(crate) terminal: CircuitOutput,
    pub(crate) goals: Vec<CircuitOutput>,
    pub(crate) legal: Vec<CircuitOutput>,
    pub(crate) next: Vec<CircuitOutput>,
    /// The fluents that the rules for next yield when nothing is done.
    pub(crate) idle: Vec<CircuitOutput>,
}

impl GameCircuits {
    /// Compiles a game.
    ///
    /// # Errors
    /// [`Unsupported`]: loops through negation.
    pub(crate) fn new(whole: &Whole) -> Result<GameCircuits, Unsupported> {
        let atoms = &whole.atoms;
        // What stands in no rule has a place nevertheless, and a number that no atom has.
        let mut unread = whole.ground.atoms;
        let mut input = |atom: Option<u32>| {
            atom.unwrap_or_else(|| {
                unread += 1;
                unread
            })
        };
        let fluents = atoms.holds.len();
        let inputs: Vec<u32> = atoms.holds.iter().chain(&atoms.occ).map(|atom| input(*atom)).collect();
        let idle: Vec<u32> =
            (0..inputs.len()).map(|place| input((place < fluents).then(|| inputs[place]))).collect();
        let moves = |role: &[usize]| inputs[fluents + role[0]..fluents + role[1]].to_vec();
        let exactly_one: Vec<Vec<u32>> = whole.first_move.windows(2).map(moves).collect();
        let rest = Circuit::new(
            &whole.ground,
            &idle,
            &[],
            &[open(&[atoms.terminal], None), open(&atoms.goals, Some(0)), open(&atoms.next, Some(1))],
        )?;
        let passes = [open(&atoms.legal, None), open(&atoms.next, Some(0))];
        let step = Circuit::new(&whole.ground, &inputs, &exactly_one, &passes)?;
        Ok(GameCircuits {
            fluents,
            first_move: whole.first_move.clone(),
            terminal: outputs(&rest, 0, &[atoms.terminal])[0],
            goals: outputs(&rest, 1, &atoms.goals),
            idle: outputs(&rest, 2, &atoms.next),
            legal: outputs(&step, 0, &atoms.legal),
            next: outputs(&step, 1, &atoms.next),
            rest,
            step,
        })
    }

    /// Situations for all passes.
    pub(crate) fn values<const L: usize>(&self) -> CircuitValues<L> {
        let mut values = self.step.values();
        values.fit(&self.rest);
        values
    }

    /// Where the fluent or, behind all fluents, the move at a place stands.
    pub(crate) fn input(&self, place: usize) -> CircuitOutput {
        self.step.input(place)
    }

    /// Works out whether states are the end.
    #[inline]
    pub(crate) fn find_ends<const L: usize>(&self, values: &mut CircuitValues<L>) {
        self.rest.run(0, values);
    }

    /// Works out the goals, after the ends.
    #[inline]
    pub(crate) fn find_goals<const L: usize>(&self, values: &mut CircuitValues<L>) {
        self.rest.run(1, values);
    }

    /// Works out what holds next where nothing is done, after the goals.
    #[inline]
    pub(crate) fn find_idle<const L: usize>(&self, values: &mut CircuitValues<L>) {
        self.rest.run(2, values);
    }

    /// Works out what is legal.
    #[inline]
    pub(crate) fn find_legal<const L: usize>(&self, values: &mut CircuitValues<L>) {
        self.step.run(0, values);
    }

    /// Works out what holds next, after what is legal.
    #[inline]
    pub(crate) fn find_next<const L: usize>(&self, values: &mut CircuitValues<L>) {
        self.step.run(1, values);
    }

    /// How large the circuit of a step is.
    pub(crate) fn size(&self) -> CircuitSize {
        self.step.size()
    }
}

/// The pass that works out what grounding left open.
fn open(wanted: &[GroundTruth], after: Option<usize>) -> Pass {
    let atom = |truth: &GroundTruth| match truth {
        GroundTruth::Atom(atom) => Some(*atom),
        GroundTruth::Never | GroundTruth::Always => None,
    };
    Pass { targets: wanted.iter().filter_map(atom).collect(), after }
}

/// Where the pass puts what is wanted.
fn outputs(circuit: &Circuit, pass: usize, wanted: &[GroundTruth]) -> Vec<CircuitOutput> {
    let mut open = circuit.outputs(pass).iter();
    let output = |truth: &GroundTruth| match truth {
        GroundTruth::Always => circuit.always(),
        GroundTruth::Never => circuit.never(),
        GroundTruth::Atom(_) => open.next().copied().unwrap_or(circuit.never()),
    };
    wanted.iter().map(output).collect()
}

/// The numbers of the outputs that are true, for each of the first lanes, as far as `wanted` has them.
pub(crate) fn numbers<const L: usize>(
    values: &CircuitValues<L>,
    outputs: &[CircuitOutput],
    wanted: Word<L>,
    lanes: usize,
) -> Vec<Vec<u32>> {
    let mut lists = vec![Vec::new(); lanes];
    for (number, output) in outputs.iter().enumerate() {
        let truth = values.get(*output) & wanted;
        truth.lanes().for_each(|lane| lists[lane].push(number as u32));
    }
    lists
}
