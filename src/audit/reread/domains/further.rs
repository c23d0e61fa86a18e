//! Questions beyond prediction to clingo's answers, and these against the rows'.
//!
//! A question about a whole story is answered by `asp/GROUP.lp` from the situations that clingo found; an edited story is
//! run by clingo anew, and its question then answered like any other.

use racgen_data::row::Row;
use racgen_logic::clingo::Program;
use racgen_logic::term::Term;

use crate::audit::reread::domains::asked::{AskedFurther, extra};
use crate::audit::reread::domains::phrasing::AskedWords;
use crate::audit::reread::domains::reading::ReadStory;
use crate::audit::reread::domains::replay::{Play, Solvers, StoryReplay};
use crate::audit::reread::domains::searched::literals_term;
use crate::audit::reread::verdict::{Finding, Trouble, finding, solver};
use crate::audit::reread::voice::{same, same_answer, same_list};
use crate::domain::embedded::axioms;
use crate::domain::question_groups::{COMPOSITE, UNDEFINED, is_partly};
use crate::factory::further::extra_cells::{SEARCHES, further_columns, judge};
use crate::factory::further::gathering::names;
use crate::factory::further::search_families::SearchFamily;
use crate::factory::further::telling::{ACTIONS, FACTS};
use crate::language::read::family_reader::{FamilyReading, ReadSlot};
use crate::language::read::name_index::NameIndex;
use crate::language::read::parser::{Inverse, ParsedQuestion};
use crate::language::read::rationale_parser::Steps;
use crate::language::tell::family_question::STATEMENTS;
use crate::language::words::generic_books::Books;
use crate::phrases::book::{FamilyPhrases, PhraseBook};
use crate::simulate::narrative::by_clingo::{JudgedAnswer, StoryFacts, edited};
use crate::simulate::narrative::told_kinds::told_kinds;
use crate::simulate::search::by_clingo::TermLiteral;
use crate::simulate::search::costs::{COST, COSTS};
use crate::simulate::search::goal::GOAL;
use crate::simulate::situation::{BitSet, Situation};

impl StoryReplay {
    /// The book that the story is told with.
    fn told_by(&self) -> Result<&PhraseBook, Finding> {
        match self.generic {
            true => Ok(&Books::load().map_err(solver)?.generic),
            false => Ok(&self.package.package.book),
        }
    }

    /// Answers one row's question, where it is of a family beyond prediction: whether the answer is trivial. None where
    /// the text asks nothing of that kind; none within where it is not asked here.
    pub(crate) fn further(
        &self,
        solvers: &mut Solvers,
        play: &mut Play,
        story: &ReadStory,
        (inverse, names): (&Inverse, &NameIndex),
        row: &Row,
    ) -> Option<Option<Result<bool, Finding>>> {
        let families = &self.package.package.common.families;
        let book = match self.told_by() {
            Ok(book) => book,
            Err(found) => return Some(Some(Err(found))),
        };
        let readings = self.package.families.read(families, (inverse, book, names), &row.question);
        let (FamilyReading { family, slots }, number) = match readings.as_slice() {
            [] => return None,
            [only] if inverse.question(book, names, &row.question).is_empty() => only,
            _ => return Some(Some(finding(Trouble::Ambiguous, format!("the question: {}", row.question)))),
        };
        let asked = self.whole(&families[*family], *number, slots);
        Some(match asked {
            Err(found) => Some(Err(found)),
            Ok(asked) if SearchFamily::of(asked.family).is_some() => {
                Some(self.of_searching(solvers, play, story, &asked, (inverse, book, names), row))
            }
            Ok(asked) if asked.family.group == COMPOSITE => {
                self.of_composite(solvers, play, story, (&asked, (inverse, book, names)), row).transpose()
            }
            Ok(asked) if asked.family.group == UNDEFINED => {
                self.of_undefined(solvers, play, story, (&asked, (inverse, book, names)), row).transpose()
            }
            Ok(asked) if is_partly(&asked.family.group) => {
                Some(self.of_failure(solvers, play, story, (&asked, (inverse, book, names)), row))
            }
            Ok(asked) => match slots.last() {
                Some(ReadSlot::Question(question, text)) => {
                    let book = (inverse, book, names);
                    self.of_edit(solvers, play, story, &asked, (question, text), book, row).transpose()
                }
                _ => self.of_history(solvers, play, story, &asked, (inverse, book, names), row).transpose(),
            },
        })
    }

    /// A question about a story that is told as a whole, but with an action that did not take place.
    fn of_failure(
        &self,
        solvers: &mut Solvers,
        play: &mut Play,
        story: &ReadStory,
        (asked, book): (&AskedFurther, (&Inverse, &PhraseBook, &NameIndex)),
        row: &Row,
    ) -> Result<bool, Finding> {
        let facts = self.part_facts(story, true)?;
        let ways = self.ways(solvers, &facts)?;
        let trivial = self.of_part(solvers, asked, (&facts, &ways), book, row)?;
        let all = self.own(solvers, row)?;
        match all.iter().find(|own| own.is_that_of(&self.compiled)) {
            Some(own) => self.effective_depth(own, play, row).map(|()| trivial),
            None => Ok(trivial),
        }
    }

    /// The terms of a question, with what the wording leaves open filled in.
    pub(super) fn whole<'a>(
        &self,
        family: &'a FamilyPhrases,
        number: usize,
        slots: &'a [ReadSlot],
    ) -> Result<AskedFurther<'a>, Finding> {
        let action = |term: &Term| Ok(self.compiled.actions[self.action(term)?].clone());
        let mut arguments = Vec::new();
        for slot in slots {
            arguments.push(match slot {
                ReadSlot::Fluent(term) => self.compiled.fluents[self.index(term)?].clone(),
                ReadSlot::Action(term) => action(term)?,
                ReadSlot::Actions(all) => {
                    Term::function(ACTIONS, all.iter().map(action).collect::<Result<_, Finding>>()?)
                }
                ReadSlot::Goal(literals) | ReadSlot::Observed(literals) => {
                    let functor = if matches!(slot, ReadSlot::Goal(_)) { GOAL } else { FACTS };
                    let whole = |(term, truth): &TermLiteral| {
                        Ok((self.compiled.fluents[self.index(term)?].clone(), *truth))
                    };
                    literals_term(functor, &literals.iter().map(whole).collect::<Result<Vec<_>, Finding>>()?)
                }
                ReadSlot::Fluents(all) => {
                    let fluent = |term: &Term| Ok(self.compiled.fluents[self.index(term)?].clone());
                    Term::function(FACTS, all.iter().map(fluent).collect::<Result<_, Finding>>()?)
                }
                ReadSlot::Object(term) => term.clone(),
                ReadSlot::Number(number) => Term::Number(*number),
                ReadSlot::Costs(listed) => {
                    let one = |(term, cost): &(Term, i32)| {
                        Ok(Term::function(COST, vec![action(term)?, Term::Number(*cost)]))
                    };
                    Term::function(COSTS, listed.iter().map(one).collect::<Result<_, Finding>>()?)
                }
                ReadSlot::Question(..) | ReadSlot::Asked(..) | ReadSlot::Unread(_) => continue,
            });
        }
        Ok(AskedFurther { family, number, slots, arguments })
    }

    /// A question of a search.
    fn of_searching(
        &self,
        solvers: &mut Solvers,
        play: &mut Play,
        story: &ReadStory,
        asked: &AskedFurther,
        book: (&Inverse, &PhraseBook, &NameIndex),
        row: &Row,
    ) -> Result<bool, Finding> {
        let Some(family) = SearchFamily::of(asked.family) else {
            return finding(Trouble::Unreadable, format!("the question: {}", row.question));
        };
        let query = Term::function(&asked.family.pattern.functor, asked.arguments.clone());
        let search = self.asked_search(family, asked.slots, row)?;
        let trivial = self.of_search(solvers, play, story, (&search, &query), book, row)?;
        self.columns(solvers, play, row, &query, None)?;
        self.own_wording(asked, row)?;
        self.search_explained(solvers, (play, story), (&search, &self.steps(book)), row)?;
        Ok(trivial)
    }

    /// A reader of rationales.
    pub(super) fn steps<'a>(
        &'a self,
        (inverse, book, names): (&'a Inverse, &'a PhraseBook, &'a NameIndex<'a>),
    ) -> Steps<'a> {
        Steps::new(inverse, book, names, &self.package.package.common.rationale)
    }

    /// The phrasing of the question is the column's.
    fn own_wording(&self, asked: &AskedFurther, row: &Row) -> Result<(), Finding> {
        let plain = format!("{}.{}", asked.family.pattern.functor, asked.number + 1);
        same("template", &row.template, &if self.generic { format!("generic.{plain}") } else { plain })
    }

    fn terms(&self, situation: &Situation) -> Vec<Term> {
        situation.iter().map(|fluent| self.compiled.fluents[fluent].clone()).collect()
    }

    /// A question about the story as a whole.
    fn of_history(
        &self,
        solvers: &mut Solvers,
        play: &mut Play,
        story: &ReadStory,
        asked: &AskedFurther,
        book: (&Inverse, &PhraseBook, &NameIndex),
        row: &Row,
    ) -> Result<Option<bool>, Finding> {
        let query = Term::function(&asked.family.pattern.functor, asked.arguments.clone());
        let idle = vec![play.passed[0].clone(); play.passed.len()];
        let found = self.judged(solvers, play, story, asked, &query, &play.passed)?;
        let Some(found) = found else { return Ok(None) };
        let before = self.judged(solvers, play, story, asked, &query, &idle)?;
        let trivial = found.is_that_of(before.as_ref());

        if found.is_list {
            let shown = self.said(story, Some(&play.passed[0]));
            let hidden = |term: &&Term| self.index(term).is_ok() && !shown.contains(*term);
            if let Some(term) = found.answers.iter().find(hidden) {
                return finding(
                    Trouble::Ambiguous,
                    format!("no statement of the initial state is of the kind of `{term}`"),
                );
            }
        }
        let terms: Vec<String> = found.answers.iter().map(ToString::to_string).collect();
        let gold = if terms.is_empty() { vec!["none".to_owned()] } else { terms };
        same_list("gold", &row.gold, &gold)?;
        same("query", &row.query, &query.to_string())?;
        same("question_type", &row.question_type, &found.kind)?;
        let kind = self.answer_kind(&found);
        same("answer_type", &row.answer_type, kind)?;
        match kind {
            "facts" | "action" | "actions" => self.listed_answer(book, &found, kind, row)?,
            _ => same_answer(row, &gold.join(" "))?,
        }
        let since = found.decided.map(|time| play.plan.len() as i64 - i64::from(time));
        self.columns(solvers, play, row, &query, since)?;
        self.own_wording(asked, row)?;
        self.history_explained(solvers, play, (story, asked, &self.steps(book)), row)?;
        Ok(Some(trivial))
    }

    /// The type of an answer.
    fn answer_kind(&self, found: &JudgedAnswer) -> &'static str {
        let is_action = |term: &Term| self.compiled.actions.binary_search(term).is_ok();
        match (found.kind.as_str(), found.answers.as_slice()) {
            ("verify", _) => "bool",
            ("count", _) => "number",
            (_, []) => "none",
            (_, [only]) if is_action(only) => "action",
            (_, [first, ..]) if is_action(first) => "actions",
            _ => "facts",
        }
    }

    /// The statements or actions of an answer's text are those that clingo found.
    pub(super) fn listed_answer(
        &self,
        (inverse, book, names): (&Inverse, &PhraseBook, &NameIndex),
        found: &JudgedAnswer,
        kind: &str,
        row: &Row,
    ) -> Result<(), Finding> {
        let mut told = Vec::new();
        if !row.answer.split(STATEMENTS).is_sorted() {
            let order = "the statements of the answer are not in the order of the alphabet";
            return finding(Trouble::Columns, order);
        }
        for part in row.answer.split(STATEMENTS) {
            let Some(term) = inverse.says(book, names, part, kind != "facts") else {
                return finding(Trouble::Unreadable, format!("the answer, at \"{part}\""));
            };
            let place = if kind == "facts" { self.index(&term)? } else { self.action(&term)? };
            let all = if kind == "facts" { &self.compiled.fluents } else { &self.compiled.actions };
            told.push(all[place].clone());
        }
        told.sort_unstable();
        let mut wanted = found.answers.clone();
        wanted.sort_unstable();
        if told == wanted {
            return Ok(());
        }
        let clingo = found.answers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        finding(Trouble::WrongAnswer, format!("the row says \"{}\", clingo `{clingo}`", row.answer))
    }

    /// What clingo says of a question put to a story that passes these situations.
    pub(super) fn judged(
        &self,
        solvers: &mut Solvers,
        play: &Play,
        story: &ReadStory,
        asked: &AskedFurther,
        query: &Term,
        passed: &[Situation],
    ) -> Result<Option<JudgedAnswer>, Finding> {
        let last = &passed[passed.len() - 1];
        let considered = solvers.engine.consider(last, None).map_err(solver)?;
        let can = considered.map(|(outcome, _)| outcome.executable).unwrap_or_default();
        let action = |number: &usize| self.compiled.actions[*number].clone();
        let mut next = None;
        if let [ReadSlot::Action(term)] = asked.slots {
            let outcome = solvers.engine.step(last, self.action(term)?).map_err(solver)?;
            next = outcome.map(|outcome| self.terms(&outcome.situation));
        }
        let about = match asked.slots {
            [ReadSlot::Object(object)] => {
                let naming = self.compiled.fluents.iter().filter(|fluent| names(fluent, object.functor()));
                naming.map(|fluent| (fluent.clone(), object.clone())).collect()
            }
            _ => Vec::new(),
        };
        let listed = match asked.arguments.as_slice() {
            [list] if list.functor() == ACTIONS => list.args().to_vec(),
            _ => Vec::new(),
        };
        let facts = StoryFacts {
            passed: passed.iter().map(|situation| self.terms(situation)).collect(),
            plan: play.plan.iter().map(action).collect(),
            can: can.iter().map(action).collect(),
            next,
            said: self.said(story, None),
            about,
            listed,
        };
        facts.answer(&asked.family.group, query, self.limit).map_err(solver)
    }

    /// The fluents of the kinds that initial states, or one of them, have statements of.
    pub(super) fn said(&self, story: &ReadStory, initial: Option<&Situation>) -> Vec<Term> {
        if self.generic {
            return self.compiled.fluents.clone();
        }
        let package = &story.domain.package;
        let entry =
            |fluent: &Term| package.book.fluents.iter().position(|r| package.fits(&r.pattern, fluent));
        let entries: Vec<Option<usize>> = self.compiled.fluents.iter().map(entry).collect();
        self.terms(&told_kinds(&package.book.fluents, &entries, initial))
    }

    /// A question of prediction, put to the story after an edit.
    #[allow(clippy::too_many_arguments)]
    fn of_edit(
        &self,
        solvers: &mut Solvers,
        play: &mut Play,
        story: &ReadStory,
        asked: &AskedFurther,
        (question, text): (&ParsedQuestion, &str),
        book: (&Inverse, &PhraseBook, &NameIndex),
        row: &Row,
    ) -> Result<Option<bool>, Finding> {
        let mut other = self.edited_play(story, play, asked)?;
        if question.initially || !question.supposed.is_empty() {
            return finding(Trouble::Unreadable, format!("the question: {}", row.question));
        }
        // Of the row, what is about the question within.
        let query = self.query_of(row)?;
        let (inner, template) = self.within_edit(asked, row)?;
        let within = Row { query: inner.to_string(), ..row.clone() };
        let Some(answer) = self.predicted(&mut solvers.engine, &mut other, story, question, &within)? else {
            return Ok(None);
        };
        let inner_query = self.inner(solvers, question, &answer, &within)?;
        self.words(story, question, &inner_query)?.check(&template, text)?;
        let numbers = asked.arguments.iter().filter_map(number_of);
        let since = Some(play.plan.len() as i64 - i64::from(numbers.max().unwrap_or(1)));
        self.columns(solvers, play, row, &query, since)?;
        self.edit_explained(solvers, play, (asked, &self.steps(book)), &inner_query, row)?;
        Ok(Some(answer.trivial()))
    }

    fn query_of(&self, row: &Row) -> Result<Term, Finding> {
        row.query.parse().map_err(|_| Finding {
            trouble: Trouble::Columns,
            detail: format!("the column query has `{}`, which is no term", row.query),
        })
    }

    /// The question within an edit, and the name of its phrasings.
    pub(super) fn within_edit(&self, asked: &AskedFurther, row: &Row) -> Result<(Term, String), Finding> {
        let functor = asked.family.pattern.functor.as_str();
        let query = self.query_of(row)?;
        let (given, inner) = match query.args() {
            [given @ .., inner] if query.functor() == functor => (given, inner),
            _ => {
                return finding(
                    Trouble::Columns,
                    format!("the column query has `{}`, which the text does not ask", row.query),
                );
            }
        };
        if *given != *asked.arguments {
            return finding(
                Trouble::Columns,
                format!("the column query has `{}`, which is another edit", row.query),
            );
        }
        let name = format!("{functor}.{}/", asked.number + 1);
        match row.template.strip_prefix(&name) {
            Some(template) => Ok((inner.clone(), template.to_owned())),
            None => finding(
                Trouble::Columns,
                format!("the column template has `{}`, not `{name}...`", row.template),
            ),
        }
    }

    /// The story as it would have gone with an edit: from its beginning nothing is left but where it ends.
    pub(super) fn edited_play(
        &self,
        story: &ReadStory,
        play: &Play,
        asked: &AskedFurther,
    ) -> Result<Play, Finding> {
        for number in asked.arguments.iter().filter_map(number_of) {
            if number < 1 || number as usize > play.plan.len() {
                return finding(Trouble::Impossible, format!("the story has no action number {number}"));
            }
        }
        let edit = Term::function(&asked.family.pattern.functor, asked.arguments.clone());
        let end = self.end_of(story, play, &edit)?;
        let mut passed = vec![play.passed[0].clone(); play.plan.len()];
        passed.push(end);
        let initially = play.sheets.iter().filter(|((initially, ..), _)| *initially);
        Ok(Play {
            passed,
            plan: play.plan.clone(),
            executable: play.executable.clone(),
            sheets: initially.map(|(key, sheet)| (key.clone(), sheet.clone())).collect(),
            shortest: None,
            around: None,
        })
    }

    /// Where a story with an edit ends, by clingo.
    fn end_of(&self, story: &ReadStory, play: &Play, edit: &Term) -> Result<Situation, Finding> {
        let start: Vec<Term> = play.passed[0]
            .iter()
            .filter(|fluent| self.compiled.inertial.contains(*fluent))
            .map(|fluent| self.compiled.fluents[fluent].clone())
            .collect();
        let mut program = self.layout.trajectory_program(&self.package.package, &start, play.plan.len());
        if let Some(theory) = &story.theory {
            let initially = program.sources.pop();
            program =
                Program { sources: vec![axioms("kernel.lp"), axioms("told.lp"), theory.clone()], ..program };
            program.sources.extend(initially);
        }
        let plan: Vec<Term> = play.plan.iter().map(|action| self.compiled.actions[*action].clone()).collect();
        let found = edited(program, &plan, edit, self.limit).map_err(solver)?;
        let mut end = BitSet::new(self.compiled.fluents.len());
        for fluent in &found {
            end.insert(self.index(fluent)?);
        }
        Ok(end)
    }

    pub(super) fn words<'a>(
        &'a self,
        story: &'a ReadStory,
        question: &'a ParsedQuestion,
        term: &'a Term,
    ) -> Result<AskedWords<'a>, Finding> {
        Ok(AskedWords {
            package: &self.package.package,
            generic: if self.generic { Some(Books::load().map_err(solver)?) } else { None },
            asked: question,
            functor: term.functor(),
            objects: &story.objects,
        })
    }

    /// The columns that the text does not tell.
    pub(super) fn columns(
        &self,
        solvers: &mut Solvers,
        play: &mut Play,
        row: &Row,
        query: &Term,
        since: Option<i64>,
    ) -> Result<(), Finding> {
        same("family", &row.family, query.functor())?;
        if let [judged, steps, hard @ ..] = further_columns() {
            same(&judged.name, &extra(row, &judged.name), judge(&row.answer_type))?;
            let since = since.map_or_else(String::new, |since| since.to_string());
            same(&steps.name, &extra(row, &steps.name), &since)?;
            // Those of questions that rest on a search are looked at where these are answered.
            let families = &self.package.package.common.families;
            let searches = families
                .iter()
                .any(|family| SearchFamily::of(family).is_some() && *row.family == *family.pattern.functor);
            for column in hard.iter().filter(|column| !(searches && SEARCHES.contains(&&*column.name))) {
                same(&column.name, &extra(row, &column.name), "")?;
            }
        }
        let all = self.own(solvers, row)?;
        match all.iter().find(|own| own.is_that_of(&self.compiled)) {
            Some(own) => self.effective_depth(own, play, row),
            None => Ok(()),
        }
    }
}

/// The number that a term is.
fn number_of(term: &Term) -> Option<i32> {
    if let Term::Number(number) = term { Some(*number) } else { None }
}
