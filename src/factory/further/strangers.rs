//! Stories to questions of prediction, some of which name an object that the text does not have.

use std::collections::BTreeMap;

use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::domain::question_groups::UNDEFINED;
use crate::factory::choosing::probe::describe;
use crate::factory::further::gathering::Gatherer;
use crate::factory::further::offers::{Given, OfferCell, OfferedQuestion, Offers, Subject};
use crate::simulate::narrative::undefined::UNANSWERABLE;
use crate::simulate::story::{Simulator, Story, Timepoint};
use crate::simulate::transitions::compiled_layout::Kind;

/// Questions of one form and answer that are offered of a story.
const OFFERED: usize = 12;

impl Gatherer<'_> {
    /// Questions that may name what the text does not have.
    pub(super) fn undefined(
        &self,
        stage: &Simulator,
        stories: &[(usize, &Story)],
        offers: &mut Offers,
        rng: &mut ChaCha8Rng,
    ) {
        let family = self.families().iter().position(|f| f.group == UNDEFINED && self.wants(f));
        let Some(family) = family.filter(|_| self.lexicon.view.is_none()) else { return };
        for (told, story) in stories {
            self.strangers(stage, (*told, story), family, offers, rng);
        }
    }

    fn strangers(
        &self,
        stage: &Simulator,
        (told, story): (usize, &Story),
        family: usize,
        offers: &mut Offers,
        rng: &mut ChaCha8Rng,
    ) {
        let mut by_form: BTreeMap<String, [Vec<(usize, bool)>; 2]> = BTreeMap::new();
        for (number, yes, trivial) in self.predicted(stage, story) {
            let Some(form) = self.lexicon.form(number) else { continue };
            let functor = stage.engine.questions[number].term.functor();
            let detail = describe(self.package, functor, form, Timepoint::Now);
            by_form.entry(detail).or_default()[usize::from(!yes)].push((number, trivial));
        }
        for (detail, mut classes) in by_form {
            let cell = OfferCell { kind: Kind::Other, family, detail };
            let mut add = |number: usize, stranger: Option<usize>, class: usize, trivial: bool| {
                let answer = ["yes", "no", UNANSWERABLE][class];
                let subject = Subject::Undefined(number, stranger);
                offers.entry(cell.clone()).or_default().push(OfferedQuestion {
                    plain: trivial,
                    trivial,
                    class: class as u32,
                    ..OfferedQuestion::new(told, subject, Given::Term(Term::constant(answer)))
                });
            };
            for (class, questions) in classes.iter_mut().enumerate() {
                let (some, _) = questions.partial_shuffle(rng, OFFERED);
                some.iter().for_each(|(number, trivial)| add(*number, None, class, *trivial));
            }
            // Another object in place of one that is named, whatever the answer was.
            let all: Vec<usize> = classes.iter().flatten().map(|(number, _)| *number).collect();
            for number in all.sample(rng, OFFERED) {
                let named = stage.engine.questions[*number].term.constants();
                let named = named.filter_map(|name| self.lexicon.object(name));
                let named: Vec<usize> = named.filter(|object| self.has_other(stage, *object)).collect();
                if let Some(object) = named.choose(rng) {
                    add(*number, Some(*object), 2, true);
                }
            }
        }
    }

    /// Has the pool of names another one for an object?
    fn has_other(&self, stage: &Simulator, object: usize) -> bool {
        let objects = &stage.layout().objects;
        let kind = objects[object].kind;
        self.names[kind] > objects.iter().filter(|other| other.kind == kind).count()
    }
}
