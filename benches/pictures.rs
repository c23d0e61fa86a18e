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

/// Seconds of processor time that this process had so far, in all its threads; none where the system does not tell in the
/// manner of Linux.
fn processor_time() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // Behind the name, which stands in parentheses: user and system time in hundredths of a second.
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    let ticks: f64 = fields.get(11..13)?.iter().filter_map(|ticks| ticks.parse::<f64>().ok()).sum();
    Some(ticks / 100.0)
}

/// How often a second something is done to a situation, from its drawing atoms on; by the clock, and by each second of processor
/// time, which others at work on the machine do not take away.
fn measure(all: &[Drawn], work: impl Fn(&Painter, &Situation) + Sync) -> (f64, f64) {
    let threads = rayon::current_num_threads();
    let before = processor_time();
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
    let used = before.zip(processor_time()).map_or(f64::NAN, |(before, after)| after - before);
    (done as f64 / start.elapsed().as_secs_f64(), done as f64 / used)
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
    let told = |(clock, processor): (f64, f64)| {
        format!("{clock:>8.0} /s, {processor:>8.0} a second of processor time")
    };
    println!("svg {} on {threads} threads, N3, {} domains", told(svg), all.len());
    println!("png {} of 512 pixels", told(png));
    Ok(())
}
