//! The picture of a row to whether it is that of its facts: it is drawn anew, in the look that the row names, and compared.

use std::sync::OnceLock;
use std::time::Duration;

use racgen_data::columns::base64;
use racgen_data::row::Row;
use racgen_logic::term::Term;

use crate::audit::reread::domains::reading::Domain;
use crate::audit::reread::verdict::{Finding, Trouble, finding, solver};
use crate::audit::reread::voice::image_cell;
use crate::factory::batch::picturing::{look_of, look_of_row};
use crate::factory::extra::picture_columns;
use crate::language::words::naming::Naming;
use crate::pictures::raster::scene_png;
use crate::simulate::layout::Layout;
use crate::simulate::situation::BitSet;
use crate::simulate::transitions::compiled_layout::CompiledLayout;
use crate::simulate::views::painter::Painter;
use crate::simulate::views::view::view_of;

/// The picture of a story in one look, as base64.
#[derive(Default)]
pub(crate) struct KnownPicture(Option<(u64, String)>);

/// Draws the pictures of a layout's stories anew.
#[derive(Default)]
pub(crate) struct Redrawer(OnceLock<Result<Painter, String>>);

/// A layout as it was ground.
#[derive(Clone, Copy)]
pub(crate) struct GroundLayout<'g> {
    pub(crate) domain: &'g Domain,
    pub(crate) layout: &'g Layout,
    pub(crate) compiled: &'g CompiledLayout,
    pub(crate) limit: Duration,
}

impl Redrawer {
    /// A row with a picture has that of its facts; one without is told in words.
    pub(crate) fn check(
        &self,
        ground: GroundLayout,
        pictured: bool,
        row: &Row,
        known: &mut KnownPicture,
    ) -> Result<(), Finding> {
        let given = image_cell(&picture_columns()[0], row);
        if given.is_empty() {
            return match pictured {
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
            KnownPicture(other) => &other.insert((look, self.redrawn(ground, row, look)?)).1,
        };
        if given == *drawn {
            return Ok(());
        }
        finding(Trouble::Columns, "the column image is not the picture of what stands in the column facts")
    }

    /// The picture of a row's facts.
    fn redrawn(&self, ground: GroundLayout, row: &Row, look: u64) -> Result<String, Finding> {
        let GroundLayout { domain, layout, compiled, limit } = ground;
        let painter = self.0.get_or_init(|| {
            let package = &domain.package;
            let view = domain.view.get_or_init(|| view_of(package, limit).map_err(|error| error.to_string()));
            let view = view.as_ref().map_err(Clone::clone)?;
            Painter::new(package, layout, compiled, view, &[]).map_err(|error| error.to_string())
        });
        let mut painter = painter.as_ref().map_err(solver)?.clone();
        painter.rename(layout, &Naming::of_row(layout, &row.objects).names);
        let mut situation = BitSet::new(compiled.fluents.len());
        for fact in row.facts.iter().filter_map(|fact| fact.parse::<Term>().ok()) {
            if let Ok(fluent) = compiled.fluents.binary_search(&fact) {
                situation.insert(fluent);
            }
        }
        let style = look_of(&row.split, look);
        let pictures = painter.pictures(&[&situation], &style).map_err(solver)?;
        let drawn = pictures.first().map(|picture| scene_png(&picture.scene, &picture.graph, &style));
        Ok(base64(&drawn.transpose().map_err(solver)?.unwrap_or_default()))
    }
}
