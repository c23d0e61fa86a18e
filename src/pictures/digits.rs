//! Digits put into a drawing: by strokes of our own, or as scans of the user's.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::pictures::drawing::{Drawing, Point};
use crate::pictures::glyphs::stroke;
use crate::pictures::idx::ScannedDigits;

/// What digits look like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum DigitShapes {
    /// Strokes that differ each time.
    #[default]
    Drawn,
    /// One of many images of the digit.
    Scanned(Box<ScannedDigits>),
}

impl DigitShapes {
    /// Puts a digit into a square, by its upper left corner and its side.
    pub fn put(
        &self,
        drawing: &mut Drawing,
        digit: u8,
        (left, top): Point,
        side: f64,
        colour: &str,
        rng: &mut ChaCha8Rng,
    ) {
        match self {
            DigitShapes::Drawn => {
                let (path, width) = stroke(digit, (left, top), side, rng);
                drawing.stroke(&path, colour, width);
            }
            DigitShapes::Scanned(scanned) => {
                let all = &scanned.images[usize::from(digit) % 10];
                let image = &all[rng.random_range(0..all.len().max(1))];
                let rows = image.len().div_ceil(scanned.columns.max(1)).max(scanned.columns);
                let pixel = side / rows as f64;
                // Pixels of one value that stand side by side are one rectangle.
                for (y, row) in image.chunks(scanned.columns.max(1)).enumerate() {
                    let mut x = 0;
                    for run in row.chunk_by(|a, b| a == b) {
                        if run[0] > 0 {
                            let at = (left + x as f64 * pixel, top + y as f64 * pixel);
                            let size = (run.len() as f64 * pixel, pixel);
                            drawing.veil(at, size, colour, f64::from(run[0]) / 255.0);
                        }
                        x += run.len();
                    }
                }
            }
        }
    }
}
