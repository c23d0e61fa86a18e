//! The command `racgen draw`: situations to pictures, or to drawing atoms.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use racgen_data::row::Row;
use racgen_data::write::text::stream as write_file;
use racgen_logic::seed::stream;
use racgen_logic::term::Term;

use crate::campaign::jobs::row_options::whole_number;
use crate::cli::args::world_args::WorldArgs;
use crate::cli::draw_game::{drawn_match, named_game};
use crate::cli::output::exit::{Exit, print};
use crate::cli::packages::load;
use crate::domain::package::Package;
use crate::factory::batch::picturing::{look_of, look_of_row};
use crate::language::words::holdout::Holdout;
use crate::language::words::naming::Naming;
use crate::pictures::arrange::arrange;
use crate::pictures::clingraph::facts;
use crate::pictures::graph::DrawnGraph;
use crate::pictures::raster::{animation, scene_png};
use crate::pictures::scene::Letters;
use crate::pictures::style::PictureStyle;
use crate::simulate::layout::Layout;
use crate::simulate::plans::sampling::Sampling;
use crate::simulate::replay::Replay;
use crate::simulate::situation::Situation;
use crate::simulate::story::Simulator;
use crate::simulate::transitions::compiled_layout::CompiledLayout;
use crate::simulate::views::painter::{Painter, Picture};
use crate::simulate::views::view::{made_view, view_of};

/// What is drawn, and where to.
#[derive(Clone, Debug, Args)]
pub struct DrawArgs {
    #[command(flatten)]
    pub world: WorldArgs,
    /// Output file, by whose ending it is SVG or PNG
    #[arg(long, short, value_name = "FILE", required_unless_present_any = ["atoms", "clingraph", "view"])]
    pub out: Option<PathBuf>,
    /// Draw the situation after so many actions of the row
    #[arg(long, default_value_t = 0, value_parser = whole_number, requires = "data", value_name = "N")]
    pub after: u64,
    /// Of a game, the state after so many moves at random [default: 0]
    #[arg(long, value_name = "N", conflicts_with = "story")]
    pub moves: Option<usize>,
    /// Draw a story of so many actions, or a match of so many moves, as an animated PNG; of a row, all its actions with 0
    #[arg(long, value_name = "N", conflicts_with_all = ["after", "atoms", "clingraph", "view"])]
    pub story: Option<usize>,
    /// Pixels of a side of the picture
    #[arg(long, default_value_t = 512, value_parser = clap::value_parser!(u32).range(64..=4096), value_name = "PIXELS")]
    pub size: u32,
    /// Draw colours, font and sizes by this seed, instead of the usual ones
    #[arg(long, value_name = "SEED")]
    pub style: Option<u64>,
    /// Print the drawing atoms as facts instead
    #[arg(long, conflicts_with_all = ["out", "view", "clingraph"])]
    pub atoms: bool,
    /// Print facts instead from which clingraph draws with Graphviz: names as labels, places as edges
    #[arg(long, conflicts_with_all = ["out", "view"])]
    pub clingraph: bool,
    /// Print the view instead, as a start for a view.lp
    #[arg(long, conflicts_with = "out")]
    pub view: bool,
    /// Use the view that is made from the types of the fluents, even if the package has its own
    #[arg(long)]
    pub made: bool,
    /// Replace the file if it is there
    #[arg(long)]
    pub force: bool,
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
        let WorldArgs { package, level, seed, folders, limits, .. } = &self.world;
        let limit = limits.enforce()?;
        let out = self.out.as_deref().map(|out| self.place(out)).transpose()?;
        let is_domain = folders.catalogue()?.iter().any(|found| found.name == *package);
        if let Some(game) = named_game(package).filter(|_| !is_domain) {
            return self.run_game(game, out);
        }
        if self.moves.is_some() {
            return Err(Exit::usage(
                "--moves is about games; --data and --after draw a situation of a story",
            ));
        }
        let package = load(package, folders)?;
        let view = if self.made { made_view(&package, limit) } else { view_of(&package, limit) }
            .map_err(Exit::failure)?;
        if self.view {
            return print(&view.text);
        }
        let row = self.world.wanted_row()?;
        let (layout, compiled, situations, names) = match &row {
            None => {
                let mut rng = stream(*seed, &["draw", &package.name, &level.to_string()]);
                let layout = Layout::sample(&package, *level, &BTreeMap::new(), &mut rng, limit)
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
            Some(row) => of_row(&package, row)?,
        };
        let painter = Painter::new(&package, &layout, &compiled, &view, &names).map_err(Exit::failure)?;
        let all: Vec<&Situation> = situations.iter().collect();
        let Some(at) = usize::try_from(self.after).ok().filter(|at| *at < all.len()) else {
            let last = all.len() - 1;
            return Err(Exit::usage(format!(
                "--after takes 0 to {last} here, for the row has {last} actions"
            )));
        };
        let Some(out) = out else {
            let atoms = painter.atoms(&all[at..=at]).map_err(Exit::failure)?.concat();
            let graph = || painter.graph(&atoms).map_err(|wrong| Exit::failure(painter.fault(&wrong)));
            return self.print_facts(&atoms, graph);
        };
        let look = row.as_ref().and_then(|row| Some((&*row.split, look_of_row(row)?)));
        let mut style = match (self.style, look) {
            (Some(seed), _) => PictureStyle::of_seed(seed, false),
            (None, Some((split, look))) => look_of(split, look),
            (None, None) => PictureStyle::default(),
        };
        style.side = self.size;
        // The picture of an item has room for its initial situation only.
        let is_of_item = look.is_some() && self.style.is_none() && at == 0 && self.story.is_none();
        let shown = if is_of_item { &all[..1] } else { &all[..] };
        let pictures = painter.pictures(shown, &style).map_err(Exit::failure)?;
        self.write(out, pictures, at, &style)
    }

    /// Draws a state of a game, or several.
    fn run_game(&self, game: (String, Option<String>), out: Option<(&Path, bool)>) -> Result<(), Exit> {
        if self.world.data.is_some() {
            return Err(Exit::usage(
                "a game is drawn after moves at random; give --moves in place of --data",
            ));
        }
        let moves = self.story.or(self.moves).unwrap_or(0);
        let drawn = drawn_match(game, self.made, moves, self.world.seed)?;
        if self.view {
            return print(&drawn.painter.view().text);
        }
        let states =
            if self.story.is_some() { &drawn.states[..] } else { &drawn.states[drawn.states.len() - 1..] };
        let Some(out) = out else {
            let atoms = drawn.painter.atoms(&states[0])?;
            return self.print_facts(&atoms, || Ok(drawn.painter.graph(&states[0])?));
        };
        let graphs = states.iter().map(|state| drawn.painter.graph(state)).collect::<Result<Vec<_>, _>>()?;
        let mut style =
            self.style.map_or_else(PictureStyle::default, |seed| PictureStyle::of_seed(seed, false));
        style.side = self.size;
        let scenes = arrange(&graphs, &style).map_err(Exit::usage)?;
        let pictures =
            graphs.into_iter().zip(scenes).map(|(graph, scene)| Picture { graph, scene }).collect();
        self.write(out, pictures, 0, &style)
    }

    /// Prints drawing atoms as they are, or as clingraph draws them.
    fn print_facts(&self, atoms: &[Term], graph: impl Fn() -> Result<DrawnGraph, Exit>) -> Result<(), Exit> {
        if self.clingraph {
            return print(&facts(&graph()?, &PictureStyle::default()));
        }
        print(&atoms.iter().map(|atom| format!("{atom}.\n")).collect::<String>())
    }

    /// Writes the picture at a place, or all of them one after the other.
    fn write(
        &self,
        (out, is_png): (&Path, bool),
        mut pictures: Vec<Picture>,
        at: usize,
        style: &PictureStyle,
    ) -> Result<(), Exit> {
        let bytes = if self.story.is_some() {
            if !is_png {
                return Err(Exit::usage("a story is drawn as PNG; name a file that ends in .png with --out"));
            }
            let all: Vec<_> = pictures.iter().map(|picture| (&picture.scene, &picture.graph)).collect();
            animation(&all, style, SHOWN_FOR).map_err(Exit::failure)?
        } else {
            let Picture { graph, scene } = pictures.swap_remove(at);
            match is_png {
                true => scene_png(&scene, &graph, style).map_err(Exit::failure)?,
                false => scene.svg(&graph, style, Letters::Text).into_bytes(),
            }
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
}

/// What a picture is drawn from: a layout with its ground program, situations of it, and the names of its objects.
type RowWorld = (Layout, Arc<CompiledLayout>, Vec<Situation>, Vec<Arc<str>>);

/// The situations of a row.
fn of_row(package: &Package, row: &Row) -> Result<RowWorld, Exit> {
    let replay = Replay::new(package, row).map_err(Exit::failure)?;
    let names = Naming::of_row(&replay.layout, &row.objects).names;
    let compiled = replay.engine.compiled().clone();
    let mut situations = vec![replay.initial];
    situations.extend(replay.steps.into_iter().map(|step| step.situation));
    Ok((replay.layout, compiled, situations, names))
}
