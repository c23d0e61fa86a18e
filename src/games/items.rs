//! Stories of a game to question-answer items.
//!
//! Yes/no questions come in pairs: the same question about two stories of one split and depth, true in one and false in
//! the other. In both stories the fluent, move, goal or end has the same truth before the first step, so that neither
//! the question nor the state told gives the answer away; of several stories the nearest in size is taken, and for a no
//! one in which something of the same kind holds. Numbers and lists are drawn answer by answer, so that no answer takes
//! most of a form. All answers are those of the network that clingo's rules became (see [`super::play`]).

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use super::arena::{Arena, order};
use super::book::{GameBook, Question, SEPARATOR, Shape};
use super::error::GameError;
use super::flat::Flat;
use super::play::{Corpus, Situation};
use super::reference::{plain, spell};
use super::stories::{GameStory, deal_states, stories};
use crate::manifest::Exception;
use crate::proportion::apportion;
use crate::row::{ObjectName, Row};
use crate::seed::{digest, stream};
use crate::settings::Split;
use crate::term::Term;

/// Longest list that is asked for.
const MOST_LISTED: usize = 8;
/// Forms with an open place that are asked about, at most.
const MOST_FORMS: usize = 2_000;
/// Stories that a form is tried on.
const SAMPLE: usize = 400;
/// Characters of rules and state beyond which a game is not told.
const MOST_CHARACTERS: usize = 60_000;
/// Pairs that are looked at for one in which both states are of one size.
const MOST_TRIED: usize = 12;
/// Failures in a row after which a family has no more to ask.
const MOST_FAILURES: usize = 60;

/// Which items are made of each game.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ItemSettings {
    /// Items in all, over splits and depths.
    pub items: u64,
    /// Numbers of steps between the state told and the state asked about.
    pub depths: Vec<u32>,
    /// Weights of verify, count and other questions.
    pub mix: [u32; 3],
    /// The splits.
    pub splits: Vec<Split>,
    /// Root of all random streams.
    pub seed: u64,
}

impl Default for ItemSettings {
    fn default() -> ItemSettings {
        let split = |name: &str, weight| Split { name: name.into(), weight };
        ItemSettings {
            items: 1000,
            depths: vec![0, 1],
            mix: [4, 3, 3],
            splits: vec![split("train", 80.0), split("validation", 10.0), split("test", 10.0)],
            seed: 0,
        }
    }
}

/// The items of one game.
#[derive(Clone, Debug, Default)]
pub struct GameItems {
    /// The rows; is the answer that of the state told?
    pub rows: Vec<(Row, bool)>,
    /// What could not be asked as often as wanted, and why.
    pub exceptions: Vec<Exception>,
}

/// An answer as ground terms, as text, and its type.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Reply {
    gold: Vec<String>,
    text: String,
    kind: &'static str,
}

/// A question about a story, before it is told.
struct Draft {
    story: usize,
    question: Question,
    phrasing: usize,
    reply: Reply,
    trivial: bool,
}

/// What a yes/no question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Matter {
    Holds,
    Legal,
    Goal,
    Terminal,
}

impl Matter {
    const ALL: [Matter; 4] = [Matter::Holds, Matter::Legal, Matter::Goal, Matter::Terminal];

    fn family(self) -> &'static str {
        match self {
            Matter::Holds => "holds",
            Matter::Legal => "legal",
            Matter::Goal => "goal",
            Matter::Terminal => "terminal",
        }
    }

    /// Numbers of what is true in a situation, in order.
    fn truths(self, situation: &Situation) -> &[u32] {
        match self {
            Matter::Holds => &situation.fluents,
            Matter::Legal => &situation.legal,
            Matter::Goal => &situation.goals,
            Matter::Terminal if situation.terminal => &[0],
            Matter::Terminal => &[],
        }
    }

    fn is_true(self, situation: &Situation, number: u32) -> bool {
        self.truths(situation).binary_search(&number).is_ok()
    }

    /// After the end nobody asks for moves, whatever the rules allow.
    fn may_be_asked(self, situation: &Situation) -> bool {
        self != Matter::Legal || !situation.terminal
    }
}

/// Makes the items of one game.
///
/// # Errors
/// A phrase book that lacks an entry; a game whose rules would take too long a text.
pub fn items(
    arena: &Arena,
    corpus: &Corpus,
    book: &GameBook,
    settings: &ItemSettings,
) -> Result<GameItems, GameError> {
    book.cover(corpus)?;
    let asker = Asker::new(arena, corpus, book, settings.seed);
    let length = book.rules(arena, &mut asker.rng(&["length"])).len();
    if length > MOST_CHARACTERS {
        return Err(GameError::Arguments(format!(
            "{}: told in flat terms, the rules take {length} characters, more than the {MOST_CHARACTERS} of an item; \
             write a phrase book",
            arena.game.file
        )));
    }
    let weights: Vec<f64> = settings.splits.iter().map(|s| s.weight).collect();
    let split_of = deal_states(corpus, &arena.game.name, &settings.splits, settings.seed);
    let mut made = GameItems::default();
    for (split, items) in apportion(settings.items, &weights).into_iter().enumerate() {
        let shares = apportion(items, &vec![1.0; settings.depths.len().max(1)]);
        for (depth, wanted) in settings.depths.iter().zip(shares) {
            let stories = stories(corpus, &arena.game.name, &split_of, split, *depth, settings.seed);
            let name = &settings.splits[split].name;
            let mut desk = Desk::new(&asker, stories, name, *depth);
            let drafts = desk.drafts(wanted, &settings.mix);
            made.exceptions.append(&mut desk.exceptions);
            made.rows.extend(desk.rows(drafts));
        }
    }
    Ok(made)
}

/// What is known of a game whatever the split.
struct Asker<'a> {
    arena: &'a Arena,
    corpus: &'a Corpus,
    book: &'a GameBook,
    seed: u64,
    /// Fluents, moves and goals as they stand in columns.
    flat: [Vec<String>; 3],
    statics: Vec<String>,
    /// For each fluent, move and goal the kind it belongs to.
    kinds: [Vec<u32>; 3],
    /// Forms with open places and the fluents that fit, with what stands in the open place.
    counted: Vec<(Shape, Vec<u32>)>,
    sought: Vec<(Shape, Vec<u32>)>,
    objects: Arc<[ObjectName]>,
    rules_key: String,
}

fn numbered<K: Ord>(keys: impl Iterator<Item = K>) -> Vec<u32> {
    let keys: Vec<K> = keys.collect();
    let distinct: BTreeSet<&K> = keys.iter().collect();
    let number: BTreeMap<&K, u32> = distinct.into_iter().zip(0..).collect();
    keys.iter().map(|k| number[k]).collect()
}

impl<'a> Asker<'a> {
    fn new(arena: &'a Arena, corpus: &'a Corpus, book: &'a GameBook, seed: u64) -> Asker<'a> {
        let game = &arena.game;
        let spelled = |flat: Flat| spell(&flat, None, false);
        let fluents = corpus.fluents.iter().map(|f| spelled(Flat::new(game, "true", &[], f)));
        let moves = corpus.moves.iter().map(|(r, a)| spelled(Flat::new(game, "does", &[r], a)));
        let goals = corpus.goals.iter().map(|(r, v)| {
            let flat = Flat { name: "goal".into(), arguments: vec![r.to_string(), v.to_string()] };
            spelled(flat)
        });
        let kinds = [
            numbered(corpus.fluents.iter().map(|f| (f.functor(), f.args().len()))),
            numbered(corpus.moves.iter().map(|(r, a)| (r.to_string(), a.functor(), a.args().len()))),
            numbered(corpus.goals.iter().map(|(r, _)| r.to_string())),
        ];
        let mut constants: BTreeSet<&str> = BTreeSet::new();
        let mut terms: Vec<&Term> = arena.roles.iter().collect();
        terms.extend(corpus.fluents.iter().chain(corpus.moves.iter().map(|m| &m.1)).flat_map(Term::args));
        terms.iter().for_each(|t| {
            if t.args().is_empty() {
                constants.insert(t.functor());
            }
        });
        let objects = constants.into_iter().map(|symbol| {
            let role = arena.roles.iter().any(|r| r.functor() == symbol);
            let kind = match symbol.parse::<i64>() {
                _ if role => "role",
                Ok(_) => "number",
                Err(_) => "constant",
            };
            let name = book.name(&Term::constant(symbol));
            ObjectName { id: plain(symbol).as_str().into(), kind: kind.into(), name: name.as_str().into() }
        });
        let mut asker = Asker {
            arena,
            corpus,
            book,
            seed,
            flat: [fluents.collect(), moves.collect(), goals.collect()],
            statics: arena.statics.iter().map(|t| spelled(Flat::fixed(game, t))).collect(),
            kinds,
            counted: Vec::new(),
            sought: Vec::new(),
            objects: objects.collect(),
            rules_key: digest([format!(
                "{:?}",
                game.clauses.iter().map(|c| (&c.head, &c.body)).collect::<Vec<_>>()
            )]),
        };
        asker.counted = asker.shapes(true);
        asker.sought = asker.shapes(false);
        asker
    }

    fn rng(&self, words: &[&str]) -> ChaCha8Rng {
        let own = ["games", &self.arena.game.name, "items"];
        stream(self.seed, &own.iter().chain(words).copied().collect::<Vec<_>>())
    }

    /// The forms that can be asked about, with the fluents that fit each.
    fn shapes(&self, counts: bool) -> Vec<(Shape, Vec<u32>)> {
        let mut found: BTreeMap<Shape, Vec<u32>> = BTreeMap::new();
        for (number, fluent) in self.corpus.fluents.iter().enumerate().filter(|(_, f)| !f.args().is_empty()) {
            let arguments = fluent.args();
            let mut masks: BTreeSet<Vec<bool>> = BTreeSet::new();
            for place in 0..arguments.len() {
                // One place open; and for counts in flat terms also one place given, or none.
                masks.insert((0..arguments.len()).map(|n| n == place).collect());
                if counts && self.book.own.is_none() {
                    masks.insert((0..arguments.len()).map(|n| n != place).collect());
                    masks.insert(vec![true; arguments.len()]);
                }
            }
            for open in masks.into_iter().filter(|open| open.contains(&true)) {
                let places =
                    arguments.iter().zip(&open).map(|(a, open)| (!open).then(|| a.clone())).collect();
                let shape = Shape { functor: fluent.functor().to_owned(), places };
                if self.book.asks(&shape, counts) {
                    found.entry(shape).or_default().push(number as u32);
                }
            }
        }
        // A form that one fluent fits is a yes/no question.
        let mut all: Vec<(Shape, Vec<u32>)> = found.into_iter().filter(|(_, fit)| fit.len() > 1).collect();
        all.shuffle(&mut self.rng(&["forms", if counts { "count" } else { "which" }]));
        all.truncate(MOST_FORMS);
        all
    }

    /// The reply to a question for a number or a list; none where it cannot be asked.
    fn reply(&self, question: &Question, fit: &[u32], situation: &Situation) -> Option<Reply> {
        let number =
            |count: usize| Reply { gold: vec![count.to_string()], text: count.to_string(), kind: "number" };
        let own = |role: &Term| -> Vec<u32> {
            let legal = situation.legal.iter().copied();
            legal.filter(|m| self.corpus.moves[*m as usize].0 == *role).collect()
        };
        let list = |gold: Vec<String>, texts: Vec<String>| {
            let (gold, text, kind) = match texts.len() {
                0 => (vec!["none".to_owned()], "none".to_owned(), "none"),
                1 => (gold, texts.concat(), "name"),
                _ => (gold, texts.join(SEPARATOR), "names"),
            };
            Some(Reply { gold, text, kind })
        };
        let moves = matches!(question, Question::CountLegal(_) | Question::WhichLegal(_));
        if moves && situation.terminal {
            return None;
        }
        match question {
            Question::CountLegal(role) => Some(number(own(role).len())),
            Question::WhichLegal(role) => {
                let moves = own(role);
                if moves.len() > MOST_LISTED {
                    return None;
                }
                let pairs = moves.iter().map(|m| &self.corpus.moves[*m as usize]);
                let texts = pairs.map(|(role, action)| self.book.clause(role, action, None)).collect();
                list(moves.iter().map(|m| self.legal(*m)).collect(), texts)
            }
            Question::GoalValue(role) => {
                let mut values = situation.goals.iter().map(|g| &self.corpus.goals[*g as usize]);
                let value = values.find(|(r, _)| r == role)?;
                // Two values are a fault of the rules, and nothing to ask about.
                if values.any(|(r, _)| r == role) {
                    return None;
                }
                let text = self.book.name(&value.1);
                let kind = if text.parse::<i64>().is_ok() { "number" } else { "name" };
                Some(Reply { gold: vec![plain(&value.1.to_string())], text, kind })
            }
            Question::CountHolds(_) => {
                Some(number(fit.iter().filter(|f| Matter::Holds.is_true(situation, **f)).count()))
            }
            Question::WhichHolds(shape) => {
                let open = shape.places.iter().position(Option::is_none)?;
                let holding = fit.iter().filter(|f| Matter::Holds.is_true(situation, **f));
                let mut values: Vec<&Term> =
                    holding.map(|f| &self.corpus.fluents[*f as usize].args()[open]).collect();
                values.sort_by(|a, b| order(a, b));
                if values.len() > MOST_LISTED {
                    return None;
                }
                let gold = values.iter().map(|v| plain_term(v)).collect();
                list(gold, values.iter().map(|v| self.book.name(v)).collect())
            }
            _ => None,
        }
    }

    fn legal(&self, number: u32) -> String {
        let does = &self.flat[1][number as usize];
        does.strip_prefix("does").map_or_else(|| does.clone(), |rest| format!("legal{rest}"))
    }

    /// The question as a ground term.
    fn query(&self, question: &Question) -> String {
        let find = |fluent: &Term| {
            let place = self.corpus.fluents.binary_search_by(|f| order(f, fluent));
            place.map_or_else(|_| String::new(), |n| self.flat[0][n].clone())
        };
        let shape = |shape: &Shape| {
            let open = Term::constant("any");
            let places = shape.places.iter().map(|p| p.clone().unwrap_or_else(|| open.clone())).collect();
            let term = Term::function(&shape.functor, places);
            spell(&Flat::new(&self.arena.game, "true", &[], &term), None, false)
        };
        let role = |role: &Term| plain_term(role);
        match question {
            Question::Holds(fluent) => find(fluent),
            Question::Legal(role, action) => {
                spell(&Flat::new(&self.arena.game, "legal", &[role], action), None, false)
            }
            Question::Goal(r, value) => format!("goal({},{})", role(r), plain_term(value)),
            Question::Terminal => "terminal".into(),
            Question::CountLegal(r) => format!("count_legal({})", role(r)),
            Question::WhichLegal(r) => format!("which_legal({})", role(r)),
            Question::GoalValue(r) => format!("goal_value({})", role(r)),
            Question::CountHolds(s) => format!("count_holds({})", shape(s)),
            Question::WhichHolds(s) => format!("which_holds({})", shape(s)),
        }
    }

    fn question(&self, matter: Matter, number: u32) -> Question {
        let n = number as usize;
        match matter {
            Matter::Holds => Question::Holds(self.corpus.fluents[n].clone()),
            Matter::Legal => {
                let (role, action) = self.corpus.moves[n].clone();
                Question::Legal(role, action)
            }
            Matter::Goal => {
                let (role, value) = self.corpus.goals[n].clone();
                Question::Goal(role, value)
            }
            Matter::Terminal => Question::Terminal,
        }
    }

    /// Does something else of the same kind hold there? A no is then a near miss.
    fn near(&self, matter: Matter, number: u32, situation: &Situation) -> bool {
        let kinds = match matter {
            Matter::Holds => &self.kinds[0],
            Matter::Legal => &self.kinds[1],
            Matter::Goal => &self.kinds[2],
            Matter::Terminal => return true,
        };
        let kind = kinds[number as usize];
        matter.truths(situation).iter().any(|n| *n != number && kinds[*n as usize] == kind)
    }
}

fn plain_term(term: &Term) -> String {
    if term.args().is_empty() {
        return plain(term.functor());
    }
    let arguments: Vec<String> = term.args().iter().map(plain_term).collect();
    format!("{}({})", plain(term.functor()), arguments.join(","))
}

/// Drafts the items of one split and depth.
struct Desk<'a> {
    asker: &'a Asker<'a>,
    stories: Vec<GameStory>,
    split: &'a str,
    depth: u32,
    used: HashSet<(usize, Question)>,
    exceptions: Vec<Exception>,
    rng: ChaCha8Rng,
}

/// A question with the story where something changed, or at depth 0 is true, and its partner.
struct Candidate {
    question: Question,
    anchor: usize,
    partner: usize,
    /// Is it true in the first?
    yes: bool,
}

/// Stories in which something changes, or at depth 0 is true, by what it was at first and its number.
type Anchors = Vec<((bool, u32), Vec<usize>)>;

impl<'a> Desk<'a> {
    fn new(asker: &'a Asker<'a>, stories: Vec<GameStory>, split: &'a str, depth: u32) -> Desk<'a> {
        let rng = asker.rng(&["desk", split, &depth.to_string()]);
        Desk { asker, stories, split, depth, used: HashSet::default(), exceptions: Vec::new(), rng }
    }

    fn except(&mut self, kind: &str, family: &str, reason: impl Into<String>) {
        self.exceptions.push(Exception {
            domain: self.asker.arena.game.name.clone(),
            level: 1,
            depth: self.depth as i32,
            question_type: kind.into(),
            family: family.into(),
            reason: format!("{}: {}", self.split, reason.into()),
        });
    }

    fn drafts(&mut self, wanted: u64, mix: &[u32; 3]) -> Vec<Draft> {
        let mut parts = apportion(wanted, &mix.map(f64::from));
        // Yes/no questions come in pairs.
        if parts[0] % 2 == 1
            && let Some(other) = [1, 2].into_iter().find(|kind| mix[*kind] > 0)
        {
            parts[0] -= 1;
            parts[other] += 1;
        }
        let mut drafts = self.pairs(parts[0] as usize / 2);
        drafts.extend(self.open("count", parts[1] as usize));
        drafts.extend(self.open("other", parts[2] as usize));
        drafts.shuffle(&mut self.rng);
        drafts
    }

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
    fn pairs(&mut self, wanted: usize) -> Vec<Draft> {
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
                        drafts.iter().filter(|d: &&Draft| d.question.family() == matter.family()).count();
                    self.except("verify", matter.family(), format!("no more than {made} balanced questions"));
                }
            }
        }
        drafts
    }

    fn pair(&mut self, matter: Matter, anchors: &mut Anchors, side: bool) -> Option<[Draft; 2]> {
        let corpus = self.asker.corpus;
        let mut failures = 0;
        let mut best_pair: Option<(usize, Candidate)> = None;
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
                best_pair = Some((gap, Candidate { question, anchor, partner, yes }));
            }
            if gap == 0 {
                break;
            }
        }
        best_pair.map(|(_, candidate)| self.settle(candidate))
    }

    /// Takes a pair.
    fn settle(&mut self, candidate: Candidate) -> [Draft; 2] {
        let Candidate { question, anchor, partner, yes } = candidate;
        let phrasing = self.rng.random_range(0..self.asker.book.phrasings(&question));
        let reply = |yes: bool| {
            let text = if yes { "yes" } else { "no" };
            Reply { gold: vec![text.into()], text: text.into(), kind: "bool" }
        };
        let mut draft = |story: usize, yes: bool, trivial: bool| {
            self.used.insert((story, question.clone()));
            Draft { story, question: question.clone(), phrasing, reply: reply(yes), trivial }
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
        question: &Question,
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

    /// Questions for numbers or lists, families in turn.
    fn open(&mut self, kind: &str, wanted: usize) -> Vec<Draft> {
        let asker = self.asker;
        let roles = &asker.arena.roles;
        let of_roles = |question: fn(Term) -> Question| -> Vec<(Question, &[u32])> {
            roles.iter().map(|r| (question(r.clone()), &[][..])).collect()
        };
        let shapes = |list: &'a [(Shape, Vec<u32>)], question: fn(Shape) -> Question| {
            // The text tells how many there are; with steps it has to be worked out.
            let list = if self.depth == 0 { &[] } else { list };
            list.iter().map(|(shape, fit)| (question(shape.clone()), &fit[..])).collect::<Vec<_>>()
        };
        let mut families = match kind {
            "count" => vec![of_roles(Question::CountLegal), shapes(&asker.counted, Question::CountHolds)],
            _ => vec![
                of_roles(Question::WhichLegal),
                shapes(&asker.sought, Question::WhichHolds),
                of_roles(Question::GoalValue),
            ],
        };
        families.retain(|forms| !forms.is_empty());
        let mut buckets: HashMap<Question, Option<Buckets>> = HashMap::default();
        let mut drafts: Vec<Draft> = Vec::new();
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
                    drafts.push(Draft { story, question: question.clone(), phrasing, reply, trivial });
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

    fn buckets(&self, question: &Question, fit: &[u32]) -> Option<Buckets> {
        if self.asker.book.phrasings(question) == 0 {
            return None;
        }
        let corpus = self.asker.corpus;
        let mut all: BTreeMap<Vec<String>, (Reply, Vec<(usize, bool)>)> = BTreeMap::new();
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
        let counts = matches!(question, Question::CountHolds(_));
        let dull = counts && all.keys().all(|gold| gold.iter().all(|n| n == "0" || n == "1"));
        (all.len() > 1 && changes && !dull).then(|| Buckets(all.into_values().collect()))
    }

    /// Tells the drafts.
    fn rows(&self, drafts: Vec<Draft>) -> Vec<(Row, bool)> {
        let mut told: HashMap<usize, Telling> = HashMap::default();
        let rows = drafts.into_iter().enumerate().map(|(index, draft)| {
            let telling = told.entry(draft.story).or_insert_with(|| self.telling(draft.story));
            let (question, template) = self.asker.book.question(&draft.question, draft.phrasing);
            let query = self.asker.query(&draft.question);
            let name = &self.asker.arena.game.name;
            let place = [self.depth.to_string(), index.to_string(), self.asker.seed.to_string()];
            let id = digest(
                [name, self.split, &*telling.world, &telling.context, &question, &query]
                    .into_iter()
                    .chain(place.iter().map(String::as_str)),
            );
            let row = Row {
                id,
                domain: name.as_str().into(),
                split: self.split.into(),
                world: telling.world.clone(),
                level: 1,
                depth: self.depth as i32,
                question_type: Cow::Borrowed(draft.question.kind()),
                family: draft.question.family().into(),
                template,
                context: telling.context.clone(),
                initial_state: telling.initial_state.clone(),
                rules: telling.rules.clone(),
                actions: telling.actions.clone(),
                question,
                answer: draft.reply.text,
                answer_type: Cow::Borrowed(draft.reply.kind),
                objects: self.asker.objects.clone(),
                facts: telling.facts.clone(),
                plan: telling.plan.clone(),
                query,
                gold: draft.reply.gold,
                seed: self.asker.seed as i64,
                index: index as i64,
            };
            (row, draft.trivial)
        });
        rows.collect()
    }

    fn telling(&self, index: usize) -> Telling {
        let asker = self.asker;
        let story = &self.stories[index];
        let mut rng = asker.rng(&["telling", self.split, &self.depth.to_string(), &index.to_string()]);
        let start = story.start(asker.corpus);
        let mut fluents: Vec<&Term> =
            start.fluents.iter().map(|f| &asker.corpus.fluents[*f as usize]).collect();
        let initial_state = asker.book.state(&mut fluents, &mut rng);
        let rules = asker.book.rules(asker.arena, &mut rng);
        let steps: Vec<Vec<&(Term, Term)>> = story
            .steps
            .iter()
            .map(|step| step.iter().map(|m| &asker.corpus.moves[*m as usize]).collect())
            .collect();
        let actions = asker.book.steps(&steps, &mut rng);
        let parts = [&initial_state, &rules, &actions];
        let context = parts.into_iter().filter(|p| !p.is_empty()).cloned().collect::<Vec<_>>().join("\n\n");
        let told = start.fluents.iter().map(|f| asker.flat[0][*f as usize].clone());
        let facts: Vec<String> = asker.statics.iter().cloned().chain(told).collect();
        let plan: Vec<String> =
            story.steps.iter().flatten().map(|m| asker.flat[1][*m as usize].clone()).collect();
        let state: Vec<&str> = start.fluents.iter().map(|f| asker.flat[0][*f as usize].as_str()).collect();
        Telling {
            world: digest(std::iter::once(asker.rules_key.as_str()).chain(state)).into(),
            context: context.into(),
            initial_state: initial_state.into(),
            rules: rules.into(),
            actions: actions.into(),
            facts: facts.into(),
            plan: plan.into(),
        }
    }
}

/// What the questions about a story share.
struct Telling {
    world: Arc<str>,
    context: Arc<str>,
    initial_state: Arc<str>,
    rules: Arc<str>,
    actions: Arc<str>,
    facts: Arc<[String]>,
    plan: Arc<[String]>,
}

/// Stories by the answer to one question; is it that of the state told?
struct Buckets(Vec<(Reply, Vec<(usize, bool)>)>);

impl Buckets {
    /// Draws an answer, rare ones more often than they occur, and a story with it.
    fn draw(
        &mut self,
        question: &Question,
        trivial: bool,
        used: &mut HashSet<(usize, Question)>,
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
