//! Texts and the rows that they answer to credits: 1 for a right answer, 0 for a wrong one, and for lists a part, if wanted.

use racgen_data::row::Row;

use crate::domain::catalogue::Catalogue;
use crate::factory::further::telling::CERTAINTY;
use crate::score::certainty_said::certainty_said;
use crate::score::final_answer::final_answer;
use crate::score::normal::{Normal, normal};
use crate::score::overlap::overlap;
use crate::score::plans_said::{PLAN, PlanReader};
use crate::score::question_asked::QuestionAsked;
use crate::score::statements_said::{StatementReader, is_list};

/// Judges answers to rows of the domains of a catalogue. It keeps what it learnt of a domain.
pub struct AnswerJudge<'c> {
    statements: StatementReader<'c>,
    plans: PlanReader<'c>,
}

impl<'c> AnswerJudge<'c> {
    /// A judge for the domains of a catalogue.
    pub fn new(catalogue: &'c Catalogue) -> AnswerJudge<'c> {
        AnswerJudge { statements: StatementReader::new(catalogue), plans: PlanReader::new(catalogue) }
    }

    /// Does a text answer a row rightly? Lists of statements and of actions count in any order and in any phrasing of the
    /// phrase book of the row's domain, and plans by what comes of them.
    pub fn is_right(&mut self, text: &str, row: &Row) -> bool {
        if &*row.answer_type == PLAN {
            return self.plans.verdict(text, row).is_right();
        }
        match is_list(&row.answer_type) {
            true => self.statements.answers(text, row),
            false => answers(text, row),
        }
    }

    /// The credit of a text that answers a row. With `partial`, a list that is not right has the harmonic mean of the share of
    /// its parts that are right and the share of the right ones that it has (F1).
    pub fn credit(&mut self, text: &str, row: &Row, partial: bool) -> f64 {
        if self.is_right(text, row) {
            return 1.0;
        }
        match partial {
            true if is_list(&row.answer_type) => self.statements.overlap(text, row),
            true if &*row.answer_type == "names" => names_overlap(text, row),
            _ => 0.0,
        }
    }
}

/// Does a text answer a row rightly, where no phrase book is needed?
pub(crate) fn answers(text: &str, row: &Row) -> bool {
    if &*row.answer_type == CERTAINTY {
        return certainty_said(text, &row.answer) == Some(&*row.answer);
    }
    said(text, row).contains(&normal(&row.answer, &row.answer_type))
}

/// The readings of the final answer of a text.
fn said(text: &str, row: &Row) -> Vec<Normal> {
    let names = row.objects.iter().map(|object| &*object.name);
    final_answer(text, &QuestionAsked::new(&row.answer_type, &row.question, names))
}

/// Of the readings of a text, the best overlap with the names of the answer.
fn names_overlap(text: &str, row: &Row) -> f64 {
    let Normal::Names(wanted) = normal(&row.answer, &row.answer_type) else { return 0.0 };
    let overlaps = said(text, row).into_iter().map(|reading| match reading {
        Normal::Names(names) => {
            overlap(names.iter().filter(|name| wanted.contains(name)).count(), names.len(), wanted.len())
        }
        _ => 0.0,
    });
    overlaps.fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use racgen_data::row::ObjectName;

    use super::*;

    #[test]
    fn lists_have_partial_credit_where_it_is_wanted() {
        let object = |name: &str| ObjectName { id: name.into(), kind: "crane".into(), name: name.into() };
        let row = Row {
            domain: "dwr".into(),
            answer_type: "names".into(),
            question: "Which cranes are empty?".into(),
            answer: "crane-1, crane-2".into(),
            objects: ["crane-1", "crane-2", "crane-3"].map(object).into(),
            ..Row::default()
        };
        let catalogue = Catalogue::find(&[]).unwrap();
        let mut judge = AnswerJudge::new(&catalogue);
        assert_eq!(judge.credit("crane-2, crane-1", &row, false), 1.0);
        assert_eq!(judge.credit("crane-1, crane-3", &row, false), 0.0);
        assert_eq!(judge.credit("crane-1, crane-3", &row, true), 0.5);
        assert_eq!(judge.credit("crane-3", &row, true), 0.0);
        let row = Row {
            domain: "blocks".into(),
            answer_type: "facts".into(),
            answer: "the red block is on the blue block; the blue block is on the table".into(),
            gold: vec!["on(b1,b2)".into(), "ontable(b2)".into()],
            objects: [("b1", "red"), ("b2", "blue")]
                .map(|(id, name)| ObjectName { id: id.into(), kind: "block".into(), name: name.into() })
                .into(),
            template: "whole_state.1".into(),
            ..Row::default()
        };
        let one = judge.credit("The blue block stands on the table.", &row, true);
        assert!((one - 2.0 / 3.0).abs() < 1e-9, "{one}");
        assert_eq!(judge.credit("I do not know", &row, true), 0.0);
    }
}
