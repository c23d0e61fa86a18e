//! Situations that were met to invariants that a domain may be meant to have: so in all initial situations, but not after
//! some action.
//!
//! Looked for are sums: of each object of a type, how many atoms with it in one place, or in one of several, are true;
//! and a fluent without objects against all atoms of another form. Where such a sum is one, or at most one, in every
//! initial situation, an action that breaks it may have a wrong effect. It need not: what is so at first may change. So
//! these are told, and are no faults.

use std::collections::{BTreeMap, BTreeSet};

use racgen_logic::term::Term;

use crate::check::invariants::story;
use crate::check::reached::Reached;
use crate::domain::package::Package;
use crate::simulate::situation::Situation;
use crate::simulate::transitions::compiled_layout::CompiledLayout;

/// Initial situations that must have been met, before something that all of them share says anything.
const FEWEST: usize = 4;
/// Forms of atoms that are added up.
const MOST_FORMS: usize = 3;
/// Notes that are told.
const MOST_NOTES: usize = 4;

/// A form of atoms: functor and, by place, the type or the constant.
type AtomForm = (String, Vec<String>);

/// What is counted: atoms of a form with the object in this place; without a place, whether there is any such atom.
type CountedForm = (AtomForm, Option<usize>);

/// What may be so of each object of a type, or of the situation as a whole.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct LikelyInvariant {
    /// The type; none for the situation as a whole.
    kind: Option<usize>,
    forms: BTreeSet<CountedForm>,
}

/// How a candidate fared.
#[derive(Clone, Debug, Default)]
struct Fared {
    /// In so many initial situations it was so.
    initially: usize,
    /// Never so, initially.
    refuted: bool,
    /// The first situation in which it was not so, in words.
    broken: Option<String>,
}

/// What was met of candidates, over all layouts.
pub(crate) struct LikelyInvariants<'p> {
    package: &'p Package,
    records: BTreeMap<LikelyInvariant, Fared>,
}

/// What is counted in a layout. Forms and objects have numbers, for counting is done often.
struct Counter {
    forms: Vec<CountedForm>,
    /// The objects with their types.
    objects: Vec<(String, usize)>,
    /// By fluent, what it adds to: forms, each with an object or none.
    adds: Vec<Vec<(usize, Option<usize>)>>,
}

impl<'p> LikelyInvariants<'p> {
    /// Nothing was met yet.
    pub(crate) fn new(package: &'p Package) -> LikelyInvariants<'p> {
        LikelyInvariants { package, records: BTreeMap::new() }
    }

    /// Notes the situations of a layout.
    pub(crate) fn look(&mut self, compiled: &CompiledLayout, level: i32, reached: &Reached) {
        let counter = Counter::new(self.package, compiled);
        let mut candidates: Vec<(LikelyInvariant, Fared)> = counter
            .candidates(self.package)
            .into_iter()
            .map(|candidate| (candidate.clone(), self.records.remove(&candidate).unwrap_or_default()))
            .collect();
        let numbers: Vec<(Vec<usize>, Vec<usize>)> =
            candidates.iter().map(|(candidate, _)| counter.numbers(candidate)).collect();
        for (place, (situation, before)) in reached.all.iter().enumerate() {
            let counts = counter.counts(situation);
            for ((candidate, record), (forms, objects)) in candidates.iter_mut().zip(&numbers) {
                if record.refuted || (before.is_some() && record.broken.is_some()) {
                    continue;
                }
                let breaks = match candidate.kind {
                    Some(_) => counter.breaks(forms, objects, &counts),
                    None => counter.both_or_neither(forms, &counts),
                };
                match (breaks, before.is_none()) {
                    (None, true) => record.initially += 1,
                    (Some(_), true) => record.refuted = true,
                    (None, false) => {}
                    (Some(how), false) => {
                        let story = story(compiled, reached, place);
                        record.broken = Some(format!("at level N{level}{how}{story}"));
                    }
                }
            }
        }
        self.records.extend(candidates);
    }

    /// What is so in all initial situations, and not in all that were met.
    pub(crate) fn notes(&self) -> Vec<String> {
        let sound = |record: &Fared| !record.refuted && record.initially >= FEWEST;
        let lasting: Vec<&LikelyInvariant> =
            self.records.iter().filter(|(_, r)| sound(r) && r.broken.is_none()).map(|(c, _)| c).collect();
        // What takes part in something that lasts may change as it does.
        let explained = |candidate: &LikelyInvariant| {
            lasting.iter().any(|other| {
                other.kind == candidate.kind
                    && other.forms.len() > candidate.forms.len()
                    && candidate.forms.is_subset(&other.forms)
            }) || candidate.forms.iter().all(|form| {
                lasting.iter().any(|other| other.kind == candidate.kind && other.forms.contains(form))
            })
        };
        let broken = self.records.iter().filter(|(candidate, record)| sound(record) && !explained(candidate));
        let mut told: Vec<(&LikelyInvariant, String)> = Vec::new();
        for (candidate, record) in broken {
            let Some(how) = &record.broken else { continue };
            // Of several that say nearly the same, the one with fewest forms is enough.
            if told
                .iter()
                .any(|(other, _)| other.kind == candidate.kind && other.forms.is_subset(&candidate.forms))
            {
                continue;
            }
            told.push((
                candidate,
                format!(
                    "{} in each of {} initial situations, but not {how}. If it should always be so, correct the effects, \
                     and state it in the part `invariant` of world.lp",
                    self.words(candidate),
                    record.initially
                ),
            ));
        }
        told.truncate(MOST_NOTES);
        told.into_iter().map(|(_, note)| note).collect()
    }

    /// What a candidate says, in words.
    fn words(&self, candidate: &LikelyInvariant) -> String {
        let form = |((functor, places), place): &CountedForm| {
            if places.is_empty() {
                return format!("`{functor}`");
            }
            let args = places.iter().enumerate().map(|(at, kind)| match place {
                Some(place) if *place == at => "X".to_owned(),
                _ if self.package.types.iter().any(|t| t.name == *kind) => "_".to_owned(),
                _ => kind.clone(),
            });
            format!("`{functor}({})`", args.collect::<Vec<_>>().join(","))
        };
        let forms = candidate.forms.iter().map(form).collect::<Vec<_>>().join(", ");
        match candidate.kind {
            Some(kind) => {
                let name = &self.package.types[kind].name;
                format!("of each {name} X, exactly one of {forms} is true")
            }
            None => format!("either there is {}", forms.replace("`, `", "` or `") + ", and never both"),
        }
    }
}

impl Counter {
    fn new(package: &Package, compiled: &CompiledLayout) -> Counter {
        let object = |term: &Term| -> Option<usize> {
            if term.args().is_empty() { package.kind_of(term.functor()) } else { None }
        };
        let mut counter = Counter { forms: Vec::new(), objects: Vec::new(), adds: Vec::new() };
        let (mut forms, mut objects) = (BTreeMap::new(), BTreeMap::new());
        for term in &compiled.fluents {
            let mut adds = Vec::new();
            // Fluents that are objects themselves have no form of their own.
            if object(term).is_none() {
                let kind = |arg: &Term| {
                    object(arg).map_or_else(|| arg.to_string(), |k| package.types[k].name.clone())
                };
                let form: AtomForm = (term.functor().to_owned(), term.args().iter().map(kind).collect());
                let mut number = |place: Option<usize>| {
                    *forms.entry((form.clone(), place)).or_insert_with_key(|key| {
                        counter.forms.push(key.clone());
                        counter.forms.len() - 1
                    })
                };
                adds.push((number(None), None));
                for (place, arg) in term.args().iter().enumerate() {
                    let Some(kind) = object(arg) else { continue };
                    let object = *objects.entry(arg.to_string()).or_insert_with_key(|name: &String| {
                        counter.objects.push((name.clone(), kind));
                        counter.objects.len() - 1
                    });
                    adds.push((number(Some(place)), Some(object)));
                }
            }
            counter.adds.push(adds);
        }
        counter
    }

    /// What may be so in this layout.
    fn candidates(&self, package: &Package) -> Vec<LikelyInvariant> {
        let mut found = Vec::new();
        for (kind, of_type) in package.types.iter().enumerate() {
            let counted = self
                .forms
                .iter()
                .filter(|((_, places), place)| place.is_some_and(|place| places[place] == of_type.name));
            let mut sets: Vec<BTreeSet<CountedForm>> = vec![BTreeSet::new()];
            for form in counted {
                let more: Vec<BTreeSet<CountedForm>> = sets
                    .iter()
                    .filter(|set| set.len() < MOST_FORMS)
                    .map(|set| set.iter().cloned().chain([form.clone()]).collect())
                    .collect();
                sets.extend(more);
            }
            let sets = sets.into_iter().filter(|set| !set.is_empty());
            found.extend(sets.map(|forms| LikelyInvariant { kind: Some(kind), forms }));
        }
        let whole: Vec<&CountedForm> = self.forms.iter().filter(|(_, place)| place.is_none()).collect();
        for one in whole.iter().filter(|((_, places), _)| places.is_empty()) {
            for other in whole.iter().filter(|other| other != &one) {
                let forms = [*one, *other].map(CountedForm::clone).into_iter().collect();
                found.push(LikelyInvariant { kind: None, forms });
            }
        }
        found.sort();
        found.dedup();
        found
    }

    /// The numbers of a candidate's forms and objects.
    fn numbers(&self, candidate: &LikelyInvariant) -> (Vec<usize>, Vec<usize>) {
        let forms = (0..self.forms.len()).filter(|form| candidate.forms.contains(&self.forms[*form]));
        let objects = (0..self.objects.len()).filter(|o| Some(self.objects[*o].1) == candidate.kind);
        (forms.collect(), objects.collect())
    }

    fn place(&self, form: usize, object: Option<usize>) -> usize {
        form * (self.objects.len() + 1) + object.map_or(0, |object| object + 1)
    }

    /// By form and object, how many atoms are true.
    fn counts(&self, situation: &Situation) -> Vec<u32> {
        let mut counts = vec![0; self.forms.len() * (self.objects.len() + 1)];
        for (form, object) in situation.iter().flat_map(|fluent| &self.adds[fluent]) {
            counts[self.place(*form, *object)] += 1;
        }
        counts
    }

    /// An object of which not exactly one atom is true, in words.
    fn breaks(&self, forms: &[usize], objects: &[usize], counts: &[u32]) -> Option<String> {
        objects.iter().find_map(|object| {
            let sum: u32 = forms.iter().map(|form| counts[self.place(*form, Some(*object))]).sum();
            (sum != 1).then(|| format!(", where {sum} are of `{}`,", self.objects[*object].0))
        })
    }

    /// Whether both of two forms have true atoms, or neither has, in words.
    fn both_or_neither(&self, forms: &[usize], counts: &[u32]) -> Option<String> {
        match forms.iter().filter(|form| counts[self.place(**form, None)] > 0).count() {
            1 => None,
            0 => Some(", where neither is so,".to_owned()),
            _ => Some(", where both are so,".to_owned()),
        }
    }
}
