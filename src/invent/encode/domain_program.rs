//! A theory to `domain.lp`.

use crate::invent::encode::bodies::{Bodies, Scope, applied};
use crate::invent::encode::symbols::TheorySymbols;
use crate::invent::theory::parts::{
    Action, Effect, FluentChange, FluentKind, InventedLaw, InventedTheory, TheoryCondition,
};

/// A domain's rules.
pub struct DomainProgram {
    /// The text.
    pub text: String,
    /// The part of it that says which fluents there are; no others decide what may be an initial situation.
    pub declared: String,
    /// How many switches it has, `off(1)`, `off(2)`, ...: inertial fluents; while one is true, one condition, effect or
    /// case of a law is left out.
    pub switches: usize,
}

/// Writes the rules of a theory.
pub fn domain_program(theory: &InventedTheory, symbols: &TheorySymbols, switched: bool) -> DomainProgram {
    let bodies = Bodies { theory, symbols, switched, switches: 0, auxiliary: Vec::new() };
    let mut writer = RuleWriter { bodies, text: String::new() };
    writer.declarations();
    let declared = writer.text.clone();
    writer.laws();
    for (number, action) in theory.actions.iter().enumerate() {
        writer.action(number, action);
    }
    let RuleWriter { bodies, mut text } = writer;
    if !bodies.auxiliary.is_empty() {
        text += "\n% What the rules above need.\n";
        bodies.auxiliary.iter().for_each(|rule| text += &format!("{rule}\n"));
    }
    if switched {
        text += &format!("fluent(off(1..{})).\n", bodies.switches);
    }
    DomainProgram { text, declared, switches: bodies.switches }
}

/// A rule, or a fact where nothing is required.
fn clause(head: &str, body: &str) -> String {
    if body.is_empty() { format!("{head}.") } else { format!("{head} :- {body}.") }
}

struct RuleWriter<'t> {
    bodies: Bodies<'t>,
    text: String,
}

impl RuleWriter<'_> {
    fn line(&mut self, line: &str) {
        self.text += line;
        self.text.push('\n');
    }

    fn declarations(&mut self) {
        let (theory, symbols) = (self.bodies.theory, self.bodies.symbols);
        for (fluent, name) in theory.fluents.iter().zip(&symbols.fluents) {
            let scope = Scope::new(fluent.kinds.clone(), symbols);
            let (mut args, mut body) = (scope.names.join(","), scope.typing(symbols).join(", "));
            if let FluentKind::Has(most) = fluent.kind {
                args += ",Count";
                body += &format!(", Count = 0..{most}");
            }
            let fluent = applied(name, &args);
            self.line(&clause(&format!("fluent({fluent})"), &body));
        }
        for (law, name) in theory.laws.iter().zip(&symbols.laws) {
            let scope = Scope::new(vec![law.kind], symbols);
            self.line(&format!(
                "defined({name}({})) :- {}.",
                scope.names[0],
                scope.typing(symbols).join(", ")
            ));
        }
    }

    fn laws(&mut self) {
        let theory = self.bodies.theory;
        for (number, law) in theory.laws.iter().enumerate() {
            self.law(number, law);
        }
    }

    fn law(&mut self, number: usize, law: &InventedLaw) {
        let symbols = self.bodies.symbols;
        self.line("");
        for case in &law.cases {
            let kinds = [law.kind].iter().chain(&case.others).copied().collect();
            let scope = Scope::new(kinds, symbols);
            let mut body = scope.typing(symbols);
            body.insert(0, "time(T)".to_owned());
            for (place, condition) in case.when.iter().enumerate() {
                body.extend(self.bodies.literals(condition, place, &scope));
            }
            body.extend(self.bodies.switch());
            let head = format!("holds({}({}),T)", symbols.laws[number], scope.names[0]);
            self.line(&format!("{head} :- {}.", body.join(", ")));
        }
    }

    fn action(&mut self, number: usize, action: &Action) {
        let symbols = self.bodies.symbols;
        let scope = Scope::new(action.params.clone(), symbols);
        let term = applied(&symbols.actions[number], &scope.names.join(","));
        // What static relations rule out is no action; where conditions are switched, one that is not executable.
        let switched = self.bodies.switched;
        let is_static =
            |condition: &&TheoryCondition| !switched && matches!(condition, TheoryCondition::Static { .. });
        let mut typing = scope.typing(symbols);
        for condition in action.requires.iter().filter(is_static) {
            typing.extend(self.bodies.literals(condition, 0, &scope));
        }
        self.line("");
        self.line(&clause(&format!("action({term})"), &typing.join(", ")));
        let mut body = vec!["time(T)".to_owned(), format!("action({term})")];
        for (place, condition) in action.requires.iter().filter(|c| !is_static(c)).enumerate() {
            body.extend(self.bodies.literals(condition, place, &scope));
        }
        self.line(&format!("executable({term},T) :- {}.", body.join(", ")));
        for effect in &action.effects {
            self.effect(number, action, effect);
        }
    }

    fn effect(&mut self, number: usize, action: &Action, effect: &Effect) {
        let symbols = self.bodies.symbols;
        let scope = Scope::new(action.params.iter().chain(&effect.each).copied().collect(), symbols);
        // What is spoken of besides may change the names of the parameters.
        let params = scope.names[..action.params.len()].join(",");
        let term = applied(&symbols.actions[number], &params);
        let mut body = vec!["time(T)".to_owned(), format!("occ({term},T)")];
        if !effect.each.is_empty() {
            body.extend(scope.typing(symbols));
        }
        for (place, condition) in effect.when.iter().enumerate() {
            body.extend(self.bodies.literals(condition, place, &scope));
        }
        body.extend(self.bodies.switch());
        let body = body.join(", ");
        match &effect.change {
            FluentChange::Set { to, fluent, of } => {
                let name = &symbols.fluents[*fluent];
                let atom = scope.atom(name, of);
                let head = if *to { atom } else { format!("neg({atom})") };
                self.line(&format!("holds({head},T+1) :- {body}."));
                if *to && self.bodies.theory.fluents[*fluent].kind == FluentKind::At {
                    let [mover, place] = [of[0], of[1]].map(|v| &scope.names[v]);
                    let left = format!("holds({name}({mover},Left),T), Left != {place}");
                    self.line(&format!("holds(neg({name}({mover},Left)),T+1) :- {body}, {left}."));
                }
            }
            FluentChange::Flip { fluent, of } => {
                let atom = scope.atom(&symbols.fluents[*fluent], of);
                self.line(&format!("holds({atom},T+1) :- {body}, holds(neg({atom}),T)."));
                self.line(&format!("holds(neg({atom}),T+1) :- {body}, holds({atom},T)."));
            }
            FluentChange::Step { up, fluent, of } => {
                let (name, thing) = (&symbols.fluents[*fluent], &scope.names[*of]);
                let sign = if *up { '+' } else { '-' };
                let before = format!("holds({name}({thing},Before),T)");
                self.line(&format!("holds({name}({thing},Before{sign}1),T+1) :- {body}, {before}."));
                self.line(&format!("holds(neg({name}({thing},Before)),T+1) :- {body}, {before}."));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use racgen_logic::seed::stream;

    use super::*;
    use crate::invent::theory::grammar::{QuotaCell, draw};

    /// The words of a rule that begin with a capital.
    fn variables(text: &str) -> Vec<&str> {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        words.filter(|word| word.starts_with(|c: char| c.is_ascii_uppercase())).collect()
    }

    /// Types whose names begin with one letter must not part an action from its effects.
    #[test]
    fn what_an_action_is_about_its_effects_are_about() {
        let mut seen = 0;
        for number in 0..140 {
            let dice = stream(5, &["effects", &number.to_string()]);
            let Some((theory, _)) = draw(&QuotaCell::of(number), dice) else { continue };
            let program = domain_program(&theory, &TheorySymbols::plain(&theory), false).text;
            for rule in program.lines().filter(|line| line.contains("occ(")) {
                let (before, after) = rule.split_once("occ(").unwrap();
                let (term, rest) = after.split_once(",T)").unwrap();
                let others = [before, rest].concat();
                let typed = |name: &&str| name.starts_with('K') && !variables(term).contains(name);
                let free: Vec<&str> = variables(&others).into_iter().filter(typed).collect();
                // What is neither a parameter nor what the effect is on each of has no place here.
                let changed = variables(before);
                assert!(free.iter().all(|name| changed.contains(name)), "{rule}");
                seen += usize::from(!free.is_empty());
            }
        }
        assert!(seen > 10, "{seen} rules are about other things than parameters");
    }
}
