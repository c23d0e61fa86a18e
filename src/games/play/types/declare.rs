//! Places of terms that share a type to declarations, with names for people.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use super::classes::{Position, Symbol, TypeClasses};
use super::signature::{Declaration, INFERRED, Types};
use crate::games::gdl::syntax::{Game, GdlLiteral, GdlPattern};

impl Types {
    /// The same with other names for types, in the same order.
    fn renamed(mut self, names: &HashMap<Arc<str>, Arc<str>>) -> Types {
        let of = |name: &Arc<str>| names.get(name).unwrap_or(name).clone();
        for declaration in &mut self.declarations {
            declaration.result = of(&declaration.result);
            declaration.arguments.iter_mut().for_each(|argument| *argument = of(argument));
        }
        self.below.iter_mut().for_each(|(sub, sup)| (*sub, *sup) = (of(sub), of(sup)));
        self
    }
}

impl TypeClasses {
    /// A name for the type of a class of positions.
    fn names(&mut self) -> HashMap<usize, Arc<str>> {
        let mut classes: BTreeMap<usize, Vec<Position>> = BTreeMap::new();
        for number in 0..self.parent.len() {
            let root = self.root(number);
            classes.entry(root).or_default().push(self.by_number[number].clone());
        }
        let mut used: HashSet<String> = ["bool".to_owned()].into_iter().collect();
        let mut names = HashMap::default();
        for (root, mut positions) in classes {
            positions.sort();
            let is = |name: &str, argument| {
                positions.iter().any(|p| p.predicate && &*p.name == name && p.argument == argument)
            };
            let number = |(name, arity): &Symbol| *arity == 0 && name.parse::<i64>().is_ok();
            let base = if is("true", 0) {
                "prop".to_owned()
            } else if is("does", 1) {
                "action".to_owned()
            } else if is("does", 0) {
                "agent".to_owned()
            } else if is("goal", 1) {
                "score".to_owned()
            } else if self.symbols[root].len() > 1 && self.symbols[root].iter().all(number) {
                "number".to_owned()
            } else {
                positions.first().map_or("thing".into(), |p| format!("{}_{}", p.name, p.argument + 1))
            };
            let mut name = base.clone();
            let mut count = 1;
            while !used.insert(name.clone()) {
                count += 1;
                name = format!("{base}_{count}");
            }
            names.insert(root, name.as_str().into());
        }
        names
    }

    /// The declarations of all positions.
    pub(super) fn types(mut self, game: &Game) -> Types {
        let names = self.names();
        let mut types = Types { file: format!("{INFERRED}{}", game.file), ..Types::default() };
        let name_of = |classes: &mut TypeClasses, position: usize| -> Arc<str> {
            let root = classes.root(position);
            names.get(&root).cloned().unwrap_or_else(|| "thing".into())
        };
        let mut predicates: BTreeMap<(Arc<str>, usize), ()> = BTreeMap::new();
        let mut functions: BTreeMap<(Arc<str>, usize), ()> = BTreeMap::new();
        fn collect(term: &GdlPattern, functions: &mut BTreeMap<(Arc<str>, usize), ()>) {
            if let GdlPattern::Function(name, arguments) = term {
                functions.insert((name.clone(), arguments.len()), ());
                arguments.iter().for_each(|a| collect(a, functions));
            }
        }
        for clause in &game.clauses {
            for atom in clause.body.iter().filter_map(GdlLiteral::atom).chain([&clause.head]) {
                predicates.insert(atom.signature(), ());
                atom.arguments.iter().for_each(|a| collect(a, &mut functions));
            }
        }
        for (name, arity) in
            [("true", 1), ("next", 1), ("does", 2), ("legal", 2), ("goal", 2), ("terminal", 0)]
        {
            predicates.insert((name.into(), arity), ());
        }
        for (name, arity) in predicates.into_keys() {
            let arguments = (0..arity)
                .map(|n| {
                    let position = self.position(true, &name, arity, n);
                    name_of(&mut self, position)
                })
                .collect();
            let name = game.print(&name).into();
            types.declarations.push(Declaration { name, arguments, result: "bool".into() });
        }

        // Symbols by the set of types that they belong to.
        let mut homes: BTreeMap<Symbol, BTreeSet<Arc<str>>> = BTreeMap::new();
        let mut sizes: BTreeMap<Arc<str>, usize> = BTreeMap::new();
        for root in 0..self.parent.len() {
            if self.parent[root] != root {
                continue;
            }
            let Some(name) = names.get(&root) else { continue };
            sizes.insert(name.clone(), self.symbols[root].len());
            for symbol in &self.symbols[root] {
                homes.entry(symbol.clone()).or_default().insert(name.clone());
            }
        }
        let mut groups: BTreeMap<BTreeSet<Arc<str>>, Vec<Symbol>> = BTreeMap::new();
        for (symbol, types) in homes {
            groups.entry(types).or_default().push(symbol);
        }
        let mut shared = 0;
        for (set, symbols) in groups {
            // A type that is all of the group stands for it; else the group gets a type of its own.
            let whole = set.iter().find(|name| sizes.get(*name) == Some(&symbols.len()));
            let name: Arc<str> = match whole {
                Some(name) => name.clone(),
                None if set.len() < 4 => set.iter().map(|n| &**n).collect::<Vec<_>>().join("_and_").into(),
                None => {
                    shared += 1;
                    format!("shared_{shared}").into()
                }
            };
            for sup in set.iter().filter(|sup| **sup != name) {
                types.below.push((name.clone(), sup.clone()));
            }
            for (symbol, arity) in symbols {
                let arguments = (0..arity)
                    .map(|n| {
                        let position = self.position(false, &symbol, arity, n);
                        name_of(&mut self, position)
                    })
                    .collect();
                let printed = game.print(&symbol).into();
                types.declarations.push(Declaration { name: printed, arguments, result: name.clone() });
            }
        }
        let better = self.better_names(game, &names, &types);
        types.renamed(&better)
    }

    /// Names for people in place of those that only say where a type occurs: what a predicate of one argument says of its
    /// terms, how the game's rules call the variable, or the function that has nothing else in it.
    fn better_names(
        &mut self,
        game: &Game,
        names: &HashMap<usize, Arc<str>>,
        types: &Types,
    ) -> HashMap<Arc<str>, Arc<str>> {
        let mut variables: HashMap<usize, BTreeMap<&str, usize>> = HashMap::default();
        for clause in &game.clauses {
            for atom in clause.body.iter().filter_map(GdlLiteral::atom).chain([&clause.head]) {
                let mut open: Vec<(bool, &Arc<str>, &[GdlPattern])> =
                    vec![(true, &atom.predicate, &atom.arguments)];
                while let Some((predicate, name, arguments)) = open.pop() {
                    for (number, argument) in arguments.iter().enumerate() {
                        match argument {
                            GdlPattern::Variable(v) => {
                                let position = self.position(predicate, name, arguments.len(), number);
                                let root = self.root(position);
                                let word = clause.variables[*v as usize]
                                    .trim_end_matches(|c: char| c.is_ascii_digit());
                                *variables.entry(root).or_default().entry(word).or_default() += 1;
                            }
                            GdlPattern::Function(name, inner) => open.push((false, name, inner)),
                        }
                    }
                }
            }
        }
        let of_games = ["prop", "action", "agent", "score", "number"];
        let word = |name: &str| {
            let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let sound = name.len() > 2
                && name.starts_with(|c: char| c.is_ascii_lowercase())
                && name.chars().all(letters);
            sound.then(|| name.to_owned())
        };
        let mut used: BTreeSet<String> = of_games.iter().map(|n| (*n).to_owned()).collect();
        used.insert("bool".to_owned());
        let mut roots: Vec<(&usize, &Arc<str>)> = names.iter().collect();
        roots.sort();
        let mut better: HashMap<Arc<str>, Arc<str>> = HashMap::default();
        for (root, name) in roots {
            if of_games.contains(&&**name) {
                continue;
            }
            let own: BTreeSet<&Position> = (0..self.parent.len())
                .filter(|n| self.root_of(*n) == *root)
                .map(|n| &self.by_number[n])
                .collect();
            let alone = |predicate: bool| {
                let mut lone = own.iter().filter(|p| p.predicate == predicate && p.arity == 1);
                lone.find_map(|p| word(&p.name))
            };
            let called = variables.get(root).and_then(|votes| {
                let sound = votes.iter().filter(|(name, _)| word(name).is_some());
                sound
                    .max_by_key(|(name, count)| (**count, std::cmp::Reverse(**name)))
                    .map(|(n, _)| (*n).to_owned())
            });
            let numeric = name.starts_with("number_").then(|| "number".to_owned());
            let base = alone(true).or(called).or_else(|| alone(false)).or(numeric).unwrap_or("thing".into());
            let base = base.to_lowercase();
            let mut chosen = base.clone();
            let mut count = 1;
            while !used.insert(chosen.clone()) {
                count += 1;
                chosen = format!("{base}_{count}");
            }
            better.insert(name.clone(), chosen.as_str().into());
        }
        // What several types share has a number.
        let mut shared = 0;
        let groups: BTreeSet<&Arc<str>> = types.below.iter().map(|(sub, _)| sub).collect();
        for group in groups {
            if names.values().any(|name| name == group) {
                continue;
            }
            loop {
                shared += 1;
                let name = format!("shared_{shared}");
                if used.insert(name.clone()) {
                    better.insert(group.clone(), name.as_str().into());
                    break;
                }
            }
        }
        better
    }
}
