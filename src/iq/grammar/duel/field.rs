//! Choices to a field on which two players walk in turns: to have more things than the other, or to catch the other.

use crate::iq::grammar::code::{ChoiceCode, TooShort};
use crate::iq::grammar::duel::rules::DuelRules;
use crate::iq::grammar::graph::{distances, ring};
use crate::iq::grammar::kif::KifText;
use crate::iq::grammar::machine::Machine;

/// Writes where players stand and go.
fn write_walking(out: &mut KifText, machine: &Machine, starts: [usize; 2]) {
    for (player, start) in ["a", "b"].iter().zip(starts) {
        out.line(format_args!("(init (at {player} {start}))"));
    }
    for action in &machine.actions {
        out.rule(format_args!("(legal ?p (go {action}))"), &["(true (control ?p))"]);
    }
    for (state, edges) in machine.edges.iter().enumerate() {
        for (action, to) in machine.actions.iter().zip(edges) {
            out.line(format_args!("(leads {state} {action} {to})"));
        }
    }
    out.rule("(moved ?p)", &["(does ?p (go ?a))"]);
    out.rule("(enters ?p ?y)", &["(true (at ?p ?x))", "(does ?p (go ?a))", "(leads ?x ?a ?y)"]);
    out.rule("(next (at ?p ?y))", &["(enters ?p ?y)"]);
    out.rule("(next (at ?p ?x))", &["(true (at ?p ?x))", "(not (moved ?p))"]);
}

/// The field, and where the second player begins: at some distance from the first.
fn field(code: &mut ChoiceCode) -> Result<(Machine, usize), TooShort> {
    let machine = Machine::field(code)?;
    let next = |state: usize, action: usize| machine.edges[state][action];
    let far = distances(machine.states(), machine.actions.len(), machine.start, next, &[]);
    let (places, _) = ring(&far, 2 + code.several(2)? as u32);
    let place = places[code.among(places.len())?];
    Ok((machine, place))
}

/// Who gathers more things wins.
///
/// # Errors
/// Those of the code.
pub fn derive_harvest(code: &mut ChoiceCode) -> Result<DuelRules, TooShort> {
    let (machine, second) = field(code)?;
    let mut things = Vec::new();
    for _ in 0..2 + code.several(4)? {
        things.push(code.among(machine.states())?);
    }
    things.sort_unstable();
    things.dedup();
    let horizon = 2 * (4 + code.several(5)? as u32);
    let mut out = KifText::default();
    write_walking(&mut out, &machine, [machine.start, second]);
    things.iter().for_each(|thing| out.line(format_args!("(init (thing {thing}))")));
    out.line("(init (count a 0))\n(init (count b 0))");
    for n in 0..things.len() {
        out.line(format_args!("(more {n} {})", n + 1));
        (0..=n).for_each(|less| out.line(format_args!("(greater {} {less})", n + 1)));
    }
    out.rule("(gone ?x)", &["(enters ?p ?x)"]);
    out.rule("(next (thing ?x))", &["(true (thing ?x))", "(not (gone ?x))"]);
    out.rule("(gains ?p)", &["(enters ?p ?x)", "(true (thing ?x))"]);
    out.rule("(next (count ?p ?m))", &["(gains ?p)", "(true (count ?p ?n))", "(more ?n ?m)"]);
    out.rule("(next (count ?p ?n))", &["(true (count ?p ?n))", "(not (gains ?p))"]);
    out.rule("left", &["(true (thing ?x))"]);
    out.rule("over", &["(not left)"]);
    out.rule(
        "(wins ?p)",
        &["over", "(other ?p ?q)", "(true (count ?p ?n))", "(true (count ?q ?m))", "(greater ?n ?m)"],
    );
    out.rule("decided", &["(wins ?p)"]);
    out.rule("drawn", &["over", "(not decided)"]);
    Ok(DuelRules { kind: "harvest", rules: out, horizon, draws: true, seat: None })
}

/// One player is to catch the other before time is up.
///
/// # Errors
/// Those of the code.
pub fn derive_chase(code: &mut ChoiceCode) -> Result<DuelRules, TooShort> {
    let (machine, second) = field(code)?;
    let (hunter, prey) = if code.bit()? { ("a", "b") } else { ("b", "a") };
    let horizon = 2 * (3 + code.several(6)? as u32);
    let mut out = KifText::default();
    write_walking(&mut out, &machine, [machine.start, second]);
    out.rule("caught", &["(true (at a ?x))", "(true (at b ?x))"]);
    out.rule("over", &["caught"]);
    out.rule(format_args!("(wins {hunter})"), &["caught"]);
    out.rule(format_args!("(wins {prey})"), &["over", "(not caught)"]);
    Ok(DuelRules { kind: "chase", rules: out, horizon, draws: false, seat: None })
}
