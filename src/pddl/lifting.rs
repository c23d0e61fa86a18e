//! Ground conditions and effects to formulas over parameters: what is said alike of many objects is said once, of variables.
//!
//! An object that is an argument of the action, or of the fluent that a law settles, becomes its parameter. Of other objects,
//! what is said alike of several becomes a quantifier, and a guard says which objects those are: all, all but the
//! parameters, or those of a static relation that is made for it.

use std::collections::{BTreeMap, BTreeSet};

use racgen_logic::term::Term;

use crate::simulate::theory::action_theory::{Condition, Conditions};

/// What is known of the objects of a world.
pub(crate) struct ObjectKinds<'w> {
    /// The kind of each object, by its id.
    pub(crate) kinds: BTreeMap<&'w str, usize>,
}

impl ObjectKinds<'_> {
    fn kind(&self, object: &str) -> usize {
        self.kinds.get(object).copied().unwrap_or_default()
    }
}

/// An atom whose objects are variables as far as they can be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LiftedAtom {
    pub(crate) functor: String,
    pub(crate) arguments: Vec<String>,
    pub(crate) value: bool,
}

impl LiftedAtom {
    /// In PDDL.
    pub(crate) fn text(&self) -> String {
        let atom = format!(
            "({}{})",
            self.functor,
            self.arguments.iter().map(|a| format!(" {a}")).collect::<String>()
        );
        if self.value { atom } else { format!("(not {atom})") }
    }
}

/// Something said of further objects, and of which: the text with their variables, and their kinds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LiftedPart {
    /// A condition on parameters alone.
    Plain(LiftedAtom),
    /// A condition on all objects of these kinds that a guard admits.
    All(Vec<usize>, LiftedAtom),
    /// One of several alternatives, for some objects of these kinds that a guard admits.
    Some(Vec<usize>, Vec<LiftedPart>),
    /// An effect, for all objects of these kinds that a guard admits, under conditions.
    PddlEffect(Vec<usize>, Vec<LiftedAtom>, LiftedAtom),
}

/// What is said of one action, or of one settled fluent, and for each part with further objects, which these are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lifted {
    pub(crate) parts: BTreeMap<LiftedPart, BTreeSet<Vec<String>>>,
}

/// The arguments of a term as PDDL names them: a number is an object, too.
pub(crate) fn objects_of(term: &Term) -> Vec<String> {
    let name = |argument: &Term| match argument {
        Term::Number(number) => format!("n{number}"),
        other => other.to_string(),
    };
    term.args().iter().map(name).collect()
}

/// Lifts what is said of one term.
pub(crate) struct TermLifter<'w> {
    pub(crate) objects: &'w ObjectKinds<'w>,
    pub(crate) fluents: &'w [Term],
    /// How PDDL calls the predicate of each fluent.
    pub(crate) predicate: &'w dyn Fn(&Term) -> String,
    /// The arguments of the term.
    pub(crate) arguments: Vec<String>,
}

/// Further objects, in the order in which they were met.
type Met = Vec<String>;

impl TermLifter<'_> {
    fn atom(&self, condition: Condition, met: &mut Met) -> LiftedAtom {
        let fluent = &self.fluents[condition.fluent];
        let variable = |object: String| {
            if let Some(place) = self.arguments.iter().position(|argument| *argument == object) {
                return format!("?x{}", place + 1);
            }
            let place = met.iter().position(|known| *known == object).unwrap_or_else(|| {
                met.push(object.clone());
                met.len() - 1
            });
            format!("?z{}", place + 1)
        };
        let arguments = objects_of(fluent).into_iter().map(variable).collect();
        LiftedAtom { functor: (self.predicate)(fluent), arguments, value: condition.value }
    }

    fn kinds(&self, met: &Met) -> Vec<usize> {
        met.iter().map(|object| self.objects.kind(object)).collect()
    }

    /// Conditions that hold together, each for itself.
    pub(crate) fn all(&self, conditions: &Conditions, out: &mut Lifted) {
        for condition in conditions {
            let mut met = Met::new();
            let atom = self.atom(*condition, &mut met);
            let part = match met.is_empty() {
                true => LiftedPart::Plain(atom),
                false => LiftedPart::All(self.kinds(&met), atom),
            };
            out.parts.entry(part).or_default().insert(met);
        }
    }

    /// One of several alternatives.
    pub(crate) fn any(&self, alternatives: &[Conditions], out: &mut Lifted) {
        for conditions in alternatives {
            let (atoms, met) = self.together(conditions, Met::new());
            let parts: Vec<LiftedPart> = atoms.into_iter().map(LiftedPart::Plain).collect();
            out.parts.entry(LiftedPart::Some(self.kinds(&met), parts)).or_default().insert(met);
        }
    }

    /// An effect under conditions.
    pub(crate) fn effect(&self, conditions: &Conditions, consequence: Condition, out: &mut Lifted) {
        let mut met = Met::new();
        let consequence = self.atom(consequence, &mut met);
        let (atoms, met) = self.together(conditions, met);
        out.parts
            .entry(LiftedPart::PddlEffect(self.kinds(&met), atoms, consequence))
            .or_default()
            .insert(met);
    }

    /// Atoms that share their further objects; in an order that does not depend on what those are called.
    fn together(&self, conditions: &Conditions, mut met: Met) -> (Vec<LiftedAtom>, Met) {
        let plain = |condition: &Condition| {
            let fluent = &self.fluents[condition.fluent];
            let known = |object: &String| self.arguments.iter().position(|argument| argument == object);
            let places: Vec<Option<usize>> = objects_of(fluent).iter().map(known).collect();
            (places.contains(&None), (self.predicate)(fluent), condition.value, places)
        };
        let mut ordered: Vec<&Condition> = conditions.iter().collect();
        ordered.sort_by_key(|condition| plain(condition));
        let atoms = ordered.into_iter().map(|condition| self.atom(*condition, &mut met)).collect();
        (atoms, met)
    }
}

/// Which further objects a part is about, over all terms that it is said of: a guard, and static facts where it needs them.
pub(crate) struct Guard {
    /// Conditions in PDDL; of none, all objects are meant.
    pub(crate) conditions: Vec<String>,
    /// Facts of the static relation, its name among them.
    pub(crate) facts: Vec<String>,
}

/// Finds the guard of a part: `members` are arguments of a term, and the tuples of further objects.
pub(crate) fn guard(
    kinds: &[usize],
    members: &[(Vec<String>, BTreeSet<Vec<String>>)],
    objects: &ObjectKinds,
    name: &str,
) -> Guard {
    let mut every: Vec<Vec<String>> = vec![Vec::new()];
    for kind in kinds {
        let of_kind =
            || objects.kinds.iter().filter(|(_, own)| *own == kind).map(|(name, _)| (*name).to_owned());
        every = every
            .iter()
            .flat_map(|front| of_kind().map(|name| [front.clone(), vec![name]].concat()).collect::<Vec<_>>())
            .collect();
    }
    let all = |admitted: &dyn Fn(&[String], &[String]) -> bool| {
        members.iter().all(|(arguments, met)| {
            every.iter().all(|tuple| met.contains(tuple) == admitted(arguments, tuple))
        })
    };
    let arity = members.first().map_or(0, |(arguments, _)| arguments.len());
    if all(&|_, _| true) {
        return Guard { conditions: Vec::new(), facts: Vec::new() };
    }
    let apart = |arguments: &[String], tuple: &[String]| {
        tuple
            .iter()
            .enumerate()
            .all(|(place, object)| !arguments.contains(object) && !tuple[..place].contains(object))
    };
    if all(&apart) {
        let mut conditions = Vec::new();
        for (place, kind) in kinds.iter().enumerate() {
            let same = |argument: usize| members.iter().any(|(a, _)| objects.kind(&a[argument]) == *kind);
            conditions.extend(
                (0..arity).filter(|a| same(*a)).map(|a| format!("(not (= ?z{} ?x{}))", place + 1, a + 1)),
            );
            conditions.extend(
                (0..place)
                    .filter(|other| kinds[*other] == *kind)
                    .map(|o| format!("(not (= ?z{} ?z{}))", place + 1, o + 1)),
            );
        }
        return Guard { conditions, facts: Vec::new() };
    }
    let variables: String = (1..=arity)
        .map(|place| format!(" ?x{place}"))
        .chain((1..=kinds.len()).map(|place| format!(" ?z{place}")))
        .collect();
    let mut facts = Vec::new();
    for (arguments, met) in members {
        for tuple in met {
            let names: String = arguments.iter().chain(tuple).map(|name| format!(" {name}")).collect();
            facts.push(format!("({name}{names})"));
        }
    }
    Guard { conditions: vec![format!("({name}{variables})")], facts }
}
