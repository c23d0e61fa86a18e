//! Situations to drawing atoms: by the view of a package, or by one that is made from what its fluents are about.

pub mod compiled_view;
pub mod painter;
mod relations;
mod usual;
pub mod view;
