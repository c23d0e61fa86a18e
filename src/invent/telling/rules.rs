//! A theory to the sentences of its rules, each in at least four wordings: what always is so, and what laws define.

use crate::invent::encode::world_program::{has_order, most};
use crate::invent::telling::clauses::{Mentions, Tense, ToldTheory, counted, joined};
use crate::invent::theory::parts::{
    Fluent, FluentKind, HomeTie, InventedLaw, KindNumber, LawCase, Static, StaticShape, TheoryCondition,
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
        let tie = self.theory.home_tie(relation);
        let is = tie.phrase();
        Some(match tie {
            HomeTie::BelongsTo | HomeTie::GoesWith => vec![
                format!("{} {is} exactly one {other}, and this never changes.", capital(&a)),
                format!("Whatever is done, each {one} {is} the same {other}."),
                format!("Each {one} {is} one {other}, which is the same for good."),
                format!("Every {one} {is} a single {other}, and never another."),
            ],
            HomeTie::AlwaysAt => vec![
                format!("{} is always at the same {other}, whatever is done.", capital(&a)),
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
                    format!("Each {one} is always at one {place} and at no other."),
                ]);
            }
            FluentKind::In => {
                let holder = noun(1);
                all.push(vec![
                    format!("{at_first} can be in only one {holder} at a time, or in none."),
                    format!("No {one} is ever in two {} at once.", holder.many),
                    format!("At any time, each {one} is in at most one {holder}."),
                    format!("No {one} is ever in more than one {holder}."),
                ]);
            }
            FluentKind::On => {
                all.push(vec![
                    format!("{at_first} is on at most one other {one}, and at most one other is on top."),
                    format!("No {one} is ever on two others, and no two {many} are on the same one."),
                    format!(
                        "At any time, each {one} is on one other {one} or on none, with one on top or none."
                    ),
                    format!(
                        "No {one} has more than one other {one} on top, and none is on more than one other."
                    ),
                ]);
                all.push(vec![
                    format!("However many {many} are on each other, they never form a circle."),
                    format!("The {many} are never on each other in a circle."),
                    format!("Whoever looks from {a} upwards never meets the same {one} again."),
                    format!("Every stack of {many} has a lowest {one} and a highest one."),
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
                format!("No {one} is ever {relation} more than one {other}."),
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
                format!("There are just two cases in which {a} is {adjective}: either {first}, or {second}."),
                format!(
                    "{at_first} is {adjective} exactly if one of these is so: either {first}, or {second}."
                ),
                format!("{at_first} counts as {adjective} in two cases only: if {first}, or if {second}."),
            ],
            vec![
                format!(
                    "So being {adjective} spreads from {noun} to {noun}, in as many steps as it takes, but only from {many} to which the first of the two cases applies."
                ),
                format!(
                    "Each {adjective} {noun} may thus make further {many} {adjective}, and so on; but where this starts, the first of the two cases applies."
                ),
                format!(
                    "Being {adjective} is passed on from {noun} to {noun} in this way, as far as it leads, and always starts where the first of the two cases applies."
                ),
                format!(
                    "In this way, one {adjective} {noun} leads to the next, and every such chain starts with {a} to which the first of the two cases applies."
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
