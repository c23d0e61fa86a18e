//! Groups and lengths of plans to their ground rules, which are made once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use racgen_logic::error::LogicError;

use crate::domain::question_groups::{is_about_questions, is_partly};
use crate::factory::further::search_families::SearchFamily;
use crate::phrases::book::FamilyPhrases;
use crate::phrases::pattern::Pattern;
use crate::simulate::narrative::family_program::FamilyProgram;

/// The ground rules of a group for plans of one length, and the places of its families among all.
pub struct GroupProgram {
    /// By family of the program, its place among those of the phrase book.
    pub families: Vec<usize>,
    /// The rules.
    pub rules: FamilyProgram,
}

/// The ground rules that were needed so far.
#[derive(Default)]
pub struct Programs(Mutex<HashMap<(String, usize), Arc<GroupProgram>>>);

/// Is a family about a question of prediction, put to an edited story? All others are about the story's history.
pub fn is_edit(family: &FamilyPhrases) -> bool {
    family.pattern.slots().last() == Some(&"question")
}

impl Programs {
    /// The rules of a group; none where its families are about edited stories, or rest on a search.
    ///
    /// # Errors
    /// Rules that cannot be grounded.
    pub fn of(
        &self,
        group: &str,
        all: &[FamilyPhrases],
        depth: usize,
    ) -> Result<Option<Arc<GroupProgram>>, LogicError> {
        let own = |family: &&(usize, &FamilyPhrases)| {
            let elsewhere = is_edit(family.1) || SearchFamily::of(family.1).is_some();
            let is_history = !is_partly(group) && !is_about_questions(group) && !elsewhere;
            family.1.group == group && is_history
        };
        let listed: Vec<(usize, &FamilyPhrases)> = all.iter().enumerate().collect();
        let families: Vec<usize> = listed.iter().filter(own).map(|(place, _)| *place).collect();
        if families.is_empty() {
            return Ok(None);
        }
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known.get(&(group.to_owned(), depth)) {
            return Ok(Some(found.clone()));
        }
        let patterns: Vec<&Pattern> = families.iter().map(|family| &all[*family].pattern).collect();
        let rules = FamilyProgram::new(group, &patterns, depth)?;
        let found = Arc::new(GroupProgram { families, rules });
        known.insert((group.to_owned(), depth), found.clone());
        Ok(Some(found))
    }
}
