//! Words for the parts of a theory, and their forms.

mod contrary;
mod everyday;
pub mod inflection;
mod made_up;
pub mod nonwords;
pub mod verbs;
pub mod vocabularies;
pub mod vocabulary;
mod word_choice;
pub mod word_lists;
