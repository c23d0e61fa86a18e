//! Pictures: drawings as SVG, digits as shapes, and either as pixels. What is drawn, others say.

pub mod digits;
pub mod drawing;
pub mod error;
pub mod glyphs;
pub mod idx;
pub mod raster;
