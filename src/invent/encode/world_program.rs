//! A theory to `world.lp`: which layouts there are, and which initial situations.

use crate::invent::encode::symbols::TheorySymbols;
use crate::invent::theory::parts::{
    Fluent, FluentKind, InventedTheory, Static, StaticShape, TheoryCondition,
};

/// Writes layouts, situations and invariants of a theory.
pub fn world_program(theory: &InventedTheory, symbols: &TheorySymbols) -> String {
    let mut layout = String::new();
    for (number, relation) in theory.statics.iter().enumerate() {
        layout += &static_rules(relation, &symbols.statics[number], number, symbols);
    }
    let mut rules = String::new();
    for (number, fluent) in theory.fluents.iter().enumerate() {
        rules += &fluent_rules(theory, number, fluent, symbols);
    }
    let mut text = String::new();
    if !layout.is_empty() {
        text += &format!("#program layout.\n{layout}\n");
    }
    format!(
        "{text}#program situation.\n{rules}\n% What stays so, whatever is done.\n#program invariant.\n{rules}"
    )
}

/// The choice of a static relation. Auxiliary predicates have its number.
fn static_rules(relation: &Static, name: &str, number: usize, symbols: &TheorySymbols) -> String {
    let [one, other] = relation.kinds.map(|kind| &symbols.kinds[kind]);
    let count = &symbols.counts[relation.kinds[0]];
    let pick = format!("pick{number}");
    let both = format!(
        "{{ {pick}(X,Y) : {one}(X), {one}(Y), X < Y }}.\n{name}(X,Y) :- {pick}(X,Y).\n{name}(Y,X) :- {pick}(X,Y).\n"
    );
    let reached = format!("reached{number}");
    let connected = format!(
        "{reached}(X) :- {one}(X), X <= Y : {one}(Y).\n{reached}(Y) :- {reached}(X), {name}(X,Y).\n\
         :- {one}(X), not {reached}(X).\n"
    );
    let edges = format!("#count {{ X,Y : {pick}(X,Y) }}");
    match relation.shape {
        StaticShape::Graph => format!("{both}{connected}:- {edges} > {count} + {count}/3.\n"),
        StaticShape::Tree => format!("{both}{connected}:- {edges} != {count} - 1.\n"),
        StaticShape::Line => format!(
            "{both}{connected}:- {edges} != {count} - 1.\n:- {one}(X), #count {{ Y : {name}(X,Y) }} > 2.\n"
        ),
        StaticShape::Ring => format!(
            "1 {{ {name}(X,Y) : {one}(Y), X != Y }} 1 :- {one}(X).\n:- {one}(Y), #count {{ X : {name}(X,Y) }} != 1.\n\
             {connected}"
        ),
        StaticShape::Grid => format!(
            "1 {{ cell{number}(X,R,C) : R = 0..1, C = 0..({count}-1)/2 }} 1 :- {one}(X).\n\
             :- cell{number}(X,R,C), cell{number}(Y,R,C), X < Y.\n\
             {name}(X,Y) :- cell{number}(X,R,C), cell{number}(Y,S,D), |R-S| + |C-D| = 1.\n"
        ),
        StaticShape::Order => format!(
            "1 {{ rank{number}(X,R) : R = 1..{count} }} 1 :- {one}(X).\n\
             :- rank{number}(X,R), rank{number}(Y,R), X < Y.\n\
             {name}(X,Y) :- rank{number}(X,R), rank{number}(Y,S), R < S.\n"
        ),
        StaticShape::Home => format!("1 {{ {name}(X,Y) : {other}(Y) }} 1 :- {one}(X).\n"),
    }
}

/// How many things a fluent may be true of in its open place, by what the action that brings it about requires.
pub(crate) fn most(theory: &InventedTheory, fluent: usize, open: usize) -> Option<i64> {
    let kind = theory.fluents[fluent].kind;
    let of = |condition: &TheoryCondition| match condition {
        TheoryCondition::Any { positive: false, fluent: read, open: place, .. }
            if (*read, *place) == (fluent, open) =>
        {
            Some(1)
        }
        TheoryCondition::Fewer { fluent: read, than, .. } if *read == fluent && open == 0 => Some(*than),
        _ => None,
    };
    let own =
        theory.actions.iter().filter(|a| a.effects.first().is_some_and(|e| e.change.fluent() == fluent));
    let found = own.flat_map(|action| &action.requires).filter_map(of).min();
    // The place that is left does not count.
    found.or_else(|| (kind == FluentKind::At && open == 1).then_some(1))
}

/// The order by which things of a stack are smaller, where there is one.
fn order_of(theory: &InventedTheory, fluent: &Fluent) -> Option<usize> {
    theory.statics.iter().position(|s| s.shape == StaticShape::Order && s.kinds == fluent.kinds[..])
}

/// Are things of a stack in an order?
pub(crate) fn has_order(theory: &InventedTheory, fluent: &Fluent) -> bool {
    order_of(theory, fluent).is_some()
}

fn fluent_rules(theory: &InventedTheory, number: usize, fluent: &Fluent, symbols: &TheorySymbols) -> String {
    let name = &symbols.fluents[number];
    let kind = |place: usize| &symbols.kinds[fluent.kinds[place]];
    let bound = |open: usize, sign: &str, bound: i64| {
        let (args, of) = if open == 0 { ("Y,X", kind(1)) } else { ("X,Y", kind(0)) };
        format!(":- {of}(X), #count {{ Y : holds({name}({args}),0) }} {sign} {bound}.\n")
    };
    let mut rules = String::new();
    match fluent.kind {
        FluentKind::State => return rules,
        FluentKind::At | FluentKind::Has(_) => rules += &bound(1, "!=", 1),
        FluentKind::In => rules += &bound(1, ">", 1),
        FluentKind::On => {
            let above = format!("above{number}");
            rules += &bound(1, ">", 1);
            rules += &bound(0, ">", 1);
            rules += &format!(
                "{above}(X,Y) :- holds({name}(X,Y),0).\n{above}(X,Z) :- {above}(X,Y), holds({name}(Y,Z),0).\n\
                 :- {above}(X,X).\n"
            );
            if let Some(order) = order_of(theory, fluent) {
                rules += &format!(":- holds({name}(X,Y),0), not {}(X,Y).\n", symbols.statics[order]);
            }
            return rules;
        }
        FluentKind::Tied => {}
    }
    if fluent.kind == FluentKind::Tied {
        rules += &most(theory, number, 1).map(|most| bound(1, ">", most)).unwrap_or_default();
    }
    if fluent.kinds.len() == 2 {
        rules += &most(theory, number, 0).map(|most| bound(0, ">", most)).unwrap_or_default();
    }
    rules
}
