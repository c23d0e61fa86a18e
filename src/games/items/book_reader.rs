//! What a game's phrase book tells to what it says: paragraphs to fluents, moves and clauses, and questions to queries.
//!
//! It is the inverse of [`GameBook`] and of [`verbal`](crate::games::items::rules_text): each phrasing is cut at its words, and what stands
//! in a slot is read as a name, a flat term, a move or a part of a rule.

use racgen_logic::term::Term;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::games::gdl::syntax::{Clause, Game, GdlAtom, GdlLiteral, GdlPattern};
use crate::games::items::phrase_book::{FluentForm, GameBook, GameQuestion, SEPARATOR};
use crate::games::items::rules_text::{part_of, told_clauses};
use crate::language::read::forms::{Forms, Misread, only};
use crate::language::words::text::capital;
use crate::phrases::book::Phrasings;
use crate::phrases::pattern::{Pattern as Phrased, PatternPlace};

/// Breaks within a sentence where names may end with a full stop.
const DOTTED: usize = 40;
/// How deep flat terms may nest.
const DEEPEST: usize = 100;

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

#[derive(Clone, Debug)]
enum RuleForm {
    Players,
    Lead,
    Given,
    Always,
    Rule,
    /// A sentence of this list.
    Fixed(usize),
}

/// A part of a rule: the name of its phrase, and terms in which variables begin with a question mark.
type SaidPart = (String, Vec<Term>);

/// A sentence of rules.
#[derive(Clone, Debug, PartialEq)]
enum RuleTold {
    Players(Vec<Term>),
    Lead,
    Given(Vec<Term>),
    Clause(SaidPart, Vec<SaidPart>),
    Fixed(usize),
}

/// A phrase book, turned round.
pub(crate) struct GameBookReader {
    book: GameBook,
    roles: Vec<Term>,
    /// The game's symbols, as it prints them.
    symbols: HashSet<String>,
    /// Constants by the names of the book, as they stand and with a capital.
    names: HashMap<String, Vec<Term>>,
    /// Compounds that the book names, by their places among its terms.
    compounds: Forms<usize>,
    state: Forms<StateForm>,
    steps: Forms<StepForm>,
    moves: Forms<MoveForm>,
    questions: Forms<(GameQuestionForm, usize)>,
    rules: Forms<RuleForm>,
    parts: Forms<String>,
    /// What the rules must say.
    expected: Vec<RuleTold>,
    /// Breaks that the names in a sentence may have.
    breaks: usize,
}

fn each<S: Clone>(forms: &mut Forms<S>, says: S, phrasings: &Phrasings) {
    phrasings.list.iter().for_each(|phrasing| forms.add(says.clone(), phrasing));
}

/// A term as games print it, `mark(1,2)`, whatever its symbols.
fn flat_term(text: &str, depth: usize) -> Option<Term> {
    if text.is_empty() || depth > DEEPEST || text.contains(char::is_whitespace) {
        return None;
    }
    let Some((name, rest)) = text.split_once('(') else {
        return (!text.contains([',', ')'])).then(|| Term::constant(text));
    };
    let inner = rest.strip_suffix(')')?;
    let (mut open, mut from, mut arguments) = (0_usize, 0, Vec::new());
    for (at, c) in inner.char_indices() {
        match c {
            '(' => open += 1,
            ')' => open = open.checked_sub(1)?,
            ',' if open == 0 => {
                arguments.push(flat_term(&inner[from..at], depth + 1)?);
                from = at + 1;
            }
            _ => {}
        }
    }
    arguments.push(flat_term(&inner[from..], depth + 1)?);
    let sound = !name.is_empty() && !name.contains([',', ')']) && open == 0;
    sound.then(|| Term::function(name, arguments))
}

/// Flat terms in a list.
fn flat_terms(text: &str) -> Option<Vec<Term>> {
    text.split(SEPARATOR).map(|part| flat_term(part, 0)).collect()
}

/// All ways to take one of each.
fn product<T: Clone>(choices: &[Vec<T>]) -> Vec<Vec<T>> {
    choices.iter().fold(vec![Vec::new()], |ways, choice| {
        let longer = |way: &Vec<T>| {
            let way = way.clone();
            choice.iter().map(move |one| [way.clone(), vec![one.clone()]].concat()).collect::<Vec<_>>()
        };
        ways.iter().flat_map(longer).collect()
    })
}

impl GameBookReader {
    /// Turns a book round, for a game with these players.
    pub(crate) fn new(game: &Game, book: GameBook, roles: &[Term]) -> GameBookReader {
        let mut reader = GameBookReader {
            roles: roles.to_vec(),
            symbols: game.printed.values().map(|symbol| symbol.to_string()).collect(),
            names: HashMap::default(),
            compounds: Forms::default(),
            state: Forms::default(),
            steps: Forms::default(),
            moves: Forms::default(),
            questions: Forms::default(),
            rules: Forms::default(),
            parts: Forms::default(),
            expected: Vec::new(),
            breaks: 0,
            book,
        };
        reader.turn_names();
        reader.turn_stories();
        reader.turn_questions();
        reader.turn_rules(game);
        reader
    }

    /// The book.
    pub(crate) fn book(&self) -> &GameBook {
        &self.book
    }

    fn turn_names(&mut self) {
        let mut dotted = self.symbols.iter().any(|symbol| symbol.contains('.'));
        for (number, (pattern, phrasing)) in self.book.own.iter().flat_map(|own| &own.terms).enumerate() {
            let mut text = String::new();
            phrasing.fill(&mut text, |_| "");
            dotted |= text.contains('.');
            if !pattern.places.is_empty() {
                self.compounds.add(number, phrasing);
                continue;
            }
            // The first of several names is the one that is used.
            let term = Term::constant(&pattern.functor);
            if self.book.name(&term) == text {
                self.names.entry(text).or_default().push(term);
            }
        }
        self.breaks = if dotted { DOTTED } else { 0 };
    }

    fn turn_stories(&mut self) {
        each(&mut self.steps, StepForm::None, &self.book.common.no_actions);
        let Some(own) = &self.book.own else {
            each(&mut self.state, StateForm::List, &self.book.common_sentence("state"));
            each(&mut self.state, StateForm::Empty, &self.book.common_sentence("empty_state"));
            each(&mut self.steps, StepForm::Numbered, &self.book.common_sentence("step"));
            each(&mut self.moves, MoveForm::Flat, &self.book.common_sentence("moves"));
            return;
        };
        for (number, relation) in own.fluents.iter().enumerate() {
            each(&mut self.state, StateForm::Each(number), &relation.each);
            each(&mut self.state, StateForm::None(number), &relation.none);
        }
        if self.roles.len() != 1 {
            each(&mut self.steps, StepForm::Numbered, &self.book.common_sentence("step"));
        }
        for (number, action) in own.actions.iter().enumerate() {
            if self.roles.len() == 1 {
                each(&mut self.steps, StepForm::Did(number), &action.did);
            }
            each(&mut self.moves, MoveForm::Own(number), &action.clause);
        }
    }

    fn turn_questions(&mut self) {
        let mut all: Vec<(GameQuestionForm, Phrasings)> = Vec::new();
        if let Some(own) = &self.book.own {
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
        let flat: &[(&str, usize)] = match self.book.own {
            Some(_) => &[],
            None => &[("holds", 1), ("legal", 2), ("count_holds", 1), ("which_holds", 1)],
        };
        let any = [("goal", 2), ("terminal", 0), ("count_legal", 1), ("which_legal", 1), ("goal_value", 1)];
        for (functor, slots) in any.iter().chain(flat) {
            let books = self.book.own.iter().chain([self.book.common]);
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

    fn turn_rules(&mut self, game: &Game) {
        let mut fixed: Vec<&Phrasings> = Vec::new();
        match &self.book.own {
            Some(own) => fixed.extend(&own.rules),
            None => {
                for (form, name) in [
                    (RuleForm::Players, "players"),
                    (RuleForm::Lead, "lead"),
                    (RuleForm::Given, "given"),
                    (RuleForm::Always, "always"),
                    (RuleForm::Rule, "rule"),
                ] {
                    each(&mut self.rules, form, &self.book.common_sentence(name));
                }
                let parts = self.book.common.terms.iter();
                parts.for_each(|(pattern, phrasing)| self.parts.add(pattern.functor.clone(), phrasing));
                self.expected = expected(game, &self.roles);
                fixed.extend(&self.book.common.rules);
            }
        }
        fixed.extend(&self.book.common.frame);
        for (number, phrasings) in fixed.into_iter().enumerate() {
            each(&mut self.rules, RuleForm::Fixed(number), phrasings);
            self.expected.push(RuleTold::Fixed(number));
        }
    }

    /// The terms that a name may stand for; at the start of a sentence it may have a capital.
    fn terms(&self, text: &str) -> Vec<Term> {
        let mut found = self.names.get(text).cloned().unwrap_or_default();
        let terms = self.book.own.iter().flat_map(|own| &own.terms).collect::<Vec<_>>();
        for (number, slots) in self.compounds.read(text) {
            let inner: Vec<Vec<Term>> = slots.iter().map(|slot| self.terms(slot)).collect();
            let functor = &terms[number].0.functor;
            found.extend(product(&inner).into_iter().map(|arguments| Term::function(functor, arguments)));
        }
        found.extend(flat_term(text, 0));
        found.retain(|term| self.known(term) && self.book.name(term) == text);
        found.dedup();
        if found.is_empty() && text.starts_with(char::is_uppercase) {
            let named = self.names.iter().filter(|(name, _)| capital(name) == text);
            found.extend(named.flat_map(|(_, terms)| terms.iter().cloned()));
            let mut small = text.chars();
            let first: String = small.next().into_iter().flat_map(char::to_lowercase).collect();
            let flat = flat_term(&(first + small.as_str()), 0);
            found.extend(flat.filter(|t| self.known(t) && capital(&self.book.name(t)) == text));
        }
        found
    }

    /// Is it made of the game's symbols?
    fn known(&self, term: &Term) -> bool {
        self.symbols.contains(term.functor()) && term.args().iter().all(|argument| self.known(argument))
    }

    /// The arguments of a pattern whose slots hold these texts; open where there is none.
    fn arguments(&self, pattern: &Phrased, slots: &[&str]) -> Vec<Vec<Option<Term>>> {
        let mut slot = slots.iter();
        let places = pattern.places.iter().map(|place| match place {
            PatternPlace::Constant(name) => vec![Some(Term::constant(name))],
            PatternPlace::Slot { .. } => match slot.next().filter(|text| !text.is_empty()) {
                Some(text) => self.terms(text).into_iter().map(Some).collect(),
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
        let Some(own) = self.book.own.as_ref().and_then(|own| own.actions.get(number)) else {
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
        let (role, action) = (flat_term(role, 0)?, flat_term(action, 0)?);
        let arguments = action.args().iter().cloned().map(Some).collect();
        Some(ToldMove { role: Some(role), functor: action.functor().to_owned(), arguments })
    }

    /// The fluents that a state has.
    pub(crate) fn state(&self, text: &str) -> Result<Vec<Term>, Misread> {
        let own = self.book.own.as_ref();
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
        let told = only(self.state.paragraph(text, self.breaks, read).map_err(Misread::Obstacle)?)?;
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
        let told = only(self.steps.paragraph(text, self.breaks, read).map_err(Misread::Obstacle)?)?;
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
                // ToldPart anew it must be the same.
                let (told, name) = self.book.question(&question, number);
                if told == text && !found.iter().any(|(known, _)| *known == question) {
                    found.push((question, name));
                }
            }
        }
        only(found)
    }

    fn asked(&self, form: &GameQuestionForm, slots: &[&str]) -> Vec<GameQuestion> {
        let Some(own) = self.book.own.as_ref().filter(|_| !matches!(form, GameQuestionForm::Common(_)))
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
        let flat = |slot: usize| slots.get(slot).and_then(|text| flat_term(text, 0));
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

    /// Does the paragraph tell the game's rules? Those of a book of its own are its sentences, one of each list; those
    /// in flat terms are read back, and must be the game's clauses.
    pub(crate) fn rules(&self, text: &str) -> Result<(), Misread> {
        let read = |form: &RuleForm, slots: &[&str]| -> Vec<RuleTold> {
            match form {
                RuleForm::Players => flat_terms(slots[0]).map(RuleTold::Players).into_iter().collect(),
                RuleForm::Lead => vec![RuleTold::Lead],
                RuleForm::Given => flat_terms(slots[0]).map(RuleTold::Given).into_iter().collect(),
                RuleForm::Always => {
                    self.said(slots[0]).into_iter().map(|head| RuleTold::Clause(head, vec![])).collect()
                }
                RuleForm::Rule => {
                    let (heads, bodies) = (self.said(slots[0]), self.body(slots[1]));
                    let with = |body: &Vec<SaidPart>| {
                        let body = body.clone();
                        heads.iter().map(move |head| RuleTold::Clause(head.clone(), body.clone()))
                    };
                    bodies.iter().flat_map(with).collect()
                }
                RuleForm::Fixed(number) => vec![RuleTold::Fixed(*number)],
            }
        };
        let told = only(self.rules.paragraph(text, self.breaks, read).map_err(Misread::Obstacle)?)?;
        if told == self.expected {
            return Ok(());
        }
        let same = told.iter().zip(&self.expected).take_while(|(a, b)| a == b).count();
        Err(Misread::Differs(format!(
            "sentence {} of the rules says {}, where the game's rules say {}",
            same + 1,
            described(told.get(same)),
            described(self.expected.get(same))
        )))
    }

    /// What a part of a rule may say.
    fn said(&self, text: &str) -> Vec<SaidPart> {
        let read = |(name, slots): (String, Vec<&str>)| {
            let terms: Option<Vec<Term>> = slots.iter().map(|slot| flat_term(slot, 0)).collect();
            terms.map(|terms| (name, terms))
        };
        self.parts.read(text).into_iter().filter_map(read).collect()
    }

    /// All ways to read conditions: commas stand between them, and `and` before the last.
    fn body(&self, text: &str) -> Vec<Vec<SaidPart>> {
        let mut found: Vec<Vec<SaidPart>> = self.said(text).into_iter().map(|one| vec![one]).collect();
        for (at, word) in text.match_indices(" and ") {
            let last = self.said(&text[at + word.len()..]);
            if last.is_empty() {
                continue;
            }
            let mut parts: Vec<Vec<SaidPart>> =
                text[..at].split(SEPARATOR).map(|part| self.said(part)).collect();
            parts.push(last);
            found.extend(product(&parts));
        }
        found
    }
}

fn described(told: Option<&RuleTold>) -> String {
    let said = |(name, terms): &SaidPart| {
        let terms: Vec<String> = terms.iter().map(Term::to_string).collect();
        format!("{name}({})", terms.join(","))
    };
    match told {
        None => "nothing more".into(),
        Some(RuleTold::Players(roles)) => format!("the players {}", listed(roles)),
        Some(RuleTold::Lead) => "what variables are".into(),
        Some(RuleTold::Given(atoms)) => format!("that {} follow", listed(atoms)),
        Some(RuleTold::Clause(head, body)) => {
            let body: Vec<String> = body.iter().map(said).collect();
            format!("`{} <= {}`", said(head), body.join(", "))
        }
        Some(RuleTold::Fixed(number)) => format!("what list {} of its sentences says", number + 1),
    }
}

fn listed(terms: &[Term]) -> String {
    terms.iter().map(Term::to_string).collect::<Vec<_>>().join(SEPARATOR)
}

/// What the rules of a game say in flat terms, sentence by sentence.
fn expected(game: &Game, roles: &[Term]) -> Vec<RuleTold> {
    fn term(game: &Game, clause: &Clause, pattern: &GdlPattern) -> Term {
        match pattern {
            GdlPattern::Variable(number) => {
                let name = clause.variables.get(*number as usize).map_or("", |name| name);
                Term::constant(&format!("?{name}"))
            }
            GdlPattern::Function(name, arguments) => {
                let arguments = arguments.iter().map(|argument| term(game, clause, argument)).collect();
                Term::function(game.print(name), arguments)
            }
        }
    }
    let whole = |atom: &GdlAtom, clause: &Clause| {
        let arguments = atom.arguments.iter().map(|argument| term(game, clause, argument)).collect();
        Term::function(game.print(&atom.predicate), arguments)
    };
    let part = |atom: &GdlAtom, positive: bool, clause: &Clause| -> SaidPart {
        let (name, apart) = part_of(atom);
        let terms = match apart {
            true => whole(atom, clause).args().to_vec(),
            false => vec![whole(atom, clause)],
        };
        (if positive { name.to_owned() } else { format!("not_{name}") }, terms)
    };
    let condition = |literal: &GdlLiteral, clause: &Clause| match literal {
        GdlLiteral::Is(atom) => part(atom, true, clause),
        GdlLiteral::Not(atom) => part(atom, false, clause),
        GdlLiteral::Distinct(a, b, _) => {
            ("distinct".into(), vec![term(game, clause, a), term(game, clause, b)])
        }
        GdlLiteral::Same(a, b, _) => ("same".into(), vec![term(game, clause, a), term(game, clause, b)]),
    };
    let (facts, rules) = told_clauses(game);
    let mut all = vec![RuleTold::Players(roles.to_vec()), RuleTold::Lead];
    if !facts.is_empty() {
        all.push(RuleTold::Given(facts.iter().map(|clause| whole(&clause.head, clause)).collect()));
    }
    all.extend(rules.into_iter().map(|clause| {
        let body = clause.body.iter().map(|literal| condition(literal, clause)).collect();
        RuleTold::Clause(part(&clause.head, true, clause), body)
    }));
    all
}
