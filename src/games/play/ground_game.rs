//! A translated game to all that can happen in it: roles, fluents, moves, goals and statics in the order of the
//! published data, and the network that plays it.

use std::cmp::Ordering;
use std::time::{Duration, Instant};

use racgen_logic::clingo::Budget;
use racgen_logic::error::LogicError;
use racgen_logic::evaluate::Unsupported;
use racgen_logic::evaluate::incremental::{IncrementalEvaluator, IncrementalValues};
use racgen_logic::ground::GroundProgram;
use racgen_logic::term::Term;
use rustc_hash::FxHashMap as HashMap;

use crate::games::error::GameError;
use crate::games::gdl::strata::Strata;
use crate::games::gdl::syntax::{Game, Signature};
use crate::games::gdl::translate::Translation;

/// What one game may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Time for the whole game.
    pub time: Duration,
    /// Memory for the whole game, in bytes; ground rules and triples are estimated.
    pub memory: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { time: Duration::from_secs(600), memory: 4 << 30 }
    }
}

/// Bytes that a literal of a ground rule takes, about, while the network is built.
const LITERAL_BYTES: u64 = 64;
/// The part of the time limit that grounding once may take.
pub(crate) const GROUNDING_SHARE: u32 = 4;

/// A game that is ready to be played.
#[derive(Debug)]
pub struct GroundGame {
    /// The game.
    pub game: Game,
    /// Its program.
    pub translation: Translation,
    /// All roles, in the order of [`order`].
    pub roles: Vec<Term>,
    /// Static atoms, in the order of [`order`].
    pub statics: Vec<Term>,
    /// The fluents that hold at first.
    pub initial: Vec<Term>,
    /// All that is known once the program could be grounded as a whole.
    pub whole: Option<Whole>,
    /// Why it could not, in clingo's or our words.
    pub obstacle: Option<String>,
    /// How long grounding took.
    pub grounding: Duration,
    /// Do goals or the end depend on moves made? They are then read as if none was.
    pub clears: bool,
}

/// All reachable fluents, moves and goals, and the network over them.
#[derive(Debug)]
pub struct Whole {
    /// Fluents, in the order of [`order`].
    pub fluents: Vec<Term>,
    /// Moves: number of the role and action, in the order of [`order`].
    pub moves: Vec<(u32, Term)>,
    /// Goals: number of the role and value.
    pub goals: Vec<(u32, Term)>,
    /// Numbers of the fluents that hold at first.
    pub initial: Vec<u32>,
    /// The ground rules.
    pub(crate) ground: GroundProgram,
    /// The atoms of fluents that hold, of fluents that hold next, of moves that are made, of moves that are legal, and of
    /// goals, each in the order of the above.
    pub(crate) atoms: GameAtoms,
    network: IncrementalEvaluator,
    holds: Vec<Option<u32>>,
    occ: Vec<Option<u32>>,
    /// First bit of the moves of each role, and one more.
    legal: Vec<usize>,
    /// First of the moves of each role, and one more.
    pub(crate) first_move: Vec<usize>,
    goal_bits: usize,
    terminal_bit: usize,
    /// Atoms of helper relations that change with the state, if the arena was to know them; which depend on moves?
    pub derived: Vec<(Term, bool)>,
    derived_bits: usize,
    /// Bits that are always set.
    always: Vec<u64>,
    clears: bool,
}

/// What stands for the facts of a game among its ground atoms.
#[derive(Debug)]
pub(crate) struct GameAtoms {
    /// By fluent: it holds, and it holds next.
    pub(crate) holds: Vec<Option<u32>>,
    pub(crate) next: Vec<GroundTruth>,
    /// By move: it is made, and it is legal.
    pub(crate) occ: Vec<Option<u32>>,
    pub(crate) legal: Vec<GroundTruth>,
    pub(crate) goals: Vec<GroundTruth>,
    pub(crate) terminal: GroundTruth,
}

/// What grounding left of an atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GroundTruth {
    Never,
    Always,
    Atom(u32),
}

impl GroundTruth {
    /// From the number that a grounding gives to an atom that it names, if it does.
    fn of(named: Option<Option<u32>>) -> GroundTruth {
        match named {
            None | Some(Some(0)) => GroundTruth::Never,
            Some(None) => GroundTruth::Always,
            Some(Some(atom)) => GroundTruth::Atom(atom),
        }
    }
}

/// The order of terms in published data: constants before compounds, then names by their bytes, then arguments.
///
/// ```
/// use racgen::games::play::ground_game::order;
/// use racgen::logic::term::Term;
/// let (a, b): (Term, Term) = ("z".parse().unwrap(), "a(z)".parse().unwrap());
/// assert!(order(&a, &b).is_lt());
/// ```
pub fn order(a: &Term, b: &Term) -> Ordering {
    (!a.args().is_empty())
        .cmp(&!b.args().is_empty())
        .then_with(|| a.functor().as_bytes().cmp(b.functor().as_bytes()))
        .then_with(|| {
            let arguments = a.args().iter().zip(b.args());
            let first = arguments.map(|(a, b)| order(a, b)).find(|o| o.is_ne());
            first.unwrap_or_else(|| a.args().len().cmp(&b.args().len()))
        })
}

impl GroundGame {
    /// Checks, translates and grounds a game.
    ///
    /// # Errors
    /// The game's faults; clingo's own. A program that is too large to be grounded as a whole is no error: the game
    /// is then played by grounding step by step.
    pub fn new(game: Game, limits: &Limits) -> Result<GroundGame, GameError> {
        GroundGame::with(game, limits, false)
    }

    /// As [`GroundGame::new`]; with `derived`, helper relations that change with the state are known, too.
    ///
    /// # Errors
    /// Those of [`GroundGame::new`].
    pub fn with(game: Game, limits: &Limits, derived: bool) -> Result<GroundGame, GameError> {
        GroundGame::grounded(game, limits, derived, None)
    }

    /// As [`GroundGame::with`]; where it is known `why` the game cannot be grounded as a whole, that is not tried.
    ///
    /// # Errors
    /// Those of [`GroundGame::new`].
    pub fn grounded(
        game: Game,
        limits: &Limits,
        derived: bool,
        why: Option<String>,
    ) -> Result<GroundGame, GameError> {
        let verdict = crate::games::gdl::validate::check(&game);
        if !verdict.errors.is_empty() {
            return Err(GameError::Faults(verdict.errors.into()));
        }
        let strata = Strata::new(&game);
        let translation = Translation::new(&game, &strata);
        let clears = ["goal", "terminal"]
            .iter()
            .any(|name| strata.signatures.iter().any(|s| &*s.0 == *name && strata.depends_on_moves(s)));
        let start = Instant::now();
        let literals = usize::try_from(limits.memory / LITERAL_BYTES).unwrap_or(usize::MAX);
        let budget = Budget { rules: literals / 2, literals, time: limits.time / GROUNDING_SHARE, start };
        let shown = if derived { translation.shown_with_derived() } else { translation.shown() };
        let once = match why {
            Some(why) => Err(LogicError::Budget(why)),
            None => translation.once().ground_within(&shown, Some(budget)),
        };
        let (ground, obstacle) = match once {
            Ok(ground) => (ground, None),
            // The first state and the statics are those of any step.
            Err(LogicError::Budget(why)) => {
                let step = translation.step(std::iter::empty(), std::iter::empty());
                let ground = step.ground(&translation.shown()).map_err(|e| GameError::solver(&game, e))?;
                (ground, Some(why))
            }
            Err(error) => return Err(GameError::solver(&game, error)),
        };
        let mut initial: Vec<Term> =
            ground.predicate("init", 1).map(|(t, _)| translation.back(&t.args()[0])).collect();
        initial.sort_by(order);
        let mut statics: Vec<Term> = Vec::new();
        for ((name, arity), symbol) in translation.statics() {
            let printed = game.print(name);
            for (term, _) in ground.predicate(symbol, *arity) {
                let arguments = term.args().iter().map(|a| translation.back(a)).collect();
                statics.push(Term::function(printed, arguments));
            }
        }
        statics.sort_by(order);
        let mut roles: Vec<Term> =
            ground.predicate("role", 1).map(|(t, _)| translation.back(&t.args()[0])).collect();
        if roles.is_empty() {
            let moves = ground.predicate("executable", 2);
            roles = moves.map(|(t, _)| translation.back(&t.args()[0])).collect();
        }
        roles.sort_by(order);
        roles.dedup();
        let grounding = start.elapsed();
        let mut arena = GroundGame {
            game,
            translation,
            roles,
            statics,
            initial,
            whole: None,
            obstacle,
            grounding,
            clears,
        };
        if arena.obstacle.is_none() {
            let late = |s: &Signature| strata.depends_on_moves(s);
            match Whole::new(&arena, ground, &late) {
                Ok(whole) => arena.whole = Some(whole),
                Err(why) => arena.obstacle = Some(why.to_string()),
            }
        }
        Ok(arena)
    }
}

impl Whole {
    fn new(
        arena: &GroundGame,
        ground: GroundProgram,
        late: &dyn Fn(&Signature) -> bool,
    ) -> Result<Whole, Unsupported> {
        let back = |term: &Term| arena.translation.back(term);
        let role_number: HashMap<&Term, u32> =
            arena.roles.iter().enumerate().map(|(n, r)| (r, n as u32)).collect();

        let mut holds: Vec<(Term, Option<u32>)> =
            ground.predicate("holds", 1).map(|(t, a)| (back(&t.args()[0]), a)).collect();
        holds.sort_by(|a, b| order(&a.0, &b.0));
        let next: HashMap<Term, Option<u32>> =
            ground.predicate("next", 1).map(|(t, a)| (back(&t.args()[0]), a)).collect();

        // A move of somebody who has no role is never made.
        let pairs = |predicate: &'static str| {
            let all = ground.predicate(predicate, 2).filter_map(|(t, atom)| {
                let role = role_number.get(&back(&t.args()[0]))?;
                Some(((*role, back(&t.args()[1])), atom))
            });
            let mut all: Vec<((u32, Term), Option<u32>)> = all.collect();
            all.sort_by(|a, b| a.0.0.cmp(&b.0.0).then_with(|| order(&a.0.1, &b.0.1)));
            all
        };
        let executable = pairs("executable");
        let occ: HashMap<(u32, Term), Option<u32>> = pairs("occ").into_iter().collect();
        let goals = pairs("goal");

        // The bits: next fluents, legal moves role by role, goals, the end; each group from a word of its own.
        let mut shown: Vec<Option<u32>> = Vec::new();
        let mut always_bits: Vec<usize> = Vec::new();
        let mut show = |shown: &mut Vec<Option<u32>>, atom: Option<Option<u32>>| {
            if let Some(None) = atom {
                always_bits.push(shown.len());
            }
            shown.push(atom.flatten());
        };
        let align = |shown: &mut Vec<Option<u32>>| shown.resize(shown.len().next_multiple_of(64), None);
        for (fluent, _) in &holds {
            show(&mut shown, next.get(fluent).copied());
        }
        let (mut legal, mut first_move) = (Vec::new(), Vec::new());
        let mut at = 0;
        for role in 0..arena.roles.len() as u32 {
            align(&mut shown);
            legal.push(shown.len());
            first_move.push(at);
            while at < executable.len() && executable[at].0.0 == role {
                show(&mut shown, Some(executable[at].1));
                at += 1;
            }
        }
        legal.push(shown.len());
        first_move.push(at);
        align(&mut shown);
        let goal_bits = shown.len();
        goals.iter().for_each(|(_, atom)| show(&mut shown, Some(*atom)));
        let terminal_bit = shown.len();
        show(&mut shown, ground.predicate("terminal", 0).next().map(|(_, atom)| atom));
        let derived_bits = shown.len();
        let mut derived: Vec<(Term, bool, Option<u32>)> = Vec::new();
        for (signature, name) in arena.translation.derived() {
            let printed = arena.game.print(&signature.0);
            for (term, atom) in ground.predicate(name, signature.1) {
                let arguments = term.args().iter().map(back).collect();
                derived.push((Term::function(printed, arguments), late(signature), atom));
            }
        }
        derived.sort_by(|a, b| order(&a.0, &b.0));
        derived.iter().for_each(|(_, _, atom)| show(&mut shown, Some(*atom)));
        let mut always = vec![0_u64; shown.len().div_ceil(64)];
        for bit in always_bits {
            always[bit / 64] |= 1 << (bit % 64);
        }
        let late: Vec<u32> = occ.values().flatten().copied().collect();
        let network = IncrementalEvaluator::new(&ground, &late, &shown)?;
        let terminal = ground.predicate("terminal", 0).next().map(|(_, atom)| atom);
        let atoms = GameAtoms {
            holds: holds.iter().map(|(_, atom)| *atom).collect(),
            next: holds.iter().map(|(fluent, _)| GroundTruth::of(next.get(fluent).copied())).collect(),
            occ: executable.iter().map(|(made, _)| occ.get(made).copied().flatten()).collect(),
            legal: executable.iter().map(|(_, atom)| GroundTruth::of(Some(*atom))).collect(),
            goals: goals.iter().map(|(_, atom)| GroundTruth::of(Some(*atom))).collect(),
            terminal: GroundTruth::of(terminal),
        };
        let moves: Vec<(u32, Term)> = executable.into_iter().map(|(m, _)| m).collect();
        let (fluents, holds): (Vec<Term>, Vec<Option<u32>>) = holds.into_iter().unzip();
        let place = |fluent: &Term| fluents.binary_search_by(|f| order(f, fluent)).ok().map(|n| n as u32);
        Ok(Whole {
            initial: arena.initial.iter().filter_map(place).collect(),
            occ: moves.iter().map(|m| occ.get(m).copied().flatten()).collect(),
            fluents,
            moves,
            goals: goals.into_iter().map(|(g, _)| g).collect(),
            ground,
            atoms,
            network,
            holds,
            legal,
            first_move,
            goal_bits,
            terminal_bit,
            derived: derived.into_iter().map(|(term, late, _)| (term, late)).collect(),
            derived_bits,
            always,
            clears: arena.clears,
        })
    }

    /// How many ground rules there are.
    pub fn rules(&self) -> usize {
        self.ground.rules.len()
    }

    /// How many groups of ground atoms depend on each other.
    pub fn loops(&self) -> usize {
        self.network.loops()
    }

    /// A board in the first state.
    pub fn board(&self) -> Board<'_> {
        let mut board = Board {
            whole: self,
            values: self.network.values(),
            now: vec![0; self.fluents.len().div_ceil(64)],
            made: Vec::new(),
        };
        board.reset();
        board
    }
}

/// A game in play: one state of the network.
#[derive(Clone, Debug)]
pub struct Board<'w> {
    whole: &'w Whole,
    values: IncrementalValues,
    /// The fluents that hold, as bits.
    now: Vec<u64>,
    /// The moves that were made last.
    made: Vec<u32>,
}

/// The numbers of the set bits.
fn ones(word: u64) -> impl Iterator<Item = usize> {
    let mut left = word;
    std::iter::from_fn(move || {
        let bit = left.trailing_zeros() as usize;
        (left != 0).then(|| {
            left &= left - 1;
            bit
        })
    })
}

impl Board<'_> {
    /// Goes to the first state.
    pub fn reset(&mut self) {
        let whole = self.whole;
        self.go(whole.initial.iter().copied());
    }

    /// Goes to the state in which these fluents hold.
    pub fn go(&mut self, fluents: impl Iterator<Item = u32>) {
        let mut bits = vec![0; self.now.len()];
        fluents.for_each(|f| bits[f as usize / 64] |= 1 << (f % 64));
        for (word, bits) in bits.into_iter().enumerate() {
            self.change(word, bits);
        }
        self.look();
    }

    #[inline]
    fn change(&mut self, word: usize, bits: u64) {
        for bit in ones(self.now[word] ^ bits) {
            if let Some(atom) = self.whole.holds[word * 64 + bit] {
                self.whole.network.set(&mut self.values, atom, bits >> bit & 1 == 1);
            }
        }
        self.now[word] = bits;
    }

    fn look(&mut self) {
        if self.whole.clears {
            self.unmake();
            self.whole.network.settle(&mut self.values);
        } else {
            self.whole.network.settle_early(&mut self.values);
        }
    }

    fn unmake(&mut self) {
        for made in std::mem::take(&mut self.made) {
            if let Some(atom) = self.whole.occ[made as usize] {
                self.whole.network.set(&mut self.values, atom, false);
            }
        }
    }

    #[inline]
    fn word(&self, word: usize) -> u64 {
        self.values.bits()[word] | self.whole.always[word]
    }

    /// How many legal moves the role has.
    pub fn count_legal(&self, role: usize) -> u32 {
        let (from, to) = (self.whole.legal[role], self.whole.legal[role + 1]);
        (from / 64..to.div_ceil(64)).map(|w| self.word(w).count_ones()).sum()
    }

    /// The role's legal move of this rank.
    pub fn nth_legal(&self, role: usize, mut rank: u32) -> Option<u32> {
        let (from, to) = (self.whole.legal[role], self.whole.legal[role + 1]);
        for word in from / 64..to.div_ceil(64) {
            let bits = self.word(word);
            let count = bits.count_ones();
            if rank < count {
                let bit = ones(bits).nth(rank as usize)?;
                return Some((self.whole.first_move[role] + word * 64 + bit - from) as u32);
            }
            rank -= count;
        }
        None
    }

    /// The legal moves of all roles.
    pub fn legal(&self) -> Vec<u32> {
        let mut all = Vec::new();
        for role in 0..self.whole.legal.len() - 1 {
            let (from, to) = (self.whole.legal[role], self.whole.legal[role + 1]);
            for word in from / 64..to.div_ceil(64) {
                let first = self.whole.first_move[role] + word * 64 - from;
                all.extend(ones(self.word(word)).map(|bit| (first + bit) as u32));
            }
        }
        all
    }

    /// Is the state terminal?
    pub fn terminal(&self) -> bool {
        let bit = self.whole.terminal_bit;
        self.word(bit / 64) >> (bit % 64) & 1 == 1
    }

    /// The goals that hold.
    pub fn goals(&self) -> Vec<u32> {
        let bits = self.whole.goal_bits;
        let set = |n: &u32| {
            let bit = bits + *n as usize;
            self.word(bit / 64) >> (bit % 64) & 1 == 1
        };
        (0..self.whole.goals.len() as u32).filter(set).collect()
    }

    /// The fluents that hold.
    pub fn fluents(&self) -> Vec<u32> {
        let words = self.now.iter().enumerate();
        words.flat_map(|(word, bits)| ones(*bits).map(move |bit| (word * 64 + bit) as u32)).collect()
    }

    /// The state as bits, one a fluent.
    pub fn state(&self) -> &[u64] {
        &self.now
    }

    /// The fluents that the rules for next yield when nothing is done.
    pub fn idle(&mut self) -> Vec<u32> {
        self.unmake();
        self.whole.network.settle(&mut self.values);
        let words = (0..self.now.len()).map(|word| (word, self.next_word(word)));
        words.flat_map(|(word, bits)| ones(bits).map(move |bit| (word * 64 + bit) as u32)).collect()
    }

    /// The atoms of helper relations that hold when these moves are made here; without moves, those that do not
    /// depend on any. The board stays where it is.
    pub fn derived(&mut self, moves: &[u32]) -> Vec<u32> {
        self.make(moves);
        let whole = self.whole;
        let holds = |n: &u32| {
            let bit = whole.derived_bits + *n as usize;
            self.word(bit / 64) >> (bit % 64) & 1 == 1 && !(moves.is_empty() && whole.derived[*n as usize].1)
        };
        (0..whole.derived.len() as u32).filter(holds).collect()
    }

    fn make(&mut self, moves: &[u32]) {
        self.unmake();
        for made in moves {
            if let Some(atom) = self.whole.occ[*made as usize] {
                self.whole.network.set(&mut self.values, atom, true);
            }
        }
        self.made.extend_from_slice(moves);
        self.whole.network.settle(&mut self.values);
    }

    /// Makes one move for each role.
    pub fn advance(&mut self, moves: &[u32]) {
        self.make(moves);
        // The network shows the next state until the inputs change, so it is read before.
        let last = self.now.len();
        let mut next = [0_u64; 8];
        if last <= next.len() {
            (0..last).for_each(|w| next[w] = self.next_word(w));
            (0..last).for_each(|w| self.change(w, next[w]));
        } else {
            let next: Vec<u64> = (0..last).map(|w| self.next_word(w)).collect();
            next.into_iter().enumerate().for_each(|(w, bits)| self.change(w, bits));
        }
        self.look();
    }

    #[inline]
    fn next_word(&self, word: usize) -> u64 {
        let left = self.whole.fluents.len() - word * 64;
        let mask = if left >= 64 { u64::MAX } else { (1 << left) - 1 };
        self.word(word) & mask
    }
}
