//! A state of a game, its rules and steps to sentences, by way of its phrase book or in flat terms.

use std::convert::Infallible;

use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;

use crate::games::play::ground_game::GroundGame;
use crate::games::words::phrase_book::{GameBook, drawn};
use crate::games::words::rules_text::verbal;
use crate::language::tell::verbalize::Verbalize;
use crate::language::words::holdout::Holdout;
use crate::language::words::text::{SEPARATOR, conjoined, filled};
use crate::phrases::book::{Phrasings, RelationPhrases};

/// Says things about one game.
pub(crate) struct GameVerbalizer<'a> {
    /// How it is told.
    pub(crate) book: &'a GameBook,
    /// The game and its players.
    pub(crate) arena: &'a GroundGame,
}

/// One phrasing of each list.
fn picked(lists: &[Phrasings], rng: &mut ChaCha8Rng) -> Vec<String> {
    lists.iter().map(|list| drawn(list, &[], rng)).collect()
}

impl GameVerbalizer<'_> {
    /// The sentences about the fluents of one entry.
    fn relation(&self, entry: &RelationPhrases, fluents: &[&Term], rng: &mut ChaCha8Rng) -> Vec<String> {
        let told = fluents.iter().filter_map(|fluent| self.book.relation(fluent));
        let told = told.filter(|(own, _)| own.line == entry.line);
        let mut sentences: Vec<String> = told.map(|(_, parts)| drawn(&entry.each, &parts, rng)).collect();
        if sentences.is_empty() && !entry.none.is_empty() {
            sentences.push(drawn(&entry.none, &[], rng));
        }
        sentences
    }

    /// The sentence about all fluents in flat terms.
    fn list(&self, fluents: &[&Term], rng: &mut ChaCha8Rng) -> String {
        if fluents.is_empty() {
            return self.book.sentence("empty_state", &[], rng);
        }
        let list: Vec<String> = fluents.iter().map(|fluent| self.statement(fluent, rng)).collect();
        self.book.sentence("state", &[list.join(SEPARATOR)], rng)
    }

    /// The clause that a player makes a move.
    fn one(&self, (role, action): &(Term, Term), rng: &mut ChaCha8Rng) -> String {
        match self.book.action(role, action) {
            Some((own, parts)) => drawn(&own.clause, &parts, rng),
            None => self.book.sentence("moves", &[role.to_string(), action.to_string()], rng),
        }
    }
}

impl<'a> Verbalize for GameVerbalizer<'a> {
    type Atom = Term;
    /// A move of each player.
    type Action = Vec<&'a (Term, Term)>;
    type Situation = [&'a Term];
    type Error = Infallible;

    /// In flat terms it is the fluent itself.
    fn statement(&self, fluent: &Term, rng: &mut ChaCha8Rng) -> String {
        let own = self.book.relation(fluent);
        let told = own.and_then(|(own, parts)| {
            let (_, phrasing) = Holdout::NONE.draw(&own.each, rng)?;
            Some(filled(&phrasing.clause(), &parts, ""))
        });
        told.unwrap_or_else(|| fluent.to_string())
    }

    fn clause(&self, moves: &Self::Action, rng: &mut ChaCha8Rng) -> String {
        conjoined(&moves.iter().map(|one| self.one(one, rng)).collect::<Vec<_>>())
    }

    /// Its fluents come in a random order; those of one entry stand together.
    fn situation(&self, fluents: &[&'a Term], rng: &mut ChaCha8Rng) -> Vec<String> {
        let mut fluents = fluents.to_vec();
        fluents.shuffle(rng);
        match &self.book.own {
            Some(own) => own.fluents.iter().flat_map(|entry| self.relation(entry, &fluents, rng)).collect(),
            None => vec![self.list(&fluents, rng)],
        }
    }

    /// Those of the game's own book, one of each list, or else its clauses in words; and what holds in any game.
    fn rules(&self, rng: &mut ChaCha8Rng) -> Result<Vec<String>, Infallible> {
        let GameVerbalizer { book, arena } = self;
        let mut sentences = match &book.own {
            Some(own) => picked(&own.rules, rng),
            None => [verbal(arena, book, rng), picked(&book.common.rules, rng)].concat(),
        };
        sentences.extend(picked(&book.common.frame, rng));
        Ok(sentences)
    }

    /// A move of the only player has a sentence of its own; what several do is told together.
    fn did(&self, place: usize, moves: &Self::Action, rng: &mut ChaCha8Rng) -> String {
        if let [(role, action)] = moves[..]
            && let Some((own, parts)) = self.book.action(role, action)
        {
            return drawn(&own.did, &parts, rng);
        }
        let told = self.clause(moves, rng);
        self.book.sentence("step", &[(place + 1).to_string(), told], rng)
    }

    fn idle(&self, rng: &mut ChaCha8Rng) -> Option<String> {
        Some(drawn(&self.book.common.no_actions, &[], rng))
    }
}
