//! What can be asked of a state of a game: of a fluent, a move, a goal, the end, or all that fit a form.

use racgen_logic::term::Term;

/// A fluent with open places.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FluentForm {
    /// The functor.
    pub functor: String,
    /// The arguments; none where the place is open.
    pub places: Vec<Option<Term>>,
}

impl FluentForm {
    /// The form as a term, with a sign in open places.
    pub fn text(&self, open: &str) -> String {
        let places = self.places.iter().map(|p| p.as_ref().map_or(open.to_owned(), Term::to_string));
        format!("{}({})", self.functor, places.collect::<Vec<_>>().join(","))
    }

    /// Does a fluent have this form?
    pub fn fits(&self, fluent: &Term) -> bool {
        fluent.is(&self.functor, self.places.len())
            && self
                .places
                .iter()
                .zip(fluent.args())
                .all(|(place, own)| place.as_ref().is_none_or(|p| p == own))
    }
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GameQuestion {
    /// Does the fluent hold?
    Holds(Term),
    /// May the role make the move?
    Legal(Term, Term),
    /// Is this the role's goal value?
    Goal(Term, Term),
    /// Is it the end?
    Terminal,
    /// How many moves has the role?
    CountLegal(Term),
    /// How many fluents have this form?
    CountHolds(FluentForm),
    /// Which moves has the role?
    WhichLegal(Term),
    /// Which values of the open place make the form hold?
    WhichHolds(FluentForm),
    /// What is the role's goal value?
    GoalValue(Term),
}

impl GameQuestion {
    /// The family's name.
    pub fn family(&self) -> &'static str {
        match self {
            GameQuestion::Holds(_) => "holds",
            GameQuestion::Legal(..) => "legal",
            GameQuestion::Goal(..) => "goal",
            GameQuestion::Terminal => "terminal",
            GameQuestion::CountLegal(_) => "count_legal",
            GameQuestion::CountHolds(_) => "count_holds",
            GameQuestion::WhichLegal(_) => "which_legal",
            GameQuestion::WhichHolds(_) => "which_holds",
            GameQuestion::GoalValue(_) => "goal_value",
        }
    }

    /// `verify`, `count` or `other`.
    pub fn kind(&self) -> &'static str {
        match self {
            GameQuestion::Holds(_)
            | GameQuestion::Legal(..)
            | GameQuestion::Goal(..)
            | GameQuestion::Terminal => "verify",
            GameQuestion::CountLegal(_) | GameQuestion::CountHolds(_) => "count",
            _ => "other",
        }
    }
}
