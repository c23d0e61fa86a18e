//! Planning domains and problems as they are written: types, predicates, actions, derived predicates, and what is so at first.

use std::collections::{BTreeMap, BTreeSet};

use racgen_logic::expressions::TextPlace;

/// An argument of an atom.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Argument {
    /// A variable, without the question mark.
    Variable(String),
    /// An object.
    Object(String),
}

/// A predicate or function and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PddlAtom {
    /// The name, in small letters.
    pub name: String,
    /// The arguments.
    pub arguments: Vec<Argument>,
    /// Where it stands.
    pub place: TextPlace,
}

/// A parameter, or a place of a predicate: its name, and the types of which what stands there has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name, without the question mark.
    pub name: String,
    /// The types.
    pub types: Vec<String>,
    /// Where it stands.
    pub place: TextPlace,
}

/// How two numbers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberComparison {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `=`
    Equal,
    /// `>=`
    AtLeast,
    /// `>`
    More,
}

/// What has a number as its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NumberExpression {
    /// A number.
    Constant(i64),
    /// The value of a function.
    Of(PddlAtom),
    /// A sum.
    Sum(Box<NumberExpression>, Box<NumberExpression>),
    /// A difference.
    Difference(Box<NumberExpression>, Box<NumberExpression>),
    /// A product.
    Product(Box<NumberExpression>, Box<NumberExpression>),
}

impl NumberExpression {
    /// Calls `visit` on each function that it names.
    pub(crate) fn atoms(&self, visit: &mut impl FnMut(&PddlAtom)) {
        match self {
            NumberExpression::Constant(_) => {}
            NumberExpression::Of(atom) => visit(atom),
            NumberExpression::Sum(a, b)
            | NumberExpression::Difference(a, b)
            | NumberExpression::Product(a, b) => {
                a.atoms(visit);
                b.atoms(visit);
            }
        }
    }

    /// The sum of two.
    pub(crate) fn sum(a: NumberExpression, b: NumberExpression) -> NumberExpression {
        NumberExpression::Sum(Box::new(a), Box::new(b))
    }
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PddlFormula {
    /// All of them; of none, what is always so.
    All(Vec<PddlFormula>),
    /// At least one of them.
    Any(Vec<PddlFormula>),
    /// It is not so.
    Not(Box<PddlFormula>),
    /// The atom is true.
    Is(PddlAtom),
    /// Both are the same object.
    Same(Argument, Argument),
    /// It is so of some objects.
    Exists(Vec<Parameter>, Box<PddlFormula>),
    /// It is so of all objects.
    Every(Vec<Parameter>, Box<PddlFormula>),
    /// Two numbers compare so.
    Compare(NumberComparison, NumberExpression, NumberExpression),
}

impl PddlFormula {
    /// What is always so.
    pub fn always() -> PddlFormula {
        PddlFormula::All(Vec::new())
    }
}

/// How an effect changes a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assignment {
    /// It becomes the value.
    Assign,
    /// It grows by the value.
    Increase,
    /// It shrinks by the value.
    Decrease,
}

/// What an effect changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changed {
    /// The atom becomes true.
    Add(PddlAtom),
    /// The atom becomes false, unless another effect makes it true.
    Delete(PddlAtom),
    /// The number of a function changes.
    Set(Assignment, PddlAtom, NumberExpression),
}

/// An effect: for all objects of these parameters for which the condition holds before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PddlEffect {
    /// The objects.
    pub every: Vec<Parameter>,
    /// The condition.
    pub condition: PddlFormula,
    /// What changes.
    pub changed: Changed,
}

/// An action.
#[derive(Clone, Debug)]
pub struct PddlAction {
    /// The name.
    pub name: String,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// When it can be carried out.
    pub precondition: PddlFormula,
    /// What it changes.
    pub effects: Vec<PddlEffect>,
    /// Where it stands.
    pub place: TextPlace,
}

/// A rule for a derived predicate.
#[derive(Clone, Debug)]
pub struct DerivedRule {
    /// The predicate.
    pub name: String,
    /// Its arguments, all of them variables.
    pub parameters: Vec<Parameter>,
    /// When it is true.
    pub condition: PddlFormula,
    /// Where it stands.
    pub place: TextPlace,
}

/// A predicate or function as it is declared.
#[derive(Clone, Debug)]
pub struct Declared {
    /// The name.
    pub name: String,
    /// Its places.
    pub places: Vec<Parameter>,
    /// Where it stands.
    pub place: TextPlace,
}

/// A planning domain.
#[derive(Clone, Debug, Default)]
pub struct PddlDomain {
    /// The file, as the user called it.
    pub file: String,
    /// The name.
    pub name: String,
    /// Types with those that they are directly below, in the order of the text.
    pub types: Vec<(String, Vec<String>)>,
    /// Objects that every problem has, with their types.
    pub constants: Vec<(String, String)>,
    /// The predicates.
    pub predicates: Vec<Declared>,
    /// The functions.
    pub functions: Vec<Declared>,
    /// The rules of derived predicates.
    pub derived: Vec<DerivedRule>,
    /// The actions.
    pub actions: Vec<PddlAction>,
    /// Were costs of actions left out?
    pub had_costs: bool,
    /// Predicates that serve as types, in a domain that declares none.
    pub type_predicates: BTreeSet<String>,
}

/// An atom without variables.
pub type GroundAtom = (String, Vec<String>);

/// A planning problem.
#[derive(Clone, Debug, Default)]
pub struct PddlProblem {
    /// The file, as the user called it.
    pub file: String,
    /// The name.
    pub name: String,
    /// Its objects with their types, those that the domain names first.
    pub objects: Vec<(String, String)>,
    /// What is true at first.
    pub initially: BTreeSet<GroundAtom>,
    /// The numbers at first.
    pub values: BTreeMap<GroundAtom, i64>,
    /// What is to be reached.
    pub goal: Option<PddlFormula>,
}

impl PddlDomain {
    /// Is the first type the second, or below it? `object` is above all.
    pub fn is_below(&self, lower: &str, upper: &str) -> bool {
        let (mut open, mut seen) = (vec![lower], BTreeSet::new());
        while let Some(next) = open.pop() {
            if next == upper || upper == "object" {
                return true;
            }
            if seen.insert(next) {
                let parents = self.types.iter().filter(|(name, _)| name == next);
                open.extend(parents.flat_map(|(_, parents)| parents.iter().map(String::as_str)));
            }
        }
        false
    }

    /// The predicate of a name.
    pub fn predicate(&self, name: &str) -> Option<&Declared> {
        self.predicates.iter().find(|declared| declared.name == name)
    }

    /// The function of a name.
    pub fn function(&self, name: &str) -> Option<&Declared> {
        self.functions.iter().find(|declared| declared.name == name)
    }

    /// Is the predicate settled by rules?
    pub fn is_derived(&self, name: &str) -> bool {
        self.derived.iter().any(|rule| rule.name == name)
    }

    /// Does an action change the predicate?
    pub fn is_changed(&self, name: &str) -> bool {
        let mut effects = self.actions.iter().flat_map(|action| &action.effects);
        effects.any(|effect| match &effect.changed {
            Changed::Add(atom) | Changed::Delete(atom) | Changed::Set(_, atom, _) => atom.name == name,
        })
    }
}
