//! Micro-benchmarks of the parts: grounding, a step, a sheet of answers, and text.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use racgen::domain::package::Package;
use racgen::language::tell::narrator::Narrator;
use racgen::language::tell::paragraphs::Disorder;
use racgen::language::tell::verbalizer::Verbalizer;
use racgen::language::words::holdout::Holdout;
use racgen::language::words::lexicon::Lexicon;
use racgen::language::words::naming::Naming;
use racgen::simulate::layout::Layout;
use racgen::simulate::plans::sampling::Sampling;
use racgen::simulate::story::{Simulator, Timepoint};
use racgen::simulate::transitions::transition_system::TransitionSystem;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

const LIMIT: Duration = Duration::from_secs(20);
const DOMAINS: [&str; 3] = ["blocks", "logistics", "dwr"];
const LEVEL: i32 = 3;

/// Benches have no one to hand an error to.
fn must<T, E: std::fmt::Debug>(result: Result<T, E>) -> T {
    result.unwrap_or_else(|error| panic!("{error:?}"))
}

fn ground(c: &mut Criterion) {
    let mut group = c.benchmark_group("ground");
    group.sample_size(20);
    for name in DOMAINS {
        let package = must(Package::load(name));
        let layout = must(Layout::sample(
            &package,
            LEVEL,
            &Default::default(),
            &mut ChaCha8Rng::seed_from_u64(1),
            LIMIT,
        ));
        group.bench_function(name, |b| {
            b.iter_batched(
                || layout.step_program(&package),
                |program| must(TransitionSystem::new(program, LIMIT)),
                BatchSize::SmallInput,
            );
        });
    }
}

fn story(c: &mut Criterion) {
    for name in DOMAINS {
        let package = must(Package::load(name));
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let layout = must(Layout::sample(&package, LEVEL, &Default::default(), &mut rng, LIMIT));
        let mut stage = must(Simulator::new(&package, layout, Sampling::Walk, LIMIT, &mut rng));
        let Some(story) = must(stage.tell(5, false, |_| true, 100, &mut rng)) else {
            panic!("no story in {name}")
        };
        c.bench_function(&format!("step/{name}"), |b| {
            b.iter(|| must(stage.engine.step(black_box(&story.initial), story.plan[0])));
        });
        c.bench_function(&format!("sheet/{name}"), |b| {
            b.iter(|| must(stage.engine.consider(black_box(&story.initial), None)));
        });
        c.bench_function(&format!("draw/{name}"), |b| b.iter(|| must(stage.draw_world(&mut rng))));
        c.bench_function(&format!("tell/{name}"), |b| {
            b.iter(|| must(stage.tell(5, false, |_| true, 100, &mut rng)));
        });

        let naming = Naming::draw(&package, stage.layout(), Holdout::NONE, |_| true, &mut rng);
        let lexicon = Lexicon::new(&package, stage.layout(), &stage.engine);
        let teller = Verbalizer {
            package: &package,
            layout: stage.layout(),
            engine: &stage.engine,
            lexicon: &lexicon,
            naming: &naming,
            holdout: Holdout::NONE,
        };
        c.bench_function(&format!("render/{name}"), |b| {
            b.iter(|| must(teller.paragraphs(black_box(&story), Disorder::default(), &mut rng)));
        });
        let Some((sheet, _)) = story.sheet(Timepoint::Now) else { panic!("no sheet in {name}") };
        let asked: Vec<usize> = sheet.iter().map(|a| stage.engine.answers[a].question).collect();
        let mut next = 0;
        c.bench_function(&format!("question/{name}"), |b| {
            b.iter(|| {
                next = (next + 1) % asked.len();
                teller.question(&story, Timepoint::Now, asked[next], &mut rng)
            });
        });
    }
}

criterion_group!(parts, ground, story);
criterion_main!(parts);
