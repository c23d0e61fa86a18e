//! A theory to the sentences of its rules, each in at least four wordings: what always is so, and what laws define.

use crate::invent::encode::world_program::{has_order, most};
use crate::invent::telling::clauses::{Mentions, Tense, ToldTheory, counted, joined};
use crate::invent::theory::parts::{
    Fluent, FluentKind, InventedLaw, KindNumber, LawCase, Static, StaticShape, TheoryCondition,
};

/// One sentence in several wordings.
pub(super) type RuleWordings = Vec<String>;

/// A text whose first letter is a capital.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

impl ToldTheory<'_> {
    /// All sentences, in the order in which they are told.
    pub(super) fn rules(&self) -> Vec<RuleWordings> {
        let theory = self.theory;
        let mut all: Vec<RuleWordings> = Vec::new();
        let statics = theory.statics.iter();
        all.extend(statics.filter_map(|relation| self.static_rule(relation)));
        for (number, fluent) in theory.fluents.iter().enumerate() {
            all.extend(self.fluent_rules(number, fluent));
        }
        for (number, law) in theory.laws.iter().enumerate() {
            all.extend(self.law_rules(number, law));
        }
        for number in 0..theory.actions.len() {
            all.extend(self.action_rules(number));
        }
        all.push(self.only_actions());
        all
    }

    fn static_rule(&self, relation: &Static) -> Option<RuleWordings> {
        if relation.shape != StaticShape::Home {
            return None;
        }
        let [one, other] = relation.kinds.map(|kind| &self.words.kinds[kind].noun);
        let a = one.with_article();
        Some(match self.theory.places() {
            None => vec![
                format!("{} belongs to exactly one {other}, and this never changes.", capital(&a)),
                format!("Whatever is done, each {one} goes on belonging to the same {other}."),
                format!("Each {one} belongs to one {other}, and to the same one for good."),
                format!("Every {one} belongs to a single {other}, and never to another."),
            ],
            Some(_) => vec![
                format!("No action moves {a}: {a} is always at the same {other}."),
                format!("The {} never leave their {}.", one.many, other.many),
                format!("Whatever is done, {a} stays at the same {other}."),
                format!("{} stays at one {other} for good.", capital(&a)),
            ],
        })
    }

    fn fluent_rules(&self, number: usize, fluent: &Fluent) -> Vec<RuleWordings> {
        let noun = |place: usize| &self.words.kinds[fluent.kinds[place]].noun;
        if fluent.kinds.is_empty() {
            return Vec::new();
        }
        let one = noun(0);
        let (a, many) = (one.with_article(), &one.many);
        let at_first = capital(&a);
        let mut all = Vec::new();
        match fluent.kind {
            FluentKind::State | FluentKind::Tied => {}
            FluentKind::At => {
                let place = noun(1);
                all.push(vec![
                    format!("Every {one} is at exactly one {place} at a time."),
                    format!("{at_first} is always at one {place}, and never at two."),
                    format!("At any time, each {one} is at a single {place}."),
                    format!("There is always exactly one {place} that {a} is at."),
                ]);
            }
            FluentKind::In => {
                let holder = noun(1);
                all.push(vec![
                    format!("{at_first} can be in only one {holder} at a time, or in none."),
                    format!("No {one} is ever in two {} at once.", holder.many),
                    format!("At any time, each {one} is in at most one {holder}."),
                    format!("There is never more than one {holder} that {a} is in."),
                ]);
            }
            FluentKind::On => {
                all.push(vec![
                    format!("{at_first} is on at most one other {one}, and at most one {one} is on it."),
                    format!("No {one} is ever on two others, and no two {many} are on the same one."),
                    format!(
                        "At any time, each {one} is on one other {one} or on none, and has one on it or none."
                    ),
                    format!("Of the {many}, at most one is on any other, and none is on more than one."),
                ]);
                all.push(vec![
                    format!("No {one} is ever above itself."),
                    format!("The {many} are never on each other in a circle."),
                    format!("Whoever looks from {a} upwards never meets the same {one} again."),
                    format!("There is never a circle of {many} of which each is on the next."),
                ]);
                if has_order(self.theory, fluent) {
                    all.push(vec![
                        format!("No {one} is ever on a smaller one."),
                        format!("{at_first} is never on one that is smaller."),
                        format!("At any time, each {one} that is on another is smaller than that one."),
                        format!("Only smaller {many} are ever on bigger ones."),
                    ]);
                }
            }
            FluentKind::Has(top) => {
                let many = &self.counted_noun(number).many;
                let amount = self.amount(number, top);
                all.push(vec![
                    format!("The number of {many} that {a} has is never above {}.", counted(top)),
                    format!("{at_first} never has more than {amount}."),
                    format!("{at_first} has at most {amount} at any time."),
                    format!("No {one} ever has more than {amount}."),
                ]);
            }
        }
        all.extend(self.bounds(number, fluent));
        all
    }

    /// How many things may be at, in or tied to one.
    fn bounds(&self, number: usize, fluent: &Fluent) -> Vec<RuleWordings> {
        let mut all = Vec::new();
        if !matches!(fluent.kind, FluentKind::At | FluentKind::In | FluentKind::Tied) {
            return all;
        }
        let [one, other] = [0, 1].map(|place| &self.words.kinds[fluent.kinds[place]].noun);
        let relation = self.relation(number);
        match most(self.theory, number, 0) {
            None => {}
            Some(1) => all.push(vec![
                format!("At most one {one} is {relation} the same {other} at a time."),
                format!("There is never more than one {one} {relation} the same {other}."),
                format!("No two {} are ever {relation} the same {other} at once.", one.many),
                format!("At any time, at most one {one} is {relation} any one {other}."),
            ]),
            Some(bound) => {
                let (many, bound) = (&one.many, counted(bound));
                all.push(vec![
                    format!("At most {bound} {many} are {relation} the same {other} at a time."),
                    format!("There are never more than {bound} {many} {relation} the same {other}."),
                    format!("No more than {bound} {many} can be {relation} the same {other} at once."),
                    format!("At any time, at most {bound} {many} are {relation} any one {other}."),
                ]);
            }
        }
        if fluent.kind == FluentKind::Tied && most(self.theory, number, 1).is_some() {
            let a = one.with_article();
            all.push(vec![
                format!("{} is {relation} at most one {other} at a time.", capital(&a)),
                format!("No {one} is ever {relation} two {}.", other.many),
                format!("At any time, each {one} is {relation} one {other} or none."),
                format!("There is never more than one {other} that {a} is {relation}."),
            ]);
        }
        all
    }

    fn law_rules(&self, number: usize, law: &InventedLaw) -> Vec<RuleWordings> {
        let noun = &self.words.kinds[law.kind].noun;
        let (a, many) = (noun.with_article(), &noun.many);
        let at_first = capital(&a);
        let adjective = &self.words.laws[number];
        let cases: Vec<String> = law.cases.iter().map(|case| self.case(law.kind, case)).collect();
        let (first, second) = match cases.as_slice() {
            [first, rest @ ..] if !rest.is_empty() => (first, rest.join(", or if ")),
            all => {
                let only = all.concat();
                return vec![vec![
                    format!("{at_first} is {adjective} exactly if {only}."),
                    format!("{at_first} is called {adjective} if {only}, and is not {adjective} otherwise."),
                    format!("For {a} to be {adjective}, it is necessary and enough that {only}."),
                    format!("To say that {a} is {adjective} means that {only}."),
                ]];
            }
        };
        vec![
            vec![
                format!("{at_first} is {adjective} if {first}, and also if {second}, but not otherwise."),
                format!(
                    "There are two ways for {a} to be {adjective}, and no more: that {first}, or that {second}."
                ),
                format!(
                    "{at_first} is {adjective} exactly if one of these is so: either {first}, or {second}."
                ),
                format!("{at_first} counts as {adjective} in two cases only: if {first}, or if {second}."),
            ],
            vec![
                format!(
                    "So being {adjective} spreads from {noun} to {noun}, in as many steps as it takes, and begins with one of the first sort."
                ),
                format!(
                    "Each {adjective} {noun} may thus make further {many} {adjective}, and so on, all of it beginning with one of the first sort."
                ),
                format!(
                    "Being {adjective} goes on from {noun} to {noun}, as far as it leads, but always begins with one of the first sort."
                ),
                format!(
                    "In this way, one {adjective} {noun} leads to the next, and the first of such a chain is always one of the first sort."
                ),
            ],
        ]
    }

    fn case(&self, kind: KindNumber, case: &LawCase) -> String {
        let kinds: Vec<KindNumber> = [kind].iter().chain(&case.others).copied().collect();
        let (mut first, mut later) = (vec![None], vec![format!("the {}", self.words.kinds[kind].noun)]);
        for other in &case.others {
            let noun = &self.words.kinds[*other].noun;
            let same = if *other == kind { "other " } else { "" };
            first.push(Some(format!("some {same}{noun}")));
            later.push(format!("that {same}{noun}"));
        }
        let mut mentions = Mentions { first, later };
        self.conditions(&case.when, &kinds, &mut mentions)
    }

    /// Conditions as clauses, one after the other.
    pub(super) fn conditions(
        &self,
        all: &[TheoryCondition],
        kinds: &[KindNumber],
        mentions: &mut Mentions,
    ) -> String {
        let clauses: Vec<String> = all.iter().map(|c| self.condition(c, kinds, mentions)).collect();
        joined(&clauses)
    }

    fn only_actions(&self) -> RuleWordings {
        let all = self.theory.actions.iter().zip(&self.words.actions);
        let clauses: Vec<String> =
            all.map(|(action, verb)| self.action(verb, Tense::Third, &self.roles(action, verb).0)).collect();
        let list = clauses.join("; ");
        vec![
            format!("There are no actions but these: {list}."),
            format!("Each action is of one of these kinds: {list}."),
            format!("Nothing else can happen than the following: {list}."),
            format!("The only actions are these: {list}."),
        ]
    }
}
