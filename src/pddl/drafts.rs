//! The names of an imported domain to the drafts of its phrase book: four wordings of each entry.

use std::collections::BTreeSet;

use crate::pddl::clauses::{Clauses, valued};
use crate::pddl::english::{Deed, ToldArgument, deed};
use crate::pddl::explained::Explained;
use crate::pddl::given::SaidForm;
use crate::pddl::invariants::ImportedInvariant;
use crate::pddl::syntax::{Declared, Parameter, PddlAction};
use crate::pddl::vocabulary::{PackageWords, plural, words};
use crate::phrases::phrasing::Phrasing;

/// What templates call a slot that the reader gives a meaning of its own.
const TAKEN_SLOTS: [&str; 12] = [
    "person",
    "list",
    "name",
    "first",
    "second",
    "statement",
    "question",
    "answer",
    "number",
    "action",
    "fluent",
    "amount",
];

/// Writes a phrase book.
pub(crate) struct Drafts<'d> {
    vocabulary: &'d PackageWords<'d>,
    forms: &'d BTreeSet<SaidForm>,
    invariants: &'d [ImportedInvariant],
    clauses: Clauses,
}

/// The slots of an entry: what templates call each, and its kind.
struct DraftSlot {
    name: String,
    kind: Option<usize>,
}

/// A list of texts as TOML has it.
pub(crate) fn list(texts: &[String]) -> String {
    let quoted: Vec<String> = texts.iter().map(|text| format!("  {}", quoted(text))).collect();
    format!("[\n{},\n]", quoted.join(",\n"))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

impl<'d> Drafts<'d> {
    pub(crate) fn new(
        vocabulary: &'d PackageWords<'d>,
        forms: &'d BTreeSet<SaidForm>,
        invariants: &'d [ImportedInvariant],
    ) -> Drafts<'d> {
        Drafts { vocabulary, forms, invariants, clauses: Clauses::new(vocabulary) }
    }

    /// The phrase book.
    pub(crate) fn text(&self) -> String {
        let mut text = String::from(
            "# These wordings are drafts, made of the names in PDDL. Reword an entry and strike its line `draft = true`;\n\
             # `racgen check` lists those that are left.\n\n[objects]\n",
        );
        for kind in &self.vocabulary.kinds {
            text += &format!("{} = {}\n", kind.name, list(&objects(&kind.noun, kind.constant.is_some())));
        }
        let domain = self.vocabulary.domain;
        for what in ["fact", "fluent"] {
            for relation in &domain.predicates {
                for form in self.forms_of(what, self.vocabulary.relation(&relation.name)) {
                    text += &self.relation(relation, form, false);
                }
            }
            for function in &domain.functions {
                for form in self.forms_of(what, self.vocabulary.relation(&function.name)) {
                    text += &self.relation(function, form, true);
                }
            }
        }
        for action in &domain.actions {
            for form in self.forms_of("action", self.vocabulary.action(&action.name)) {
                text += &self.action(action, form);
            }
        }
        for question in value_questions(self.vocabulary) {
            for form in self.forms_of("fluent", &question.functor) {
                text += &self.value_question(&question, form);
            }
        }
        let rules =
            Explained { vocabulary: self.vocabulary, clauses: &self.clauses }.sentences(self.invariants);
        let lists: Vec<String> = rules.iter().map(|wordings| list(wordings)).collect();
        text + &format!(
            "\n[rules]\ndraft = true\nsentences = [\n{}]\n",
            lists.iter().map(|l| l.clone() + ",\n").collect::<String>()
        )
    }

    fn forms_of(&self, what: &'static str, functor: &str) -> Vec<&SaidForm> {
        self.forms.iter().filter(|form| form.what == what && form.functor == functor).collect()
    }

    /// Slots of distinct names that templates take.
    fn slots(&self, parameters: &[Parameter], kinds: &[Option<usize>]) -> Vec<DraftSlot> {
        let mut found: Vec<DraftSlot> = Vec::new();
        for (place, kind) in kinds.iter().enumerate() {
            let wanted = match (parameters.get(place), kind) {
                (Some(parameter), Some(_)) => {
                    let name: String = words(&parameter.name).join("_").to_lowercase();
                    name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
                }
                _ => "value".to_owned(),
            };
            let fits = |name: &str| {
                name.starts_with(|c: char| c.is_ascii_lowercase())
                    && !TAKEN_SLOTS.contains(&name)
                    && !self.vocabulary.kinds.iter().any(|kind| kind.name == name)
                    && !found.iter().any(|slot| slot.name == name)
                    && Phrasing::compile(&format!("{{{{ {name} }}}}"), &[name]).is_ok()
            };
            let own = kind.map(|kind| self.vocabulary.kinds[kind].name.clone());
            let lone = own.filter(|name| {
                kinds.iter().filter(|other| *other == kind).count() == 1
                    && Phrasing::compile(&format!("{{{{ {name} }}}}"), &[name]).is_ok()
                    && !TAKEN_SLOTS.contains(&name.as_str())
            });
            let mut name = lone.unwrap_or_else(|| wanted.clone());
            let mut number = 1;
            while !fits(&name)
                && !kind.is_some_and(|kind| {
                    self.vocabulary.kinds[kind].name == name && !found.iter().any(|s| s.name == name)
                })
            {
                number += 1;
                name = format!("x{number}_{wanted}");
            }
            found.push(DraftSlot { name, kind: *kind });
        }
        found
    }

    fn pattern(&self, functor: &str, slots: &[DraftSlot]) -> String {
        let one = |slot: &DraftSlot| {
            let kind = slot.kind.map_or("number", |kind| self.vocabulary.kinds[kind].name.as_str());
            if kind == slot.name { kind.to_owned() } else { format!("{}: {kind}", slot.name) }
        };
        match slots.is_empty() {
            true => functor.to_owned(),
            false => format!("{functor}({})", slots.iter().map(one).collect::<Vec<_>>().join(", ")),
        }
    }

    fn told(&self, slot: &DraftSlot) -> ToldArgument {
        let noun = slot.kind.map_or("", |kind| self.vocabulary.kinds[kind].noun.as_str()).to_owned();
        let space = if noun.is_empty() { "" } else { " " };
        ToldArgument { text: format!("{noun}{space}{{{{ {} }}}}", slot.name), noun }
    }

    /// The clause of a relation, with what stands at each place.
    fn said(&self, relation: &Declared, is_function: bool, told: &[ToldArgument]) -> String {
        match told.split_last() {
            Some((value, arguments)) if is_function => valued(&relation.name, arguments, &value.text),
            _ => self.clauses.of(self.vocabulary, &relation.name, told),
        }
    }

    fn relation(&self, relation: &Declared, form: &SaidForm, is_function: bool) -> String {
        let slots = self.slots(&relation.places, &form.kinds);
        let told: Vec<ToldArgument> = slots.iter().map(|slot| self.told(slot)).collect();
        let said = self.said(relation, is_function, &told);
        let mut text =
            format!("\n[{}.\"{}\"]\ndraft = true\n", form.what, self.pattern(&form.functor, &slots));
        text += &format!(
            "each = {}\n",
            list(&[
                format!("{said}."),
                format!("it is true that {said}."),
                format!("it is the case that {said}."),
                format!("it holds that {said}."),
            ])
        );
        if form.what == "fact" {
            return text;
        }
        if self.vocabulary.domain.is_derived(&relation.name) {
            // The rules say when it is so.
            text += "told = false\n";
        }
        text += &format!("ask = {}\n", list(&asked(&said)));
        for (place, slot) in slots.iter().enumerate() {
            // A number is asked for by a family of its own.
            let Some(kind) = slot.kind else { continue };
            // There is nothing to choose from, or the value would stand in the question.
            if self.vocabulary.kinds[kind].constant.is_some() || is_function {
                continue;
            }
            let mut hole = told.clone();
            let noun = &self.vocabulary.kinds[kind].noun;
            hole[place].text = if place == 0 { format!("the {noun}") } else { format!("that {noun}") };
            let with_hole = self.said(relation, is_function, &hole);
            let many = plural(noun);
            text += &format!("which.{} = {}\n", slot.name, list(&which(&many, &with_hole)));
            text += &format!("count.{} = {}\n", slot.name, list(&count(&many, &with_hole)));
        }
        text
    }

    fn value_question(&self, question: &ValueQuestion, form: &SaidForm) -> String {
        let slots = self.slots(&question.function.places, &form.kinds[..question.function.places.len()]);
        let told: Vec<ToldArgument> = slots.iter().map(|slot| self.told(slot)).collect();
        format!(
            "\n[question.\"{}\"]\ndraft = true\nask = {}\n",
            self.pattern(&question.family, &slots),
            list(&asked_number(&question.function.name, &told))
        )
    }

    fn action(&self, action: &PddlAction, form: &SaidForm) -> String {
        let slots = self.slots(&action.parameters, &form.kinds);
        let arguments: Vec<(String, ToldArgument)> = slots
            .iter()
            .zip(&action.parameters)
            .map(|(slot, parameter)| (parameter.name.clone(), self.told(slot)))
            .collect();
        let deed: Deed = deed(&action.name, &arguments);
        let (plain, third) = (deed.plain(), deed.third_person());
        format!(
            "\n[action.\"{}\"]\ndraft = true\ndid = {}\ncan = {}\nif = {}\n",
            self.pattern(&form.functor, &slots),
            list(&[
                format!("{{{{ person }}}} {third}."),
                format!("The next action is to {plain}."),
                format!("What is done next is to {plain}."),
                format!("{{{{ person }}}} carries out this action: {plain}."),
            ]),
            list(&[
                format!("Can {{{{ person }}}} {plain}?"),
                format!("Is it possible to {plain}?"),
                format!("Is it possible for {{{{ person }}}} to {plain}?"),
                format!("Can the action to {plain} be carried out?"),
            ]),
            list(&[
                format!("{{{{ person }}}} {third}"),
                format!("the action to {plain} is carried out"),
                format!("{{{{ person }}}} carries out the action to {plain}"),
                format!("the action that takes place is to {plain}"),
            ])
        )
    }
}

/// The question for the number that a function has.
pub(crate) struct ValueQuestion<'d> {
    function: &'d Declared,
    /// What the package calls the function, and the family of the question.
    functor: String,
    family: String,
}

/// The questions for numbers that change.
pub(crate) fn value_questions<'d>(vocabulary: &PackageWords<'d>) -> Vec<ValueQuestion<'d>> {
    let changing = vocabulary.domain.functions.iter().filter(|f| !vocabulary.is_static(&f.name));
    let question = |function: &'d Declared| {
        let functor = vocabulary.relation(&function.name).to_owned();
        ValueQuestion { function, family: format!("value_of_{functor}"), functor }
    };
    changing.map(question).collect()
}

/// The rules of these questions.
pub(crate) fn value_rules(vocabulary: &PackageWords) -> String {
    let mut text = String::new();
    for ValueQuestion { function, functor, family } in value_questions(vocabulary) {
        let variables: Vec<String> = (0..function.places.len()).map(|place| format!("X{place}")).collect();
        let question = match variables.is_empty() {
            true => family,
            false => format!("{family}({})", variables.join(",")),
        };
        let fluent = format!("{functor}({})", [variables, vec!["V".to_owned()]].concat().join(","));
        text += &format!(
            "% Which number is {functor}?\nask({question},count) :- fluent({fluent}).\nnumber({question}) :- \
             fluent({fluent}).\nanswer({question},V) :- now({fluent}).\n"
        );
    }
    text
}

fn objects(noun: &str, one: bool) -> Vec<String> {
    let many = plural(noun);
    let first = if one {
        format!("The {noun} is: {{{{ list }}}}.")
    } else {
        format!("The {many} are: {{{{ list }}}}.")
    };
    if one {
        return vec![
            format!("There is one {noun} of its own: {{{{ list }}}}."),
            format!("One {noun} is special: {{{{ list }}}}."),
            format!("A special {noun} has this name: {{{{ list }}}}."),
            format!("This {noun} is a special one: {{{{ list }}}}."),
        ];
    }
    vec![
        first,
        format!("There are these {many}: {{{{ list }}}}."),
        format!("These are the {many}: {{{{ list }}}}."),
        format!("The {many} have these names: {{{{ list }}}}."),
    ]
}

fn asked(said: &str) -> Vec<String> {
    vec![
        format!("Is it true that {said}?"),
        format!("Is it the case that {said}?"),
        format!("Does it hold that {said}?"),
        format!("Is it so that {said}?"),
    ]
}

fn asked_number(name: &str, arguments: &[ToldArgument]) -> Vec<String> {
    let all = words(name).join(" ");
    let texts: Vec<&str> = arguments.iter().map(|told| told.text.as_str()).collect();
    let of = if texts.is_empty() { String::new() } else { format!(" of {}", texts.join(" and ")) };
    vec![
        format!("What is the {all}{of}?"),
        format!("What number is the {all}{of}?"),
        format!("What value does the {all}{of} have?"),
        format!("How much is the {all}{of}?"),
    ]
}

fn which(many: &str, said: &str) -> Vec<String> {
    vec![
        format!("For which {many} is it true that {said}?"),
        format!("For which of the {many} does it hold that {said}?"),
        format!("What are the {many} for which it is true that {said}?"),
        format!("Which are the {many} for which it is the case that {said}?"),
    ]
}

fn count(many: &str, said: &str) -> Vec<String> {
    vec![
        format!("For how many {many} is it true that {said}?"),
        format!("For how many of the {many} does it hold that {said}?"),
        format!("What is the number of {many} for which it is true that {said}?"),
        format!("How many are the {many} for which it is the case that {said}?"),
    ]
}
