//! A panel to the picture of it: coloured digits, each of a random scale at a random place, and the hint (section 3.2).

use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;

use crate::halma::maze::grid::Direction;
use crate::halma::play::panel::{Colour, ColouredDigit, HintShape};
use crate::pictures::digits::DigitShapes;
use crate::pictures::drawing::{Drawing, Point};

/// Pixels of a side of a panel (appendix F.1).
pub const PANEL_SIDE: u32 = 128;
/// Digits and hints stand in so many columns and rows, so that none covers another: a panel has at most ten digits and a
/// hint.
const PLACES: u32 = 4;
/// Sides of a digit or a hint in pixels, at least and at most.
const SIDES: (f64, f64) = (21.0, 31.0);

const BACKGROUND: &str = "#000000";
const HINT: &str = "#9a9a9a";

/// The colour of a digit in a picture.
fn paint(colour: Colour) -> &'static str {
    match colour {
        Colour::Red => "#ff2d20",
        Colour::Orange => "#ff9000",
        Colour::Yellow => "#ffee00",
        Colour::Green => "#1ec81e",
        Colour::Cyan => "#20e5ff",
        Colour::Blue => "#3b55ff",
        Colour::White => "#ffffff",
        Colour::Purple => "#b030e8",
    }
}

/// A hint in a square, by its middle and its side.
pub(crate) fn hint(drawing: &mut Drawing, to: Direction, (x, y): Point, side: f64, fill: &str) {
    let half = side / 2.0;
    let points = |corners: &[Point]| -> Vec<Point> {
        corners.iter().map(|(dx, dy)| (x + dx * half, y + dy * half)).collect()
    };
    match HintShape::of(to) {
        HintShape::Circle => drawing.disc((x, y), half * 0.9, fill),
        HintShape::Triangle => drawing.polygon(&points(&[(0.0, -0.95), (0.95, 0.75), (-0.95, 0.75)]), fill),
        HintShape::Square => {
            drawing.polygon(&points(&[(-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)]), fill);
        }
        HintShape::Pentagon => drawing.polygon(
            &points(&[(0.0, -0.95), (0.9, -0.29), (0.56, 0.77), (-0.56, 0.77), (-0.9, -0.29)]),
            fill,
        ),
    }
}

/// The picture of a panel.
pub fn panel(
    digits: &[ColouredDigit],
    hinted: Option<Direction>,
    shapes: &DigitShapes,
    rng: &mut ChaCha8Rng,
) -> Drawing {
    let mut drawing = Drawing::new(PANEL_SIDE, PANEL_SIDE, BACKGROUND);
    let place = f64::from(PANEL_SIDE / PLACES);
    let mut places: Vec<(u32, u32)> = (0..PLACES).flat_map(|y| (0..PLACES).map(move |x| (x, y))).collect();
    places.shuffle(rng);
    let mut square = |rng: &mut ChaCha8Rng| {
        let (column, row) = places.pop().unwrap_or((0, 0));
        let side = rng.random_range(SIDES.0..SIDES.1);
        let room = place - side;
        let mut at = |number: u32| f64::from(number) * place + rng.random_range(0.0..room);
        ((at(column), at(row)), side)
    };
    for digit in digits {
        let (corner, side) = square(rng);
        shapes.put(&mut drawing, digit.digit, corner, side, paint(digit.colour), rng);
    }
    if let Some(to) = hinted {
        let ((left, top), side) = square(rng);
        hint(&mut drawing, to, (left + side / 2.0, top + side / 2.0), side * 0.8, HINT);
    }
    drawing
}
