//! Fluents to their phrases.

use crate::invent::encode::world_program::most;
use crate::invent::telling::phrase_book::{BookWriter, Slot};
use crate::invent::theory::parts::{ConditionSubject, FluentKind, KindNumber};

impl BookWriter<'_> {
    /// Writes the entries of all fluents, and of what laws define.
    pub(super) fn fluents(&mut self) {
        for (number, fluent) in self.told.theory.fluents.iter().enumerate() {
            let name = self.symbols.fluents[number].clone();
            match fluent.kind {
                FluentKind::State => match fluent.kinds.first() {
                    Some(kind) => self.state(&name, ConditionSubject::Fluent(number), *kind),
                    None => self.world_state(&name, number),
                },
                FluentKind::Has(_) => self.number(&name, number, fluent.kinds[0]),
                _ => self.pair(&name, number),
            }
        }
        for (number, law) in self.told.theory.laws.iter().enumerate() {
            let name = self.symbols.laws[number].clone();
            self.state(&name, ConditionSubject::Law(number), law.kind);
        }
    }

    fn state(&mut self, name: &str, what: ConditionSubject, kind: KindNumber) {
        let slots = self.slots(&[kind]);
        let Slot { declared, bare, full, name: slot, .. } = &slots[0];
        let adjective = self.told.adjective(what).to_owned();
        let many = self.told.words.kinds[kind].noun.many.clone();
        self.entry("fluent", name, std::slice::from_ref(declared));
        if matches!(what, ConditionSubject::Law(_)) {
            self.text += "told = false\n";
        }
        self.list(
            "each",
            &[
                format!("{bare} is {adjective}."),
                format!("{full} is {adjective}."),
                format!("one of the {adjective} {many} is {bare}."),
                format!("{bare} is one of the {many} that are {adjective}."),
            ],
        );
        if matches!(what, ConditionSubject::Fluent(_)) {
            self.list(
                "all",
                &[
                    format!("These {many} are {adjective}: {{{{ list }}}}."),
                    format!("The {adjective} {many} are: {{{{ list }}}}."),
                    format!("Of the {many}, exactly these are {adjective}: {{{{ list }}}}."),
                    format!("The following {many} are {adjective}: {{{{ list }}}}."),
                ],
            );
            self.list(
                "none",
                &[
                    format!("None of the {many} is {adjective}."),
                    format!("There are no {adjective} {many}."),
                    format!("Not one of the {many} is {adjective}."),
                    format!("No {} is {adjective}.", self.told.words.kinds[kind].noun.one.clone()),
                ],
            );
        }
        self.list(
            "ask",
            &[
                format!("Is {bare} {adjective}?"),
                format!("Is {full} {adjective}?"),
                format!("Is {bare} one of the {many} that are {adjective}?"),
                format!("Is it true that {full} is {adjective}?"),
            ],
        );
        self.list(
            &format!("which.{slot}"),
            &[
                format!("Which {many} are {adjective}?"),
                format!("Which of the {many} are {adjective}?"),
                format!("What are the names of all {adjective} {many}?"),
                format!("Which are the {many} that are {adjective}?"),
            ],
        );
        self.list(
            &format!("count.{slot}"),
            &[
                format!("How many {many} are {adjective}?"),
                format!("How many of the {many} are {adjective}?"),
                format!("What is the number of {adjective} {many}?"),
                format!("How many {adjective} {many} are there?"),
            ],
        );
    }

    fn world_state(&mut self, name: &str, number: usize) {
        let thing = self.told.world_thing(number);
        let adjective = self.told.adjective(ConditionSubject::Fluent(number)).to_owned();
        self.entry("fluent", name, &[]);
        self.list(
            "each",
            &[
                format!("{thing} is {adjective}."),
                format!("it is so that {thing} is {adjective}."),
                format!("as for {thing}, it is {adjective}."),
                format!("{thing} counts as {adjective}."),
            ],
        );
        self.list(
            "none",
            &[
                format!("{thing} is not {adjective}."),
                format!("it is not so that {thing} is {adjective}."),
                format!("as for {thing}, it is not {adjective}."),
                format!("{thing} does not count as {adjective}."),
            ],
        );
        self.list(
            "ask",
            &[
                format!("Is {thing} {adjective}?"),
                format!("Is it so that {thing} is {adjective}?"),
                format!("As for {thing}, is it {adjective}?"),
                format!("Is it true that {thing} is {adjective}?"),
            ],
        );
    }

    fn number(&mut self, name: &str, number: usize, kind: KindNumber) {
        let slots = self.slots(&[kind]);
        let Slot { declared, bare, full, name: slot, .. } = &slots[0];
        let counted = self.told.counted_noun(number);
        let (one, several) = (&counted.one, &counted.many);
        let many = self.told.words.kinds[kind].noun.many.clone();
        let amount = format!("{{{{ amount }}}} {{{{ amount | plural(\"{one}\", \"{several}\") }}}}");
        self.entry("fluent", name, &[declared.clone(), "amount: number".to_owned()]);
        self.list(
            "each",
            &[
                format!("{bare} has {amount}."),
                format!("{full} has {amount}."),
                format!("the number of {several} that {bare} has is {{{{ amount }}}}."),
                format!("{full} has exactly {amount}."),
            ],
        );
        self.list(
            "ask",
            &[
                format!("Does {bare} have {amount}?"),
                format!("Does {full} have exactly {amount}?"),
                format!("Is {{{{ amount }}}} the number of {several} that {bare} has?"),
                format!("Is it true that {full} has {amount}?"),
            ],
        );
        self.list(
            &format!("which.{slot}"),
            &[
                format!("Which {many} have {amount}?"),
                format!("Which of the {many} have exactly {amount}?"),
                format!("What are the names of all {many} that have {amount}?"),
                format!("Which are the {many} with {amount}?"),
            ],
        );
        self.list(
            &format!("count.{slot}"),
            &[
                format!("How many {many} have {amount}?"),
                format!("How many of the {many} have exactly {amount}?"),
                format!("What is the number of {many} that have {amount}?"),
                format!("How many {many} are there with {amount}?"),
            ],
        );
    }

    fn pair(&mut self, name: &str, number: usize) {
        let fluent = &self.told.theory.fluents[number];
        let slots = self.slots(&fluent.kinds);
        let relation = self.told.relation(number);
        let declared: Vec<String> = slots.iter().map(|slot| slot.declared.clone()).collect();
        let [a, b] = [0, 1].map(|place| slots[place].bare.clone());
        let [the_a, the_b] = [0, 1].map(|place| slots[place].full.clone());
        let many = [0, 1].map(|place| self.told.words.kinds[fluent.kinds[place]].noun.many.clone());
        let one = self.told.words.kinds[fluent.kinds[1]].noun.one.clone();
        let kind = fluent.kind;
        let single = most(self.told.theory, number, 1).is_some();
        self.entry("fluent", name, &declared);
        self.list(
            "each",
            &[
                format!("{a} is {relation} {b}."),
                format!("{the_a} is {relation} {b}."),
                format!("{the_a} is {relation} {the_b}."),
                match kind {
                    FluentKind::At => format!("the {one} that {a} is at is {b}."),
                    FluentKind::In => format!("{b} has {a} in it."),
                    FluentKind::On => format!("{b} has {a} on it."),
                    _ if single => format!("the {one} that {a} is {relation} is {b}."),
                    _ => format!("one of the {} that {a} is {relation} is {b}.", many[1]),
                },
            ],
        );
        if kind != FluentKind::On {
            let hole = &slots[0].hole;
            self.list(
                &format!("group.{}", slots[0].name),
                &[
                    format!("These {} are {relation} {b}: {hole}.", many[0]),
                    format!("The {} {relation} {b} are these: {hole}.", many[0]),
                    format!("{the_b} is the {one} that these {} are {relation}: {hole}.", many[0]),
                    format!("The following {} are {relation} {the_b}: {hole}.", many[0]),
                ],
            );
        } else {
            self.list(
                "chain",
                &[
                    "One on the other, from top to bottom: {{ list }}.".to_owned(),
                    format!("These {} are on each other, from top to bottom: {{{{ list }}}}.", many[0]),
                    format!("From top to bottom, this is a stack of {}: {{{{ list }}}}.", many[0]),
                    format!(
                        "The following {} form a stack, named from the top down: {{{{ list }}}}.",
                        many[0]
                    ),
                ],
            );
            self.list(
                "none",
                &[
                    format!("None of the {} is on another.", many[0]),
                    format!("No {one} is on any other {one}."),
                    format!("There is no {one} on any {one}."),
                    format!("Not one of the {} is on another one.", many[0]),
                ],
            );
        }
        if matches!(kind, FluentKind::In | FluentKind::Tied) {
            self.list(
                "none",
                &[
                    format!("None of the {} is {relation} any {one}.", many[0]),
                    format!("No {} is {relation} any {one}.", self.told.words.kinds[fluent.kinds[0]].noun),
                    format!("Not one of the {} is {relation} any of the {}.", many[0], many[1]),
                    format!("There are no {} that are {relation} any {one}.", many[0]),
                ],
            );
        }
        self.list(
            "ask",
            &[
                format!("Is {a} {relation} {b}?"),
                format!("Is {the_a} {relation} {b}?"),
                format!(
                    "Is {the_b} {} {a} is {relation}?",
                    if kind == FluentKind::Tied && !single {
                        format!("one of the {} that", many[1])
                    } else {
                        format!("the {one} that")
                    }
                ),
                format!("Is it true that {the_a} is {relation} {the_b}?"),
            ],
        );
        self.pair_questions(number, &slots, &relation, &many, &one);
    }

    fn pair_questions(
        &mut self,
        number: usize,
        slots: &[Slot],
        relation: &str,
        many: &[String; 2],
        one: &str,
    ) {
        let kind = self.told.theory.fluents[number].kind;
        let [a, b] = [0, 1].map(|place| slots[place].bare.clone());
        let [the_a, the_b] = [0, 1].map(|place| slots[place].full.clone());
        let same = self.told.theory.fluents[number].kinds[0] == self.told.theory.fluents[number].kinds[1];
        let other = if same { "other " } else { "" };
        let first = self.told.words.kinds[self.told.theory.fluents[number].kinds[0]].noun.one.clone();
        // At most one thing is on another.
        match kind {
            FluentKind::On => self.list(
                &format!("which.{}", slots[0].name),
                &[
                    format!("Which {one}, if any, is on {b}?"),
                    format!("Which {one}, if any, is on {the_b}?"),
                    format!("Which of the {}, if any, does {b} have on it?", many[0]),
                    format!("Which {one}, if any, is on top of {b}?"),
                ],
            ),
            _ if most(self.told.theory, number, 0) == Some(1) => self.list(
                &format!("which.{}", slots[0].name),
                &[
                    format!("Which {first}, if any, is {relation} {b}?"),
                    format!("Which {first}, if any, is {relation} {the_b}?"),
                    format!("What is the name of the {first}, if any, that is {relation} {b}?"),
                    format!("Which of the {}, if any, is {relation} {the_b}?", many[0]),
                ],
            ),
            _ => self.list(
                &format!("which.{}", slots[0].name),
                &[
                    format!("Which {} are {relation} {b}?", many[0]),
                    format!("Which of the {} are {relation} {the_b}?", many[0]),
                    format!("What are the names of all {} that are {relation} {b}?", many[0]),
                    format!("Which are the {} {relation} {b}?", many[0]),
                ],
            ),
        }
        let preposition = relation.rsplit(' ').next().unwrap_or(relation);
        let verb = relation.strip_suffix(preposition).unwrap_or_default().trim_end();
        let said = |thing: &str| match verb {
            "" => format!("is {thing}"),
            verb => format!("is {thing} {verb}"),
        };
        match kind {
            FluentKind::Tied if most(self.told.theory, number, 1).is_none() => self.list(
                &format!("which.{}", slots[1].name),
                &[
                    format!("Which {} is {a} {relation}?", many[1]),
                    format!("Which of the {} is {the_a} {relation}?", many[1]),
                    format!("What are the names of all {} that {a} is {relation}?", many[1]),
                    format!("To which {} {}?", many[1], said(&a)),
                ],
            ),
            _ => {
                let any = if kind == FluentKind::At { "" } else { ", if any," };
                let preposition = preposition[..1].to_uppercase() + &preposition[1..];
                self.list(
                    &format!("which.{}", slots[1].name),
                    &[
                        format!("Which {other}{one}{any} is {a} {relation}?"),
                        format!("{preposition} which {other}{one}{any} {}?", said(&the_a)),
                        format!("What is the name of the {other}{one}{any} that {a} is {relation}?"),
                        format!("Which of the {}{any} is the one that {the_a} is {relation}?", many[1]),
                    ],
                );
            }
        }
        if kind != FluentKind::On {
            self.list(
                &format!("count.{}", slots[0].name),
                &[
                    format!("How many {} are {relation} {b}?", many[0]),
                    format!("How many of the {} are {relation} {the_b}?", many[0]),
                    format!("What is the number of {} that are {relation} {b}?", many[0]),
                    format!("How many {} are there {relation} {b}?", many[0]),
                ],
            );
        }
    }
}
