//! Stories that are told in part, and questions about them, to clingo's answers from all completions.

use std::collections::BTreeSet;
use std::sync::Arc;

use racgen_data::row::Row;
use racgen_logic::term::Term;

use crate::audit::reread::domains::asked::{AskedFurther, extra};
use crate::audit::reread::domains::left_out::fits;
use crate::audit::reread::domains::reading::{ReadStory, check_context};
use crate::audit::reread::domains::replay::{Play, Solvers, StoryReplay};
use crate::audit::reread::verdict::{Finding, Sound, Trouble, Verdict, finding, solver};
use crate::audit::reread::voice::{same, same_answer, same_facts, same_list};
use crate::domain::question_groups::HIDDEN_FACT;
use crate::factory::further::extra_cells::{COMPLETIONS, further_columns, judge};
use crate::factory::further::telling::CERTAINTY;
use crate::language::read::family_reader::ReadSlot;
use crate::language::read::name_index::NameIndex;
use crate::language::read::parser::Inverse;
use crate::language::read::rationale_parser::{Claim, Steps};
use crate::language::tell::course::Comparison;
use crate::phrases::book::PhraseBook;
use crate::simulate::narrative::by_clingo::JudgedAnswer;
use crate::simulate::narrative::cases::{
    CourseStep, Shown, ShownCase, Supposed, failed_cases, first_cases, otherwise, shown_cases,
};
use crate::simulate::narrative::courses::shown_courses;
use crate::simulate::narrative::partly::{LEFT_OUT, UNTOLD, names_any};
use crate::simulate::narrative::partly_by_clingo::{
    PartFacts, StoryWay, answer, failures_ruled_out, ruled_out, said,
};
use crate::simulate::situation::BitSet;
use crate::simulate::transitions::compiled_layout::Kind;

impl ReadStory {
    /// Does the text leave something open: what is so at first, what is done, or what comes of it?
    pub(crate) fn is_partly(&self) -> bool {
        let is_open = self.domain.package.has_outcomes;
        is_open || !self.left_out.is_empty() || self.plan.iter().any(|action| action.is(UNTOLD, 0))
    }
}

impl StoryReplay {
    /// The verdict on a row whose story is told in part; none for a question that is not asked here.
    pub(crate) fn part_row(
        &self,
        solvers: &mut Solvers,
        story: &ReadStory,
        (inverse, names): (&Inverse, &NameIndex),
        row: &Row,
    ) -> Option<Verdict> {
        let package = &self.package.package;
        let families = &package.common.families;
        let readings = self.package.families.read(families, (inverse, &package.book, names), &row.question);
        let (reading, number) = match readings.as_slice() {
            [] => return None,
            [only] => only,
            _ => return Some(finding(Trouble::Ambiguous, format!("the question: {}", row.question))),
        };
        let mut verdict = || {
            check_context(row)?;
            same("depth", &row.depth.to_string(), &story.plan.len().to_string())?;
            let asked = self.whole(&families[reading.family], *number, &reading.slots)?;
            let facts = self.part_facts(story, false)?;
            let ways = self.ways(solvers, &facts)?;
            let plan: Vec<String> = facts
                .plan
                .iter()
                .map(|action| action.as_ref().map_or_else(|| UNTOLD.to_owned(), Term::to_string))
                .collect();
            same_list("plan", &row.plan, &plan)?;
            self.part_world(story, names, &ways, solvers, row)?;
            let trivial =
                self.of_part(solvers, &asked, (&facts, &ways), (inverse, &package.book, names), row)?;
            same("effective_depth", &extra(row, "effective_depth"), "")?;
            let instance: Arc<str> = format!("{} {}", row.world, row.plan.join(" ")).into();
            Ok(Sound {
                world: row.world.clone(),
                instance,
                trivial: Some(trivial),
                said: story.said.clone(),
                pictured: story.pictured,
            })
        };
        Some(verdict())
    }

    /// The columns of the initial situation.
    fn part_world(
        &self,
        story: &ReadStory,
        names: &NameIndex,
        ways: &[StoryWay],
        solvers: &mut Solvers,
        row: &Row,
    ) -> Result<(), Finding> {
        let package = &self.package.package;
        let objects = self.layout.objects.iter().map(|o| format!("{}({})", package.types[o.kind].name, o.id));
        let mut facts: BTreeSet<String> =
            objects.chain(self.layout.statics.iter().map(Term::to_string)).collect();
        facts.extend(story.left_out.iter().map(|id| format!("{LEFT_OUT}({id})")));
        match story.left_out.is_empty() {
            false => facts.extend(story.told.iter().map(Term::to_string)),
            true => facts.extend(ways.iter().flat_map(|way| &way.initial).map(Term::to_string)),
        }
        same_facts(&row.facts.iter().cloned().collect(), &facts)?;
        self.rules(names, row, solvers)?;
        // Which of the completions the story came from is not told; it must be one of them.
        for way in ways {
            let mut initial = BitSet::new(self.compiled.fluents.len());
            for fluent in &way.initial {
                initial.insert(self.index(fluent)?);
            }
            let play = Play::of(initial);
            if self.keys(row, &play)[0] == row.world {
                return Ok(());
            }
        }
        finding(Trouble::Columns, "the column world has the key of no completion of the story")
    }

    /// What the text of a story tells.
    pub(super) fn part_facts(&self, story: &ReadStory, one_failed: bool) -> Result<PartFacts, Finding> {
        let ids: Vec<&str> = story.left_out.iter().map(|id| &**id).collect();
        let all = self.told.iter().map(|fluent| self.compiled.fluents[*fluent].clone());
        let complete: Vec<Term> = all.filter(|fluent| !names_any(fluent, &ids)).collect();
        if let Some(odd) = story.told.iter().find(|fluent| !complete.contains(fluent)) {
            let detail = format!("`{odd}` is told, though statements of its kind are left out");
            return finding(Trouble::Impossible, detail);
        }
        let step = |action: &Term| match action.is(UNTOLD, 0) {
            true => Ok(None),
            false => Ok(Some(self.compiled.actions[self.action(action)?].clone())),
        };
        Ok(PartFacts {
            stated: story.told.iter().cloned().collect(),
            complete,
            plan: story.plan.iter().map(step).collect::<Result<_, Finding>>()?,
            one_failed,
        })
    }

    fn all_ways(&self, solvers: &mut Solvers, facts: &PartFacts) -> Result<Vec<StoryWay>, Finding> {
        let program = |actions: usize| self.layout.invariant_program(&self.package.package, actions);
        solvers.part_searches.ways(facts, program, self.limit).map_err(solver)
    }

    /// All completions of a story, of which a text leaves several.
    pub(super) fn ways(&self, solvers: &mut Solvers, facts: &PartFacts) -> Result<Vec<StoryWay>, Finding> {
        let ways = self.all_ways(solvers, facts)?;
        // Where only outcomes are open, all of them may come to the same.
        let least = if self.package.package.has_outcomes { 1 } else { 2 };
        match ways.len() {
            count if count >= least => Ok(ways),
            0 => finding(Trouble::Impossible, "the story has no completion"),
            _ => finding(Trouble::Impossible, "the story has one completion only"),
        }
    }

    /// Whether the row's question has the row's answer, and no other; whether the initial situation has it as well.
    pub(super) fn of_part(
        &self,
        solvers: &mut Solvers,
        asked: &AskedFurther,
        (facts, ways): (&PartFacts, &[StoryWay]),
        book: (&Inverse, &PhraseBook, &NameIndex),
        row: &Row,
    ) -> Result<bool, Finding> {
        let query = Term::function(&asked.family.pattern.functor, asked.arguments.clone());
        let listed = match (asked.slots, asked.arguments.as_slice()) {
            ([.., ReadSlot::Fluents(_) | ReadSlot::Observed(_)], [.., list]) => list.args().to_vec(),
            _ => Vec::new(),
        };
        let group = asked.family.group.as_str();
        let found = answer((group, &query), ways, &listed, self.limit).map_err(solver)?;
        let Some(found) = found else {
            return finding(Trouble::Ambiguous, format!("the question: {}", row.question));
        };
        // What is observed at the end has no counterpart at the beginning.
        let observes = matches!(asked.slots, [ReadSlot::Observed(_)]);
        let trivial = !observes && {
            let first = PartFacts { plan: Vec::new(), ..facts.clone() };
            let before =
                answer((group, &query), &self.ways(solvers, &first)?, &listed, self.limit).map_err(solver)?;
            before.is_some_and(|before| before.answer == found.answer)
        };
        let answer_term = found.answer.clone();
        same("query", &row.query, &query.to_string())?;
        same("family", &row.family, query.functor())?;
        same("question_type", &row.question_type, &found.kind)?;
        same_list("gold", &row.gold, &[found.answer.to_string()])?;
        let kind = match &found.answer {
            Term::Number(_) => "number",
            answer if self.compiled.actions.binary_search(answer).is_ok() => "action",
            answer if self.compiled.fluents.binary_search(answer).is_ok() => "facts",
            _ if found.kind == Kind::Verify.name() => "bool",
            _ => CERTAINTY,
        };
        same("answer_type", &row.answer_type, kind)?;
        match kind {
            "action" | "facts" => {
                let (of_kind, answers) = (found.kind, vec![found.answer]);
                let judged = JudgedAnswer { kind: of_kind, answers, is_list: true, decided: None };
                self.listed_answer(book, &judged, kind, row)?;
            }
            _ => same_answer(row, &said(&found.answer))?,
        }
        let name = format!("{}.{}", asked.family.pattern.functor, asked.number + 1);
        same("template", &row.template, &name)?;
        self.cases_explained(solvers, asked, (facts, ways), (&query, &answer_term, &self.steps(book)), row)?;
        let [judged, hard @ ..] = further_columns() else { return Ok(trivial) };
        same(&judged.name, &extra(row, &judged.name), judge(&row.answer_type))?;
        for column in hard {
            let wanted = if &*column.name == COMPLETIONS { ways.len().to_string() } else { String::new() };
            same(&column.name, &extra(row, &column.name), &wanted)?;
        }
        Ok(trivial)
    }
}

/// What is to be told of a case.
fn claims_of(case: &ShownCase) -> Vec<Claim> {
    let mut claims = Vec::new();
    match &case.supposed {
        Supposed::Action(action) => claims.push(Claim::CaseAction(action.clone())),
        Supposed::Failed(step) => claims.push(Claim::CaseFailed(step.to_string())),
        Supposed::Facts(facts) => claims.push(Claim::CaseFacts(facts.clone())),
        Supposed::Course(steps) => {
            claims.push(Claim::CaseCourse);
            for CourseStep { action, gained, lost } in steps {
                claims.push(Claim::Step(action.clone()));
                claims.extend((!gained.is_empty()).then(|| Claim::Gained(gained.clone())));
                claims.extend((!lost.is_empty()).then(|| Claim::Lost(lost.clone())));
                claims.extend((gained.is_empty() && lost.is_empty()).then_some(Claim::CaseIdle));
            }
        }
    }
    claims.push(match &case.shown {
        Shown::AllObserved => Claim::ThenAll,
        Shown::Facts(facts, yes) => Claim::ThenFacts(facts.clone(), *yes),
        Shown::Action(action, yes) => Claim::ThenAction(action.clone(), *yes),
        Shown::Possible => Claim::ThenPossible,
        Shown::Impossible(action) => Claim::ThenImpossible(action.clone()),
    });
    claims
}

/// Is something told as it is due, but for places that a wording leaves open?
fn is_told(told: &Claim, due: &Claim) -> bool {
    let all = |told: &[Term], due: &[Term]| {
        told.len() == due.len() && told.iter().zip(due).all(|(told, due)| fits(told, due))
    };
    match (told, due) {
        (Claim::CaseAction(told), Claim::CaseAction(due))
        | (Claim::ThenImpossible(told), Claim::ThenImpossible(due))
        | (Claim::Step(told), Claim::Step(due)) => fits(told, due),
        (Claim::CaseFacts(told), Claim::CaseFacts(due))
        | (Claim::Gained(told), Claim::Gained(due))
        | (Claim::Lost(told), Claim::Lost(due)) => all(told, due),
        (Claim::ThenFacts(told, so), Claim::ThenFacts(due, yes)) => yes == so && all(told, due),
        (Claim::ThenAction(told, so), Claim::ThenAction(due, yes)) => yes == so && fits(told, due),
        _ => told == due,
    }
}

impl StoryReplay {
    /// The rationale of a question about a story that is told in part shows the cases that are due.
    fn cases_explained(
        &self,
        solvers: &mut Solvers,
        asked: &AskedFurther,
        (facts, ways): (&PartFacts, &[StoryWay]),
        (query, answer, steps): (&Term, &Term, &Steps),
        row: &Row,
    ) -> Result<(), Finding> {
        if row.rationale.is_empty() {
            return Ok(());
        }
        let wrong = |detail: &str| finding(Trouble::Rationale, detail);
        let is_open = |fact: &Term| {
            let is_told = self.index(fact).is_ok_and(|fluent| self.told.contains(&fluent));
            is_told && !facts.complete.contains(fact)
        };
        let cases = match (self.package.package.has_outcomes, query.args()) {
            (true, [fluent]) => {
                let program = self.layout.invariant_program(&self.package.package, facts.plan.len());
                let courses = facts.courses(program, self.limit).map_err(solver)?;
                shown_courses(fluent, &facts.plan, &courses, &|fact| facts.complete.contains(fact))
            }
            (_, [fluent]) if query.is(HIDDEN_FACT, 1) => {
                let other = otherwise(fluent, ways);
                let ruled_out = ruled_out(facts, &mut |first| self.all_ways(solvers, first), &other)?;
                first_cases(fluent, ways, ruled_out.as_ref(), &is_open)
            }
            (_, [listed]) if facts.one_failed => {
                let ruled_out = failures_ruled_out(facts, &mut |first| self.all_ways(solvers, first))?;
                failed_cases(listed.args(), ways, &ruled_out)
            }
            _ => shown_cases(query, answer, ways, &is_open),
        };
        let Ok(claims) = steps.read(&row.rationale) else { return wrong("it cannot be read") };
        let compared = Comparison::of_cases(&asked.family.pattern.functor, &cases);
        let (told, end) = claims.split_at(claims.len().saturating_sub(2));
        if end != [Claim::Comparison(compared), Claim::Answer(row.answer.clone())] {
            return wrong("it does not say what the answer rests on, and then the answer");
        }
        let due: Vec<Claim> = cases.iter().flat_map(claims_of).collect();
        let is_right = told.len() == due.len() && told.iter().zip(&due).all(|(told, due)| is_told(told, due));
        if is_right { Ok(()) } else { wrong("its cases are not those that show the answer") }
    }
}
