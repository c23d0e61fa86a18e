//! A game to what is wrong with it: the restrictions of the Game Description Language that a reader of single rules
//! cannot see (section 3.1 of the paper; Love et al. 2008, General Game Playing: Game Description Language
//! Specification).

use std::collections::BTreeSet;
use std::fmt;

use racgen_logic::fault::Fault;

use crate::games::gdl::strata::Strata;
use crate::games::gdl::syntax::{Clause, Game, GdlAtom, GdlLiteral, GdlPattern};

/// The verdict on a game.
#[derive(Clone, Debug)]
pub struct Validity {
    /// The game's name.
    pub name: String,
    /// What keeps the game from being played.
    pub errors: Vec<Fault>,
    /// What is odd, but can be played.
    pub warnings: Vec<Fault>,
    /// Rules and literals, as the paper's figure 5 counts them.
    pub rules: usize,
    /// See `rules`.
    pub literals: usize,
    /// Facts.
    pub facts: usize,
}

impl Validity {
    /// The verdict on the form of a game that was not grounded, and what is not known therefore.
    pub fn untried(&self, why: &str) -> String {
        format!(
            "{self}  its form was checked; not tried: grounding it, which takes {why}, and so its players, fluents, moves and \
             goals are not counted; raise --time-limit to have them counted\n"
        )
    }
}

impl fmt::Display for Validity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for fault in &self.errors {
            writeln!(f, "error: {fault}")?;
        }
        for fault in &self.warnings {
            writeln!(f, "warning: {fault}")?;
        }
        let verdict = if self.errors.is_empty() { "can be played" } else { "cannot be played" };
        writeln!(
            f,
            "{} {verdict}: {} rules, {} literals, {} facts",
            self.name, self.rules, self.literals, self.facts
        )
    }
}

/// Checks a game against the restrictions of GDL.
///
/// ```
/// use racgen::games::gdl::validate::check;
/// use racgen::games::gdl::syntax::Game;
/// let game = Game::read("(init p) (<= (next p) (not (true ?f)))", "odd.kif").unwrap();
/// assert!(check(&game).errors[0].to_string().starts_with("odd.kif:1:28: the variable `?f`"));
/// ```
pub fn check(game: &Game) -> Validity {
    let strata = Strata::new(game);
    let mut verdict = Validity {
        name: game.name.clone(),
        errors: Vec::new(),
        warnings: Vec::new(),
        rules: game.rules,
        literals: game.literals,
        facts: game.clauses.iter().filter(|c| c.body.is_empty()).count(),
    };
    for clause in &game.clauses {
        safety(game, clause, &mut verdict.errors);
        recursion(game, &strata, clause, &mut verdict);
    }
    stratification(game, &strata, &mut verdict);
    moves(game, &strata, &mut verdict);
    missing(game, &mut verdict.warnings);
    if let Some(clause) = game.clauses.iter().find(|c| c.head.is("distinct")) {
        let cause =
            "`distinct` is listed as facts; conditions keep to its meaning in GDL, that two terms differ";
        verdict.warnings.push(game.fault(clause.head.place, cause, "rename the relation"));
    }
    verdict.errors.dedup();
    verdict
}

/// Each variable of the head and of negative conditions stands in a positive condition, too.
fn safety(game: &Game, clause: &Clause, errors: &mut Vec<Fault>) {
    let mut bound = vec![false; clause.variables.len()];
    for literal in &clause.body {
        if let GdlLiteral::Is(atom) = literal {
            atom.variables(&mut |v| bound[v as usize] = true);
        }
    }
    // An equation binds one side once the other is bound.
    loop {
        let before = bound.iter().filter(|b| **b).count();
        for literal in &clause.body {
            if let GdlLiteral::Same(a, b, _) = literal {
                for (from, to) in [(a, b), (b, a)] {
                    let mut all = true;
                    from.variables(&mut |v| all &= bound[v as usize]);
                    if all {
                        to.variables(&mut |v| bound[v as usize] = true);
                    }
                }
            }
        }
        if bound.iter().filter(|b| **b).count() == before {
            break;
        }
    }
    let mut tell = |free: &[u32], place, what: &str| {
        if let Some(v) = free.first() {
            let cause = format!("the variable `?{}` {what}", clause.variables[*v as usize]);
            errors.push(game.fault(place, cause, "add a condition that binds it, not under `not`"));
        }
    };
    let mut free = Vec::new();
    clause.head.variables(&mut |v| free.extend((!bound[v as usize]).then_some(v)));
    tell(&free, clause.head.place, "of the head is bound by no condition");
    for literal in &clause.body {
        let (place, what) = match literal {
            GdlLiteral::Is(_) => continue,
            GdlLiteral::Not(atom) => (atom.place, "stands under `not` and is bound by no other condition"),
            GdlLiteral::Distinct(_, _, place) => (*place, "of `distinct` is bound by no other condition"),
            GdlLiteral::Same(_, _, place) => {
                (*place, "of a negated `distinct` is bound by no other condition")
            }
        };
        let mut free = Vec::new();
        literal.variables(&mut |v| free.extend((!bound[v as usize]).then_some(v)));
        tell(&free, place, what);
    }
}

/// In a recursive condition each argument is ground, stands in the head, or is bound by a condition outside the
/// recursion. Without functions a breach is harmless, with them the game may be endless.
fn recursion(game: &Game, strata: &Strata, clause: &Clause, verdict: &mut Validity) {
    let head = clause.head.signature();
    for literal in &clause.body {
        let GdlLiteral::Is(atom) = literal else { continue };
        if !strata.recursive(&head, &atom.signature()) {
            continue;
        }
        let elsewhere = |argument: &GdlPattern| {
            clause.body.iter().any(|other| match other {
                GdlLiteral::Is(o) => {
                    !strata.recursive(&head, &o.signature()) && o.arguments.contains(argument)
                }
                _ => false,
            })
        };
        let allowed = |a: &GdlPattern| a.is_ground() || clause.head.arguments.contains(a) || elsewhere(a);
        if atom.arguments.iter().all(allowed) {
            continue;
        }
        let builds = |a: &GdlPattern| {
            matches!(a, GdlPattern::Function(_, inner) if !inner.is_empty()) && !a.is_ground()
        };
        if clause.head.arguments.iter().any(builds) {
            verdict.errors.push(game.fault(
                atom.place,
                format!("the recursion through `{}` builds ever larger terms", atom.predicate),
                "bind its arguments by a relation outside the recursion",
            ));
        } else {
            verdict.warnings.push(game.fault(
                atom.place,
                format!("an argument of the recursive `{}` is bound by the recursion alone", atom.predicate),
                "GDL wants it in the head or in a relation outside the recursion",
            ));
        }
    }
}

/// No predicate depends on its own negation. Where it does, but no ground atom can, the game has one meaning all the
/// same, and is played: `(<= (goal r 0) (not (goal r 100)))`.
fn stratification(game: &Game, strata: &Strata, verdict: &mut Validity) {
    let mut told = Vec::new();
    for (from, edges) in strata.edges.iter().enumerate() {
        for (to, negative, place) in edges {
            if *negative && strata.component[from] == strata.component[*to] {
                let cause = format!(
                    "`{}` depends on the negation of `{}`, which depends on it: negation is not stratified",
                    strata.signatures[from].0, strata.signatures[*to].0
                );
                told.push((*place, cause));
            }
        }
    }
    if told.is_empty() {
        return;
    }
    let guilty = looped_negations(game);
    for (place, cause) in told {
        if guilty.contains(&(place.line, place.column)) {
            verdict.errors.push(game.fault(place, cause, "break the loop"));
        } else {
            let remedy =
                "beyond the letter of GDL, but no atom depends on its own negation, and so it is played";
            verdict.warnings.push(game.fault(place, cause, remedy));
        }
    }
}

/// A clause that another depends on, and where that is through a negation, its line and column.
type ClauseEdge = (usize, Option<(u32, u32)>);

/// The places of negations in loops of clauses. A clause depends on those whose heads its conditions can be: if no such
/// loop has a negation, no ground atom depends on its own negation either.
fn looped_negations(game: &Game) -> BTreeSet<(u32, u32)> {
    let clauses = &game.clauses;
    let depends = |atom: &GdlAtom| -> Vec<usize> {
        (0..clauses.len()).filter(|n| may_be(atom, &clauses[*n].head)).collect()
    };
    let edges: Vec<Vec<ClauseEdge>> = clauses
        .iter()
        .map(|clause| {
            let of = |literal: &GdlLiteral| {
                let atom = literal.atom()?;
                let negation = matches!(literal, GdlLiteral::Not(_));
                let place = negation.then_some((atom.place.line, atom.place.column));
                Some(depends(atom).into_iter().map(move |to| (to, place)).collect::<Vec<_>>())
            };
            clause.body.iter().filter_map(of).flatten().collect()
        })
        .collect();
    let leads = |from: usize, to: usize| {
        let mut seen = vec![false; edges.len()];
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            if at == to {
                return true;
            }
            for (next, _) in &edges[at] {
                if !std::mem::replace(&mut seen[*next], true) {
                    open.push(*next);
                }
            }
        }
        false
    };
    let mut guilty = BTreeSet::new();
    for (from, own) in edges.iter().enumerate() {
        for (to, place) in own {
            if let Some(place) = place
                && !guilty.contains(place)
                && leads(*to, from)
            {
                guilty.insert(*place);
            }
        }
    }
    guilty
}

/// Can an atom of one clause be the head of another? A variable can be anything.
fn may_be(atom: &GdlAtom, head: &GdlAtom) -> bool {
    fn terms(a: &GdlPattern, b: &GdlPattern) -> bool {
        match (a, b) {
            (GdlPattern::Function(f, inner), GdlPattern::Function(g, other)) => {
                f == g && inner.len() == other.len() && inner.iter().zip(other).all(|(a, b)| terms(a, b))
            }
            _ => true,
        }
    }
    atom.signature() == head.signature()
        && atom.arguments.iter().zip(&head.arguments).all(|(a, b)| terms(a, b))
}

/// What is known before the moves are made must not depend on them; init and roles on no state either. Goals and
/// ends that do are read as if no move was made; base and input play no part in a game.
fn moves(game: &Game, strata: &Strata, verdict: &mut Validity) {
    for clause in &game.clauses {
        let head = clause.head.signature();
        let name = &*head.0;
        let moves = strata.depends_on_moves(&head) && matches!(name, "legal" | "goal" | "terminal");
        let state = strata.is_dynamic(&head) && matches!(name, "init" | "role" | "base" | "input");
        if !(moves || state) {
            continue;
        }
        // The clause at fault, not its neighbours.
        let guilty = clause.body.iter().filter_map(GdlLiteral::atom).find(|a| {
            let s = a.signature();
            if moves { strata.depends_on_moves(&s) } else { strata.is_dynamic(&s) }
        });
        if let Some(atom) = guilty {
            let on = if moves { "the moves made" } else { "the state" };
            let cause = format!("`{name}` depends on {on} through `{}`", atom.predicate);
            let remedy = if moves {
                "only next and its helpers may ask what is done"
            } else {
                "init, role, base and input are fixed before the game"
            };
            let list = if matches!(name, "legal" | "init" | "role") {
                &mut verdict.errors
            } else {
                &mut verdict.warnings
            };
            list.push(game.fault(atom.place, cause, remedy));
        }
    }
}

/// What a game should define.
fn missing(game: &Game, warnings: &mut Vec<Fault>) {
    let remedies = [
        ("role", "roles are taken from its legal moves"),
        ("init", "its first state is empty"),
        ("legal", "nobody can move"),
        ("next", "each next state is empty"),
        ("goal", "goal tasks have no positive examples"),
        ("terminal", "each game runs until it is cut off"),
    ];
    for (name, meaning) in remedies {
        if !game.clauses.iter().any(|c| c.head.is(name)) {
            warnings.push(Fault {
                place: game.file.clone(),
                cause: format!("the game has no rule for {name}"),
                remedy: format!("as it stands, {meaning}"),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(text: &str) -> Vec<String> {
        let game = Game::read(text, "g.kif").expect("reads");
        check(&game).errors.iter().map(Fault::to_string).collect()
    }

    #[test]
    fn restrictions_of_the_language() {
        for (text, start) in [
            ("(<= (next ?x) (true p))", "g.kif:1:5: the variable `?x` of the head"),
            ("(<= (next p) (distinct ?a ?b))", "g.kif:1:14: the variable `?a` of `distinct`"),
            ("(<= p (not q)) (<= q (true f) p)", "g.kif:1:12: `p` depends on the negation of `q`"),
            ("(<= (legal r a) (not (does r b)))", "g.kif:1:22: `legal` depends on the moves"),
            ("(<= (init a) (true b))", "g.kif:1:14: `init` depends on the state"),
            ("(p a) (<= (p (s ?x)) (p ?x))", "g.kif:1:22: the recursion through `p`"),
        ] {
            let found = errors(text);
            assert!(found.len() == 1 && found[0].starts_with(start), "{found:?}");
        }
        // No atom depends on its own negation here, and one does there.
        let text = "(role r) (<= (goal ?r 0) (role ?r) (not (goal ?r 100))) (<= (goal r 100) (true won))";
        let verdict = check(&Game::read(text, "g.kif").expect("reads"));
        assert!(verdict.errors.is_empty(), "{verdict}");
        assert!(
            verdict.to_string().contains("warning: g.kif:1:41: `goal` depends on the negation of `goal`")
        );
        let text =
            "(role r) (<= (goal ?r 0) (role ?r) (not (goal ?r ?v)) (true (n ?v))) (<= (goal r 1) (goal r 0))";
        assert_eq!(errors(text).len(), 1);
        let game = Game::read("(<= (goal r 1) won) (<= won (does r a))", "g.kif").expect("reads");
        let verdict = check(&game);
        assert!(verdict.warnings[0].to_string().starts_with("g.kif:1:16: `goal` depends on the moves"));
        assert_eq!(errors("(succ 1 2) (<= (less ?a ?b) (succ ?a ?c) (less ?c ?b))"), [""; 0]);
    }
}
