//! Digits to strokes that differ each time, as hands do: slant, proportions, weight, and where each curve bends.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::pictures::drawing::{Point, number};

/// A stroke from a point on, by cubic curves: two points that pull, and where each ends.
struct Glyph {
    from: Point,
    curves: &'static [[Point; 3]],
}

/// A line as a curve.
const fn to(from: Point, end: Point) -> [Point; 3] {
    [from, end, end]
}

/// The digits 0 to 9 in a box from (0, 0) to (1, 1).
const GLYPHS: [Glyph; 10] = [
    Glyph {
        from: (0.5, 0.05),
        curves: &[
            [(0.78, 0.05), (0.84, 0.3), (0.84, 0.5)],
            [(0.84, 0.7), (0.78, 0.95), (0.5, 0.95)],
            [(0.22, 0.95), (0.16, 0.7), (0.16, 0.5)],
            [(0.16, 0.3), (0.22, 0.05), (0.5, 0.05)],
        ],
    },
    Glyph { from: (0.28, 0.26), curves: &[to((0.28, 0.26), (0.55, 0.05)), to((0.55, 0.05), (0.55, 0.95))] },
    Glyph {
        from: (0.18, 0.27),
        curves: &[
            [(0.2, 0.12), (0.34, 0.05), (0.5, 0.05)],
            [(0.69, 0.05), (0.82, 0.16), (0.82, 0.32)],
            [(0.82, 0.52), (0.55, 0.62), (0.17, 0.95)],
            to((0.17, 0.95), (0.86, 0.95)),
        ],
    },
    Glyph {
        from: (0.2, 0.13),
        curves: &[
            [(0.36, 0.0), (0.78, 0.02), (0.78, 0.27)],
            [(0.78, 0.43), (0.62, 0.48), (0.42, 0.48)],
            [(0.62, 0.48), (0.84, 0.54), (0.84, 0.72)],
            [(0.84, 1.0), (0.36, 1.0), (0.16, 0.86)],
        ],
    },
    Glyph {
        from: (0.66, 0.95),
        curves: &[
            to((0.66, 0.95), (0.66, 0.05)),
            to((0.66, 0.05), (0.12, 0.68)),
            to((0.12, 0.68), (0.9, 0.68)),
        ],
    },
    Glyph {
        from: (0.8, 0.05),
        curves: &[
            to((0.8, 0.05), (0.28, 0.05)),
            to((0.28, 0.05), (0.22, 0.46)),
            [(0.4, 0.34), (0.83, 0.36), (0.83, 0.67)],
            [(0.83, 1.0), (0.36, 1.0), (0.16, 0.86)],
        ],
    },
    Glyph {
        from: (0.74, 0.07),
        curves: &[
            [(0.42, 0.08), (0.18, 0.38), (0.18, 0.68)],
            [(0.18, 0.87), (0.33, 0.95), (0.5, 0.95)],
            [(0.7, 0.95), (0.82, 0.84), (0.82, 0.68)],
            [(0.82, 0.52), (0.7, 0.43), (0.5, 0.43)],
            [(0.33, 0.43), (0.2, 0.52), (0.18, 0.68)],
        ],
    },
    Glyph {
        from: (0.15, 0.05),
        curves: &[to((0.15, 0.05), (0.85, 0.05)), [(0.6, 0.35), (0.45, 0.6), (0.4, 0.95)]],
    },
    Glyph {
        from: (0.5, 0.48),
        curves: &[
            [(0.3, 0.45), (0.2, 0.36), (0.2, 0.25)],
            [(0.2, 0.12), (0.33, 0.05), (0.5, 0.05)],
            [(0.67, 0.05), (0.8, 0.12), (0.8, 0.25)],
            [(0.8, 0.36), (0.7, 0.45), (0.5, 0.48)],
            [(0.28, 0.51), (0.16, 0.6), (0.16, 0.73)],
            [(0.16, 0.87), (0.3, 0.95), (0.5, 0.95)],
            [(0.7, 0.95), (0.84, 0.87), (0.84, 0.73)],
            [(0.84, 0.6), (0.72, 0.51), (0.5, 0.48)],
        ],
    },
    Glyph {
        from: (0.82, 0.32),
        curves: &[
            [(0.82, 0.15), (0.7, 0.05), (0.5, 0.05)],
            [(0.3, 0.05), (0.18, 0.15), (0.18, 0.32)],
            [(0.18, 0.48), (0.3, 0.58), (0.5, 0.58)],
            [(0.7, 0.58), (0.82, 0.48), (0.82, 0.32)],
            [(0.82, 0.6), (0.7, 0.85), (0.45, 0.95)],
        ],
    },
];

/// How far a point may be off, in parts of the box.
const TREMBLE: f64 = 0.025;

/// A digit in a square by its upper left corner and its side: a path, and how wide its stroke is.
pub fn stroke(digit: u8, (left, top): Point, side: f64, rng: &mut ChaCha8Rng) -> (String, f64) {
    let glyph = &GLYPHS[usize::from(digit) % 10];
    let slant = rng.random_range(-0.22..0.22);
    let (wide, high) = (rng.random_range(0.6..0.8), rng.random_range(0.8..0.92));
    let weight = rng.random_range(0.09..0.14);
    let mut place = |(x, y): Point| {
        let x = x + rng.random_range(-TREMBLE..TREMBLE);
        let y = y + rng.random_range(-TREMBLE..TREMBLE);
        // About the middle of the box.
        let (x, y) = ((x - 0.5) * wide, (y - 0.5) * high);
        let x = x - slant * y;
        format!("{} {}", number(left + (x + 0.5) * side), number(top + (y + 0.5) * side))
    };
    let mut path = format!("M {}", place(glyph.from));
    for curve in glyph.curves {
        let [pull, other, end] = curve.map(&mut place);
        path += &format!(" C {pull} {other} {end}");
    }
    (path, weight * side)
}
