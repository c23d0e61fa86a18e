//! The command `racgen draw`: situations to pictures, or to drawing atoms.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use racgen_data::read::rows::nth;
use racgen_data::write::text::stream as write_file;
use racgen_logic::seed::stream;

use crate::campaign::jobs::row_options::whole_number;
use crate::cli::args::folders::Folders;
use crate::cli::args::solver_limits::SolverLimits;
use crate::cli::output::exit::{Exit, print};
use crate::cli::packages::load;
use crate::domain::package::Package;
use crate::language::words::holdout::Holdout;
use crate::language::words::naming::Naming;
use crate::pictures::raster::{animation, scene_png};
use crate::pictures::scene::Letters;
use crate::pictures::style::PictureStyle;
use crate::simulate::layout::Layout;
use crate::simulate::plans::sampling::Sampling;
use crate::simulate::replay::Replay;
use crate::simulate::situation::Situation;
use crate::simulate::story::Simulator;
use crate::simulate::views::painter::Painter;
use crate::simulate::views::view::{made_view, view_of};

/// What is drawn, and where to.
#[derive(Clone, Debug, Args)]
pub struct DrawArgs {
    /// A domain, or the folder of a package
    pub package: String,
    /// Output file, by whose ending it is SVG or PNG
    #[arg(long, short, value_name = "FILE", required_unless_present_any = ["atoms", "view"])]
    pub out: Option<PathBuf>,
    /// Level of the world, where it is drawn by lot
    #[arg(long, short, default_value_t = 1, value_parser = clap::value_parser!(i32).range(1..=5))]
    pub level: i32,
    /// Seed that it is drawn by
    #[arg(long, short, default_value_t = 0)]
    pub seed: u64,
    /// Take the world and the names of a row of this data file (.parquet, .jsonl, .csv) or folder instead
    #[arg(long, value_name = "FILE", conflicts_with_all = ["level", "seed"])]
    pub data: Option<PathBuf>,
    /// Which row, counted from 0
    #[arg(long, default_value_t = 0, value_parser = whole_number, requires = "data")]
    pub row: u64,
    /// Draw the situation after so many actions of the row
    #[arg(long, default_value_t = 0, value_parser = whole_number, requires = "data", value_name = "N")]
    pub after: u64,
    /// Draw a story of so many actions, as an animated PNG; of a row, all its actions with 0
    #[arg(long, value_name = "N", conflicts_with_all = ["after", "atoms", "view"])]
    pub story: Option<usize>,
    /// Pixels of a side of the picture
    #[arg(long, default_value_t = 512, value_parser = clap::value_parser!(u32).range(64..=4096), value_name = "PIXELS")]
    pub size: u32,
    /// Draw colours, font and sizes by this seed, instead of the usual ones
    #[arg(long, value_name = "SEED")]
    pub style: Option<u64>,
    /// Print the drawing atoms as facts, which clingraph reads, instead
    #[arg(long, conflicts_with_all = ["out", "view"])]
    pub atoms: bool,
    /// Print the view instead, as a start for a view.lp
    #[arg(long, conflicts_with = "out")]
    pub view: bool,
    /// Use the view that is made from the types of the fluents, even if the package has its own
    #[arg(long)]
    pub made: bool,
    /// Replace the file if it is there
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub folders: Folders,
    #[command(flatten)]
    pub limits: SolverLimits,
}

/// Draws of a story before there is none.
const TRIES: usize = 200;
/// Hundredths of a second that each situation of a story is shown for.
const SHOWN_FOR: u16 = 140;

impl DrawArgs {
    /// Draws, or prints.
    ///
    /// # Errors
    /// A package or a row that there is not, a view with faults, more than fits into a picture, a file that is in the way.
    pub fn run(&self) -> Result<(), Exit> {
        let limit = self.limits.enforce()?;
        let out = self.out.as_deref().map(|out| self.place(out)).transpose()?;
        let package = load(&self.package, &self.folders)?;
        let view = if self.made { made_view(&package, limit) } else { view_of(&package, limit) }
            .map_err(Exit::failure)?;
        if self.view {
            return print(&view.text);
        }
        let (layout, compiled, situations, names) = match &self.data {
            None => {
                let mut rng = stream(self.seed, &["draw", &package.name, &self.level.to_string()]);
                let layout = Layout::sample(&package, self.level, &BTreeMap::new(), &mut rng, limit)
                    .map_err(Exit::failure)?;
                let mut simulator = Simulator::new(&package, layout.clone(), Sampling::Walk, limit, &mut rng)
                    .map_err(Exit::failure)?;
                let situations = match self.story {
                    Some(actions) if !package.has_outcomes => {
                        let told = simulator
                            .tell(actions, false, |_| true, TRIES, &mut rng)
                            .map_err(Exit::failure)?;
                        let told =
                            told.ok_or_else(|| Exit::usage("there is no such story; try another --seed"))?;
                        std::iter::once(told.initial).chain(told.passed).collect()
                    }
                    Some(_) => {
                        return Err(Exit::usage(
                            "what comes of the actions of this domain is open; draw without --story",
                        ));
                    }
                    None => {
                        let (start, _) = simulator.draw_world(&mut rng).map_err(Exit::failure)?;
                        let settled = simulator.engine.consider(&start, None).map_err(Exit::failure)?;
                        vec![settled.map_or(start, |(outcome, _)| outcome.situation)]
                    }
                };
                let naming = Naming::draw(&package, &layout, Holdout::NONE, |_| true, &mut rng);
                (layout, simulator.engine.compiled().clone(), situations, naming.names)
            }
            Some(file) => self.of_row(&package, file)?,
        };
        let painter = Painter::new(&package, &layout, &compiled, &view, &names).map_err(Exit::failure)?;
        let all: Vec<&Situation> = situations.iter().collect();
        let Some(at) = usize::try_from(self.after).ok().filter(|at| *at < all.len()) else {
            let last = all.len() - 1;
            return Err(Exit::usage(format!(
                "--after takes 0 to {last} here, for the row has {last} actions"
            )));
        };
        let Some((out, is_png)) = out else {
            let atoms = painter.atoms(&all[at..=at]).map_err(Exit::failure)?;
            let facts: String = atoms.iter().flatten().map(|atom| format!("{atom}.\n")).collect();
            return print(&facts);
        };
        let mut style = match self.style {
            Some(seed) => PictureStyle::of_seed(seed, false),
            None => PictureStyle::default(),
        };
        style.side = self.size;
        let mut pictures = painter.pictures(&all, &style).map_err(Exit::failure)?;
        if self.story.is_some() {
            if !is_png {
                return Err(Exit::usage("a story is drawn as PNG; name a file that ends in .png with --out"));
            }
            let all: Vec<_> = pictures.iter().map(|picture| (&picture.scene, &picture.graph)).collect();
            let bytes = animation(&all, &style, SHOWN_FOR).map_err(Exit::failure)?;
            write_file(out, |file| file.write_all(&bytes))?;
            return Ok(());
        }
        let picture = pictures.swap_remove(at);
        let bytes = if is_png {
            scene_png(&picture.scene, &picture.graph, &style).map_err(Exit::failure)?
        } else {
            picture.scene.svg(&picture.graph, &style, Letters::Text).into_bytes()
        };
        write_file(out, |file| file.write_all(&bytes))?;
        Ok(())
    }

    /// The file to write, and whether it is a PNG.
    fn place<'o>(&self, out: &'o Path) -> Result<(&'o Path, bool), Exit> {
        let ending = out.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        let shown = out.display();
        let is_png = match ending.as_deref() {
            Some("svg") => false,
            Some("png") => true,
            _ => {
                return Err(Exit::usage(format!(
                    "--out takes a file that ends in .svg or .png, not `{shown}`"
                )));
            }
        };
        if out.exists() && !self.force {
            return Err(Exit::usage(format!(
                "`{shown}` is there already; choose another --out, or give --force"
            )));
        }
        Ok((out, is_png))
    }

    /// The situations of a row.
    #[expect(clippy::type_complexity, reason = "what a picture is drawn from")]
    fn of_row(
        &self,
        package: &Package,
        file: &Path,
    ) -> Result<
        (
            Layout,
            std::sync::Arc<crate::simulate::transitions::compiled_layout::CompiledLayout>,
            Vec<Situation>,
            Vec<std::sync::Arc<str>>,
        ),
        Exit,
    > {
        let row = nth(file, self.row)?;
        let replay = Replay::new(package, &row).map_err(Exit::failure)?;
        let names = Naming::of_row(&replay.layout, &row.objects).names;
        let compiled = replay.engine.compiled().clone();
        let mut situations = vec![replay.initial];
        situations.extend(replay.steps.into_iter().map(|step| step.situation));
        Ok((replay.layout, compiled, situations, names))
    }
}
