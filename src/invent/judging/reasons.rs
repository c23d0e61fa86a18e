//! The reasons why theories are left out, and what they are called.

/// Why a theory is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// The choices of the grammar led nowhere.
    Unfinished,
    /// Its length is not among those asked for.
    Length,
    /// Its parts do not touch each other.
    Apart,
    /// Two actions are the same.
    Alike,
    /// No layout or no situation.
    Contradiction,
    /// The solver took too long.
    Solver,
    /// An executable action has no successor.
    NoSuccessor,
    /// An action is hardly ever executable, or nearly always.
    Executability,
    /// A fluent never changes.
    Unchanging,
    /// A condition, an effect or a law makes no difference.
    Idle,
    /// Static laws hardly ever take effect.
    IdleLaws,
    /// There are too few situations, or they are too near each other.
    Small,
    /// No goal of two literals needs five steps of two mechanisms.
    Shallow,
    /// Walks come to an end.
    DeadEnds,
    /// Too few families of questions can be asked with balanced answers.
    Families,
    /// A domain before it in the range asked for is the same, or nearly.
    Clone,
}

impl Reason {
    /// All of them, in the order in which they are looked for.
    pub const ALL: [Reason; 16] = [
        Reason::Unfinished,
        Reason::Length,
        Reason::Apart,
        Reason::Alike,
        Reason::Contradiction,
        Reason::Solver,
        Reason::NoSuccessor,
        Reason::DeadEnds,
        Reason::Executability,
        Reason::Unchanging,
        Reason::Small,
        Reason::IdleLaws,
        Reason::Idle,
        Reason::Shallow,
        Reason::Families,
        Reason::Clone,
    ];

    /// What it is called in tables.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Unfinished => "the choices lead nowhere",
            Reason::Length => "too short or too long",
            Reason::Apart => "mechanisms that do not touch",
            Reason::Alike => "two actions alike",
            Reason::Contradiction => "no layout or situation",
            Reason::Solver => "the solver took too long",
            Reason::NoSuccessor => "an action without a successor",
            Reason::Executability => "an action hardly ever or nearly always executable",
            Reason::Unchanging => "a fluent that never changes",
            Reason::Idle => "a condition, effect or law that makes no difference",
            Reason::IdleLaws => "static laws that hardly ever take effect",
            Reason::Small => "too few situations, or too near",
            Reason::Shallow => "no goal of five steps with two mechanisms",
            Reason::DeadEnds => "walks that come to an end",
            Reason::Families => "too few families of questions",
            Reason::Clone => "a repeat or clone of an earlier number",
        }
    }
}
