//! The question families of layouts to those without answers, and to answers that are not of their kind.

use std::collections::BTreeMap;

use racgen_logic::fault::{Fault, Faults};
use racgen_logic::term::Term;

use crate::check::places::{declaration, line_with, question_line, signature};
use crate::domain::package::Package;
use crate::language::words::lexicon::{Lexicon, QuestionForm};
use crate::phrases::pattern::Pattern;
use crate::simulate::layout::Layout;
use crate::simulate::transitions::compiled_layout::Kind;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// Questions of one functor, kind and form.
struct Family {
    example: Term,
    /// Is there any answer but the one to fall back on?
    answered: bool,
}

/// What tells families apart.
type FamilyKey = (String, Kind, Option<QuestionForm>);

/// The question families that were met in the layouts looked at.
pub(crate) struct Families<'p> {
    package: &'p Package,
    met: BTreeMap<FamilyKey, Family>,
}

impl<'p> Families<'p> {
    /// None was met yet.
    pub(crate) fn new(package: &'p Package) -> Families<'p> {
        Families { package, met: BTreeMap::new() }
    }

    /// Has every question family answers, and of the kind it asks for?
    pub(crate) fn look(
        &mut self,
        layout: &Layout,
        engine: &TransitionSystem,
        lexicon: &Lexicon,
        faults: &mut Faults,
    ) {
        for (index, question) in engine.questions.iter().enumerate() {
            let form = lexicon.form(index);
            let possible = engine.answers[question.answers.clone()].iter().map(|a| &a.answer);
            let key = (question.term.functor().to_owned(), question.kind, form);
            let answered = possible.clone().any(|answer| match question.kind {
                Kind::Verify => answer.is("yes", 0),
                Kind::Count => *answer != Term::Number(0),
                Kind::Other => !answer.is("none", 0),
            });
            let family = self
                .met
                .entry(key)
                .or_insert_with(|| Family { example: question.term.clone(), answered: false });
            family.answered |= answered;
            for answer in possible {
                if let Some(fault) = self.wrong_answer(layout, engine, index, form, answer) {
                    faults.push_once(fault);
                }
            }
        }
    }

    /// The fault of an answer that is not what its question asks for.
    fn wrong_answer(
        &self,
        layout: &Layout,
        engine: &TransitionSystem,
        question: usize,
        form: Option<QuestionForm>,
        answer: &Term,
    ) -> Option<Fault> {
        let package = self.package;
        let question = &engine.questions[question];
        let (right, wanted) = match question.kind {
            Kind::Verify => (answer.is("yes", 0) || answer.is("no", 0), "yes or no"),
            Kind::Count => (matches!(answer, Term::Number(_)), "a number"),
            Kind::Other => (self.speakable(layout, answer), "an object or a constant of [constants]"),
        };
        if right {
            return None;
        }
        let constant = answer.args().is_empty();
        let remedy = match (question.kind, constant) {
            (Kind::Other, true) => format!("name `{answer}` under [constants] of {}", package.head.name),
            (Kind::Other, false) => format!(
                "derive objects, or say how `{}` is written under [terms] of {}",
                answer.functor(),
                package.book.file
            ),
            _ => "correct the kind in its `ask` rule, or the answer".to_owned(),
        };
        let kind = question.kind.name();
        let pattern = signature(package, engine, &question.term);
        let answer = if constant { answer.to_string() } else { answer.functor().to_owned() };
        Some(Fault {
            place: question_line(package, question.term.functor(), form),
            cause: format!(
                "the {kind} question family `{pattern}` has the answer `{answer}`, which is not {wanted}"
            ),
            remedy,
        })
    }

    /// Can a text name the answer?
    fn speakable(&self, layout: &Layout, answer: &Term) -> bool {
        match answer {
            Term::Number(_) => true,
            Term::Function(name, args) if args.is_empty() => {
                answer.is("none", 0)
                    || self.package.constants.contains_key(&**name)
                    || layout.objects.iter().any(|o| o.id == *name)
            }
            Term::Function(name, args) => {
                let said = |(pattern, _): &(Pattern, _)| {
                    pattern.functor == **name && pattern.places.len() == args.len()
                };
                self.package.book.terms.iter().any(said) && args.iter().all(|a| self.speakable(layout, a))
            }
        }
    }

    /// Families that nothing answered; other layouts may.
    pub(crate) fn doubts(&self, faults: &mut Faults) {
        for ((functor, kind, form), family) in &self.met {
            if !family.answered
                && let Some(fault) = self.doubt(functor, *kind, *form, &family.example)
            {
                faults.push_once(fault);
            }
        }
    }

    fn doubt(&self, functor: &str, kind: Kind, form: Option<QuestionForm>, example: &Term) -> Option<Fault> {
        let package = self.package;
        let book = &package.book;
        Some(match form {
            Some(QuestionForm::Changes(_) | QuestionForm::Common(_)) => return None,
            Some(QuestionForm::Can(entry)) => {
                let name = &book.actions[entry].pattern.functor;
                Fault::new(
                    &package.domain.name,
                    declaration(&package.domain, "action", name),
                    format!("no rule ever makes the action `{name}` executable"),
                    format!("derive `executable({name}(...),T)` in domain.lp"),
                )
            }
            Some(
                QuestionForm::Ask(entry) | QuestionForm::Which(entry, _) | QuestionForm::Count(entry, _),
            ) => {
                let name = &book.fluents[entry].pattern.functor;
                Fault::new(
                    &package.domain.name,
                    declaration(&package.domain, "fluent", name),
                    format!("no rule ever makes the fluent `{name}` true"),
                    format!("derive `holds({name}(...),T)` by a static law in domain.lp"),
                )
            }
            Some(QuestionForm::Own(_)) | None => Fault::new(
                &package.questions.name,
                line_with(&package.questions, &["ask(", functor]),
                format!(
                    "the {} question family `{functor}` has no answer rule: nothing ever answers `{example}`",
                    kind.name()
                ),
                match kind {
                    Kind::Verify => format!("derive `answer({example},yes)` where the answer is yes"),
                    _ => format!("derive `member({example},X)` for each X that belongs to the answer"),
                },
            ),
        })
    }
}
