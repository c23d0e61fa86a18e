//! A question to the same question put in its situation: after further actions, or before the plan.

use rand::rngs::ChaCha8Rng;

use crate::language::words::holdout::Holdout;
use crate::language::words::text::{capital, small};
use crate::phrases::book::PhraseBook;
use crate::simulate::story::{Story, Timepoint};

/// Puts a question, given as text and name of its phrasing, in its scene. `clause` says that an action takes place.
pub(crate) fn in_scene(
    common: &PhraseBook,
    holdout: Holdout,
    story: &Story,
    scene: Timepoint,
    (text, template): (String, String),
    mut clause: impl FnMut(usize, &mut ChaCha8Rng) -> String,
    rng: &mut ChaCha8Rng,
) -> Option<(String, String)> {
    let (wrapper, name, actions) = match scene {
        Timepoint::Now | Timepoint::Supposing => return Some((capital(&text), template)),
        Timepoint::AfterOne => (&common.after_one, "after.one", 1),
        Timepoint::AfterTwo => (&common.after_two, "after.two", 2),
        Timepoint::Initially => (&common.initially, "initially", 0),
    };
    let (outer, phrasing) = holdout.draw(wrapper, rng)?;
    let mut parts: Vec<String> = story.further.iter().take(actions).map(|a| clause(*a, rng)).collect();
    parts.push(small(&text));
    let mut out = String::new();
    phrasing.fill(&mut out, |slot| parts.get(slot).map_or("", String::as_str));
    Some((capital(&out), format!("{name}.{}/{template}", outer + 1)))
}
