//! A seed to the look of pictures: colours, font, sizes and which way round they are.

use racgen_logic::seed::stream;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::pictures::font::TextFont;

/// Colours of one look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    /// Behind everything.
    pub paper: &'static str,
    /// Letters and outlines.
    pub ink: &'static str,
    /// Things by their type.
    pub fills: [&'static str; 8],
    /// Lines by their kind.
    pub lines: [&'static str; 4],
}

/// Looks of pictures; those from [`HELD_OUT`] on are kept for a split of their own.
pub const PALETTES: [Palette; 6] = [
    Palette {
        paper: "#ffffff",
        ink: "#1d2330",
        fills: ["#dbe7f6", "#fde6c4", "#d9efd8", "#f3d9ea", "#e6e0f5", "#f6f0c0", "#d3eef0", "#f5d6cf"],
        lines: ["#5b6474", "#b3541e", "#2f6fd0", "#2b8a4b"],
    },
    Palette {
        paper: "#fbf7ef",
        ink: "#33281c",
        fills: ["#ead9bd", "#c9dcc0", "#f0c9b0", "#d3d0e6", "#f3e3a3", "#c4dde0", "#e6c6d2", "#dcdcd0"],
        lines: ["#6d5c46", "#8f3f2a", "#37618e", "#4c7a3a"],
    },
    Palette {
        paper: "#f2f5f9",
        ink: "#14263f",
        fills: ["#ffffff", "#cfe0fb", "#ffe1b8", "#cdeed6", "#fbd3d9", "#e3d7fa", "#fff2a8", "#c8ebee"],
        lines: ["#54657f", "#a8481b", "#1f62c4", "#1f7d46"],
    },
    Palette {
        paper: "#ffffff",
        ink: "#000000",
        fills: ["#ffffff", "#e8e8e8", "#f6f6f6", "#dedede", "#f0f0f0", "#d4d4d4", "#fafafa", "#e2e2e2"],
        lines: ["#000000", "#777777", "#444444", "#999999"],
    },
    Palette {
        paper: "#191d26",
        ink: "#edf0f6",
        fills: ["#2d4263", "#5a4426", "#2b5136", "#5b2f4d", "#443a6b", "#57521f", "#24535a", "#63372e"],
        lines: ["#a3adbf", "#f0a860", "#78a9f5", "#6fd39d"],
    },
    Palette {
        paper: "#fff4f7",
        ink: "#3a1230",
        fills: ["#ffc9de", "#ffe08a", "#b8ecd0", "#bcd9ff", "#e0c6ff", "#ffc7a6", "#c2f0f5", "#e6e3d2"],
        lines: ["#74506a", "#c0392b", "#2c5fb3", "#1f8a5b"],
    },
];
/// The first look that is held out.
pub const HELD_OUT: usize = 4;

/// How a picture looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PictureStyle {
    /// Its colours.
    pub palette: &'static Palette,
    /// The font of its letters.
    pub font: TextFont,
    /// Pixels of the side of the picture, which is a square.
    pub side: u32,
    /// How round corners are, in pixels of a label of 12 pixels.
    pub corner: f64,
    /// How wide lines are.
    pub line: f64,
    /// How much room is between things.
    pub gap: f64,
    /// Is left right?
    pub mirrored: bool,
    /// By how many places colours of types are shifted.
    pub shift: usize,
}

impl Default for PictureStyle {
    fn default() -> PictureStyle {
        PictureStyle {
            palette: &PALETTES[0],
            font: TextFont::Sans,
            side: 512,
            corner: 4.0,
            line: 1.4,
            gap: 8.0,
            mirrored: false,
            shift: 0,
        }
    }
}

impl PictureStyle {
    /// The look of a seed; one of those that are held out, or one of the others.
    pub fn of_seed(seed: u64, held_out: bool) -> PictureStyle {
        PictureStyle::drawn(held_out, &mut stream(seed, &["style"]))
    }

    /// A look that was drawn; one of those that are held out, or one of the others.
    pub fn drawn(held_out: bool, rng: &mut ChaCha8Rng) -> PictureStyle {
        let looks = if held_out { HELD_OUT..PALETTES.len() } else { 0..HELD_OUT };
        let fonts = if held_out { 2..3 } else { 0..2 };
        PictureStyle {
            palette: &PALETTES[rng.random_range(looks)],
            font: TextFont::ALL[rng.random_range(fonts)],
            corner: f64::from(rng.random_range(0..=8u32)),
            line: f64::from(rng.random_range(10..=20u32)) / 10.0,
            gap: f64::from(rng.random_range(6..=11u32)),
            mirrored: rng.random_bool(0.5),
            shift: rng.random_range(0..8),
            ..PictureStyle::default()
        }
    }
}
