//! What things are called: phrasings and names for the atoms of a layout, in a domain's own vocabulary or the generic one.

pub mod generic_books;
pub mod generic_view;
pub mod holdout;
pub mod lexicon;
pub mod naming;
pub mod numbering;
pub mod text;
