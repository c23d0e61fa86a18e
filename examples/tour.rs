//! The way of one item, stage by stage: package, layout, situation, plan, questions, text.
//!
//! ```text
//! cargo run --example tour            dock-worker robots
//! cargo run --example tour blocks     or any other domain, or the folder of a package
//! ```

use std::time::Duration;

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
use racgen::simulate::transitions::compiled_layout::Kind;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "dwr".into());
    let limit = Duration::from_secs(20);
    let mut rng = ChaCha8Rng::seed_from_u64(7);

    // A package is data: logic programs and phrases, checked on load. It comes with all faults that it has.
    let package = Package::load(&name).map_err(|faults| faults[0].to_string())?;
    println!("{}: {}\n", package.title, package.summary);

    // clingo samples the objects and static relations of a world at complexity N1.
    let layout = Layout::sample(&package, 1, &Default::default(), &mut rng, limit)?;
    println!("Objects      {}", spaced(layout.objects.iter().map(|o| &o.id)));
    println!("Static facts {}", spaced(&layout.statics));

    // The layout's logic program is grounded once; then stories are drawn, here with three actions.
    let mut stage = Simulator::new(&package, layout, Sampling::Walk, limit, &mut rng)?;
    let story = stage.tell(3, false, |_| true, 100, &mut rng)?.ok_or("no plan of three actions was found")?;
    // A story was worked out by the native evaluator; clingo confirms it.
    stage.judge(&story)?;
    let engine = &stage.engine;
    println!("World        {}", story.world);
    println!("Initially    {}", spaced(story.initial.iter().map(|f| &engine.fluents[f])));
    for (action, situation) in story.plan.iter().zip(&story.passed) {
        println!("after {}", engine.actions[*action]);
        println!("             {}", spaced(situation.iter().map(|f| &engine.fluents[f])));
    }

    // Names are drawn from pools, sentences from the phrase book.
    let naming = Naming::draw(&package, stage.layout(), Holdout::NONE, |_| true, &mut rng);
    let lexicon = Lexicon::new(&package, stage.layout(), engine);
    let teller = Verbalizer {
        package: &package,
        layout: stage.layout(),
        engine,
        lexicon: &lexicon,
        naming: &naming,
        holdout: Holdout::NONE,
    };
    let text = teller.paragraphs(&story, Disorder::default(), &mut rng)?;
    println!("\n{}\n\n{}\n\n{}\n", text.initial_state, text.rules, text.actions);

    // The sheet holds the answer to everything that can be asked after the actions.
    let (sheet, _) = story.sheet(Timepoint::Now).ok_or("nothing can be asked")?;
    let askable: Vec<usize> = (0..engine.questions.len())
        .filter(|q| engine.questions[*q].answers.clone().any(|a| sheet.contains(a)))
        .collect();
    for kind in Kind::ALL {
        let of_kind: Vec<usize> = askable
            .iter()
            .copied()
            .filter(|q| engine.questions[*q].kind == kind && lexicon.form(*q).is_some())
            .collect();
        let Some(question) = of_kind.choose(&mut rng) else { continue };
        let Some((text, _)) = teller.question(&story, Timepoint::Now, *question, &mut rng) else { continue };
        let answers = engine.questions[*question].answers.clone().filter(|a| sheet.contains(*a));
        let (answer, _) = teller.answer(*question, &mut answers.map(|a| &engine.answers[a].answer).collect());
        println!("{:8} {text}\n         {answer}", kind.name());
    }
    Ok(())
}

fn spaced(terms: impl IntoIterator<Item = impl ToString>) -> String {
    terms.into_iter().map(|t| t.to_string()).collect::<Vec<_>>().join(" ")
}
