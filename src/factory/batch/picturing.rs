//! Initial situations to pictures, each in a look of its own.

use racgen_data::row::{ExtraValue, Row};
use racgen_logic::seed::stream;
use rand::RngExt;

use crate::factory::batch::group::Batch;
use crate::factory::batch::told_story::ToldStory;
use crate::factory::context::Context;
use crate::factory::error::FactoryError;
use crate::factory::extra::picture_columns;
use crate::factory::settings::LOOKS_SPLIT;
use crate::items::clock::Clock;
use crate::language::words::holdout::Holdout;
use crate::language::words::naming::Naming;
use crate::pictures::arrange::{Crowded, arrange};
use crate::pictures::error::PictureError;
use crate::pictures::graph::DrawnGraph;
use crate::pictures::raster::scene_png;
use crate::pictures::scene::Scene;
use crate::pictures::style::PictureStyle;
use crate::simulate::situation::Situation;
use crate::simulate::story::Simulator;
use crate::simulate::views::painter::Painter;

/// Looks that are tried where letters become too small: fonts and distances differ.
const LOOKS: usize = 6;
/// Layouts of a level, and initial situations of each, that are looked at before any item is made.
const TRIED: (u64, usize) = (6, 2);

/// An initial situation in its place in a picture.
pub(crate) struct DrawnStory {
    /// The seed of its look.
    pub(crate) look: u32,
    style: PictureStyle,
    graph: DrawnGraph,
    scene: Scene,
}

impl DrawnStory {
    /// The picture.
    pub(crate) fn png(&self) -> Result<Vec<u8>, PictureError> {
        scene_png(&self.scene, &self.graph, &self.style)
    }

    /// A situation in a look that is drawn by these random numbers, of the looks of a split.
    fn of(
        painter: &Painter,
        situation: &Situation,
        split: &str,
        looks: impl Iterator<Item = u32>,
    ) -> Result<Result<DrawnStory, Option<Crowded>>, FactoryError> {
        let graphs = painter.graphs(&[situation])?;
        let mut crowded = None;
        for look in looks {
            let style = look_of(split, u64::from(look));
            match arrange(&graphs, &style) {
                Err(more) => crowded = Some(more),
                Ok(mut scenes) => {
                    if let (Some(scene), Some(graph)) = (scenes.pop(), graphs.into_iter().next()) {
                        return Ok(Ok(DrawnStory { look, style, graph, scene }));
                    }
                    break;
                }
            }
        }
        Ok(Err(crowded))
    }
}

/// The look of a seed in a split: some looks are those of one split only.
pub(crate) fn look_of(split: &str, look: u64) -> PictureStyle {
    PictureStyle::of_seed(look, split == LOOKS_SPLIT)
}

/// The seed of the look of a row's picture; none where it has no picture.
pub(crate) fn look_of_row(row: &Row) -> Option<u64> {
    match row.extra.get(&picture_columns()[1].name)? {
        ExtraValue::Number(look) => u64::try_from(*look).ok(),
        ExtraValue::Text(look) => look.parse().ok(),
        _ => None,
    }
}

impl Batch<'_> {
    /// The picture of a story's initial situation; none where all is told in words.
    ///
    /// Stories that are told with the same random numbers have one look.
    pub(super) fn drawn(
        &self,
        stage: &Simulator,
        told: &ToldStory,
    ) -> Result<Option<DrawnStory>, FactoryError> {
        let (context, of) = (self.context, self.of);
        if context.settings().tell.is_text() {
            return Ok(None);
        }
        // Only the group's own layout is kept with its view.
        let mut painter = match std::ptr::eq(stage, &raw const self.stage) {
            true => self.text.painter(context, stage)?,
            false => context.painter(stage)?,
        };
        painter.rename(stage.layout(), &told.naming.names);
        let mut rng = context.rng(of, &["look", &self.number.to_string(), &told.number.to_string()]);
        let looks = std::iter::repeat_with(|| rng.random()).take(LOOKS);
        let split = &context.splits()[of.split].name;
        let drawn = DrawnStory::of(&painter, &told.story.initial, split, looks)?;
        drawn.map(Some).map_err(|crowded| context.illegible(of.level, crowded))
    }
}

impl Context {
    /// Can situations of a level be drawn so that they can be read?
    ///
    /// # Errors
    /// One that cannot, in any of some looks.
    pub(crate) fn check_pictures(&self, level: i32, clock: &Clock) -> Result<(), FactoryError> {
        for place in 0..TRIED.0 {
            let (mut stage, text) = self.stage((level, place), clock)?;
            let mut rng = stream(self.settings().seed, &["legible", &level.to_string(), &place.to_string()]);
            let mut painter = text.painter(self, &stage)?;
            for _ in 0..TRIED.1 {
                let (start, _) = stage.draw_world(&mut rng)?;
                let naming = Naming::draw(self.package(), stage.layout(), Holdout::NONE, |_| true, &mut rng);
                let Some((settled, _)) = stage.engine.consider(&start, None)? else { continue };
                painter.rename(stage.layout(), &naming.names);
                for split in self.splits() {
                    let looks = std::iter::repeat_with(|| rng.random()).take(LOOKS);
                    let drawn = DrawnStory::of(&painter, &settled.situation, &split.name, looks)?;
                    drawn.map_err(|crowded| self.illegible(level, crowded))?;
                }
            }
        }
        Ok(())
    }

    fn illegible(&self, level: i32, crowded: Option<Crowded>) -> FactoryError {
        FactoryError::Illegible { domain: self.package().name.clone(), level, crowded }
    }
}
