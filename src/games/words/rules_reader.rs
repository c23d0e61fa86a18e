//! The rules paragraph of a game to whether it tells the game's rules.
//!
//! It is the inverse of [`rules_text`](crate::games::words::rules_text) and of the rules of a phrase book.

use racgen_logic::term::Term;

use crate::games::gdl::syntax::{Clause, Game, GdlAtom, GdlLiteral, GdlPattern};
use crate::games::words::flat_terms::{flat_term, flat_terms, product};
use crate::games::words::phrase_book::GameBook;
use crate::games::words::rules_text::{part_of, told_clauses};
use crate::language::read::forms::{Forms, Misread, only};
use crate::language::words::text::SEPARATOR;

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

/// The rules of a phrase book, or of a game in flat terms, turned round.
pub(crate) struct GameRulesReader {
    sentences: Forms<RuleForm>,
    parts: Forms<String>,
    /// What the rules must say.
    expected: Vec<RuleTold>,
    /// Breaks that the names in a sentence may have.
    breaks: usize,
}

impl GameRulesReader {
    /// Turns the rules of a game with these players round.
    pub(crate) fn new(game: &Game, book: &GameBook, roles: &[Term], breaks: usize) -> GameRulesReader {
        let (sentences, parts) = (Forms::default(), Forms::default());
        let mut reader = GameRulesReader { sentences, parts, expected: Vec::new(), breaks };
        let own = match &book.own {
            Some(own) => &own.rules,
            None => {
                reader.turn_flat(book);
                reader.expected = expected(game, roles);
                &book.common.rules
            }
        };
        for (number, phrasings) in own.iter().chain(&book.common.frame).enumerate() {
            reader.sentences.add_all(&RuleForm::Fixed(number), phrasings);
            reader.expected.push(RuleTold::Fixed(number));
        }
        reader
    }

    /// Turns the sentences round in which clauses are told.
    fn turn_flat(&mut self, book: &GameBook) {
        for (form, name) in [
            (RuleForm::Players, "players"),
            (RuleForm::Lead, "lead"),
            (RuleForm::Given, "given"),
            (RuleForm::Always, "always"),
            (RuleForm::Rule, "rule"),
        ] {
            self.sentences.add_all(&form, book.common_sentence(name));
        }
        let parts = book.common.terms.iter();
        parts.for_each(|(pattern, phrasing)| self.parts.add(pattern.functor.clone(), phrasing));
    }

    /// Does the paragraph tell the game's rules? Those of a book of its own are its sentences, one of each list; those
    /// in flat terms are read back, and must be the game's clauses.
    pub(crate) fn read(&self, text: &str) -> Result<(), Misread> {
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
        let told = only(self.sentences.paragraph(text, self.breaks, read).map_err(Misread::Obstacle)?)?;
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
            let terms: Option<Vec<Term>> = slots.iter().map(|slot| flat_term(slot)).collect();
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
