//! The parts of an invented theory: types, static relations, fluents, static laws and actions. Nothing has a name yet.

/// What moves a world; each domain has at least two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TheoryMechanism {
    /// Things are at one place each and go along a graph.
    Travel,
    /// Things are in a state or not.
    States,
    /// Items are in at most one box each.
    Containment,
    /// Things stand on each other.
    Stack,
    /// Things have a number of something, within bounds.
    Counter,
    /// Pairs of things are tied or not.
    Links,
}

impl TheoryMechanism {
    /// All of them.
    pub const ALL: [TheoryMechanism; 6] = [
        TheoryMechanism::Travel,
        TheoryMechanism::States,
        TheoryMechanism::Containment,
        TheoryMechanism::Stack,
        TheoryMechanism::Counter,
        TheoryMechanism::Links,
    ];

    /// What it is called in tables.
    pub fn name(self) -> &'static str {
        match self {
            TheoryMechanism::Travel => "travel",
            TheoryMechanism::States => "states",
            TheoryMechanism::Containment => "containment",
            TheoryMechanism::Stack => "stack",
            TheoryMechanism::Counter => "counter",
            TheoryMechanism::Links => "links",
        }
    }
}

/// The static laws of a domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LawKind {
    /// None.
    None,
    /// One, over what actions change.
    Simple,
    /// One that reads another.
    Chain,
    /// One that reads itself.
    Recursive,
}

impl LawKind {
    /// All of them.
    pub const ALL: [LawKind; 4] = [LawKind::None, LawKind::Simple, LawKind::Chain, LawKind::Recursive];

    /// What they are called in tables.
    pub fn name(self) -> &'static str {
        match self {
            LawKind::None => "none",
            LawKind::Simple => "simple",
            LawKind::Chain => "chain",
            LawKind::Recursive => "recursive",
        }
    }
}

/// The number of a type.
pub type KindNumber = usize;
/// The number of a variable: the parameters of an action or the subject of a law first, then what else is spoken of.
pub type Variable = usize;

/// What a static relation looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StaticShape {
    /// Connected places, with ways in both directions; at most as many more than a tree has as there are places in three.
    Graph,
    /// Connected places without a round.
    Tree,
    /// Places in a row.
    Line,
    /// Places in a round, with ways in one direction only.
    Ring,
    /// Two rows of places side by side.
    Grid,
    /// One thing before the other, in one order.
    Order,
    /// Each thing is at one place for good, or belongs to one other thing.
    Home,
}

impl StaticShape {
    /// What it is called in tables.
    pub fn name(self) -> &'static str {
        match self {
            StaticShape::Graph => "graph",
            StaticShape::Tree => "tree",
            StaticShape::Line => "line",
            StaticShape::Ring => "ring",
            StaticShape::Grid => "grid",
            StaticShape::Order => "order",
            StaticShape::Home => "partition",
        }
    }

    /// Is it a set of ways between places?
    pub fn is_ways(self) -> bool {
        !matches!(self, StaticShape::Order | StaticShape::Home)
    }
}

/// How things are tied to others for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HomeTie {
    /// They are at a place.
    AlwaysAt,
    /// A place is theirs.
    BelongsTo,
    /// They have another thing, which is no place.
    GoesWith,
}

impl HomeTie {
    /// What it is called in logic programs.
    pub fn symbol(self) -> &'static str {
        match self {
            HomeTie::AlwaysAt => "always_at",
            HomeTie::BelongsTo => "belongs_to",
            HomeTie::GoesWith => "goes_with",
        }
    }

    /// What it is in a sentence.
    pub fn phrase(self) -> &'static str {
        match self {
            HomeTie::AlwaysAt => "is always at",
            HomeTie::BelongsTo => "belongs to",
            HomeTie::GoesWith => "goes with",
        }
    }
}

/// A static relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Static {
    /// Its shape.
    pub shape: StaticShape,
    /// The types of its two places.
    pub kinds: [KindNumber; 2],
}

/// What an inertial fluent is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FluentKind {
    /// The first is at the second, and at nothing else.
    At,
    /// It is in a state; without an argument, so is the whole world.
    State,
    /// The first is in the second, and in nothing else.
    In,
    /// The first stands on the second, of the same type.
    On,
    /// It has a number of something, from 0 to this.
    Has(i64),
    /// The first is tied to the second.
    Tied,
}

/// An inertial fluent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fluent {
    /// What it is about.
    pub kind: FluentKind,
    /// The mechanism that it belongs to.
    pub mechanism: TheoryMechanism,
    /// The types of its arguments, two at most; a number is none.
    pub kinds: Vec<KindNumber>,
}

/// What a condition is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ConditionSubject {
    /// An inertial fluent without a number.
    Fluent(usize),
    /// What a static law defines.
    Law(usize),
}

/// What must be so.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TheoryCondition {
    /// A fluent is true, or is not.
    Is {
        /// Is it true?
        positive: bool,
        /// The fluent.
        what: ConditionSubject,
        /// Its arguments.
        of: Vec<Variable>,
    },
    /// A static relation holds.
    Static {
        /// Its number.
        relation: usize,
        /// Its arguments.
        of: [Variable; 2],
    },
    /// Both are at the same place, one of them perhaps for good.
    SamePlace(Variable, Variable),
    /// A fluent of two arguments is true of this one and some other thing, or of none.
    Any {
        /// Is there one?
        positive: bool,
        /// The fluent's number.
        fluent: usize,
        /// Which argument is open, 0 or 1.
        open: usize,
        /// The other argument.
        of: Variable,
    },
    /// Some other thing of a type is at the same place as this one, or none.
    Company {
        /// Is there one?
        positive: bool,
        /// The type.
        kind: KindNumber,
        /// What it is with.
        of: Variable,
    },
    /// A fluent of two arguments is true of this second one and fewer than so many first ones.
    Fewer {
        /// The fluent's number.
        fluent: usize,
        /// The second argument.
        of: Variable,
        /// How many are too many.
        than: i64,
    },
    /// It has at least, or at most, so many.
    Number {
        /// The fluent's number.
        fluent: usize,
        /// What has them.
        of: Variable,
        /// At least?
        at_least: bool,
        /// How many.
        bound: i64,
    },
}

/// What changes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FluentChange {
    /// A fluent becomes true, or not.
    Set {
        /// True?
        to: bool,
        /// The fluent's number.
        fluent: usize,
        /// Its arguments.
        of: Vec<Variable>,
    },
    /// A state is turned over.
    Flip {
        /// The fluent's number.
        fluent: usize,
        /// Its argument, if it has one.
        of: Vec<Variable>,
    },
    /// A number grows by one, or shrinks.
    Step {
        /// Grows?
        up: bool,
        /// The fluent's number.
        fluent: usize,
        /// What has them.
        of: Variable,
    },
}

/// A direct effect of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// Types of variables beyond the parameters: the effect is on each such thing of which the conditions are true.
    pub each: Vec<KindNumber>,
    /// Under which conditions.
    pub when: Vec<TheoryCondition>,
    /// What changes.
    pub change: FluentChange,
}

/// A way in which a law's fluent comes to be true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LawCase {
    /// Types of variables beyond the subject: there is such a thing.
    pub others: Vec<KindNumber>,
    /// What is so.
    pub when: Vec<TheoryCondition>,
}

/// A static law: a fluent of one argument that is true exactly in these cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InventedLaw {
    /// The type of what it is true of.
    pub kind: KindNumber,
    /// The cases.
    pub cases: Vec<LawCase>,
}

/// How an action is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ActionForm {
    /// From one place to another.
    Go,
    /// Into a state.
    Begin,
    /// Out of a state.
    End,
    /// Into a state or out of it.
    Turn,
    /// Into a box.
    Put,
    /// Out of a box.
    Take,
    /// Onto another.
    PutOn,
    /// Off another.
    TakeOff,
    /// One more.
    Raise,
    /// One fewer.
    Lower,
    /// To another.
    Tie,
    /// From another.
    Untie,
}

/// An action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// The mechanism that it belongs to.
    pub mechanism: TheoryMechanism,
    /// How it is told.
    pub form: ActionForm,
    /// The types of its parameters; those of one type are different things.
    pub params: Vec<KindNumber>,
    /// How many of them its form has; the others were added.
    pub own: usize,
    /// How many conditions tie it to other mechanisms and laws.
    pub added: usize,
    /// What it requires.
    pub requires: Vec<TheoryCondition>,
    /// What it does.
    pub effects: Vec<Effect>,
}

/// A theory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InventedTheory {
    /// How many types there are.
    pub kinds: usize,
    /// Static relations.
    pub statics: Vec<Static>,
    /// Inertial fluents.
    pub fluents: Vec<Fluent>,
    /// Static laws; one reads earlier ones, or itself, only.
    pub laws: Vec<InventedLaw>,
    /// Actions.
    pub actions: Vec<Action>,
}

impl InventedTheory {
    /// Its mechanisms, each once.
    pub fn mechanisms(&self) -> Vec<TheoryMechanism> {
        let mut all: Vec<TheoryMechanism> = self.fluents.iter().map(|fluent| fluent.mechanism).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The fluent that says at which place things of a type are.
    pub fn position(&self, kind: KindNumber) -> Option<usize> {
        self.fluents.iter().position(|f| f.kind == FluentKind::At && f.kinds[0] == kind)
    }

    /// The static relation that says at which place things of a type are for good.
    pub fn home(&self, kind: KindNumber) -> Option<usize> {
        self.statics.iter().position(|s| s.shape == StaticShape::Home && s.kinds[0] == kind)
    }

    /// Do things of the type stand on each other?
    pub fn is_stacked(&self, kind: KindNumber) -> bool {
        self.fluents.iter().any(|f| f.kind == FluentKind::On && f.kinds[0] == kind)
    }

    /// How a static relation of a [`StaticShape::Home`] ties its things.
    pub fn home_tie(&self, relation: &Static) -> HomeTie {
        match self.places() {
            None => HomeTie::GoesWith,
            // What is on another may have a place of its own elsewhere.
            Some(_) if self.is_stacked(relation.kinds[0]) => HomeTie::BelongsTo,
            Some(_) => HomeTie::AlwaysAt,
        }
    }

    /// Are things of the type at places?
    pub fn is_located(&self, kind: KindNumber) -> bool {
        self.places().is_some() && (self.position(kind).is_some() || self.home(kind).is_some())
    }

    /// The type of places, where there are any.
    pub fn places(&self) -> Option<KindNumber> {
        self.fluents.iter().find(|f| f.kind == FluentKind::At).map(|f| f.kinds[1])
    }

    /// The types of a subject's arguments.
    pub fn kinds_of(&self, what: ConditionSubject) -> Vec<KindNumber> {
        match what {
            ConditionSubject::Fluent(fluent) => self.fluents[fluent].kinds.clone(),
            ConditionSubject::Law(law) => vec![self.laws[law].kind],
        }
    }
}

impl TheoryCondition {
    /// The variables that it names.
    pub fn variables(&self) -> Vec<Variable> {
        match self {
            TheoryCondition::Is { of, .. } => of.clone(),
            TheoryCondition::Static { of, .. } => of.to_vec(),
            TheoryCondition::SamePlace(one, other) => vec![*one, *other],
            TheoryCondition::Any { of, .. }
            | TheoryCondition::Company { of, .. }
            | TheoryCondition::Fewer { of, .. }
            | TheoryCondition::Number { of, .. } => vec![*of],
        }
    }

    /// The inertial fluents and laws that it reads.
    pub fn reads(&self, theory: &InventedTheory, kinds: &[KindNumber]) -> Vec<ConditionSubject> {
        match self {
            TheoryCondition::Is { what, .. } => vec![*what],
            TheoryCondition::Static { .. } => Vec::new(),
            TheoryCondition::SamePlace(one, other) => {
                let position = |v: &Variable| theory.position(kinds[*v]).map(ConditionSubject::Fluent);
                [one, other].into_iter().filter_map(position).collect()
            }
            TheoryCondition::Company { kind, of, .. } => {
                let position = |kind: &KindNumber| theory.position(*kind).map(ConditionSubject::Fluent);
                let mut all: Vec<ConditionSubject> =
                    [kind, &kinds[*of]].into_iter().filter_map(position).collect();
                all.dedup();
                all
            }
            TheoryCondition::Any { fluent, .. }
            | TheoryCondition::Fewer { fluent, .. }
            | TheoryCondition::Number { fluent, .. } => vec![ConditionSubject::Fluent(*fluent)],
        }
    }
}

impl TheoryCondition {
    /// Its variables.
    pub(in crate::invent) fn variables_mut(&mut self) -> Vec<&mut Variable> {
        match self {
            TheoryCondition::Is { of, .. } => of.iter_mut().collect(),
            TheoryCondition::Static { of, .. } => of.iter_mut().collect(),
            TheoryCondition::SamePlace(one, other) => vec![one, other],
            TheoryCondition::Any { of, .. }
            | TheoryCondition::Company { of, .. }
            | TheoryCondition::Fewer { of, .. }
            | TheoryCondition::Number { of, .. } => vec![of],
        }
    }
}

impl Effect {
    /// Numbers variables from `place` on anew, so that this number is free.
    pub(super) fn make_room(&mut self, place: Variable) {
        let mut all: Vec<&mut Variable> =
            self.when.iter_mut().flat_map(TheoryCondition::variables_mut).collect();
        all.extend(self.change.variables_mut());
        all.into_iter().filter(|variable| **variable >= place).for_each(|variable| *variable += 1);
    }
}

impl FluentChange {
    /// The fluent that changes.
    pub fn fluent(&self) -> usize {
        match self {
            FluentChange::Set { fluent, .. }
            | FluentChange::Flip { fluent, .. }
            | FluentChange::Step { fluent, .. } => *fluent,
        }
    }

    /// Its variables.
    pub(in crate::invent) fn variables_mut(&mut self) -> Vec<&mut Variable> {
        match self {
            FluentChange::Set { of, .. } | FluentChange::Flip { of, .. } => of.iter_mut().collect(),
            FluentChange::Step { of, .. } => vec![of],
        }
    }

    /// The variables that it names.
    pub fn variables(&self) -> Vec<Variable> {
        match self {
            FluentChange::Set { of, .. } | FluentChange::Flip { of, .. } => of.clone(),
            FluentChange::Step { of, .. } => vec![*of],
        }
    }
}
