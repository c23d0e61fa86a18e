//! A planning domain to what it says, by itself: a plain interpreter of PDDL that shares the reader of parentheses with the
//! importer, and nothing else.
//!
//! Parameters are bound one after another: by the atoms of a condition that must be true, or else object by object; each
//! condition is looked at as soon as all it names is bound. Derived predicates are worked out in the order of their first
//! rules, each until nothing is added, so a rule may read those before it in any way and its own predicate without negation.

use std::collections::{BTreeMap, BTreeSet};

use racgen::logic::expressions::{Expression, expressions};

/// An atom as its words: `at c1 north`.
pub type Atom = Vec<String>;

/// What is true, and the numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    pub atoms: BTreeSet<Atom>,
    pub numbers: BTreeMap<Atom, i64>,
}

/// Names with their types.
type Typed = Vec<(String, Vec<String>)>;

struct Action {
    name: String,
    parameters: Typed,
    precondition: Option<Expression>,
    effect: Option<Expression>,
}

/// A domain with the objects of a world.
pub struct Judge {
    parents: BTreeMap<String, String>,
    constants: Typed,
    actions: Vec<Action>,
    derived: Vec<(String, Typed, Expression)>,
    /// The objects of the world.
    pub objects: Typed,
}

fn word(expression: &Expression) -> &str {
    match expression {
        Expression::Word(word, _) => word,
        Expression::List(..) => panic!("a word is needed"),
    }
}

fn list(expression: &Expression) -> &[Expression] {
    match expression {
        Expression::List(list, _) => list,
        Expression::Word(word, _) => panic!("a list is needed in place of {word}"),
    }
}

fn typed(written: &[Expression]) -> Typed {
    let (mut done, mut open) = (Typed::new(), Vec::new());
    let mut at = 0;
    while at < written.len() {
        if matches!(&written[at], Expression::Word(w, _) if w == "-") {
            let types = match &written[at + 1] {
                Expression::Word(word, _) => vec![word.clone()],
                Expression::List(either, _) => either[1..].iter().map(|w| word(w).to_owned()).collect(),
            };
            done.extend(open.drain(..).map(|name| (name, types.clone())));
            at += 2;
        } else {
            open.push(word(&written[at]).to_owned());
            at += 1;
        }
    }
    done.extend(open.into_iter().map(|name| (name, vec!["object".to_owned()])));
    done
}

/// Sections of a definition.
fn sections(text: &str) -> Vec<Expression> {
    let all = expressions(text, "judged.pddl").unwrap();
    list(&all[0])[2..].to_vec()
}

/// The atoms and numbers of a problem's initial state, and its objects.
pub fn problem(text: &str) -> (Typed, State) {
    let (mut objects, mut state) = (Typed::new(), State::default());
    for section in sections(text) {
        let parts = list(&section);
        match word(&parts[0]) {
            ":objects" => objects = typed(&parts[1..]),
            ":init" => {
                for fact in &parts[1..] {
                    let parts = list(fact);
                    if word(&parts[0]) == "=" {
                        let function = list(&parts[1]).iter().map(|w| word(w).to_owned()).collect();
                        state.numbers.insert(function, word(&parts[2]).parse().unwrap());
                    } else {
                        state.atoms.insert(parts.iter().map(|w| word(w).to_owned()).collect());
                    }
                }
            }
            _ => {}
        }
    }
    (objects, state)
}

/// The words that are no predicates.
const WORDS: [&str; 11] = ["and", "or", "not", "imply", "forall", "exists", "=", "<", "<=", ">", ">="];

fn is_atom(condition: &Expression) -> bool {
    list(condition).first().is_some_and(|head| !WORDS.contains(&word(head)))
}

fn starts(formula: &Expression, with: &str) -> bool {
    matches!(list(formula).first(), Some(Expression::Word(head, _)) if head == with)
}

/// What must be true together for a formula to hold.
fn conjuncts(formula: &Expression) -> Vec<&Expression> {
    match starts(formula, "and") {
        true => list(formula)[1..].iter().flat_map(conjuncts).collect(),
        false => vec![formula],
    }
}

/// What makes a formula hold, each by itself.
fn cases(formula: &Expression) -> Vec<&Expression> {
    match starts(formula, "or") {
        true => list(formula)[1..].iter().flat_map(cases).collect(),
        false => vec![formula],
    }
}

/// Does a formula name what is open? A variable of its own with the same name counts, too, which only makes it wait.
fn mentions(formula: &Expression, is_open: &impl Fn(&str) -> bool) -> bool {
    match formula {
        Expression::Word(word, _) => is_open(word),
        Expression::List(parts, _) => parts.iter().any(|part| mentions(part, is_open)),
    }
}

/// What stands for a variable.
type Names = BTreeMap<String, String>;

impl Judge {
    pub fn new(text: &str) -> Judge {
        let mut judge = Judge {
            parents: BTreeMap::new(),
            constants: Vec::new(),
            actions: Vec::new(),
            derived: Vec::new(),
            objects: Vec::new(),
        };
        for section in sections(text) {
            let parts = list(&section);
            match word(&parts[0]) {
                ":types" => {
                    judge
                        .parents
                        .extend(typed(&parts[1..]).into_iter().map(|(name, up)| (name, up[0].clone())));
                }
                ":constants" => judge.constants = typed(&parts[1..]),
                ":derived" => {
                    let head = list(&parts[1]);
                    judge.derived.push((word(&head[0]).to_owned(), typed(&head[1..]), parts[2].clone()));
                }
                ":action" => {
                    let part = |key: &str| {
                        let at = parts.iter().position(|p| matches!(p, Expression::Word(w, _) if w == key));
                        at.map(|at| parts[at + 1].clone())
                    };
                    judge.actions.push(Action {
                        name: word(&parts[1]).to_owned(),
                        parameters: part(":parameters").map_or(Vec::new(), |p| typed(list(&p))),
                        precondition: part(":precondition"),
                        effect: part(":effect"),
                    });
                }
                _ => {}
            }
        }
        judge
    }

    /// The domain in a world with these objects.
    pub fn with(mut self, objects: &[(String, Vec<String>)]) -> Judge {
        self.objects = self.constants.clone();
        for (name, types) in objects {
            if !self.objects.iter().any(|(known, _)| known == name) {
                self.objects.push((name.clone(), types.clone()));
            }
        }
        self
    }

    fn fits(&self, object: &str, types: &[String]) -> bool {
        let own = &self.objects.iter().find(|(name, _)| name == object).unwrap().1[0];
        let mut here = Some(own);
        while let Some(kind) = here {
            if types.contains(kind) {
                return true;
            }
            here = self.parents.get(kind);
        }
        types.iter().any(|kind| kind == "object")
    }

    /// All ways to give objects to parameters so that these conditions hold.
    fn ways(
        &self,
        parameters: &[(String, Vec<String>)],
        conditions: &[&Expression],
        names: &Names,
        state: &State,
    ) -> Vec<Names> {
        let mut names = names.clone();
        parameters.iter().for_each(|(name, _)| drop(names.remove(name)));
        let open: Vec<&(String, Vec<String>)> = parameters.iter().collect();
        let mut found = Vec::new();
        self.bind(&open, conditions, names, state, &mut found);
        found
    }

    /// Binds what is open of the parameters.
    fn bind(
        &self,
        open: &[&(String, Vec<String>)],
        conditions: &[&Expression],
        names: Names,
        state: &State,
        found: &mut Vec<Names>,
    ) {
        let is_open = |name: &str| open.iter().any(|(own, _)| own == name);
        let (later, now): (Vec<&Expression>, Vec<&Expression>) =
            conditions.iter().copied().partition(|condition| mentions(condition, &is_open));
        if !now.iter().all(|condition| self.holds(condition, &names, state)) {
            return;
        }
        let Some((first, types)) = open.first() else { return found.push(names) };
        let left = |names: &Names| -> Vec<&(String, Vec<String>)> {
            open.iter().copied().filter(|(name, _)| !names.contains_key(name)).collect()
        };
        // The atom that says most of what is open.
        let unbound = |parts: &[Expression]| parts.iter().filter(|part| is_open(word(part))).count();
        let atoms = later.iter().copied().filter(|condition| is_atom(condition)).map(list);
        if let Some(parts) = atoms.min_by_key(|parts| unbound(parts)) {
            let from = vec![word(&parts[0]).to_owned()];
            let of = state.atoms.range(from..).take_while(|atom| atom[0] == word(&parts[0]));
            for atom in of.filter(|atom| atom.len() == parts.len()) {
                let mut names = names.clone();
                let fits = parts.iter().zip(atom).skip(1).all(|(part, object)| {
                    let name = word(part);
                    let known = names.get(name).cloned();
                    match (known, open.iter().find(|(own, _)| own == name)) {
                        (Some(known), _) => known == *object,
                        (None, None) => name == object,
                        (None, Some((_, types))) => {
                            names.insert(name.to_owned(), object.clone());
                            self.fits(object, types)
                        }
                    }
                });
                if fits {
                    self.bind(&left(&names), &later, names, state, found);
                }
            }
            return;
        }
        for (object, _) in self.objects.iter().filter(|(object, _)| self.fits(object, types)) {
            let mut names = names.clone();
            names.insert(first.clone(), object.clone());
            self.bind(&open[1..], &later, names, state, found);
        }
    }

    /// The state with what is derived in it.
    fn derive(&self, state: &State) -> State {
        let mut full = state.clone();
        let mut order: Vec<&String> = Vec::new();
        for (name, ..) in &self.derived {
            if !order.contains(&name) {
                order.push(name);
            }
        }
        for name in order {
            loop {
                let mut added = BTreeSet::new();
                for (_, parameters, condition) in self.derived.iter().filter(|(own, ..)| own == name) {
                    for case in cases(condition) {
                        for names in self.ways(parameters, &conjuncts(case), &Names::new(), &full) {
                            let arguments = parameters.iter().map(|(p, _)| names[p].clone());
                            added.insert(std::iter::once(name.clone()).chain(arguments).collect());
                        }
                    }
                }
                let before = full.atoms.len();
                full.atoms.extend::<BTreeSet<Atom>>(added);
                if full.atoms.len() == before {
                    break;
                }
            }
        }
        full
    }

    fn value(&self, expression: &Expression, names: &Names, state: &State) -> Option<i64> {
        if let Expression::Word(word, _) = expression {
            return word.parse().ok();
        }
        let parts = list(expression);
        let of = |at: usize| self.value(&parts[at], names, state);
        match word(&parts[0]) {
            "+" => Some(of(1)? + of(2)?),
            "-" => Some(of(1)? - of(2)?),
            "*" => Some(of(1)? * of(2)?),
            _ => state.numbers.get(&ground(parts, names)).copied(),
        }
    }

    fn holds(&self, formula: &Expression, names: &Names, state: &State) -> bool {
        let parts = list(formula);
        let Some(head) = parts.first() else { return true };
        match word(head) {
            "and" => parts[1..].iter().all(|part| self.holds(part, names, state)),
            "or" => parts[1..].iter().any(|part| self.holds(part, names, state)),
            "not" => !self.holds(&parts[1], names, state),
            "imply" => !self.holds(&parts[1], names, state) || self.holds(&parts[2], names, state),
            "forall" => {
                let all = self.ways(&typed(list(&parts[1])), &[], names, state);
                all.iter().all(|way| self.holds(&parts[2], way, state))
            }
            "exists" => !self.ways(&typed(list(&parts[1])), &conjuncts(&parts[2]), names, state).is_empty(),
            "=" if matches!((&parts[1], &parts[2]), (Expression::Word(..), Expression::Word(..))) => {
                named(&parts[1], names) == named(&parts[2], names)
            }
            sign @ ("=" | "<" | "<=" | ">" | ">=") => {
                let values = (self.value(&parts[1], names, state), self.value(&parts[2], names, state));
                let (Some(a), Some(b)) = values else { return false };
                match sign {
                    "=" => a == b,
                    "<" => a < b,
                    "<=" => a <= b,
                    ">" => a > b,
                    _ => a >= b,
                }
            }
            _ => state.atoms.contains(&ground(parts, names)),
        }
    }

    /// What an effect adds, deletes and sets.
    fn effect(
        &self,
        effect: &Expression,
        names: &Names,
        state: &State,
        out: &mut (BTreeSet<Atom>, BTreeSet<Atom>, Vec<(Atom, i64)>),
    ) {
        let parts = list(effect);
        let Some(head) = parts.first() else { return };
        match word(head) {
            "and" => parts[1..].iter().for_each(|part| self.effect(part, names, state, out)),
            "not" => drop(out.1.insert(ground(list(&parts[1]), names))),
            "when" => {
                if self.holds(&parts[1], names, state) {
                    self.effect(&parts[2], names, state, out);
                }
            }
            "forall" => {
                let inner = list(&parts[2]);
                let (conditions, inner) = match inner.first() {
                    Some(Expression::Word(head, _)) if head == "when" => (conjuncts(&inner[1]), &inner[2]),
                    _ => (Vec::new(), &parts[2]),
                };
                for names in self.ways(&typed(list(&parts[1])), &conditions, names, state) {
                    self.effect(inner, &names, state, out);
                }
            }
            sign @ ("assign" | "increase" | "decrease") => {
                let function = ground(list(&parts[1]), names);
                if function[0] == "total-cost" {
                    return;
                }
                let value = self.value(&parts[2], names, state).unwrap();
                let now = state.numbers[&function];
                let new = match sign {
                    "assign" => value,
                    "increase" => now + value,
                    _ => now - value,
                };
                out.2.push((function, new));
            }
            _ => drop(out.0.insert(ground(parts, names))),
        }
    }

    /// The actions that can be carried out, each with its arguments, and the states that they lead to.
    pub fn successors(&self, state: &State) -> BTreeMap<Atom, State> {
        let full = self.derive(state);
        let mut found = BTreeMap::new();
        for action in &self.actions {
            let conditions = action.precondition.as_ref().map_or(Vec::new(), conjuncts);
            for names in self.ways(&action.parameters, &conditions, &Names::new(), &full) {
                let mut changes = Default::default();
                if let Some(effect) = &action.effect {
                    self.effect(effect, &names, &full, &mut changes);
                }
                let (added, deleted, set) = changes;
                let mut next = state.clone();
                next.atoms.retain(|atom| !deleted.contains(atom));
                next.atoms.extend(added);
                next.numbers.extend(set);
                let arguments = action.parameters.iter().map(|(p, _)| names[p].clone());
                found.insert(std::iter::once(action.name.clone()).chain(arguments).collect(), next);
            }
        }
        found
    }

    /// The state with what is derived, too.
    pub fn told(&self, state: &State) -> State {
        self.derive(state)
    }
}

fn named(argument: &Expression, names: &Names) -> String {
    let word = word(argument);
    names.get(word).cloned().unwrap_or_else(|| word.to_owned())
}

fn ground(parts: &[Expression], names: &Names) -> Atom {
    parts.iter().map(|part| named(part, names)).collect()
}
