//! Items of games to verdicts: what the text tells of a state and of moves goes to clingo with the game's flattened
//! rules, and what clingo makes of it must be the row's.
//!
//! The native network that made the answers has no part in it.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use racgen_data::row::Row;
use racgen_logic::clingo::{Program, Source};
use racgen_logic::seed::digest;
use racgen_logic::term::Term;
use rustc_hash::FxHashMap as HashMap;

use crate::audit::beside::GameTexts;
use crate::audit::reread::games::clingo_names::GameWords;
use crate::audit::reread::verdict::{Finding, Sound, Trouble, Verdict, broken, finding};
use crate::audit::reread::voice::{
    Voice, bare, context, misread, row_by_row, same, same_answer, same_facts, same_list,
};
use crate::games::gdl::flatten::Flat;
use crate::games::gdl::syntax::Game;
use crate::games::items::answers::{plain_term, rules_key};
use crate::games::items::drafts::identity;
use crate::games::play::ground_game::{GroundGame, Limits, order};
use crate::games::tasks::reference::{plain, reference, spell};
use crate::games::words::book_reader::{GameBookReader, ToldMove};
use crate::games::words::phrase_book::GameBook;
use crate::games::words::questions::{FluentForm, GameQuestion};
use crate::language::words::text::SEPARATOR;

/// States whose consequences are kept at once.
const KEPT: usize = 20_000;

/// A role and what it does.
type Move = (Term, Term);

/// What clingo says of a state.
#[derive(Debug, Default)]
struct View {
    /// Legal moves in their order, those of others than the players left out.
    legal: Vec<Move>,
    /// Goals in their order.
    goals: Vec<Move>,
    /// Is it the end?
    terminal: bool,
    /// What holds next, for the moves made.
    next: Vec<Term>,
}

/// A game whose items can be read back.
pub(crate) struct GameVoice {
    game: Game,
    reader: GameBookReader,
    roles: Vec<Term>,
    /// What is always so, in clingo's terms.
    statics: Vec<String>,
    rules: Source,
    /// The relations that the rules derive.
    shown: Vec<(String, usize)>,
    words: GameWords,
    key: String,
    /// Do goals or the end depend on moves made? They are then those without any.
    clears: bool,
    views: Mutex<HashMap<String, Arc<View>>>,
}

/// What the rows of a story share.
struct ReadGame {
    world: Arc<str>,
    instance: Arc<str>,
    /// The first state and the last.
    states: [Vec<Term>; 2],
    views: [Arc<View>; 2],
    depth: usize,
}

/// An answer that was worked out.
#[derive(PartialEq, Eq)]
struct DerivedReply {
    text: String,
    gold: Vec<String>,
    kind: &'static str,
}

impl GameVoice {
    /// Who reads the rows of a game, or what keeps them from being read; nobody, for no reason to be told, where the
    /// version that comes with racgen is another than that of the data.
    pub(crate) fn reader(texts: &GameTexts, limit: Duration) -> Result<GameVoice, Option<Finding>> {
        GameVoice::new(texts, limit).map_err(|found| (!texts.own).then_some(found))
    }

    fn new(texts: &GameTexts, limit: Duration) -> Result<GameVoice, Finding> {
        let (file, text) = &texts.game;
        let game = Game::read(text, file).map_err(|fault| broken(fault.to_string()))?;
        let book = texts.book.as_ref().map(|(file, text)| (file.as_str(), text.as_str()));
        let book = GameBook::of(&game, book).map_err(|error| broken(error.to_string()))?;
        // The rules of one step are grounded, which is enough for players and statics.
        let limits = Limits { time: limit, ..Limits::default() };
        let stepwise = Some("texts are read back".to_owned());
        let arena = GroundGame::grounded(game.clone(), &limits, false, stepwise);
        let mut arena = arena.map_err(|error| broken(error.to_string()))?;
        let mut solution = reference(&arena);
        let (file, rules) = match &texts.reference {
            None => ("the flattened rules".to_owned(), solution.asp()),
            Some((file, text)) => {
                if solution.asp() != *text {
                    // What a variable for a whole fluent may be is known from the grounding of the whole game.
                    let whole = GroundGame::new(game.clone(), &Limits::default());
                    arena = whole.map_err(|error| broken(error.to_string()))?;
                    solution = reference(&arena);
                }
                if solution.asp() != *text {
                    let (game, _) = &texts.game;
                    return Err(broken(format!("`{file}` has other rules than `{game}`")));
                }
                (file.clone(), text.clone())
            }
        };
        let statics =
            arena.statics.iter().map(|atom| spell(&Flat::fixed(&game, atom), None, false)).collect();
        Ok(GameVoice {
            reader: GameBookReader::new(&game, book, &arena.roles),
            roles: arena.roles,
            statics,
            rules: Source::new(file, rules),
            shown: solution.derived().into_iter().collect(),
            words: GameWords::new(&game),
            key: rules_key(&game),
            clears: arena.clears,
            views: Mutex::default(),
            game,
        })
    }

    fn true_in(&self, fluent: &Term) -> String {
        spell(&Flat::new(&self.game, "true", &[], fluent), None, false)
    }

    fn of_move(&self, relation: &str, (role, action): &Move) -> String {
        spell(&Flat::new(&self.game, relation, &[role], action), None, false)
    }

    /// What clingo says of a state and of moves made in it.
    fn view(&self, state: &[Term], moves: &[Move]) -> Result<Arc<View>, Finding> {
        let state = state.iter().map(|fluent| self.true_in(fluent));
        let made = moves.iter().map(|one| self.of_move("does", one));
        let facts: String = state.chain(made).map(|fact| fact + ".\n").collect();
        let views = || self.views.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = views().get(&facts) {
            return Ok(known.clone());
        }
        let view = Arc::new(self.solve(&facts)?);
        let mut views = views();
        if views.len() >= KEPT {
            views.clear();
        }
        views.insert(facts, view.clone());
        Ok(view)
    }

    fn solve(&self, facts: &str) -> Result<View, Finding> {
        let statics: String = self.statics.iter().map(|fact| format!("{fact}.\n")).collect();
        let sources = vec![self.rules.clone(), Source::new("what the text tells", statics + facts)];
        let program = Program { sources, ..Program::default() };
        let shown: Vec<(&str, usize)> =
            self.shown.iter().map(|(name, arity)| (name.as_str(), *arity)).collect();
        let ground = program.ground(&shown).map_err(|error| broken(error.to_string()))?;
        let mut view = View::default();
        for (atom, open) in &ground.named {
            if open.is_some() {
                return Err(broken(format!("clingo leaves open whether `{atom}` follows")));
            }
            if atom.is("terminal", 0) {
                view.terminal = true;
            } else if atom.is("goal", 2) {
                view.goals.push((self.words.term(&atom.args()[0])?, self.words.term(&atom.args()[1])?));
            } else if let Some(fluent) = self.words.joined(atom, "next", 0)? {
                view.next.push(fluent);
            } else if let Some(action) = self.words.joined(atom, "legal", 1)? {
                view.legal.push((self.words.term(&atom.args()[0])?, action));
            }
        }
        let by_pair = |a: &Move, b: &Move| order(&a.0, &b.0).then_with(|| order(&a.1, &b.1));
        view.legal.retain(|(role, _)| self.roles.contains(role));
        view.goals.retain(|(role, _)| self.roles.contains(role));
        view.legal.sort_by(by_pair);
        view.goals.sort_by(by_pair);
        view.next.sort_by(order);
        Ok(view)
    }

    /// The legal moves that a step makes, one for each player.
    fn made(&self, step: usize, told: &[ToldMove], view: &View) -> Result<Vec<Move>, Finding> {
        if view.terminal {
            return finding(Trouble::Impossible, format!("the game is over before step {step}"));
        }
        let mut made: Vec<Move> = Vec::new();
        for one in told {
            let mut fitting = view.legal.iter().filter(|(role, action)| one.fits(role, action));
            match (fitting.next(), fitting.next()) {
                (Some(only), None) => made.push(only.clone()),
                (None, _) => {
                    return finding(
                        Trouble::Impossible,
                        format!("a move of step {step} is not legal: {one:?}"),
                    );
                }
                _ => return finding(Trouble::Ambiguous, format!("a move of step {step}")),
            }
        }
        let movers: BTreeSet<&str> = made.iter().map(|(role, _)| role.functor()).collect();
        if movers.len() != self.roles.len() || made.len() != self.roles.len() {
            return finding(Trouble::Impossible, format!("step {step} has not one move for each player"));
        }
        Ok(made)
    }

    /// The objects of the column are constants of the game under their names, and those that the text needs are there.
    fn objects(&self, row: &Row, state: &[Term], moves: &[Move]) -> Result<(), Finding> {
        let mut met: BTreeSet<&str> = BTreeSet::new();
        for object in row.objects.iter() {
            let wrong =
                |why: &str| finding(Trouble::Columns, format!("the column objects: `{}` {why}", object.id));
            let Some(Some(symbol)) = self.words.symbols.get(&*object.id) else {
                return wrong("is no constant of the game");
            };
            let constant = Term::constant(symbol);
            let kind = match symbol.parse::<i64>() {
                _ if self.roles.contains(&constant) => "role",
                Ok(_) => "number",
                Err(_) => "constant",
            };
            if kind != &*object.kind {
                return wrong(&format!("is no {}, but a {kind}", object.kind));
            }
            if self.reader.book().name(&constant) != *object.name {
                return wrong(&format!("is not called `{}`", object.name));
            }
            if !met.insert(&object.id) {
                return wrong("stands twice");
            }
        }
        let of_terms = state.iter().chain(moves.iter().map(|one| &one.1)).flat_map(Term::args);
        for constant in of_terms.filter(|t| t.args().is_empty()).chain(&self.roles) {
            if !met.contains(plain(constant.functor()).as_str()) {
                return finding(Trouble::Columns, format!("the column objects lacks `{constant}`"));
            }
        }
        Ok(())
    }

    /// The facts of the text and of the game are those of the column.
    fn facts(&self, row: &Row, state: &[Term]) -> Result<(), Finding> {
        let told = state.iter().map(|fluent| self.true_in(fluent));
        let facts: BTreeSet<String> = self.statics.iter().cloned().chain(told).collect();
        let given: BTreeSet<String> = row.facts.iter().cloned().collect();
        same_facts(&given, &facts)
    }

    fn shape(&self, shape: &FluentForm) -> String {
        let open = || Term::constant("any");
        let places = shape.places.iter().map(|place| place.clone().unwrap_or_else(open)).collect();
        self.true_in(&Term::function(&shape.functor, places))
    }

    /// The question as a ground term.
    fn query(&self, question: &GameQuestion) -> String {
        match question {
            GameQuestion::Holds(fluent) => self.true_in(fluent),
            GameQuestion::Legal(role, action) => self.of_move("legal", &(role.clone(), action.clone())),
            GameQuestion::Goal(role, value) => format!("goal({},{})", plain_term(role), plain_term(value)),
            GameQuestion::Terminal => "terminal".into(),
            GameQuestion::CountLegal(role) => format!("count_legal({})", plain_term(role)),
            GameQuestion::WhichLegal(role) => format!("which_legal({})", plain_term(role)),
            GameQuestion::GoalValue(role) => format!("goal_value({})", plain_term(role)),
            GameQuestion::CountHolds(shape) => format!("count_holds({})", self.shape(shape)),
            GameQuestion::WhichHolds(shape) => format!("which_holds({})", self.shape(shape)),
        }
    }

    fn answer(&self, question: &GameQuestion, state: &[Term], view: &View) -> Result<DerivedReply, Finding> {
        let number = |count: usize| DerivedReply {
            gold: vec![count.to_string()],
            text: count.to_string(),
            kind: "number",
        };
        let truth = |yes: bool| {
            let text = if yes { "yes" } else { "no" };
            DerivedReply { gold: vec![text.into()], text: text.into(), kind: "bool" }
        };
        let own =
            |role: &Term| view.legal.iter().filter(|(own, _)| own == role).cloned().collect::<Vec<Move>>();
        let moves = matches!(
            question,
            GameQuestion::Legal(..) | GameQuestion::CountLegal(_) | GameQuestion::WhichLegal(_)
        );
        if moves && view.terminal {
            return finding(Trouble::Impossible, "the question is about moves, and the game is over");
        }
        Ok(match question {
            GameQuestion::Holds(fluent) => truth(state.contains(fluent)),
            GameQuestion::Legal(role, action) => truth(view.legal.contains(&(role.clone(), action.clone()))),
            GameQuestion::Goal(role, value) => truth(view.goals.contains(&(role.clone(), value.clone()))),
            GameQuestion::Terminal => truth(view.terminal),
            GameQuestion::CountLegal(role) => number(own(role).len()),
            GameQuestion::CountHolds(shape) => number(state.iter().filter(|f| shape.fits(f)).count()),
            GameQuestion::WhichLegal(role) => {
                let moves = own(role);
                let texts = moves.iter().map(|(role, action)| self.reader.book().in_answer(role, action));
                let texts: Vec<String> = texts.collect();
                self.tells_apart(&texts, &moves)?;
                list(moves.iter().map(|one| self.of_move("legal", one)).collect(), texts)?
            }
            GameQuestion::WhichHolds(shape) => {
                let open: Vec<usize> =
                    (0..shape.places.len()).filter(|place| shape.places[*place].is_none()).collect();
                let [open] = open[..] else {
                    return finding(Trouble::Unreadable, "the question leaves several places open");
                };
                let mut values: Vec<&Term> =
                    state.iter().filter(|f| shape.fits(f)).map(|f| &f.args()[open]).collect();
                values.sort_by(|a, b| order(a, b));
                let gold = values.iter().map(|value| plain_term(value)).collect();
                list(gold, values.iter().map(|value| self.reader.book().name(value)).collect())?
            }
            GameQuestion::GoalValue(role) => {
                let values: Vec<&Move> = view.goals.iter().filter(|(own, _)| own == role).collect();
                let [(_, value)] = values[..] else {
                    return finding(
                        Trouble::Impossible,
                        format!("`{role}` has {} goal values", values.len()),
                    );
                };
                let text = self.reader.book().name(value);
                let kind = if text.parse::<i64>().is_ok() { "number" } else { "name" };
                DerivedReply { gold: vec![plain(&value.to_string())], text, kind }
            }
        })
    }

    /// Each move of a list is read back as itself, where its clause is a wording of the book.
    fn tells_apart(&self, texts: &[String], moves: &[Move]) -> Result<(), Finding> {
        for (text, (role, action)) in texts.iter().zip(moves) {
            let read = self.reader.moves_told(text);
            if !read.is_empty() && !read.iter().any(|told| told.fits(role, action)) {
                return finding(Trouble::Ambiguous, format!("the move \"{text}\" of the answer"));
            }
        }
        Ok(())
    }
}

/// A list as an answer. What is listed must be told apart.
fn list(gold: Vec<String>, texts: Vec<String>) -> Result<DerivedReply, Finding> {
    let text = texts.join(SEPARATOR);
    let distinct: BTreeSet<&String> = texts.iter().collect();
    if !texts.is_empty() && (distinct.len() != texts.len() || !text.split(SEPARATOR).eq(texts.iter())) {
        return finding(Trouble::Ambiguous, format!("the list \"{text}\" of the answer"));
    }
    Ok(match texts.len() {
        0 => DerivedReply { gold: vec!["none".to_owned()], text: "none".to_owned(), kind: "none" },
        1 => DerivedReply { gold, text, kind: "name" },
        _ => DerivedReply { gold, text, kind: "names" },
    })
}

impl Voice for GameVoice {
    fn story(&self, rows: &[&Row]) -> Vec<Verdict> {
        row_by_row(self.read(rows), rows, |story, row| self.row(story, row))
    }

    fn identity(&self, row: &Row) -> Option<String> {
        Some(identity(row))
    }
}

impl GameVoice {
    /// Reads and plays what the rows of a story share, and compares it with their columns.
    fn read(&self, rows: &[&Row]) -> Result<ReadGame, Finding> {
        let Some(row) = rows.first() else { return finding(Trouble::Unreadable, "a story without rows") };
        let unread = |what: &'static str| move |cause| misread(what, "", cause);
        self.reader.rules.read(&row.rules).map_err(unread("rules"))?;
        let mut start = self.reader.state(&row.initial_state).map_err(unread("initial state"))?;
        start.sort_by(order);
        let told = start.len();
        start.dedup();
        if start.len() != told {
            return finding(Trouble::Impossible, "the initial state tells a fluent twice");
        }
        let steps = self.reader.steps(&row.actions).map_err(unread("steps"))?;
        let (mut here, mut plan, mut moves) = (start.clone(), Vec::new(), Vec::new());
        let mut first = None;
        for (number, step) in steps.iter().enumerate() {
            // What is legal does not depend on what is done, so that one look tells both.
            let whole: Option<Vec<Move>> = step.iter().map(ToldMove::whole).collect();
            let view = self.view(&here, &whole.filter(|_| !self.clears).unwrap_or_default())?;
            let made = self.made(number + 1, step, &view)?;
            plan.extend(made.iter().map(|one| self.of_move("does", one)));
            first = first.or((!self.clears).then(|| view.clone()));
            here = self.view(&here, &made)?.next.clone();
            moves.extend(made);
        }
        self.objects(row, &start, &moves)?;
        self.facts(row, &start)?;
        same_list("plan", &row.plan, &plan)?;
        let state: Vec<String> = start.iter().map(|fluent| self.true_in(fluent)).collect();
        let key = std::iter::once(self.key.as_str());
        let world = digest(key.chain(state.iter().map(String::as_str)));
        let instance = digest(std::iter::once(world.as_str()).chain(plan.iter().map(String::as_str)));
        let last = self.view(&here, &[])?;
        let first =
            if steps.is_empty() { last.clone() } else { first.map_or_else(|| self.view(&start, &[]), Ok)? };
        let views = [first, last];
        let depth = steps.len();
        Ok(ReadGame { world: world.into(), instance: instance.into(), states: [start, here], views, depth })
    }

    /// Reads and answers a row's question, and compares both with its columns.
    fn row(&self, story: &ReadGame, row: &Row) -> Result<Sound, Finding> {
        context(row)?;
        bare(row)?;
        same("world", &row.world, &story.world)?;
        same("depth", &row.depth.to_string(), &story.depth.to_string())?;
        same("level", &row.level.to_string(), "1")?;
        let read = self.reader.question(&row.question);
        let (question, template) = read.map_err(|cause| misread("question", &row.question, cause))?;
        let [before, after] = [0, 1].map(|n| self.answer(&question, &story.states[n], &story.views[n]));
        let answer = after?;
        same_answer(row, &answer.text)?;
        same_list("gold", &row.gold, &answer.gold)?;
        same("query", &row.query, &self.query(&question))?;
        same("question_type", &row.question_type, question.kind())?;
        same("family", &row.family, question.family())?;
        same("template", &row.template, &template)?;
        same("answer_type", &row.answer_type, answer.kind)?;
        let trivial = before.is_ok_and(|before| before == answer);
        Ok(Sound {
            world: story.world.clone(),
            instance: story.instance.clone(),
            trivial: (story.depth > 0).then_some(trivial),
            said: [].into(),
            pictured: false,
        })
    }
}
