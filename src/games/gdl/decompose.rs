//! A clause with many variables to several with few, so that its grounding does not multiply what is unrelated.
//!
//! Variables that the head does not need are projected away together with the conditions that mention them: what is
//! left of these conditions is a helper over the variables that they share with the rest. (Morak and Woltran 2012,
//! Preprocessing of Complex Non-Ground Rules in Answer Set Programming, along a tree decomposition that is chosen
//! greedily here.)

use racgen_logic::expressions::TextPlace;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::games::gdl::syntax::{Clause, GdlAtom, GdlLiteral, GdlPattern};

/// Clauses with fewer variables are left alone.
const FEWEST_VARIABLES: usize = 4;

type Variables = BTreeSet<u32>;

fn variables(literal: &GdlLiteral) -> Variables {
    let mut found = Variables::new();
    literal.variables(&mut |v| {
        found.insert(v);
    });
    found
}

/// One way to split a clause.
struct ClauseCut {
    /// Conditions that go into the helper, by position.
    inside: Vec<usize>,
    /// Variables that the helper shares with the rest.
    shared: Variables,
    /// All variables of the helper.
    bag: Variables,
}

/// Splits a clause; helpers are numbered on from `count`.
pub fn decompose(clause: &Clause, count: &mut usize) -> Vec<Clause> {
    let mut made = Vec::new();
    let mut rest = clause.clone();
    let mut head = Variables::new();
    clause.head.variables(&mut |v| {
        head.insert(v);
    });
    while let Some(cut) = best(&rest, &head) {
        let mut body: Vec<GdlLiteral> = cut.inside.iter().map(|n| rest.body[*n].clone()).collect();
        let outside: Vec<GdlLiteral> =
            (0..rest.body.len()).filter(|n| !cut.inside.contains(n)).map(|n| rest.body[n].clone()).collect();
        // What the helper compares or negates must be bound within it.
        let mut bound: Variables =
            body.iter().filter(|l| matches!(l, GdlLiteral::Is(_))).flat_map(variables).collect();
        let mut domains = Vec::new();
        for literal in outside.iter().filter(|l| matches!(l, GdlLiteral::Is(_))) {
            let own: Variables = variables(literal).intersection(&cut.bag).copied().collect();
            if !own.is_subset(&bound) {
                bound.extend(&own);
                let atom = helper(&own, count);
                domains.push(Clause {
                    head: atom.clone(),
                    body: vec![literal.clone()],
                    variables: clause.variables.clone(),
                });
                body.push(GdlLiteral::Is(atom));
            }
        }
        if !cut.bag.is_subset(&bound) {
            // Only an equation of the rest binds it; such clauses stay whole.
            break;
        }
        made.extend(domains);
        let atom = helper(&cut.shared, count);
        made.push(Clause { head: atom.clone(), body, variables: clause.variables.clone() });
        rest.body = outside;
        rest.body.push(GdlLiteral::Is(atom));
    }
    made.push(rest);
    made
}

fn helper(variables: &Variables, count: &mut usize) -> GdlAtom {
    *count += 1;
    GdlAtom {
        // No symbol of a game keeps a prime, so that no relation of its own has this name.
        predicate: Arc::from(format!("part'{count}")),
        arguments: variables.iter().map(|v| GdlPattern::Variable(*v)).collect(),
        place: TextPlace::default(),
    }
}

fn best(clause: &Clause, head: &Variables) -> Option<ClauseCut> {
    let of: Vec<Variables> = clause.body.iter().map(variables).collect();
    let all: Variables = of.iter().flatten().chain(head).copied().collect();
    if all.len() < FEWEST_VARIABLES {
        return None;
    }
    let cuts = all.difference(head).filter_map(|v| {
        let bag: Variables = of.iter().filter(|own| own.contains(v)).flatten().copied().collect();
        if bag.len() >= all.len() {
            return None;
        }
        let inside: Vec<usize> =
            (0..of.len()).filter(|n| !of[*n].is_empty() && of[*n].is_subset(&bag)).collect();
        let beyond: Variables =
            (0..of.len()).filter(|n| !inside.contains(n)).flat_map(|n| &of[n]).chain(head).copied().collect();
        let shared: Variables = bag.intersection(&beyond).copied().collect();
        Some(ClauseCut { inside, shared, bag })
    });
    cuts.min_by_key(|cut| (cut.bag.len(), cut.shared.len(), cut.inside.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::gdl::syntax::Game;

    #[test]
    fn unrelated_conditions_part() -> Result<(), Box<dyn std::error::Error>> {
        let game = Game::read(
            "(<= (next (at ?x ?y ?p)) (does ?r (move ?a ?b)) (true (at ?x ?y ?p))
                 (distinct (f ?x ?y) (f ?a ?b)))",
            "g.kif",
        )?;
        let parts = decompose(&game.clauses[0], &mut 0);
        // The role goes first; then the move, with what it leaves of x and y; the piece stays where it was.
        assert_eq!(parts.len(), 4, "{parts:?}");
        assert_eq!(parts.iter().map(|c| c.head.arguments.len()).collect::<Vec<_>>(), [2, 2, 2, 1]);
        assert_eq!(parts[3].body.len(), 2);
        Ok(())
    }
}
