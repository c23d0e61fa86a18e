//! Positions of terms to classes that share a type, by union and find.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap as HashMap;

/// A place in a term: predicate or function, number of arguments, which argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Position {
    pub(super) predicate: bool,
    pub(super) name: Arc<str>,
    pub(super) arity: usize,
    pub(super) argument: usize,
}

/// A constant or function.
pub(super) type Symbol = (Arc<str>, usize);

/// Positions that share a type, and the symbols that stand there.
#[derive(Default)]
pub(super) struct TypeClasses {
    positions: HashMap<Position, usize>,
    pub(super) by_number: Vec<Position>,
    /// Union-find.
    pub(super) parent: Vec<usize>,
    pub(super) symbols: Vec<BTreeSet<Symbol>>,
}

impl TypeClasses {
    pub(super) fn position(
        &mut self,
        predicate: bool,
        name: &Arc<str>,
        arity: usize,
        argument: usize,
    ) -> usize {
        let alias = match &**name {
            "next" | "init" | "base" if predicate => "true",
            "legal" | "input" if predicate => "does",
            name => name,
        };
        let position = Position { predicate, name: alias.into(), arity, argument };
        if let Some(number) = self.positions.get(&position) {
            return *number;
        }
        let number = self.parent.len();
        self.parent.push(number);
        self.symbols.push(BTreeSet::new());
        self.by_number.push(position.clone());
        self.positions.insert(position, number);
        number
    }

    pub(super) fn root(&mut self, mut at: usize) -> usize {
        while self.parent[at] != at {
            self.parent[at] = self.parent[self.parent[at]];
            at = self.parent[at];
        }
        at
    }

    pub(super) fn union(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        let (low, high) = (a.min(b), a.max(b));
        if low != high {
            self.parent[high] = low;
            let symbols = std::mem::take(&mut self.symbols[high]);
            self.symbols[low].extend(symbols);
        }
    }

    /// The root of a position, without shortening the way to it.
    pub(super) fn root_of(&self, mut at: usize) -> usize {
        while self.parent[at] != at {
            at = self.parent[at];
        }
        at
    }
}
