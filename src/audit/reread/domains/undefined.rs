//! Questions that may name what the text does not have to clingo's answers.

use racgen_data::row::{ObjectName, Row};
use racgen_logic::term::Term;

use crate::audit::reread::domains::asked::AskedFurther;
use crate::audit::reread::domains::phrasing::AskedWords;
use crate::audit::reread::domains::reading::{ReadStory, question_term};
use crate::audit::reread::domains::replay::{Play, Solvers, StoryReplay};
use crate::audit::reread::verdict::{Finding, Trouble, finding, solver};
use crate::audit::reread::voice::{same, same_answer, same_list};
use crate::factory::further::telling::CERTAINTY;
use crate::language::read::family_reader::ReadSlot;
use crate::language::read::name_index::NameIndex;
use crate::language::read::parser::Inverse;
use crate::language::read::rationale_parser::Claim;
use crate::language::tell::family_question::called;
use crate::language::words::naming::is_obfuscated;
use crate::phrases::book::PhraseBook;
use crate::simulate::narrative::partly_by_clingo::said;
use crate::simulate::narrative::undefined::{defined_answer, stranger};

impl StoryReplay {
    /// A question that may name what the text does not have: whether the initial situation gives the same answer; none if it
    /// is not asked here.
    pub(super) fn of_undefined(
        &self,
        solvers: &mut Solvers,
        play: &mut Play,
        story: &ReadStory,
        (asked, (inverse, book, names)): (&AskedFurther, (&Inverse, &PhraseBook, &NameIndex)),
        row: &Row,
    ) -> Result<Option<bool>, Finding> {
        let functor = asked.family.pattern.functor.as_str();
        let query: Option<Term> = row.query.parse().ok();
        let Some(query) = query.filter(|query| query.is(functor, 1)) else {
            return finding(Trouble::Columns, format!("the column query has `{}`", row.query));
        };
        let inner = &query.args()[0];
        let name = format!("{functor}.{}/", asked.number + 1);
        let Some(template) = row.template.strip_prefix(&*name) else {
            let detail = format!("the column template has `{}`, not `{name}...`", row.template);
            return finding(Trouble::Columns, detail);
        };
        let steps = self.steps((inverse, book, names));
        let (predicted, trivial) = match asked.slots {
            [ReadSlot::Question(question, text)] => {
                let within = Row {
                    query: inner.to_string(),
                    template: template.into(),
                    question_type: "verify".into(),
                    ..row.clone()
                };
                let found = self.part_answer(solvers, play, story, (question, text), &within)?;
                let Some((yes, trivial)) = found else { return Ok(None) };
                self.predicted_explained(solvers, play, &steps, inner, row)?;
                (Some(yes), trivial)
            }
            [ReadSlot::Unread(text)] => {
                let strangers = self.names_a_stranger(story, (inverse, book), (text, template), inner)?;
                let claims = steps.read(&row.rationale).unwrap_or_default();
                let is_told = match claims.as_slice() {
                    [] => row.rationale.is_empty(),
                    [Claim::Missing(name), Claim::Answer(answer)] => {
                        strangers.contains(name) && *answer == row.answer
                    }
                    _ => false,
                };
                if !is_told {
                    return finding(Trouble::Rationale, "it does not say what the text does not have");
                }
                (None, true)
            }
            _ => return finding(Trouble::Unreadable, format!("the question: {}", row.question)),
        };
        let objects: Vec<&str> = self.layout.objects.iter().map(|object| &*object.id).collect();
        let found = defined_answer(&query, &objects, predicted, self.limit).map_err(solver)?;
        let Some(found) = found else { return Ok(None) };
        same_list("gold", &row.gold, &[found.to_string()])?;
        same("question_type", &row.question_type, "other")?;
        same("answer_type", &row.answer_type, CERTAINTY)?;
        same_answer(row, &said(&found))?;
        self.columns(solvers, play, row, &query, None)?;
        Ok(Some(trivial))
    }

    /// A question is one of the domain's, and asks what the column has, if one name in it that the text does not have is that
    /// of another object; how that may be called.
    fn names_a_stranger(
        &self,
        story: &ReadStory,
        (inverse, book): (&Inverse, &PhraseBook),
        (text, template): (&str, &str),
        wanted: &Term,
    ) -> Result<Vec<String>, Finding> {
        let package = &self.package.package;
        let (mut found, mut strangers) = (Vec::new(), Vec::new());
        for kind in &package.types {
            let pool = kind.names.iter().map(String::as_str);
            let random = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| is_obfuscated(word));
            let is_new = |name: &&str| {
                text.to_lowercase().contains(&name.to_lowercase())
                    && !story.objects.iter().any(|object| *object.name == **name)
            };
            for name in pool.chain(random).filter(is_new) {
                let mut objects = story.objects.clone();
                let (own, id) = (kind.name.as_str(), stranger(&kind.id));
                objects.push(ObjectName { id: id.as_str().into(), kind: own.into(), name: name.into() });
                let readings = inverse.question(book, &inverse.names(&objects, false), text);
                for reading in readings {
                    let (term, changes) = question_term(package, &reading.question, &objects);
                    let plain = !changes && !reading.initially && reading.supposed.is_empty();
                    let words = AskedWords {
                        package,
                        generic: None,
                        asked: &reading,
                        functor: term.functor(),
                        objects: &objects,
                    };
                    if plain && term.mentions(&id) && words.check(template, text).is_ok() {
                        found.push(term);
                        strangers.push(called(&kind.name, name));
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        match found.as_slice() {
            [only] if fits(only, wanted) => Ok(strangers),
            [only] => {
                let detail = format!("the column query has `{wanted}`, and the text asks `{only}`");
                finding(Trouble::Columns, detail)
            }
            [] => finding(Trouble::Unreadable, format!("the question: {text}")),
            _ => finding(Trouble::Ambiguous, format!("the question: {text}")),
        }
    }
}

/// Is a term what a wording says, which may leave places open?
fn fits(open: &Term, term: &Term) -> bool {
    let within = || open.args().iter().zip(term.args()).all(|(open, term)| fits(open, term));
    open.is("_", 0)
        || open == term
        || !open.args().is_empty() && open.is(term.functor(), term.args().len()) && within()
}
