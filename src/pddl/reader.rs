//! The text of a planning domain, or of a problem of it, to what it says; what cannot be imported is refused, with its place.

use std::collections::BTreeSet;

use racgen_logic::expressions::{Expression, TextPlace};
use racgen_logic::fault::Fault;

use crate::pddl::formulas::{FormulaReader, TOTAL_COST, UNTIMED, ground, whole_number};
use crate::pddl::syntax::{
    Argument, Changed, Declared, DerivedRule, NumberComparison, NumberExpression, Parameter, PddlAction,
    PddlAtom, PddlDomain, PddlEffect, PddlFormula, PddlProblem,
};
use crate::pddl::words::{AfterFirst, PddlText};

/// Requirements whose meaning is imported.
const KNOWN: [&str; 14] = [
    ":strips",
    ":typing",
    ":negative-preconditions",
    ":disjunctive-preconditions",
    ":equality",
    ":existential-preconditions",
    ":universal-preconditions",
    ":quantified-preconditions",
    ":conditional-effects",
    ":derived-predicates",
    ":adl",
    ":action-costs",
    ":numeric-fluents",
    ":fluents",
];

impl PddlDomain {
    /// Reads a domain.
    ///
    /// # Errors
    /// The first fault, or the first thing that cannot be imported, with file, line and column.
    ///
    /// ```
    /// use racgen::pddl::syntax::PddlDomain;
    /// let text = "(define (domain lamp) (:predicates (on))\n (:action press :parameters () :effect (on)))";
    /// let domain = PddlDomain::read(text, "lamp.pddl").unwrap();
    /// assert!(domain.is_changed("on"));
    /// let fault = PddlDomain::read("(define (domain lamp) (:process p))", "lamp.pddl").unwrap_err();
    /// assert!(fault.to_string().starts_with("lamp.pddl:1:23: "));
    /// ```
    pub fn read(text: &str, file: &str) -> Result<PddlDomain, Fault> {
        let words = PddlText { file };
        let (name, sections) = words.define(text, "domain")?;
        let mut domain = PddlDomain { file: file.to_owned(), name, ..PddlDomain::default() };
        // Actions may stand before what they name.
        let (mut later, mut heads) = (Vec::new(), Vec::new());
        for section in &sections {
            let (key, rest) = words.headed(section)?;
            match key.as_str() {
                ":requirements" => requirements(words, rest)?,
                ":types" => types(words, rest, &mut domain)?,
                ":constants" | ":predicates" | ":functions" => heads.push((key, rest)),
                ":action" | ":derived" | ":axiom" => later.push((key, rest, section.place())),
                _ => return Err(refused(words, &key, section.place())),
            }
        }
        for (key, rest) in heads {
            match key.as_str() {
                ":constants" => domain.constants.extend(objects(words, rest, &domain)?),
                ":predicates" => domain.predicates.extend(declared(words, rest, &domain)?),
                _ => functions(words, rest, &mut domain)?,
            }
        }
        if let Some((_, rest, _)) = later.iter().find(|(key, ..)| key == ":axiom") {
            let place = rest.first().map_or(TextPlace::default(), Expression::place);
            return Err(words.fault(
                place,
                "`:axiom` is not imported",
                "write (:derived (NAME ?X...) CONDITION)",
            ));
        }
        derived(words, &later, &mut domain)?;
        for (_, rest, place) in later.iter().filter(|(key, ..)| key == ":action") {
            let action = action(words, rest, *place, &domain)?;
            if domain.actions.iter().any(|known| known.name == action.name) {
                let cause = format!("there is another action `{}`", action.name);
                return Err(words.fault(*place, cause, "give each action a name of its own"));
            }
            domain.actions.push(action);
        }
        if domain.actions.is_empty() {
            let start = TextPlace { line: 1, column: 1 };
            return Err(words.fault(start, "the domain has no actions", "add (:action NAME ...)"));
        }
        domain.drop_costs();
        Ok(domain)
    }

    /// Takes out what is there for the costs of actions alone.
    fn drop_costs(&mut self) {
        let mut used = BTreeSet::new();
        let of_actions = self.actions.iter().flat_map(|action| {
            let effects = action.effects.iter();
            effects.map(|effect| &effect.condition).chain([&action.precondition])
        });
        of_actions
            .chain(self.derived.iter().map(|rule| &rule.condition))
            .for_each(|f| f.functions(&mut used));
        for effect in self.actions.iter().flat_map(|action| &action.effects) {
            if let Changed::Set(_, atom, value) = &effect.changed {
                used.insert(atom.name.clone());
                value.functions(&mut used);
            }
        }
        let all = self.functions.len();
        self.functions.retain(|function| used.contains(&function.name));
        self.had_costs = self.functions.len() < all;
    }
}

impl PddlFormula {
    /// Adds the functions that the formula names.
    fn functions(&self, found: &mut BTreeSet<String>) {
        match self {
            PddlFormula::All(parts) | PddlFormula::Any(parts) => {
                parts.iter().for_each(|part| part.functions(found))
            }
            PddlFormula::Not(inner) | PddlFormula::Exists(_, inner) | PddlFormula::Every(_, inner) => {
                inner.functions(found)
            }
            PddlFormula::Compare(_, a, b) => [a, b].into_iter().for_each(|number| number.functions(found)),
            PddlFormula::Is(_) | PddlFormula::Same(..) => {}
        }
    }
}

impl NumberExpression {
    fn functions(&self, found: &mut BTreeSet<String>) {
        match self {
            NumberExpression::Constant(_) => {}
            NumberExpression::Of(atom) => drop(found.insert(atom.name.clone())),
            NumberExpression::Sum(a, b)
            | NumberExpression::Difference(a, b)
            | NumberExpression::Product(a, b) => {
                [a, b].into_iter().for_each(|number| number.functions(found))
            }
        }
    }
}

fn requirements(words: PddlText, rest: AfterFirst) -> Result<(), Fault> {
    for required in rest {
        let name = words.word(required)?;
        if !KNOWN.contains(&name.as_str()) {
            let cause = format!("`{name}` is not imported");
            let remedy = format!("do without it; what is imported are {}", KNOWN.join(" "));
            return Err(words.fault(required.place(), cause, remedy));
        }
    }
    Ok(())
}

fn refused(words: PddlText, key: &str, place: TextPlace) -> Fault {
    let remedy = match key {
        ":durative-action" => UNTIMED,
        ":process" | ":event" => "let an action bring it about",
        ":constraints" => "strike it, or say it in the preconditions of actions",
        _ => "a domain has :requirements, :types, :constants, :predicates, :functions, :derived and :action",
    };
    words.fault(place, format!("`{key}` is not imported"), remedy)
}

fn types(words: PddlText, rest: AfterFirst, domain: &mut PddlDomain) -> Result<(), Fault> {
    for written in words.typed(rest, false)? {
        if written.name == "object" {
            continue;
        }
        if written.types.len() > 1 {
            let remedy = "name the types below it one by one, each `- TYPE`";
            return Err(words.fault(
                written.place,
                "a type is below one other type, not one of several",
                remedy,
            ));
        }
        match domain.types.iter_mut().find(|(name, _)| *name == written.name) {
            Some((_, parents)) => parents.extend(written.types),
            None => domain.types.push((written.name, written.types)),
        }
    }
    // Types may be named as those above others alone.
    let parents: Vec<String> = domain.types.iter().flat_map(|(_, parents)| parents.clone()).collect();
    for name in parents {
        if name != "object" && !domain.types.iter().any(|(known, _)| *known == name) {
            domain.types.push((name, vec!["object".to_owned()]));
        }
    }
    let circle = domain.types.iter().find(|(name, parents)| {
        parents.iter().any(|parent| parent != "object" && domain.is_below(parent, name))
    });
    if let Some((name, _)) = circle {
        let place = rest.first().map_or(TextPlace::default(), Expression::place);
        return Err(words.fault(
            place,
            format!("the type `{name}` is below itself"),
            "take it out of the circle",
        ));
    }
    Ok(())
}

/// Objects, each with one type.
fn objects(words: PddlText, rest: AfterFirst, domain: &PddlDomain) -> Result<Vec<(String, String)>, Fault> {
    let reader = FormulaReader { text: words, domain, objects: BTreeSet::new() };
    let mut found: Vec<(String, String)> = Vec::new();
    for object in words.typed(rest, false)? {
        reader.known_types(&object)?;
        let [kind] = object.types.as_slice() else {
            let remedy = "give it one type, with a type above both where it is to count as either";
            return Err(words.fault(object.place, format!("`{}` has several types", object.name), remedy));
        };
        if found.iter().any(|(name, _)| *name == object.name) {
            let cause = format!("`{}` is named twice", object.name);
            return Err(words.fault(object.place, cause, "give each object a name of its own"));
        }
        found.push((object.name, kind.clone()));
    }
    Ok(found)
}

fn declared(words: PddlText, rest: AfterFirst, domain: &PddlDomain) -> Result<Vec<Declared>, Fault> {
    let reader = FormulaReader { text: words, domain, objects: BTreeSet::new() };
    let mut found: Vec<Declared> = Vec::new();
    for written in rest {
        let (first, places) = match words.list(written)? {
            [first, places @ ..] => (first, places),
            [] => return Err(words.fault(written.place(), "empty parentheses", "write (NAME ?X - TYPE...)")),
        };
        let name = words.name(first)?;
        let places = words.typed(places, true)?;
        places.iter().try_for_each(|place| reader.known_types(place))?;
        if found.iter().any(|known| known.name == name) {
            let cause = format!("`{name}` is declared twice");
            return Err(words.fault(written.place(), cause, "give each a name of its own"));
        }
        found.push(Declared { name, places, place: written.place() });
    }
    Ok(found)
}

fn functions(words: PddlText, rest: AfterFirst, domain: &mut PddlDomain) -> Result<(), Fault> {
    let mut lists = Vec::new();
    let mut at = 0;
    while at < rest.len() {
        if matches!(&rest[at], Expression::Word(word, _) if word == "-") {
            let kind = rest.get(at + 1).map(|kind| words.word(kind)).transpose()?.unwrap_or_default();
            if kind != "number" {
                let cause = format!("functions to `{kind}` are not imported");
                return Err(words.fault(rest[at].place(), cause, "use a predicate with one more place"));
            }
            at += 2;
            continue;
        }
        lists.push(rest[at].clone());
        at += 1;
    }
    let found = declared(words, &lists, domain)?;
    domain.functions.extend(found);
    Ok(())
}

/// A section of actions or derived predicates: its key, what stands in it, and where.
type Section<'e> = (String, AfterFirst<'e>, TextPlace);

fn derived(words: PddlText, sections: &[Section], domain: &mut PddlDomain) -> Result<(), Fault> {
    let mut heads = Vec::new();
    for (_, rest, place) in sections.iter().filter(|(key, ..)| key == ":derived") {
        let [head, condition] = rest else {
            return Err(words.fault(*place, "this is no rule", "write (:derived (NAME ?X...) CONDITION)"));
        };
        let (name, parameters) = words.headed(head)?;
        let mut parameters = words.typed(parameters, true)?;
        let Some(known) = domain.predicate(&name) else {
            let cause = format!("`{name}` is no predicate of this domain");
            return Err(words.fault(head.place(), cause, "declare it in :predicates"));
        };
        if known.places.len() != parameters.len() {
            let cause = format!("`{name}` has {} arguments here", parameters.len());
            let remedy = format!("it is declared with {}", known.places.len());
            return Err(words.fault(head.place(), cause, remedy));
        }
        // What has no type of its own has that of the declaration.
        for (parameter, declared) in parameters.iter_mut().zip(&known.places) {
            if parameter.types == ["object"] {
                parameter.types.clone_from(&declared.types);
            }
        }
        heads.push((name, parameters, condition, *place));
    }
    let mut rules = Vec::new();
    for (name, parameters, condition, place) in heads {
        let reader = reader(words, domain);
        parameters.iter().try_for_each(|parameter| reader.known_types(parameter))?;
        let condition = reader.formula(condition, &parameters.iter().collect())?;
        rules.push(DerivedRule { name, parameters, condition, place });
    }
    domain.derived = rules;
    Ok(())
}

fn reader<'d>(words: PddlText<'d>, domain: &'d PddlDomain) -> FormulaReader<'d> {
    let objects = domain.constants.iter().map(|(name, _)| name.as_str()).collect();
    FormulaReader { text: words, domain, objects }
}

fn action(
    words: PddlText,
    rest: AfterFirst,
    place: TextPlace,
    domain: &PddlDomain,
) -> Result<PddlAction, Fault> {
    let [name, parts @ ..] = rest else {
        return Err(words.fault(place, "the action has no name", "write (:action NAME ...)"));
    };
    let name = words.name(name)?;
    let reader = reader(words, domain);
    let (mut parameters, mut precondition, mut effect) = (Vec::new(), None, None);
    for pair in parts.chunks(2) {
        let key = words.word(&pair[0])?;
        let at = pair[0].place();
        let Some(value) = pair.get(1) else {
            return Err(words.fault(
                at,
                format!("nothing follows `{key}`"),
                "write what it is, or strike it",
            ));
        };
        match key.as_str() {
            ":parameters" => parameters = reader.parameters(value)?,
            ":precondition" => precondition = Some(value),
            ":effect" => effect = Some(value),
            ":vars" | ":duration" | ":condition" | ":observe" => {
                return Err(words.fault(at, format!("`{key}` is not imported"), UNTIMED));
            }
            _ => {
                let remedy = "an action has :parameters, :precondition and :effect";
                return Err(words.fault(at, format!("`{key}` is no part of an action"), remedy));
            }
        }
    }
    let scope: Vec<&Parameter> = parameters.iter().collect();
    let precondition = match precondition {
        Some(written) => reader.formula(written, &scope)?,
        None => PddlFormula::always(),
    };
    let effects: Vec<PddlEffect> = match effect {
        Some(written) => reader.effects(written, &scope)?,
        None => Vec::new(),
    };
    for effect in &effects {
        fitting(words, domain, &parameters, effect)?;
    }
    Ok(PddlAction { name, parameters, precondition, effects, place })
}

/// What an effect changes must be what the predicate is declared for: nothing else is part of a situation.
fn fitting(
    words: PddlText,
    domain: &PddlDomain,
    parameters: &[Parameter],
    effect: &PddlEffect,
) -> Result<(), Fault> {
    let (Changed::Add(atom) | Changed::Delete(atom) | Changed::Set(_, atom, _)) = &effect.changed;
    let known = domain.predicate(&atom.name).filter(|_| !matches!(effect.changed, Changed::Set(..)));
    let Some(known) = known.or_else(|| domain.function(&atom.name)) else { return Ok(()) };
    for (argument, place) in atom.arguments.iter().zip(&known.places) {
        let types: Vec<&String> = match argument {
            Argument::Variable(name) => {
                let mut all = effect.every.iter().rev().chain(parameters);
                all.find(|known| known.name == *name).map_or(Vec::new(), |known| known.types.iter().collect())
            }
            Argument::Object(name) => {
                domain.constants.iter().filter(|(known, _)| known == name).map(|(_, kind)| kind).collect()
            }
        };
        let fits = |own: &&String| place.types.iter().any(|of_place| domain.is_below(own, of_place));
        if let Some(own) = types.iter().find(|own| !fits(own)) {
            let shown = match argument {
                Argument::Variable(name) => format!("?{name}"),
                Argument::Object(name) => name.clone(),
            };
            return Err(words.fault(
                atom.place,
                format!(
                    "`{shown}` is of type {own}, but `{}` is declared for {}",
                    atom.name,
                    place.types.join(" or ")
                ),
                "narrow the parameter's type, or widen the declaration",
            ));
        }
    }
    Ok(())
}

impl PddlProblem {
    /// Reads a problem of a domain.
    ///
    /// # Errors
    /// The first fault, or the first thing that cannot be imported, with file, line and column.
    pub fn read(text: &str, file: &str, domain: &PddlDomain) -> Result<PddlProblem, Fault> {
        let words = PddlText { file };
        let (name, sections) = words.define(text, "problem")?;
        let mut problem = PddlProblem { file: file.to_owned(), name, ..PddlProblem::default() };
        problem.objects.clone_from(&domain.constants);
        let (mut initially, mut goal) = (None, None);
        for section in &sections {
            let (key, rest) = words.headed(section)?;
            match key.as_str() {
                ":domain" => {
                    let name = rest.first().map(|name| words.word(name)).transpose()?.unwrap_or_default();
                    if name != domain.name {
                        let cause =
                            format!("this is a problem of `{name}`, and the domain is `{}`", domain.name);
                        return Err(words.fault(
                            section.place(),
                            cause,
                            "give the files that belong together",
                        ));
                    }
                }
                ":objects" => {
                    for (object, kind) in objects(words, rest, domain)? {
                        match problem.objects.iter().find(|(known, _)| *known == object) {
                            Some((_, known)) if *known == kind => {}
                            Some(_) => {
                                let cause = format!("`{object}` is a constant of another type");
                                let remedy = "strike it here, or rename it";
                                return Err(words.fault(section.place(), cause, remedy));
                            }
                            None => problem.objects.push((object, kind)),
                        }
                    }
                }
                ":init" => initially = Some((rest, section.place())),
                ":goal" => goal = rest.first(),
                // What is best or required of plans says nothing about situations.
                ":metric" | ":requirements" | ":length" => {}
                _ => {
                    let remedy = "a problem has :domain, :objects, :init, :goal and :metric";
                    return Err(words.fault(section.place(), format!("`{key}` is not imported"), remedy));
                }
            }
        }
        let Some((initially, _)) = initially else {
            let start = TextPlace { line: 1, column: 1 };
            return Err(words.fault(start, "the problem has no :init", "say what is true at first"));
        };
        problem.start(words, initially, domain)?;
        if let Some(written) = goal {
            let objects = problem.objects.iter().map(|(name, _)| name.as_str()).collect();
            let reader = FormulaReader { text: words, domain, objects };
            let read = reader.formula(written, &Vec::new())?;
            problem.goal = Some(read);
        }
        Ok(problem)
    }

    /// Reads what is so at first.
    fn start(&mut self, words: PddlText, rest: AfterFirst, domain: &PddlDomain) -> Result<(), Fault> {
        let objects: Vec<(String, String)> = self.objects.clone();
        let reader =
            FormulaReader { text: words, domain, objects: objects.iter().map(|(n, _)| n.as_str()).collect() };
        for written in rest {
            let (head, parts) = words.headed(written)?;
            let place = written.place();
            match (head.as_str(), parts) {
                ("=", [function @ Expression::List(..), Expression::Word(value, at)]) => {
                    let (name, arguments) = words.headed(function)?;
                    if name == TOTAL_COST || domain.function(&name).is_none() {
                        // It is a cost, or the reader below says that there is no such function.
                        if name != TOTAL_COST && !domain.had_costs {
                            reader.atom(function, &Vec::new(), &domain.functions, "function")?;
                        }
                        continue;
                    }
                    let atom = reader.atom(function, &Vec::new(), &domain.functions, "function")?;
                    self.placed(words, domain, &atom)?;
                    let value = whole_number(value).ok_or_else(|| reader.not_whole(value, *at))?;
                    self.values.insert((name, ground(arguments, words)?), value);
                }
                ("not", [_]) => {}
                ("at", [Expression::Word(when, _), Expression::List(..)]) if when.parse::<f64>().is_ok() => {
                    let remedy = "let an action bring it about";
                    return Err(words.fault(place, "what becomes true at a time is not imported", remedy));
                }
                _ => {
                    let atom = reader.atom(written, &Vec::new(), &domain.predicates, "predicate")?;
                    self.placed(words, domain, &atom)?;
                    if domain.is_derived(&atom.name) {
                        let cause = format!("`{}` is derived, and cannot be given", atom.name);
                        return Err(words.fault(place, cause, "strike it; its rules say when it is true"));
                    }
                    self.initially.insert((atom.name, ground(parts, words)?));
                }
            }
        }
        Ok(())
    }

    /// Do the objects of an atom have the types that it is declared for?
    fn placed(&self, words: PddlText, domain: &PddlDomain, atom: &PddlAtom) -> Result<(), Fault> {
        let Some(known) = domain.predicate(&atom.name).or_else(|| domain.function(&atom.name)) else {
            return Ok(());
        };
        for (argument, place) in atom.arguments.iter().zip(&known.places) {
            let Argument::Object(name) = argument else { continue };
            let own =
                self.objects.iter().find(|(known, _)| known == name).map_or("", |(_, kind)| kind.as_str());
            if !place.types.iter().any(|of_place| domain.is_below(own, of_place)) {
                let cause = format!(
                    "`{name}` is of type {own}, but `{}` is declared for {}",
                    atom.name,
                    place.types.join(" or ")
                );
                return Err(words.fault(atom.place, cause, "correct the object or its type"));
            }
        }
        Ok(())
    }
}

impl NumberComparison {
    /// How a logic program writes it.
    pub fn sign(self) -> &'static str {
        match self {
            NumberComparison::Less => "<",
            NumberComparison::AtMost => "<=",
            NumberComparison::Equal => "=",
            NumberComparison::AtLeast => ">=",
            NumberComparison::More => ">",
        }
    }

    /// The comparison that is true where this one is not; none for equality.
    pub fn opposite(self) -> Option<NumberComparison> {
        match self {
            NumberComparison::Less => Some(NumberComparison::AtLeast),
            NumberComparison::AtMost => Some(NumberComparison::More),
            NumberComparison::Equal => None,
            NumberComparison::AtLeast => Some(NumberComparison::Less),
            NumberComparison::More => Some(NumberComparison::AtMost),
        }
    }
}
