//! Ground rules and many situations to the truth of chosen atoms in all of them at once.
//!
//! Each atom has a word, and each situation a bit of it, its lane. The rules are gates: a body is the conjunction of the
//! words of its literals, an atom the disjunction of its bodies, so that one pass over the rules works out as many
//! situations as a word has bits. Sums of weighted literals are added bit by bit, in words for their binary digits. Atoms
//! that depend on each other are settled component by component to the well-founded model, which is the only answer set
//! where it is total; it is told in which lanes it is not, and there the caller has clingo decide.

mod compile;
mod fold;
mod loops;
mod part;
mod sums;
mod word;

use std::sync::Arc;

use rustc_hash::FxHashMap as HashMap;

pub use self::fold::{FoldedEvaluator, Settled};
pub use self::word::{Word, transpose};

use self::sums::LaneSum;
use super::definitions::VIOLATION;
use crate::ground::Literal;

/// The rules that the targets and all constraints depend on, in an order of evaluation.
///
/// ```
/// use racgen_logic::clingo::{Program, Source};
/// use racgen_logic::evaluate::lanes::{LaneEvaluator, Word};
///
/// let lamp = "{ switch; power }. light :- switch, power. dark :- not light.";
/// let program = Program { sources: vec![Source::new("lamp.lp", lamp)], ..Program::default() };
/// let ground = program.ground(&[("switch", 0), ("power", 0), ("dark", 0)]).unwrap();
/// let atom = |name| ground.predicate(name, 0).next().unwrap().1.unwrap();
///
/// let evaluator = LaneEvaluator::new(&ground, &[atom("dark")]).unwrap();
/// let mut values = evaluator.values::<1>();
/// values.set(atom("switch"), Word([0b0011]));
/// values.set(atom("power"), Word([0b0101]));
/// let verdict = evaluator.run(&mut values);
/// assert!(verdict.inconsistent.is_none() && verdict.undecided.is_none());
/// assert_eq!(values.get(atom("dark")).0[0] & 0b1111, 0b1110);
/// ```
#[derive(Debug)]
pub struct LaneEvaluator {
    steps: Vec<LaneStep>,
    wiring: Arc<LaneWiring>,
}

/// What the steps of an evaluator, and of every part of it, refer to.
#[derive(Debug, Default)]
struct LaneWiring {
    atoms: usize,
    /// The atoms that have a second word each, behind those of all atoms: what negated atoms read while a loop through
    /// negation is settled.
    assumed: Vec<u32>,
    rules: Vec<LaneRule>,
    literals: Vec<LaneLiteral>,
    sums: Vec<LaneSum>,
    /// How many binary digits the sums have together.
    digits: usize,
    members: Vec<u32>,
    rivals: Vec<[Rival; 2]>,
    loops: Vec<LoopStep>,
}

/// Situations of a [`LaneEvaluator`], one in each lane.
#[derive(Clone, Debug)]
pub struct LaneValues<const L: usize> {
    now: Vec<Word<L>>,
    digits: Vec<Word<L>>,
}

impl<const L: usize> LaneValues<L> {
    /// Gives an input its truth values; what follows is worked out by [`LaneEvaluator::run`].
    #[inline]
    pub fn set(&mut self, input: u32, value: Word<L>) {
        self.now[input as usize] = value;
    }

    /// Where an atom is true. What is no input is so as of the last [`LaneEvaluator::run`].
    #[inline]
    pub fn get(&self, atom: u32) -> Word<L> {
        self.now[atom as usize]
    }

    #[inline]
    fn literal(&self, literal: LaneLiteral) -> Word<L> {
        let value = self.now[(literal.0 >> 1) as usize];
        if literal.0 & 1 == 0 { value } else { !value }
    }
}

/// What a pass over the rules came to.
#[derive(Clone, Copy, Debug)]
pub struct LaneVerdict<const L: usize> {
    /// Where a constraint is violated.
    pub inconsistent: Word<L>,
    /// Where negation in a loop leaves atoms undecided.
    pub undecided: Word<L>,
}

/// The place of a word, and in the last bit whether it is negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct LaneLiteral(u32);

impl LaneLiteral {
    fn new(place: u32, positive: bool) -> LaneLiteral {
        LaneLiteral(place << 1 | u32::from(!positive))
    }

    #[inline]
    fn place(self) -> usize {
        (self.0 >> 1) as usize
    }

    #[inline]
    fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }
}

/// What is worked out next. Most steps are atoms, so the others are no larger: they say where theirs stands.
#[derive(Clone, Copy, Debug)]
enum LaneStep {
    /// A single atom that does not depend on itself, and its rules.
    Atom(u32, IndexRange),
    /// A sum that bodies compare with their bounds.
    Sum(u32),
    /// Two atoms each of which holds by default where the other does not.
    Rivals(u32),
    /// Atoms that depend on each other.
    Loop(u32),
}

/// An atom that follows from rules of its own, or by default from others unless its rival holds.
#[derive(Clone, Copy, Debug)]
struct Rival {
    atom: u32,
    own: IndexRange,
    default: IndexRange,
}

#[derive(Clone, Copy, Debug)]
struct LoopStep {
    members: IndexRange,
    rules: IndexRange,
    /// Does the loop pass a negation?
    negative: bool,
    /// Do members read others that are not negated?
    positive: bool,
    /// Where the members' second words begin, if the loop passes a negation.
    assumed: u32,
}

#[derive(Clone, Copy, Debug)]
struct LaneRule {
    head: u32,
    body: LaneBody,
}

#[derive(Clone, Copy, Debug)]
enum LaneBody {
    All(IndexRange),
    /// A sum that was worked out before reaches a bound.
    AtLeast {
        sum: u32,
        bound: i32,
    },
    /// A sum of which members of the same loop are part.
    Sum {
        sum: u32,
        bound: i32,
    },
}

/// A part of a list, in half the memory of the standard library's ranges.
#[derive(Clone, Copy, Debug)]
struct IndexRange {
    from: u32,
    to: u32,
}

impl IndexRange {
    fn is_empty(&self) -> bool {
        self.from == self.to
    }

    #[inline]
    fn of<T>(self, list: &[T]) -> &[T] {
        &list[self.from as usize..self.to as usize]
    }
}

impl LaneEvaluator {
    /// Situations in which all inputs are false.
    pub fn values<const L: usize>(&self) -> LaneValues<L> {
        LaneValues {
            now: vec![Word::NONE; self.wiring.atoms + self.wiring.assumed.len()],
            digits: vec![Word::NONE; self.wiring.digits],
        }
    }

    /// How many rules there are.
    pub fn size(&self) -> usize {
        self.wiring.rules.len()
    }

    /// Works out what follows from the inputs.
    pub fn run<const L: usize>(&self, values: &mut LaneValues<L>) -> LaneVerdict<L> {
        let mut undecided = Word::NONE;
        for step in &self.steps {
            match step {
                LaneStep::Atom(atom, rules) => values.now[*atom as usize] = self.any(*rules, values),
                LaneStep::Sum(sum) => self.wiring.sums[*sum as usize].work_out(values),
                LaneStep::Rivals(rivals) => {
                    undecided = undecided | self.compare(&self.wiring.rivals[*rivals as usize], values);
                }
                LaneStep::Loop(step) => {
                    undecided = undecided | self.settle(self.wiring.loops[*step as usize], values);
                }
            }
        }
        LaneVerdict { inconsistent: values.get(VIOLATION), undecided }
    }

    /// Where the body of one of the rules holds.
    #[inline(always)]
    fn any<const L: usize>(&self, rules: IndexRange, values: &mut LaneValues<L>) -> Word<L> {
        let mut any = Word::NONE;
        for rule in rules.of(&self.wiring.rules) {
            any = any | self.body(rule.body, values);
        }
        any
    }

    #[inline(always)]
    fn body<const L: usize>(&self, body: LaneBody, values: &mut LaneValues<L>) -> Word<L> {
        match body {
            LaneBody::All(literals) => {
                let mut all = Word::ALL;
                for literal in literals.of(&self.wiring.literals) {
                    all = all & values.literal(*literal);
                }
                all
            }
            LaneBody::AtLeast { sum, bound } => self.wiring.sums[sum as usize].at_least(bound, values),
            LaneBody::Sum { sum, bound } => {
                self.wiring.sums[sum as usize].work_out(values);
                self.wiring.sums[sum as usize].at_least(bound, values)
            }
        }
    }

    /// What each atom is defined by: the atoms in the bodies of its rules.
    pub fn definitions(&self) -> HashMap<u32, Vec<u32>> {
        let mut all: HashMap<u32, Vec<u32>> = HashMap::default();
        for (head, body) in self.compiled() {
            let literals: &[LaneLiteral] = match body {
                LaneBody::All(literals) => literals.of(&self.wiring.literals),
                LaneBody::AtLeast { sum, .. } | LaneBody::Sum { sum, .. } => {
                    let weighted = self.wiring.sums[*sum as usize].literals.iter();
                    all.entry(head).or_default().extend(weighted.map(|(l, _)| self.plain(*l).atom()));
                    continue;
                }
            };
            all.entry(head).or_default().extend(literals.iter().map(|l| self.plain(*l).atom()));
        }
        for step in &self.steps {
            if let LaneStep::Rivals(rivals) = step {
                let [one, other] = &self.wiring.rivals[*rivals as usize];
                for (atom, rival) in [(one, other), (other, one)] {
                    all.entry(atom.atom).or_default().push(rival.atom);
                }
            }
        }
        all
    }

    /// The rules, those of one atom together, and each atom after those that it depends on, unless they depend on it:
    /// the atom, and the literals that must all hold; none for rules that weigh their literals.
    pub fn rules(&self) -> impl Iterator<Item = (u32, Option<Vec<Literal>>)> {
        self.compiled().map(|(head, body)| match body {
            LaneBody::All(literals) => {
                (head, Some(literals.of(&self.wiring.literals).iter().map(|l| self.plain(*l)).collect()))
            }
            _ => (head, None),
        })
    }

    fn compiled(&self) -> impl Iterator<Item = (u32, &LaneBody)> {
        let ranges = self.steps.iter().flat_map(|step| match step {
            LaneStep::Atom(_, rules) => vec![*rules],
            LaneStep::Loop(step) => vec![self.wiring.loops[*step as usize].rules],
            LaneStep::Rivals(rivals) => {
                let [one, other] = self.wiring.rivals[*rivals as usize];
                vec![one.own, one.default, other.own, other.default]
            }
            LaneStep::Sum(_) => vec![],
        });
        ranges.flat_map(|range| range.of(&self.wiring.rules)).map(|rule| (rule.head, &rule.body))
    }

    /// The literal as the program has it.
    fn plain(&self, literal: LaneLiteral) -> Literal {
        let place = literal.0 >> 1;
        let atom = match (place as usize).checked_sub(self.wiring.atoms) {
            Some(second) => self.wiring.assumed[second],
            None => place,
        };
        Literal::from_signed(if literal.0 & 1 == 0 { atom as i32 } else { -(atom as i32) })
    }
}
