//! A theory's package to whether enough families of questions can be asked with balanced answers that the actions alone do not
//! tell: many stories are told, and looked at as they are when data are made.

use std::collections::BTreeSet;
use std::time::Duration;

use racgen_logic::seed::stream;
use rand::rngs::ChaCha8Rng;

use crate::domain::package::Package;
use crate::factory::choosing::probe::Probe;
use crate::factory::context::Context;
use crate::factory::error::FactoryError;
use crate::factory::settings::Settings;
use crate::invent::drawn::DrawnTheory;
use crate::invent::judging::reasons::Reason;
use crate::invent::telling::package_files::{PackageOrigin, package_files};
use crate::invent::words::vocabularies::words_for;
use crate::invent::words::vocabulary::DomainWords;
use crate::items::clock::Clock;
use crate::items::source::Stream;
use crate::simulate::story::Story;
use crate::simulate::transitions::compiled_layout::Kind;

/// Layouts, and stories of each.
const LAYOUTS: u64 = 25;
const STORIES: usize = 8;
/// Level and number of actions of the stories.
const LEVEL: i32 = 3;
const DEPTH: i32 = 3;
/// The fewest families of verify questions, and of others.
const FAMILIES: (usize, usize) = (4, 2);
/// How many worlds are drawn for a story.
const DRAWS: usize = 200;
/// What one solver call may take.
const LIMIT: Duration = Duration::from_secs(60);

/// Do the stories offer enough families of verify questions with pairs of equal profile and both answers, and enough families
/// of others whose answers vary? They are told in words that follow from the theory alone, whatever words its package has.
///
/// # Errors
/// Why the theory is left out: too few families.
pub(in crate::invent) fn judge_families(drawn: &DrawnTheory) -> Result<(), Reason> {
    let mut dice = stream(0, &["invent", "families", &drawn.key]);
    let words = words_for(&drawn.theory, DomainWords::Invented, &mut dice);
    let files = package_files(drawn, &words, PackageOrigin { seed: 0, vocabulary: DomainWords::Invented });
    let package = Package::of_files("invented", files).map_err(|_| Reason::Families)?;
    let settings = Settings { levels: vec![LEVEL], depths: vec![DEPTH], ..Settings::default() };
    let context = Context::new(package, settings, LIMIT);
    let [verify, other] = offered(&context).map_err(|_| Reason::Families)?;
    if verify >= FAMILIES.0 && other >= FAMILIES.1 { Ok(()) } else { Err(Reason::Families) }
}

/// How many families there are of verify questions, and of others.
fn offered(context: &Context) -> Result<[usize; 2], FactoryError> {
    let clock = Clock::default();
    let of = Stream { level: LEVEL, depth: DEPTH, ..Stream::default() };
    let mut rng = context.rng(of, &["families"]);
    let mut probe = Probe::of(&[]);
    for layout in 0..LAYOUTS {
        let (mut stage, text) = context.stage((LEVEL, layout), &clock)?;
        let rng_of = |n: usize| context.rng(of, &["families", &layout.to_string(), &n.to_string()]);
        let mut rngs: Vec<ChaCha8Rng> = (0..STORIES).map(rng_of).collect();
        let stories = stage.tell_all(DEPTH as usize, false, |_| true, DRAWS, &mut rngs)?;
        let stories: Vec<Story> = stories.into_iter().flatten().collect();
        probe.see(context.package(), &stage.engine, &text, &stories, &mut rng);
    }
    let schedule = probe.deal(&mut rng);
    let of = |kinds: &[Kind]| {
        let families =
            kinds.iter().flat_map(|kind| schedule.families(*kind).map(move |name| (*kind as usize, name)));
        families.collect::<BTreeSet<_>>().len()
    };
    Ok([of(&[Kind::Verify]), of(&[Kind::Count, Kind::Other])])
}
