//! A phrase book file to the phrasings of one game; a game without one is told in flat functional phrases.
//!
//! A phrase book stands beside its game (`NAME.phrases.toml` beside `NAME.kif`) and is read as the phrase books of
//! domains are. An action's first slot is the player; a fluent that is always told in words needs an entry, and so does
//! each move. Constants are named under `[terms]`.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use racgen_logic::fault::{Fault, Faults};
use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;

use crate::games::error::GameError;
use crate::games::gdl::syntax::Game;
use crate::games::play::corpus::Corpus;
use crate::games::words::questions::{FluentForm, GameQuestion};
use crate::language::tell::verbalize::ToldText;
use crate::language::words::holdout::Holdout;
use crate::language::words::text::{compound, filled, listed};
use crate::phrases::book::{ActionPhrases, PhraseBook, Phrasings, RelationPhrases};
use crate::phrases::pattern::{Pattern, PatternPlace};
use crate::phrases::reader::read_book;

/// The types of slots, besides `number`.
const TYPES: [&str; 2] = ["role", "thing"];

static COMMON: LazyLock<Result<PhraseBook, Faults>> = LazyLock::new(|| {
    read_book(
        "src/games/words/language.toml",
        include_str!("language.toml"),
        &[],
        &[&TYPES[..], &GENERIC].concat(),
    )
});
/// What slots of the generic phrases hold besides.
const GENERIC: [&str; 12] =
    ["list", "moves", "action", "head", "body", "value", "form", "atom", "one", "other", "fluent", "number"];

/// How a game is told.
#[derive(Clone, Debug)]
pub struct GameBook {
    /// The game's own phrases.
    pub own: Option<PhraseBook>,
    pub(crate) common: &'static PhraseBook,
}

/// No phrasings.
static NONE: Phrasings = Phrasings { line: 0, list: Vec::new() };

/// One of some phrasings, its slots filled.
pub(crate) fn drawn(phrasings: &Phrasings, parts: &[String], rng: &mut ChaCha8Rng) -> String {
    let drawn = Holdout::NONE.draw(phrasings, rng);
    drawn.map_or_else(String::new, |(_, phrasing)| filled(phrasing, parts, ""))
}

/// The arguments of a move as those of its entry: the player first.
fn with_player<'t>(role: &'t Term, action: &'t Term) -> Vec<&'t Term> {
    std::iter::once(role).chain(action.args()).collect()
}

/// Does the term have the pattern's functor, number of arguments and constants? The first places of an action's
/// pattern that the term lacks are the player's.
fn fits(pattern: &Pattern, arguments: &[&Term], functor: &str) -> bool {
    pattern.functor == functor
        && pattern.places.len() == arguments.len()
        && pattern.places.iter().zip(arguments).all(|(place, term)| match place {
            PatternPlace::Constant(name) => term.functor() == name && term.args().is_empty(),
            PatternPlace::Slot { .. } => true,
        })
}

impl GameBook {
    /// The phrases of any game.
    ///
    /// # Errors
    /// Faults of racgen's own phrases.
    pub fn generic() -> Result<GameBook, GameError> {
        let common = COMMON.as_ref().map_err(|faults| GameError::Faults(faults.clone()))?;
        Ok(GameBook { own: None, common })
    }

    /// The phrases of a game: those of a phrase book, given by its name and text, or those of any game.
    ///
    /// # Errors
    /// Faults of the phrase book, all of them.
    pub fn of(game: &Game, book: Option<(&str, &str)>) -> Result<GameBook, GameError> {
        let Some((file, text)) = book else { return GameBook::generic() };
        let constants: Vec<&str> = game.printed.values().map(|s| &**s).collect();
        let own = read_book(file, text, &constants, &TYPES).map_err(GameError::Faults)?;
        let book = GameBook { own: Some(own), ..GameBook::generic()? };
        book.check_commas()?;
        Ok(book)
    }

    /// Answers are listed with commas, so that what may be listed has none.
    fn check_commas(&self) -> Result<(), GameError> {
        let Some(own) = &self.own else { return Ok(()) };
        for action in &own.actions {
            let first = action.clause.list.first().map(|phrasing| listed(phrasing, ""));
            if first.is_some_and(|text| text.contains(',')) {
                let cause = "the first `if` of an action is listed in answers, and has a comma";
                return Err(Fault::new(&own.file, action.line, cause, "word it without").into());
            }
        }
        Ok(())
    }

    /// Does the book tell all that was seen of the game?
    ///
    /// # Errors
    /// The fluents and moves without an entry, in one sentence.
    pub fn cover(&self, corpus: &Corpus) -> Result<(), GameError> {
        let Some(own) = &self.own else { return Ok(()) };
        let mut missing: BTreeSet<String> = BTreeSet::new();
        for fluent in corpus.fluents.iter().filter(|f| self.relation(f).is_none()) {
            missing.insert(format!("fluent.\"{}/{}\"", fluent.functor(), fluent.args().len()));
        }
        for (_, action) in corpus.moves.iter().filter(|(r, a)| self.action(r, a).is_none()) {
            missing.insert(format!("action.\"{}/{}\"", action.functor(), action.args().len() + 1));
        }
        if missing.is_empty() {
            return Ok(());
        }
        let list = missing.into_iter().collect::<Vec<_>>().join(", ");
        let cause = format!("there is no entry for {list}, which the game can reach");
        let remedy = "add it, or ask for --generic; the first slot of an action is its player";
        Err(Fault::new(&own.file, 0, cause, remedy).into())
    }

    /// The entry of a fluent, and what fills its slots.
    pub(crate) fn relation(&self, fluent: &Term) -> Option<(&RelationPhrases, Vec<String>)> {
        let arguments: Vec<&Term> = fluent.args().iter().collect();
        let mut entries = self.own.as_ref()?.fluents.iter();
        let relation = entries.find(|r| fits(&r.pattern, &arguments, fluent.functor()))?;
        Some((relation, self.fillers(&relation.pattern, &arguments)))
    }

    /// The entry of a move, and what fills its slots.
    pub(crate) fn action(&self, role: &Term, action: &Term) -> Option<(&ActionPhrases, Vec<String>)> {
        let arguments = with_player(role, action);
        let mut entries = self.own.as_ref()?.actions.iter();
        let own = entries.find(|a| fits(&a.pattern, &arguments, action.functor()))?;
        Some((own, self.fillers(&own.pattern, &arguments)))
    }

    /// What the text calls a constant or an argument; without a name it is the flat term.
    pub fn name(&self, term: &Term) -> String {
        let own = self.own.as_ref();
        let named = own.and_then(|own| compound(&own.terms, term, |argument| self.name(argument)));
        named.unwrap_or_else(|| term.to_string())
    }

    /// The names that fill the slots of a pattern, by place.
    fn fillers(&self, pattern: &Pattern, arguments: &[&Term]) -> Vec<String> {
        let slots = pattern.places.iter().zip(arguments);
        slots.filter(|(p, _)| matches!(p, PatternPlace::Slot { .. })).map(|(_, t)| self.name(t)).collect()
    }

    /// The phrasings of a sentence of those that any game is told in.
    pub(crate) fn common_sentence(&self, functor: &str) -> &Phrasings {
        let found = self.common.sentences.iter().find(|(pattern, _)| pattern.functor == functor);
        found.map_or(&NONE, |(_, list)| list)
    }

    /// A sentence of those that any game is told in.
    pub(crate) fn sentence(&self, functor: &str, parts: &[String], rng: &mut ChaCha8Rng) -> String {
        drawn(self.common_sentence(functor), parts, rng)
    }

    /// A part of a rule.
    pub(crate) fn part(&self, functor: &str, parts: &[String]) -> String {
        let found = self.common.terms.iter().find(|(pattern, _)| pattern.functor == functor);
        found.map_or_else(String::new, |(_, phrasing)| filled(phrasing, parts, ""))
    }

    /// A move as it stands in answers: in the first wording of its entry, or as a flat term.
    pub fn in_answer(&self, role: &Term, action: &Term) -> String {
        let own = self.action(role, action);
        let told = own.and_then(|(own, parts)| Some(filled(own.clause.list.first()?, &parts, "")));
        told.unwrap_or_else(|| action.to_string())
    }

    /// The phrasings of a question and what fills their slots.
    fn phrased(&self, question: &GameQuestion) -> (String, &Phrasings, Vec<String>) {
        let common = |functor: &str, parts: Vec<String>| {
            let own = self.own.iter().chain([self.common]);
            let mut found = own
                .flat_map(|b| &b.questions)
                .filter(|q| q.pattern.functor == functor && q.pattern.places.len() == parts.len());
            (functor.to_owned(), found.next().map_or(&NONE, |q| &q.ask), parts)
        };
        match question {
            GameQuestion::Holds(fluent) => match self.relation(fluent) {
                Some((own, parts)) => (format!("holds_{}", fluent.functor()), &own.ask, parts),
                None => common("holds", vec![fluent.to_string()]),
            },
            GameQuestion::Legal(role, action) => match self.action(role, action) {
                Some((own, parts)) => (format!("legal_{}", action.functor()), &own.can, parts),
                None => common("legal", vec![role.to_string(), action.to_string()]),
            },
            GameQuestion::Goal(role, value) => common("goal", vec![self.name(role), self.name(value)]),
            GameQuestion::Terminal => common("terminal", vec![]),
            GameQuestion::CountLegal(role) => common("count_legal", vec![self.name(role)]),
            GameQuestion::WhichLegal(role) => common("which_legal", vec![self.name(role)]),
            GameQuestion::GoalValue(role) => common("goal_value", vec![self.name(role)]),
            GameQuestion::CountHolds(form) | GameQuestion::WhichHolds(form) => {
                let counts = matches!(question, GameQuestion::CountHolds(_));
                let sign = if counts { "_" } else { "?" };
                match self.slot_phrases(form, counts) {
                    Some((pattern, list)) => {
                        let empty = Term::constant("");
                        let arguments: Vec<&Term> =
                            form.places.iter().map(|p| p.as_ref().unwrap_or(&empty)).collect();
                        let name = if counts { "count_holds" } else { "which_holds" };
                        (format!("{name}_{}", form.functor), list, self.fillers(pattern, &arguments))
                    }
                    None if counts => common("count_holds", vec![form.text(sign)]),
                    None => common("which_holds", vec![form.text(sign)]),
                }
            }
        }
    }

    /// The `count` or `which` phrases of a form with one open slot.
    fn slot_phrases(&self, form: &FluentForm, counts: bool) -> Option<(&Pattern, &Phrasings)> {
        let open: Vec<usize> = (0..form.places.len()).filter(|n| form.places[*n].is_none()).collect();
        let [open] = open[..] else { return None };
        self.own.as_ref()?.fluents.iter().find_map(|relation| {
            let empty = Term::constant("");
            let arguments: Vec<&Term> = form.places.iter().map(|p| p.as_ref().unwrap_or(&empty)).collect();
            if !fits(&relation.pattern, &arguments, &form.functor)
                || !matches!(relation.pattern.places[open], PatternPlace::Slot { .. })
            {
                return None;
            }
            let before = &relation.pattern.places[..open];
            let slot = before.iter().filter(|p| matches!(p, PatternPlace::Slot { .. })).count();
            let lists = if counts { &relation.count } else { &relation.which };
            lists.iter().find(|(own, _)| *own == slot).map(|(_, list)| (&relation.pattern, list))
        })
    }

    /// How many phrasings a question has; none if the book does not ask it.
    pub fn phrasings(&self, question: &GameQuestion) -> usize {
        self.phrased(question).1.list.len()
    }

    /// Can forms with one place open be asked about, and if the book asks, about which place?
    pub fn asks(&self, form: &FluentForm, counts: bool) -> bool {
        self.own.is_none() || self.slot_phrases(form, counts).is_some()
    }

    /// A question in its phrasing of this number, and the phrasing's name.
    pub fn question(&self, question: &GameQuestion, number: usize) -> ToldText {
        let (form, list, parts) = self.phrased(question);
        let text = list.list.get(number).map_or_else(String::new, |phrasing| filled(phrasing, &parts, ""));
        (text, format!("{form}.{}", number + 1))
    }
}
