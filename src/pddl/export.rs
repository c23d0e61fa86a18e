//! A world of a package to a planning domain and a problem.
//!
//! The theory of the world's layout is read off its ground rules, as it is for the generic vocabulary, and said of parameters
//! and quantified objects as far as it is alike for them. What has no such theory is refused.

use std::collections::{BTreeMap, BTreeSet};

use racgen_logic::fault::Fault;
use racgen_logic::term::Term;

use crate::domain::package::Package;
use crate::pddl::lifting::{
    Guard, Lifted, LiftedAtom, LiftedPart, ObjectKinds, TermLifter, guard, objects_of,
};
use crate::simulate::layout::Layout;
use crate::simulate::situation::Situation;
use crate::simulate::theory::action_theory::{Conditions, Theory};
use crate::simulate::theory::theory_reader::{READ, read_theory};
use crate::simulate::transitions::compiled_layout::CompiledLayout;

/// Objects that one alternative or effect may name beside the parameters.
const MOST_FURTHER: usize = 3;

/// A domain and a problem in PDDL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PddlFiles {
    /// The domain.
    pub domain: String,
    /// The problem.
    pub problem: String,
}

/// Says a world in PDDL: its layout, an initial situation, and what is to be true in the end, all fluents of each.
///
/// # Errors
/// What cannot be said with preconditions, conditional effects and derived predicates.
pub fn export(
    package: &Package,
    layout: &Layout,
    engine: &CompiledLayout,
    initial: &Situation,
    last: &Situation,
) -> Result<PddlFiles, Fault> {
    let refused = |cause: String| {
        let remedy = "it cannot be said in PDDL; see docs/pddl.md for what can";
        Fault::new(&package.domain.name, 0, cause, remedy)
    };
    if package.has_outcomes {
        return Err(refused("some actions have several outcomes".to_owned()));
    }
    let program = layout.step_program(package).ground(READ).map_err(|error| refused(error.to_string()))?;
    let theory = read_theory(&program, engine).map_err(refused)?;
    if let Some(law) = theory.laws.iter().find(|law| !theory.defined.contains(&law.consequence.fluent)) {
        let fluent = &engine.fluents[law.consequence.fluent];
        return Err(refused(format!("a static law settles `{fluent}`, which actions change as well")));
    }
    let objects = Objects::new(package, layout, engine).map_err(refused)?;
    let predicates = Predicates::new(engine, &objects);
    let mut writer = PddlWriter {
        package,
        engine,
        objects: &objects,
        predicates: &predicates,
        facts: Vec::new(),
        statics: BTreeMap::new(),
    };
    let derived = writer.derived(&theory).map_err(refused)?;
    let actions = writer.actions(&theory).map_err(refused)?;
    Ok(PddlFiles { domain: writer.domain(&derived, &actions), problem: writer.problem(initial, last) })
}

/// All objects: those of the layout, numbers, and constants.
struct Objects {
    /// What each is, by its name.
    all: BTreeMap<String, usize>,
    kinds: Vec<String>,
}

impl Objects {
    fn new(package: &Package, layout: &Layout, engine: &CompiledLayout) -> Result<Objects, String> {
        let mut kinds: Vec<String> = package.types.iter().map(|kind| kind.name.clone()).collect();
        let (numbers, constants) = (kinds.len(), kinds.len() + 1);
        kinds.extend(["number".to_owned(), "constant".to_owned()]);
        let mut all: BTreeMap<String, usize> =
            layout.objects.iter().map(|object| (object.id.to_string(), object.kind)).collect();
        for argument in engine.fluents.iter().chain(&engine.actions).flat_map(|term| term.args()) {
            match argument {
                Term::Number(number) => drop(all.insert(format!("n{number}"), numbers)),
                term if term.args().is_empty() => drop(all.entry(term.to_string()).or_insert(constants)),
                term => return Err(format!("`{term}` is a compound within a fluent or an action")),
            }
        }
        Ok(Objects { all, kinds })
    }

    fn kind(&self, object: &str) -> usize {
        self.all.get(object).copied().unwrap_or_default()
    }

    fn view(&self) -> ObjectKinds<'_> {
        let kinds = self.all.iter().map(|(name, kind)| (name.as_str(), *kind)).collect();
        ObjectKinds { kinds }
    }

    fn signature(&self, term: &Term) -> Vec<usize> {
        objects_of(term).iter().map(|object| self.kind(object)).collect()
    }

    /// `?x1 - truck ?x2 - place`
    fn parameters(&self, kinds: &[usize], variable: char) -> String {
        let one =
            |(place, kind): (usize, &usize)| format!("?{variable}{} - {}", place + 1, self.kinds[*kind]);
        kinds.iter().enumerate().map(one).collect::<Vec<_>>().join(" ")
    }
}

/// What predicates are called: by their functors, and where these are told of several kinds, by the kinds, too.
struct Predicates {
    names: BTreeMap<(String, Vec<usize>), String>,
}

impl Predicates {
    fn new(engine: &CompiledLayout, objects: &Objects) -> Predicates {
        let mut signatures: BTreeMap<String, BTreeSet<Vec<usize>>> = BTreeMap::new();
        for fluent in &engine.fluents {
            signatures.entry(fluent.functor().to_owned()).or_default().insert(objects.signature(fluent));
        }
        let mut names = BTreeMap::new();
        for (functor, all) in &signatures {
            for kinds in all {
                let mut name = functor.clone();
                if all.len() > 1 {
                    name +=
                        &kinds.iter().map(|kind| format!("-{}", objects.kinds[*kind])).collect::<String>();
                }
                names.insert((functor.clone(), kinds.clone()), name);
            }
        }
        Predicates { names }
    }

    fn of(&self, term: &Term, objects: &Objects) -> String {
        let key = (term.functor().to_owned(), objects.signature(term));
        self.names.get(&key).cloned().unwrap_or(key.0)
    }
}

/// Terms of which the same is said: their arguments, and which further objects.
type MemberTerms = Vec<(Vec<String>, Lifted)>;
/// Terms of the same functor and kinds, of which the same parts are said.
type Groups = BTreeMap<(String, Vec<usize>, BTreeSet<LiftedPart>), MemberTerms>;

struct PddlWriter<'w> {
    package: &'w Package,
    engine: &'w CompiledLayout,
    objects: &'w Objects,
    predicates: &'w Predicates,
    /// Facts of static relations that guards need.
    facts: Vec<String>,
    /// These relations, with the kinds of their arguments.
    statics: BTreeMap<String, Vec<usize>>,
}

impl PddlWriter<'_> {
    fn lifted(
        &self,
        term: &Term,
        say: impl Fn(&TermLifter, &mut Lifted),
    ) -> Result<(Vec<String>, Lifted), String> {
        let (view, arguments) = (self.objects.view(), objects_of(term));
        let predicate = |fluent: &Term| self.predicates.of(fluent, self.objects);
        let lifter = TermLifter {
            objects: &view,
            fluents: &self.engine.fluents,
            predicate: &predicate,
            arguments: arguments.clone(),
        };
        let mut lifted = Lifted::default();
        say(&lifter, &mut lifted);
        let further = |part: &LiftedPart| match part {
            LiftedPart::Plain(_) => 0,
            LiftedPart::All(kinds, _) | LiftedPart::Some(kinds, _) | LiftedPart::PddlEffect(kinds, ..) => {
                kinds.len()
            }
        };
        match lifted.parts.keys().map(further).max() {
            Some(many) if many > MOST_FURTHER => {
                Err(format!("what is said of `{term}` depends on {many} other objects at once"))
            }
            _ => Ok((arguments, lifted)),
        }
    }

    fn conditions(lifter: &TermLifter, alternatives: &[Conditions], lifted: &mut Lifted) {
        match alternatives {
            [only] => lifter.all(only, lifted),
            many => lifter.any(many, lifted),
        }
    }

    fn derived(&mut self, theory: &Theory) -> Result<String, String> {
        let mut groups = Groups::new();
        for fluent in &theory.defined {
            let term = &self.engine.fluents[*fluent];
            let laws: Vec<Conditions> = theory
                .laws
                .iter()
                .filter(|law| law.consequence.fluent == *fluent)
                .map(|law| law.conditions.clone())
                .collect();
            if laws.is_empty() {
                continue;
            }
            let (arguments, lifted) =
                self.lifted(term, |lifter, out| PddlWriter::conditions(lifter, &laws, out))?;
            let name = self.predicates.of(term, self.objects);
            let key = (name, self.objects.signature(term), lifted.parts.keys().cloned().collect());
            groups.entry(key).or_default().push((arguments, lifted));
        }
        let mut text = String::new();
        for (number, ((name, kinds, parts), members)) in groups.iter().enumerate() {
            let own = format!("{name}-law{}", number + 1);
            let mut conditions = self.members(&own, kinds, members);
            conditions.extend(self.condition(&own, kinds, parts, members));
            let parameters = self.objects.parameters(kinds, 'x');
            let space = if parameters.is_empty() { "" } else { " " };
            text += &format!("  (:derived ({name}{space}{parameters})\n    {})\n", conjunction(&conditions));
        }
        Ok(text)
    }

    fn actions(&mut self, theory: &Theory) -> Result<String, String> {
        let mut groups = Groups::new();
        for (action, description) in theory.actions.iter().enumerate() {
            let Some(description) = description else { continue };
            let term = &self.engine.actions[action];
            let (arguments, lifted) = self.lifted(term, |lifter, out| {
                PddlWriter::conditions(lifter, &description.preconditions, out);
                for (conditions, consequences) in &description.effects {
                    consequences.iter().for_each(|consequence| lifter.effect(conditions, *consequence, out));
                }
            })?;
            let key = (
                term.functor().to_owned(),
                self.objects.signature(term),
                lifted.parts.keys().cloned().collect(),
            );
            groups.entry(key).or_default().push((arguments, lifted));
        }
        let mut text = String::new();
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        for ((functor, kinds, parts), members) in &groups {
            let number = numbers.entry(functor).or_default();
            *number += 1;
            let name = if *number == 1 { functor.clone() } else { format!("{functor}-{number}") };
            let mut conditions = self.members(&name, kinds, members);
            conditions.extend(self.condition(&name, kinds, parts, members));
            let mut effects = Vec::new();
            for (place, part) in parts.iter().enumerate() {
                if let LiftedPart::PddlEffect(further, when, consequence) = part {
                    let guard = self.guard(&format!("{name}-of{}", place + 1), kinds, further, part, members);
                    effects.push(self.effect(further, &guard.conditions, when, consequence));
                }
            }
            text += &format!(
                "  (:action {name}\n    :parameters ({})\n    :precondition {}\n    :effect {})\n",
                self.objects.parameters(kinds, 'x'),
                conjunction(&conditions),
                conjunction(&effects)
            );
        }
        Ok(text)
    }

    /// Which objects may be the parameters.
    fn members(&mut self, name: &str, kinds: &[usize], members: &MemberTerms) -> Vec<String> {
        let tuples: BTreeSet<Vec<String>> = members.iter().map(|(arguments, _)| arguments.clone()).collect();
        let own = format!("{name}-fits");
        let found = guard(kinds, &[(Vec::new(), tuples)], &self.objects.view(), &own);
        self.keep(&own, kinds, &[], &found);
        found.conditions.iter().map(|condition| condition.replace("?z", "?x")).collect()
    }

    /// The guard of a part, whose facts are kept.
    fn guard(
        &mut self,
        name: &str,
        kinds: &[usize],
        further: &[usize],
        part: &LiftedPart,
        members: &MemberTerms,
    ) -> Guard {
        let of_part: Vec<(Vec<String>, BTreeSet<Vec<String>>)> = members
            .iter()
            .map(|(arguments, lifted)| {
                (arguments.clone(), lifted.parts.get(part).cloned().unwrap_or_default())
            })
            .collect();
        if further.is_empty() {
            return Guard { conditions: Vec::new(), facts: Vec::new() };
        }
        let found = guard(further, &of_part, &self.objects.view(), name);
        self.keep(name, kinds, further, &found);
        found
    }

    fn keep(&mut self, name: &str, kinds: &[usize], further: &[usize], found: &Guard) {
        if !found.facts.is_empty() {
            self.statics.insert(name.to_owned(), [kinds, further].concat());
            self.facts.extend(found.facts.iter().cloned());
        }
    }

    /// The conditions that parts say: those that all hold, and one of the alternatives.
    fn condition(
        &mut self,
        name: &str,
        kinds: &[usize],
        parts: &BTreeSet<LiftedPart>,
        members: &MemberTerms,
    ) -> Vec<String> {
        let (mut all, mut any) = (Vec::new(), Vec::new());
        for (place, part) in parts.iter().enumerate() {
            let own = format!("{name}-of{}", place + 1);
            match part {
                LiftedPart::Plain(atom) => all.push(atom.text()),
                LiftedPart::All(further, atom) => {
                    let guard = self.guard(&own, kinds, further, part, members);
                    let inner = match guard.conditions.is_empty() {
                        true => atom.text(),
                        false => format!("(imply {} {})", conjunction(&guard.conditions), atom.text()),
                    };
                    all.push(format!("(forall ({}) {inner})", self.objects.parameters(further, 'z')));
                }
                LiftedPart::Some(further, inner) => {
                    let mut conditions = self.guard(&own, kinds, further, part, members).conditions;
                    conditions.extend(inner.iter().filter_map(|part| match part {
                        LiftedPart::Plain(atom) => Some(atom.text()),
                        _ => None,
                    }));
                    let inner = conjunction(&conditions);
                    any.push(match further.is_empty() {
                        true => inner,
                        false => format!("(exists ({}) {inner})", self.objects.parameters(further, 'z')),
                    });
                }
                LiftedPart::PddlEffect(..) => {}
            }
        }
        if !any.is_empty() {
            all.push(format!("(or {})", any.join(" ")));
        }
        all
    }

    fn effect(
        &self,
        further: &[usize],
        guard: &[String],
        when: &[LiftedAtom],
        consequence: &LiftedAtom,
    ) -> String {
        let conditions: Vec<String> =
            guard.iter().cloned().chain(when.iter().map(LiftedAtom::text)).collect();
        let inner = match conditions.is_empty() {
            true => consequence.text(),
            false => format!("(when {} {})", conjunction(&conditions), consequence.text()),
        };
        match further.is_empty() {
            true => inner,
            false => format!("(forall ({}) {inner})", self.objects.parameters(further, 'z')),
        }
    }

    fn domain(&self, derived: &str, actions: &str) -> String {
        let used: BTreeSet<usize> = self.objects.all.values().copied().collect();
        let types: Vec<&str> = used.iter().map(|kind| self.objects.kinds[*kind].as_str()).collect();
        let mut predicates = String::new();
        let declared = self.predicates.names.iter().map(|((_, kinds), name)| (name, kinds));
        for (name, kinds) in declared.chain(&self.statics) {
            let parameters = self.objects.parameters(kinds, 'x');
            let space = if parameters.is_empty() { "" } else { " " };
            predicates += &format!("\n    ({name}{space}{parameters})");
        }
        let requirement = if derived.is_empty() { "" } else { " :derived-predicates" };
        format!(
            "; One world of the domain `{0}` of racgen. Relations that never change are said by what they allow.\n\
             (define (domain {0})\n  (:requirements :adl{requirement})\n  (:types {1})\n  (:predicates{predicates})\n{derived}{actions})\n",
            self.package.name,
            types.join(" ")
        )
    }

    fn problem(&self, initial: &Situation, last: &Situation) -> String {
        let mut by_kind: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
        for (object, kind) in &self.objects.all {
            by_kind.entry(*kind).or_default().push(object);
        }
        let objects: String = by_kind
            .iter()
            .map(|(kind, names)| format!("\n    {} - {}", names.join(" "), self.objects.kinds[*kind]))
            .collect();
        let atom = |fluent: usize| {
            let term = &self.engine.fluents[fluent];
            let arguments: String = objects_of(term).iter().map(|object| format!(" {object}")).collect();
            format!("({}{arguments})", self.predicates.of(term, self.objects))
        };
        let inertial = |fluent: &usize| self.engine.inertial.contains(*fluent);
        let initially: Vec<String> =
            initial.iter().filter(inertial).map(atom).chain(self.facts.iter().cloned()).collect();
        let goal: Vec<String> =
            last.iter().filter(|fluent| inertial(fluent) && !initial.contains(*fluent)).map(atom).collect();
        format!(
            "(define (problem {0}-world)\n  (:domain {0})\n  (:objects{objects})\n  (:init\n    {1})\n  (:goal {2}))\n",
            self.package.name,
            initially.join("\n    "),
            conjunction(&goal)
        )
    }
}

fn conjunction(parts: &[String]) -> String {
    match parts {
        [only] => only.clone(),
        many => format!("(and {})", many.join(" ")).replace("(and )", "(and)"),
    }
}
