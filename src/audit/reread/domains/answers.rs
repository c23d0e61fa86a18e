//! Questions to clingo's answers, and these against the rows'.

use std::collections::BTreeSet;

use racgen_data::row::{ExtraValue, ObjectName, Row};
use racgen_logic::term::Term;

use crate::audit::reread::domains::explained::DueCourse;
use crate::audit::reread::domains::left_out::{Rests, fits};
use crate::audit::reread::domains::origin::{Grounds, OwnLayout, form as inquiry_form, scene};
use crate::audit::reread::domains::phrasing::AskedWords;
use crate::audit::reread::domains::reading::{ReadStory, only, question_term, term_of};
use crate::audit::reread::domains::replay::{Play, Solvers, StoryReplay};
use crate::audit::reread::verdict::{Finding, Trouble, finding, solver};
use crate::audit::reread::voice::{same, same_answer, same_list};
use crate::domain::package::Package;
use crate::factory::further::extra_cells::{JUDGE, judge};
use crate::language::read::name_index::NameIndex;
use crate::language::read::parser::{Inverse, ParsedQuestion};
use crate::language::read::rationale_parser::Steps;
use crate::language::read::sentence::{ParsedFiller, Says};
use crate::language::tell::course::{CourseEvent, Ending};
use crate::language::words::generic_books::Books;
use crate::language::words::text::compound;

use crate::simulate::transitions::transition_system::TransitionSystem;

/// An answer that was worked out.
pub(super) struct Answer {
    text: String,
    /// Ground terms, where they can be told from the text.
    gold: Vec<String>,
    query: Option<String>,
    kind: &'static str,
    /// `bool`, `number`, `name`, `names` or `none`.
    answer_type: &'static str,
    trivial: bool,
    /// The question as the program knows it; not known where a text names no objects.
    question: Option<Term>,
    /// The action that is supposed without a clause that says so.
    supposed: Option<usize>,
    /// In the vocabulary of the generic domain, the question's form and the things it lists.
    listed: Option<(String, BTreeSet<Term>)>,
}

impl Answer {
    /// Does the initial situation give it, too?
    pub(super) fn trivial(&self) -> bool {
        self.trivial
    }
}

/// The type of an answer, which its words and its kind tell.
fn answer_type(kind: &str, gold: &[String]) -> &'static str {
    match (kind, gold) {
        ("verify", _) => "bool",
        ("count", _) => "number",
        (_, [only]) if only == "none" => "none",
        (_, [only]) if only.parse::<i64>().is_ok() => "number",
        (_, [_]) => "name",
        _ => "names",
    }
}

impl StoryReplay {
    /// Answers one row's question: whether the answer is trivial; none if the question is not asked here.
    pub(crate) fn row(
        &self,
        solvers: &mut Solvers,
        play: &mut Play,
        story: &ReadStory,
        inverse: &Inverse,
        names: &NameIndex,
        row: &Row,
    ) -> Option<Result<bool, Finding>> {
        let book = if self.generic {
            match Books::load() {
                Ok(books) => &books.generic,
                Err(error) => return Some(Err(solver(error))),
            }
        } else {
            &self.package.package.book
        };
        if let Some(found) = self.further(solvers, play, story, (inverse, names), row) {
            return found;
        }
        let asked = match only(inverse.question(book, names, &row.question), "question") {
            Ok(asked) => asked,
            Err(mut found) => {
                found.detail = format!("{}: {}", found.detail, row.question);
                return Some(Err(found));
            }
        };
        let engine = &mut solvers.engine;
        let answer = if self.generic {
            self.generic_answer(engine, play, story, &asked)
        } else {
            self.own_answer(engine, play, story, &asked, row)
        };
        match answer {
            Err(found) => Some(Err(found)),
            Ok(None) => None,
            Ok(Some(answer)) => Some(compare(&answer, row).and_then(|()| {
                let grounds = self.unsaid(solvers, play, story, &asked, &answer, row)?;
                let rests = grounds.as_ref().map(|grounds| grounds.rests(&self.package.package));
                let steps = Steps::new(inverse, book, names, &self.package.package.common.rationale);
                self.rationale(&mut solvers.engine, play, &steps, &asked, rests.flatten(), row)?;
                Ok(answer.trivial)
            })),
        }
    }

    /// The answer to a question of prediction, which must be the row's; none if it is not asked here.
    pub(super) fn predicted(
        &self,
        engine: &mut TransitionSystem,
        play: &mut Play,
        story: &ReadStory,
        asked: &ParsedQuestion,
        row: &Row,
    ) -> Result<Option<Answer>, Finding> {
        let answer = match self.generic {
            true => self.generic_answer(engine, play, story, asked)?,
            false => self.own_answer(engine, play, story, asked, row)?,
        };
        if let Some(answer) = &answer {
            compare(answer, row)?;
        }
        Ok(answer)
    }

    /// Whether a question of prediction within another is answered yes, and whether the initial situation gives the same
    /// answer; none if it is not asked here. The row has what is about that question.
    pub(super) fn part_answer(
        &self,
        solvers: &mut Solvers,
        play: &mut Play,
        story: &ReadStory,
        (asked, text): (&ParsedQuestion, &str),
        row: &Row,
    ) -> Result<Option<(bool, bool)>, Finding> {
        if asked.initially || !asked.supposed.is_empty() {
            return finding(Trouble::Unreadable, format!("the question: {text}"));
        }
        let engine = &mut solvers.engine;
        let answer = match self.generic {
            true => self.generic_answer(engine, play, story, asked)?,
            false => self.own_answer(engine, play, story, asked, row)?,
        };
        let Some(answer) = answer else { return Ok(None) };
        if let Some(query) = &answer.query {
            same("query", &row.query, query)?;
        }
        let term = self.inner(solvers, asked, &answer, row)?;
        self.words(story, asked, &term)?.check(&row.template, text)?;
        match answer.text.as_str() {
            "yes" => Ok(Some((true, answer.trivial))),
            "no" => Ok(Some((false, answer.trivial))),
            _ => finding(Trouble::Unreadable, format!("the question: {text}")),
        }
    }

    /// A question as its own program knows it, which the column query of the row has.
    pub(super) fn inner(
        &self,
        solvers: &mut Solvers,
        asked: &ParsedQuestion,
        answer: &Answer,
        row: &Row,
    ) -> Result<Term, Finding> {
        match (&answer.question, &answer.listed) {
            (None, Some(listed)) => {
                let all = self.own(solvers, row)?;
                self.behind(&all, asked, listed, row).map(|(_, question)| question)
            }
            (question, _) => Ok(question.clone().unwrap_or_else(|| Term::constant("none"))),
        }
    }

    /// The columns that the text does not tell: what the question is called, and how short a plan could be. Returns where
    /// it is to be seen on what the answer rests.
    fn unsaid(
        &self,
        solvers: &mut Solvers,
        play: &mut Play,
        story: &ReadStory,
        asked: &ParsedQuestion,
        answer: &Answer,
        row: &Row,
    ) -> Result<Option<Grounds>, Finding> {
        let package = &self.package.package;
        let all = self.own(solvers, row)?;
        let (place, question) = match (&answer.question, &answer.listed) {
            (Some(question), _) => (0, question.clone()),
            (None, Some(listed)) => {
                let (own, question) = self.behind(&all, asked, listed, row)?;
                all[own].check_facts(package, row, &play.passed, self.limit)?;
                (own, question)
            }
            (None, None) => return Ok(None),
        };
        let family = row.query.parse::<Term>().map(|query| query.functor().to_owned());
        same("family", &row.family, &family.unwrap_or_default())?;
        let words = AskedWords {
            package,
            generic: if self.generic { Some(Books::load().map_err(solver)?) } else { None },
            asked,
            functor: question.functor(),
            objects: &story.objects,
        };
        words.check(&row.template, &row.question)?;
        let Some(own) = all.get(place) else { return Ok(None) };
        self.effective_depth(own, play, row)?;
        if row.rationale.is_empty() || own.compiled.fluents != self.compiled.fluents {
            return Ok(None);
        }
        Ok(Some(Grounds { own: place, question, supposed: answer.supposed, all }))
    }

    /// The layout in which the column query asks what the text does, and the question as its program knows it.
    fn behind(
        &self,
        all: &[OwnLayout],
        asked: &ParsedQuestion,
        (form, things): &(String, BTreeSet<Term>),
        row: &Row,
    ) -> Result<(usize, Term), Finding> {
        let found =
            row.query.parse::<Term>().ok().map(|query| scene(&query)).and_then(|(initially, actions, q)| {
                let fits = |own: &OwnLayout| {
                    own.is_that_of(&self.compiled)
                        && own.inquiry(&q).is_some_and(|inquiry| {
                            let name = inquiry_form(inquiry);
                            own.things(inquiry) == *things
                                && (name == *form || name == form.replace("_every", ""))
                        })
                };
                let own = all.iter().position(fits)?;
                (initially == asked.initially && actions == asked.supposed).then_some((own, q))
            });
        found.map_or_else(
            || {
                finding(
                    Trouble::Columns,
                    format!("the column query has `{}`, which the text does not ask", row.query),
                )
            },
            Ok,
        )
    }

    /// The row's rationale, if there is one, states what is so, and comes to the row's answer.
    fn rationale(
        &self,
        engine: &mut TransitionSystem,
        play: &Play,
        steps: &Steps,
        asked: &ParsedQuestion,
        rests: Option<Rests>,
        row: &Row,
    ) -> Result<(), Finding> {
        if row.rationale.is_empty() {
            return Ok(());
        }
        let mut due = DueCourse::of(play);
        if asked.initially {
            due.events.clear();
            due.told = 0;
        }
        for action in &asked.supposed {
            let action = self.action(action)?;
            due.act(engine, action, CourseEvent::Impossible)?;
        }
        if matches!(rests, Some(Rests::Followed(_))) {
            due.ending = Ending::Untold;
        }
        due.rests.extend(rests);
        self.explained(engine, steps, due, row).map(|_| ())
    }

    /// Is a static fact of the layout meant, whichever way it is told?
    pub(super) fn is_static(&self, fact: &Term) -> bool {
        let book = &self.package.package.book;
        let symmetric = book.facts.iter().any(|r| r.symmetric && self.package.package.fits(&r.pattern, fact));
        let turned = || Term::function(fact.functor(), fact.args().iter().rev().cloned().collect());
        let all = &self.layout.statics;
        all.iter().any(|known| fits(fact, known)) || symmetric && all.contains(&turned())
    }

    fn own_answer(
        &self,
        engine: &mut TransitionSystem,
        play: &mut Play,
        story: &ReadStory,
        asked: &ParsedQuestion,
        row: &Row,
    ) -> Result<Option<Answer>, Finding> {
        let package = &self.package.package;
        let (term, changes) = question_term(package, &asked.question, &story.objects);
        let mut supposed = Vec::new();
        for action in &asked.supposed {
            supposed.push(self.action(action)?);
        }
        let term = match (changes, term) {
            (false, term) if term.is("executable", 1) => Term::function(
                "executable",
                vec![self.compiled.actions[self.action(&term.args()[0])?].clone()],
            ),
            (_, term) => term,
        };
        let term = &term;
        let mut numbers = self.compiled.questions.iter().enumerate().filter(|(_, q)| q.term == *term);
        let Some((number, question)) = numbers.next() else { return Ok(None) };
        let (number, question) = match numbers.next() {
            Some(second) if second.1.kind.name() == row.question_type => second,
            _ => (number, question),
        };
        // A question may suppose an action without a clause that says so: one that it names.
        let named: Vec<usize> = self
            .compiled
            .actions
            .iter()
            .enumerate()
            .filter(|(_, action)| term.args().contains(action))
            .map(|(number, _)| number)
            .collect();
        let mut settings: Vec<(Vec<usize>, Option<usize>)> = Vec::new();
        if changes {
            settings.push((vec![], supposed.first().copied()));
        } else {
            settings.push((supposed.clone(), None));
            if supposed.is_empty() && !asked.initially {
                settings.extend(named.iter().map(|action| (vec![], Some(*action))));
            }
        }
        for (further, action) in settings {
            let Some((_, sheet)) = self.sheet(engine, play, asked.initially, &further, action)? else {
                return finding(
                    Trouble::Impossible,
                    "the question supposes an action that cannot be carried out",
                );
            };
            let answers: Vec<usize> = question.answers.clone().filter(|a| sheet.contains(*a)).collect();
            if answers.is_empty() {
                continue;
            }
            let possible = action.is_none_or(|a| play.executable.contains(&a));
            let before = if possible { self.sheet(engine, play, true, &[], action)? } else { None };
            let same = |a: usize| before.as_ref().is_some_and(|(_, b)| b.contains(a)) == sheet.contains(a);
            let trivial = before.is_some() && question.answers.clone().all(same);
            let mut terms: Vec<&Term> = answers.iter().map(|a| &self.compiled.answers[*a].answer).collect();
            let rank = |t: &Term| {
                let object = story.objects.iter().position(|o| t.is(&o.id, 0));
                object.map_or(usize::MAX, |place| place)
            };
            terms.sort_by_key(|t| rank(t));
            let texts: Vec<String> = terms.iter().map(|t| said(package, &story.objects, t)).collect();
            let inner = self.compiled.questions[number].term.clone();
            let actions = asked.supposed.iter().zip(&supposed);
            let query = match (changes, asked.initially) {
                (true, _) => Term::function(
                    "changes",
                    vec![self.compiled.actions[supposed[0]].clone(), inner.args()[0].clone()],
                ),
                (_, true) => Term::function("initially", vec![inner]),
                _ => actions.rev().fold(inner, |inner, (_, action)| {
                    Term::function("after", vec![self.compiled.actions[*action].clone(), inner])
                }),
            };
            let gold: Vec<String> = terms.iter().map(|t| t.to_string()).collect();
            return Ok(Some(Answer {
                text: texts.join(", "),
                answer_type: answer_type(question.kind.name(), &gold),
                gold,
                query: Some(query.to_string()),
                kind: question.kind.name(),
                trivial,
                question: Some(question.term.clone()),
                supposed: if changes { None } else { action },
                listed: None,
            }));
        }
        Ok(None)
    }

    fn generic_answer(
        &self,
        engine: &mut TransitionSystem,
        play: &mut Play,
        story: &ReadStory,
        asked: &ParsedQuestion,
    ) -> Result<Option<Answer>, Finding> {
        let books = Books::load().map_err(solver)?;
        let things: Vec<&ObjectName> = asked
            .question
            .slots
            .iter()
            .flatten()
            .filter_map(|f| if let ParsedFiller::Object(o, _) = f { Some(&story.objects[*o]) } else { None })
            .collect();
        let mut supposed = Vec::new();
        for action in &asked.supposed {
            supposed.push(self.action(action)?);
        }
        let functor = match asked.question.says {
            Says::Ask(_) => "one_true",
            Says::Can(_) => "one_executable",
            Says::Fluent(_) => "changes",
            Says::Other(number) => {
                let question = number.checked_sub(books.own.sentences.len());
                question.and_then(|n| books.own.questions.get(n)).map_or("", |q| q.pattern.functor.as_str())
            }
            _ => "",
        };
        let all: Vec<&ObjectName> = story.objects.iter().filter(|o| &*o.kind == "action").collect();
        let things = if functor == "count_every_executable" { all } else { things };
        let listed: BTreeSet<Term> = things.iter().map(|thing| term_of(thing)).collect();
        let (shape, property) = functor.rsplit_once('_').unwrap_or((functor, ""));
        let mut answer_in = |initially: bool, further: &[usize]| -> Result<Option<Vec<bool>>, Finding> {
            let Some((situation, _)) = self.sheet(engine, play, initially, further, None)? else {
                return Ok(None);
            };
            let executable: Vec<usize> = if property == "executable" {
                let considered = engine.consider(&situation, None).map_err(solver)?;
                considered.map(|(outcome, _)| outcome.executable).unwrap_or_default()
            } else {
                Vec::new()
            };
            let mut values = Vec::new();
            for thing in &things {
                let term = term_of(thing);
                values.push(match property {
                    "executable" => executable.contains(&self.action(&term)?),
                    "false" => !situation.contains(self.index(&term)?),
                    _ => situation.contains(self.index(&term)?),
                });
            }
            Ok(Some(values))
        };
        let text = |values: &[bool]| -> String {
            let holding = || things.iter().zip(values).filter(|(_, v)| **v).map(|(t, _)| t.name.to_string());
            let yes_no = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
            match shape {
                "one" | "all" => yes_no(values.iter().all(|v| *v)),
                "any" => yes_no(values.iter().any(|v| *v)),
                "count" | "count_every" => values.iter().filter(|v| **v).count().to_string(),
                _ if !values.contains(&true) => "none".to_owned(),
                _ => holding().collect::<Vec<_>>().join(", "),
            }
        };
        let impossible = "the question supposes an action that cannot be carried out";
        if functor == "changes" {
            let (Some(now), Some(then)) = (answer_in(false, &[])?, answer_in(false, &supposed)?) else {
                return finding(Trouble::Impossible, impossible);
            };
            let yes = now != then;
            let before = match (answer_in(true, &[])?, answer_in(true, &supposed)?) {
                (Some(now), Some(then)) => Some(now != then),
                _ => None,
            };
            let text = if yes { "yes" } else { "no" };
            return Ok(Some(Answer {
                text: text.into(),
                gold: vec![text.into()],
                query: None,
                kind: "verify",
                answer_type: "bool",
                trivial: before == Some(yes),
                question: None,
                supposed: None,
                listed: Some((functor.to_owned(), listed)),
            }));
        }
        let Some(values) = answer_in(asked.initially, &supposed)? else {
            return finding(Trouble::Impossible, impossible);
        };
        let before = answer_in(true, &[])?;
        let found = text(&values);
        let trivial = before.is_some_and(|before| text(&before) == found);
        let kind = match shape {
            "one" | "all" | "any" => "verify",
            "count" | "count_every" => "count",
            _ => "other",
        };
        let meant = things.iter().zip(&values).filter(|(_, holds)| **holds);
        let gold: Vec<String> = match kind {
            "other" if values.contains(&true) => meant.map(|(thing, _)| term_of(thing).to_string()).collect(),
            _ => vec![found.clone()],
        };
        Ok(Some(Answer {
            text: found,
            answer_type: answer_type(kind, &gold),
            gold,
            query: None,
            kind,
            trivial,
            question: None,
            supposed: None,
            listed: Some((functor.to_owned(), listed)),
        }))
    }
}

fn compare(answer: &Answer, row: &Row) -> Result<(), Finding> {
    same_answer(row, &answer.text)?;
    same_list("gold", &row.gold, &answer.gold)?;
    if let Some(query) = &answer.query {
        same("query", &row.query, query)?;
    }
    same("question_type", &row.question_type, answer.kind)?;
    // Data sets with questions beyond prediction have it in all rows.
    if let Some(ExtraValue::Text(given)) = row.extra.get(JUDGE) {
        same(JUDGE, given, judge(answer.answer_type))?;
    }
    same("answer_type", &row.answer_type, answer.answer_type)
}

/// The text of an answer's term.
fn said(package: &Package, objects: &[ObjectName], term: &Term) -> String {
    if !term.args().is_empty()
        && let Some(told) = compound(&package.book.terms, term, |argument| said(package, objects, argument))
    {
        return told;
    }
    let object = objects.iter().find(|o| term.is(&o.id, 0)).map(|o| o.name.to_string());
    let constant = || package.constants.get(term.functor()).filter(|_| term.args().is_empty()).cloned();
    object.or_else(constant).unwrap_or_else(|| term.to_string())
}
