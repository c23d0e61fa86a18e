//! A game to a match to act in: its state, what each role can do there, goals and the end, in terms and in English.
//!
//! A game that could not be grounded as a whole is played by having clingo ground each step.

use racgen_logic::seed::stream;
use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;
use serde::Serialize;

use crate::games::error::GameError;
use crate::games::play::ground_game::{Board, GroundGame};
use crate::games::play::judge::{StepVerdict, judge};
use crate::games::words::phrase_book::GameBook;
use crate::games::words::verbalizer::GameVerbalizer;
use crate::language::tell::verbalize::Verbalize;
use crate::language::words::text::paragraph;

/// What stays the same, whatever is played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GameShape {
    /// The game's name.
    pub name: String,
    /// Who plays.
    pub roles: Vec<String>,
    /// What is so in every state.
    pub facts: Vec<String>,
    /// All fluents that a state may have; none where the game is too large to be grounded as a whole.
    pub fluents: Option<Vec<String>>,
    /// All moves that a role may ever have, as role and move; none as above.
    pub moves: Option<Vec<(String, String)>>,
    /// The rules as a paragraph.
    pub rules: String,
}

/// A move that can be made, and the clause that says it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LegalMove {
    /// Who can make it.
    pub role: String,
    /// The move.
    pub term: String,
    /// A clause, without capital letter and full stop.
    pub text: String,
}

/// A state of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeenState {
    /// The fluents that hold.
    pub fluents: Vec<String>,
    /// What can be done, role by role.
    pub legal: Vec<LegalMove>,
    /// The goals that hold: role and value.
    pub goals: Vec<(String, String)>,
    /// Is it the end?
    pub terminal: bool,
}

/// A match of a game.
pub struct ActedGame<'g> {
    arena: &'g GroundGame,
    book: &'g GameBook,
    board: Option<Board<'g>>,
    state: Vec<Term>,
    verdict: StepVerdict,
}

impl<'g> ActedGame<'g> {
    /// A match in its first state.
    ///
    /// # Errors
    /// clingo's, where it grounds each step.
    pub fn new(arena: &'g GroundGame, book: &'g GameBook) -> Result<ActedGame<'g>, GameError> {
        let board = arena.whole.as_ref().map(|whole| whole.board());
        let mut game = ActedGame { arena, book, board, state: Vec::new(), verdict: StepVerdict::default() };
        game.begin()?;
        Ok(game)
    }

    /// What stays the same.
    pub fn shape(&self) -> GameShape {
        let GroundGame { game, roles, statics, whole, .. } = self.arena;
        let Ok(rules) = self.teller().rules(&mut self.rng("rules"));
        GameShape {
            name: game.name.clone(),
            roles: texts(roles),
            facts: texts(statics),
            fluents: whole.as_ref().map(|whole| texts(&whole.fluents)),
            moves: whole.as_ref().map(|whole| {
                let of = |(role, made): &(u32, Term)| (roles[*role as usize].to_string(), made.to_string());
                whole.moves.iter().map(of).collect()
            }),
            rules: paragraph(rules),
        }
    }

    /// Begins anew.
    ///
    /// # Errors
    /// clingo's.
    pub fn begin(&mut self) -> Result<SeenState, GameError> {
        match &mut self.board {
            Some(board) => board.reset(),
            None => self.state = self.arena.initial.clone(),
        }
        self.look()
    }

    /// The state.
    pub fn seen(&self) -> SeenState {
        let legal = |(role, made): &(Term, Term)| LegalMove {
            role: role.to_string(),
            term: made.to_string(),
            text: self.book.in_answer(role, made),
        };
        let goal = |(role, value): &(Term, Term)| (role.to_string(), value.to_string());
        SeenState {
            fluents: texts(&self.state),
            // After the end nobody moves, whatever the rules allow.
            legal: if self.verdict.terminal {
                Vec::new()
            } else {
                self.verdict.legal.iter().map(legal).collect()
            },
            goals: self.verdict.goals.iter().map(goal).collect(),
            terminal: self.verdict.terminal,
        }
    }

    /// Each role makes its move, given as role and move, in terms or in the words of [`SeenState::legal`]. A role that has
    /// one move only need not be given.
    ///
    /// # Errors
    /// [`GameError::Arguments`]: a match that is over, a role that has a choice and is not given, a move that cannot be
    /// made; all stays as it is then. clingo's.
    pub fn act(&mut self, given: &[(String, String)]) -> Result<SeenState, GameError> {
        let moves = self.chosen(given)?;
        match &mut self.board {
            Some(board) => {
                let all = board.legal();
                let numbers = moves.iter().filter_map(|rank| all.get(*rank).copied()).collect::<Vec<u32>>();
                board.advance(&numbers);
            }
            None => {
                let made: Vec<(Term, Term)> =
                    moves.iter().map(|rank| self.verdict.legal[*rank].clone()).collect();
                self.state = judge(self.arena, &self.state, &made)?.next;
            }
        }
        self.look()
    }

    /// The ranks of the moves that are made, among the legal ones.
    fn chosen(&self, given: &[(String, String)]) -> Result<Vec<usize>, GameError> {
        let wrong = |what: String| Err(GameError::Arguments(what));
        if self.verdict.terminal {
            return wrong("the match is over; begin anew".into());
        }
        let roles = &self.arena.roles;
        if let Some((role, _)) =
            given.iter().find(|(role, _)| !roles.iter().any(|own| own.to_string() == *role))
        {
            let known = texts(roles).join(", ");
            return wrong(format!("there is no role `{role}`; there are {known}"));
        }
        let mut moves = Vec::with_capacity(roles.len());
        for role in roles {
            let name = role.to_string();
            let legal = self.verdict.legal.iter().enumerate().filter(|(_, (own, _))| own == role);
            let own: Vec<(usize, &Term)> = legal.map(|(rank, (_, made))| (rank, made)).collect();
            let said = given.iter().find(|(given, _)| *given == name).map(|(_, said)| said);
            match (said, &own[..]) {
                (None, [(rank, _)]) => moves.push(*rank),
                (None, []) => {
                    return wrong(format!("`{name}` has no legal move, so that the match ends here"));
                }
                (None, own) => {
                    return wrong(format!("which of its {} moves does `{name}` make?", own.len()));
                }
                (Some(said), own) => match own.iter().find(|(_, made)| self.is_meant(role, made, said)) {
                    Some((rank, _)) => moves.push(*rank),
                    None => return wrong(format!("`{said}` is no legal move of `{name}` here")),
                },
            }
        }
        Ok(moves)
    }

    fn is_meant(&self, role: &Term, made: &Term, said: &str) -> bool {
        let words = |text: &str| text.trim().trim_end_matches('.').to_lowercase();
        made.to_string() == said.replace(' ', "") || words(&self.book.in_answer(role, made)) == words(said)
    }

    /// The state as a paragraph.
    pub fn told(&self) -> String {
        let fluents: Vec<&Term> = self.state.iter().collect();
        paragraph(self.teller().situation(&fluents, &mut self.rng("told")))
    }

    fn look(&mut self) -> Result<SeenState, GameError> {
        match (&self.board, &self.arena.whole) {
            (Some(board), Some(whole)) => {
                let role = |number: u32| self.arena.roles[number as usize].clone();
                let pair = |(number, term): &(u32, Term)| (role(*number), term.clone());
                self.state =
                    board.fluents().iter().map(|fluent| whole.fluents[*fluent as usize].clone()).collect();
                self.verdict = StepVerdict {
                    legal: board.legal().iter().map(|made| pair(&whole.moves[*made as usize])).collect(),
                    goals: board.goals().iter().map(|goal| pair(&whole.goals[*goal as usize])).collect(),
                    terminal: board.terminal(),
                    next: Vec::new(),
                };
            }
            _ => self.verdict = judge(self.arena, &self.state, &[])?,
        }
        Ok(self.seen())
    }

    fn teller(&self) -> GameVerbalizer<'_> {
        GameVerbalizer { book: self.book, arena: self.arena }
    }

    fn rng(&self, what: &str) -> ChaCha8Rng {
        stream(0, &["games", &self.arena.game.name, "acting", what])
    }
}

fn texts(terms: &[Term]) -> Vec<String> {
    terms.iter().map(ToString::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::gdl::syntax::Game;
    use crate::games::play::ground_game::Limits;

    const COUNT: &str = "(role up) (role down) (init (n 0)) (succ 0 1) (succ 1 2) (legal up go) (legal up stay) (legal down wait)
        (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y) (does up go)) (<= (next (n ?x)) (true (n ?x)) (does up stay))
        (<= terminal (true (n 2))) (<= (goal up 100) (true (n 2))) (<= (goal up 0) (not (true (n 2)))) (goal down 50)";

    /// The network and clingo, step by step, play the same match.
    #[test]
    fn a_match_goes_the_same_way_however_it_is_grounded() {
        let game = || Game::read(COUNT, "count.kif").unwrap();
        let book = GameBook::generic().unwrap();
        let whole = GroundGame::new(game(), &Limits::default()).unwrap();
        let steps = GroundGame::grounded(game(), &Limits::default(), false, Some("a test".into())).unwrap();
        assert!(whole.whole.is_some() && steps.whole.is_none());
        let mut one = ActedGame::new(&whole, &book).unwrap();
        let mut two = ActedGame::new(&steps, &book).unwrap();
        assert_eq!(one.seen(), two.seen());
        let go = |said: &str| vec![("up".to_owned(), said.to_owned())];
        for said in ["stay", "go", "go"] {
            assert!(!one.seen().terminal);
            assert_eq!(one.act(&go(said)).unwrap(), two.act(&go(said)).unwrap());
        }
        let end = one.seen();
        assert!(end.terminal && end.legal.is_empty() && end.fluents == ["n(2)"]);
        assert_eq!(end.goals, [("down".into(), "50".into()), ("up".into(), "100".into())]);
        assert_eq!(one.act(&go("go")).unwrap_err().to_string(), "the match is over; begin anew");
        assert_eq!(one.begin().unwrap(), two.begin().unwrap());
    }

    #[test]
    fn what_cannot_be_done_changes_nothing() {
        let book = GameBook::generic().unwrap();
        let arena = GroundGame::new(Game::read(COUNT, "count.kif").unwrap(), &Limits::default()).unwrap();
        let mut game = ActedGame::new(&arena, &book).unwrap();
        let before = game.seen();
        let mut told = |given: &[(&str, &str)]| {
            let given: Vec<_> = given.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
            game.act(&given).unwrap_err().to_string()
        };
        assert_eq!(told(&[]), "which of its 2 moves does `up` make?");
        assert_eq!(told(&[("up", "fly")]), "`fly` is no legal move of `up` here");
        assert_eq!(told(&[("left", "go")]), "there is no role `left`; there are down, up");
        assert_eq!(game.seen(), before);
    }
}
