//! Conditions to the bodies of rules, and to the auxiliary rules that these need.

use crate::invent::encode::symbols::TheorySymbols;
use crate::invent::theory::parts::{InventedTheory, KindNumber, TheoryCondition};

/// Variables of a rule: their types and their names.
pub(super) struct Scope {
    pub(super) kinds: Vec<KindNumber>,
    pub(super) names: Vec<String>,
}

impl Scope {
    pub(super) fn new(kinds: Vec<KindNumber>, symbols: &TheorySymbols) -> Scope {
        let names = symbols.variables(&kinds);
        Scope { kinds, names }
    }

    /// What types the variables have, and that those of one type are different things.
    pub(super) fn typing(&self, symbols: &TheorySymbols) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for (place, (kind, name)) in self.kinds.iter().zip(&self.names).enumerate() {
            all.push(format!("{}({name})", symbols.kinds[*kind]));
            let same = (0..place).filter(|other| self.kinds[*other] == *kind);
            all.extend(same.map(|other| format!("{} != {name}", self.names[other])));
        }
        all
    }

    pub(super) fn list(&self, of: &[usize]) -> String {
        of.iter().map(|v| self.names[*v].as_str()).collect::<Vec<_>>().join(",")
    }

    /// `open(D)`; `open` of nothing.
    pub(super) fn atom(&self, name: &str, of: &[usize]) -> String {
        applied(name, &self.list(of))
    }
}

/// A name with its arguments, if it has any.
pub(super) fn applied(name: &str, args: &str) -> String {
    if args.is_empty() { name.to_owned() } else { format!("{name}({args})") }
}

/// Writes conditions; may write them so that each can be switched off.
pub(super) struct Bodies<'t> {
    pub(super) theory: &'t InventedTheory,
    pub(super) symbols: &'t TheorySymbols,
    /// Is each condition, effect and case of a law to be switched?
    pub(super) switched: bool,
    /// How many switches there are.
    pub(super) switches: usize,
    /// Auxiliary rules, each once.
    pub(super) auxiliary: Vec<String>,
}

impl Bodies<'_> {
    fn auxiliary(&mut self, rule: String) {
        if !self.auxiliary.contains(&rule) {
            self.auxiliary.push(rule);
        }
    }

    /// The next switch, as a literal that is true as long as nothing is switched off; none where nothing is switched.
    pub(super) fn switch(&mut self) -> Option<String> {
        self.switched.then(|| {
            self.switches += 1;
            format!("not holds(off({}),T)", self.switches)
        })
    }

    /// A condition as literals; the number tells its own variables from those of others in the same rule.
    pub(super) fn literals(
        &mut self,
        condition: &TheoryCondition,
        number: usize,
        scope: &Scope,
    ) -> Vec<String> {
        let plain = self.plain_literals(condition, number, scope);
        if !self.switched {
            return plain;
        }
        self.switches += 1;
        let switch = self.switches;
        let mut variables = condition.variables();
        variables.dedup();
        let of_kind = |v: &usize| format!("{}({})", self.symbols.kinds[scope.kinds[*v]], scope.names[*v]);
        let typed = ["time(T)".to_owned()].into_iter().chain(variables.iter().map(of_kind));
        let typed = typed.collect::<Vec<_>>().join(", ");
        let args: Vec<&str> = variables.iter().map(|v| scope.names[*v].as_str()).collect();
        let head = format!("ok({})", [&[&*switch.to_string()], &*args, &["T"]].concat().join(","));
        self.auxiliary(format!("{head} :- {typed}, {}.", plain.join(", ")));
        self.auxiliary(format!("{head} :- {typed}, holds(off({switch}),T)."));
        vec![head]
    }

    fn plain_literals(&mut self, condition: &TheoryCondition, number: usize, scope: &Scope) -> Vec<String> {
        let (theory, symbols) = (self.theory, self.symbols);
        match condition {
            TheoryCondition::Is { positive, what, of } => {
                let atom = scope.atom(symbols.subject(*what), of);
                vec![if *positive { format!("holds({atom},T)") } else { format!("holds(neg({atom}),T)") }]
            }
            TheoryCondition::Static { relation, of } => {
                vec![format!("{}({})", symbols.statics[*relation], scope.list(of))]
            }
            TheoryCondition::SamePlace(one, other) => {
                let place = if number == 0 { "Place".to_owned() } else { format!("Place{number}") };
                let at = |v: &usize| {
                    let (name, kind) = (&scope.names[*v], scope.kinds[*v]);
                    match (theory.position(kind), theory.home(kind)) {
                        (Some(fluent), _) => format!("holds({}({name},{place}),T)", symbols.fluents[fluent]),
                        (None, Some(home)) => format!("{}({name},{place})", symbols.statics[home]),
                        (None, None) => "#false".to_owned(),
                    }
                };
                [one, other].map(at).to_vec()
            }
            TheoryCondition::Any { positive, fluent, open, of } => {
                let known = &symbols.fluents[*fluent];
                let kinds = &theory.fluents[*fluent].kinds;
                let [kind, other] = [1 - open, *open].map(|place| &symbols.kinds[kinds[place]]);
                let helper = format!("{}_{known}", if *open == 0 { "holding" } else { "put" });
                let args = if *open == 0 { "Y,X" } else { "X,Y" };
                self.auxiliary(format!("{helper}(X,T) :- {kind}(X), {other}(Y), holds({known}({args}),T)."));
                let atom = format!("{helper}({},T)", scope.names[*of]);
                vec![if *positive { atom } else { format!("not {atom}") }]
            }
            TheoryCondition::Company { positive, kind, of } => {
                // Rules of their own, whose variables are X and Y.
                let own = scope.kinds[*of];
                let [one, other] = [own, *kind].map(|kind| &symbols.kinds[kind]);
                let helper = format!("{one}_with_{other}");
                let at = |name: &str, kind: KindNumber| match (theory.position(kind), theory.home(kind)) {
                    (Some(fluent), _) => format!("holds({}({name},L),T)", symbols.fluents[fluent]),
                    (None, Some(home)) => format!("{}({name},L)", symbols.statics[home]),
                    (None, None) => "#false".to_owned(),
                };
                let different = if own == *kind { ", X != Y" } else { "" };
                self.auxiliary(format!(
                    "{helper}(X,T) :- {one}(X), {other}(Y){different}, {}, {}.",
                    at("X", own),
                    at("Y", *kind)
                ));
                let atom = format!("{helper}({},T)", scope.names[*of]);
                vec![if *positive { atom } else { format!("not {atom}") }]
            }
            TheoryCondition::Fewer { fluent, of, than } => {
                let known = &symbols.fluents[*fluent];
                let kinds = &theory.fluents[*fluent].kinds;
                let [item, holder] = [0, 1].map(|place| &symbols.kinds[kinds[place]]);
                self.auxiliary(format!(
                    "full_{known}_{than}(X,T) :- {holder}(X), time(T), {than} {{ holds({known}(Y,X),T) : {item}(Y) }}."
                ));
                vec![format!("not full_{known}_{than}({},T)", scope.names[*of])]
            }
            TheoryCondition::Number { fluent, of, at_least, bound } => {
                let count = if number == 0 { "Count".to_owned() } else { format!("Count{number}") };
                let sign = if *at_least { ">=" } else { "<=" };
                vec![
                    format!("holds({}({},{count}),T)", symbols.fluents[*fluent], scope.names[*of]),
                    format!("{count} {sign} {bound}"),
                ]
            }
        }
    }
}
