//! Type signatures: read, written, inferred from rules, and turned into all atoms that they allow (section 4.2).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use racgen_logic::fault::Fault;
use racgen_logic::term::Term;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::games::gdl::syntax::{Game, GdlAtom, GdlLiteral, GdlPattern, TextPlace};
use crate::games::play::ground_game::{GroundGame, order};

/// Atoms that a signature may allow for one relation.
const MOST_ATOMS: usize = 5_000_000;
/// So many atoms are fine for any game.
const FEW_ATOMS: usize = 20_000;
/// How many times more atoms inferred types may allow than the game reaches.
const ROOM: usize = 20;
/// How deep types may nest.
const DEEPEST: usize = 20;

/// How the file of inferred types is called, before the name of the game's.
const INFERRED: &str = "the types of ";

/// `name :: argument -> argument -> result`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// A constant, function or predicate, as printed.
    pub name: Arc<str>,
    /// Types of the arguments.
    pub arguments: Vec<Arc<str>>,
    /// Type of the result; `bool` for predicates.
    pub result: Arc<str>,
}

/// The types of a game.
#[derive(Clone, Debug, Default)]
pub struct Types {
    /// The file, as the user called it, or what stands for it.
    pub file: String,
    /// All declarations, in order.
    pub declarations: Vec<Declaration>,
    /// Subtype and supertype.
    pub below: Vec<(Arc<str>, Arc<str>)>,
    /// Functions, with their numbers of arguments, of which the types allow more terms than memory should hold: how many
    /// these are, and the terms that the game can reach, which are listed instead.
    pub listed: BTreeMap<(Arc<str>, usize), (usize, Vec<Term>)>,
}

impl Types {
    /// Reads the language of section 4.2. Declarations may repeat.
    ///
    /// # Errors
    /// The first fault, with line and column.
    ///
    /// ```
    /// use racgen::games::play::types::Types;
    /// let types = Types::read("true :: prop -> bool. at :: pos -> prop. 1, 2 :: pos.", "a.typ").unwrap();
    /// assert_eq!(types.declarations.len(), 4);
    /// let fault = Types::read("1, 2 : pos.", "a.typ").unwrap_err();
    /// assert!(fault.to_string().starts_with("a.typ:1:6: "), "{fault}");
    /// ```
    pub fn read(text: &str, file: &str) -> Result<Types, Fault> {
        let mut types = Types { file: file.to_owned(), ..Types::default() };
        let mut words: Vec<(String, TextPlace)> = Vec::new();
        let fault = |place: TextPlace, cause: String| Fault {
            place: format!("{file}:{}:{}", place.line, place.column),
            cause,
            remedy: "write `a, b :: type -> result.` or `subtype :> type.`".into(),
        };
        for (number, line) in text.lines().enumerate() {
            let line = line.split('%').next().unwrap_or_default();
            let mut column = 0;
            let mut word = String::new();
            let mut start = 0;
            for c in line.chars().chain([' ']) {
                column += 1;
                if !(c.is_whitespace() || c == ',' || c == '.') {
                    if word.is_empty() {
                        start = column;
                    }
                    word.push(c);
                    continue;
                }
                if !word.is_empty() {
                    let place = TextPlace { line: number as u32 + 1, column: start };
                    signs_apart(&std::mem::take(&mut word), place, &mut words);
                }
                if c == '.' {
                    types.statement(&std::mem::take(&mut words)).map_err(|(p, cause)| fault(p, cause))?;
                }
            }
        }
        match words.first() {
            Some((_, place)) => {
                Err(fault(*place, "the last declaration does not end with a full stop".into()))
            }
            None => Ok(types),
        }
    }

    fn statement(&mut self, words: &[(String, TextPlace)]) -> Result<(), (TextPlace, String)> {
        let Some((_, start)) = words.first() else { return Ok(()) };
        let sign = words.iter().position(|(w, _)| w == "::" || w == ":>");
        let Some(at) = sign.filter(|at| *at > 0 && at + 1 < words.len()) else {
            let odd = words.iter().find(|(w, _)| w.contains(':'));
            let (word, place) = odd.map_or(("this", *start), |(w, p)| (w, *p));
            return Err((place, format!("`{word}` declares nothing")));
        };
        let name = |(word, place): &(String, TextPlace)| match word.as_str() {
            "::" | ":>" | "->" => Err((*place, format!("`{word}` stands where a name is needed"))),
            word => Ok(Arc::<str>::from(word)),
        };
        let left = words[..at].iter().map(name).collect::<Result<Vec<_>, _>>()?;
        let mut right = Vec::new();
        for (index, word) in words[at + 1..].iter().enumerate() {
            if index % 2 == 0 {
                right.push(name(word)?);
            } else if word.0 != "->" {
                return Err((word.1, format!("`{}` stands where `->` is needed", word.0)));
            }
        }
        let Some(result) = right.pop().filter(|_| (words.len() - at).is_multiple_of(2)) else {
            return Err((words[words.len() - 1].1, "the declaration ends with an arrow".into()));
        };
        if words[at].0 == ":>" {
            self.below.extend(left.into_iter().map(|sub| (sub, result.clone())));
        } else {
            self.declarations.extend(left.into_iter().map(|name| Declaration {
                name,
                arguments: right.clone(),
                result: result.clone(),
            }));
        }
        Ok(())
    }

    /// All ground atoms that the signature allows for a predicate, in the order of the published data: subtypes
    /// first, then a type's own symbols by their bytes; the first argument of a product varies fastest.
    ///
    /// # Errors
    /// Types without an end, and more atoms than memory should hold.
    pub fn atoms(&self, game: &Game, predicate: &str) -> Result<Vec<Term>, Fault> {
        let mut spread = Spread { types: self, game, known: HashMap::default() };
        let mut found = Vec::new();
        let mut seen = HashSet::default();
        for declaration in &self.declarations {
            if declaration.name.eq_ignore_ascii_case(predicate) && &*declaration.result == "bool" {
                for atom in spread.product(declaration, 0)? {
                    if seen.insert(atom.clone()) {
                        found.push(atom);
                    }
                }
            }
        }
        Ok(found)
    }

    fn fault(&self, cause: String) -> Fault {
        let remedy = match self.file.starts_with(INFERRED) {
            true => "the game builds terms that its tasks cannot list; bound them",
            false => "correct the types, or leave the file out to have them inferred",
        };
        Fault { place: self.file.clone(), cause, remedy: remedy.into() }
    }

    /// Types inferred from a game's rules: argument positions that share a variable share a type; where the symbols
    /// of two types overlap, what they share becomes a subtype of both.
    ///
    /// Where these types allow far more than the game reaches, each position gets a type of its own instead: the
    /// symbols that stand there in any atom that the game can reach.
    pub fn infer(arena: &GroundGame) -> Types {
        let mut inference = Inference::default();
        inference.game(&arena.game);
        let types = inference.types(&arena.game);
        let Some(whole) = &arena.whole else { return types };
        let reached = [("next", whole.fluents.len()), ("legal", whole.moves.len())];
        let fits = |(target, reached): &(&str, usize)| {
            let allowed = types.size(target);
            allowed <= FEW_ATOMS || allowed <= reached.saturating_mul(ROOM)
        };
        if reached.iter().all(fits) {
            return types;
        }
        let mut inference = Inference::default();
        inference.reached(arena, whole);
        inference.types(&arena.game)
    }

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

    /// Lists what a game can reach of functions of which these types allow too many terms.
    pub fn bounded(mut self, arena: &GroundGame) -> Types {
        let Some(whole) = &arena.whole else { return self };
        let actions = whole.moves.iter().map(|(_, action)| action);
        let mut found: BTreeMap<(Arc<str>, usize), BTreeSet<&Term>> = BTreeMap::new();
        for term in whole.fluents.iter().chain(actions).filter(|term| !term.args().is_empty()) {
            let key = (Arc::from(term.functor().to_lowercase()), term.args().len());
            found.entry(key).or_default().insert(term);
        }
        for (key, terms) in found {
            let allowed = self.terms_of(&key);
            if allowed > MOST_ATOMS {
                let mut terms: Vec<Term> = terms.into_iter().cloned().collect();
                terms.sort_by(order);
                self.listed.insert(key, (allowed, terms));
            }
        }
        self
    }

    /// A sentence for each function of which only what the game can reach is listed.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for ((name, arity), (allowed, terms)) in &self.listed {
            let reached = terms.len();
            notes.push(format!(
                "of the {allowed} terms `{name}/{arity}` that the types allow, the {reached} that can be reached"
            ));
        }
        notes
    }

    /// How many atoms the signature allows for a predicate, counting what two types share twice.
    fn size(&self, predicate: &str) -> usize {
        self.count(&|d| &*d.result == "bool" && d.name.eq_ignore_ascii_case(predicate))
    }

    /// How many terms of a function it allows.
    fn terms_of(&self, (name, arity): &(Arc<str>, usize)) -> usize {
        self.count(&|d| {
            &*d.result != "bool" && d.arguments.len() == *arity && d.name.eq_ignore_ascii_case(name)
        })
    }

    /// How many terms these declarations allow.
    fn count(&self, wanted: &dyn Fn(&Declaration) -> bool) -> usize {
        // Without what is known, types that contain themselves twice would be counted over and over.
        type Known<'a> = HashMap<(&'a str, usize), usize>;
        fn of<'a>(types: &'a Types, name: &'a str, depth: usize, known: &mut Known<'a>) -> usize {
            if depth > DEEPEST {
                return usize::MAX;
            }
            if let Some(count) = known.get(&(name, depth)) {
                return *count;
            }
            let mut count = 0_usize;
            for (sub, _) in types.below.iter().filter(|(_, sup)| **sup == *name) {
                count = count.saturating_add(of(types, sub, depth + 1, known));
            }
            for declaration in types.declarations.iter().filter(|d| *d.result == *name) {
                count = count.saturating_add(product(types, declaration, depth + 1, known));
            }
            known.insert((name, depth), count);
            count
        }
        fn product<'a>(
            types: &'a Types,
            declaration: &'a Declaration,
            depth: usize,
            known: &mut Known<'a>,
        ) -> usize {
            declaration.arguments.iter().fold(1, |all, a| all.saturating_mul(of(types, a, depth, known)))
        }
        let mut known = Known::default();
        let all = self.declarations.iter().filter(|d| wanted(d));
        all.map(|d| product(self, d, 0, &mut known)).fold(0, usize::saturating_add)
    }

    /// The first of these atoms that the signature does not allow.
    pub fn misses<'t>(
        &self,
        game: &Game,
        predicate: &str,
        atoms: &'t [Term],
    ) -> Result<Option<&'t Term>, Fault> {
        let allowed: HashSet<Term> = self.atoms(game, predicate)?.into_iter().collect();
        Ok(atoms.iter().find(|atom| !allowed.contains(*atom)))
    }
}

impl fmt::Display for Types {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Declarations of the same type share a line.
        let mut left: Vec<&Declaration> = self.declarations.iter().collect();
        while let Some(first) = left.first().copied() {
            let same = |d: &Declaration| d.arguments == first.arguments && d.result == first.result;
            let names: Vec<&str> = left.iter().filter(|d| same(d)).map(|d| &*d.name).collect();
            let right: Vec<&str> =
                first.arguments.iter().chain([&first.result]).map(|name| &**name).collect();
            writeln!(f, "{} :: {}.\n", names.join(", "), right.join(" -> "))?;
            left.retain(|d| !same(d));
        }
        for (sub, sup) in &self.below {
            writeln!(f, "{sub} :> {sup}.\n")?;
        }
        self.notes().iter().try_for_each(|note| writeln!(f, "% Listed in tasks: {note}."))
    }
}

/// Parts a word where a sign stands in it without blanks around it, as in `int->`.
fn signs_apart(word: &str, place: TextPlace, words: &mut Vec<(String, TextPlace)>) {
    let mut start = 0;
    let mut push = |from: usize, to: usize| {
        if from < to {
            let column = place.column + word[..from].chars().count() as u32;
            words.push((word[from..to].to_owned(), TextPlace { column, ..place }));
        }
    };
    for (at, sign) in word.char_indices().filter_map(|(at, _)| word.get(at..at + 2).map(|sign| (at, sign))) {
        if at >= start && matches!(sign, "->" | "::" | ":>") {
            push(start, at);
            push(at, at + 2);
            start = at + 2;
        }
    }
    push(start, word.len());
}

/// Types to their terms.
struct Spread<'a> {
    types: &'a Types,
    game: &'a Game,
    known: HashMap<Arc<str>, Vec<Term>>,
}

impl Spread<'_> {
    fn of(&mut self, name: &Arc<str>, depth: usize) -> Result<Vec<Term>, Fault> {
        if let Some(known) = self.known.get(name) {
            return Ok(known.clone());
        }
        if depth > DEEPEST {
            return Err(self
                .types
                .fault(format!("the type `{name}` contains itself, so its terms have no end")));
        }
        let mut all = Vec::new();
        for (sub, _) in self.types.below.iter().filter(|(_, sup)| sup == name) {
            all.extend(self.of(sub, depth + 1)?);
        }
        let mut own: Vec<&Declaration> =
            self.types.declarations.iter().filter(|d| d.result == *name).collect();
        own.sort_by(|a, b| a.name.as_bytes().cmp(b.name.as_bytes()));
        for declaration in own {
            all.extend(self.product(declaration, depth + 1)?);
        }
        let mut seen = HashSet::default();
        all.retain(|term| seen.insert(term.clone()));
        self.known.insert(name.clone(), all.clone());
        Ok(all)
    }

    fn product(&mut self, declaration: &Declaration, depth: usize) -> Result<Vec<Term>, Fault> {
        let key = (Arc::from(declaration.name.to_lowercase()), declaration.arguments.len());
        if &*declaration.result != "bool"
            && let Some((_, terms)) = self.types.listed.get(&key)
        {
            return Ok(terms.clone());
        }
        let mut lists = Vec::new();
        let mut count = 1_usize;
        for argument in &declaration.arguments {
            let list = self.of(argument, depth + 1)?;
            count = count.saturating_mul(list.len());
            lists.push(list);
        }
        if count > MOST_ATOMS {
            let cause = format!("`{}` has {count} atoms, more than {MOST_ATOMS}", declaration.name);
            return Err(self.types.fault(cause));
        }
        let folded = declaration.name.to_lowercase();
        let name: Arc<str> = self.game.printed.get(folded.as_str()).unwrap_or(&declaration.name).clone();
        let term = |mut rank: usize| {
            let pick = |list: &Vec<Term>| {
                let term = list[rank % list.len()].clone();
                rank /= list.len();
                term
            };
            Term::Function(name.clone(), lists.iter().map(pick).collect())
        };
        Ok((0..count).map(term).collect())
    }
}

/// A place in a term: predicate or function, number of arguments, which argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Position {
    predicate: bool,
    name: Arc<str>,
    arity: usize,
    argument: usize,
}

/// A constant or function.
type Symbol = (Arc<str>, usize);

#[derive(Default)]
struct Inference {
    positions: HashMap<Position, usize>,
    by_number: Vec<Position>,
    /// Union-find.
    parent: Vec<usize>,
    symbols: Vec<BTreeSet<Symbol>>,
}

impl Inference {
    fn position(&mut self, predicate: bool, name: &Arc<str>, arity: usize, argument: usize) -> usize {
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

    fn root(&mut self, mut at: usize) -> usize {
        while self.parent[at] != at {
            self.parent[at] = self.parent[self.parent[at]];
            at = self.parent[at];
        }
        at
    }

    fn union(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        let (low, high) = (a.min(b), a.max(b));
        if low != high {
            self.parent[high] = low;
            let symbols = std::mem::take(&mut self.symbols[high]);
            self.symbols[low].extend(symbols);
        }
    }

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
    fn reached(&mut self, arena: &GroundGame, whole: &crate::games::play::ground_game::Whole) {
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

    fn types(mut self, game: &Game) -> Types {
        let names = self.names();
        let mut types = Types { file: format!("{INFERRED}{}", game.file), ..Types::default() };
        let name_of = |inference: &mut Inference, position: usize| -> Arc<str> {
            let root = inference.root(position);
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
                .filter(|n| self.positions_root(*n) == *root)
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

    fn positions_root(&self, mut at: usize) -> usize {
        while self.parent[at] != at {
            at = self.parent[at];
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_need_no_blanks() -> Result<(), Fault> {
        let types = Types::read("even, num::int-> bool. small:>int. 1,2 ::small.", "a.typ")?;
        assert_eq!(types.declarations.len(), 4);
        assert_eq!(&*types.declarations[0].arguments[0], "int");
        assert_eq!(types.below, [("small".into(), "int".into())]);
        let fault =
            Types::read("a :: int->\n ->b.", "a.typ").err().map(|f| f.to_string()).unwrap_or_default();
        assert!(fault.starts_with("a.typ:2:2: "), "{fault}");
        Ok(())
    }

    #[test]
    fn types_that_contain_themselves_are_counted_soon() -> Result<(), Fault> {
        let text = "next :: tree -> bool. pair, both, two :: tree -> tree -> tree. leaf :: tree.";
        assert_eq!(Types::read(text, "a.typ")?.size("next"), usize::MAX);
        let types = Types::read("next :: a -> b -> bool. 1, 2 :: a. a :> b. 3 :: b.", "a.typ")?;
        assert_eq!(types.size("next"), 6);
        Ok(())
    }
}
