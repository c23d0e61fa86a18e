//! A planning domain and its problems to names of a package: types of objects, predicates and actions, as logic programs may
//! call them.

use std::collections::{BTreeMap, BTreeSet};

use crate::pddl::syntax::{
    Argument, Changed, NumberExpression, Parameter, PddlAtom, PddlDomain, PddlFormula, PddlProblem,
};

/// Names with a meaning of their own in logic programs, packages or phrase books.
const TAKEN: [&str; 50] = [
    "action",
    "after",
    "and",
    "answer",
    "ask",
    "begins",
    "broken",
    "can",
    "changes",
    "count",
    "defined",
    "differs",
    "executable",
    "fluent",
    "gained",
    "goal",
    "holds",
    "inertial",
    "initially",
    "is",
    "list",
    "max_count",
    "member",
    "n",
    "name",
    "neg",
    "next",
    "no",
    "none",
    "not",
    "now",
    "number",
    "occ",
    "other",
    "person",
    "seek",
    "some",
    "start",
    "statement",
    "state",
    "suppose",
    "supposing",
    "time",
    "trivial",
    "verify",
    "world",
    "yes",
    "true",
    "true_in",
    "given",
];

/// A type of objects of the package: a type of the domain, or one constant of it that formulas name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedKind {
    /// Its name in the package.
    pub name: String,
    /// The letters its ids start with.
    pub id: String,
    /// The parameter that says how many there are.
    pub count: String,
    /// What texts call such an object.
    pub noun: String,
    /// The type in the domain.
    pub pddl_type: String,
    /// The only object, where it is a constant.
    pub constant: Option<String>,
}

/// What something is, as names are given separately to each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum NamedRole {
    Relation,
    Action,
}

/// The names of a package, by those of the domain.
pub struct PackageWords<'d> {
    /// The domain.
    pub domain: &'d PddlDomain,
    /// The types of objects.
    pub kinds: Vec<ImportedKind>,
    names: BTreeMap<(NamedRole, String), String>,
    /// Predicates of several kinds together, by these kinds.
    unions: BTreeMap<BTreeSet<usize>, String>,
    taken: BTreeSet<String>,
}

/// The words of a name: `at-ferry` has two.
pub fn words(name: &str) -> Vec<&str> {
    name.split(['-', '_', '.', '@', '#', '+']).filter(|word| !word.is_empty()).collect()
}

/// A name that logic programs take.
fn plain(name: &str) -> String {
    let mut out = words(name).join("_").to_lowercase();
    out.retain(|c| c.is_ascii_alphanumeric() || c == '_');
    if !out.starts_with(|c: char| c.is_ascii_lowercase()) {
        out.insert_str(0, "x_");
    }
    out
}

impl<'d> PackageWords<'d> {
    /// Gives names to everything that the problems have.
    pub fn new(domain: &'d PddlDomain, problems: &[PddlProblem]) -> PackageWords<'d> {
        let taken = TAKEN.iter().map(|name| (*name).to_owned()).collect();
        let (kinds, names, unions) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        let mut vocabulary = PackageWords { domain, kinds, names, unions, taken };
        vocabulary.find_kinds(problems);
        for relation in domain.predicates.iter().chain(&domain.functions) {
            let name = match domain.type_predicates.contains(&relation.name) {
                true => vocabulary.type_predicate(std::slice::from_ref(&relation.name)),
                false => vocabulary.fresh(&plain(&relation.name)),
            };
            vocabulary.names.insert((NamedRole::Relation, relation.name.clone()), name);
        }
        for action in &domain.actions {
            let name = vocabulary.fresh(&plain(&action.name));
            vocabulary.names.insert((NamedRole::Action, action.name.clone()), name);
        }
        vocabulary
    }

    fn find_kinds(&mut self, problems: &[PddlProblem]) {
        let named = named_constants(self.domain);
        let mut types: BTreeSet<&str> = BTreeSet::new();
        let own = |object: &str| named.contains(object);
        for (object, kind) in problems.iter().flat_map(|problem| &problem.objects) {
            if !own(object) {
                types.insert(kind);
            }
        }
        // In the order of the domain, then the constants.
        let ordered = self.domain.types.iter().map(|(name, _)| name.as_str()).chain(["object"]);
        let kinds: Vec<(String, Option<String>)> = ordered
            .filter(|name| types.contains(name))
            .map(|name| (name.to_owned(), None))
            .chain(
                self.domain
                    .constants
                    .iter()
                    .filter(|(name, _)| own(name))
                    .map(|(name, kind)| (kind.clone(), Some(name.clone()))),
            )
            .collect();
        let mut letters = BTreeSet::new();
        for (pddl_type, constant) in kinds {
            let called = constant.as_ref().unwrap_or(&pddl_type);
            let name = self.fresh(&plain(called));
            let id = id_letters(&name, &mut letters);
            let count = self.fresh(&plural(&name));
            let noun = words(if constant.is_some() { &pddl_type } else { called }).join(" ").to_lowercase();
            self.kinds.push(ImportedKind { name, id, count, noun, pddl_type, constant });
        }
    }

    /// A name that nothing else has, as close to the wanted one as can be.
    pub fn fresh(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        while !self.taken.insert(name.clone()) {
            name.push('_');
        }
        name
    }

    /// What a predicate or function is called.
    pub fn relation<'s>(&'s self, name: &'s str) -> &'s str {
        self.names.get(&(NamedRole::Relation, name.to_owned())).map_or(name, String::as_str)
    }

    /// What an action is called.
    pub fn action<'s>(&'s self, name: &'s str) -> &'s str {
        self.names.get(&(NamedRole::Action, name.to_owned())).map_or(name, String::as_str)
    }

    /// The kinds of the objects that have one of these types.
    pub fn kinds_of(&self, types: &[String]) -> BTreeSet<usize> {
        let below =
            |kind: &ImportedKind| types.iter().any(|upper| self.domain.is_below(&kind.pddl_type, upper));
        (0..self.kinds.len()).filter(|kind| below(&self.kinds[*kind])).collect()
    }

    /// The kind of an object, of which the type is given.
    pub fn kind_of(&self, object: &str, pddl_type: &str) -> Option<usize> {
        let own = self.kinds.iter().position(|kind| kind.constant.as_deref() == Some(object));
        own.or_else(|| {
            self.kinds.iter().position(|kind| kind.constant.is_none() && kind.pddl_type == pddl_type)
        })
    }

    /// The predicate of the objects of these types.
    pub fn type_predicate(&mut self, types: &[String]) -> String {
        let kinds = self.kinds_of(types);
        if let [only] = kinds.iter().copied().collect::<Vec<_>>()[..] {
            return self.kinds[only].name.clone();
        }
        if let Some(known) = self.unions.get(&kinds) {
            return known.clone();
        }
        let wanted = types.iter().map(|name| plain(name)).collect::<Vec<_>>().join("_or_");
        let name = self.fresh(&wanted);
        self.unions.insert(kinds, name.clone());
        name
    }

    /// The rules of the predicates of several kinds.
    pub fn unions(&self) -> String {
        let mut text = String::new();
        for (kinds, name) in &self.unions {
            if kinds.is_empty() {
                text += &format!("#defined {name}/1.\n");
            }
            for kind in kinds {
                text += &format!("{name}(X) :- {}(X).\n", self.kinds[*kind].name);
            }
        }
        text
    }

    /// The id of a constant, in all worlds.
    pub fn constant(&self, object: &str) -> String {
        let kind = self.kinds.iter().find(|kind| kind.constant.as_deref() == Some(object));
        kind.map_or_else(|| object.to_owned(), |kind| format!("{}1", kind.id))
    }

    /// Is the predicate or function the same in all situations of a world?
    pub fn is_static(&self, name: &str) -> bool {
        !self.domain.is_changed(name) && !self.domain.is_derived(name)
    }

    /// May an argument be one of the other's objects?
    pub fn may_be_same(&self, a: (&Argument, &[&Parameter]), b: (&Argument, &[&Parameter])) -> bool {
        match (a.0, b.0) {
            (Argument::Object(a), Argument::Object(b)) => a == b,
            _ => !self.kinds_of_argument(a).is_disjoint(&self.kinds_of_argument(b)),
        }
    }

    fn kinds_of_argument(&self, (argument, scope): (&Argument, &[&Parameter])) -> BTreeSet<usize> {
        match argument {
            Argument::Variable(name) => {
                let known = scope.iter().rev().find(|parameter| parameter.name == *name);
                known.map_or_else(BTreeSet::new, |parameter| self.kinds_of(&parameter.types))
            }
            Argument::Object(name) => {
                let own = |kind: &ImportedKind| kind.constant.as_deref() == Some(name);
                (0..self.kinds.len()).filter(|kind| own(&self.kinds[*kind])).collect()
            }
        }
    }
}

/// The plural of a noun or a name.
pub fn plural(noun: &str) -> String {
    let consonant = |c: char| !"aeiou".contains(c);
    match noun {
        _ if noun.ends_with('y') && noun.chars().rev().nth(1).is_some_and(consonant) => {
            format!("{}ies", &noun[..noun.len() - 1])
        }
        _ if ["s", "x", "z", "ch", "sh"].iter().any(|end| noun.ends_with(end)) => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

/// Letters that no other type's ids start with: as few of the name's as will do.
fn id_letters(name: &str, taken: &mut BTreeSet<String>) -> String {
    let letters: String = name.chars().filter(char::is_ascii_lowercase).collect();
    for length in 1..=letters.len() {
        if taken.insert(letters[..length].to_owned()) {
            return letters[..length].to_owned();
        }
    }
    let mut id = letters + "x";
    while !taken.insert(id.clone()) {
        id.push('x');
    }
    id
}

/// The constants that formulas name.
fn named_constants(domain: &PddlDomain) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for action in &domain.actions {
        objects_of(&action.precondition, &mut found);
        for effect in &action.effects {
            objects_of(&effect.condition, &mut found);
            match &effect.changed {
                Changed::Add(atom) | Changed::Delete(atom) => atom_objects(atom, &mut found),
                Changed::Set(_, atom, value) => {
                    atom_objects(atom, &mut found);
                    number_objects(value, &mut found);
                }
            }
        }
    }
    domain.derived.iter().for_each(|rule| objects_of(&rule.condition, &mut found));
    found
}

fn objects_of(formula: &PddlFormula, found: &mut BTreeSet<String>) {
    match formula {
        PddlFormula::All(parts) | PddlFormula::Any(parts) => {
            parts.iter().for_each(|part| objects_of(part, found))
        }
        PddlFormula::Not(inner) | PddlFormula::Exists(_, inner) | PddlFormula::Every(_, inner) => {
            objects_of(inner, found)
        }
        PddlFormula::Is(atom) => atom_objects(atom, found),
        PddlFormula::Same(a, b) => [a, b].into_iter().for_each(|argument| argument_object(argument, found)),
        PddlFormula::Compare(_, a, b) => [a, b].into_iter().for_each(|number| number_objects(number, found)),
    }
}

fn number_objects(number: &NumberExpression, found: &mut BTreeSet<String>) {
    match number {
        NumberExpression::Constant(_) => {}
        NumberExpression::Of(atom) => atom_objects(atom, found),
        NumberExpression::Sum(a, b)
        | NumberExpression::Difference(a, b)
        | NumberExpression::Product(a, b) => {
            [a, b].into_iter().for_each(|number| number_objects(number, found));
        }
    }
}

fn atom_objects(atom: &PddlAtom, found: &mut BTreeSet<String>) {
    atom.arguments.iter().for_each(|argument| argument_object(argument, found));
}

fn argument_object(argument: &Argument, found: &mut BTreeSet<String>) {
    if let Argument::Object(name) = argument {
        found.insert(name.clone());
    }
}
