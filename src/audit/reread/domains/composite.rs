//! Questions that are made of others to clingo's answers: each part is answered by itself, and then the whole.

use racgen_data::row::{ExtraValue, Row};
use racgen_logic::term::Term;

use crate::audit::reread::domains::asked::AskedFurther;
use crate::audit::reread::domains::reading::ReadStory;
use crate::audit::reread::domains::replay::{Play, Solvers, StoryReplay};
use crate::audit::reread::verdict::{Finding, Trouble, finding, solver};
use crate::audit::reread::voice::{same, same_answer, same_list};
use crate::factory::further::extra_cells::PLAN_LENGTH;
use crate::factory::further::search_families::SearchFamily;
use crate::factory::further::telling::PARTS;
use crate::language::read::family_reader::{FamilyReading, ReadSlot};
use crate::language::read::name_index::NameIndex;
use crate::language::read::parser::Inverse;
use crate::language::read::rationale_parser::{Claim, Steps};
use crate::phrases::book::PhraseBook;
use crate::simulate::narrative::joined::joined;

/// What clingo says of a question within another.
struct JudgedPart {
    yes: bool,
    /// Does the initial situation give the same answer?
    trivial: bool,
    term: Term,
}

/// The row of a part that has this answer.
fn answered(within: &Row, yes: bool) -> Row {
    let answer = if yes { "yes" } else { "no" };
    Row { answer: answer.to_owned(), gold: vec![answer.to_owned()], ..within.clone() }
}

impl StoryReplay {
    /// A question that is made of others: whether the answer is trivial; none if one of them is not asked here.
    pub(super) fn of_composite(
        &self,
        solvers: &mut Solvers,
        play: &mut Play,
        story: &ReadStory,
        (asked, book): (&AskedFurther, (&Inverse, &PhraseBook, &NameIndex)),
        row: &Row,
    ) -> Result<Option<bool>, Finding> {
        let functor = asked.family.pattern.functor.as_str();
        let columns = |what: &str, given: &str| {
            finding(Trouble::Columns, format!("the column {what} has `{given}`, which the text does not ask"))
        };
        let query: Option<Term> = row.query.parse().ok();
        let Some(query) = query.filter(|query| query.is(functor, asked.slots.len())) else {
            return columns("query", &row.query);
        };
        let plain = format!("{functor}.{}", asked.number + 1);
        let own = if self.generic { format!("generic.{plain}/") } else { format!("{plain}/") };
        let plain = format!("{plain}/");
        let names = row.template.strip_prefix(&*plain).or_else(|| row.template.strip_prefix(&*own));
        let templates: Vec<&str> = names.map(|names| names.split(PARTS).collect()).unwrap_or_default();
        if templates.len() != asked.slots.len() {
            return columns("template", &row.template);
        }
        let steps = self.steps(book);
        let told = steps.parts(&row.rationale);
        let whole = told.last().and_then(|(_, last)| steps.read(last).ok()).unwrap_or_default();
        let due = (1..=asked.slots.len()).map(|number| Some(number.to_string())).chain([None]);
        if !told.is_empty()
            && (!told.iter().map(|(number, _)| number.clone()).eq(due)
                || whole != [Claim::Answer(row.answer.clone())])
        {
            return finding(Trouble::Rationale, "it does not answer each part and then the whole");
        }
        let mut told = told.into_iter().map(|(_, text)| text);
        let mut parts = Vec::new();
        for ((slot, inner), template) in asked.slots.iter().zip(query.args()).zip(templates) {
            let within = Row {
                query: inner.to_string(),
                template: template.into(),
                question_type: "verify".into(),
                rationale: told.next().unwrap_or_default(),
                ..row.clone()
            };
            let found = match slot {
                ReadSlot::Question(question, text) => {
                    let found = self.part_answer(solvers, play, story, (question, text), &within)?;
                    if let Some((yes, _)) = found {
                        self.predicted_explained(solvers, play, &steps, inner, &answered(&within, yes))?;
                    }
                    found.map(|(yes, trivial)| JudgedPart { yes, trivial, term: inner.clone() })
                }
                ReadSlot::Asked(reading, number, _) => {
                    self.of_part_family(solvers, play, story, (reading, *number, &steps), &within)?
                }
                _ => return finding(Trouble::Unreadable, format!("the question: {}", row.question)),
            };
            let Some(found) = found else { return Ok(None) };
            if found.term != *inner {
                return columns("query", &row.query);
            }
            parts.push(found);
        }
        let whole = |answers: Vec<bool>| joined(&query, &answers, self.limit).map_err(solver);
        let Some(yes) = whole(parts.iter().map(|part| part.yes).collect())? else {
            return finding(Trouble::Unreadable, format!("the question: {}", row.question));
        };
        let before = whole(parts.iter().map(|part| part.yes == part.trivial).collect())?;
        let answer = if yes { "yes" } else { "no" };
        same_list("gold", &row.gold, &[answer.to_owned()])?;
        same("question_type", &row.question_type, "verify")?;
        same("answer_type", &row.answer_type, "bool")?;
        same_answer(row, answer)?;
        self.columns(solvers, play, row, &query, None)?;
        Ok(Some(before == Some(yes)))
    }

    /// A question of a family within another.
    fn of_part_family(
        &self,
        solvers: &mut Solvers,
        play: &mut Play,
        story: &ReadStory,
        (reading, number, steps): (&FamilyReading, usize, &Steps),
        within: &Row,
    ) -> Result<Option<JudgedPart>, Finding> {
        let families = &self.package.package.common.families;
        let asked = self.whole(&families[reading.family], number, &reading.slots)?;
        let functor = asked.family.pattern.functor.as_str();
        if let Some(ReadSlot::Question(question, text)) = asked.slots.last() {
            let mut other = self.edited_play(story, play, &asked)?;
            let (inner, name) = self.within_edit(&asked, within)?;
            let inner = Row { query: inner.to_string(), template: name, ..within.clone() };
            let found = self.part_answer(solvers, &mut other, story, (question, text), &inner)?;
            let term = within.query.parse().unwrap_or_else(|_| Term::constant(functor));
            if let Some((yes, _)) = found {
                let asked = (&asked, steps);
                let question: Term = inner.query.parse().unwrap_or_else(|_| Term::constant(functor));
                self.edit_explained(solvers, play, asked, &question, &answered(within, yes))?;
            }
            return Ok(found.map(|(yes, trivial)| JudgedPart { yes, trivial, term }));
        }
        let term = Term::function(functor, asked.arguments.clone());
        let plain = format!("{functor}.{}", number + 1);
        same("template", &within.template, &if self.generic { format!("generic.{plain}") } else { plain })?;
        let is_yes = |answers: &[Term]| answers.iter().any(|answer| answer.is("yes", 0));
        if let Some(search) = SearchFamily::of(asked.family) {
            let search = self.asked_search(search, asked.slots, within)?;
            let first = play.passed[0].clone();
            let last = play.passed[play.passed.len() - 1].clone();
            let Some(found) = self.yes_or_no(solvers, story, &last, &search)? else { return Ok(None) };
            let before = self.yes_or_no(solvers, story, &first, &search)?;
            if !within.rationale.is_empty() {
                let mut own = answered(within, found);
                if let Some(length) = self.fewest(solvers, story, &last, &search)? {
                    own.extra.insert(PLAN_LENGTH.into(), ExtraValue::Number(length as i64));
                }
                self.search_explained(solvers, (play, story), (&search, steps), &own)?;
            }
            return Ok(Some(JudgedPart { yes: found, trivial: before == Some(found), term }));
        }
        let idle = vec![play.passed[0].clone(); play.passed.len()];
        let found = self.judged(solvers, play, story, &asked, &term, &play.passed)?;
        let Some(found) = found.filter(|found| found.kind == "verify") else { return Ok(None) };
        let before = self.judged(solvers, play, story, &asked, &term, &idle)?;
        let trivial = found.is_that_of(before.as_ref());
        let own = answered(within, is_yes(&found.answers));
        self.history_explained(solvers, play, (story, &asked, steps), &own)?;
        Ok(Some(JudgedPart { yes: is_yes(&found.answers), trivial, term }))
    }
}
