//! What a phrase book holds: which sentences say which atoms, actions and questions.

use crate::phrases::pattern::Pattern;
use crate::phrases::phrasing::Phrasing;

/// Phrasings of one thing, true paraphrases of each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Phrasings {
    /// Where the list stands: a line of the phrase book.
    pub line: usize,
    /// The phrasings.
    pub list: Vec<Phrasing>,
}

impl Phrasings {
    /// Is there nothing to say it with?
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// How static relations and fluents are told, and asked about.
#[derive(Clone, Debug)]
pub struct RelationPhrases {
    /// The atoms it is about.
    pub pattern: Pattern,
    /// Where the entry stands.
    pub line: usize,
    /// Is it told in the initial state?
    pub told: bool,
    /// Are `p(x,y)` and `p(y,x)` told as one?
    pub symmetric: bool,
    /// One sentence for one atom.
    pub each: Phrasings,
    /// One sentence for the atoms that differ in one slot only: the slot, and the sentences.
    pub group: Vec<(usize, Phrasings)>,
    /// One sentence for a maximal chain of a binary relation, with the slot `list`; not used where statements may be missing, unless there
    /// is no other way.
    pub chain: Phrasings,
    /// One sentence for all atoms of a pattern with one slot, with the slot `list`.
    pub all: Phrasings,
    /// One sentence for the absence of any atom.
    pub none: Phrasings,
    /// Is the atom true? (fluents only)
    pub ask: Phrasings,
    /// Which objects fill a slot?
    pub which: Vec<(usize, Phrasings)>,
    /// How many objects fill a slot?
    pub count: Vec<(usize, Phrasings)>,
}

/// How actions are told and asked about.
#[derive(Clone, Debug)]
pub struct ActionPhrases {
    /// The actions.
    pub pattern: Pattern,
    /// Where the entry stands.
    pub line: usize,
    /// A sentence of the story.
    pub did: Phrasings,
    /// Is it executable?
    pub can: Phrasings,
    /// A clause.
    pub clause: Phrasings,
}

/// How a question family of `questions.lp` is asked.
#[derive(Clone, Debug)]
pub struct QuestionPhrases {
    /// The questions.
    pub pattern: Pattern,
    /// Where the entry stands.
    pub line: usize,
    /// The question.
    pub ask: Phrasings,
}

/// How a family of questions beyond prediction is asked (of the common phrase book).
#[derive(Clone, Debug)]
pub struct FamilyPhrases {
    /// The group that it belongs to.
    pub group: String,
    /// Its name, and what its questions are about: slots of the types `fluent`, `action`, `actions`, `object`, `number`,
    /// `goal`, `literals`, `costs` and `question`.
    pub pattern: Pattern,
    /// The question.
    pub ask: Phrasings,
}

/// A parsed phrase book.
#[derive(Clone, Debug, Default)]
pub struct PhraseBook {
    /// File name.
    pub file: String,
    /// Sentences that list the objects of a type.
    pub objects: Vec<(String, Phrasings)>,
    /// Static relations, in the order they are told.
    pub facts: Vec<RelationPhrases>,
    /// Fluents, in the order they are told.
    pub fluents: Vec<RelationPhrases>,
    /// Actions.
    pub actions: Vec<ActionPhrases>,
    /// Question families.
    pub questions: Vec<QuestionPhrases>,
    /// Families of questions beyond prediction.
    pub families: Vec<FamilyPhrases>,
    /// Rule sentences, in order.
    pub rules: Vec<Phrasings>,
    /// How compound terms other than actions and fluents are written.
    pub terms: Vec<(Pattern, Phrasing)>,
    /// First names (of the common phrase book).
    pub persons: Vec<String>,
    /// Questions after one further action.
    pub after_one: Phrasings,
    /// Questions after two further actions.
    pub after_two: Phrasings,
    /// Questions about the initial situation.
    pub initially: Phrasings,
    /// The sentence of an empty story.
    pub no_actions: Phrasings,
    /// Rule sentences that hold in every domain.
    pub frame: Vec<Phrasings>,
    /// In place of the sentences of the frame that speak of persons, where no action is told with one.
    pub unacted: Vec<Phrasings>,
    /// Sentences of other forms, with their slots.
    pub sentences: Vec<(Pattern, Phrasings)>,
    /// Sentences about an object of a type, or about a person, that have no bearing on anything.
    pub remarks: Vec<(String, Phrasings)>,
    /// How a rationale is worded.
    pub rationale: RationalePhrases,
    /// How it is told that something is not told.
    pub partly: PartlyPhrases,
    /// The entries that are marked as drafts, as they are headed, each with its line.
    pub drafts: Vec<(String, usize)>,
}

/// How a story is told in part (of the common phrase book).
#[derive(Clone, Debug, Default)]
pub struct PartlyPhrases {
    /// All statements but those that name the objects stand in a picture.
    pub pictured: Phrasings,
    /// Statements that name some objects are left out: slot `list`.
    pub left_out: Phrasings,
    /// In place of the first sentence of the frame, where some are.
    pub frame: Phrasings,
    /// An action takes place, and it is not told which.
    pub untold: Phrasings,
    /// A sentence of the frame, where actions have several outcomes: it is not told which of them came.
    pub outcomes: Phrasings,
}

/// What the rule sentences that hold in every domain depend on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameForm {
    /// Is the story told in part?
    pub partly: bool,
    /// Does the book have persons carry out actions?
    pub acted: bool,
    /// Have actions several outcomes?
    pub open: bool,
}

/// The sentences of the frame behind which it is told that outcomes are not told.
const OF_ORDER: usize = 3;
/// Where the sentences of the frame stand that say that it makes no difference which person acts.
pub(crate) const OF_PERSONS: usize = 4;

impl PhraseBook {
    /// The rule sentences that hold in every domain (of the common phrase book).
    pub fn framed(&self, form: FrameForm) -> impl Iterator<Item = &Phrasings> {
        let told = move |(place, own)| {
            let told = match place {
                0 if form.partly => &self.partly.frame,
                OF_PERSONS if !form.acted => self.unacted.first().unwrap_or(own),
                _ => own,
            };
            let open = form.open && place == OF_ORDER;
            std::iter::once(told).chain(open.then_some(&self.partly.outcomes))
        };
        self.frame.iter().enumerate().flat_map(told)
    }

    /// Does any phrasing have a person carry out an action?
    pub fn is_acted(&self) -> bool {
        // A person comes after the slots of the pattern.
        let by_person = |action: &ActionPhrases| {
            let person = action.pattern.slots().len();
            action.did.list.iter().any(|phrasing| phrasing.slots().any(|slot| slot == person))
        };
        self.actions.iter().any(by_person)
    }
}

/// How a rationale is worded (of the common phrase book). Statements and clauses have no capital and no full stop.
#[derive(Clone, Debug, Default)]
pub struct RationalePhrases {
    /// What is true at the start: slot `list`.
    pub start: Phrasings,
    /// What is true in the situation asked about: slot `list`.
    pub end: Phrasings,
    /// What is not: slot `list`.
    pub not: Phrasings,
    /// What is not true at the start: slot `list`.
    pub start_not: Phrasings,
    /// What is not true where an action is impossible: slot `list`.
    pub why_not: Phrasings,
    /// Nothing that matters is true at the start.
    pub start_nothing: Phrasings,
    /// Nothing that matters is true in the situation asked about.
    pub nothing: Phrasings,
    /// Nothing that matters is true beside what is said to be.
    pub rest: Phrasings,
    /// Static facts that matter: slot `list`.
    pub facts: Phrasings,
    /// An action takes place: slot `first`.
    pub step: Phrasings,
    /// What it makes true: slot `list`.
    pub gained: Phrasings,
    /// What it makes false: slot `list`.
    pub lost: Phrasings,
    /// It changes nothing that matters.
    pub unchanged: Phrasings,
    /// Facts change without any action.
    pub changed: Phrasings,
    /// An action is impossible when its turn comes, and is skipped: slot `first`.
    pub skipped: Phrasings,
    /// An action is impossible: slot `first`.
    pub impossible: Phrasings,
    /// What is true and makes it impossible: slot `list`.
    pub why: Phrasings,
    /// A listed action is left out: slot `first`.
    pub left_out: Phrasings,
    /// No way to the goal has fewer actions than so many: slot `number`.
    pub no_fewer: Phrasings,
    /// No way that is as short begins with another action.
    pub only_first: Phrasings,
    /// None that is as short begins with another of the listed actions.
    pub only_listed: Phrasings,
    /// Without any one of the actions the goal is not reached.
    pub all_needed: Phrasings,
    /// Without any two of the actions that follow one another the goal is not reached.
    pub two_needed: Phrasings,
    /// The told actions begin a shortest way to this goal, and to none of the others.
    pub serves: Phrasings,
    /// No way to the goal costs less than so much: slot `number`.
    pub no_cheaper: Phrasings,
    /// What is asked about never comes to be so.
    pub never: Phrasings,
    /// Of an action that is not told, what it may have been: slot `first`.
    pub case_action: Phrasings,
    /// Which action may have failed: slot `number`.
    pub case_failed: Phrasings,
    /// What may be true at first of what is left out: slot `list`.
    pub case_facts: Phrasings,
    /// Nothing may be.
    pub case_nothing: Phrasings,
    /// What follows is one course of outcomes.
    pub case_course: Phrasings,
    /// An action changes nothing in it that matters.
    pub case_idle: Phrasings,
    /// What is true at the end then: slot `list`.
    pub then_so: Phrasings,
    /// What is false: slot `list`.
    pub then_not: Phrasings,
    /// All that is observed is true.
    pub then_all: Phrasings,
    /// What can be carried out then: slot `first`.
    pub then_can: Phrasings,
    /// What cannot: slot `first`.
    pub then_cannot: Phrasings,
    /// All told actions can be carried out then.
    pub then_possible: Phrasings,
    /// One of them cannot, when its turn comes: slot `first`.
    pub then_impossible: Phrasings,
    /// In every other case it is the same.
    pub every_case: Phrasings,
    /// The text does not tell which of two cases is so.
    pub two_cases: Phrasings,
    /// Cases that agree in the answer agree in the other statement.
    pub agreeing: Phrasings,
    /// Nothing else fits what is told to have happened.
    pub no_other: Phrasings,
    /// In every case in which the statement is otherwise, something that was done is impossible.
    pub not_otherwise: Phrasings,
    /// The text does not have what a question names: slot `list`.
    pub missing: Phrasings,
    /// There is no way to the goal without it.
    pub unavoidable: Phrasings,
    /// Facts stay so, whatever is done: slot `list`.
    pub kept: Phrasings,
    /// As long as what has to stay true does: slot `list`.
    pub kept_while: Phrasings,
    /// As long as what is asked about is not so: slot `list`.
    pub kept_without: Phrasings,
    /// A way to one of the listed statements: slots `first` and `list`.
    pub by_way: Phrasings,
    /// A way that ends with one of the listed actions: slot `list`.
    pub by_action: Phrasings,
    /// Listed statements that are never true on the way that was told: slot `list`.
    pub never_met: Phrasings,
    /// Another way there, on which a listed statement is never true: slots `first` and `list`.
    pub avoiding: Phrasings,
    /// The told actions end, and what is considered beyond them begins.
    pub beyond: Phrasings,
    /// A part of a question that is made of others: slot `number`.
    pub part: Phrasings,
    /// The answer: slot `answer`.
    pub conclusion: Phrasings,
}
