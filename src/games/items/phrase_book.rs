//! A phrase book file to the phrasings of one game; a game without one is told in flat functional phrases.
//!
//! A phrase book stands beside its game (`NAME.phrases.toml` beside `NAME.kif`) and is read as the phrase books of
//! domains are. An action's first slot is the player; a fluent that is always told in words needs an entry, and so does
//! each move. Constants are named under `[terms]`.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use racgen_logic::fault::{Fault, Faults};
use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::games::error::GameError;
use crate::games::gdl::syntax::Game;
use crate::games::play::traces::Corpus;
use crate::language::words::text::capital;
use crate::phrases::book::{ActionPhrases, PhraseBook, Phrasings, RelationPhrases};
use crate::phrases::pattern::{Pattern, PatternPlace};
use crate::phrases::reader::read_book;

/// The types of slots, besides `number`.
const TYPES: [&str; 2] = ["role", "thing"];
/// What separates the answers of a list.
pub const SEPARATOR: &str = ", ";

static COMMON: LazyLock<Result<PhraseBook, Faults>> = LazyLock::new(|| {
    read_book(
        "src/games/items/language.toml",
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

/// A text and the name of the phrasing it came of.
pub type ToldText = (String, String);

fn fill(phrasings: &Phrasings, number: usize, parts: &[String]) -> String {
    let mut out = String::new();
    if let Some(phrasing) = phrasings.list.get(number) {
        phrasing.fill(&mut out, |slot| parts.get(slot).map_or("", String::as_str));
    }
    out
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
            let text = fill(&action.clause, 0, &vec![String::new(); action.pattern.places.len() + 1]);
            if text.contains(',') {
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
        for (role, action) in corpus.moves.iter().filter(|(r, a)| self.action(r, a).is_none()) {
            let _ = role;
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

    fn relation(&self, fluent: &Term) -> Option<&RelationPhrases> {
        let arguments: Vec<&Term> = fluent.args().iter().collect();
        self.own.as_ref()?.fluents.iter().find(|r| fits(&r.pattern, &arguments, fluent.functor()))
    }

    fn action(&self, role: &Term, action: &Term) -> Option<&ActionPhrases> {
        let arguments: Vec<&Term> = std::iter::once(role).chain(action.args()).collect();
        self.own.as_ref()?.actions.iter().find(|a| fits(&a.pattern, &arguments, action.functor()))
    }

    /// What the text calls a constant or an argument; without a name it is the flat term.
    pub fn name(&self, term: &Term) -> String {
        let terms = self.own.iter().flat_map(|own| &own.terms);
        let mut named = terms.filter(|(pattern, _)| term.is(&pattern.functor, pattern.places.len()));
        match named.next() {
            Some((_, phrasing)) => {
                let parts: Vec<String> = term.args().iter().map(|a| self.name(a)).collect();
                let mut out = String::new();
                phrasing.fill(&mut out, |slot| parts.get(slot).map_or("", String::as_str));
                out
            }
            None => term.to_string(),
        }
    }

    /// The names that fill the slots of a pattern, by place.
    fn fillers(&self, pattern: &Pattern, arguments: &[&Term]) -> Vec<String> {
        let slots = pattern.places.iter().zip(arguments);
        slots.filter(|(p, _)| matches!(p, PatternPlace::Slot { .. })).map(|(_, t)| self.name(t)).collect()
    }

    pub(crate) fn common_sentence(&self, functor: &str) -> Phrasings {
        let found = self.common.sentences.iter().find(|(pattern, _)| pattern.functor == functor);
        found.map(|(_, list)| list.clone()).unwrap_or_default()
    }

    /// A sentence of those that any game is told in.
    pub fn sentence(&self, functor: &str, parts: &[String], rng: &mut ChaCha8Rng) -> String {
        let list = self.common_sentence(functor);
        fill(&list, rng.random_range(0..list.list.len().max(1)), parts)
    }

    /// A part of a rule.
    pub fn part(&self, functor: &str, parts: &[String]) -> String {
        let mut out = String::new();
        if let Some((_, phrasing)) = self.common.terms.iter().find(|(p, _)| p.functor == functor) {
            phrasing.fill(&mut out, |slot| parts.get(slot).map_or("", String::as_str));
        }
        out
    }

    /// The state as a paragraph, its fluents in a random order.
    pub fn state(&self, fluents: &mut [&Term], rng: &mut ChaCha8Rng) -> String {
        use rand::seq::SliceRandom;
        fluents.shuffle(rng);
        let Some(own) = &self.own else {
            if fluents.is_empty() {
                return self.sentence("empty_state", &[], rng);
            }
            let list = fluents.iter().map(|f| f.to_string()).collect::<Vec<_>>().join(SEPARATOR);
            return self.sentence("state", &[list], rng);
        };
        let mut sentences = Vec::new();
        for relation in &own.fluents {
            let mut met = false;
            for fluent in fluents.iter().filter(|f| self.relation(f).is_some_and(|r| r.line == relation.line))
            {
                met = true;
                let arguments: Vec<&Term> = fluent.args().iter().collect();
                let number = rng.random_range(0..relation.each.list.len().max(1));
                sentences.push(fill(&relation.each, number, &self.fillers(&relation.pattern, &arguments)));
            }
            if !met && !relation.none.is_empty() {
                sentences.push(fill(&relation.none, rng.random_range(0..relation.none.list.len()), &[]));
            }
        }
        sentences.iter().map(|s| capital(s)).collect::<Vec<_>>().join(" ")
    }

    /// The steps as a paragraph; each has one move for each player.
    pub fn steps(&self, steps: &[Vec<&(Term, Term)>], rng: &mut ChaCha8Rng) -> String {
        let none = &self.common.no_actions;
        if steps.is_empty() {
            return fill(none, rng.random_range(0..none.list.len().max(1)), &[]);
        }
        let mut sentences = Vec::new();
        for (number, step) in steps.iter().enumerate() {
            if let ([(role, action)], Some(own)) =
                (&step[..], step.first().and_then(|m| self.action(&m.0, &m.1)))
            {
                let arguments: Vec<&Term> = std::iter::once(role).chain(action.args()).collect();
                let pick = rng.random_range(0..own.did.list.len().max(1));
                sentences.push(capital(&fill(&own.did, pick, &self.fillers(&own.pattern, &arguments))));
                continue;
            }
            let clauses: Vec<String> =
                step.iter().map(|(role, action)| self.clause(role, action, Some(rng))).collect();
            let moves = match &clauses[..] {
                [front @ .., last] if !front.is_empty() => format!("{} and {last}", front.join(", ")),
                all => all.join(""),
            };
            sentences.push(self.sentence("step", &[(number + 1).to_string(), moves], rng));
        }
        sentences.join(" ")
    }

    /// That a player makes a move, as a clause; without dice, as it stands in answers.
    pub fn clause(&self, role: &Term, action: &Term, rng: Option<&mut ChaCha8Rng>) -> String {
        match (self.action(role, action), rng) {
            (Some(own), rng) => {
                let arguments: Vec<&Term> = std::iter::once(role).chain(action.args()).collect();
                let pick = rng.map_or(0, |rng| rng.random_range(0..own.clause.list.len().max(1)));
                fill(&own.clause, pick, &self.fillers(&own.pattern, &arguments))
            }
            (None, Some(rng)) => self.sentence("moves", &[role.to_string(), action.to_string()], rng),
            (None, None) => action.to_string(),
        }
    }

    /// The phrasings of a question and what fills their slots.
    fn phrased(&self, question: &GameQuestion) -> (String, &Phrasings, Vec<String>) {
        static NONE: Phrasings = Phrasings { line: 0, list: Vec::new() };
        let common = |functor: &str, parts: Vec<String>| {
            let own = self.own.iter().chain([self.common]);
            let mut found = own
                .flat_map(|b| &b.questions)
                .filter(|q| q.pattern.functor == functor && q.pattern.places.len() == parts.len());
            (functor.to_owned(), found.next().map_or(&NONE, |q| &q.ask), parts)
        };
        match question {
            GameQuestion::Holds(fluent) => match self.relation(fluent) {
                Some(relation) => {
                    let arguments: Vec<&Term> = fluent.args().iter().collect();
                    let parts = self.fillers(&relation.pattern, &arguments);
                    (format!("holds_{}", fluent.functor()), &relation.ask, parts)
                }
                None => common("holds", vec![fluent.to_string()]),
            },
            GameQuestion::Legal(role, action) => match self.action(role, action) {
                Some(own) => {
                    let arguments: Vec<&Term> = std::iter::once(role).chain(action.args()).collect();
                    let parts = self.fillers(&own.pattern, &arguments);
                    (format!("legal_{}", action.functor()), &own.can, parts)
                }
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
        (fill(list, number, &parts), format!("{form}.{}", number + 1))
    }
}

pub(crate) fn picked(lists: &[Phrasings], rng: &mut ChaCha8Rng) -> Vec<String> {
    lists.iter().map(|list| fill(list, rng.random_range(0..list.list.len().max(1)), &[])).collect()
}

/// A fluent with open places.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FluentForm {
    /// The functor.
    pub functor: String,
    /// The arguments; none where the place is open.
    pub places: Vec<Option<Term>>,
}

impl FluentForm {
    /// The form as a term, with a sign in open places.
    pub fn text(&self, open: &str) -> String {
        let places = self.places.iter().map(|p| p.as_ref().map_or(open.to_owned(), Term::to_string));
        format!("{}({})", self.functor, places.collect::<Vec<_>>().join(","))
    }

    /// Does a fluent have this form?
    pub fn fits(&self, fluent: &Term) -> bool {
        fluent.is(&self.functor, self.places.len())
            && self
                .places
                .iter()
                .zip(fluent.args())
                .all(|(place, own)| place.as_ref().is_none_or(|p| p == own))
    }
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GameQuestion {
    /// Does the fluent hold?
    Holds(Term),
    /// May the role make the move?
    Legal(Term, Term),
    /// Is this the role's goal value?
    Goal(Term, Term),
    /// Is it the end?
    Terminal,
    /// How many moves has the role?
    CountLegal(Term),
    /// How many fluents have this form?
    CountHolds(FluentForm),
    /// Which moves has the role?
    WhichLegal(Term),
    /// Which values of the open place make the form hold?
    WhichHolds(FluentForm),
    /// What is the role's goal value?
    GoalValue(Term),
}

impl GameQuestion {
    /// The family's name.
    pub fn family(&self) -> &'static str {
        match self {
            GameQuestion::Holds(_) => "holds",
            GameQuestion::Legal(..) => "legal",
            GameQuestion::Goal(..) => "goal",
            GameQuestion::Terminal => "terminal",
            GameQuestion::CountLegal(_) => "count_legal",
            GameQuestion::CountHolds(_) => "count_holds",
            GameQuestion::WhichLegal(_) => "which_legal",
            GameQuestion::WhichHolds(_) => "which_holds",
            GameQuestion::GoalValue(_) => "goal_value",
        }
    }

    /// `verify`, `count` or `other`.
    pub fn kind(&self) -> &'static str {
        match self {
            GameQuestion::Holds(_)
            | GameQuestion::Legal(..)
            | GameQuestion::Goal(..)
            | GameQuestion::Terminal => "verify",
            GameQuestion::CountLegal(_) | GameQuestion::CountHolds(_) => "count",
            _ => "other",
        }
    }
}
