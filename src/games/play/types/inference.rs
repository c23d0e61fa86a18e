//! Rules, or the atoms that a game reaches, to types: which places of terms share one.

use std::collections::BTreeSet;
use std::sync::Arc;

use racgen_logic::expressions::TextPlace;
use racgen_logic::term::Term;
use rustc_hash::FxHashMap as HashMap;

use super::classes::{Symbol, TypeClasses};
use super::signature::Types;
use crate::games::gdl::syntax::{Game, GdlAtom, GdlLiteral, GdlPattern};
use crate::games::play::ground_game::{GroundGame, Whole};

/// So many atoms are fine for any game.
const FEW_ATOMS: usize = 20_000;
/// How many times more atoms inferred types may allow than the game reaches.
const ROOM: usize = 20;

impl Types {
    /// Types inferred from a game's rules: argument positions that share a variable share a type; where the symbols
    /// of two types overlap, what they share becomes a subtype of both.
    ///
    /// Where these types allow far more than the game reaches, each position gets a type of its own instead: the
    /// symbols that stand there in any atom that the game can reach.
    pub fn infer(arena: &GroundGame) -> Types {
        let mut classes = TypeClasses::default();
        classes.game(&arena.game);
        let types = classes.types(&arena.game);
        let Some(whole) = &arena.whole else { return types };
        let reached = [("next", whole.fluents.len()), ("legal", whole.moves.len())];
        let fits = |(target, reached): &(&str, usize)| {
            let allowed = types.size(target);
            allowed <= FEW_ATOMS || allowed <= reached.saturating_mul(ROOM)
        };
        if reached.iter().all(fits) {
            return types;
        }
        let mut classes = TypeClasses::default();
        classes.reached(arena, whole);
        classes.types(&arena.game)
    }
}

impl TypeClasses {
    fn game(&mut self, game: &Game) {
        let roles = [("does", 2), ("goal", 2), ("role", 1)];
        let places: Vec<usize> =
            roles.iter().map(|(n, a)| self.position(true, &(*n).into(), *a, 0)).collect();
        places.windows(2).for_each(|pair| self.union(pair[0], pair[1]));
        let (_, _) = (self.position(true, &"does".into(), 2, 1), self.position(true, &"true".into(), 1, 0));
        for clause in &game.clauses {
            let mut seen: HashMap<u32, usize> = HashMap::default();
            self.atom(&clause.head, &mut seen);
            for atom in clause.body.iter().filter_map(GdlLiteral::atom) {
                self.atom(atom, &mut seen);
            }
            // Where two terms are equal, so are their types.
            for literal in &clause.body {
                if let GdlLiteral::Same(GdlPattern::Variable(a), GdlPattern::Variable(b), _) = literal
                    && let (Some(a), Some(b)) = (seen.get(a), seen.get(b))
                {
                    self.union(*a, *b);
                }
            }
        }
    }

    /// Positions with the symbols that reachable atoms have there; positions with the same symbols share a type.
    fn reached(&mut self, arena: &GroundGame, whole: &Whole) {
        fn pattern(term: &Term) -> GdlPattern {
            let name: Arc<str> = term.functor().to_lowercase().into();
            GdlPattern::Function(name, term.args().iter().map(pattern).collect())
        }
        let mut add = |name: &str, arguments: &[&Term]| {
            let arguments = arguments.iter().map(|t| pattern(t)).collect();
            let atom = GdlAtom { predicate: name.into(), arguments, place: TextPlace::default() };
            self.atom(&atom, &mut HashMap::default());
        };
        let role = |number: u32| &arena.roles[number as usize];
        arena.roles.iter().for_each(|r| add("role", &[r]));
        whole.fluents.iter().for_each(|f| add("true", &[f]));
        whole.moves.iter().for_each(|(r, m)| add("does", &[role(*r), m]));
        whole.goals.iter().for_each(|(r, v)| add("goal", &[role(*r), v]));
        for atom in &arena.statics {
            let arguments: Vec<&Term> = atom.args().iter().collect();
            add(&atom.functor().to_lowercase(), &arguments);
        }
        let roles = [("does", 2), ("goal", 2), ("role", 1)];
        let places: Vec<usize> =
            roles.iter().map(|(n, a)| self.position(true, &(*n).into(), *a, 0)).collect();
        places.windows(2).for_each(|pair| self.union(pair[0], pair[1]));
        let mut known: HashMap<BTreeSet<Symbol>, usize> = HashMap::default();
        for number in 0..self.parent.len() {
            let root = self.root(number);
            if self.symbols[root].is_empty() {
                continue;
            }
            let first = *known.entry(self.symbols[root].clone()).or_insert(root);
            self.union(first, root);
        }
    }

    fn atom(&mut self, atom: &GdlAtom, seen: &mut HashMap<u32, usize>) {
        for (index, argument) in atom.arguments.iter().enumerate() {
            let position = self.position(true, &atom.predicate, atom.arguments.len(), index);
            self.term(position, argument, seen);
        }
    }

    fn term(&mut self, position: usize, term: &GdlPattern, seen: &mut HashMap<u32, usize>) {
        match term {
            GdlPattern::Variable(v) => match seen.get(v) {
                Some(other) => self.union(*other, position),
                None => {
                    seen.insert(*v, position);
                }
            },
            GdlPattern::Function(name, arguments) => {
                let root = self.root(position);
                self.symbols[root].insert((name.clone(), arguments.len()));
                for (index, argument) in arguments.iter().enumerate() {
                    let inner = self.position(false, name, arguments.len(), index);
                    self.term(inner, argument, seen);
                }
            }
        }
    }
}
