//! What stories offer to families beyond prediction: questions with their answers, sorted into cells.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use racgen_logic::term::Term;
use rustc_hash::FxHasher;

use crate::factory::choosing::profile::Profile;
use crate::simulate::narrative::edits::PlanEdit;
use crate::simulate::narrative::partly::PartTelling;
use crate::simulate::search::costs::KindCost;
use crate::simulate::search::goal::GoalFact;
use crate::simulate::transitions::compiled_layout::Kind;

/// Questions that are balanced together: of one family, about fluents or actions of the same functors, or in the same
/// form of prediction.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OfferCell {
    /// The kind of question.
    pub kind: Kind,
    /// The family, by its place in the phrase book.
    pub family: usize,
    /// Functors, or the form.
    pub detail: String,
}

/// The kind of an action or fluent, where kinds have several.
pub(super) fn kind_of(term: &Term) -> String {
    if term.args().is_empty() { String::new() } else { term.functor().to_owned() }
}

/// How many facts a goal has, in words.
pub(super) fn facts(count: usize) -> String {
    if count == 1 { "1 fact".to_owned() } else { format!("{count} facts") }
}

/// What a question is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The story as a whole.
    Story,
    /// A fluent, or two of them.
    Fluents(Vec<usize>),
    /// A further action.
    Action(usize),
    /// Several actions.
    Actions(Vec<usize>),
    /// An object.
    Object(usize),
    /// A question of prediction, after an edit.
    Edited(PlanEdit, usize),
    /// What a question of a search names, in the order of its family's slots.
    Search(Vec<SearchArgument>),
    /// A story that is told in part.
    Partly(Box<PartSubject>),
    /// A question of prediction.
    Predicted(usize),
    /// A question of prediction; in place of an object it may name another, which the text does not have.
    Undefined(usize, Option<usize>),
    /// Several verify questions.
    Composite(Vec<ComposedPart>),
}

/// A verify question that is part of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComposedPart {
    /// Its family, by its place in the phrase book; none for a question of prediction.
    pub family: Option<usize>,
    /// The question.
    pub offer: OfferedQuestion,
}

/// A story that is told in part, and what is asked about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartSubject {
    /// What is left out.
    pub telling: PartTelling,
    /// How many completions the told part has; where something is observed, before that.
    pub completions: usize,
    /// How many statements are made about the initial situation.
    pub stated: usize,
    /// What is asked.
    pub asked: PartAsked,
}

/// What is asked about a story that is told in part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartAsked {
    /// Whether a fluent is true at the end.
    Fluent(usize),
    /// Whether a fluent was true at first.
    First(usize),
    /// Whether it is sure, or possible, that a fluent is true at the end.
    Truth(usize),
    /// Whether an action can be carried out there.
    Action(usize),
    /// What explains that these fluents are true there, or false.
    Observed(Vec<GoalFact>),
    /// Which of several fluents, were it known whether it is true initially, would settle whether a fluent is true at the
    /// end.
    Settles(usize, Vec<usize>),
}

/// Something that a question of a search names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchArgument {
    /// A fluent.
    Fluent(usize),
    /// An action.
    Action(usize),
    /// What is to be reached.
    Goal(Vec<GoalFact>),
    /// Actions, in order.
    Actions(Vec<usize>),
    /// Fluents.
    Fluents(Vec<usize>),
    /// A number.
    Number(usize),
    /// What kinds of actions cost.
    Costs(Vec<KindCost>),
}

/// How hard a question of a search is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchEffort {
    /// The length of a shortest plan to the goal, or of the plan that is told.
    pub plan_length: Option<usize>,
    /// How many situations a search breadth first looks at before it reaches the goal.
    pub searched: Option<usize>,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// A term: yes, no, a number.
    Term(Term),
    /// An action of the story.
    Action(usize),
    /// A fact that is so, or would have to be.
    Fact(GoalFact),
    /// Fluents that are true.
    Fluents(Vec<usize>),
    /// Actions.
    Actions(Vec<usize>),
    /// A plan.
    Plan(Vec<usize>),
    /// Answers to a question of prediction, by their places among the layout's.
    Predicted(Vec<usize>),
}

/// What the answer of a question can be told by, without the situation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rivalry {
    /// A hash of how all looks that may be right, in whichever order, and what else is asked.
    pub(super) between: u64,
    /// A number for the look of what is right; none where all of them look alike.
    pub(super) side: Option<u64>,
}

/// A question of a story, with its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedQuestion {
    /// The story's number.
    pub told: usize,
    /// What it is about.
    pub subject: Subject,
    /// The answer.
    pub answer: Given,
    /// Is it a verify question answered yes?
    pub yes: bool,
    /// Would whoever overlooks the point of the question give the same answer? Of a question about all situations, who
    /// knows the initial one alone; of an edited story, who overlooks the edit.
    pub plain: bool,
    /// Does the initial situation give the same answer?
    pub trivial: bool,
    /// Of a question about all situations: does whoever takes each action that names all of a fact's objects to change it have the
    /// same answer?
    pub by_names: bool,
    /// What answers are told apart by when they are dealt: a number, a step, the size of a list.
    pub class: u32,
    /// How many actions come after the one that decides the answer, where a single one does.
    pub since: Option<usize>,
    /// How hard it is, where it rests on a search.
    pub effort: SearchEffort,
    /// Numbers of what is told of the beginning and of the plan, where several situations may come of them.
    pub crossing: Option<[u64; 2]>,
    /// How what is right and its rivals look, where questions are to go together so that looks tell nothing.
    pub rivalry: Option<Rivalry>,
    /// Was its story sought for it, so that there are others that go with it?
    pub sought: bool,
    /// What can be seen of it, once that is known.
    pub profile: KnownProfile,
    /// A number for the question as a term, once that is known.
    pub number: KnownNumber,
}

/// The profile of a question, once it is known; it follows from the rest.
#[derive(Clone, Debug, Default)]
pub struct KnownProfile(OnceCell<Box<Profile>>);

impl KnownProfile {
    /// The profile, worked out if need be.
    pub fn or(&self, profile: impl FnOnce() -> Profile) -> Profile {
        **self.0.get_or_init(|| Box::new(profile()))
    }
}

/// The number of a question, once it is known; it follows from the rest.
#[derive(Clone, Debug, Default)]
pub struct KnownNumber(OnceCell<u64>);

impl KnownNumber {
    /// The number, worked out of the question as a term if need be.
    pub fn or(&self, query: impl FnOnce() -> Term) -> u64 {
        *self.0.get_or_init(|| numbered(&query()))
    }
}

impl PartialEq for KnownNumber {
    fn eq(&self, _: &KnownNumber) -> bool {
        true
    }
}

impl Eq for KnownNumber {}

impl PartialEq for KnownProfile {
    fn eq(&self, _: &KnownProfile) -> bool {
        true
    }
}

impl Eq for KnownProfile {}

impl OfferedQuestion {
    /// A question of a story with its answer, of which nothing else is known.
    pub fn new(told: usize, subject: Subject, answer: Given) -> OfferedQuestion {
        OfferedQuestion {
            told,
            subject,
            answer,
            yes: false,
            plain: false,
            trivial: false,
            by_names: false,
            class: 0,
            since: None,
            effort: SearchEffort::default(),
            crossing: None,
            rivalry: None,
            sought: false,
            profile: KnownProfile::default(),
            number: KnownNumber::default(),
        }
    }

    /// A verify question of a story: whether it is answered yes, and whether the initial situation gives the same answer,
    /// as it does to whoever overlooks the point.
    pub fn verify(told: usize, subject: Subject, yes: bool, trivial: bool) -> OfferedQuestion {
        let answer = Given::Term(Term::constant(if yes { "yes" } else { "no" }));
        OfferedQuestion { yes, plain: trivial, trivial, ..OfferedQuestion::new(told, subject, answer) }
    }

    /// Do names alone tell what explains an observation?
    pub fn is_read_off(&self) -> bool {
        let observes = |part: &PartSubject| matches!(part.asked, PartAsked::Observed(_));
        self.plain && matches!(&self.subject, Subject::Partly(part) if observes(part))
    }

    /// Does it ask, with yes or no for an answer, what is sure or possible?
    pub fn is_modal(&self) -> bool {
        let is_modal = |part: &PartSubject| matches!(part.asked, PartAsked::Truth(_));
        matches!(&self.subject, Subject::Partly(part) if is_modal(part))
    }

    /// How many completions the story has, where it is told in part.
    pub fn completions(&self) -> Option<usize> {
        if let Subject::Partly(part) = &self.subject { Some(part.completions) } else { None }
    }
}

/// Offers by cell.
pub type Offers = BTreeMap<OfferCell, Vec<OfferedQuestion>>;

/// A number for what a story starts from, or what is done in it, so that questions can be sorted by it.
pub(super) fn numbered(of: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    of.hash(&mut hasher);
    hasher.finish()
}
