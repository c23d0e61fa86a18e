//! A problem to the world that it begins in, and a world to smaller and larger ones.

use std::collections::{BTreeMap, BTreeSet};

use racgen_logic::fault::Fault;
use racgen_logic::term::Term;

use crate::pddl::syntax::{PddlDomain, PddlProblem};
use crate::pddl::vocabulary::{ImportedKind, PackageWords};

/// Objects, static facts and a situation, in the words of the package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedWorld {
    /// The problem that it comes from, by its place.
    pub problem: usize,
    /// Are these all the objects of the problem?
    pub whole: bool,
    /// What the problem calls each object, and its kind; those of a kind together.
    pub objects: Vec<(String, usize)>,
    /// Objects that the problem does not have, each with the one that it is like.
    pub twins: Vec<(String, String)>,
    /// The static facts.
    pub statics: BTreeSet<Term>,
    /// The fluents that are true.
    pub fluents: BTreeSet<Term>,
}

impl ImportedWorld {
    /// The world of a problem's initial state.
    ///
    /// # Errors
    /// A number that changes and has no value.
    pub fn of(
        place: usize,
        problem: &PddlProblem,
        vocabulary: &PackageWords,
    ) -> Result<ImportedWorld, Fault> {
        let mut objects: Vec<(String, usize)> = problem
            .objects
            .iter()
            .filter_map(|(name, kind)| Some((name.clone(), vocabulary.kind_of(name, kind)?)))
            .collect();
        objects.sort_by_key(|(_, kind)| *kind);
        let mut world = ImportedWorld {
            problem: place,
            whole: true,
            objects,
            twins: Vec::new(),
            statics: BTreeSet::new(),
            fluents: BTreeSet::new(),
        };
        let ids = world.ids(&vocabulary.kinds);
        let term = |name: &str, arguments: &[String], value: Option<i64>| {
            let arguments = arguments.iter().filter_map(|name| ids.get(name)).map(|id| Term::constant(id));
            let value = value.and_then(|value| i32::try_from(value).ok()).map(Term::Number);
            Term::function(vocabulary.relation(name), arguments.chain(value).collect())
        };
        let facts = problem.initially.iter().map(|(name, arguments)| (name, arguments, None));
        let values = problem.values.iter().map(|((name, arguments), value)| (name, arguments, Some(*value)));
        for (name, arguments, value) in facts.chain(values) {
            let of = if vocabulary.is_static(name) { &mut world.statics } else { &mut world.fluents };
            of.insert(term(name, arguments, value));
        }
        complete(vocabulary.domain, problem, vocabulary)?;
        Ok(world)
    }

    /// The id of each object, by what the problem calls it.
    pub fn ids(&self, kinds: &[ImportedKind]) -> BTreeMap<String, String> {
        let mut numbers = vec![0; kinds.len()];
        let mut ids = BTreeMap::new();
        for (name, kind) in &self.objects {
            numbers[*kind] += 1;
            ids.insert(name.clone(), format!("{}{}", kinds[*kind].id, numbers[*kind]));
        }
        ids
    }

    /// How many objects of each kind there are.
    pub fn counts(&self, kinds: usize) -> Vec<usize> {
        let of = |kind: usize| self.objects.iter().filter(|(_, own)| *own == kind).count();
        (0..kinds).map(of).collect()
    }

    /// The same world in another situation.
    pub fn in_situation(&self, fluents: BTreeSet<Term>) -> ImportedWorld {
        ImportedWorld { fluents, ..self.clone() }
    }

    /// The world without one of its objects, and without all that is said of it.
    pub fn without(&self, object: usize, kinds: &[ImportedKind]) -> ImportedWorld {
        let before = self.ids(kinds);
        let mut objects = self.objects.clone();
        let (gone, _) = objects.remove(object);
        let mut smaller = ImportedWorld { whole: false, objects, ..self.clone() };
        let after = smaller.ids(kinds);
        let gone = before.get(&gone).cloned().unwrap_or_default();
        let renamed: BTreeMap<&str, &str> =
            after.iter().filter_map(|(name, new)| Some((before.get(name)?.as_str(), new.as_str()))).collect();
        let kept = |terms: &BTreeSet<Term>| -> BTreeSet<Term> {
            terms.iter().filter(|term| !term.mentions(&gone)).map(|term| term.renamed(&renamed)).collect()
        };
        (smaller.statics, smaller.fluents) = (kept(&self.statics), kept(&self.fluents));
        smaller
    }

    /// The world with another object like one of its objects, of which all is said that is said of that one.
    pub fn with_twin(&self, object: usize, kinds: &[ImportedKind]) -> ImportedWorld {
        let (like, kind) = self.objects[object].clone();
        let mut name = format!("{like}-too");
        while self.objects.iter().any(|(known, _)| *known == name) {
            name += "-too";
        }
        let last = self.objects.iter().rposition(|(_, other)| *other == kind).unwrap_or(object);
        let mut larger = ImportedWorld { whole: false, ..self.clone() };
        larger.objects.insert(last + 1, (name.clone(), kind));
        let ids = larger.ids(kinds);
        let renamed = BTreeMap::from([(ids[&like].as_str(), ids[&name].as_str())]);
        for terms in [&mut larger.statics, &mut larger.fluents] {
            let said: Vec<Term> = terms.iter().filter(|term| term.mentions(&ids[&like])).cloned().collect();
            terms.extend(said.iter().map(|term| term.renamed(&renamed)));
        }
        larger.twins.push((name, like));
        larger
    }

    /// The objects that the problem names and those that were added, with their types as the problem has them.
    pub fn typed(&self, problem: &PddlProblem) -> Vec<(String, String)> {
        let mut all = problem.objects.clone();
        for (name, like) in &self.twins {
            let of = all.iter().find(|(known, _)| known == like).map(|(_, kind)| kind.clone());
            all.extend(of.map(|kind| (name.clone(), kind)));
        }
        all.retain(|(name, _)| self.objects.iter().any(|(own, _)| own == name));
        all
    }
}

/// Every number that actions change must have a value at first.
fn complete(domain: &PddlDomain, problem: &PddlProblem, vocabulary: &PackageWords) -> Result<(), Fault> {
    for function in domain.functions.iter().filter(|function| !vocabulary.is_static(&function.name)) {
        let mut all: Vec<Vec<String>> = vec![Vec::new()];
        for place in &function.places {
            let fits = |kind: &str| place.types.iter().any(|upper| domain.is_below(kind, upper));
            let objects =
                || problem.objects.iter().filter(|(_, kind)| fits(kind)).map(|(name, _)| name.clone());
            all = all
                .iter()
                .flat_map(|front| {
                    objects().map(|name| [front.clone(), vec![name]].concat()).collect::<Vec<_>>()
                })
                .collect();
        }
        if let Some(missing) =
            all.iter().find(|a| !problem.values.contains_key(&(function.name.clone(), (*a).clone())))
        {
            let atom = format!("({} {})", function.name, missing.join(" "));
            let remedy = format!("add (= {atom} NUMBER) to :init");
            return Err(Fault::new(&problem.file, 0, format!("`{atom}` has no number at first"), remedy));
        }
    }
    Ok(())
}
