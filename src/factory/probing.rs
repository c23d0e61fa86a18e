//! The first layouts of a level to what their stories offer to each form and family of questions.

use std::borrow::Cow;
use std::collections::BTreeSet;

use rand::rngs::ChaCha8Rng;

use crate::factory::choosing::probe::Probe;
use crate::factory::choosing::seeking::{DRAWN, seek};
use crate::factory::context::{Context, LayoutText, MOST_DRAWS};
use crate::factory::error::FactoryError;
use crate::factory::further::answer_patterns::AnswerPattern;
use crate::factory::further::begun_ways::{BEGUN, begun_ways, is_of_begun_ways};
use crate::factory::further::crossing::{CROSSED_PLANS, companions};
use crate::factory::further::family_probe::FamilyProbe;
use crate::factory::further::gathering::Gatherer;
use crate::factory::further::matter::{is_of_four, is_of_three_answers};
use crate::factory::further::offers::{OfferCell, OfferedQuestion, Offers};
use crate::factory::further::part_twins::{TwinsSought, part_twins};
use crate::factory::further::proving::KnownProofs;
use crate::factory::further::search_families::LastingFunctors;
use crate::factory::further::telling::profile;
use crate::factory::further::threes::ToldApart;
use crate::factory::side_by_side::side_by_side;
use crate::items::clock::Clock;
use crate::items::source::Stream;
use crate::simulate::story::{Simulator, Story};

/// Layouts and stories of each that are looked at.
const PROBE: (u64, usize) = (10, 8);
/// How many stories are looked at where those lack pairs of questions about what can be while something stays so, which are rare.
const MORE_STORIES: usize = 3 * PROBE.1;

/// What was seen, and the random numbers that schedules are drawn with.
pub(super) struct Probed {
    pub(super) probe: Probe,
    pub(super) further: FamilyProbe,
    pub(super) rng: ChaCha8Rng,
}

impl Context {
    /// Looks at the first layouts of a level.
    pub(super) fn probed(&self, level: i32, depth: i32, clock: &Clock) -> Result<Probed, FactoryError> {
        let anywhere = Stream { level, depth, ..Stream::default() };
        let mut rng = self.rng(anywhere, &["probe"]);
        let layouts = self.round(level, clock)?.layouts;
        let settings = &self.settings;
        let common = &self.package.common;
        let is_further = |name: &String| common.families.iter().any(|f| f.pattern.functor == *name);
        let chosen: Vec<String> =
            settings.families.iter().filter(|name| !is_further(name)).cloned().collect();
        let mut probe = Probe::of(&chosen);
        let mut further = FamilyProbe::default();
        let position = |place: u64| (place / layouts) as usize * PROBE.1;
        let places = || (0..PROBE.0).map(|place| ((level, place % layouts), position(place)));
        self.prepare(&places().collect::<Vec<_>>(), clock);
        let rng_of =
            |place: u64, n: usize| self.rng(anywhere, &["probe", &place.to_string(), &n.to_string()]);
        let told = |place: u64, count: usize| {
            let (mut stage, text) = self.stage((level, place % layouts), clock)?;
            stage.go_to(position(place));
            let mut rngs: Vec<ChaCha8Rng> = (0..count).map(|n| rng_of(place, n)).collect();
            let stories = stage.tell_all(depth as usize, false, |_| true, MOST_DRAWS, &mut rngs)?;
            let mut stories: Vec<Story> = stories.into_iter().flatten().collect();
            if settings.outcomes {
                for number in 0..stories.len() {
                    let story = stories[number].clone();
                    let first = count + number * CROSSED_PLANS;
                    let mut rngs: Vec<ChaCha8Rng> =
                        (0..CROSSED_PLANS).map(|n| rng_of(place, first + n)).collect();
                    stories.extend(companions(&mut stage, &story, &|_| true, &mut rngs)?);
                }
            }
            Ok::<_, FactoryError>((stage, text, stories))
        };
        for count in [PROBE.1, MORE_STORIES].into_iter().filter(|_| !settings.ask.is_empty()) {
            let seen = side_by_side(PROBE.0 as usize, |place| {
                let (mut stage, text, stories) = told(place as u64, count)?;
                self.offered_further((&mut stage, &text), &stories, anywhere, place as u64)
            });
            further = FamilyProbe::default();
            for one in seen {
                further.add(one?);
            }
            if !further.lacks_pairs_while(&common.families) {
                break;
            }
        }
        for place in (0..PROBE.0).filter(|_| settings.predicts()) {
            let (mut stage, text, stories) = told(place, PROBE.1)?;
            probe.see(&self.package, &stage.engine, &text, &stories, &mut rng);
            for question in stage.engine.sought() {
                let rngs = (0..DRAWN).map(|n| rng_of(place, PROBE.1 + n)).collect();
                let plan = (depth as usize, false);
                let found = seek(&mut stage, &text.shapes, question, plan, |_| true, MOST_DRAWS, rngs)?;
                if let Some(form) = text.lexicon.form(question) {
                    let functor = stage.engine.questions[question].term.functor();
                    probe.see_sought(&self.package, (form, functor), found.len());
                }
            }
        }
        Ok(Probed { probe, further, rng })
    }

    /// What the stories of a layout offer beyond prediction.
    fn offered_further(
        &self,
        (stage, text): (&mut Simulator, &LayoutText),
        stories: &[Story],
        anywhere: Stream,
        place: u64,
    ) -> Result<FamilyProbe, FactoryError> {
        let settings = &self.settings;
        let mut rng = self.rng(anywhere, &["further probe", &place.to_string()]);
        let gatherer = Gatherer {
            package: &self.package,
            lexicon: &text.lexicon,
            shapes: &text.shapes,
            programs: &self.programs,
            names: &self.names(anywhere.split),
            groups: &settings.ask,
            chosen: &settings.families,
            effort: &settings.effort,
            idle: &BTreeSet::new(),
            lasting: &LastingFunctors::new(),
        };
        let (mut offers, mut proofs) = (Offers::new(), KnownProofs::of_all_facts());
        let mut stories: Vec<Cow<Story>> = stories.iter().map(Cow::Borrowed).collect();
        // What the stories from the first on offer besides.
        let mut gather =
            |stage: &mut Simulator, stories: &[Cow<Story>], first: usize, offers: &mut Offers| {
                let told: Vec<(usize, &Story)> =
                    stories.iter().enumerate().skip(first).map(|(n, story)| (n, story.as_ref())).collect();
                for (cell, found) in gatherer.gather((stage, &mut proofs), &told, &mut rng)? {
                    offers.entry(cell).or_default().extend(found);
                }
                Ok::<(), FactoryError>(())
            };
        gather(stage, &stories, 0, &mut offers)?;
        let rngs = |words: &str, count: usize| -> Vec<ChaCha8Rng> {
            let rng_of = |n: usize| self.rng(anywhere, &[words, &place.to_string(), &n.to_string()]);
            (0..count).map(rng_of).collect()
        };
        let families = &self.package.common.families;
        let asked = families.iter().enumerate().filter(|(_, family)| settings.asks(family));
        let asked = asked.filter(|(_, family)| is_of_three_answers(family));
        let (fours, threes): (Vec<_>, Vec<_>) = asked.partition(|(_, family)| is_of_four(family));
        let words = (&self.package, &*text.lexicon);
        let drawn = stories.len();
        // What is not found by chance is sought, as in the groups of rows.
        for (apart, families) in [(ToldApart::Beginnings, threes), (ToldApart::Both, fours)] {
            let sought = TwinsSought::of(&self.package, families.iter().map(|(_, family)| *family));
            let Some(sought) = sought.filter(|_| text.lexicon.view.is_none()) else { continue };
            let numbers: Vec<usize> = families.iter().map(|(number, _)| *number).collect();
            let of = |offer: &OfferedQuestion| {
                profile(stage, &text.lexicon, &text.shapes, &stories[offer.told], offer)
            };
            let (lacks, words_of_rng) = match apart {
                ToldApart::Both => (
                    FamilyProbe::lacks_fours(&offers, &numbers, &mut rngs("four probe", 1)[0]),
                    "cross probe",
                ),
                _ => {
                    let rng = &mut rngs("three probe", 1)[0];
                    (FamilyProbe::lacks_threes(&offers, &numbers, &of, rng), "twin probe")
                }
            };
            if lacks {
                let drawn: Vec<&Story> = stories[..drawn].iter().map(AsRef::as_ref).collect();
                let mut rngs = rngs(words_of_rng, drawn.len());
                let twins = part_twins(stage, words, &drawn, (sought, apart, None), &|_| true, &mut rngs)?;
                let first = stories.len();
                stories.extend(twins.into_iter().flatten().map(Cow::Owned));
                gather(stage, &stories, first, &mut offers)?;
            }
        }
        let recognise = families.iter().position(|f| settings.asks(f) && is_of_begun_ways(f));
        if recognise.is_some_and(|family| !offers.keys().any(|cell| cell.family == family)) {
            let drawn: Vec<&Story> = stories.iter().take(BEGUN).map(AsRef::as_ref).collect();
            let ways = begun_ways(stage, words, &drawn, &mut rngs("way probe", drawn.len()))?;
            let first = stories.len();
            stories.extend(ways.into_iter().map(Cow::Owned));
            gather(stage, &stories, first, &mut offers)?;
        }
        let of = |offer: &OfferedQuestion| {
            profile(stage, &text.lexicon, &text.shapes, &stories[offer.told], offer)
        };
        let pattern = |cell: &OfferCell, offer: &OfferedQuestion| AnswerPattern::of_offer(stage, cell, offer);
        let mut probe = FamilyProbe::of(&offers, (&of, &pattern), &mut rng);
        probe.compared = proofs.compared;
        Ok(probe)
    }
}
