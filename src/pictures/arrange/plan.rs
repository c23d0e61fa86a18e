//! Parts of a plan: boxes, texts and cells with places from the upper left corner of each part on.

use crate::pictures::drawing::Point;
use crate::pictures::scene::{Extent, SceneBox, SceneText, TextOf};
use crate::pictures::style::PictureStyle;

/// The size of labels in a plan, which is then scaled to the picture.
pub(super) const LABEL: f64 = 12.0;
/// The size of all other letters.
pub(super) const SMALL: f64 = 10.5;
/// The length of the sample of a line below the picture.
pub(super) const SAMPLE: f64 = 24.0;

/// A part of a plan, with places from its upper left corner on.
#[derive(Clone, Debug, Default)]
pub(super) struct PlanBlock {
    pub(super) w: f64,
    pub(super) h: f64,
    pub(super) cells: Vec<Extent>,
    pub(super) boxes: Vec<SceneBox>,
    pub(super) texts: Vec<SceneText>,
}

impl PlanBlock {
    /// Takes another block in, at a place.
    pub(super) fn add(&mut self, other: PlanBlock, (dx, dy): Point) {
        self.cells.extend(other.cells.iter().map(|cell| cell.moved((dx, dy))));
        self.boxes
            .extend(other.boxes.into_iter().map(|one| SceneBox { place: one.place.moved((dx, dy)), ..one }));
        self.texts.extend(
            other.texts.into_iter().map(|one| SceneText { at: (one.at.0 + dx, one.at.1 + dy), ..one }),
        );
    }

    /// Makes the first box wider, so that all else stays in its middle.
    pub(super) fn widen(mut self, w: f64) -> PlanBlock {
        let by = w - self.w;
        if by <= 0.0 {
            return self;
        }
        let mut wider = PlanBlock { w, h: self.h, ..PlanBlock::default() };
        if let Some(first) = self.boxes.first_mut() {
            first.place.x -= by / 2.0;
            first.place.w += by;
        }
        wider.add(self, (by / 2.0, 0.0));
        wider
    }
}

/// A text in a plan.
pub(super) fn text(of: TextOf, text: &str, at: (f64, f64), size: f64, style: &PictureStyle) -> SceneText {
    SceneText { of, text: text.to_owned(), at, size, width: style.font.width(text, size) }
}
