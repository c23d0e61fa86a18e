//! The paragraphs of a story, and what makes the first of them harder to read: remarks and a random order.

use racgen_logic::seed::stream;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;

use crate::items::row_builder::Telling;
use crate::language::words::holdout::Holdout;
use crate::language::words::text::listed;
use crate::phrases::book::PhraseBook;
use crate::simulate::situation::{BitSet, Situation};

/// How often a remark is drawn anew that was made already.
const MOST_REPEATS: usize = 20;

/// The paragraphs of one story.
#[derive(Clone, Debug)]
pub struct Paragraphs {
    /// The initial state.
    pub initial_state: String,
    /// The rules.
    pub rules: String,
    /// The actions.
    pub actions: String,
}

impl Paragraphs {
    /// What all questions about the story share, as far as it is text: the context is all that is told.
    pub(crate) fn telling(self) -> Telling {
        Telling {
            context: Telling::context([&*self.initial_state, &self.rules, &self.actions]),
            initial_state: self.initial_state.into(),
            rules: self.rules.into(),
            actions: self.actions.into(),
            ..Telling::default()
        }
    }
}

/// What is told of a domain to be so at first, and how.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The initial situation.
    pub initial: Situation,
    /// What makes it harder to read.
    pub disorder: Disorder,
    /// What is left out of it.
    pub left_out: OmittedStatements,
}

/// What an initial state leaves out: every statement that names one of some objects, or all that a picture states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OmittedStatements {
    /// These objects.
    pub objects: Vec<usize>,
    /// The fluents that name one of them.
    pub fluents: Option<BitSet>,
    /// Does a picture state all but what the objects are?
    pub pictured: bool,
}

impl OmittedStatements {
    /// Is a fluent left out?
    pub(crate) fn has(&self, fluent: usize) -> bool {
        self.fluents.as_ref().is_some_and(|fluents| fluents.contains(fluent))
    }
}

/// What makes an initial state harder to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Disorder {
    /// Do its sentences stand in a random order?
    pub shuffled: bool,
    /// How many sentences stand among them that are true and beside the point.
    pub remarks: usize,
}

/// A sentence of an initial state, and where it stands among others in a random order. The place follows from what the
/// sentence is about, so that of two stories that differ in one fact all other sentences keep their order.
#[derive(Clone, Debug)]
pub(crate) struct PlacedSentence {
    pub(crate) place: u64,
    pub(crate) text: String,
}

impl Disorder {
    /// The sentences with remarks among them, in a random order if they are to be shuffled. `remark` draws one.
    pub(crate) fn apply(
        self,
        mut sentences: Vec<PlacedSentence>,
        remark: impl Fn(&mut ChaCha8Rng) -> Option<String>,
        dice: u64,
    ) -> Vec<String> {
        let mut made: Vec<String> = Vec::new();
        for number in 0..self.remarks {
            let mut rng = stream(dice, &["remark", &number.to_string()]);
            let new = (0..MOST_REPEATS).find_map(|_| remark(&mut rng).filter(|r| !made.contains(r)));
            made.extend(new);
        }
        for (number, text) in made.into_iter().enumerate() {
            let place = stream(dice, &["place", &number.to_string()]).random();
            // Behind the sentence whose place, turned by its own, comes first: the same one wherever that is told.
            let turned = |other: &PlacedSentence| other.place.wrapping_sub(place);
            let behind = (0..sentences.len()).min_by_key(|other| turned(&sentences[*other]));
            sentences.insert(behind.map_or(0, |behind| behind + 1), PlacedSentence { place, text });
        }
        if self.shuffled {
            sentences.sort_by_key(|sentence| sentence.place);
        }
        sentences.into_iter().map(|sentence| sentence.text).collect()
    }
}

/// A remark about somebody, where the phrase book has any.
pub(crate) fn remark(common: &PhraseBook, holdout: Holdout, rng: &mut ChaCha8Rng) -> Option<String> {
    let (_, list) = common.remarks.iter().find(|(kind, _)| kind == "person")?;
    let (_, phrasing) = holdout.draw(list, rng)?;
    let person = common.persons[holdout.names(common.persons.len())].choose(rng)?;
    Some(listed(phrasing, person))
}
