//! A phrase book to the rules of the question families that follow from it.

use crate::phrases::book::{ActionPhrases, PhraseBook, RelationPhrases};
use crate::phrases::pattern::{Pattern, PatternPlace};

/// The rules of the question families that every domain has: from what the phrase book can say, what can be asked.
pub(crate) fn question_rules(book: &PhraseBook) -> String {
    let mut out = String::from("supposing :- suppose(_).\n");
    for relation in &book.fluents {
        fluent_rules(relation, &mut out);
    }
    for action in &book.actions {
        action_rules(action, &mut out);
    }
    out += "ask(executable_actions,count).\nmember(executable_actions,A) :- can(A).\n";
    out
}

fn fluent_rules(relation: &RelationPhrases, out: &mut String) {
    let pattern = &relation.pattern;
    let form = FormRules::of(pattern);
    let FormRules { atom: fluent, types, variables } = &form;
    if !relation.ask.is_empty() {
        let question = if pattern.bare { format!("true({fluent})") } else { fluent.clone() };
        *out += &format!("ask({question},verify) :- fluent({fluent}){types}.\n");
        *out += &format!("answer({question},yes) :- ask({question},verify), now({fluent}){types}.\n");
    }
    for (lists, prefix, kind) in [(&relation.which, "which", "other"), (&relation.count, "count", "count")] {
        for (slot, _) in lists {
            let asked = form.with_hole(pattern, *slot, prefix);
            let filler = &variables[*slot];
            *out += &format!("ask({asked},{kind}) :- fluent({fluent}){types}.\n");
            *out += &format!("member({asked},{filler}) :- fluent({fluent}), now({fluent}){types}.\n");
        }
    }
    if !relation.each.is_empty() {
        *out += &format!("ask(changes({fluent}),verify) :- supposing, fluent({fluent}){types}.\n");
        for (before, after) in [("", "not "), ("not ", "")] {
            *out += &format!(
                "answer(changes({fluent}),yes) :- supposing, fluent({fluent}){types}, {before}now({fluent}), {after}next({fluent}).\n"
            );
        }
    }
}

fn action_rules(action: &ActionPhrases, out: &mut String) {
    let FormRules { atom, types, .. } = FormRules::of(&action.pattern);
    *out += &format!("ask(executable({atom}),verify) :- action({atom}){types}.\n");
    *out += &format!("answer(executable({atom}),yes) :- can({atom}){types}.\n");
}

/// A pattern as the text of a logic program.
struct FormRules {
    atom: String,
    /// `, robot(X0), location(X1)`
    types: String,
    variables: Vec<String>,
}

impl FormRules {
    fn of(pattern: &Pattern) -> FormRules {
        let (mut args, mut types, mut variables) = (Vec::new(), String::new(), Vec::new());
        for place in &pattern.places {
            match place {
                PatternPlace::Constant(name) => args.push(name.clone()),
                PatternPlace::Slot { kind, .. } => {
                    let variable = format!("X{}", variables.len());
                    if kind != "number" {
                        types += &format!(", {kind}({variable})");
                    }
                    args.push(variable.clone());
                    variables.push(variable);
                }
            }
        }
        let atom = match (pattern.bare, args.is_empty()) {
            (true, _) => variables[0].clone(),
            (false, true) => pattern.functor.clone(),
            (false, false) => format!("{}({})", pattern.functor, args.join(",")),
        };
        FormRules { atom, types, variables }
    }

    /// `which_at(robot,X1)`: the question with a type in place of what is asked for.
    fn with_hole(&self, pattern: &Pattern, slot: usize, prefix: &str) -> String {
        let mut number = 0;
        let args = pattern.places.iter().map(|place| match place {
            PatternPlace::Constant(name) => name.clone(),
            PatternPlace::Slot { kind, .. } => {
                number += 1;
                if number - 1 == slot { kind.clone() } else { self.variables[number - 1].clone() }
            }
        });
        let functor = if pattern.bare { "true" } else { &pattern.functor };
        format!("{prefix}_{functor}({})", args.collect::<Vec<_>>().join(","))
    }
}
