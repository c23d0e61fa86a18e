//! Ground rules to such as tell what follows from inputs of which only some are decided.
//!
//! Each atom becomes two: that it surely holds, whatever the other inputs are, and that it may hold. A negated literal surely
//! holds where its atom cannot. Whoever searches for the inputs that no constraint forbids can thus give up early: a
//! constraint is violated for sure, or may still be met. Where all inputs are decided and no atom depends on its own
//! negation, both atoms agree.

use super::definitions::{Definitions, VIOLATION};
use super::unsupported::Unsupported;
use crate::ground::{Body, GroundProgram, GroundRule, Literal};

/// The atom that an atom surely holds.
pub fn surely(atom: u32) -> u32 {
    2 * atom
}

/// The atom that it may hold.
pub fn possibly(atom: u32) -> u32 {
    2 * atom + 1
}

/// The rules for both. The inputs are both atoms of each that is chosen; a rule for one of these forbids that its body
/// holds and the input does not. None where a choice depends on more than facts, or weights are negative.
///
/// ```
/// use racgen_logic::clingo::{Program, Source};
/// use racgen_logic::evaluate::bounds::{bounds, possibly, surely};
/// use racgen_logic::evaluate::lanes::{LaneEvaluator, Word};
///
/// let lamp = "{ switch; power }. light :- switch, power. dark :- not light. :- dark, power.";
/// let program = Program { sources: vec![Source::new("lamp.lp", lamp)], ..Program::default() };
/// let ground = program.ground(&[("switch", 0), ("power", 0), ("light", 0)]).unwrap();
/// let atom = |name| ground.predicate(name, 0).next().unwrap().1.unwrap();
///
/// let both = bounds(&ground).unwrap().unwrap();
/// let light = [surely(atom("light")), possibly(atom("light"))];
/// let evaluator = LaneEvaluator::new(&both, &light).unwrap();
/// let mut values = evaluator.values::<1>();
/// // In the first lane there is power and the switch is not decided, in the second the switch is off besides.
/// values.set(surely(atom("power")), Word([0b11]));
/// values.set(possibly(atom("power")), Word([0b11]));
/// values.set(possibly(atom("switch")), Word([0b01]));
/// let verdict = evaluator.run(&mut values);
/// assert_eq!(values.get(light[0]).0[0] & 0b11, 0b00);
/// assert_eq!(values.get(light[1]).0[0] & 0b11, 0b01);
/// assert_eq!(verdict.inconsistent.0[0] & 0b11, 0b10);
/// ```
///
/// A choice within bounds depends on a fact, as clingo grounds it; one that depends on another choice is left to clingo:
///
/// ```
/// # use racgen_logic::clingo::{Program, Source};
/// # use racgen_logic::evaluate::bounds::bounds;
/// let is_told = |text: &str| {
///     let program = Program { sources: vec![Source::new("choice.lp", text)], ..Program::default() };
///     bounds(&program.ground(&[]).unwrap()).unwrap().is_some()
/// };
/// assert!(is_told("{ red; green } 1."));
/// assert!(!is_told("{ power }. { red; green } 1 :- power."));
/// ```
///
/// # Errors
/// [`Unsupported::Disjunction`].
pub fn bounds(program: &GroundProgram) -> Result<Option<GroundProgram>, Unsupported> {
    let mut definitions = Definitions::new(program)?;
    definitions.forget_what_never_holds();
    let is_fact = |literal: &Literal| {
        let always = |rule: &u32| matches!(definitions.body(*rule), Body::All(all) if all.is_empty());
        literal.positive() && definitions.of(literal.atom()).iter().any(always)
    };
    let mut rules: Vec<GroundRule> = Vec::new();
    let mut push = |choice: bool, head: Vec<u32>, body: Body| rules.push(GroundRule { choice, head, body });
    // Where the bodies of rules for inputs stand, behind all atoms.
    let mut last = possibly(program.atoms);
    for rule in &program.rules {
        if rule.body.weighted().any(|(_, weight)| weight < 0) {
            return Ok(None);
        }
        match rule.head.first() {
            _ if rule.choice => {
                match &rule.body {
                    Body::All(all) if all.iter().all(is_fact) => {}
                    _ => return Ok(None),
                }
                let both = rule.head.iter().flat_map(|atom| [surely(*atom), possibly(*atom)]);
                push(true, both.collect(), Body::All(Vec::new()));
            }
            Some(head) if definitions.input[*head as usize] => {
                last += 1;
                push(false, vec![last], told(&rule.body, surely_so));
                let missing = surely_so(Literal::from_signed(-(*head as i32)));
                push(false, Vec::new(), Body::All(vec![Literal::from_signed(last as i32), missing]));
            }
            Some(head) => {
                push(false, vec![surely(*head)], told(&rule.body, surely_so));
                push(false, vec![possibly(*head)], told(&rule.body, possibly_so));
            }
            None => {}
        }
    }
    for constraint in definitions.of(VIOLATION) {
        push(false, Vec::new(), told(definitions.body(*constraint), surely_so));
    }
    Ok(Some(GroundProgram { rules, atoms: last, named: Vec::new() }))
}

/// The literal that a literal surely holds.
fn surely_so(literal: Literal) -> Literal {
    let atom = literal.atom();
    let signed = if literal.positive() { surely(atom) as i32 } else { -(possibly(atom) as i32) };
    Literal::from_signed(signed)
}

/// The literal that it may hold.
fn possibly_so(literal: Literal) -> Literal {
    let atom = literal.atom();
    let signed = if literal.positive() { possibly(atom) as i32 } else { -(surely(atom) as i32) };
    Literal::from_signed(signed)
}

fn told(body: &Body, so: impl Fn(Literal) -> Literal) -> Body {
    match body {
        Body::All(literals) => Body::All(literals.iter().map(|literal| so(*literal)).collect()),
        Body::Sum(bound, weighted) => {
            Body::Sum(*bound, weighted.iter().map(|(literal, weight)| (so(*literal), *weight)).collect())
        }
    }
}
