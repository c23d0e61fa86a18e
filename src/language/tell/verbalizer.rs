//! Terms of one story to what the phrase book of its domain fills its slots with.

use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;

use crate::domain::package::Package;
use crate::language::tell::verbalize::Verbalize;
use crate::language::words::holdout::{DrawnPhrasing, Holdout};
use crate::language::words::lexicon::{Filler, Lexicon};
use crate::language::words::naming::Naming;
use crate::language::words::text::{compound, filled};
use crate::phrases::book::Phrasings;
use crate::phrases::phrasing::Phrasing;
use crate::simulate::layout::Layout;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// Says things about one story, in the words of its domain's phrase book.
pub struct Verbalizer<'a> {
    /// The package.
    pub package: &'a Package,
    /// The layout.
    pub layout: &'a Layout,
    /// The layout's terms.
    pub engine: &'a TransitionSystem,
    /// The layout's phrases.
    pub lexicon: &'a Lexicon,
    /// The story's names.
    pub naming: &'a Naming,
    /// Which phrasings may be used.
    pub holdout: Holdout,
}

impl Verbalizer<'_> {
    pub(crate) fn draw<'p>(
        &self,
        phrasings: &'p Phrasings,
        rng: &mut ChaCha8Rng,
    ) -> Option<DrawnPhrasing<'p>> {
        self.holdout.draw(phrasings, rng)
    }

    pub(crate) fn text(&self, filler: &Filler, rng: &mut ChaCha8Rng) -> String {
        match filler {
            Filler::Object(object) => self.naming.names[*object].to_string(),
            Filler::Text(text) => text.clone(),
            Filler::Action(action) => self.clause(action, rng),
            Filler::Fluent(fluent) => self.statement(fluent, rng),
        }
    }

    /// Fills a phrasing; a place past the fillers stands for the person who acts.
    pub(crate) fn fill(&self, phrasing: &Phrasing, fillers: &[Filler], rng: &mut ChaCha8Rng) -> String {
        let texts: Vec<String> = fillers.iter().map(|f| self.text(f, rng)).collect();
        filled(phrasing, &texts, if self.naming.knows_who_acts() { &self.naming.person } else { "someone" })
    }

    /// A phrasing of an action with so many fillers; where nobody is known to act, one without a person.
    pub(crate) fn draw_acting<'p>(
        &self,
        phrasings: &'p Phrasings,
        fillers: usize,
        rng: &mut ChaCha8Rng,
    ) -> Option<DrawnPhrasing<'p>> {
        match self.naming.knows_who_acts() {
            true => self.holdout.draw(phrasings, rng),
            false => self.holdout.draw_without(fillers, phrasings, rng),
        }
    }

    pub(crate) fn term_text(&self, term: &Term) -> String {
        let object = || Some(self.naming.names[*self.lexicon.objects.get(term.functor())?].to_string());
        let constant = || self.package.constants.get(term.functor()).cloned();
        let told = match term.args() {
            [] => object().or_else(constant),
            _ => compound(&self.package.book.terms, term, |argument| self.term_text(argument)),
        };
        told.unwrap_or_else(|| term.to_string())
    }
}
