//! What a game's phrase book tells to what it says: paragraphs to fluents and moves, and questions to queries.
//!
//! It is the inverse of [`GameBook`]: each phrasing is cut at its words, and what stands in a slot is read as a name, a
//! flat term or a move.

use racgen_logic::term::Term;

use crate::games::gdl::syntax::Game;
use crate::games::words::flat_terms::{flat_term, flat_terms, product};
use crate::games::words::names::BookNames;
use crate::games::words::phrase_book::GameBook;
use crate::games::words::questions::{FluentForm, GameQuestion};
use crate::games::words::rules_reader::GameRulesReader;
use crate::language::read::forms::{Forms, Misread, only};
use crate::language::words::text::SEPARATOR;
use crate::phrases::book::Phrasings;
use crate::phrases::pattern::{Pattern as Phrased, PatternPlace};

/// A move as it is told; a wording may leave places open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ToldMove {
    role: Option<Term>,
    functor: String,
    arguments: Vec<Option<Term>>,
}

impl ToldMove {
    /// Is it this move that may be told so?
    pub(crate) fn fits(&self, role: &Term, action: &Term) -> bool {
        let shape = |own: &Option<Term>, other: &Term| own.as_ref().is_none_or(|own| own == other);
        shape(&self.role, role)
            && action.is(&self.functor, self.arguments.len())
            && self.arguments.iter().zip(action.args()).all(|(own, other)| shape(own, other))
    }

    /// The move, if nothing is left open.
    pub(crate) fn whole(&self) -> Option<(Term, Term)> {
        let arguments: Option<Vec<Term>> = self.arguments.iter().cloned().collect();
        Some((self.role.clone()?, Term::function(&self.functor, arguments?)))
    }
}

/// What a sentence of a state says.
#[derive(Clone, Debug)]
enum StateForm {
    /// A fluent of this entry.
    Each(usize),
    /// That there is none of this entry.
    None(usize),
    /// Fluents as a list of flat terms.
    List,
    /// Nothing holds.
    Empty,
}

#[derive(Clone, Debug, PartialEq)]
enum ToldPart {
    Fluents(Vec<Term>),
    Absent(usize),
}

#[derive(Clone, Debug)]
enum StepForm {
    /// The only player's move of this entry.
    Did(usize),
    /// A numbered step.
    Numbered,
    /// No step.
    None,
}

/// How a move is told as a clause.
#[derive(Clone, Debug)]
enum MoveForm {
    Own(usize),
    Flat,
}

#[derive(Clone, Debug)]
enum GameQuestionForm {
    Holds(usize),
    Which(usize, usize),
    Count(usize, usize),
    Legal(usize),
    /// A question of any game.
    Common(Phrased),
}

/// A phrase book, turned round.
pub(crate) struct GameBookReader {
    names: BookNames,
    roles: Vec<Term>,
    state: Forms<StateForm>,
    steps: Forms<StepForm>,
    moves: Forms<MoveForm>,
    questions: Forms<(GameQuestionForm, usize)>,
    /// The rules, turned round.
    pub(crate) rules: GameRulesReader,
}

impl GameBookReader {
    /// Turns a book round, for a game with these players.
    pub(crate) fn new(game: &Game, book: GameBook, roles: &[Term]) -> GameBookReader {
        let names = BookNames::new(game, book);
        let rules = GameRulesReader::new(game, &names.book, roles, names.breaks);
        let mut reader = GameBookReader {
            roles: roles.to_vec(),
            state: Forms::default(),
            steps: Forms::default(),
            moves: Forms::default(),
            questions: Forms::default(),
            rules,
            names,
        };
        reader.turn_stories();
        reader.turn_questions();
        reader
    }

    /// The book.
    pub(crate) fn book(&self) -> &GameBook {
        &self.names.book
    }

    fn turn_stories(&mut self) {
        self.steps.add_all(&StepForm::None, &self.names.book.common.no_actions);
        let Some(own) = &self.names.book.own else {
            self.state.add_all(&StateForm::List, self.names.book.common_sentence("state"));
            self.state.add_all(&StateForm::Empty, self.names.book.common_sentence("empty_state"));
            self.steps.add_all(&StepForm::Numbered, self.names.book.common_sentence("step"));
            self.moves.add_all(&MoveForm::Flat, self.names.book.common_sentence("moves"));
            return;
        };
        for (number, relation) in own.fluents.iter().enumerate() {
            self.state.add_all(&StateForm::Each(number), &relation.each);
            self.state.add_all(&StateForm::None(number), &relation.none);
        }
        if self.roles.len() != 1 {
            self.steps.add_all(&StepForm::Numbered, self.names.book.common_sentence("step"));
        }
        for (number, action) in own.actions.iter().enumerate() {
            if self.roles.len() == 1 {
                self.steps.add_all(&StepForm::Did(number), &action.did);
            }
            self.moves.add_all(&MoveForm::Own(number), &action.clause);
        }
    }

    fn turn_questions(&mut self) {
        let mut all: Vec<(GameQuestionForm, Phrasings)> = Vec::new();
        if let Some(own) = &self.names.book.own {
            for (number, relation) in own.fluents.iter().enumerate() {
                all.push((GameQuestionForm::Holds(number), relation.ask.clone()));
                let which =
                    relation.which.iter().map(|(s, list)| (GameQuestionForm::Which(number, *s), list));
                let count =
                    relation.count.iter().map(|(s, list)| (GameQuestionForm::Count(number, *s), list));
                all.extend(which.chain(count).map(|(form, list)| (form, list.clone())));
            }
            let legal = own.actions.iter().enumerate();
            all.extend(legal.map(|(number, action)| (GameQuestionForm::Legal(number), action.can.clone())));
        }
        let flat: &[(&str, usize)] = match self.names.book.own {
            Some(_) => &[],
            None => &[("holds", 1), ("legal", 2), ("count_holds", 1), ("which_holds", 1)],
        };
        let any = [("goal", 2), ("terminal", 0), ("count_legal", 1), ("which_legal", 1), ("goal_value", 1)];
        for (functor, slots) in any.iter().chain(flat) {
            let books = self.names.book.own.iter().chain([self.names.book.common]);
            let mut found = books.flat_map(|b| &b.questions);
            let fits = |p: &Phrased| p.functor == *functor && p.places.len() == *slots;
            let question = found.find(|q| fits(&q.pattern));
            all.extend(question.map(|q| (GameQuestionForm::Common(q.pattern.clone()), q.ask.clone())));
        }
        for (form, phrasings) in all {
            for (number, phrasing) in phrasings.list.iter().enumerate() {
                self.questions.add((form.clone(), number), phrasing);
            }
        }
    }

    /// The arguments of a pattern whose slots hold these texts; open where there is none.
    fn arguments(&self, pattern: &Phrased, slots: &[&str]) -> Vec<Vec<Option<Term>>> {
        let mut slot = slots.iter();
        let places = pattern.places.iter().map(|place| match place {
            PatternPlace::Constant(name) => vec![Some(Term::constant(name))],
            PatternPlace::Slot { .. } => match slot.next().filter(|text| !text.is_empty()) {
                Some(text) => self.names.terms(text).into_iter().map(Some).collect(),
                None => vec![None],
            },
        });
        product(&places.collect::<Vec<_>>())
    }

    fn fluents(&self, pattern: &Phrased, slots: &[&str]) -> Vec<Term> {
        let whole = |arguments: Vec<Option<Term>>| {
            let arguments: Option<Vec<Term>> = arguments.into_iter().collect();
            arguments.map(|arguments| Term::function(&pattern.functor, arguments))
        };
        self.arguments(pattern, slots).into_iter().filter_map(whole).collect()
    }

    fn own_moves(&self, number: usize, slots: &[&str]) -> Vec<ToldMove> {
        let Some(own) = self.names.book.own.as_ref().and_then(|own| own.actions.get(number)) else {
            return Vec::new();
        };
        let told = |mut arguments: Vec<Option<Term>>| {
            // Where the player goes without saying there is only one.
            let alone = if self.roles.len() == 1 { self.roles.first().cloned() } else { None };
            let role = if arguments.is_empty() { None } else { arguments.remove(0) };
            ToldMove { role: role.or(alone), functor: own.pattern.functor.clone(), arguments }
        };
        self.arguments(&own.pattern, slots).into_iter().map(told).collect()
    }

    fn flat_move(&self, role: &str, action: &str) -> Option<ToldMove> {
        let (role, action) = (flat_term(role)?, flat_term(action)?);
        let arguments = action.args().iter().cloned().map(Some).collect();
        Some(ToldMove { role: Some(role), functor: action.functor().to_owned(), arguments })
    }

    /// The fluents that a state has.
    pub(crate) fn state(&self, text: &str) -> Result<Vec<Term>, Misread> {
        let own = self.names.book.own.as_ref();
        let read = |form: &StateForm, slots: &[&str]| -> Vec<ToldPart> {
            match form {
                StateForm::Each(number) => match own.and_then(|own| own.fluents.get(*number)) {
                    Some(relation) => {
                        let fluents = self.fluents(&relation.pattern, slots);
                        fluents.into_iter().map(|fluent| ToldPart::Fluents(vec![fluent])).collect()
                    }
                    None => Vec::new(),
                },
                StateForm::None(number) => vec![ToldPart::Absent(*number)],
                StateForm::List => flat_terms(slots[0]).map(ToldPart::Fluents).into_iter().collect(),
                StateForm::Empty => vec![ToldPart::Fluents(Vec::new())],
            }
        };
        let told = only(self.state.paragraph(text, self.names.breaks, read).map_err(Misread::Obstacle)?)?;
        let mut fluents = Vec::new();
        for part in &told {
            if let ToldPart::Fluents(part) = part {
                fluents.extend(part.iter().cloned());
            }
        }
        for part in &told {
            let ToldPart::Absent(number) = part else { continue };
            let relation = own.and_then(|own| own.fluents.get(*number));
            let pattern = relation.map(|relation| &relation.pattern);
            if let Some(fluent) = fluents
                .iter()
                .find(|f| pattern.is_some_and(|pattern| f.is(&pattern.functor, pattern.places.len())))
            {
                return Err(Misread::Differs(format!("`{fluent}` is told, and that there is none such")));
            }
        }
        Ok(fluents)
    }

    /// The moves of each step.
    pub(crate) fn steps(&self, text: &str) -> Result<Vec<Vec<ToldMove>>, Misread> {
        type Step = (Option<usize>, Vec<ToldMove>);
        let read = |form: &StepForm, slots: &[&str]| -> Vec<Option<Step>> {
            match form {
                StepForm::None => vec![None],
                StepForm::Did(number) => {
                    let moves = self.own_moves(*number, slots).into_iter();
                    moves.map(|one| Some((None, vec![one]))).collect()
                }
                StepForm::Numbered => match slots[0].parse() {
                    Ok(number) => {
                        let all = self.together(slots[1], self.roles.len());
                        all.into_iter().map(|moves| Some((Some(number), moves))).collect()
                    }
                    Err(_) => Vec::new(),
                },
            }
        };
        let told = only(self.steps.paragraph(text, self.names.breaks, read).map_err(Misread::Obstacle)?)?;
        if told.contains(&None) && told.len() > 1 {
            return Err(Misread::Differs("steps are told, and that there are none".into()));
        }
        let steps: Vec<Step> = told.into_iter().flatten().collect();
        let misnumbered = |(place, (number, _)): &(usize, &Step)| number.is_some_and(|n| n != place + 1);
        if let Some((place, _)) = steps.iter().enumerate().find(misnumbered) {
            return Err(Misread::Differs(format!("the step after step {place} has another number")));
        }
        Ok(steps.into_iter().map(|(_, moves)| moves).collect())
    }

    /// All ways to read so many clauses with commas between them, and `and` before the last.
    fn together(&self, text: &str, count: usize) -> Vec<Vec<ToldMove>> {
        if count < 2 {
            return self.moves_told(text).into_iter().map(|one| vec![one]).collect();
        }
        let mut found: Vec<Vec<ToldMove>> = Vec::new();
        for (at, word) in text.match_indices(" and ") {
            let last = self.moves_told(&text[at + word.len()..]);
            if last.is_empty() {
                continue;
            }
            for front in self.listed(&text[..at], count - 1) {
                let all = last.iter().map(|last| [front.clone(), vec![last.clone()]].concat());
                found.extend(all);
            }
        }
        found
    }

    fn listed(&self, text: &str, count: usize) -> Vec<Vec<ToldMove>> {
        if count == 1 {
            return self.moves_told(text).into_iter().map(|one| vec![one]).collect();
        }
        let mut found = Vec::new();
        for (at, comma) in text.match_indices(SEPARATOR) {
            for first in self.moves_told(&text[..at]) {
                let rest = self.listed(&text[at + comma.len()..], count - 1);
                found.extend(rest.into_iter().map(|rest| [vec![first.clone()], rest].concat()));
            }
        }
        found
    }

    /// The moves that a clause may tell.
    pub(crate) fn moves_told(&self, text: &str) -> Vec<ToldMove> {
        let mut found: Vec<ToldMove> = Vec::new();
        for (form, slots) in self.moves.read(text) {
            let told = match form {
                MoveForm::Own(number) => self.own_moves(number, &slots),
                MoveForm::Flat => self.flat_move(slots[0], slots[1]).into_iter().collect(),
            };
            told.into_iter().for_each(|one| {
                if !found.contains(&one) {
                    found.push(one);
                }
            });
        }
        found
    }

    /// What is asked, and the name of the phrasing.
    pub(crate) fn question(&self, text: &str) -> Result<(GameQuestion, String), Misread> {
        let mut found: Vec<(GameQuestion, String)> = Vec::new();
        for ((form, number), slots) in self.questions.read(text) {
            for question in self.asked(&form, &slots) {
                // Told anew it must be the same.
                let (told, name) = self.names.book.question(&question, number);
                if told == text && !found.iter().any(|(known, _)| *known == question) {
                    found.push((question, name));
                }
            }
        }
        only(found)
    }

    fn asked(&self, form: &GameQuestionForm, slots: &[&str]) -> Vec<GameQuestion> {
        let Some(own) = self.names.book.own.as_ref().filter(|_| !matches!(form, GameQuestionForm::Common(_)))
        else {
            return self.asked_of_any(form, slots);
        };
        let pattern = |number: &usize| own.fluents.get(*number).map(|relation| &relation.pattern);
        let shape = |number: &usize, slot: &usize| -> Vec<FluentForm> {
            let Some(pattern) = pattern(number) else { return Vec::new() };
            let is_slot = |place: &PatternPlace| matches!(place, PatternPlace::Slot { .. });
            let places = pattern.places.iter().enumerate().filter(|(_, place)| is_slot(place));
            let Some(open) = places.map(|(place, _)| place).nth(*slot) else { return Vec::new() };
            let mut all = self.arguments(pattern, slots);
            all.retain(|a| a.iter().enumerate().all(|(place, own)| own.is_none() == (place == open)));
            let functor = &pattern.functor;
            all.into_iter().map(|places| FluentForm { functor: functor.clone(), places }).collect()
        };
        match form {
            GameQuestionForm::Holds(number) => {
                let fluents = pattern(number).map(|pattern| self.fluents(pattern, slots));
                fluents.into_iter().flatten().map(GameQuestion::Holds).collect()
            }
            GameQuestionForm::Which(number, slot) => {
                shape(number, slot).into_iter().map(GameQuestion::WhichHolds).collect()
            }
            GameQuestionForm::Count(number, slot) => {
                shape(number, slot).into_iter().map(GameQuestion::CountHolds).collect()
            }
            GameQuestionForm::Legal(number) => {
                let told = self.own_moves(*number, slots);
                told.iter().filter_map(ToldMove::whole).map(|(r, a)| GameQuestion::Legal(r, a)).collect()
            }
            GameQuestionForm::Common(_) => Vec::new(),
        }
    }

    fn asked_of_any(&self, form: &GameQuestionForm, slots: &[&str]) -> Vec<GameQuestion> {
        let GameQuestionForm::Common(pattern) = form else { return Vec::new() };
        let flat = |slot: usize| slots.get(slot).and_then(|text| flat_term(text));
        let shape = |open: &str| {
            let term = flat(0)?;
            let place = |argument: &Term| (!argument.is(open, 0)).then(|| argument.clone());
            let places: Vec<Option<Term>> = term.args().iter().map(place).collect();
            let asks = places.contains(&None);
            asks.then(|| FluentForm { functor: term.functor().to_owned(), places })
        };
        let named = || self.fluents(pattern, slots).into_iter();
        let of_role = |question: fn(Term) -> GameQuestion| -> Vec<GameQuestion> {
            named().filter_map(|term| term.args().first().cloned()).map(question).collect()
        };
        let of_two = |question: fn(Term, Term) -> GameQuestion, terms: Vec<Term>| match &terms[..] {
            [role, other] => Some(question(role.clone(), other.clone())),
            _ => None,
        };
        match pattern.functor.as_str() {
            "terminal" => vec![GameQuestion::Terminal],
            "count_legal" => of_role(GameQuestion::CountLegal),
            "which_legal" => of_role(GameQuestion::WhichLegal),
            "goal_value" => of_role(GameQuestion::GoalValue),
            "goal" => named().filter_map(|term| of_two(GameQuestion::Goal, term.args().to_vec())).collect(),
            "holds" => flat(0).map(GameQuestion::Holds).into_iter().collect(),
            "legal" => flat(0).zip(flat(1)).map(|(r, a)| GameQuestion::Legal(r, a)).into_iter().collect(),
            "count_holds" => shape("_").map(GameQuestion::CountHolds).into_iter().collect(),
            "which_holds" => shape("?").map(GameQuestion::WhichHolds).into_iter().collect(),
            _ => Vec::new(),
        }
    }
}
