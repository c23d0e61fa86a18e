//! Stories to yes/no questions in pairs: the same question, true of one story and false of another.

use std::collections::BTreeMap;

use rand::RngExt;

use crate::games::items::answers::{Matter, Reply};
use crate::games::items::drafts::{Drafter, ItemDraft};
use crate::games::words::questions::GameQuestion;

/// Pairs that are looked at for one in which both states are of one size.
const MOST_TRIED: usize = 12;
/// Failures in a row after which a family has no more to ask.
pub(crate) const MOST_FAILURES: usize = 60;

/// A question with the story where something changed, or at depth 0 is true, and its partner.
struct PairCandidate {
    question: GameQuestion,
    anchor: usize,
    partner: usize,
    /// Is it true in the first?
    yes: bool,
}

/// Stories in which something changes, or at depth 0 is true, by what it was at first and its number.
type Anchors = Vec<((bool, u32), Vec<usize>)>;

impl Drafter<'_> {
    fn anchors(&self, matter: Matter) -> Anchors {
        let corpus = self.asker.corpus;
        let mut found: BTreeMap<(bool, u32), Vec<usize>> = BTreeMap::new();
        for (index, story) in self.stories.iter().enumerate() {
            let (start, end) = (story.start(corpus), story.end(corpus));
            if !matter.may_be_asked(end) {
                continue;
            }
            if self.depth == 0 {
                matter.truths(end).iter().for_each(|n| found.entry((false, *n)).or_default().push(index));
                continue;
            }
            for (now, was, at_first) in [(end, start, false), (start, end, true)] {
                let changed = matter.truths(now).iter().filter(|n| !matter.is_true(was, **n));
                changed.for_each(|n| found.entry((at_first, *n)).or_default().push(index));
            }
        }
        found.into_iter().collect()
    }

    /// Pairs of a yes and a no, families in turn.
    pub(crate) fn pairs(&mut self, wanted: usize) -> Vec<ItemDraft> {
        // What the text tells needs no question.
        let matters = Matter::ALL.into_iter().filter(|m| self.depth > 0 || *m != Matter::Holds);
        let mut open: Vec<(Matter, Anchors)> = Vec::new();
        for matter in matters.collect::<Vec<_>>() {
            let mut anchors = self.anchors(matter);
            anchors.retain(|((_, n), _)| self.asker.book.phrasings(&self.asker.question(matter, *n)) > 0);
            open.push((matter, anchors));
        }
        let mut drafts = Vec::new();
        let (mut turn, mut side) = (0, false);
        while drafts.len() < 2 * wanted && !open.is_empty() {
            turn += 1;
            let at = turn % open.len();
            side = if at == 0 { !side } else { side };
            let (matter, anchors) = &mut open[at];
            let matter = *matter;
            let mut anchors = std::mem::take(anchors);
            let pair = self.pair(matter, &mut anchors, side);
            match pair {
                Some(pair) => {
                    drafts.extend(pair);
                    open[at].1 = anchors;
                }
                None => {
                    open.remove(at);
                    let made =
                        drafts.iter().filter(|d: &&ItemDraft| d.question.family() == matter.family()).count();
                    self.except("verify", matter.family(), format!("no more than {made} balanced questions"));
                }
            }
        }
        drafts
    }

    fn pair(&mut self, matter: Matter, anchors: &mut Anchors, side: bool) -> Option<[ItemDraft; 2]> {
        let corpus = self.asker.corpus;
        let mut failures = 0;
        let mut best_pair: Option<(usize, PairCandidate)> = None;
        let mut tried = 0;
        while !anchors.is_empty() && failures < MOST_FAILURES && tried < MOST_TRIED {
            let of_side: Vec<usize> = (0..anchors.len()).filter(|n| anchors[*n].0.0 == side).collect();
            let at = match of_side.len() {
                0 => self.rng.random_range(0..anchors.len()),
                count => of_side[self.rng.random_range(0..count)],
            };
            let ((at_first, number), stories) = &anchors[at];
            let (at_first, number) = (*at_first, *number);
            let question = self.asker.question(matter, number);
            let free: Vec<usize> =
                stories.iter().copied().filter(|s| !self.used.contains(&(*s, question.clone()))).collect();
            // At depth 0 it is true here; otherwise it has changed here.
            let yes = self.depth == 0 || !at_first;
            let near = |s: &usize| yes || self.asker.near(matter, number, self.stories[*s].end(corpus));
            let best: Vec<usize> = free.iter().copied().filter(near).collect();
            let from = if best.is_empty() { &free } else { &best };
            let chosen = from.get(self.rng.random_range(0..from.len().max(1))).copied();
            let partner = chosen.and_then(|s| self.partner(matter, number, at_first, yes, s, &question));
            let (Some(anchor), Some(partner)) = (chosen, partner) else {
                anchors.swap_remove(at);
                failures += 1;
                continue;
            };
            tried += 1;
            let size = |story: usize| self.stories[story].start(corpus).fluents.len();
            let gap = size(anchor).abs_diff(size(partner));
            if best_pair.as_ref().is_none_or(|(known, _)| gap < *known) {
                best_pair = Some((gap, PairCandidate { question, anchor, partner, yes }));
            }
            if gap == 0 {
                break;
            }
        }
        best_pair.map(|(_, candidate)| self.settle(candidate))
    }

    /// Takes a pair.
    fn settle(&mut self, candidate: PairCandidate) -> [ItemDraft; 2] {
        let PairCandidate { question, anchor, partner, yes } = candidate;
        let phrasing = self.rng.random_range(0..self.asker.book.phrasings(&question));
        let reply = |yes: bool| {
            let text = if yes { "yes" } else { "no" };
            Reply { gold: vec![text.into()], text: text.into(), kind: "bool" }
        };
        let mut draft = |story: usize, yes: bool, trivial: bool| {
            self.used.insert((story, question.clone()));
            ItemDraft { story, question: question.clone(), phrasing, reply: reply(yes), trivial }
        };
        let after_steps = self.depth > 0;
        [draft(anchor, yes, false), draft(partner, !yes, after_steps)]
    }

    /// A story with the other answer and the same truth at first, the nearest in size.
    fn partner(
        &mut self,
        matter: Matter,
        number: u32,
        at_first: bool,
        yes: bool,
        anchor: usize,
        question: &GameQuestion,
    ) -> Option<usize> {
        let corpus = self.asker.corpus;
        let size = |story: usize| self.stories[story].start(corpus).fluents.len();
        let offset = self.rng.random_range(0..self.stories.len());
        let mut best: Option<((bool, usize), usize)> = None;
        for place in 0..self.stories.len() {
            let index = (place + offset) % self.stories.len();
            let story = &self.stories[index];
            let end = story.end(corpus);
            if matter.is_true(end, number) == yes
                || !matter.may_be_asked(end)
                || (self.depth > 0 && matter.is_true(story.start(corpus), number) != at_first)
                || self.used.contains(&(index, question.clone()))
            {
                continue;
            }
            let far = yes && !self.asker.near(matter, number, end);
            let rank = (far, size(index).abs_diff(size(anchor)));
            if best.is_none_or(|(known, _)| rank < known) {
                best = Some((rank, index));
                if rank == (false, 0) {
                    break;
                }
            }
        }
        best.map(|(_, index)| index)
    }
}
