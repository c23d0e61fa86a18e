//! Terms of one story to what the phrase book of its domain fills its slots with.

use std::borrow::Cow;

use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;
use smallvec::SmallVec;

use crate::domain::package::Package;
use crate::language::tell::verbalize::Verbalize;
use crate::language::words::holdout::{DrawnPhrasing, Holdout};
use crate::language::words::lexicon::{Filler, Lexicon};
use crate::language::words::naming::Naming;
use crate::language::words::text::{compound, filled, filled_clause};
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

    pub(crate) fn text<'t>(&'t self, filler: &'t Filler, rng: &mut ChaCha8Rng) -> Cow<'t, str> {
        match filler {
            Filler::Object(object) => Cow::Borrowed(&*self.naming.names[*object]),
            Filler::Text(text) => Cow::Borrowed(text),
            Filler::Action(action) => Cow::Owned(self.clause(action, rng)),
            Filler::Fluent(fluent) => Cow::Owned(self.statement(fluent, rng)),
        }
    }

    /// Fills a phrasing; a place past the fillers stands for the person who acts.
    pub(crate) fn fill(&self, phrasing: &Phrasing, fillers: &[Filler], rng: &mut ChaCha8Rng) -> String {
        filled(phrasing, &self.texts(fillers, rng), self.who_acts())
    }

    /// The same without the full stop of the phrasing.
    pub(crate) fn fill_clause(
        &self,
        phrasing: &Phrasing,
        fillers: &[Filler],
        rng: &mut ChaCha8Rng,
    ) -> String {
        filled_clause(phrasing, &self.texts(fillers, rng), self.who_acts())
    }

    fn texts<'t>(&'t self, fillers: &'t [Filler], rng: &mut ChaCha8Rng) -> SmallVec<[Cow<'t, str>; 4]> {
        fillers.iter().map(|filler| self.text(filler, rng)).collect()
    }

    fn who_acts(&self) -> &str {
        if self.naming.knows_who_acts() { &self.naming.person } else { "someone" }
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
