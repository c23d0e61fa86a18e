//! A question and the name of its phrasing to whether it is worded so.

use racgen_data::row::ObjectName;

use crate::audit::reread::verdict::{Finding, Trouble, finding};
use crate::domain::package::Package;
use crate::language::read::parser::ParsedQuestion;
use crate::language::read::sentence::{ParsedFiller, Says};
use crate::language::words::generic_books::Books;
use crate::language::words::text::{SEPARATOR, capital, small};
use crate::phrases::book::Phrasings;
use crate::phrases::phrasing::Phrasing;

/// What stands for words that the question may choose: a person, a clause.
const OPEN: char = '\u{e1fe}';

/// A question as it was read, with the books that may have worded it.
pub(crate) struct AskedWords<'a> {
    pub(crate) package: &'a Package,
    /// Those of the generic vocabulary, where the text is told in it.
    pub(crate) generic: Option<&'static Books>,
    pub(crate) asked: &'a ParsedQuestion,
    /// The functor of the question's term.
    pub(crate) functor: &'a str,
    pub(crate) objects: &'a [ObjectName],
}

impl<'a> AskedWords<'a> {
    /// The column template names the phrasings that the question has.
    pub(crate) fn check(&self, template: &str, question: &str) -> Result<(), Finding> {
        if self.fits(template, question) == Some(true) {
            return Ok(());
        }
        finding(
            Trouble::Columns,
            format!("the column template has `{template}`, which does not word the question \"{question}\""),
        )
    }

    /// Is the question worded as the name says? None for a name that no phrasing of such a question has.
    fn fits(&self, template: &str, question: &str) -> Option<bool> {
        let (form, phrasings) = self.form()?;
        let (outer, inner) = match template.rsplit_once('/') {
            Some((outer, inner)) => (Some(outer), inner),
            None => (None, template),
        };
        let phrasing = numbered(inner, &form, phrasings)?;
        let inner = self.filled(phrasing);
        let common = &self.package.common;
        let changes = matches!(self.asked.question.says, Says::Fluent(_));
        let wrapper = match (self.asked.initially, if changes { 0 } else { self.asked.supposed.len() }) {
            (true, _) => Some(("initially", &common.initially, 0)),
            (false, 0) => None,
            (false, 1) => Some(("after.one", &common.after_one, 1)),
            (false, _) => Some(("after.two", &common.after_two, 2)),
        };
        let told = match (wrapper, outer) {
            (None, None) => inner,
            // The question stands in the slot after those of the actions.
            (Some((name, wrappers, last)), Some(outer)) => {
                let phrasing = numbered(outer, name, wrappers)?;
                let mut text = String::new();
                let (inner, open) = (small(&inner), OPEN.to_string());
                phrasing.fill(&mut text, |slot| if slot == last { &inner } else { &open });
                text
            }
            _ => return None,
        };
        Some(open_fits(&capital(&told), question))
    }

    /// The name of the question's form, and its phrasings.
    fn form(&self) -> Option<(String, &'a Phrasings)> {
        let common = &self.package.common;
        let says = self.asked.question.says;
        let changes = || common.questions.iter().find(|q| q.pattern.functor == "changes").map(|q| &q.ask);
        if let Some(books) = self.generic {
            let (form, phrasings) = match says {
                Says::Ask(entry) => ("true", &books.generic.fluents.get(entry)?.ask),
                Says::Can(entry) => ("executable", &books.generic.actions.get(entry)?.can),
                Says::Fluent(_) => ("changes", changes()?),
                Says::Other(number) => {
                    let own = books.own.questions.get(number.checked_sub(books.own.sentences.len())?)?;
                    (own.pattern.functor.as_str(), &own.ask)
                }
                _ => return None,
            };
            return Some((format!("generic.{form}"), phrasings));
        }
        let book = &self.package.book;
        let plain = |phrasings| Some((self.functor.to_owned(), phrasings));
        match says {
            Says::Ask(entry) => plain(&book.fluents[entry].ask),
            Says::Which(entry, place) => plain(&book.fluents[entry].which[place].1),
            Says::Count(entry, place) => plain(&book.fluents[entry].count[place].1),
            Says::Own(entry) => plain(&book.questions[entry].ask),
            Says::Common(entry) => plain(&common.questions[entry].ask),
            Says::Can(entry) => {
                let action = &book.actions[entry];
                Some((format!("executable.{}", action.pattern.functor), &action.can))
            }
            Says::Fluent(entry) => {
                Some((format!("changes.{}", book.fluents[entry].pattern.functor), changes()?))
            }
            _ => None,
        }
    }

    /// The phrasing with the names that were read in its slots.
    fn filled(&self, phrasing: &Phrasing) -> String {
        let names = |fillers: &Vec<ParsedFiller>| -> String {
            let name = |filler: &ParsedFiller| match filler {
                ParsedFiller::Object(object, _) => self.objects[*object].name.to_string(),
                ParsedFiller::Number(number) => number.to_string(),
                ParsedFiller::Term(_) => OPEN.to_string(),
            };
            fillers.iter().map(name).collect::<Vec<_>>().join(SEPARATOR)
        };
        // The clauses of the question about changes are no slots of the sentence that was read.
        let nested = matches!(self.asked.question.says, Says::Fluent(_));
        let slots: Vec<String> = match nested {
            true => Vec::new(),
            false => self.asked.question.slots.iter().map(names).collect(),
        };
        let (mut text, open) = (String::new(), OPEN.to_string());
        phrasing.fill(&mut text, |slot| slots.get(slot).map_or(open.as_str(), String::as_str));
        text
    }
}

/// The phrasing that a name of this form, with a number counted from 1, stands for.
fn numbered<'p>(name: &str, form: &str, phrasings: &'p Phrasings) -> Option<&'p Phrasing> {
    let number = name.strip_prefix(form)?.strip_prefix('.')?;
    // A number is written in one way only.
    let place = number.parse::<usize>().ok().filter(|n| n.to_string() == number)?.checked_sub(1)?;
    phrasings.list.get(place)
}

/// Is this the text, but for what stands in the open places?
fn open_fits(told: &str, text: &str) -> bool {
    let mut pieces = told.split(OPEN);
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let Some(last) = pieces.next_back() else { return rest.is_empty() };
    for piece in pieces {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_places_take_any_words() {
        assert!(open_fits("If \u{e1fe}, is it so?", "If he comes, is it so?"));
        assert!(open_fits("Is it so?", "Is it so?"));
        assert!(!open_fits("Is it so?", "Is it so? Well?"));
        assert!(!open_fits("If \u{e1fe}, and \u{e1fe}, is it so?", "If he comes, is it so?"));
    }
}
