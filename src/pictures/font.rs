//! Texts to how wide they are, and to the outlines of their letters, in fonts that are part of the binary.
//!
//! The fonts are DejaVu's, which may be shipped with any program. This is the only file that names them.

use std::fmt::Write as _;
use std::sync::LazyLock;

use ttf_parser::{Face, OutlineBuilder, Rect};

use crate::pictures::drawing::{Point, number};

/// A font that is part of the binary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TextFont {
    /// Without serifs.
    #[default]
    Sans,
    /// With serifs.
    Serif,
    /// All letters equally wide.
    Mono,
}

/// A font that was read.
struct ReadFont {
    face: Face<'static>,
    /// How wide ASCII letters are, in units of the em.
    widths: [f64; 128],
}

static FONTS: LazyLock<[Option<ReadFont>; 3]> = LazyLock::new(|| TextFont::ALL.map(read));

fn read(font: TextFont) -> Option<ReadFont> {
    let bytes = match font {
        TextFont::Sans => dejavu::sans::regular(),
        TextFont::Serif => dejavu::serif::regular(),
        TextFont::Mono => dejavu::sans_mono::regular(),
    };
    let face = Face::parse(bytes, 0).ok()?;
    let em = f64::from(face.units_per_em());
    let widths = std::array::from_fn(|code| advance(&face, code as u8 as char) / em);
    Some(ReadFont { face, widths })
}

/// A letter that the font lacks is as wide as an `m`.
fn advance(face: &Face, letter: char) -> f64 {
    let glyph = face.glyph_index(letter).or_else(|| face.glyph_index('m'));
    glyph.and_then(|glyph| face.glyph_hor_advance(glyph)).map_or(0.0, f64::from)
}

impl TextFont {
    /// All of them.
    pub const ALL: [TextFont; 3] = [TextFont::Sans, TextFont::Serif, TextFont::Mono];

    /// The families that show it best, in CSS.
    pub fn families(self) -> &'static str {
        match self {
            TextFont::Sans => "DejaVu Sans, Verdana, sans-serif",
            TextFont::Serif => "DejaVu Serif, Georgia, serif",
            TextFont::Mono => "DejaVu Sans Mono, Consolas, monospace",
        }
    }

    fn read(self) -> Option<&'static ReadFont> {
        FONTS[self as usize].as_ref()
    }

    /// How wide a text is at a size, both in pixels. Letters are not moved together.
    ///
    /// ```
    /// use racgen::pictures::font::TextFont;
    ///
    /// let wide = TextFont::Sans.width("harbour", 12.0);
    /// assert!(wide > 40.0 && wide < 60.0);
    /// assert_eq!(TextFont::Mono.width("ill", 10.0), TextFont::Mono.width("mmm", 10.0));
    /// ```
    pub fn width(self, text: &str, size: f64) -> f64 {
        let Some(read) = self.read() else { return text.len() as f64 * size };
        let em = f64::from(read.face.units_per_em());
        let letter = |letter: char| match read.widths.get(letter as usize) {
            Some(width) => *width,
            None => advance(&read.face, letter) / em,
        };
        text.chars().map(letter).sum::<f64>() * size
    }

    /// How far the letters of a text reach above and below its baseline, in pixels.
    pub fn reach(self, text: &str, size: f64) -> (f64, f64) {
        let Some(read) = self.read() else { return (size, 0.0) };
        let scale = size / f64::from(read.face.units_per_em());
        let boxes =
            text.chars().filter_map(|letter| read.face.glyph_bounding_box(read.face.glyph_index(letter)?));
        boxes.fold((0.0, 0.0), |(above, below): (f64, f64), rect: Rect| {
            (above.max(f64::from(rect.y_max) * scale), below.max(-f64::from(rect.y_min) * scale))
        })
    }

    /// The letters as a path in the language of SVG, from the left end of the baseline.
    pub fn outline(self, text: &str, from: Point, size: f64) -> String {
        let mut path = String::new();
        let Some(read) = self.read() else { return path };
        let scale = size / f64::from(read.face.units_per_em());
        let mut at = from;
        for letter in text.chars() {
            let glyph = read.face.glyph_index(letter).or_else(|| read.face.glyph_index('?'));
            if let Some(glyph) = glyph {
                read.face.outline_glyph(glyph, &mut PathWriter { path: &mut path, at, scale });
            }
            at.0 += advance(&read.face, letter) * scale;
        }
        path
    }
}

/// Outlines to SVG.
struct PathWriter<'p> {
    path: &'p mut String,
    at: Point,
    scale: f64,
}

impl PathWriter<'_> {
    fn add(&mut self, command: char, points: &[(f32, f32)]) {
        self.path.push(command);
        for (x, y) in points {
            let (x, y) = (self.at.0 + f64::from(*x) * self.scale, self.at.1 - f64::from(*y) * self.scale);
            // Writing to a string does not fail.
            let _ = write!(self.path, "{} {} ", number(x), number(y));
        }
    }
}

impl OutlineBuilder for PathWriter<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        self.add('M', &[(x, y)]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.add('L', &[(x, y)]);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.add('Q', &[(x1, y1), (x, y)]);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.add('C', &[(x1, y1), (x2, y2), (x, y)]);
    }

    fn close(&mut self) {
        self.add('Z', &[]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_stand_where_they_are_measured() {
        for font in TextFont::ALL {
            assert!(font.read().is_some(), "{font:?}");
            let (above, below) = font.reach("lg", 100.0);
            assert!(
                above > 70.0 && above < 80.0 && below > 18.0 && below < 26.0,
                "{font:?}: {above} {below}"
            );
            assert!(font.reach("aceo", 100.0).0 < 60.0, "{font:?}");
            let path = font.outline("lg", (0.0, 0.0), 100.0);
            let numbers: Vec<f64> = path
                .split(|c: char| c.is_ascii_alphabetic() || c == ' ')
                .filter_map(|n| n.parse().ok())
                .collect();
            let most = numbers.iter().step_by(2).copied().fold(0.0, f64::max);
            assert!(
                most > 0.7 * font.width("lg", 100.0) && most <= font.width("lg", 100.0),
                "{font:?}: {most}"
            );
        }
    }
}
