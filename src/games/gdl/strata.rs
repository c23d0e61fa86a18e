//! A game's clauses to the dependencies between its predicates: which change with the state, which depend on moves,
//! which are recursive, and whether negation is stratified.

use racgen_logic::expressions::TextPlace;

use rustc_hash::FxHashMap as HashMap;

use crate::games::gdl::syntax::{Game, GdlLiteral, Signature};

/// The dependency graph of a game's predicates (section 3.1 of the paper).
#[derive(Clone, Debug, Default)]
pub struct Strata {
    /// All predicates.
    pub signatures: Vec<Signature>,
    /// Number of each predicate.
    numbers: HashMap<Signature, usize>,
    /// For each predicate those it depends on, whether through negation, and where.
    pub edges: Vec<Vec<(usize, bool, TextPlace)>>,
    /// The recursive component of each predicate; equal for predicates that depend on each other.
    pub component: Vec<usize>,
    dynamic: Vec<bool>,
    moving: Vec<bool>,
}

impl Strata {
    /// The dependencies of a game.
    pub fn new(game: &Game) -> Strata {
        let mut strata = Strata::default();
        for clause in &game.clauses {
            let head = strata.number(clause.head.signature());
            for literal in &clause.body {
                if let Some(atom) = literal.atom() {
                    let body = strata.number(atom.signature());
                    strata.edges[head].push((body, matches!(literal, GdlLiteral::Not(_)), atom.place));
                }
            }
        }
        strata.component = strata.components();
        strata.dynamic = strata.depending(&["true", "does"]);
        strata.moving = strata.depending(&["does"]);
        strata
    }

    fn number(&mut self, signature: Signature) -> usize {
        if let Some(number) = self.numbers.get(&signature) {
            return *number;
        }
        self.numbers.insert(signature.clone(), self.signatures.len());
        self.signatures.push(signature);
        self.edges.push(Vec::new());
        self.signatures.len() - 1
    }

    /// Which predicates are, or depend on, one of these?
    fn depending(&self, roots: &[&str]) -> Vec<bool> {
        let mut marked: Vec<bool> =
            self.signatures.iter().map(|(name, _)| roots.contains(&&**name)).collect();
        loop {
            let before = marked.iter().filter(|m| **m).count();
            for (number, edges) in self.edges.iter().enumerate() {
                marked[number] |= edges.iter().any(|(to, _, _)| marked[*to]);
            }
            if marked.iter().filter(|m| **m).count() == before {
                return marked;
            }
        }
    }

    /// Components by reachability both ways; games have some dozens of predicates.
    fn components(&self) -> Vec<usize> {
        let reach: Vec<Vec<bool>> = (0..self.signatures.len())
            .map(|start| {
                let mut seen = vec![false; self.signatures.len()];
                let mut open = vec![start];
                while let Some(at) = open.pop() {
                    for (to, _, _) in &self.edges[at] {
                        if !std::mem::replace(&mut seen[*to], true) {
                            open.push(*to);
                        }
                    }
                }
                seen
            })
            .collect();
        let same = |a: usize, b: usize| a == b || (reach[a][b] && reach[b][a]);
        (0..self.signatures.len()).map(|n| (0..=n).find(|m| same(n, *m)).unwrap_or(n)).collect()
    }

    fn find(&self, signature: &Signature) -> Option<usize> {
        self.numbers.get(signature).copied()
    }

    /// Can the predicate change from state to state?
    pub fn is_dynamic(&self, signature: &Signature) -> bool {
        self.find(signature).is_some_and(|n| self.dynamic[n])
    }

    /// Does the predicate depend on the moves made?
    pub fn depends_on_moves(&self, signature: &Signature) -> bool {
        self.find(signature).is_some_and(|n| self.moving[n])
    }

    /// Do the predicates depend on each other?
    pub fn recursive(&self, a: &Signature, b: &Signature) -> bool {
        match (self.find(a), self.find(b)) {
            (Some(a), Some(b)) => {
                self.component[a] == self.component[b] && (a != b || self.edges[a].iter().any(|e| e.0 == a))
            }
            _ => false,
        }
    }

    /// The predicates whose atoms stand among the statics of a task: those that depend neither on the state nor on
    /// moves, without `base`, `init` and the targets.
    pub fn printed_statics(&self, game: &Game) -> Vec<Signature> {
        let out = ["base", "init", "legal", "next", "goal", "terminal", "true", "does"];
        let mut found: Vec<Signature> = game.clauses.iter().map(|c| c.head.signature()).collect();
        found.retain(|s| !out.contains(&&*s.0) && !self.is_dynamic(s));
        found.sort();
        found.dedup();
        found
    }

    /// The helper predicates that change with the state or the moves.
    pub fn derived(&self, game: &Game) -> Vec<Signature> {
        let out = ["base", "input", "init", "role", "legal", "next", "goal", "terminal"];
        let mut found: Vec<Signature> = game.clauses.iter().map(|c| c.head.signature()).collect();
        found.retain(|s| !out.contains(&&*s.0) && self.is_dynamic(s));
        found.sort();
        found.dedup();
        found
    }
}
