//! A statement to the answers it gives: a yes or no, a number, or names, and nothing where it hedges or says other things.

use crate::score::normal::{Normal, number};
use crate::score::question_asked::{AnswerKind, QuestionAsked};
use crate::score::tokens::{peeled, words};
use crate::score::yes_or_no::yes_or_no;

impl QuestionAsked {
    /// What a statement answers. It is more than one only where a list may be cut in several ways.
    pub(crate) fn readings(&self, statement: &str) -> Vec<Normal> {
        let text = peeled(statement);
        // A question, and a list that trails off.
        if text.is_empty() || text.ends_with('?') || statement.trim_end().ends_with("...") {
            return Vec::new();
        }
        match self.kind {
            AnswerKind::Bool => yes_or_no(text).map(Normal::Bool).into_iter().collect(),
            AnswerKind::Number => self.number_said(text).map(Normal::Number).into_iter().collect(),
            AnswerKind::Names => self.names_said(text),
        }
    }

    /// What a statement answers that is nothing but an answer.
    pub(crate) fn bare(&self, statement: &str) -> Vec<Normal> {
        let text = peeled(statement);
        let few = text.split_whitespace().count();
        match self.kind {
            AnswerKind::Bool | AnswerKind::Number if few > 3 => Vec::new(),
            AnswerKind::Bool | AnswerKind::Number => self.readings(statement),
            AnswerKind::Names => self.list(text).into_iter().filter(|names| self.are_known(names)).collect(),
        }
    }

    /// What the beginning of a statement answers, before any reasons.
    pub(crate) fn leading(&self, statement: &str) -> Vec<Normal> {
        let text = peeled(statement);
        match self.kind {
            AnswerKind::Bool => self.readings(statement),
            AnswerKind::Number => {
                let first = words(text).into_iter().next().unwrap_or_default();
                let starts = number(&first).is_some() || ["no", "none", "there"].contains(&first.as_str());
                if starts { self.readings(statement) } else { Vec::new() }
            }
            AnswerKind::Names => self.sure(statement),
        }
    }

    /// What a statement answers, if it is sure that it answers: any words could be a name.
    pub(crate) fn sure(&self, statement: &str) -> Vec<Normal> {
        let found = self.readings(statement);
        if self.kind != AnswerKind::Names {
            return found;
        }
        let said = self.said(peeled(statement));
        found.into_iter().filter(|names| self.are_known(names) || said.as_ref() == Some(names)).collect()
    }
}
