//! Mazes to a folder: their file, and a manifest that tells what their panels show.

use std::path::{Path, PathBuf};

use racgen_data::papers::manifest::Manifest;
use racgen_data::write::files::Files;
use racgen_data::write::folder::{Folder, Taking};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::campaign::error::CampaignError;
use crate::campaign::run::Origin;
use crate::halma::error::HalmaError;
use crate::halma::maze::set::{ChartedMaze, MAZES};
use crate::halma::measure::bands::PanelCounts;

/// The plan of a folder of mazes, as it is kept while they are made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct MazePlan {
    version: String,
    command: String,
    seed: u64,
}

/// Makes mazes and writes them into a folder; `settings` stand in its manifest.
///
/// # Errors
/// A set that cannot be had; those of the folder, which is then gone again.
pub fn write_mazes(
    make: impl FnOnce() -> Result<Vec<ChartedMaze>, HalmaError>,
    settings: serde_json::Value,
    origin: &Origin,
    out: &Path,
    taking: Taking,
) -> Result<Vec<ChartedMaze>, CampaignError> {
    let version = env!("CARGO_PKG_VERSION").into();
    let plan = MazePlan { version, command: origin.command.clone(), seed: origin.seed };
    let folder = Folder::open(out, &plan, taking, [PathBuf::from(MAZES)])?;
    let files = Files::below(out);
    let made = make().map_err(CampaignError::from).and_then(|mazes| {
        files.stream(MAZES, |file| {
            for maze in &mazes {
                serde_json::to_writer(&mut *file, &maze.record)?;
                file.write_all(b"\n")?;
            }
            Ok(())
        })?;
        let manifest = Manifest::new(origin.command.clone(), origin.seed as i64, settings, files.list());
        manifest.with_details(details(&mazes)).write(out)?;
        Ok(mazes)
    });
    match made {
        Ok(mazes) => {
            folder.complete();
            Ok(mazes)
        }
        Err(error) => {
            folder.abandon(&files.finish());
            Err(error)
        }
    }
}

/// What the panels of each split show.
fn details(mazes: &[ChartedMaze]) -> serde_json::Value {
    let by_split = mazes.chunk_by(|a, b| a.record.split == b.record.split);
    let told = by_split.map(|mazes| {
        let mut counts = PanelCounts::default();
        mazes.iter().for_each(|maze| counts.add(&maze.chart));
        (mazes[0].record.split.clone(), counts.json())
    });
    json!({"panels": told.collect::<serde_json::Map<_, _>>()})
}
