//! A layout's ground program to the action theory that it stands for: what each action requires and causes, which
//! laws settle which fluents, and which questions are about nothing but a list of fluents or of actions.
//!
//! This is the translation to the generic domain (section 9): a ground action is described by the sets of literals
//! of listing 2. They are read off the rules that clingo grounded. Atoms that stand for neither a fluent nor an
//! action are replaced by what defines them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use racgen_logic::ground::{GroundProgram, Literal};
use racgen_logic::term::Term;

use crate::simulate::cases::{Case, CaseReader, Cases, Leaf, truth};
use crate::simulate::transition_system::{CompiledLayout, Kind};

/// The predicates whose atoms [`Theory::read`] must be able to tell by name.
pub const READ: &[(&str, usize)] =
    &[("holds", 2), ("occ", 2), ("executable", 2), ("answer", 2), ("member", 2), ("number", 1)];

/// A fluent, as an index into [`CompiledLayout::fluents`], and the value it is said to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Condition {
    /// The fluent.
    pub fluent: usize,
    /// Is it true?
    pub value: bool,
}

impl Condition {
    fn opposite(self) -> Condition {
        Condition { value: !self.value, ..self }
    }
}

/// Conditions that hold together.
pub type Conditions = BTreeSet<Condition>;

/// What an action requires and causes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// The action is executable where one of these sets holds.
    pub preconditions: Vec<Conditions>,
    /// Sets of conditions, and what the action causes where they hold.
    pub effects: BTreeMap<Conditions, BTreeSet<Condition>>,
}

/// A static law: in every situation where the conditions hold, so does the consequence.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Law {
    /// What is caused.
    pub consequence: Condition,
    /// Where.
    pub conditions: Conditions,
}

/// What a question asks about the things that it lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum InquiryShape {
    /// Is it so of the only one?
    One,
    /// Is it so of all?
    All,
    /// Is it so of at least one?
    Any,
    /// Of how many is it so?
    Count,
    /// Of which is it so?
    Which,
    /// Does the supposed action change the only one?
    Changes,
}

/// What is, or is not, so of a fluent or an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Property {
    /// A fluent is true.
    True,
    /// A fluent is false.
    False,
    /// An action is executable.
    Executable,
}

/// A fluent or an action, as an index into [`CompiledLayout::fluents`] or [`CompiledLayout::actions`], and the answer of the
/// original question that it stands for, where there is one.
pub type Thing = (usize, Option<Term>);

/// A question about a list of fluents or of actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inquiry {
    /// What is asked.
    pub shape: InquiryShape,
    /// About what property.
    pub property: Property,
    /// Of which things.
    pub things: Vec<Thing>,
}

/// The theory of one layout.
#[derive(Clone, Debug)]
pub struct Theory {
    /// By action; none for actions that are never executable.
    pub actions: Vec<Option<Description>>,
    /// All laws, those of one fluent together.
    pub laws: Vec<Law>,
    /// The fluents that are true exactly where a law for them applies.
    pub defined: Vec<usize>,
    /// By question; none for those that ask about more than a list.
    pub questions: Vec<Option<Inquiry>>,
}

/// The case as conditions on fluents of the present situation, if it is no more than that.
fn conditions(case: &Case) -> Option<Conditions> {
    case.iter()
        .map(|(leaf, value)| match leaf {
            Leaf::Now(fluent) => Some(Condition { fluent: *fluent, value: *value }),
            _ => None,
        })
        .collect()
}

impl Theory {
    /// Reads the theory off a layout's one-step program, grounded with the names of [`READ`].
    ///
    /// # Errors
    /// In words: what cannot be said with preconditions, effects and static laws.
    pub fn read(program: &GroundProgram, engine: &CompiledLayout) -> Result<Theory, String> {
        let mut reader = CaseReader::new(program, engine);
        let mut theory = Theory { actions: vec![], laws: vec![], defined: vec![], questions: vec![] };
        let named: HashMap<&Term, Option<u32>> = program.named.iter().map(|(t, a)| (t, *a)).collect();
        let timed = |functor: &str, inner: &Term, time| {
            named.get(&Term::function(functor, vec![inner.clone(), Term::Number(time)])).copied()
        };
        for action in &engine.actions {
            let cases = match timed("executable", action, 0) {
                None => Some(Vec::new()),
                Some(None) => Some(truth()),
                Some(Some(atom)) => reader.definition(atom),
            };
            let preconditions: Option<Vec<Conditions>> =
                cases.and_then(|cases| cases.iter().map(conditions).collect());
            let preconditions = preconditions
                .ok_or_else(|| format!("what `{action}` requires is no list of conditions on fluents"))?;
            theory.actions.push(
                (!preconditions.is_empty()).then(|| Description { preconditions, effects: BTreeMap::new() }),
            );
        }
        for (fluent, term) in engine.fluents.iter().enumerate() {
            if engine.inertial.contains(fluent) {
                for value in [true, false] {
                    let literal =
                        if value { term.clone() } else { Term::function("neg", vec![term.clone()]) };
                    let consequence = Condition { fluent, value };
                    let rules = match timed("holds", &literal, 1) {
                        None => continue,
                        Some(None) => {
                            theory.laws.push(Law { consequence, conditions: Conditions::new() });
                            continue;
                        }
                        Some(Some(atom)) => reader.rules_for(atom),
                    };
                    let told = rules.into_iter().try_for_each(|rule| {
                        reader.rule(rule)?.iter().try_for_each(|case| theory.causes(consequence, case))
                    });
                    told.ok_or_else(|| {
                        format!("what causes `{literal}` is neither an effect of one action nor a static law")
                    })?;
                }
                continue;
            }
            theory.defined.push(fluent);
            let cases = match timed("holds", term, 0) {
                None => Some(Vec::new()),
                Some(None) => Some(truth()),
                Some(Some(atom)) => reader.definition(atom),
            };
            for case in cases.ok_or_else(|| format!("the static laws for `{term}` have too many cases"))? {
                let conditions = conditions(&case)
                    .ok_or_else(|| format!("a static law for `{term}` depends on more than fluents"))?;
                theory.laws.push(Law { consequence: Condition { fluent, value: true }, conditions });
            }
        }
        theory.laws.sort();
        theory.simplify();
        theory.questions = (0..engine.questions.len()).map(|_| None).collect();
        let mut members: HashMap<&Term, Vec<(&Term, Option<u32>)>> = HashMap::new();
        for (term, atom) in program.predicate("member", 2) {
            members.entry(&term.args()[0]).or_default().push((&term.args()[1], atom));
        }
        for (index, question) in engine.questions.iter().enumerate() {
            let term = &question.term;
            theory.questions[index] = match question.kind {
                Kind::Verify if term.is("changes", 1) => {
                    let fluent = engine.fluents.binary_search(&term.args()[0]).ok();
                    fluent.map(|f| Inquiry {
                        shape: InquiryShape::Changes,
                        property: Property::True,
                        things: vec![(f, None)],
                    })
                }
                Kind::Verify => {
                    let yes = Term::function("answer", vec![term.clone(), Term::constant("yes")]);
                    let atom = named.get(&yes).copied().flatten();
                    atom.and_then(|a| reader.literal(Literal::from_signed(a as i32))).and_then(verify)
                }
                Kind::Count | Kind::Other => {
                    let number = Term::function("number", vec![term.clone()]);
                    let own = named.contains_key(&number);
                    members.get(term).filter(|_| !own).and_then(|members| {
                        let shape = if question.kind == Kind::Count {
                            InquiryShape::Count
                        } else {
                            InquiryShape::Which
                        };
                        list(&mut reader, shape, members)
                    })
                }
            };
        }
        Ok(theory)
    }

    /// Notes where a literal of the next situation comes from; none if it cannot be said.
    fn causes(&mut self, consequence: Condition, case: &Case) -> Option<()> {
        let occurring = case.iter().find_map(|(leaf, value)| match leaf {
            Leaf::Occurs(action) if *value => Some(*action),
            _ => None,
        });
        if let Some(action) = occurring {
            let mut rest = case.clone();
            rest.remove(&(Leaf::Occurs(action), true));
            let conditions = conditions(&rest)?;
            if let Some(description) = &mut self.actions[action] {
                description.effects.entry(conditions).or_default().insert(consequence);
            }
            return Some(());
        }
        // Inertia: it held before, and nothing made it change.
        let Condition { fluent, value } = consequence;
        let persists = |entry: &(Leaf, bool)| {
            matches!(entry.0, Leaf::Now(f) | Leaf::Next(f) if f == fluent) && entry.1 == value
        };
        if case.contains(&(Leaf::Now(fluent), value)) && case.iter().all(persists) {
            return Some(());
        }
        let next = |(leaf, value): &(Leaf, bool)| match leaf {
            Leaf::Next(f) if *f != fluent => Some(Condition { fluent: *f, value: *value }),
            _ => None,
        };
        let conditions = case.iter().map(next).collect::<Option<Conditions>>()?;
        self.laws.push(Law { consequence, conditions });
        Some(())
    }

    /// Drops what makes no difference wherever an action is executable.
    fn simplify(&mut self) {
        let mut laws: HashMap<usize, Vec<&Conditions>> = self.defined.iter().map(|f| (*f, vec![])).collect();
        for law in &self.laws {
            if let Some(of_fluent) = laws.get_mut(&law.consequence.fluent) {
                of_fluent.push(&law.conditions);
            }
        }
        for description in self.actions.iter_mut().flatten() {
            let Description { preconditions, effects } = description;
            let required: Conditions =
                preconditions.iter().skip(1).fold(preconditions[0].clone(), |common, other| {
                    common.intersection(other).copied().collect()
                });
            // Conditions that the precondition already grants, and effects whose conditions it rules out.
            let mut single: BTreeMap<Condition, Vec<Conditions>> = BTreeMap::new();
            for (conditions, consequences) in effects.iter() {
                let met = |p: &Conditions| consistent(&p.union(conditions).copied().collect(), &laws);
                if preconditions.iter().any(met) {
                    let rest: Conditions = conditions.difference(&required).copied().collect();
                    for consequence in consequences {
                        single.entry(*consequence).or_default().push(rest.clone());
                    }
                }
            }
            // That a literal was false before need not be said of what makes it true, if nothing makes it false.
            let caused: BTreeSet<Condition> = single.keys().copied().collect();
            effects.clear();
            for (consequence, mut sets) in single {
                if !caused.contains(&consequence.opposite()) {
                    for set in &mut sets {
                        set.remove(&consequence.opposite());
                    }
                }
                for (i, set) in sets.iter().enumerate() {
                    let covered = |(j, other): (usize, &Conditions)| {
                        other.is_subset(set) && (other.len() < set.len() || j < i)
                    };
                    if !sets.iter().enumerate().any(covered) {
                        effects.entry(set.clone()).or_default().insert(consequence);
                    }
                }
            }
        }
    }
}

/// Can the conditions hold together, as far as one look at the laws of defined fluents tells?
fn consistent(conditions: &Conditions, laws: &HashMap<usize, Vec<&Conditions>>) -> bool {
    let clash = |c: &Condition| conditions.contains(&c.opposite());
    conditions.iter().all(|c| {
        !clash(c)
            && laws.get(&c.fluent).is_none_or(|laws| {
                if c.value {
                    laws.iter().any(|law| !law.iter().any(clash))
                } else {
                    !laws.iter().any(|law| law.is_subset(conditions))
                }
            })
    })
}

/// The property of a leaf that a question may be about.
fn property(leaf: Leaf, value: bool) -> Option<(usize, Property)> {
    match (leaf, value) {
        (Leaf::Now(fluent), true) => Some((fluent, Property::True)),
        (Leaf::Now(fluent), false) => Some((fluent, Property::False)),
        (Leaf::Executable(action), true) => Some((action, Property::Executable)),
        _ => None,
    }
}

/// Things of one property, each named once.
fn uniform(things: impl IntoIterator<Item = ((Leaf, bool), Option<Term>)>) -> Option<(Property, Vec<Thing>)> {
    let mut found: BTreeMap<usize, Option<Term>> = BTreeMap::new();
    let mut shared = None;
    for ((leaf, value), term) in things {
        let (thing, property) = property(leaf, value)?;
        if *shared.get_or_insert(property) != property || found.insert(thing, term).is_some() {
            return None;
        }
    }
    Some((shared?, found.into_iter().collect()))
}

/// The question whether one of the cases holds.
fn verify(cases: Cases) -> Option<Inquiry> {
    let (shape, leaves): (InquiryShape, Vec<(Leaf, bool)>) = match cases.as_slice() {
        [only] if only.len() == 1 => (InquiryShape::One, only.iter().copied().collect()),
        [only] => (InquiryShape::All, only.iter().copied().collect()),
        several if several.iter().all(|case| case.len() == 1) => {
            (InquiryShape::Any, several.iter().flatten().copied().collect())
        }
        _ => return None,
    };
    let (property, things) = uniform(leaves.into_iter().map(|leaf| (leaf, None)))?;
    Some(Inquiry { shape, property, things })
}

/// The question which, or how many, of the members are there.
fn list(reader: &mut CaseReader, shape: InquiryShape, members: &[(&Term, Option<u32>)]) -> Option<Inquiry> {
    let mut things = Vec::new();
    for (member, atom) in members {
        let cases = reader.literal(Literal::from_signed((*atom)? as i32))?;
        // A member whose rules never apply belongs to no answer.
        match cases.as_slice() {
            [] => {}
            [only] if only.len() == 1 => things.extend(only.iter().map(|l| (*l, Some((*member).clone())))),
            _ => return None,
        }
    }
    let (property, things) = uniform(things)?;
    (things.len() > 1).then_some(Inquiry { shape, property, things })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::domain::embedded::axioms;
    use crate::simulate::transition_system::TransitionSystem;
    use racgen_logic::clingo::Program;
    use racgen_logic::clingo::Source;

    fn read(text: &str) -> (TransitionSystem, Result<Theory, String>) {
        let program = Program {
            sources: vec![
                axioms("kernel.lp"),
                axioms("open.lp"),
                axioms("ask.lp"),
                Source::new("test", format!("{text}\n#defined ask/2.")),
            ],
            parts: vec![],
            constants: vec![("n".into(), 1)],
        };
        let engine = TransitionSystem::new(program.clone(), Duration::from_secs(60)).unwrap();
        let theory = Theory::read(&program.ground(READ).unwrap(), &engine);
        (engine, theory)
    }

    fn say<'c>(engine: &CompiledLayout, conditions: impl IntoIterator<Item = &'c Condition>) -> String {
        let sign = |value: bool| if value { "" } else { "-" };
        let all = conditions.into_iter().map(|c| format!("{}{}", sign(c.value), engine.fluents[c.fluent]));
        all.collect::<Vec<_>>().join(" ")
    }

    const RULES: &str = "
        fluent(p;q;r;s). defined(d).
        action(a;b;never).
        executable(a,T) :- time(T), holds(p,T).
        executable(a,T) :- time(T), holds(q,T), holds(neg(r),T).
        executable(b,T) :- time(T), holds(d,T).
        executable(never,T) :- time(T), holds(nothing,T).
        #defined barred/2.
        barred(T)            :- holds(p,T), holds(q,T).
        holds(s,T+1)         :- time(T), occ(a,T), not barred(T).
        holds(neg(q),T+1)    :- time(T), occ(a,T), holds(q,T).
        holds(r,T+1)         :- time(T), occ(b,T).
        holds(neg(r),T+1)    :- time(T), occ(b,T), holds(q,T).
        holds(p,T)           :- time(T), holds(s,T).
        holds(d,T)           :- time(T), holds(p,T), not holds(q,T).
    ";

    #[test]
    fn reads_what_listing_2_would_say() {
        let (engine, theory) = read(RULES);
        let theory = theory.unwrap();
        let [a, b, never] = &theory.actions[..] else { panic!() };
        assert!(never.is_none());
        let told = |description: &Option<Description>| {
            let Description { preconditions, effects } = description.as_ref().unwrap();
            let preconditions: Vec<String> = preconditions.iter().map(|p| say(&engine, p)).collect();
            let effects = effects.iter().map(|(c, e)| format!("{} if {}", say(&engine, e), say(&engine, c)));
            (preconditions.join("; "), effects.collect::<Vec<_>>().join("; "))
        };
        assert_eq!(told(a), ("p; q -r".into(), "-q if ; s if -p; s if -q".into()));
        // The law for d, which b requires, rules out q: b never makes r false.
        assert_eq!(told(b), ("d".into(), "r if ".into()));
        let laws = theory
            .laws
            .iter()
            .map(|l| format!("{} if {}", say(&engine, [&l.consequence]), say(&engine, &l.conditions)));
        assert_eq!(laws.collect::<Vec<_>>(), ["d if p -q", "p if s"]);
        assert_eq!(theory.defined, [0]);
    }

    #[test]
    fn tells_lists_from_other_questions() {
        let (engine, theory) = read(&format!(
            "{RULES}
            ask((some;every;mixed;negative;possible;loop),verify).
            answer(some,yes)     :- now(p).
            answer(some,yes)     :- now(q).
            answer(every,yes)    :- now(F) : fluent(F).
            answer(mixed,yes)    :- now(p), now(q).
            answer(mixed,yes)    :- now(r).
            answer(negative,yes) :- not now(p).
            answer(possible,yes) :- can(_).
            around(p)            :- now(p), around(q).
            around(q)            :- now(q), around(p).
            around(q)            :- now(r).
            answer(loop,yes)     :- around(p).
            ask((true;always),count). ask(false,other).
            member(true,F)       :- now(F).
            member(always,F)     :- now(F).
            member(always,one).
            member(false,F)      :- fluent(F), not now(F)."
        ));
        let theory = theory.unwrap();
        let told: BTreeMap<String, String> = engine
            .questions
            .iter()
            .zip(&theory.questions)
            .map(|(q, i)| {
                let told = i.as_ref().map(|i| format!("{:?} {:?} {}", i.shape, i.property, i.things.len()));
                (q.term.to_string(), told.unwrap_or_default())
            })
            .collect();
        let expected = [
            ("always", ""),
            ("every", "All True 5"),
            ("false", "Which False 5"),
            ("loop", ""),
            ("mixed", ""),
            ("negative", "One False 1"),
            ("possible", "Any Executable 2"),
            ("some", "Any True 2"),
            ("true", "Count True 5"),
        ];
        let told: Vec<(&str, &str)> = told.iter().map(|(q, i)| (q.as_str(), i.as_str())).collect();
        assert_eq!(told, expected);
    }

    #[test]
    fn refuses_what_is_no_effect_and_no_law() {
        let (_, theory) = read(&format!("{RULES} holds(r,T+1) :- time(T), T < n, holds(p,T)."));
        assert!(theory.unwrap_err().contains("`r`"));
    }
}
