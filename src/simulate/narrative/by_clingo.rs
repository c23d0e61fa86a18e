//! A story as facts, and a question about all of it, to clingo's own answer: the judge of groups beyond prediction.

use std::time::Duration;

use racgen_logic::clingo::{Program, Source};
use racgen_logic::error::LogicError;
use racgen_logic::term::Term;

use crate::domain::embedded::axioms;
use crate::simulate::narrative::family_program::{DERIVED, constants, sources};

/// What is so in a story.
#[derive(Clone, Debug, Default)]
pub struct StoryFacts {
    /// By situation, the fluents that are true.
    pub passed: Vec<Vec<Term>>,
    /// The actions.
    pub plan: Vec<Term>,
    /// What can be done in the last situation.
    pub can: Vec<Term>,
    /// What is true after the action that the question names; none where it names none, or that cannot be carried out.
    pub next: Option<Vec<Term>>,
    /// The fluents that texts tell of.
    pub said: Vec<Term>,
    /// Fluents, and an object that they name.
    pub about: Vec<(Term, Term)>,
    /// The actions that the question lists.
    pub listed: Vec<Term>,
}

/// What clingo says of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedAnswer {
    /// `verify`, `count` or `other`.
    pub kind: String,
    /// The answer, or the members of a list, in order.
    pub answers: Vec<Term>,
    /// Is it a list?
    pub is_list: bool,
    /// The situation that decides it, where a single one does.
    pub decided: Option<i32>,
}

impl JudgedAnswer {
    /// Is it what is said of the initial situation? What is not asked there is not so.
    pub fn is_that_of(&self, initially: Option<&JudgedAnswer>) -> bool {
        match initially {
            Some(initially) => initially.answers == self.answers,
            None => matches!(self.answers.as_slice(), [only] if only.is("no", 0)),
        }
    }
}

impl StoryFacts {
    fn text(&self, question: &Term) -> String {
        let mut text = format!("wanted({question}).\n");
        for (time, fluents) in self.passed.iter().enumerate() {
            fluents.iter().for_each(|fluent| text += &format!("holds({fluent},{time}).\n"));
        }
        for (step, action) in self.plan.iter().enumerate() {
            text += &format!("told_action({},{action}).\n", step + 1);
        }
        self.can.iter().for_each(|action| text += &format!("can({action}).\n"));
        self.next.iter().flatten().for_each(|fluent| text += &format!("next({fluent}).\n"));
        self.said.iter().for_each(|fluent| text += &format!("said({fluent}).\n"));
        self.about.iter().for_each(|(fluent, object)| text += &format!("about({fluent},{object}).\n"));
        self.listed.iter().for_each(|action| text += &format!("listed({action}).\n"));
        text
    }

    /// The answer to a question of a group; none if it is not asked.
    ///
    /// # Errors
    /// Solver failures; rules that give two answers to one question.
    pub fn answer(
        &self,
        group: &str,
        question: &Term,
        limit: Duration,
    ) -> Result<Option<JudgedAnswer>, LogicError> {
        let depth = self.passed.len().saturating_sub(1);
        let mut all = sources(group);
        all.push(Source::new("the story", self.text(question)));
        let program = Program { sources: all, parts: vec![], constants: constants(depth) };
        let found = program.search(DERIVED, None, limit)?.enumerate(2)?;
        let fault = |message: String| LogicError::Program { place: format!("asp/{group}.lp"), message };
        let [only] = found.as_slice() else {
            return Err(fault(format!("`{question}` has {} answer sets", found.len())));
        };
        let own = |name: &'static str| {
            let all = only.iter().filter(move |term| term.is(name, 2) && term.args()[0] == *question);
            all.map(|term| term.args()[1].clone())
        };
        let Some(kind) = own("ask").next() else { return Ok(None) };
        let is_list = only.iter().any(|term| term.is("list", 1) && term.args()[0] == *question);
        let mut answers: Vec<Term> = own(if is_list { "member" } else { "answer" }).collect();
        answers.sort_unstable();
        answers.dedup();
        if !is_list && answers.len() != 1 {
            return Err(fault(format!("`{question}` has {} answers", answers.len())));
        }
        let decided = own("decided").find_map(|time| if let Term::Number(t) = time { Some(t) } else { None });
        Ok(Some(JudgedAnswer { kind: kind.functor().to_owned(), answers, is_list, decided }))
    }
}

/// The fluents true at the end of a story of this many actions with an edit, by clingo. `program` is that of its
/// trajectories: the axioms, among them `asp/closed.lp`, what the domain is, and the initial situation.
///
/// # Errors
/// Solver failures; several outcomes.
pub fn edited(
    mut program: Program,
    plan: &[Term],
    edit: &Term,
    limit: Duration,
) -> Result<Vec<Term>, LogicError> {
    program.sources.retain(|source| &*source.name != "asp/closed.lp");
    program.sources.push(axioms("whatif.lp"));
    let told = plan.iter().enumerate().map(|(step, action)| format!("told_action({},{action}).\n", step + 1));
    let text = told.collect::<String>() + &format!("edit({edit}).\n");
    program.sources.push(Source::new("the edited story", text));
    let found = program.search(&[("holds", 2)], None, limit)?.enumerate(2)?;
    let [only] = found.as_slice() else {
        let message = format!("`{edit}` has {} outcomes", found.len());
        return Err(LogicError::Program { place: "asp/whatif.lp".into(), message });
    };
    let last = Term::Number(plan.len() as i32);
    let fluents = only.iter().filter(|atom| atom.args()[1] == last).map(|atom| atom.args()[0].clone());
    Ok(fluents.filter(|fluent| !fluent.is("neg", 1)).collect())
}
