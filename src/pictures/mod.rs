//! Pictures: drawings as SVG, digits as shapes, and either as pixels; and drawing atoms as scenes. What is drawn, others say.

pub mod arrange;
pub mod clingraph;
pub mod digits;
pub mod drawing;
pub mod error;
pub mod font;
pub mod glyphs;
pub mod graph;
pub mod idx;
pub mod raster;
pub mod scene;
pub mod style;
