//! Words for the parts of a theory, and their forms.

pub mod inflection;
pub mod nonwords;
pub mod vocabulary;
