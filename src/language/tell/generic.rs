//! A story of any domain to the text of the generic domain (section 9, table 8): ground fluents and actions become
//! numbers, the rules become preconditions, effects and static laws.
//!
//! Nothing but the text changes: the story, its questions and their answers are those of the domain. Only the
//! answers of which-questions, which would be names of objects, become the fluents or actions that bring them about.

use std::collections::{BTreeMap, BTreeSet};

use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::domain::package::Package;
use crate::language::tell::paragraphs::{Disorder, Paragraphs, remark};
use crate::language::tell::scene::in_scene;
use crate::language::words::generic_view::GenericView;
use crate::language::words::holdout::Holdout;
use crate::language::words::numbering::Numbers;
use crate::language::words::text::{capital, listed, paragraph};
use crate::phrases::book::Phrasings;
use crate::phrases::phrasing::Phrasing;
use crate::simulate::situation::Situation;
use crate::simulate::story::{Story, Timepoint};
use crate::simulate::theory::action_theory::{Condition, Conditions, InquiryShape, Property};
use crate::simulate::transition_system::{Kind, TransitionSystem};

/// Says things about one story in the vocabulary of the generic domain.
pub struct GenericVerbalizer<'a> {
    /// The package of the story's domain.
    pub package: &'a Package,
    /// The layout's terms.
    pub engine: &'a TransitionSystem,
    /// The layout's theory.
    pub view: &'a GenericView,
    /// The story's numbers.
    pub numbers: &'a Numbers,
    /// Which phrasings may be used.
    pub holdout: Holdout,
}

/// One wording of each kind of sentence, which serves a whole rules paragraph.
struct RuleStyle<'b> {
    precondition: Option<&'b Phrasing>,
    alternatives: Option<&'b Phrasing>,
    effect: Option<&'b Phrasing>,
    conditional_effect: Option<&'b Phrasing>,
    law: Option<&'b Phrasing>,
    constant_law: Option<&'b Phrasing>,
    defined: Option<&'b Phrasing>,
    laws: Option<&'b Phrasing>,
}

impl<'a> GenericVerbalizer<'a> {
    /// Fills a phrasing; a place past the texts stands for the person who acts.
    fn fill(&self, phrasing: &Phrasing, texts: &[&str]) -> String {
        let mut out = String::new();
        phrasing.fill(&mut out, |slot| texts.get(slot).copied().unwrap_or(&self.numbers.person));
        out
    }

    /// Draws a phrasing and fills it; the number is that of the phrasing.
    fn say(
        &self,
        phrasings: Option<&Phrasings>,
        texts: &[&str],
        rng: &mut ChaCha8Rng,
    ) -> Option<(usize, String)> {
        let (number, phrasing) = self.holdout.draw(phrasings?, rng)?;
        Some((number, self.fill(phrasing, texts)))
    }

    /// Initial state, rules and actions of a story.
    pub fn paragraphs(&self, story: &Story, disorder: Disorder, rng: &mut ChaCha8Rng) -> Paragraphs {
        Paragraphs {
            initial_state: self.initial_state(&story.initial, disorder, rng),
            rules: self.rules(rng),
            actions: self.actions(&story.plan, rng),
        }
    }

    fn initial_state(&self, initial: &Situation, disorder: Disorder, rng: &mut ChaCha8Rng) -> String {
        let book = &self.view.books.generic;
        let mut sentences = Vec::new();
        for (kind, phrasings) in &book.objects {
            let numbering = if kind == "fluent" { &self.numbers.fluents } else { &self.numbers.actions };
            let list = numbering.list(numbering.order.iter().copied());
            sentences.extend(self.say(Some(phrasings), &[&list], rng).map(|(_, text)| text));
        }
        let list = self.numbers.fluents.list(initial.iter());
        let relation = book.fluents.first();
        let told = relation.map(|r| if list.is_empty() { &r.none } else { &r.all });
        sentences.extend(self.say(told, &[&list], rng).map(|(_, text)| text));
        disorder.apply(&mut sentences, |rng| remark(&self.package.common, self.holdout, rng), rng.random());
        paragraph(sentences)
    }

    fn rules(&self, rng: &mut ChaCha8Rng) -> String {
        let books = self.view.books;
        let style = self.style(rng);
        let of_laws = self.laws(&style);
        let (requirements, consequences) = self.descriptions(&style);
        let mut of_actions = Vec::new();
        if rng.random_bool(0.5) {
            requirements.into_iter().zip(consequences).for_each(|(r, c)| of_actions.extend([r, c]));
        } else {
            of_actions.extend(consequences);
            of_actions.extend(requirements);
        }
        let mut sentences =
            if rng.random_bool(0.5) { [of_laws, of_actions] } else { [of_actions, of_laws] }.concat();
        sentences.retain(|sentence| !sentence.is_empty());
        for phrasings in books.generic.rules.iter().chain(&books.own.frame) {
            sentences.extend(self.say(Some(phrasings), &[], rng).map(|(_, text)| text));
        }
        paragraph(sentences)
    }

    fn style(&self, rng: &mut ChaCha8Rng) -> RuleStyle<'a> {
        let books = self.view.books;
        let mut draw = |functor: &str| {
            let drawn = books.sentence(functor).and_then(|list| self.holdout.draw(list, rng));
            drawn.map(|(_, phrasing)| phrasing)
        };
        RuleStyle {
            precondition: draw("precondition"),
            alternatives: draw("alternatives"),
            effect: draw("effect"),
            conditional_effect: draw("conditional_effect"),
            law: draw("law"),
            constant_law: draw("constant_law"),
            defined: draw("defined"),
            laws: draw("laws"),
        }
    }

    /// Fills the phrasing of a kind of sentence, where there is one.
    fn worded(&self, phrasing: Option<&Phrasing>, texts: &[&str]) -> String {
        phrasing.map_or(String::new(), |p| self.fill(p, texts))
    }

    /// Sentences about the static laws.
    fn laws(&self, style: &RuleStyle) -> Vec<String> {
        let (theory, fluents) = (&self.view.theory, &self.numbers.fluents);
        let mut sentences = Vec::new();
        if !theory.defined.is_empty() {
            sentences.push(self.worded(style.defined, &[&fluents.list(theory.defined.iter().copied())]));
        }
        let mut laws: Vec<_> = theory.laws.iter().collect();
        laws.sort_by_key(|law| fluents.rank[law.consequence.fluent]);
        for law in laws {
            let consequence = fluents.conditions([&law.consequence]);
            sentences.push(match fluents.conditions(&law.conditions) {
                conditions if conditions.is_empty() => self.worded(style.constant_law, &[&consequence]),
                conditions => self.worded(style.law, &[&consequence, &conditions]),
            });
        }
        let is_defined: BTreeSet<usize> = theory.defined.iter().copied().collect();
        if theory.laws.iter().any(|law| !is_defined.contains(&law.consequence.fluent)) {
            sentences.push(self.worded(style.laws, &[]));
        }
        sentences
    }

    /// By action, what it requires, and what it causes.
    fn descriptions(&self, style: &RuleStyle) -> (Vec<String>, Vec<String>) {
        let (fluents, actions) = (&self.numbers.fluents, &self.numbers.actions);
        let (mut requirements, mut consequences) = (Vec::new(), Vec::new());
        for action in &actions.order {
            let Some(description) = &self.view.theory.actions[*action] else { continue };
            let name = actions.text(*action);
            let sets: Vec<String> = description.preconditions.iter().map(|p| fluents.conditions(p)).collect();
            requirements.push(match sets.as_slice() {
                [always] if always.is_empty() => String::new(),
                [only] => self.worded(style.precondition, &[name, only]),
                several => self.worded(style.alternatives, &[name, &several.join("; ")]),
            });
            let mut sentences: Vec<String> = Vec::new();
            for (conditions, caused) in ranked(&description.effects, &fluents.rank) {
                let caused = fluents.conditions(caused);
                sentences.push(match fluents.conditions(conditions) {
                    conditions if conditions.is_empty() => self.worded(style.effect, &[name, &caused]),
                    conditions => self.worded(style.conditional_effect, &[name, &caused, &conditions]),
                });
            }
            consequences.push(paragraph(sentences));
        }
        (requirements, consequences)
    }

    /// The sentences of an action sequence, in order.
    pub fn actions(&self, plan: &[usize], rng: &mut ChaCha8Rng) -> String {
        let did = self.view.books.generic.actions.first().map(|a| &a.did);
        let told = |action: &usize| Some(self.say(did, &[self.numbers.actions.text(*action)], rng)?.1);
        let mut sentences: Vec<String> = plan.iter().filter_map(told).collect();
        if plan.is_empty() {
            sentences
                .extend(self.holdout.draw(&self.package.common.no_actions, rng).map(|(_, p)| listed(p, "")));
        }
        paragraph(sentences)
    }

    /// The clause that a fluent is true.
    pub fn statement(&self, fluent: usize, rng: &mut ChaCha8Rng) -> String {
        let each = self.view.books.generic.fluents.first().map(|f| &f.each);
        let drawn = each.and_then(|each| self.holdout.draw(each, rng));
        drawn.map_or(String::new(), |(_, p)| self.fill(&p.clause(), &[self.numbers.fluents.text(fluent)]))
    }

    /// The clause that an action takes place.
    pub fn clause(&self, action: usize, rng: &mut ChaCha8Rng) -> String {
        let clause = self.view.books.generic.actions.first().map(|a| &a.clause);
        let said = self.say(clause, &[self.numbers.actions.text(action)], rng);
        said.map_or(String::new(), |(_, text)| text)
    }

    /// A question in its scene, and the name of the phrasings drawn.
    pub fn question(
        &self,
        story: &Story,
        scene: Timepoint,
        question: usize,
        rng: &mut ChaCha8Rng,
    ) -> Option<(String, String)> {
        let inquiry = self.view.theory.questions[question].as_ref()?;
        let (books, common) = (self.view.books, &self.package.common);
        let of_actions = inquiry.property == Property::Executable;
        let numbering = if of_actions { &self.numbers.actions } else { &self.numbers.fluents };
        let things = || inquiry.things.iter().map(|(thing, _)| *thing);
        let list = numbering.list(things());
        let property = match inquiry.property {
            Property::True => "true",
            Property::False => "false",
            Property::Executable => "executable",
        };
        let (form, phrasings) = match (inquiry.shape, inquiry.property) {
            (InquiryShape::Changes, _) => {
                let ask = common.questions.iter().find(|q| q.pattern.functor == "changes").map(|q| &q.ask);
                let (_, each) = self.holdout.draw(&books.generic.fluents.first()?.each, rng)?;
                let statement = self.fill(&each.clause(), &[&list]);
                let first = self.clause(*story.further.first()?, rng);
                let (number, text) = self.say(ask, &[&first, &statement], rng)?;
                return Some((capital(&text), format!("generic.changes.{}", number + 1)));
            }
            (InquiryShape::One, Property::True) => ("true".into(), Some(&books.generic.fluents.first()?.ask)),
            (InquiryShape::One, Property::Executable) => {
                ("executable".into(), Some(&books.generic.actions.first()?.can))
            }
            (shape, _) => {
                let every =
                    of_actions && shape == InquiryShape::Count && things().count() == numbering.order.len();
                let shape = match shape {
                    InquiryShape::One | InquiryShape::Changes => "one",
                    InquiryShape::All => "all",
                    InquiryShape::Any => "any",
                    InquiryShape::Count if every => "count_every",
                    InquiryShape::Count => "count",
                    InquiryShape::Which => "which",
                };
                let form = format!("{shape}_{property}");
                let phrasings = books.question(&form);
                (form, phrasings)
            }
        };
        let (number, text) = self.say(phrasings, &[&list], rng)?;
        let asked = (text, format!("generic.{form}.{}", number + 1));
        let clause = |action, rng: &mut ChaCha8Rng| self.clause(action, rng);
        in_scene(common, self.holdout, story, scene, asked, clause, rng)
    }

    /// The text of answer terms and their type. Answers to a which-question give way to the fluents or actions of
    /// the question's list that they stand for, in the order of the text.
    pub fn answer(&self, question: usize, answers: &mut Vec<&'a Term>) -> (String, &'static str) {
        let text = |answers: &[&Term]| answers.iter().map(|t| t.to_string()).collect::<Vec<_>>().join(", ");
        match self.engine.questions[question].kind {
            Kind::Verify => return (text(answers), "bool"),
            Kind::Count => return (text(answers), "number"),
            Kind::Other => {}
        }
        let things = self.view.theory.questions[question].iter().flat_map(|inquiry| &inquiry.things);
        let meant = things.filter(|(_, member)| answers.iter().any(|a| member.as_ref() == Some(*a)));
        let mut meant: Vec<usize> = meant.map(|(thing, _)| *thing).collect();
        if meant.is_empty() {
            return (text(answers), "none");
        }
        let actions = self.view.theory.questions[question]
            .as_ref()
            .is_some_and(|inquiry| inquiry.property == Property::Executable);
        let (numbering, terms) = if actions {
            (&self.numbers.actions, &self.engine.actions)
        } else {
            (&self.numbers.fluents, &self.engine.fluents)
        };
        meant.sort_by_key(|thing| numbering.rank[*thing]);
        *answers = meant.iter().map(|thing| &terms[*thing]).collect();
        (numbering.list(meant.iter().copied()), if meant.len() == 1 { "name" } else { "names" })
    }
}

/// Effects in an order that follows the numbering alone.
fn ranked<'e>(
    effects: &'e BTreeMap<Conditions, BTreeSet<Condition>>,
    rank: &[usize],
) -> Vec<(&'e Conditions, &'e BTreeSet<Condition>)> {
    let mut effects: Vec<_> = effects.iter().collect();
    let ranks = |conditions: &BTreeSet<Condition>| {
        let mut ranks: Vec<usize> = conditions.iter().map(|c| rank[c.fluent]).collect();
        ranks.sort_unstable();
        ranks
    };
    effects.sort_by_key(|(conditions, caused)| (ranks(conditions), ranks(caused)));
    effects
}
