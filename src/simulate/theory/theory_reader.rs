//! A layout's ground program to the action theory that it stands for.
//!
//! This is the translation to the generic domain (section 9): a ground action is described by the sets of literals
//! of listing 2. They are read off the rules that clingo grounded. Atoms that stand for neither a fluent nor an
//! action are replaced by what defines them.

use std::collections::{BTreeMap, HashMap};

use racgen_logic::ground::{GroundProgram, Literal};
use racgen_logic::term::Term;

use crate::simulate::theory::action_theory::{
    Condition, Conditions, Description, Inquiry, InquiryShape, Law, Property, Theory, Thing,
};
use crate::simulate::theory::cases::{Case, CaseReader, Cases, Leaf, truth};
use crate::simulate::transitions::compiled_layout::{CompiledLayout, Kind, Question};

/// The predicates whose atoms [`read_theory`] must be able to tell by name.
pub const READ: &[(&str, usize)] =
    &[("holds", 2), ("occ", 2), ("executable", 2), ("answer", 2), ("member", 2), ("number", 1)];

/// What can belong to the answer of a question, with its atom, if it need not.
type Members<'p> = HashMap<&'p Term, Vec<(&'p Term, Option<u32>)>>;

/// Reads the theory off a layout's one-step program, grounded with the names of [`READ`].
///
/// # Errors
/// In words: what cannot be said with preconditions, effects and static laws.
pub fn read_theory(program: &GroundProgram, engine: &CompiledLayout) -> Result<Theory, String> {
    let theory = Theory { actions: vec![], laws: vec![], defined: vec![], questions: vec![] };
    let named = program.named.iter().map(|(t, a)| (t, *a)).collect();
    let mut reader = TheoryReader { engine, named, cases: CaseReader::new(program, engine), theory };
    for action in &engine.actions {
        reader.action(action)?;
    }
    for (fluent, term) in engine.fluents.iter().enumerate() {
        if engine.inertial.contains(fluent) {
            reader.inertial(fluent, term)?;
        } else {
            reader.defined(fluent, term)?;
        }
    }
    reader.theory.laws.sort();
    reader.theory.simplify();
    let mut members: Members = HashMap::new();
    for (term, atom) in program.predicate("member", 2) {
        members.entry(&term.args()[0]).or_default().push((&term.args()[1], atom));
    }
    let questions = engine.questions.iter().map(|q| reader.question(q, &members)).collect();
    Ok(Theory { questions, ..reader.theory })
}

/// Reads the theory of one layout.
struct TheoryReader<'p> {
    engine: &'p CompiledLayout,
    named: HashMap<&'p Term, Option<u32>>,
    cases: CaseReader<'p>,
    theory: Theory,
}

impl TheoryReader<'_> {
    /// The atom of a term at a time: none where there is none, and no number where it always holds.
    fn timed(&self, functor: &str, inner: &Term, time: i32) -> Option<Option<u32>> {
        let term = Term::function(functor, vec![inner.clone(), Term::Number(time)]);
        self.named.get(&term).copied()
    }

    /// Where a term holds in the present situation; none if it cannot be said.
    fn definition(&mut self, functor: &str, inner: &Term) -> Option<Cases> {
        match self.timed(functor, inner, 0) {
            None => Some(Vec::new()),
            Some(None) => Some(truth()),
            Some(Some(atom)) => self.cases.definition(atom),
        }
    }

    /// What an action requires.
    fn action(&mut self, action: &Term) -> Result<(), String> {
        let cases = self.definition("executable", action);
        let preconditions: Option<Vec<Conditions>> =
            cases.and_then(|cases| cases.iter().map(conditions).collect());
        let preconditions = preconditions
            .ok_or_else(|| format!("what `{action}` requires is no list of conditions on fluents"))?;
        self.theory.actions.push(
            (!preconditions.is_empty()).then(|| Description { preconditions, effects: BTreeMap::new() }),
        );
        Ok(())
    }

    /// What makes an inertial fluent true, and what false.
    fn inertial(&mut self, fluent: usize, term: &Term) -> Result<(), String> {
        for value in [true, false] {
            let literal = if value { term.clone() } else { Term::function("neg", vec![term.clone()]) };
            let consequence = Condition { fluent, value };
            let rules = match self.timed("holds", &literal, 1) {
                None => continue,
                Some(None) => {
                    self.theory.laws.push(Law { consequence, conditions: Conditions::new() });
                    continue;
                }
                Some(Some(atom)) => self.cases.rules_for(atom),
            };
            for rule in rules {
                let cases = self.cases.rule(rule);
                let told = cases.and_then(|all| all.iter().try_for_each(|c| self.causes(consequence, c)));
                told.ok_or_else(|| {
                    format!("what causes `{literal}` is neither an effect of one action nor a static law")
                })?;
            }
        }
        Ok(())
    }

    /// The laws of a fluent that is true exactly where one of them applies.
    fn defined(&mut self, fluent: usize, term: &Term) -> Result<(), String> {
        self.theory.defined.push(fluent);
        let cases = self.definition("holds", term);
        for case in cases.ok_or_else(|| format!("the static laws for `{term}` have too many cases"))? {
            let conditions = conditions(&case)
                .ok_or_else(|| format!("a static law for `{term}` depends on more than fluents"))?;
            self.theory.laws.push(Law { consequence: Condition { fluent, value: true }, conditions });
        }
        Ok(())
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
            if let Some(description) = &mut self.theory.actions[action] {
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
        self.theory.laws.push(Law { consequence, conditions });
        Some(())
    }

    /// The list that a question is about; none if it is about more.
    fn question(&mut self, question: &Question, members: &Members) -> Option<Inquiry> {
        let term = &question.term;
        let shape = match question.kind {
            Kind::Verify if term.is("changes", 1) => {
                let fluent = self.engine.fluents.binary_search(&term.args()[0]).ok()?;
                let things = vec![(fluent, None)];
                return Some(Inquiry { shape: InquiryShape::Changes, property: Property::True, things });
            }
            Kind::Verify => {
                let yes = Term::function("answer", vec![term.clone(), Term::constant("yes")]);
                let atom = self.named.get(&yes).copied().flatten()?;
                return verify(self.cases.literal(Literal::from_signed(atom as i32))?);
            }
            Kind::Count => InquiryShape::Count,
            Kind::Other => InquiryShape::Which,
        };
        let number = Term::function("number", vec![term.clone()]);
        let own = self.named.contains_key(&number);
        list(&mut self.cases, shape, members.get(term).filter(|_| !own)?)
    }
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
    use crate::simulate::transitions::transition_system::TransitionSystem;
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
        let theory = read_theory(&program.ground(READ).unwrap(), &engine);
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
