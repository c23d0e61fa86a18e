//! A question of a story to its row: texts, terms and columns.

use std::sync::Arc;

use racgen_data::row::{ObjectName, Row};
use racgen_logic::seed::digest;
use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;

use crate::factory::batch::group::Batch;
use crate::factory::batch::told_story::ToldStory;
use crate::factory::choosing::selection::Selection;
use crate::factory::error::FactoryError;
use crate::factory::extra::{effective_depth, picture_cells};
use crate::factory::further::extra_cells::further_cells;
use crate::factory::further::gathering::sayable;
use crate::factory::further::partly::told_fluents;
use crate::factory::settings::StateTelling;
use crate::items::clock::Stage as Part;
use crate::items::row_builder::{Asked, Place, Telling, row};
use crate::items::source::Item;
use crate::language::tell::generic::GenericVerbalizer;
use crate::language::tell::narrator::Narrator;
use crate::language::tell::paragraphs::Paragraphs;
use crate::language::tell::rationale::rationale;
use crate::language::tell::verbalizer::Verbalizer;
use crate::language::words::holdout::Holdout;
use crate::language::words::lexicon::Lexicon;
use crate::language::words::naming::Naming;
use crate::simulate::narrative::partly::{LEFT_OUT, PartTelling, UNTOLD};
use crate::simulate::story::{Simulator, Story, Timepoint};
use crate::simulate::transitions::transition_system::TransitionSystem;

impl Batch<'_> {
    pub(super) fn narrator<'t>(
        &'t self,
        stage: &'t Simulator,
        lexicon: &'t Lexicon,
        told: &'t ToldStory,
        holdout: Holdout,
    ) -> Box<dyn Narrator + 't> {
        self.narrator_with(stage, lexicon, (told, &told.naming), holdout)
    }

    /// The same with other names than the story's.
    pub(super) fn narrator_with<'t>(
        &'t self,
        stage: &'t Simulator,
        lexicon: &'t Lexicon,
        (told, naming): (&'t ToldStory, &'t Naming),
        holdout: Holdout,
    ) -> Box<dyn Narrator + 't> {
        let (package, engine) = (self.context.package(), &stage.engine);
        if let (Some(view), Some(numbers)) = (&lexicon.view, &told.numbers) {
            return Box::new(GenericVerbalizer { package, engine, view, numbers, holdout });
        }
        let layout = stage.layout();
        Box::new(Verbalizer { package, layout, engine, lexicon, naming, holdout })
    }

    /// Where the item of this index belongs.
    pub(super) fn place(&self, index: u64) -> Place<'_> {
        Place {
            domain: &self.context.package().name,
            split: &self.context.splits()[self.of.split].name,
            level: self.of.level,
            depth: self.of.depth,
            seed: self.context.settings().seed,
            index,
        }
    }

    /// The row of a question of one of the group's stories.
    pub(crate) fn item_of(
        &mut self,
        index: u64,
        choice: &Selection,
        rng: &mut ChaCha8Rng,
    ) -> Result<Item, FactoryError> {
        let (item, texts) =
            self.item(index, &self.stage, &self.lexicon, &self.pool[choice.told], choice, rng)?;
        self.pool[choice.told].texts = texts;
        Ok(item)
    }

    /// The row of a question of any story, and what it shares with other rows of the story.
    pub(crate) fn item(
        &self,
        index: u64,
        stage: &Simulator,
        lexicon: &Lexicon,
        told: &ToldStory,
        choice: &Selection,
        rng: &mut ChaCha8Rng,
    ) -> Result<(Item, Option<Telling>), FactoryError> {
        let _timer = self.clock.start(Part::Rendering);
        let (context, of, engine) = (self.context, self.of, &stage.engine);
        let texts = self.shared(stage, lexicon, told)?;
        let teller = self.narrator(stage, lexicon, told, context.holdout(of.split));
        let story = &told.story;
        let question = &engine.questions[choice.question];
        let mut gold: Vec<&Term> = choice.answers.iter().map(|a| &engine.answers[*a].answer).collect();
        let (answer, answer_type) = teller.answer(choice.question, &mut gold);
        let (text, template) = teller
            .question(story, choice.scene, choice.question, rng)
            .unwrap_or_else(|| (question.term.to_string(), "term".into()));
        let query = query(engine, story, choice.scene, &question.term);
        let place = self.place(index);
        let asked = Asked {
            question_type: question.kind.name().into(),
            family: query.functor().into(),
            template,
            question: text,
            answer,
            answer_type: answer_type.into(),
            query: query.to_string(),
            gold: gold.iter().map(|t| t.to_string()).collect(),
        };
        let mut row = row(&place, &texts, asked);
        row.world.clone_from(&story.world);
        if !context.settings().ask.is_empty() {
            row.extra.extend(further_cells(answer_type, None));
        }
        if self.with_texts {
            if context.settings().rationale {
                let phrases = &context.package().common.rationale;
                let asked = (choice.scene, choice.question);
                let reasons = lexicon.reasons(context.package(), stage.layout(), engine);
                let nobody = told.naming.of_nobody();
                let named = told.naming.acts_in(&[&row.context, &row.question, &row.answer]);
                let naming = if named { &told.naming } else { &nobody };
                let teller = self.narrator_with(stage, lexicon, (told, naming), context.holdout(of.split));
                row.rationale = rationale(&*teller, reasons, phrases, story, asked, &row.answer, rng);
            }
            row.id = identity(&row, &texts.seal);
        }
        Ok((Item { row, trivial: choice.trivial }, self.with_texts.then_some(texts)))
    }

    /// What all questions about a story share.
    pub(super) fn shared(
        &self,
        stage: &Simulator,
        lexicon: &Lexicon,
        told: &ToldStory,
    ) -> Result<Telling, FactoryError> {
        match (told.texts(), self.with_texts) {
            (Some(telling), _) => Ok(telling.clone()),
            (None, true) => self.tell(stage, lexicon, told),
            (None, false) => {
                // What does not fit into a picture is passed over with texts and without.
                self.drawn(stage, told)?;
                Ok(Telling::default())
            }
        }
    }

    /// Tells a story.
    pub(super) fn tell(
        &self,
        stage: &Simulator,
        lexicon: &Lexicon,
        told: &ToldStory,
    ) -> Result<Telling, FactoryError> {
        let (context, of) = (self.context, self.of);
        let words = [self.number.to_string(), told.number.to_string()];
        let mut rng = context.rng(of, &["text", &words[0], &words[1]]);
        let teller = self.narrator(stage, lexicon, told, context.holdout(of.split));
        let disorder = context.settings().disorder;
        let texts = match context.settings().tell {
            StateTelling::Picture => teller.beside_picture(&told.story, disorder, &mut rng)?,
            StateTelling::Text | StateTelling::Both => teller.paragraphs(&told.story, disorder, &mut rng)?,
        };
        let mut telling = self.telling(stage, told, texts)?;
        if let Some(drawn) = self.drawn(stage, told)? {
            telling.extra.extend(picture_cells(drawn.look, drawn.png()?));
        }
        Ok(telling)
    }

    /// Tells a story in part. What it leaves out is in none of its columns, but for the answer.
    pub(super) fn tell_partly(
        &self,
        told: &ToldStory,
        telling: &PartTelling,
    ) -> Result<Telling, FactoryError> {
        let (context, of, stage) = (self.context, self.of, &self.stage);
        let (engine, layout) = (&stage.engine, stage.layout());
        let words = [self.number.to_string(), told.number.to_string(), format!("{telling:?}")];
        let mut rng = context.rng(of, &["text in part", &words[0], &words[1], &words[2]]);
        let teller = self.narrator(stage, &self.lexicon, told, context.holdout(of.split));
        let disorder = context.settings().disorder;
        let Some(texts) = teller.partly(&told.story, telling, disorder, &mut rng)? else {
            return Ok(Telling::default());
        };
        let whole = self.telling(stage, told, texts)?;
        let mut known = told_fluents(stage.package, &sayable(stage.package, &self.lexicon, engine));
        telling.left_out.iter().for_each(|object| known.take_out(&stage.naming()[*object]));
        let is_hidden = |fact: &&String| {
            let fluent = fact.parse::<Term>().ok().and_then(|fact| engine.fluents.binary_search(&fact).ok());
            fluent.is_some_and(|fluent| !known.contains(fluent))
        };
        let facts =
            whole.facts.iter().filter(|fact| telling.left_out.is_empty() || !is_hidden(fact)).cloned();
        let left_out = telling.left_out.iter().map(|object| &layout.objects[*object].id);
        let unknown = left_out.map(|id| format!("{LEFT_OUT}({id})"));
        let step = |(step, action): (usize, &String)| match telling.untold == Some(step) {
            true => UNTOLD.to_owned(),
            false => action.clone(),
        };
        Ok(Telling {
            facts: facts.chain(unknown).collect(),
            plan: whole.plan.iter().enumerate().map(step).collect(),
            extra: effective_depth(None),
            ..whole
        })
    }

    fn telling(
        &self,
        stage: &Simulator,
        told: &ToldStory,
        texts: Paragraphs,
    ) -> Result<Telling, FactoryError> {
        let ToldStory { story, naming, numbers, .. } = told;
        let (engine, layout, types) = (&stage.engine, stage.layout(), &self.context.package().types);
        let objects = naming.order.iter().map(|o| ObjectName {
            id: layout.objects[*o].id.clone(),
            kind: types[layout.objects[*o].kind].name.as_str().into(),
            name: naming.names[*o].clone(),
        });
        let numbered = numbers.iter().flat_map(|numbers| {
            let entry = |(kind, term, number): (&str, &Term, Arc<str>)| ObjectName {
                id: term.to_string().into(),
                kind: kind.into(),
                name: number,
            };
            let fluents = numbers.fluents.listed().map(|(f, number)| ("fluent", &engine.fluents[f], number));
            let actions = numbers.actions.listed().map(|(a, number)| ("action", &engine.actions[a], number));
            fluents.chain(actions).map(entry)
        });
        let kinds = layout.objects.iter().map(|o| format!("{}({})", types[o.kind].name, o.id));
        let statics = layout.statics.iter().map(Term::to_string);
        let fluents = story.initial.iter().map(|f| engine.fluents[f].to_string());
        let mut context = vec![texts.initial_state.as_str()];
        if self.context.settings().rules {
            context.push(&texts.rules);
        }
        context.push(&texts.actions);
        // Where actions have several outcomes, a text does not tell in which situation they end.
        let depth = if stage.package.has_outcomes { None } else { stage.effective_depth(story)? };
        let extra = effective_depth(depth);
        let context: Arc<str> = context.join("\n\n").into();
        Ok(Telling {
            world: story.world.clone(),
            seal: seal(&context, &texts.rules).into(),
            context,
            objects: objects.chain(numbered).collect(),
            facts: kinds.chain(statics).chain(fluents).collect(),
            plan: story.plan.iter().map(|a| engine.actions[*a].to_string()).collect(),
            initial_state: texts.initial_state.into(),
            rules: texts.rules.into(),
            actions: texts.actions.into(),
            extra,
        })
    }
}

/// The question as a term that says its scene: `after(A,Q)`, `changes(A,F)`, `initially(Q)`.
fn query(engine: &TransitionSystem, story: &Story, scene: Timepoint, question: &Term) -> Term {
    let action = |n: usize| {
        story.further.get(n).map_or_else(|| Term::constant("none"), |a| engine.actions[*a].clone())
    };
    let after = |n: usize, q: Term| Term::function("after", vec![action(n), q]);
    match scene {
        Timepoint::Now => question.clone(),
        Timepoint::Supposing if question.is("changes", 1) => {
            Term::function("changes", vec![action(0), question.args()[0].clone()])
        }
        Timepoint::Supposing => question.clone(),
        Timepoint::AfterOne => after(0, question.clone()),
        Timepoint::AfterTwo => after(0, after(1, question.clone())),
        Timepoint::Initially => Term::function("initially", vec![question.clone()]),
    }
}

/// A digest of what the rows of a story share.
pub(crate) fn seal(context: &str, rules: &str) -> String {
    digest([context, rules])
}

/// The id of an item, given the seal of its texts: a hash of what it says and of its place.
pub(crate) fn identity(row: &Row, seal: &str) -> String {
    let place = format!("{} {} {} {} {}", row.seed, row.split, row.level, row.depth, row.index);
    digest([&*row.domain, seal, &row.question, &row.answer, &row.query, &place])
}
