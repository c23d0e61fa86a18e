//! A game and what was seen of it to questions and their answers, whatever story they are asked in.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use racgen_data::row::ObjectName;
use racgen_logic::seed::{digest, stream};
use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;

use crate::games::gdl::flatten::Flat;
use crate::games::gdl::syntax::Game;
use crate::games::play::corpus::{Corpus, GameState};
use crate::games::play::ground_game::{GroundGame, order};
use crate::games::tasks::reference::{plain, spell};
use crate::games::words::phrase_book::GameBook;
use crate::games::words::questions::{FluentForm, GameQuestion};
use crate::language::words::text::SEPARATOR;

/// Longest list that is asked for.
const MOST_LISTED: usize = 8;
/// Forms with an open place that are asked about, at most.
const MOST_FORMS: usize = 2_000;

/// An answer as ground terms, as text, and its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reply {
    pub(crate) gold: Vec<String>,
    pub(crate) text: String,
    pub(crate) kind: &'static str,
}

/// What a yes/no question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Matter {
    Holds,
    Legal,
    Goal,
    Terminal,
}

impl Matter {
    pub(crate) const ALL: [Matter; 4] = [Matter::Holds, Matter::Legal, Matter::Goal, Matter::Terminal];

    pub(crate) fn family(self) -> &'static str {
        match self {
            Matter::Holds => "holds",
            Matter::Legal => "legal",
            Matter::Goal => "goal",
            Matter::Terminal => "terminal",
        }
    }

    /// Numbers of what is true in a situation, in order.
    pub(crate) fn truths(self, situation: &GameState) -> &[u32] {
        match self {
            Matter::Holds => &situation.fluents,
            Matter::Legal => &situation.legal,
            Matter::Goal => &situation.goals,
            Matter::Terminal if situation.terminal => &[0],
            Matter::Terminal => &[],
        }
    }

    pub(crate) fn is_true(self, situation: &GameState, number: u32) -> bool {
        self.truths(situation).binary_search(&number).is_ok()
    }

    /// After the end nobody asks for moves, whatever the rules allow.
    pub(crate) fn may_be_asked(self, situation: &GameState) -> bool {
        self != Matter::Legal || !situation.terminal
    }
}

/// What is known of a game whatever the split.
pub(crate) struct GameAnswers<'a> {
    pub(crate) arena: &'a GroundGame,
    pub(crate) corpus: &'a Corpus,
    pub(crate) book: &'a GameBook,
    pub(crate) seed: u64,
    /// Fluents, moves and goals as they stand in columns.
    pub(crate) flat: [Vec<String>; 3],
    pub(crate) statics: Vec<String>,
    /// For each fluent, move and goal the kind it belongs to.
    kinds: [Vec<u32>; 3],
    /// Forms with open places and the fluents that fit, with what stands in the open place.
    pub(crate) counted: Vec<(FluentForm, Vec<u32>)>,
    pub(crate) sought: Vec<(FluentForm, Vec<u32>)>,
    pub(crate) objects: Arc<[ObjectName]>,
    pub(crate) rules_key: String,
}

fn numbered<K: Ord>(keys: impl Iterator<Item = K>) -> Vec<u32> {
    let keys: Vec<K> = keys.collect();
    let distinct: BTreeSet<&K> = keys.iter().collect();
    let number: BTreeMap<&K, u32> = distinct.into_iter().zip(0..).collect();
    keys.iter().map(|k| number[k]).collect()
}

impl<'a> GameAnswers<'a> {
    pub(crate) fn new(
        arena: &'a GroundGame,
        corpus: &'a Corpus,
        book: &'a GameBook,
        seed: u64,
    ) -> GameAnswers<'a> {
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
        let mut asker = GameAnswers {
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
            rules_key: rules_key(game),
        };
        asker.counted = asker.shapes(true);
        asker.sought = asker.shapes(false);
        asker
    }

    pub(crate) fn rng(&self, words: &[&str]) -> ChaCha8Rng {
        let own = ["games", &self.arena.game.name, "items"];
        stream(self.seed, &own.iter().chain(words).copied().collect::<Vec<_>>())
    }

    /// The forms that can be asked about, with the fluents that fit each.
    fn shapes(&self, counts: bool) -> Vec<(FluentForm, Vec<u32>)> {
        let mut found: BTreeMap<FluentForm, Vec<u32>> = BTreeMap::new();
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
                let shape = FluentForm { functor: fluent.functor().to_owned(), places };
                if self.book.asks(&shape, counts) {
                    found.entry(shape).or_default().push(number as u32);
                }
            }
        }
        // A form that one fluent fits is a yes/no question.
        let mut all: Vec<(FluentForm, Vec<u32>)> =
            found.into_iter().filter(|(_, fit)| fit.len() > 1).collect();
        all.shuffle(&mut self.rng(&["forms", if counts { "count" } else { "which" }]));
        all.truncate(MOST_FORMS);
        all
    }

    /// The reply to a question for a number or a list; none where it cannot be asked.
    pub(crate) fn reply(&self, question: &GameQuestion, fit: &[u32], situation: &GameState) -> Option<Reply> {
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
        let moves = matches!(question, GameQuestion::CountLegal(_) | GameQuestion::WhichLegal(_));
        if moves && situation.terminal {
            return None;
        }
        match question {
            GameQuestion::CountLegal(role) => Some(number(own(role).len())),
            GameQuestion::WhichLegal(role) => {
                let moves = own(role);
                if moves.len() > MOST_LISTED {
                    return None;
                }
                let pairs = moves.iter().map(|m| &self.corpus.moves[*m as usize]);
                let texts = pairs.map(|(role, action)| self.book.in_answer(role, action)).collect();
                list(moves.iter().map(|m| self.legal(*m)).collect(), texts)
            }
            GameQuestion::GoalValue(role) => {
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
            GameQuestion::CountHolds(_) => {
                Some(number(fit.iter().filter(|f| Matter::Holds.is_true(situation, **f)).count()))
            }
            GameQuestion::WhichHolds(shape) => {
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
    pub(crate) fn query(&self, question: &GameQuestion) -> String {
        let find = |fluent: &Term| {
            let place = self.corpus.fluents.binary_search_by(|f| order(f, fluent));
            place.map_or_else(|_| String::new(), |n| self.flat[0][n].clone())
        };
        let shape = |shape: &FluentForm| {
            let open = Term::constant("any");
            let places = shape.places.iter().map(|p| p.clone().unwrap_or_else(|| open.clone())).collect();
            let term = Term::function(&shape.functor, places);
            spell(&Flat::new(&self.arena.game, "true", &[], &term), None, false)
        };
        let role = |role: &Term| plain_term(role);
        match question {
            GameQuestion::Holds(fluent) => find(fluent),
            GameQuestion::Legal(role, action) => {
                spell(&Flat::new(&self.arena.game, "legal", &[role], action), None, false)
            }
            GameQuestion::Goal(r, value) => format!("goal({},{})", role(r), plain_term(value)),
            GameQuestion::Terminal => "terminal".into(),
            GameQuestion::CountLegal(r) => format!("count_legal({})", role(r)),
            GameQuestion::WhichLegal(r) => format!("which_legal({})", role(r)),
            GameQuestion::GoalValue(r) => format!("goal_value({})", role(r)),
            GameQuestion::CountHolds(s) => format!("count_holds({})", shape(s)),
            GameQuestion::WhichHolds(s) => format!("which_holds({})", shape(s)),
        }
    }

    pub(crate) fn question(&self, matter: Matter, number: u32) -> GameQuestion {
        let n = number as usize;
        match matter {
            Matter::Holds => GameQuestion::Holds(self.corpus.fluents[n].clone()),
            Matter::Legal => {
                let (role, action) = self.corpus.moves[n].clone();
                GameQuestion::Legal(role, action)
            }
            Matter::Goal => {
                let (role, value) = self.corpus.goals[n].clone();
                GameQuestion::Goal(role, value)
            }
            Matter::Terminal => GameQuestion::Terminal,
        }
    }

    /// Does something else of the same kind hold there? A no is then a near miss.
    pub(crate) fn near(&self, matter: Matter, number: u32, situation: &GameState) -> bool {
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

/// The key of a game's rules, a part of the key of each of its worlds.
pub(crate) fn rules_key(game: &Game) -> String {
    digest([format!("{:?}", game.clauses.iter().map(|c| (&c.head, &c.body)).collect::<Vec<_>>())])
}

pub(crate) fn plain_term(term: &Term) -> String {
    if term.args().is_empty() {
        return plain(term.functor());
    }
    let arguments: Vec<String> = term.args().iter().map(plain_term).collect();
    format!("{}({})", plain(term.functor()), arguments.join(","))
}
