//! A question beyond prediction, and its answer, to terms and words.

use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;

use crate::factory::choosing::profile::{Profile, Shapes};
use crate::factory::further::offers::{
    Given, OfferCell, OfferedQuestion, PartAsked, PartSubject, SearchArgument, Subject,
};
use crate::factory::further::search_profile::{kinds as kinds_named, search_profile};
use crate::language::tell::family_question::{DENIED, FamilySlot, STATEMENTS, family_question};
use crate::language::tell::narrator::Narrator;
use crate::language::tell::verbalize::ToldText;
use crate::language::words::lexicon::Lexicon;
use crate::language::words::naming::Naming;
use crate::phrases::book::FamilyPhrases;
use crate::simulate::narrative::edits::PlanEdit;
use crate::simulate::narrative::partly_by_clingo::said;
use crate::simulate::narrative::undefined::with_stranger;
use crate::simulate::search::{costs, goal};
use crate::simulate::story::{Simulator, Story, Timepoint};

/// Everything about an answer that a row has.
pub struct ToldAnswer {
    /// The text.
    pub text: String,
    /// Its type.
    pub kind: &'static str,
    /// Ground terms.
    pub gold: Vec<String>,
}

/// What a family's questions and answers are told with.
pub struct FamilyTeller<'t> {
    /// The layout.
    pub stage: &'t Simulator<'t>,
    /// The phrases that questions are told with.
    pub narrator: &'t dyn Narrator,
    /// The same where an object has a name that the text does not have.
    pub stranger: Option<&'t dyn Narrator>,
    /// The phrases that answers are told with.
    pub canonical: &'t dyn Narrator,
    /// The story's names.
    pub naming: &'t Naming,
    /// The families.
    pub families: &'t [FamilyPhrases],
    /// Is all told in the vocabulary of the generic domain?
    pub generic: bool,
}

/// The type of answers that say how sure something is.
pub const CERTAINTY: &str = "certainty";
/// What stands between the names of the phrasings of questions within one.
pub const PARTS: &str = "+";
/// The query of several actions.
pub const ACTIONS: &str = "actions";
/// The query of several facts.
pub const FACTS: &str = "facts";

/// Statements that stand in no order, in that of the alphabet: whoever has only the text knows no other one.
fn listed(mut statements: Vec<String>) -> String {
    statements.sort_unstable();
    statements.join(STATEMENTS)
}

/// The terms that a question names.
pub fn arguments(stage: &Simulator, families: &[FamilyPhrases], subject: &Subject) -> Vec<Term> {
    let engine = &stage.engine;
    let action = |action: usize| engine.actions[action].clone();
    match subject {
        Subject::Story => Vec::new(),
        Subject::Fluents(fluents) => fluents.iter().map(|fluent| engine.fluents[*fluent].clone()).collect(),
        Subject::Action(one) => vec![action(*one)],
        Subject::Actions(all) => {
            vec![Term::function(ACTIONS, all.iter().map(|one| action(*one)).collect())]
        }
        Subject::Object(object) => vec![Term::constant(&stage.layout().objects[*object].id)],
        Subject::Edited(edit, question) => {
            let mut all = edit.arguments(action);
            all.push(engine.questions[*question].term.clone());
            all
        }
        Subject::Search(all) => {
            let term = |argument: &SearchArgument| match argument {
                SearchArgument::Goal(literals) => goal::term(literals, &engine.fluents),
                SearchArgument::Actions(all) => {
                    Term::function(ACTIONS, all.iter().map(|one| action(*one)).collect())
                }
                SearchArgument::Number(number) => Term::Number(*number as i32),
                SearchArgument::Costs(listed) => costs::term(listed, &engine.actions),
                SearchArgument::Fluent(fluent) => engine.fluents[*fluent].clone(),
                SearchArgument::Action(one) => action(*one),
                SearchArgument::Fluents(all) => {
                    Term::function(FACTS, all.iter().map(|f| engine.fluents[*f].clone()).collect())
                }
            };
            all.iter().map(term).collect()
        }
        Subject::Predicted(question) | Subject::Undefined(question, None) => {
            vec![engine.questions[*question].term.clone()]
        }
        Subject::Undefined(question, Some(object)) => {
            let object = &stage.layout().objects[*object].id;
            vec![with_stranger(&engine.questions[*question].term, object)]
        }
        Subject::Composite(parts) => parts
            .iter()
            .map(|part| match &part.offer.subject {
                Subject::Predicted(question) => engine.questions[*question].term.clone(),
                subject => query_of(stage, families, part.family.unwrap_or_default(), subject),
            })
            .collect(),
        Subject::Partly(part) => match &part.asked {
            PartAsked::Fluent(fluent) | PartAsked::First(fluent) | PartAsked::Truth(fluent) => {
                vec![engine.fluents[*fluent].clone()]
            }
            PartAsked::Action(one) => vec![action(*one)],
            PartAsked::Settles(fluent, options) => {
                let all = options.iter().map(|f| engine.fluents[*f].clone()).collect();
                vec![engine.fluents[*fluent].clone(), Term::function(FACTS, all)]
            }
            PartAsked::Observed(literals) => {
                vec![Term::function(FACTS, goal::literals(literals, &engine.fluents))]
            }
        },
    }
}

/// What can be seen of a question put to a story, without its initial situation.
pub fn profile(
    stage: &Simulator,
    lexicon: &Lexicon,
    shapes: &Shapes,
    story: &Story,
    offer: &OfferedQuestion,
) -> Profile {
    let depth = story.plan.len();
    if let Subject::Search(arguments) = &offer.subject {
        return search_profile(stage, lexicon, shapes, (offer.told, story), arguments);
    }
    match &offer.subject {
        Subject::Predicted(question) => {
            return shapes.profile((offer.told, story), Timepoint::Now, *question);
        }
        Subject::Composite(parts) => {
            let all = parts.iter().map(|part| profile(stage, lexicon, shapes, story, &part.offer));
            return Profile::of_parts(all);
        }
        _ => {}
    }
    let terms = arguments(stage, &stage.package.common.families, &offer.subject);
    if let Subject::Partly(part) = &offer.subject {
        if stage.package.has_outcomes {
            return shapes.profile_of_rarest((offer.told, story), lexicon, &terms[0]);
        }
        return part_profile(stage, lexicon, shapes, (offer.told, story), (part, &terms));
    }
    let (far, near, moved): (u64, usize, _) = match offer.subject {
        Subject::Edited(edit, _) => (1, depth - edit.first(), Some(story.plan[edit.first()])),
        _ => (0, 0, None),
    };
    // Of an edited story the action that gives way, and whose objects it names, is a part of the question.
    let moved = moved.map(|action| &stage.engine.actions[action]);
    let terms: Vec<&Term> =
        terms.iter().filter(|term| !matches!(term, Term::Number(_))).chain(moved).collect();
    // A truck and a package may both be at a location, but not stay there as long. What the text does not have is of no type here, and
    // must not be told apart by that.
    let typed = !matches!(offer.subject, Subject::Undefined(..));
    let kinds = terms.iter().filter(|_| typed).flat_map(|term| kinds_named(stage, term));
    let far = kinds.fold(far, |hash, kind| hash.wrapping_mul(31).wrapping_add(kind as u64));
    shapes.profile_of((offer.told, story), lexicon, &terms, (far, near as u64))
}

/// The same of a story that is told in part: of the objects that it says nothing about the pattern of equal names and the
/// types, and how many statements are left, all of which is plain to see.
fn part_profile(
    stage: &Simulator,
    lexicon: &Lexicon,
    shapes: &Shapes,
    (told, story): (usize, &Story),
    (part, asked): (&PartSubject, &[Term]),
) -> Profile {
    let objects = &stage.layout().objects;
    let left_out = &part.telling.left_out;
    let names: Vec<Term> = left_out.iter().map(|object| Term::constant(&objects[*object].id)).collect();
    let terms: Vec<&Term> = asked.iter().chain(&names).collect();
    let kinds = left_out.iter().map(|object| objects[*object].kind + 1);
    let kinds = kinds.chain(asked.iter().flat_map(|term| kinds_named(stage, term)));
    let seen = kinds.fold(part.stated as u64, |hash, kind| hash.wrapping_mul(31).wrapping_add(kind as u64));
    // An action says something of things that it does not name, too: where one robot goes, no other is.
    let mut schemas: Vec<&str> =
        story.plan.iter().map(|action| stage.engine.actions[*action].functor()).collect();
    schemas.sort_unstable();
    let seen = schemas
        .iter()
        .flat_map(|name| name.bytes().chain([0]))
        .fold(seen, |hash, byte| hash.wrapping_mul(31).wrapping_add(u64::from(byte)));
    shapes.profile_of((told, story), lexicon, &terms, (seen, 0))
}

/// The question as a term.
pub fn query(stage: &Simulator, families: &[FamilyPhrases], cell: &OfferCell, subject: &Subject) -> Term {
    query_of(stage, families, cell.family, subject)
}

fn query_of(stage: &Simulator, families: &[FamilyPhrases], family: usize, subject: &Subject) -> Term {
    Term::function(&families[family].pattern.functor, arguments(stage, families, subject))
}

impl FamilyTeller<'_> {
    /// A question and the name of its phrasings.
    pub fn question(
        &self,
        story: &Story,
        family: usize,
        subject: &Subject,
        rng: &mut ChaCha8Rng,
    ) -> Option<ToldText> {
        let mut inner = None;
        let slots = match subject {
            Subject::Story => Vec::new(),
            Subject::Fluents(fluents) => fluents.iter().map(|fluent| FamilySlot::Fluent(*fluent)).collect(),
            Subject::Action(action) => vec![FamilySlot::Action(*action)],
            Subject::Actions(actions) => vec![FamilySlot::Actions(actions.clone())],
            Subject::Object(object) => {
                let kind = self.stage.layout().objects[*object].kind;
                let kind = self.stage.package.types[kind].name.clone();
                vec![FamilySlot::Object(kind, self.naming.names[*object].to_string())]
            }
            Subject::Search(arguments) => {
                let slot = |argument: &SearchArgument| match argument {
                    SearchArgument::Goal(literals) => FamilySlot::Literals(literals.clone()),
                    SearchArgument::Actions(actions) => FamilySlot::Actions(actions.clone()),
                    SearchArgument::Number(number) => FamilySlot::Number(*number),
                    SearchArgument::Costs(listed) => FamilySlot::Costs(listed.clone()),
                    SearchArgument::Fluent(fluent) => FamilySlot::Fluent(*fluent),
                    SearchArgument::Action(action) => FamilySlot::Action(*action),
                    SearchArgument::Fluents(fluents) => FamilySlot::Fluents(fluents.clone()),
                };
                arguments.iter().map(slot).collect()
            }
            Subject::Partly(part) => match &part.asked {
                PartAsked::Fluent(fluent) | PartAsked::First(fluent) | PartAsked::Truth(fluent) => {
                    vec![FamilySlot::Fluent(*fluent)]
                }
                PartAsked::Action(action) => vec![FamilySlot::Action(*action)],
                PartAsked::Observed(literals) => vec![FamilySlot::Literals(literals.clone())],
                PartAsked::Settles(fluent, options) => {
                    vec![FamilySlot::Fluent(*fluent), FamilySlot::Fluents(options.clone())]
                }
            },
            Subject::Predicted(_) => Vec::new(),
            Subject::Undefined(asked, stranger) => {
                let narrator = if stranger.is_some() { self.stranger? } else { self.narrator };
                let (text, template) = narrator.question(story, Timepoint::Now, *asked, rng)?;
                inner = Some(template);
                vec![FamilySlot::Quoted(text)]
            }
            Subject::Composite(parts) => {
                let mut slots = Vec::new();
                let mut templates = Vec::new();
                for part in parts {
                    let (text, template) = match (&part.offer.subject, part.family) {
                        (Subject::Predicted(question), _) => {
                            self.narrator.question(story, Timepoint::Now, *question, rng)?
                        }
                        (subject, family) => self.question(story, family?, subject, rng)?,
                    };
                    slots.push(FamilySlot::Quoted(text));
                    templates.push(template);
                }
                inner = Some(templates.join(PARTS));
                slots
            }
            Subject::Edited(edit, question) => {
                let (text, template) = self.narrator.question(story, Timepoint::Now, *question, rng)?;
                inner = Some(template);
                let number = |step: &usize| FamilySlot::Number(step + 1);
                let mut slots = match edit {
                    PlanEdit::Without(step) => vec![number(step)],
                    PlanEdit::Instead(step, other) => vec![number(step), FamilySlot::Action(*other)],
                    PlanEdit::Swapped(first, second) => vec![number(first), number(second)],
                };
                slots.push(FamilySlot::Question(text));
                slots
            }
        };
        let (text, name) = family_question(self.narrator, &self.families[family], &slots, rng)?;
        let name = match inner {
            Some(inner) => format!("{name}/{inner}"),
            None if self.generic => format!("generic.{name}"),
            None => name,
        };
        Some((text, name))
    }

    /// An answer.
    pub fn answer(&self, offer: &OfferedQuestion, rng: &mut ChaCha8Rng) -> ToldAnswer {
        let engine = &self.stage.engine;
        let sure = offer.completions().is_some() && !offer.is_modal()
            || matches!(offer.subject, Subject::Undefined(..));
        let plain = |term: &Term| ToldAnswer {
            text: said(term),
            kind: match term {
                Term::Number(_) => "number",
                _ if sure => CERTAINTY,
                _ => "bool",
            },
            gold: vec![term.to_string()],
        };
        let none = || ToldAnswer { text: "none".to_owned(), kind: "none", gold: vec!["none".to_owned()] };
        match (&offer.answer, &offer.subject) {
            (Given::Term(term), _) => plain(term),
            (Given::Action(action), _) => ToldAnswer {
                text: self.canonical.clause(action, rng),
                kind: "action",
                gold: vec![engine.actions[*action].to_string()],
            },
            (Given::Fact(fact @ (fluent, truth)), _) => {
                let statement = self.canonical.statement(fluent, rng);
                ToldAnswer {
                    text: if *truth { statement } else { format!("{DENIED}{statement}") },
                    kind: "facts",
                    gold: vec![goal::literal(fact, &engine.fluents).to_string()],
                }
            }
            (Given::Fluents(all), _) | (Given::Actions(all), _) if all.is_empty() => none(),
            (Given::Fluents(all), _) => {
                let texts = all.iter().map(|f| self.canonical.statement(f, rng)).collect();
                let gold = all.iter().map(|f| engine.fluents[*f].to_string()).collect();
                ToldAnswer { text: listed(texts), kind: "facts", gold }
            }
            (Given::Actions(all) | Given::Plan(all), _) => {
                let texts: Vec<String> = all.iter().map(|a| self.canonical.clause(a, rng)).collect();
                let gold = all.iter().map(|a| engine.actions[*a].to_string()).collect();
                let (text, kind) = match &offer.answer {
                    Given::Plan(_) => (texts.join(STATEMENTS), "plan"),
                    _ => (listed(texts), if all.len() == 1 { "action" } else { "actions" }),
                };
                ToldAnswer { text, kind, gold }
            }
            (Given::Predicted(answers), Subject::Edited(_, question)) => {
                let mut gold: Vec<&Term> = answers.iter().map(|a| &engine.answers[*a].answer).collect();
                let (text, kind) = self.narrator.answer(*question, &mut gold);
                ToldAnswer { text, kind, gold: gold.iter().map(|term| term.to_string()).collect() }
            }
            (Given::Predicted(_), _) => none(),
        }
    }
}
