//! Rows in pairs: an item, and one that was made from it by a change.

use racgen_logic::seed::{digest, stream};
use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::factory::batch::group::Batch;
use crate::factory::choosing::schedule::Schedule;
use crate::factory::choosing::selection::Selection;
use crate::factory::context::Context;
use crate::factory::contrast::change::Change;
use crate::factory::contrast::perturb::{Perturbed, twin};
use crate::factory::error::FactoryError;
use crate::items::source::{GROUP_SIZE, Item};
use crate::simulate::transitions::compiled_layout::Kind;

/// How many stories are looked through before others are added.
const FIRST_STORIES: usize = 5;
/// How many questions of one form are looked at until one has a twin.
const TRIES: usize = 6;
/// How many forms, while there is patience for more stories.
const FORMS: usize = 2;
/// From so many stories on, a pair may be of any form and change.
const PATIENCE: usize = 2 * FIRST_STORIES;
/// How many stories a group of pairs may come to.
const MOST_STORIES: usize = 16 * FIRST_STORIES;
/// How often another phrasing is looked for.
const WORDINGS: usize = 40;

/// Which changes the pairs of a split differ by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Changes {
    /// One action, one fact or one word, so that the answer is another.
    Minimal,
    /// Those of table 22.
    Contrast,
}

impl Changes {
    /// What a pair may be, what is wanted first, and which number its card has.
    fn of(self, context: &Context, pair: u64) -> (Vec<(Kind, Change)>, u64) {
        match self {
            Changes::Minimal => {
                let (kind, n) = context.kind(pair, [false; 3]);
                let mut changes = Change::MINIMAL.to_vec();
                let first = n % changes.len() as u64;
                changes.rotate_left(first as usize);
                // Where a small world offers no pair of the kind, another kind takes its turn.
                let weights = context.settings().mix;
                let others =
                    Kind::ALL.into_iter().zip(weights).filter(|(k, weight)| *k != kind && *weight > 0);
                let kinds = [kind].into_iter().chain(others.map(|(kind, _)| kind));
                let all = kinds.flat_map(|kind| changes.iter().map(move |change| (kind, *change)));
                (all.collect(), n)
            }
            Changes::Contrast => {
                let count = Change::CONTRAST.len() as u64;
                let (wanted, round) = ((pair % count) as usize, pair / count);
                let mut all = Change::CONTRAST.to_vec();
                all.rotate_left(wanted);
                let kind = all[0].0;
                all.sort_by_key(|(k, _)| *k != kind);
                // Five is odd: each change meets both labels in turn.
                (all, 5 * round + wanted as u64)
            }
        }
    }
}

/// The rows of the group in pairs.
pub(crate) fn pairs<'f>(
    batch: &mut Batch<'f>,
    schedule: &Schedule,
    changes: Changes,
    rows: u64,
) -> Result<Vec<Item>, FactoryError> {
    let mut items = Vec::new();
    let end = rows.min((batch.number + 1) * GROUP_SIZE);
    for index in (batch.number * GROUP_SIZE..end).step_by(2) {
        let mut rng = batch.context.rng(batch.of, &["row", &index.to_string()]);
        let (options, n) = changes.of(batch.context, index / 2);
        let found = pair(batch, schedule, &options, n, &mut rng)?;
        let (choice, change, twin) = found.ok_or_else(|| batch.no_item(index))?;
        batch.ask_once(choice.asked());
        if twin.told.is_none() {
            batch.ask_once(twin.choice.asked());
        }
        let [mut first, mut second] = both(batch, index, &choice, change, &twin, rng.random())?;
        // The last row of a stream may stand alone.
        if index + 1 < end {
            let pair = digest(["pair", &first.row.id, &second.row.id]);
            first.row.pair.clone_from(&pair);
            second.row.pair = pair;
            second.row.change = change.name().into();
            second.row.source.clone_from(&first.row.id);
            items.extend([first, second]);
        } else {
            items.push(first);
        }
    }
    Ok(items)
}

/// A question and its twin, as good as they come.
fn pair<'f>(
    batch: &mut Batch<'f>,
    schedule: &Schedule,
    options: &[(Kind, Change)],
    n: u64,
    rng: &mut ChaCha8Rng,
) -> Result<Option<(Selection, Change, Perturbed<'f>)>, FactoryError> {
    let mut wanted = FIRST_STORIES.max(batch.pool.len());
    while wanted <= MOST_STORIES {
        batch.grow(wanted)?;
        let last = wanted >= PATIENCE;
        let (most, forms) = if last { (options.len(), usize::MAX) } else { (1, FORMS) };
        for (kind, change) in &options[..most] {
            for card in schedule.cards(*kind, n).take(forms) {
                let mut rejected = Vec::new();
                let mut found = None;
                for _ in 0..TRIES {
                    let Some(choice) = batch.choose(*kind, card, last, rng) else { break };
                    if let Some(twin) = twin(batch, *change, &choice, rng)? {
                        found = Some((choice, *change, twin));
                        break;
                    }
                    batch.used.insert(choice.asked());
                    rejected.push(choice.asked());
                }
                rejected.iter().for_each(|asked| {
                    batch.used.remove(asked);
                });
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        wanted *= 2;
    }
    Ok(None)
}

/// The rows of a question and its twin, told with the same random numbers.
fn both<'f>(
    batch: &mut Batch<'f>,
    index: u64,
    choice: &Selection,
    change: Change,
    twin: &Perturbed,
    dice: u64,
) -> Result<[Item; 2], FactoryError> {
    let wording = || stream(dice, &["wording"]);
    let (own, other) = if change.adds() { (index + 1, index) } else { (index, index + 1) };
    let item = batch.item_of(own, choice, &mut wording())?;
    let twin_with = |rng: &mut ChaCha8Rng| -> Result<Item, FactoryError> {
        let (stage, lexicon) = match &twin.stage {
            Some((stage, lexicon)) => (stage, lexicon),
            None => (&batch.stage, &batch.lexicon),
        };
        let told = twin.told.as_ref().unwrap_or(&batch.pool[choice.told]);
        Ok(batch.item(other, stage, lexicon, told, &twin.choice, rng)?.0)
    };
    let mut made = twin_with(&mut wording())?;
    if change == Change::Paraphrased {
        for number in 0..WORDINGS {
            if made.row.question != item.row.question {
                break;
            }
            made = twin_with(&mut stream(dice, &["another wording", &number.to_string()]))?;
        }
    }
    Ok(if change.adds() { [made, item] } else { [item, made] })
}
