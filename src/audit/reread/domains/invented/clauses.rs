//! Clauses to the conditions and changes that they tell.

use crate::audit::reread::domains::invented::known_words::{KnownFluent, KnownWords};
use crate::invent::theory::parts::{
    ConditionSubject, FluentChange, FluentKind, HomeTie, KindNumber, Static, StaticShape, TheoryCondition,
    Variable,
};

/// The things that a sentence speaks of: what they are called, and which variables these are.
#[derive(Clone, Debug, Default)]
pub(super) struct Spoken {
    pub(super) phrases: Vec<(String, Variable)>,
    pub(super) kinds: Vec<KindNumber>,
}

impl Spoken {
    /// The thing that a text begins with, and what comes after it.
    fn begins<'t>(&self, text: &'t str) -> Option<(Variable, &'t str)> {
        self.phrases.iter().find_map(|(phrase, variable)| {
            Some((*variable, text.strip_prefix(phrase.as_str())?.strip_prefix(' ')?))
        })
    }

    /// The thing that a text is.
    fn is(&self, text: &str) -> Option<Variable> {
        self.phrases.iter().find(|(phrase, _)| phrase == text).map(|(_, variable)| *variable)
    }
}

/// Small numbers in words.
pub(super) fn number(word: &str) -> Option<i64> {
    let words = ["no", "one", "two", "three", "four", "five"];
    words.iter().position(|known| *known == word).map(|number| number as i64)
}

/// `a`, `a, and b`, `a, b, and c`: the clauses.
pub(super) fn listed(text: &str) -> Option<Vec<&str>> {
    let mut all: Vec<&str> = text.split(", ").collect();
    if all.len() > 1 {
        let last = all.pop()?;
        all.push(last.strip_prefix("and ")?);
    }
    Some(all)
}

impl KnownWords {
    /// `three coins`
    pub(super) fn amount(&self, fluent: usize, text: &str) -> Option<i64> {
        let KnownFluent::Counted(noun) = &self.fluents[fluent] else { return None };
        let (word, said) = text.split_once(' ')?;
        let number = number(word)?;
        (said == if number == 1 { &noun.one } else { &noun.many }).then_some(number)
    }

    /// Fluents of two arguments with the word between them.
    fn relations(&self) -> impl Iterator<Item = (usize, &str)> {
        self.fluents.iter().enumerate().filter_map(|(fluent, known)| match known {
            KnownFluent::Relation(word) => Some((fluent, word.as_str())),
            _ => None,
        })
    }

    /// What an adjective says of a thing of a type.
    fn adjective(&self, word: &str, kind: KindNumber) -> Option<ConditionSubject> {
        let fluents = self.fluents.iter().enumerate().find_map(|(fluent, known)| match known {
            KnownFluent::Adjective(own) if own == word && self.theory.fluents[fluent].kinds == [kind] => {
                Some(ConditionSubject::Fluent(fluent))
            }
            _ => None,
        });
        let laws = self.laws.iter().position(|(of, own)| own == word && *of == kind);
        fluents.or(laws.map(ConditionSubject::Law))
    }

    /// Conditions, one after the other.
    pub(super) fn conditions(&self, text: &str, spoken: &Spoken) -> Option<Vec<TheoryCondition>> {
        listed(text)?.into_iter().map(|clause| self.condition(clause, spoken)).collect()
    }

    /// The only condition that a clause tells.
    fn condition(&self, text: &str, spoken: &Spoken) -> Option<TheoryCondition> {
        let mut all = self.of_a_thing(text, spoken);
        all.extend(self.of_ways(text, spoken));
        all.extend(self.of_some(text, spoken));
        all.extend(self.of_the_world(text));
        (all.len() == 1).then(|| all.remove(0))
    }

    /// A state of the whole world, or its absence.
    fn of_the_world(&self, text: &str) -> Vec<TheoryCondition> {
        let read = |(fluent, known): (usize, &KnownFluent)| {
            let KnownFluent::World([thing, word]) = known else { return None };
            let said = text.strip_prefix(thing.as_str())?.strip_prefix(" is ")?;
            let plain = said.strip_prefix("not ").unwrap_or(said);
            let positive = plain.len() == said.len();
            let what = ConditionSubject::Fluent(fluent);
            (plain == word).then(|| TheoryCondition::Is { positive, what, of: Vec::new() })
        };
        self.fluents.iter().enumerate().filter_map(read).collect()
    }

    /// What a clause says of the whole world that is so afterwards.
    fn change_of_the_world(&self, text: &str) -> Option<FluentChange> {
        let turned = self.fluents.iter().enumerate().find_map(|(fluent, known)| match known {
            KnownFluent::World([thing, word]) => {
                let said = format!("{thing} is {word} exactly if {thing} was not {word} before");
                (text == said).then(|| FluentChange::Flip { fluent, of: Vec::new() })
            }
            _ => None,
        });
        let set = || match self.of_the_world(text).pop()? {
            TheoryCondition::Is { positive: to, what: ConditionSubject::Fluent(fluent), of } => {
                Some(FluentChange::Set { to, fluent, of })
            }
            _ => None,
        };
        turned.or_else(set)
    }

    /// What begins with a thing that is spoken of.
    fn of_a_thing(&self, text: &str, spoken: &Spoken) -> Vec<TheoryCondition> {
        let Some((one, rest)) = spoken.begins(text) else { return Vec::new() };
        let kind = spoken.kinds[one];
        let mut all = Vec::new();
        if let Some(rest) = rest.strip_prefix("is ") {
            let (positive, said) = match rest.strip_prefix("not ") {
                Some(said) => (false, said),
                None => (true, rest),
            };
            let what = self.adjective(said, kind);
            all.extend(what.map(|what| TheoryCondition::Is { positive, what, of: vec![one] }));
            for (fluent, word) in self.relations() {
                let Some(said) = said.strip_prefix(word).and_then(|said| said.strip_prefix(' ')) else {
                    continue;
                };
                let kinds = &self.theory.fluents[fluent].kinds;
                if let Some(other) = spoken.is(said).filter(|other| *kinds == [kind, spoken.kinds[*other]]) {
                    let what = ConditionSubject::Fluent(fluent);
                    all.push(TheoryCondition::Is { positive, what, of: vec![one, other] });
                }
                let (none, some) = (said.strip_prefix("no "), said.strip_prefix("at least one "));
                let noun = none.or(some).filter(|_| positive && kinds[0] == kind);
                if noun.is_some_and(|noun| self.is_other(noun, kinds[1], kinds[0] == kinds[1])) {
                    all.push(TheoryCondition::Any { positive: some.is_some(), fluent, open: 1, of: one });
                }
            }
            for (relation, known) in self.statics.iter().enumerate() {
                let word = match known.shape {
                    StaticShape::Order => "smaller than ",
                    StaticShape::Home if self.theory.home_tie(known) == HomeTie::AlwaysAt => "always at ",
                    _ => continue,
                };
                let other = rest.strip_prefix(word).and_then(|said| spoken.is(said));
                let other = other.filter(|other| known.kinds == [kind, spoken.kinds[*other]]);
                all.extend(other.map(|other| TheoryCondition::Static { relation, of: [one, other] }));
            }
        }
        all.extend(self.company(rest, kind, spoken).map(|other| TheoryCondition::SamePlace(one, other)));
        for (relation, known) in self.statics.iter().enumerate().filter(|(_, s)| s.shape == StaticShape::Home)
        {
            let tie = self.theory.home_tie(known);
            let said = rest.strip_prefix(tie.phrase()).filter(|_| tie != HomeTie::AlwaysAt);
            let other = said.and_then(|said| spoken.is(said.strip_prefix(' ')?));
            let other = other.filter(|other| known.kinds == [kind, spoken.kinds[*other]]);
            all.extend(other.map(|other| TheoryCondition::Static { relation, of: [one, other] }));
        }
        if let Some(said) = rest.strip_prefix("has ") {
            all.extend(self.has(said, one, kind));
        }
        all
    }

    fn has(&self, text: &str, of: Variable, kind: KindNumber) -> Vec<TheoryCondition> {
        let mut all = Vec::new();
        for (fluent, known) in
            self.theory.fluents.iter().enumerate().filter(|(_, known)| known.kinds == [kind])
        {
            let FluentKind::Has(most) = known.kind else { continue };
            let (at_least, said) = match (text.strip_prefix("at least "), text.strip_prefix("at most ")) {
                (Some(said), _) => (true, said),
                (_, Some(said)) => (false, said),
                _ => match self.amount(fluent, text) {
                    Some(0) => (false, text),
                    // As many as it may have.
                    Some(number) if number == most => (true, text),
                    _ => continue,
                },
            };
            let bound = self.amount(fluent, said);
            all.extend(bound.map(|bound| TheoryCondition::Number { fluent, of, at_least, bound }));
        }
        all
    }

    /// Does a place belong to things of the type, which need not be at it?
    fn has_own_place(&self, kind: KindNumber) -> bool {
        let owns = |known: &Static| {
            known.shape == StaticShape::Home
                && known.kinds[0] == kind
                && self.theory.home_tie(known) == HomeTie::BelongsTo
        };
        self.theory.position(kind).is_none() && self.statics.iter().any(owns)
    }

    /// `is at the same dale as the zib`, said of something of a type: the zib.
    fn company(&self, text: &str, kind: KindNumber, spoken: &Spoken) -> Option<Variable> {
        let place = &self.kinds[self.theory.places()?].one;
        let frames = [
            (format!("is at the same {place} as "), "", [false, false]),
            (format!("is at the {place} that "), " belongs to", [false, true]),
            (format!("belongs to the {place} that "), " is at", [true, false]),
            (format!("belongs to the same {place} as "), "", [true, true]),
        ];
        frames.iter().find_map(|(before, after, owns)| {
            let other = spoken.is(text.strip_prefix(before.as_str())?.strip_suffix(after)?)?;
            let fits = [kind, spoken.kinds[other]].map(|kind| self.has_own_place(kind)) == *owns;
            fits.then_some(other)
        })
    }

    /// `zib`, or `other zib` where another one is meant.
    fn is_other(&self, text: &str, kind: KindNumber, other: bool) -> bool {
        let said = if other { text.strip_prefix("other ") } else { Some(text) };
        said == Some(self.kinds[kind].one.as_str())
    }

    fn of_ways(&self, text: &str, spoken: &Spoken) -> Vec<TheoryCondition> {
        let Some(rest) = text.strip_prefix("there is ") else { return Vec::new() };
        let mut all = Vec::new();
        for (relation, known) in self.statics.iter().enumerate() {
            let (before, middle) = match known.shape {
                StaticShape::Order | StaticShape::Home => continue,
                StaticShape::Ring => (" from ", " to "),
                _ => (" between ", " and "),
            };
            let said =
                rest.strip_prefix(self.ways[relation].as_str()).and_then(|said| said.strip_prefix(before));
            let ends = said.and_then(|said| said.split_once(middle));
            let ends = ends.and_then(|(one, other)| Some([spoken.is(one)?, spoken.is(other)?]));
            let ends = ends.filter(|ends| known.kinds == ends.map(|end| spoken.kinds[end]));
            all.extend(ends.map(|of| TheoryCondition::Static { relation, of }));
        }
        all
    }

    /// What begins with how many of a type there are.
    fn of_some(&self, text: &str, spoken: &Spoken) -> Vec<TheoryCondition> {
        let mut all = Vec::new();
        for (fluent, word) in self.relations() {
            let kinds = &self.theory.fluents[fluent].kinds;
            for of in (0..spoken.kinds.len()).filter(|of| spoken.kinds[*of] == kinds[1]) {
                for (said, plural) in [(" is ", false), (" are ", true)] {
                    let ends = spoken.phrases.iter().filter(|(_, variable)| *variable == of);
                    let subjects =
                        ends.filter_map(|(phrase, _)| text.strip_suffix(&format!("{said}{word} {phrase}")));
                    for subject in subjects {
                        all.extend(self.counted(subject, plural, fluent, of));
                    }
                }
            }
        }
        for kind in 0..self.kinds.len() {
            let (none, some) = (text.strip_prefix("no "), text.strip_prefix("at least one "));
            for verb in [" is at ", " belongs to "] {
                let Some(at) = none.or(some).and_then(|said| said.find(verb)) else { continue };
                let Some((subject, rest)) = none.or(some).map(|said| said.split_at(at)) else { continue };
                let Some(of) = self.company(rest.trim_start(), kind, spoken) else { continue };
                if self.is_other(subject, kind, kind == spoken.kinds[of]) {
                    all.push(TheoryCondition::Company { positive: some.is_some(), kind, of });
                }
            }
        }
        all
    }

    /// `at least one zib`, `no other zib`, `at most two zibs`
    fn counted(&self, text: &str, plural: bool, fluent: usize, of: Variable) -> Option<TheoryCondition> {
        let kinds = &self.theory.fluents[fluent].kinds;
        if let Some(said) = text.strip_prefix("at most ") {
            let (most, noun) = said.split_once(' ')?;
            let most = number(most)?;
            let known = &self.kinds[kinds[0]];
            let fits = plural == (most > 1) && noun == if plural { &known.many } else { &known.one };
            return fits.then_some(TheoryCondition::Fewer { fluent, of, than: most + 1 });
        }
        let (none, some) = (text.strip_prefix("no "), text.strip_prefix("at least one "));
        let fits = !plural && self.is_other(none.or(some)?, kinds[0], kinds[0] == kinds[1]);
        fits.then_some(TheoryCondition::Any { positive: some.is_some(), fluent, open: 0, of })
    }

    /// Changes, one after the other.
    pub(super) fn changes(&self, text: &str, spoken: &Spoken) -> Option<Vec<FluentChange>> {
        listed(text)?.into_iter().map(|clause| self.change(clause, spoken)).collect()
    }

    /// What a clause says that is so afterwards.
    pub(super) fn change(&self, text: &str, spoken: &Spoken) -> Option<FluentChange> {
        let Some((one, rest)) = spoken.begins(text) else { return self.change_of_the_world(text) };
        let kind = spoken.kinds[one];
        if let Some(said) = rest.strip_prefix("has one ") {
            let (noun, said) = said.split_once(' ')?;
            let up = match said {
                "more than before" => true,
                "fewer than before" => false,
                _ => return None,
            };
            let counts = |fluent: &usize| {
                matches!(&self.fluents[*fluent], KnownFluent::Counted(known) if known.one == noun)
                    && self.theory.fluents[*fluent].kinds == [kind]
            };
            let fluent = (0..self.fluents.len()).find(counts)?;
            return Some(FluentChange::Step { up, fluent, of: one });
        }
        let rest = rest.strip_prefix("is ")?;
        if let Some((adjective, said)) = rest.split_once(" exactly if ") {
            let (again, said) = spoken.begins(said)?;
            let same = said == format!("was not {adjective} before") && again == one;
            let ConditionSubject::Fluent(fluent) = self.adjective(adjective, kind)? else { return None };
            return same.then(|| FluentChange::Flip { fluent, of: vec![one] });
        }
        let plain = rest.strip_prefix("not ").unwrap_or(rest);
        if let Some(ConditionSubject::Fluent(fluent)) = self.adjective(plain, kind) {
            return Some(FluentChange::Set { to: plain.len() == rest.len(), fluent, of: vec![one] });
        }
        let said = rest.strip_prefix("no longer ").unwrap_or(rest);
        let to = said.len() == rest.len();
        self.relations().find_map(|(fluent, word)| {
            let other = said.strip_prefix(word)?.strip_prefix(' ')?;
            let moves = to && self.theory.fluents[fluent].kind == FluentKind::At;
            let other = if moves { other.strip_suffix(" and nowhere else")? } else { other };
            let other = spoken.is(other)?;
            let fits = self.theory.fluents[fluent].kinds == [kind, spoken.kinds[other]];
            fits.then(|| FluentChange::Set { to, fluent, of: vec![one, other] })
        })
    }
}
