//! What may be changed in an item, and what is kept of a change.

use std::collections::HashMap;
use std::sync::Arc;

use crate::language::words::lexicon::Lexicon;
use crate::simulate::initial::legality::Legality;
use crate::simulate::layout_cache::PreparedLayout;
use crate::simulate::situation::{AnswerSheet, Situation};
use crate::simulate::story::Timepoint;
use crate::simulate::transitions::compiled_layout::Kind;

/// What makes an item of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// Another action in one place of the plan; the answer is another.
    Action,
    /// One fact of the initial situation is another, and what follows from it; the answer is another.
    Fact,
    /// The question names another object in one place; the answer is another.
    Word,
    /// The world has one more object, and the count is higher.
    EntityAdded,
    /// The world has one object less, and the count is lower.
    EntityRemoved,
    /// Something else is asked about the same objects; the answer is another.
    WordsChanged,
    /// The question names other objects throughout; the answer is another.
    EntitiesChanged,
    /// The question is worded differently.
    Paraphrased,
    /// The question's first object is another one; the answer is another.
    ObjectChanged,
    /// Something else is asked about the same objects, by another question word.
    QuestionWordChanged,
    /// An object has another name, made of random letters.
    NameChanged,
}

impl Change {
    /// Those of minimal pairs.
    pub(crate) const MINIMAL: [Change; 3] = [Change::Action, Change::Word, Change::Fact];
    /// Those of the contrast set, with the kind of question that they are made for.
    pub(crate) const CONTRAST: [(Kind, Change); 8] = [
        (Kind::Count, Change::EntityAdded),
        (Kind::Verify, Change::WordsChanged),
        (Kind::Other, Change::QuestionWordChanged),
        (Kind::Verify, Change::EntitiesChanged),
        (Kind::Count, Change::EntityRemoved),
        (Kind::Verify, Change::Paraphrased),
        (Kind::Other, Change::NameChanged),
        (Kind::Verify, Change::ObjectChanged),
    ];

    /// Its name in the column `change`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Change::Action => "action",
            Change::Fact => "fact",
            Change::Word => "word",
            Change::EntityAdded => "entity_added",
            Change::EntityRemoved => "entity_removed",
            Change::WordsChanged => "words_changed",
            Change::EntitiesChanged => "entities_changed",
            Change::Paraphrased => "paraphrased",
            Change::ObjectChanged => "object_changed",
            Change::QuestionWordChanged => "question_word_changed",
            Change::NameChanged => "name_changed",
        }
    }

    /// May the answer be what it was?
    pub(crate) fn may_agree(self) -> bool {
        matches!(self, Change::Paraphrased | Change::QuestionWordChanged | Change::NameChanged)
    }

    /// Is the item that was chosen the changed one, and its twin the one it was made from?
    pub(crate) fn adds(self) -> bool {
        self == Change::EntityAdded
    }
}

/// A fluent that is true no longer, and one that is true instead.
pub(crate) type Edit = (Option<usize>, Option<usize>);

/// Stories that differ from one in one place, and what is answered in them.
pub(crate) struct Variants<K> {
    /// What is another in each.
    pub(crate) changes: Vec<K>,
    /// The initial situation and the plan of each.
    pub(crate) tales: Vec<(Situation, Vec<usize>)>,
    /// By scene, the answers in each, once they are known.
    pub(crate) sheets: HashMap<Timepoint, Vec<Option<AnswerSheet>>>,
}

/// An action in a place of a plan.
pub(crate) type OtherAction = (usize, usize);

/// The variants of the stories of a group, by the story's number, once they are known.
#[derive(Default)]
pub(crate) struct KnownVariants {
    /// With another action.
    pub(crate) acted: HashMap<usize, Variants<OtherAction>>,
    /// With another fact in the initial situation.
    pub(crate) begun: HashMap<usize, Variants<Edit>>,
}

/// A layout that lacks an object.
pub(crate) struct Reduced {
    pub(crate) prepared: Arc<PreparedLayout>,
    pub(crate) lexicon: Arc<Lexicon>,
    pub(crate) legality: Legality,
}
