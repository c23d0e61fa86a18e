//! What clingo's grounder produced to data: rules over numbered atoms, and the names of some of these.

use crate::term::Term;

/// An atom or its default negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal(i32);

impl Literal {
    /// From clingo's signed number.
    pub fn from_signed(number: i32) -> Literal {
        Literal(number)
    }

    /// The atom's number.
    pub fn atom(self) -> u32 {
        self.0.unsigned_abs()
    }

    /// Is it the atom itself, not its negation?
    pub fn positive(self) -> bool {
        self.0 > 0
    }
}

/// What a rule demands before its head follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// All of the literals.
    All(Vec<Literal>),
    /// Literals whose weights sum to at least the bound.
    Sum(i32, Vec<(Literal, i32)>),
}

impl Body {
    /// The literals and their weights, which is 1 where all must hold.
    pub fn weighted(&self) -> impl Iterator<Item = (Literal, i32)> {
        let (all, sum): (&[Literal], &[(Literal, i32)]) = match self {
            Body::All(literals) => (literals, &[]),
            Body::Sum(_, literals) => (&[], literals),
        };
        all.iter().map(|literal| (*literal, 1)).chain(sum.iter().copied())
    }

    /// What the weights of those literals that hold must sum to.
    pub fn bound(&self) -> i32 {
        match self {
            Body::All(literals) => literals.len() as i32,
            Body::Sum(bound, _) => *bound,
        }
    }
}

/// A ground rule. Without a head it is a constraint; more than one atom in the head of a rule that is no
/// choice makes it disjunctive.
#[derive(Clone, Debug)]
pub struct GroundRule {
    /// May the head atoms be chosen freely?
    pub choice: bool,
    /// The head atoms.
    pub head: Vec<u32>,
    /// The body.
    pub body: Body,
}

/// The rules of a grounding and the names of those atoms that somebody asks for.
#[derive(Clone, Debug, Default)]
pub struct GroundProgram {
    /// All rules, facts included.
    pub rules: Vec<GroundRule>,
    /// Named atoms, predicate by predicate. A fact has no number; one that stands in no rule, and so is never true,
    /// has 0.
    pub named: Vec<(Term, Option<u32>)>,
    /// The largest atom number.
    pub atoms: u32,
}

impl GroundProgram {
    pub(crate) fn push_rule(
        &mut self,
        choice: bool,
        head: impl Iterator<Item = u32>,
        body: impl Iterator<Item = Literal>,
    ) {
        self.push(GroundRule { choice, head: head.collect(), body: Body::All(body.collect()) });
    }

    pub(crate) fn push_weight_rule(
        &mut self,
        choice: bool,
        head: impl Iterator<Item = u32>,
        bound: i32,
        body: impl Iterator<Item = (Literal, i32)>,
    ) {
        self.push(GroundRule { choice, head: head.collect(), body: Body::Sum(bound, body.collect()) });
    }

    fn push(&mut self, rule: GroundRule) {
        let in_body = rule.body.weighted().map(|(literal, _)| literal.atom()).max();
        let highest = rule.head.iter().copied().max().max(in_body);
        self.atoms = self.atoms.max(highest.unwrap_or(0));
        self.rules.push(rule);
    }

    pub(crate) fn name_atoms(&mut self, named: Vec<(Term, Option<u32>)>) {
        self.atoms = self.atoms.max(named.iter().filter_map(|(_, atom)| *atom).max().unwrap_or(0));
        self.named = named;
    }

    /// The named atoms of one predicate.
    pub fn predicate<'a>(
        &'a self,
        name: &'a str,
        arity: usize,
    ) -> impl Iterator<Item = (&'a Term, Option<u32>)> {
        self.named.iter().filter(move |(term, _)| term.is(name, arity)).map(|(term, atom)| (term, *atom))
    }
}
