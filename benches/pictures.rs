//! Pictures a second at N3, of all domains that have a view of their own, on all threads: drawing atoms to SVG, and to PNG of
//! 512 pixels. Layouts are grounded before.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use racgen::domain::catalogue::Catalogue;
use racgen::domain::package::Package;
use racgen::language::words::holdout::Holdout;
use racgen::language::words::naming::Naming;
use racgen::logic::seed::stream;
use racgen::pictures::raster::scene_png;
use racgen::pictures::scene::Letters;
use racgen::pictures::style::PictureStyle;
use racgen::simulate::layout::Layout;
use racgen::simulate::plans::sampling::Sampling;
use racgen::simulate::situation::Situation;
use racgen::simulate::story::Simulator;
use racgen::simulate::views::painter::Painter;
use racgen::simulate::views::view::view_of;
use rayon::prelude::*;

/// How long each of the two is measured.
const TIME: Duration = Duration::from_secs(5);
/// What one solver call may take.
const LIMIT: Duration = Duration::from_secs(60);
/// Situations of each layout.
const SITUATIONS: usize = 16;

type Drawn = (Painter, Vec<Situation>);

fn ready(package: &Package) -> Result<Drawn, Box<dyn std::error::Error>> {
    let mut rng = stream(0, &["bench", &package.name]);
    let layout = Layout::sample(package, 3, &BTreeMap::new(), &mut rng, LIMIT)?;
    let names = Naming::draw(package, &layout, Holdout::NONE, |_| true, &mut rng).names;
    let mut simulator = Simulator::new(package, layout, Sampling::Walk, LIMIT, &mut rng)?;
    let view = view_of(package, LIMIT)?;
    let painter = Painter::new(package, simulator.layout(), simulator.engine.compiled(), &view, &names)?;
    let mut situations = Vec::new();
    for _ in 0..SITUATIONS {
        let (start, _) = simulator.draw_world(&mut rng)?;
        situations.extend(simulator.engine.consider(&start, None)?.map(|(outcome, _)| outcome.situation));
    }
    Ok((painter, situations))
}

/// How often a second something is done to a situation, from its drawing atoms on.
fn measure(all: &[Drawn], work: impl Fn(&Painter, &Situation) + Sync) -> f64 {
    let threads = rayon::current_num_threads();
    let start = Instant::now();
    let done: usize = (0..threads)
        .into_par_iter()
        .map(|thread| {
            let mut done = 0;
            for (painter, situations) in all.iter().cycle().skip(thread) {
                for situation in situations {
                    if start.elapsed() >= TIME {
                        return done;
                    }
                    work(painter, situation);
                    done += 1;
                }
            }
            done
        })
        .sum();
    done as f64 / start.elapsed().as_secs_f64()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let catalogue = Catalogue::find(&[])?;
    let mut all = Vec::new();
    for found in catalogue.iter() {
        let package = found.load()?;
        if package.view.is_some() {
            all.push(ready(&package)?);
        }
    }
    let style = PictureStyle::default();
    let one = |painter: &Painter, situation: &Situation| painter.pictures(&[situation], &style);
    let svg = measure(&all, |painter, situation| {
        for picture in one(painter, situation).unwrap_or_default() {
            std::hint::black_box(picture.scene.svg(&picture.graph, &style, Letters::Text));
        }
    });
    let png = measure(&all, |painter, situation| {
        for picture in one(painter, situation).unwrap_or_default() {
            let _ = std::hint::black_box(scene_png(&picture.scene, &picture.graph, &style));
        }
    });
    let threads = rayon::current_num_threads();
    println!("{:12} {svg:>12.0} /s on {threads} threads, N3, {} domains", "svg", all.len());
    println!("{:12} {png:>12.0} /s of 512 pixels", "png");
    Ok(())
}
