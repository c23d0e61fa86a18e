//! A theory to the sentences of its rules, each in at least four wordings.

use crate::invent::encode::world_program::most;
use crate::invent::telling::clauses::{Mentions, Tense, ToldTheory, counted, joined};
use crate::invent::theory::parts::{
    Action, Effect, Fluent, FluentKind, InventedLaw, KindNumber, LawCase, Static, StaticShape,
    TheoryCondition,
};
use crate::invent::words::inflection::{with_article, with_s};

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
        let [one, place] = relation.kinds.map(|kind| &self.words.kinds[kind]);
        let (one, ones, place) = (with_article(&one.one), &one.many, &place.one);
        if self.theory.places().is_none() {
            return Some(vec![
                format!("{} belongs to exactly one {place}, and this never changes.", capital(&one)),
                format!(
                    "Whatever is done, the {ones} go on belonging to the {} to which they belong at first.",
                    with_s(place)
                ),
                format!("To which {place} {one} belongs never changes, and it is exactly one."),
                format!("{} belongs to one {place}, and to the same one for good.", capital(&one)),
            ]);
        }
        Some(vec![
            format!("No action moves {one}: it is always at its {place}."),
            format!("The {ones} never leave their {}.", with_s(place)),
            format!("Whatever is done, {one} stays at its {place}."),
            format!("{} stays at the same {place} for good.", capital(&one)),
        ])
    }

    fn fluent_rules(&self, number: usize, fluent: &Fluent) -> Vec<RuleWordings> {
        let words = |place: usize| &self.words.kinds[fluent.kinds[place]];
        let one = &words(0).one;
        let mut all = Vec::new();
        match fluent.kind {
            FluentKind::State => {}
            FluentKind::At => {
                let place = &words(1).one;
                all.push(vec![
                    format!("Every {one} is at exactly one {place} at a time."),
                    format!("{} is always at one {place}, and never at two.", capital(&with_article(one))),
                    format!("At any time, each {one} is at a single {place}."),
                    format!("There is always exactly one {place} that {} is at.", with_article(one)),
                ]);
            }
            FluentKind::In => {
                let holder = &words(1).one;
                all.push(vec![
                    format!(
                        "{} can be in only one {holder} at a time, or in none.",
                        capital(&with_article(one))
                    ),
                    format!("No {one} is ever in two {} at once.", words(1).many),
                    format!("At any time, each {one} is in at most one {holder}."),
                    format!("There is never more than one {holder} that {} is in.", with_article(one)),
                ]);
            }
            FluentKind::On => all.push(vec![
                format!(
                    "{} is on at most one other {one}, and at most one {one} is on it.",
                    capital(&with_article(one))
                ),
                format!("No {one} is ever on two others, and no two {} are on the same one.", words(0).many),
                format!(
                    "At any time, each {one} is on one other {one} or on none, and has one on it or none."
                ),
                format!(
                    "Of the {}, at most one is on any other, and none is on more than one.",
                    words(0).many
                ),
            ]),
            FluentKind::Has(top) => {
                let top = self.amount(number, top);
                let many = with_s(&self.words.fluents[number]);
                all.push(vec![
                    format!(
                        "The number of {many} that {} has is never above {}.",
                        with_article(one),
                        counted(most_of(fluent))
                    ),
                    format!("{} never has more than {top}.", capital(&with_article(one))),
                    format!("{} has at most {top} at any time.", capital(&with_article(one))),
                    format!("No {one} ever has more than {top}."),
                ]);
            }
            FluentKind::Tied => {}
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
        let [one, other] = [0, 1].map(|place| &self.words.kinds[fluent.kinds[place]]);
        let relation = self.relation(number);
        if let Some(bound) = most(self.theory, number, 0) {
            let (things, are) = if bound == 1 { (&one.one, "is") } else { (&one.many, "are") };
            let (other, bound) = (&other.one, counted(bound));
            all.push(vec![
                format!("At most {bound} {things} {are} ever {relation} the same {other}."),
                format!("Never are more than {bound} of the {} {relation} one {other}.", one.many),
                format!("No more than {bound} {things} can be {relation} the same {other} at once."),
                format!("At any time, at most {bound} {things} {are} {relation} any one {other}."),
            ]);
        }
        if fluent.kind == FluentKind::Tied && most(self.theory, number, 1).is_some() {
            all.push(vec![
                format!(
                    "{} is {relation} at most one {} at a time.",
                    capital(&with_article(&one.one)),
                    other.one
                ),
                format!("No {} is ever {relation} two {}.", one.one, other.many),
                format!("At any time, each {} is {relation} one {} or none.", one.one, other.one),
                format!(
                    "There is never more than one {} that {} is {relation}.",
                    other.one,
                    with_article(&one.one)
                ),
            ]);
        }
        all
    }

    fn law_rules(&self, number: usize, law: &InventedLaw) -> Vec<RuleWordings> {
        let noun = &self.words.kinds[law.kind].one;
        let a = with_article(noun);
        let adjective = &self.words.laws[number];
        let cases: Vec<String> = law.cases.iter().map(|case| self.case(law.kind, case)).collect();
        if let [only] = cases.as_slice() {
            return vec![vec![
                format!("{} is {adjective} exactly if {only}.", capital(&a)),
                format!(
                    "{} is called {adjective} if {only}, and otherwise it is not {adjective}.",
                    capital(&a)
                ),
                format!("For {a} to be {adjective}, it is necessary and enough that {only}."),
                format!("To say that {a} is {adjective} means that {only}."),
            ]];
        }
        let (first, rest) = cases
            .split_first()
            .map_or((String::new(), String::new()), |(first, rest)| (first.clone(), rest.join(", or if ")));
        let many = &self.words.kinds[law.kind].many;
        let spread = vec![
            format!(
                "So being {adjective} spreads from {noun} to {noun}, in as many steps as it takes, and begins with one of the first sort."
            ),
            format!(
                "Each {adjective} {noun} may thus make further {many} {adjective}, and so on, all of it beginning with one of the first sort."
            ),
            format!(
                "This goes on from {noun} to {noun}, as far as it leads, but always begins with one of the first sort."
            ),
            format!(
                "In this way, one {adjective} {noun} leads to the next, and the first of such a chain is always one of the first sort."
            ),
        ];
        vec![
            vec![
                format!("{} is {adjective} if {first}, and also if {rest}, but not otherwise.", capital(&a)),
                format!(
                    "There are two ways for {a} to be {adjective}, and no more: that {first}, or that {rest}."
                ),
                format!(
                    "{} is {adjective} exactly if one of these is so: either {first}, or {rest}.",
                    capital(&a)
                ),
                format!("{} counts as {adjective} in two cases only: if {first}, or if {rest}.", capital(&a)),
            ],
            spread,
        ]
    }

    fn case(&self, kind: KindNumber, case: &LawCase) -> String {
        let kinds: Vec<KindNumber> = [kind].iter().chain(&case.others).copied().collect();
        let (mut first, mut later) = (vec![None], vec![format!("the {}", self.words.kinds[kind].one)]);
        for other in &case.others {
            let noun = &self.words.kinds[*other].one;
            let same = if *other == kind { "other " } else { "" };
            first.push(Some(format!("some {same}{noun}")));
            later.push(format!("that {same}{noun}"));
        }
        let mut mentions = Mentions { first, later };
        self.conditions(&case.when, &kinds, &mut mentions)
    }

    fn conditions(&self, all: &[TheoryCondition], kinds: &[KindNumber], mentions: &mut Mentions) -> String {
        let clauses: Vec<String> = all.iter().map(|c| self.condition(c, kinds, mentions)).collect();
        joined(&clauses)
    }

    fn action_rules(&self, number: usize) -> Vec<RuleWordings> {
        let action = &self.theory.actions[number];
        let verb = &self.words.actions[number];
        let (first, later) = self.roles(action, verb);
        let known = Mentions { first: vec![None; later.len()], later };
        let requires = self.conditions(&action.requires, &action.params, &mut known.clone());
        let said = |tense: Tense| self.action(verb, tense, &first);
        let (third, perfect) = (said(Tense::Third), said(Tense::Perfect));
        let base = |subject: &str| {
            // "for a zib to flurb", "a zib can flurb"
            let text = said(Tense::Base);
            text.replacen(&format!(" {}", verb.base), &format!(" {subject} {}", verb.base), 1)
        };
        let mut all = Vec::new();
        all.push(match action.requires.is_empty() {
            true => vec![
                format!("{} at any time.", capital(&base("can"))),
                format!("Nothing is required for {}.", base("to")),
                format!("There is nothing that has to be so for {}.", base("to")),
                format!("{} whatever the situation.", capital(&base("can"))),
            ],
            false => vec![
                format!("{} exactly if {requires}.", capital(&base("can"))),
                format!("For {}, all of this must be so, and nothing else: {requires}.", base("to")),
                format!("{} if {requires}, but not otherwise.", capital(&base("can"))),
                format!("It takes the following for {}, and no more: {requires}.", base("to")),
            ],
        });
        let plain: Vec<&Effect> =
            action.effects.iter().filter(|e| e.when.is_empty() && e.each.is_empty()).collect();
        let changes: Vec<String> = plain.iter().map(|e| self.change(&e.change, &mut known.clone())).collect();
        if !changes.is_empty() {
            let changes = joined(&changes);
            all.push(vec![
                format!("When {third}, the result is this: {changes}."),
                format!("Once {perfect}, {changes}."),
                format!("If {third}, then afterwards {changes}."),
                format!("After {perfect}, {changes}."),
            ]);
        }
        for effect in action.effects.iter().filter(|e| !e.when.is_empty() || !e.each.is_empty()) {
            all.push(self.side_effect(action, effect, &third, &known));
        }
        all
    }

    fn side_effect(&self, action: &Action, effect: &Effect, third: &str, known: &Mentions) -> RuleWordings {
        let kinds: Vec<KindNumber> = action.params.iter().chain(&effect.each).copied().collect();
        let mut mentions = known.clone();
        for _ in &effect.each {
            mentions.first.push(None);
            mentions.later.push("it".to_owned());
        }
        let when = self.conditions(&effect.when, &kinds, &mut mentions.clone());
        let change = self.change(&effect.change, &mut mentions);
        let Some(kind) = effect.each.first() else {
            return vec![
                format!("When {third}, there is a further effect if beforehand {when}: {change}."),
                format!("If {third} and just before that {when}, then afterwards {change} as well."),
                format!(
                    "Whenever {third} in a situation in which {when}, then {change} as soon as it is done."
                ),
                format!("Besides, each time that {third} while {when}, {change} afterwards."),
            ];
        };
        let noun = &self.words.kinds[*kind].one;
        let other = if action.params.contains(kind) { "other " } else { "" };
        vec![
            format!(
                "When {third}, every {other}{noun} may be affected: if beforehand {when}, then afterwards {change}."
            ),
            format!(
                "Whenever {third}, this happens to each {other}{noun}: if {when} just before, then {change} as soon as it is done."
            ),
            format!(
                "If {third}, then the following is true of every {other}{noun}: if until then {when}, from then on {change}."
            ),
            format!(
                "Each time that {third}, any {other}{noun} changes if {when} at that moment: {change} afterwards."
            ),
        ]
    }

    fn only_actions(&self) -> RuleWordings {
        let all = self.theory.actions.iter().zip(&self.words.actions);
        let clauses: Vec<String> = all
            .map(|(action, verb)| {
                format!("that {}", self.action(verb, Tense::Third, &self.roles(action, verb).0))
            })
            .collect();
        let list = clauses.join("; ");
        vec![
            format!("There are no actions but these: {list}."),
            format!("Each action is of one of these kinds: {list}."),
            format!("Nothing else can happen than the following: {list}."),
            format!("The only actions are these: {list}."),
        ]
    }
}

fn most_of(fluent: &Fluent) -> i64 {
    if let FluentKind::Has(most) = fluent.kind { most } else { 0 }
}
