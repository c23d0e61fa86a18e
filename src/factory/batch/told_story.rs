//! A story to one that is told: with names, or numbers, and what was said of it.

use std::sync::Arc;

use crate::items::row_builder::Telling;
use crate::language::words::naming::Naming;
use crate::language::words::numbering::Numbers;
use crate::simulate::story::Story;

/// Stories that a group begins with. Their steps are evaluated together, and among so many nearly every question has
/// another that can be its pair. Most rows of a group then are of a world that no other row of it has.
pub(super) const STORIES: usize = 32;

/// A story of a group with what is said of it.
#[derive(Clone)]
pub(crate) struct ToldStory {
    pub(crate) story: Story,
    pub(crate) naming: Naming,
    /// Numbers of fluents and actions, where they take the place of names.
    pub(crate) numbers: Option<Arc<Numbers>>,
    /// Its number in the group; stories told with the same random numbers share it.
    pub(crate) number: usize,
    pub(super) texts: Option<Telling>,
}

impl ToldStory {
    /// What was said of it, if anything was.
    pub(super) fn texts(&self) -> Option<&Telling> {
        self.texts.as_ref()
    }

    /// Keeps what was said of it.
    pub(super) fn keep(&mut self, texts: Telling) {
        self.texts = Some(texts);
    }

    /// Another story, told with the same names and random numbers.
    pub(crate) fn like(&self, story: Story, naming: Naming) -> ToldStory {
        ToldStory { story, naming, numbers: self.numbers.clone(), number: self.number, texts: None }
    }
}
