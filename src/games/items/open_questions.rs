//! Stories to questions for numbers and lists, drawn answer by answer, so that no answer takes most of a form.

use std::collections::BTreeMap;

use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::games::items::answers::Reply;
use crate::games::items::drafts::{Drafter, ItemDraft};
use crate::games::items::verify_pairs::MOST_FAILURES;
use crate::games::words::questions::{FluentForm, GameQuestion};

/// Stories that a form is tried on.
const SAMPLE: usize = 400;

impl<'a> Drafter<'a> {
    /// Questions for numbers or lists, families in turn.
    pub(crate) fn open(&mut self, kind: &str, wanted: usize) -> Vec<ItemDraft> {
        let asker = self.asker;
        let roles = &asker.arena.roles;
        let of_roles = |question: fn(Term) -> GameQuestion| -> Vec<(GameQuestion, &[u32])> {
            roles.iter().map(|r| (question(r.clone()), &[][..])).collect()
        };
        let shapes = |list: &'a [(FluentForm, Vec<u32>)], question: fn(FluentForm) -> GameQuestion| {
            // The text tells how many there are; with steps it has to be worked out.
            let list = if self.depth == 0 { &[] } else { list };
            list.iter().map(|(shape, fit)| (question(shape.clone()), &fit[..])).collect::<Vec<_>>()
        };
        let mut families = match kind {
            "count" => {
                vec![of_roles(GameQuestion::CountLegal), shapes(&asker.counted, GameQuestion::CountHolds)]
            }
            _ => vec![
                of_roles(GameQuestion::WhichLegal),
                shapes(&asker.sought, GameQuestion::WhichHolds),
                of_roles(GameQuestion::GoalValue),
            ],
        };
        families.retain(|forms| !forms.is_empty());
        let mut buckets: HashMap<GameQuestion, Option<Buckets>> = HashMap::default();
        let mut drafts: Vec<ItemDraft> = Vec::new();
        let mut failures = vec![0; families.len()];
        let (mut turn, mut trivial) = (0, false);
        while drafts.len() < wanted && !families.is_empty() && !self.stories.is_empty() {
            turn += 1;
            let at = turn % families.len();
            trivial = if at == 0 { !trivial } else { trivial };
            let (question, fit) = &families[at][self.rng.random_range(0..families[at].len())];
            let known = buckets.entry(question.clone()).or_insert_with(|| self.buckets(question, fit));
            let draft = known.as_mut().and_then(|b| b.draw(question, trivial, &mut self.used, &mut self.rng));
            match draft {
                Some((story, reply, trivial)) => {
                    failures[at] = 0;
                    let phrasing = self.rng.random_range(0..asker.book.phrasings(question));
                    drafts.push(ItemDraft { story, question: question.clone(), phrasing, reply, trivial });
                }
                None => {
                    failures[at] += 1;
                    if failures[at] > MOST_FAILURES {
                        let family = question.family();
                        let made = drafts.iter().filter(|d| d.question.family() == family).count();
                        self.except(
                            kind,
                            family,
                            format!("no more than {made} questions whose answer varies"),
                        );
                        families.remove(at);
                        failures.remove(at);
                    }
                }
            }
        }
        drafts
    }

    fn buckets(&self, question: &GameQuestion, fit: &[u32]) -> Option<Buckets> {
        if self.asker.book.phrasings(question) == 0 {
            return None;
        }
        let corpus = self.asker.corpus;
        let mut all: BTreeMap<Vec<String>, Bucket> = BTreeMap::new();
        let mut changes = self.depth == 0;
        for (index, story) in self.stories.iter().enumerate().take(SAMPLE) {
            let Some(reply) = self.asker.reply(question, fit, story.end(corpus)) else { continue };
            let before = self.asker.reply(question, fit, story.start(corpus));
            let trivial = self.depth > 0 && before.as_ref() == Some(&reply);
            changes |= !trivial;
            let bucket = all.entry(reply.gold.clone()).or_insert_with(|| (reply, Vec::new()));
            bucket.1.push((index, trivial));
        }
        // Counts of none or one are yes/no questions.
        let counts = matches!(question, GameQuestion::CountHolds(_));
        let dull = counts && all.keys().all(|gold| gold.iter().all(|n| n == "0" || n == "1"));
        (all.len() > 1 && changes && !dull).then(|| Buckets(all.into_values().collect()))
    }
}

/// Stories by the answer to one question.
struct Buckets(Vec<Bucket>);

/// An answer, and the stories with it; is it that of the state told?
type Bucket = (Reply, Vec<(usize, bool)>);

impl Buckets {
    /// Draws an answer, rare ones more often than they occur, and a story with it.
    fn draw(
        &mut self,
        question: &GameQuestion,
        trivial: bool,
        used: &mut HashSet<(usize, GameQuestion)>,
        rng: &mut ChaCha8Rng,
    ) -> Option<(usize, Reply, bool)> {
        self.0.retain(|(_, stories)| !stories.is_empty());
        if self.0.len() < 2 {
            return None;
        }
        let weights: Vec<f64> = self.0.iter().map(|(_, s)| (s.len() as f64).sqrt()).collect();
        let mut ticket = rng.random_range(0.0..weights.iter().sum::<f64>());
        let at = weights.iter().position(|w| {
            ticket -= w;
            ticket < 0.0
        });
        let (reply, stories) = &mut self.0[at.unwrap_or(0)];
        let fitting: Vec<usize> = (0..stories.len()).filter(|n| stories[*n].1 == trivial).collect();
        let chosen = match fitting.len() {
            0 => rng.random_range(0..stories.len()),
            count => fitting[rng.random_range(0..count)],
        };
        let (story, trivial) = stories.swap_remove(chosen);
        used.insert((story, question.clone())).then(|| (story, reply.clone(), trivial))
    }
}
