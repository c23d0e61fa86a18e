//! The fluents of a game to a view: what has two numbers stands on a board, and the rest is told below it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use racgen_logic::term::Term;

/// The longest side of a board.
const LONGEST: usize = 20;

/// A fluent's name, and how many places it has.
type Functor = (String, usize);

/// The places of the first two numbers next to each other.
fn column_and_row(term: &Term) -> Option<(usize, usize)> {
    let numbers: Vec<bool> = term.args().iter().map(|arg| matches!(arg, Term::Number(_))).collect();
    let first = numbers.windows(2).position(|pair| pair == [true, true])?;
    Some((first, first + 1))
}

/// Two of these numbers and no others make a pattern with names of variables.
fn pattern(name: &str, places: usize, (x, y): (usize, usize)) -> (String, Vec<String>) {
    let rest: Vec<String> = (0..places).filter(|p| *p != x && *p != y).map(|p| format!("V{p}")).collect();
    let of = |place: usize| match place {
        _ if place == x => "X".to_owned(),
        _ if place == y => "Y".to_owned(),
        _ => format!("V{place}"),
    };
    let places: Vec<String> = (0..places).map(of).collect();
    (format!("{name}({})", places.join(",")), rest)
}

/// The view that is made for a game of which these fluents are known.
///
/// All fluents with two numbers side by side stand on one board, column before row, which reaches from the least to the greatest
/// of them. What is told of a square is a fluent's name with its other arguments, or these alone where no other fluent of the
/// board has any.
pub(super) fn usual_view<'t>(fluents: impl Iterator<Item = &'t Term>) -> String {
    let mut board: BTreeMap<Functor, (usize, usize)> = BTreeMap::new();
    let mut others: BTreeSet<Functor> = BTreeSet::new();
    let mut sides: [BTreeSet<i32>; 2] = Default::default();
    let known: Vec<&Term> = fluents.collect();
    for fluent in &known {
        let functor = (fluent.functor().to_owned(), fluent.args().len());
        match column_and_row(fluent) {
            Some(places) if !others.contains(&functor) => {
                board.entry(functor).or_insert(places);
            }
            _ => {
                // A relation that is not always on the board never is.
                board.remove(&functor);
                others.insert(functor);
            }
        }
    }
    for fluent in &known {
        let Some((x, y)) = board.get(&(fluent.functor().to_owned(), fluent.args().len())) else { continue };
        for (side, place) in sides.iter_mut().zip([x, y]) {
            if let Term::Number(number) = fluent.args()[*place] {
                side.insert(number);
            }
        }
    }
    let bounds = sides.map(|side| Some((*side.first()?, *side.last()?)));
    let fits = |(low, high): (i32, i32)| usize::try_from(high - low).is_ok_and(|length| length < LONGEST);
    let mut text = String::new();
    // Writing to a string does not fail.
    if let [Some(columns), Some(rows)] = bounds
        && fits(columns)
        && fits(rows)
    {
        let _ = writeln!(
            text,
            "square(X,Y) :- X = {}..{}, Y = {}..{}.\nnode(square(X,Y)) :- square(X,Y).\n\
             attr(node,square(X,Y),cell,(row(Y),X)) :- square(X,Y).\nattr(node,square(X,Y),label,\" \") :- square(X,Y).\n\
             attr(node,X,before,X+1) :- square(X,_), square(X+1,_).\nattr(node,row(Y),before,row(Y+1)) :- square(_,Y), square(_,Y+1).",
            columns.0, columns.1, rows.0, rows.1
        );
        let alone = board.len() == 1;
        for ((name, places), at) in &board {
            let (holds, rest) = pattern(name, *places, *at);
            let told = match rest.as_slice() {
                [] => name.clone(),
                [only] if alone => only.clone(),
                _ if alone => format!("({})", rest.join(",")),
                _ => format!("{name}({})", rest.join(",")),
            };
            let _ = writeln!(text, "attr(node,square(X,Y),badge,{told}) :- holds({holds}).");
        }
    } else {
        others.extend(board.into_keys());
    }
    for (name, places) in others {
        let variables: Vec<String> = (0..places).map(|place| format!("V{place}")).collect();
        let term = if places == 0 { name } else { format!("{name}({})", variables.join(",")) };
        let _ = writeln!(text, "attr(graph,default,badge,{term}) :- holds({term}).");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_two_numbers_is_on_the_board() {
        let fluents: Vec<Term> = ["man(white,1,1)", "man(black,3,4)", "turn(white)", "time(3)", "over"]
            .map(|t| t.parse().unwrap())
            .into();
        let view = usual_view(fluents.iter());
        assert!(view.contains("X = 1..3, Y = 1..4."), "{view}");
        assert!(view.contains("badge,V0) :- holds(man(V0,X,Y))."), "{view}");
        for remark in ["turn(V0)", "time(V0)", "over"] {
            assert!(view.contains(&format!("badge,{remark}) :- holds({remark}).")), "{view}");
        }
    }
}
