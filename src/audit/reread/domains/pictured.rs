//! The picture of a row to whether it is that of its facts: it is drawn anew, in the look that the row names, and compared.

use racgen_data::row::Row;
use racgen_logic::term::Term;

use crate::audit::reread::domains::reading::ReadStory;
use crate::audit::reread::domains::replay::StoryReplay;
use crate::audit::reread::verdict::{Finding, Trouble, finding, solver};
use crate::audit::reread::voice::image_cell;
use crate::factory::batch::picturing::{look_of, look_of_row};
use crate::factory::extra::picture_columns;
use crate::language::words::naming::Naming;
use crate::pictures::raster::scene_png;
use crate::simulate::situation::BitSet;
use crate::simulate::views::painter::Painter;
use crate::simulate::views::view::view_of;

/// The picture of a story in one look, as base64.
#[derive(Default)]
pub(crate) struct KnownPicture(Option<(u64, String)>);

impl StoryReplay {
    /// A row with a picture has that of its facts; one without is told in words.
    pub(crate) fn picture(
        &self,
        story: &ReadStory,
        row: &Row,
        known: &mut KnownPicture,
    ) -> Result<(), Finding> {
        let given = image_cell(&picture_columns()[0], row);
        if given.is_empty() {
            return match story.pictured {
                true => {
                    finding(Trouble::Columns, "the text speaks of a picture, and the column image has none")
                }
                false => Ok(()),
            };
        }
        let Some(look) = look_of_row(row) else {
            return finding(Trouble::Columns, "the column look has no seed of the picture's look");
        };
        let drawn = match known {
            KnownPicture(Some((seed, drawn))) if *seed == look => drawn,
            KnownPicture(other) => &other.insert((look, self.redrawn(row, look)?)).1,
        };
        if given == *drawn {
            return Ok(());
        }
        finding(Trouble::Columns, "the column image is not the picture of what stands in the column facts")
    }

    /// The picture of a row's facts.
    fn redrawn(&self, row: &Row, look: u64) -> Result<String, Finding> {
        let painter = self.painter.get_or_init(|| {
            let package = &self.package.package;
            let view =
                self.package.view.get_or_init(|| view_of(package, self.limit).map_err(|e| e.to_string()));
            let view = view.as_ref().map_err(Clone::clone)?;
            Painter::new(package, &self.layout, &self.compiled, view, &[]).map_err(|error| error.to_string())
        });
        let mut painter = painter.as_ref().map_err(solver)?.clone();
        painter.rename(&self.layout, &Naming::of_row(&self.layout, &row.objects).names);
        let mut situation = BitSet::new(self.compiled.fluents.len());
        for fact in row.facts.iter().filter_map(|fact| fact.parse::<Term>().ok()) {
            if let Ok(fluent) = self.compiled.fluents.binary_search(&fact) {
                situation.insert(fluent);
            }
        }
        let style = look_of(&row.split, look);
        let pictures = painter.pictures(&[&situation], &style).map_err(solver)?;
        let drawn = pictures.first().map(|picture| scene_png(&picture.scene, &picture.graph, &style));
        Ok(racgen_data::columns::base64(&drawn.transpose().map_err(solver)?.unwrap_or_default()))
    }
}
