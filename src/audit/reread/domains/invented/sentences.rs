//! The sentences of a rules paragraph to a theory and to what they say is always so.

use std::collections::BTreeSet;

use crate::audit::reread::domains::invented::always::Always;
use crate::audit::reread::domains::invented::clauses::Spoken;
use crate::audit::reread::domains::invented::known_words::{KnownAction, KnownNoun, KnownWords};
use crate::invent::theory::parts::{
    Action, ActionForm, Effect, FluentKind, InventedLaw, InventedTheory, KindNumber, LawCase,
    TheoryCondition, TheoryMechanism,
};
use crate::language::words::text::capital;

/// Words between two things of a type after which the second is "another", without its noun.
const JOINING: [&str; 15] = [
    "to", "from", "into", "out", "of", "onto", "off", "at", "beside", "on", "up", "down", "over", "away",
    "back",
];

/// What a paragraph tells.
pub(super) struct ToldParagraph {
    pub(super) theory: InventedTheory,
    pub(super) always: BTreeSet<Always>,
}

/// Who an action's sentences speak of, and the action as a clause.
struct Header {
    spoken: Spoken,
    third: String,
    perfect: String,
    can: String,
    to: String,
}

/// All ways to find these pieces in a text, one after the other, from its beginning to its end: what stands between them.
fn cut<'t>(text: &'t str, pieces: &[&str]) -> Vec<Vec<&'t str>> {
    let Some((first, rest)) = pieces.split_first() else { return Vec::new() };
    let Some(text) = text.strip_prefix(first) else { return Vec::new() };
    let Some((next, more)) = rest.split_first() else {
        return if text.is_empty() { vec![Vec::new()] } else { Vec::new() };
    };
    if more.is_empty() {
        return text.strip_suffix(next).map(|hole| vec![hole]).into_iter().collect();
    }
    let mut ways = Vec::new();
    for (at, _) in text.match_indices(next) {
        for way in cut(&text[at..], rest) {
            ways.push([&text[..at]].into_iter().chain(way).collect());
        }
    }
    ways
}

impl KnownWords {
    /// Reads sentences without their full stops.
    ///
    /// # Errors
    /// A sentence that cannot be read, or what the sentences leave open.
    pub(super) fn paragraph(&self, sentences: &[&str]) -> Result<ToldParagraph, String> {
        let mut theory = self.theory.clone();
        let mut always = BTreeSet::new();
        let known = self.always();
        let mut open: Vec<&str> = Vec::new();
        for sentence in sentences {
            match known.iter().find(|(text, _)| text == sentence) {
                Some((_, told)) => drop(always.insert(told.clone())),
                None => open.push(sentence),
            }
        }
        for told in &always {
            if let Always::Top(fluent, most) = told {
                theory.fluents[*fluent].kind = FluentKind::Has(*most);
            }
        }
        // "Has three coins" means at least as many, where three are the most.
        let own = KnownWords { theory: theory.clone(), ..self.clone() };
        own.laws_and_actions(&open, &mut theory)?;
        Ok(ToldParagraph { theory, always })
    }

    fn laws_and_actions(&self, sentences: &[&str], theory: &mut InventedTheory) -> Result<(), String> {
        let headers: Vec<Header> = self.actions.iter().map(|action| self.header(action)).collect();
        let mut laws: Vec<Option<InventedLaw>> = vec![None; self.laws.len()];
        let mut spreads = BTreeSet::new();
        let mut requires: Vec<Option<Vec<TheoryCondition>>> = vec![None; headers.len()];
        let mut effects: Vec<Vec<Effect>> = vec![Vec::new(); headers.len()];
        let mut closed = false;
        for sentence in sentences {
            let mut readings = 0;
            for law in 0..self.laws.len() {
                for told in self.law(law, sentence) {
                    readings += 1 + usize::from(laws[law].is_some());
                    laws[law] = Some(told);
                }
                if self.spread(law).iter().any(|text| text == sentence) {
                    readings += 1 + usize::from(!spreads.insert(law));
                }
            }
            for (number, header) in headers.iter().enumerate() {
                for told in self.required(header, sentence) {
                    readings += 1 + usize::from(requires[number].is_some());
                    requires[number] = Some(told);
                }
                for told in self.effects(header, sentence) {
                    readings += 1;
                    effects[number].extend(told);
                }
            }
            if only_actions(&headers).iter().any(|text| text == sentence) {
                readings += 1 + usize::from(closed);
                closed = true;
            }
            if readings != 1 {
                let how = if readings == 0 { "cannot be read" } else { "can be read twice" };
                return Err(format!("\"{sentence}.\" {how}"));
            }
        }
        for (law, told) in laws.into_iter().enumerate() {
            let told = told.ok_or_else(|| format!("when something is {} is not told", self.laws[law].1))?;
            if (told.cases.len() > 1) != spreads.contains(&law) {
                return Err(format!("how being {} begins is not told", self.laws[law].1));
            }
            theory.laws.push(told);
        }
        for (number, told) in requires.into_iter().enumerate() {
            let third = &headers[number].third;
            let requires = told.ok_or_else(|| format!("when {third} is not told"))?;
            let params = self.actions[number].params.clone();
            theory.actions.push(Action {
                mechanism: TheoryMechanism::Travel,
                form: ActionForm::Go,
                own: params.len(),
                params,
                added: 0,
                requires,
                effects: std::mem::take(&mut effects[number]),
            });
        }
        if closed { Ok(()) } else { Err("which actions there are is not told".to_owned()) }
    }

    /// The readings of a sentence as the definition of what a law is about.
    fn law(&self, law: usize, text: &str) -> Vec<InventedLaw> {
        let (kind, adjective) = &self.laws[law];
        let a = &self.kinds[*kind].a;
        let at_first = capital(a);
        let one: [[String; 2]; 4] = [
            [format!("{at_first} is {adjective} exactly if "), String::new()],
            [format!("{at_first} is called {adjective} if "), format!(", and is not {adjective} otherwise")],
            [format!("For {a} to be {adjective}, it is necessary and enough that "), String::new()],
            [format!("To say that {a} is {adjective} means that "), String::new()],
        ];
        let two: [[String; 3]; 4] = [
            [format!("{at_first} is {adjective} if "), ", and also if ".into(), ", but not otherwise".into()],
            [
                format!("There are just two cases in which {a} is {adjective}: either "),
                ", or ".into(),
                String::new(),
            ],
            [
                format!("{at_first} is {adjective} exactly if one of these is so: either "),
                ", or ".into(),
                String::new(),
            ],
            [
                format!("{at_first} counts as {adjective} in two cases only: if "),
                ", or if ".into(),
                String::new(),
            ],
        ];
        let one = one.iter().map(|pieces| pieces.iter().map(String::as_str).collect::<Vec<&str>>());
        let two = two.iter().map(|pieces| pieces.iter().map(String::as_str).collect::<Vec<&str>>());
        let ways = one.chain(two).flat_map(|pieces| cut(text, &pieces));
        let read = ways.filter_map(|way| {
            let cases: Option<Vec<LawCase>> = way.iter().map(|case| self.case(*kind, case)).collect();
            cases.map(|cases| InventedLaw { kind: *kind, cases })
        });
        read.collect()
    }

    /// A case of a law, which may speak of one thing besides.
    fn case(&self, kind: KindNumber, text: &str) -> Option<LawCase> {
        let mut spoken =
            Spoken { phrases: vec![(format!("the {}", self.kinds[kind].one), 0)], kinds: vec![kind] };
        if let Some(when) = self.conditions(text, &spoken) {
            return Some(LawCase { others: Vec::new(), when });
        }
        let mut all = Vec::new();
        for other in 0..self.kinds.len() {
            let same = if other == kind { "other " } else { "" };
            let noun = &self.kinds[other].one;
            let introduced = format!("some {same}{noun}");
            spoken.kinds = vec![kind, other];
            spoken.phrases.truncate(1);
            // It is introduced once, and then called that one.
            spoken.phrases.extend([(introduced.clone(), 1), (format!("that {same}{noun}"), 1)]);
            if text.matches(&introduced).count() == 1
                && let Some(when) = self.conditions(text, &spoken)
            {
                all.push(LawCase { others: vec![other], when });
            }
        }
        (all.len() == 1).then(|| all.remove(0))
    }

    fn spread(&self, law: usize) -> [String; 4] {
        let (kind, adjective) = &self.laws[law];
        let KnownNoun { one: noun, many, a } = &self.kinds[*kind];
        [
            format!(
                "So being {adjective} spreads from {noun} to {noun}, in as many steps as it takes, but only from {many} to which the first of the two cases applies"
            ),
            format!(
                "Each {adjective} {noun} may thus make further {many} {adjective}, and so on; but where this starts, the first of the two cases applies"
            ),
            format!(
                "Being {adjective} is passed on from {noun} to {noun} in this way, as far as it leads, and always starts where the first of the two cases applies"
            ),
            format!(
                "In this way, one {adjective} {noun} leads to the next, and every such chain starts with {a} to which the first of the two cases applies"
            ),
        ]
    }

    fn header(&self, action: &KnownAction) -> Header {
        let whole = action.around.join(" ");
        let mut order: Vec<usize> = (0..action.params.len()).collect();
        order.sort_by_key(|param| whole.find(&format!("{{{param}}}")));
        let mut introduced = vec![String::new(); order.len()];
        let mut phrases = Vec::new();
        for (place, param) in order.iter().enumerate() {
            let kind = action.params[*param];
            let noun = &self.kinds[kind];
            let before = order[..place].iter().filter(|other| action.params[**other] == kind).count();
            let among = action.params.iter().filter(|other| **other == kind).count();
            let (first, later) = match (among, before) {
                (1, _) => (noun.a.clone(), format!("the {}", noun.one)),
                (_, 0) => (format!("one {}", noun.one), format!("the first {}", noun.one)),
                _ => {
                    let last = order[place - 1];
                    let between = whole.split_once(&format!("{{{last}}}")).map_or("", |(_, rest)| rest);
                    let between = between.split_once(&format!("{{{param}}}")).map_or("", |(text, _)| text);
                    let joined = between.split_whitespace().all(|word| JOINING.contains(&word));
                    let follows = joined && action.params[last] == kind;
                    let another =
                        if follows { "another".to_owned() } else { format!("another {}", noun.one) };
                    (another, format!("the second {}", noun.one))
                }
            };
            introduced[*param] = first;
            phrases.push((later, *param));
        }
        let clause = |verb: &str| {
            let mut text = format!("{} {verb}{}", action.around[0], action.around[1]);
            for (param, phrase) in introduced.iter().enumerate() {
                text = text.replace(&format!("{{{param}}}"), phrase);
            }
            text
        };
        Header {
            third: clause(&action.third),
            perfect: clause(&format!("has {}", action.participle)),
            can: capital(&clause(&format!("can {}", action.base))),
            to: clause(&format!("to {}", action.base)),
            spoken: Spoken { phrases, kinds: action.params.clone() },
        }
    }

    /// The readings of a sentence as what an action requires.
    fn required(&self, header: &Header, text: &str) -> Vec<Vec<TheoryCondition>> {
        let Header { can, to, spoken, .. } = header;
        let nothing = [
            format!("{can} at any time"),
            format!("Nothing is required for {to}"),
            format!("There is nothing that has to be so for {to}"),
            format!("{can} whatever the situation"),
        ];
        if nothing.iter().any(|known| known == text) {
            return vec![Vec::new()];
        }
        // Whether one condition is meant, or several, or any number.
        let frames: [(String, &str, [bool; 2]); 6] = [
            (format!("{can} exactly if "), "", [true, true]),
            (format!("{can} if "), ", but not otherwise", [true, true]),
            (format!("For {to}, only this must be so: "), "", [true, false]),
            (format!("All that it takes for {to} is this: "), "", [true, false]),
            (format!("For {to}, all of this must be so, and nothing else: "), "", [false, true]),
            (format!("It takes the following for {to}, and no more: "), "", [false, true]),
        ];
        let mut all = Vec::new();
        for (before, after, fits) in frames {
            let told = text.strip_prefix(before.as_str()).and_then(|text| text.strip_suffix(after));
            let told = told.and_then(|told| self.conditions(told, spoken));
            all.extend(told.filter(|told| fits[usize::from(told.len() > 1)]));
        }
        all
    }

    /// The readings of a sentence as what an action does.
    fn effects(&self, header: &Header, text: &str) -> Vec<Vec<Effect>> {
        let Header { third, perfect, spoken, .. } = header;
        let mut all = Vec::new();
        let plain = [
            format!("When {third}, the result is this: "),
            format!("Once {perfect}, "),
            format!("If {third}, then afterwards "),
            format!("After {perfect}, "),
        ];
        for before in &plain {
            let told = text.strip_prefix(before.as_str()).and_then(|told| self.changes(told, spoken));
            let effect = |change| Effect { each: Vec::new(), when: Vec::new(), change };
            all.extend(told.map(|changes| changes.into_iter().map(effect).collect::<Vec<Effect>>()));
        }
        let single: [[String; 3]; 4] = [
            [
                format!("When {third}, there is a further effect if at that moment "),
                ": ".into(),
                String::new(),
            ],
            [format!("If {third} and at that moment "), ", then afterwards ".into(), String::new()],
            [
                format!("Whenever {third} in a situation in which "),
                ", then right afterwards ".into(),
                String::new(),
            ],
            [
                format!("Besides, each time that {third} while "),
                ", the result is that ".into(),
                String::new(),
            ],
        ];
        for pieces in &single {
            all.extend(self.side_effects(&[], pieces, text, spoken));
        }
        for kind in 0..self.kinds.len() {
            let other = if spoken.kinds.contains(&kind) { "other " } else { "" };
            let noun = &self.kinds[kind].one;
            let mut spoken = spoken.clone();
            spoken.phrases.push((format!("that {noun}"), spoken.kinds.len()));
            spoken.kinds.push(kind);
            let each: [[String; 3]; 4] = [
                [
                    format!("When {third}, every {other}{noun} may be affected: if at that moment "),
                    ", then afterwards ".into(),
                    String::new(),
                ],
                [
                    format!("Whenever {third}, this happens to each {other}{noun}: if "),
                    " when the action begins, then right afterwards ".into(),
                    String::new(),
                ],
                [
                    format!(
                        "If {third}, then the following is true of every {other}{noun}: if it is so at that moment that "
                    ),
                    ", then afterwards ".into(),
                    String::new(),
                ],
                [
                    format!(
                        "Each time that {third}, the following holds for every {other}{noun}: provided that at that moment "
                    ),
                    ", afterwards ".into(),
                    String::new(),
                ],
            ];
            for pieces in &each {
                all.extend(self.side_effects(&[kind], pieces, text, &spoken));
            }
        }
        all
    }

    fn side_effects(
        &self,
        each: &[KindNumber],
        pieces: &[String; 3],
        text: &str,
        spoken: &Spoken,
    ) -> Vec<Vec<Effect>> {
        let pieces = pieces.each_ref().map(String::as_str);
        let read = cut(text, &pieces).into_iter().filter_map(|way| {
            let [when, change] = way.try_into().ok()?;
            let (when, change) = (self.conditions(when, spoken)?, self.change(change, spoken)?);
            Some(vec![Effect { each: each.to_vec(), when, change }])
        });
        read.collect()
    }
}

/// The sentences that say that there are no other actions.
fn only_actions(headers: &[Header]) -> [String; 4] {
    let all: Vec<&str> = headers.iter().map(|header| header.third.as_str()).collect();
    let list = all.join("; ");
    [
        format!("There are no actions but these: {list}"),
        format!("Each action is of one of these kinds: {list}"),
        format!("Nothing else can happen than the following: {list}"),
        format!("The only actions are these: {list}"),
    ]
}
