//! Words to the sentences that tell of what is always so.

use crate::audit::reread::domains::invented::known_words::{KnownFluent, KnownWords};
use crate::invent::theory::parts::{FluentKind, HomeTie, StaticShape};
use crate::language::words::text::capital;

/// What is always so.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Always {
    /// Things of a static relation stay where they are.
    Stays(usize),
    /// The first of a fluent has exactly one second.
    One(usize),
    /// At most so many stand in the open place of a fluent.
    Most { fluent: usize, open: usize, most: i64 },
    /// No thing is above itself.
    NoCircle(usize),
    /// Nothing stands on what is smaller.
    Ordered(usize),
    /// A number is never above this.
    Top(usize, i64),
}

impl KnownWords {
    /// All sentences that tell of what is always so.
    pub(super) fn always(&self) -> Vec<(String, Always)> {
        let mut all: Vec<(String, Always)> = Vec::new();
        let mut add = |told: Always, texts: &[String]| {
            all.extend(texts.iter().map(|text| (capital(text), told.clone())));
        };
        for (relation, known) in self.statics.iter().enumerate().filter(|(_, s)| s.shape == StaticShape::Home)
        {
            let [one, other] = known.kinds.map(|kind| &self.kinds[kind]);
            let (a, one, ones, other, others) = (&one.a, &one.one, &one.many, &other.one, &other.many);
            let tie = self.theory.home_tie(known);
            let is = tie.phrase();
            let texts = match tie {
                HomeTie::AlwaysAt => [
                    format!("{a} is always at the same {other}, whatever is done"),
                    format!("the {ones} never leave their {others}"),
                    format!("whatever is done, {a} stays at the same {other}"),
                    format!("{a} stays at one {other} for good"),
                ],
                HomeTie::BelongsTo | HomeTie::GoesWith => [
                    format!("{a} {is} exactly one {other}, and this never changes"),
                    format!("whatever is done, each {one} {is} the same {other}"),
                    format!("each {one} {is} one {other}, which is the same for good"),
                    format!("every {one} {is} a single {other}, and never another"),
                ],
            };
            add(Always::Stays(relation), &texts);
        }
        for (fluent, known) in self.theory.fluents.iter().enumerate() {
            let Some(one) = known.kinds.first().map(|kind| &self.kinds[*kind]) else { continue };
            let (a, ones, one) = (&one.a, &one.many, &one.one);
            match (known.kind, &self.fluents[fluent]) {
                (FluentKind::Has(_), KnownFluent::Counted(noun)) => {
                    for (most, word) in [(1, "one"), (2, "two"), (3, "three"), (4, "four"), (5, "five")] {
                        let (many, said) = (&noun.many, if most == 1 { &noun.one } else { &noun.many });
                        let texts = [
                            format!("the number of {many} that {a} has is never above {word}"),
                            format!("{a} never has more than {word} {said}"),
                            format!("{a} has at most {word} {said} at any time"),
                            format!("no {one} ever has more than {word} {said}"),
                        ];
                        add(Always::Top(fluent, most), &texts);
                    }
                }
                (FluentKind::On, _) => {
                    let single = [
                        format!("{a} is on at most one other {one}, and at most one other is on top"),
                        format!("no {one} is ever on two others, and no two {ones} are on the same one"),
                        format!(
                            "at any time, each {one} is on one other {one} or on none, with one on top or none"
                        ),
                        format!(
                            "no {one} has more than one other {one} on top, and none is on more than one other"
                        ),
                    ];
                    add(Always::Most { fluent, open: 1, most: 1 }, &single);
                    let circle = [
                        format!("however many {ones} are on each other, they never form a circle"),
                        format!("the {ones} are never on each other in a circle"),
                        format!("whoever looks from {a} upwards never meets the same {one} again"),
                        format!("every stack of {ones} has a lowest {one} and a highest one"),
                    ];
                    add(Always::NoCircle(fluent), &circle);
                    let ordered = [
                        format!("no {one} is ever on a smaller one"),
                        format!("{a} is never on one that is smaller"),
                        format!("at any time, each {one} that is on another is smaller than that one"),
                        format!("only smaller {ones} are ever on bigger ones"),
                    ];
                    add(Always::Ordered(fluent), &ordered);
                }
                (kind, KnownFluent::Relation(word)) => {
                    let other = &self.kinds[known.kinds[1]];
                    let (others, other) = (&other.many, &other.one);
                    if kind == FluentKind::At {
                        let texts = [
                            format!("every {one} is at exactly one {other} at a time"),
                            format!("{a} is always at one {other}, and never at two"),
                            format!("at any time, each {one} is at a single {other}"),
                            format!("each {one} is always at one {other} and at no other"),
                        ];
                        add(Always::One(fluent), &texts);
                    } else {
                        let texts = [
                            format!("{a} can be {word} only one {other} at a time, or {word} none"),
                            format!("{a} is {word} at most one {other} at a time"),
                            format!("no {one} is ever {word} two {others}"),
                            format!("no {one} is ever {word} two {others} at once"),
                            format!("at any time, each {one} is {word} at most one {other}"),
                            format!("at any time, each {one} is {word} one {other} or none"),
                            format!("no {one} is ever {word} more than one {other}"),
                        ];
                        add(Always::Most { fluent, open: 1, most: 1 }, &texts);
                    }
                    let single = [
                        format!("at most one {one} is {word} the same {other} at a time"),
                        format!("there is never more than one {one} {word} the same {other}"),
                        format!("no two {ones} are ever {word} the same {other} at once"),
                        format!("at any time, at most one {one} is {word} any one {other}"),
                    ];
                    add(Always::Most { fluent, open: 0, most: 1 }, &single);
                    for (most, bound) in [(2, "two"), (3, "three"), (4, "four"), (5, "five")] {
                        let texts = [
                            format!("at most {bound} {ones} are {word} the same {other} at a time"),
                            format!("there are never more than {bound} {ones} {word} the same {other}"),
                            format!("no more than {bound} {ones} can be {word} the same {other} at once"),
                            format!("at any time, at most {bound} {ones} are {word} any one {other}"),
                        ];
                        add(Always::Most { fluent, open: 0, most }, &texts);
                    }
                }
                _ => {}
            }
        }
        all
    }
}
