//! `everyday.toml` to nouns by theme and class, and to verbs with what they bring about.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::invent::words::verbs::{VerbForms, VerbPhrase};
use crate::invent::words::vocabulary::{FluentWords, NounWords};

/// What a noun is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NounClass {
    /// Things are at it.
    Place,
    /// Things are at it, and in it.
    Room,
    /// It walks, and does things to others.
    Person,
    /// It goes from place to place and may hold things.
    Carrier,
    /// Things are in it.
    Holder,
    /// It fits into holders.
    Item,
    /// Others stand on it.
    Block,
    /// It has states, and stays where it is.
    Fixture,
}

impl NounClass {
    /// All of them.
    pub const ALL: [NounClass; 8] = [
        NounClass::Place,
        NounClass::Room,
        NounClass::Person,
        NounClass::Carrier,
        NounClass::Holder,
        NounClass::Item,
        NounClass::Block,
        NounClass::Fixture,
    ];
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WordLists {
    pub(super) themes: Vec<Theme>,
    pub(super) lines: LineNouns,
    pub(super) names: PersonNames,
    pub(super) states: Vec<StateEntry>,
    pub(super) toggles: Vec<ToggleEntry>,
    pub(super) worlds: Vec<WorldEntry>,
    pub(super) counters: Vec<CounterEntry>,
    pub(super) journeys: Vec<JourneyEntry>,
    pub(super) packings: Vec<PutEntry>,
    pub(super) stackings: Vec<PutEntry>,
    pub(super) ties: Vec<TieEntry>,
    pub(super) laws: LawWords,
    pub(super) contrary: ContraryWords,
    pub(super) verbs: BTreeMap<String, String>,
}

/// Nouns that belong together.
#[derive(Debug, Deserialize)]
pub(super) struct Theme {
    /// What joins its places.
    pub(super) way: Vec<String>,
    #[serde(flatten)]
    pub(super) nouns: BTreeMap<NounClass, Vec<String>>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct LineNouns {
    pub(super) thing: Vec<String>,
    pub(super) person: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct PersonNames {
    pub(super) person: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct StateEntry {
    pub(super) word: String,
    pub(super) fits: Vec<NounClass>,
    pub(super) begin: String,
    pub(super) end: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct ToggleEntry {
    pub(super) word: String,
    pub(super) fits: Vec<NounClass>,
    pub(super) turn: String,
}

/// A state of the whole world.
#[derive(Debug, Deserialize)]
pub(super) struct WorldEntry {
    /// What is in it; there is one of it.
    pub(super) noun: String,
    pub(super) word: String,
    /// What begins and ends it, or nothing.
    #[serde(default)]
    pub(super) begin: String,
    #[serde(default)]
    pub(super) end: String,
    /// What turns it over, or nothing.
    #[serde(default)]
    pub(super) turn: String,
}

impl WorldEntry {
    /// Is there a word for turning it over, or for beginning and ending it?
    pub(super) fn fits(&self, turned: bool) -> bool {
        !if turned { &self.turn } else { &self.begin }.is_empty()
    }

    /// What of it is used where it is turned over, or begun and ended.
    pub(super) fn written(&self, turned: bool) -> Vec<&str> {
        let verbs = if turned { vec![&*self.turn] } else { vec![&*self.begin, &*self.end] };
        [vec![&*self.noun, &*self.word], verbs].concat()
    }

    pub(super) fn words(&self) -> FluentWords {
        FluentWords::World { noun: noun(&self.noun), adjective: self.word.clone() }
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct CounterEntry {
    pub(super) noun: String,
    pub(super) fits: Vec<NounClass>,
    pub(super) more: String,
    pub(super) fewer: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct JourneyEntry {
    pub(super) fits: Vec<NounClass>,
    pub(super) go: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct PutEntry {
    pub(super) put: String,
    pub(super) take: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct TieEntry {
    pub(super) word: String,
    pub(super) fits: Vec<NounClass>,
    /// What the other is; none where it may be anything.
    pub(super) with: Option<NounClass>,
    pub(super) tie: String,
    pub(super) untie: String,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct LawWords {
    pub(super) words: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct ContraryWords {
    pub(super) ways: Vec<String>,
    pub(super) worlds: Vec<String>,
    pub(super) thing: StrangeWords,
    pub(super) person: StrangeWords,
}

/// Words that do not fit what they are said of.
#[derive(Debug, Default, Deserialize)]
pub(super) struct StrangeWords {
    pub(super) states: Vec<String>,
    pub(super) laws: Vec<String>,
    pub(super) counters: Vec<String>,
    pub(super) ties: Vec<String>,
    pub(super) does: Vec<String>,
    pub(super) suffers: Vec<String>,
}

impl ContraryWords {
    /// Those that do not fit things of a class, or what is none.
    pub(super) fn of(&self, class: Option<NounClass>) -> &StrangeWords {
        if class == Some(NounClass::Person) { &self.person } else { &self.thing }
    }
}

static LISTS: LazyLock<WordLists> =
    LazyLock::new(|| toml::from_str(include_str!("everyday.toml")).unwrap_or_default());

/// The lists. They are a part of the program, and a test reads them.
pub(super) fn lists() -> &'static WordLists {
    &LISTS
}

/// The forms of a verb of the lists.
pub fn verb_forms(base: &str) -> Option<VerbForms> {
    lists().verb(base)
}

/// `a knife, knives` as a noun.
pub(super) fn noun(written: &str) -> NounWords {
    let (first, many) = written.split_once(", ").unwrap_or((written, written));
    let (article, one) = first.split_once(' ').unwrap_or(("a", first));
    NounWords { one: one.to_owned(), many: many.to_owned(), article: article.to_owned() }
}

impl WordLists {
    /// The forms of a verb.
    pub(super) fn verb(&self, base: &str) -> Option<VerbForms> {
        match self.verbs.get(base)?.split(' ').collect::<Vec<&str>>().as_slice() {
            [third, past, participle] => {
                let [base, third, past, participle] = [base, third, past, participle].map(str::to_owned);
                Some(VerbForms { base, third, past, participle })
            }
            _ => None,
        }
    }

    /// `switch on _` or `_ wake up` as a phrase.
    pub(super) fn phrase(&self, written: &str) -> Option<VerbPhrase> {
        let (said, active) = match written.strip_prefix("_ ") {
            Some(said) => (said, true),
            None => (written, false),
        };
        let (own, after) = said.split_once(" _").unwrap_or((said, ""));
        let (base, before) =
            own.split_once(' ').map_or((own, String::new()), |(b, more)| (b, format!(" {more}")));
        Some(VerbPhrase { verb: self.verb(base)?, active, before, after: after.to_owned() })
    }

    /// All phrases of verbs.
    #[cfg(test)]
    fn phrases(&self) -> Vec<&str> {
        let mut all: Vec<&String> = Vec::new();
        self.states.iter().for_each(|entry| all.extend([&entry.begin, &entry.end]));
        self.toggles.iter().for_each(|entry| all.push(&entry.turn));
        let worlds = self.worlds.iter().flat_map(|entry| [&entry.begin, &entry.end, &entry.turn]);
        all.extend(worlds.filter(|phrase| !phrase.is_empty()));
        self.counters.iter().for_each(|entry| all.extend([&entry.more, &entry.fewer]));
        self.journeys.iter().for_each(|entry| all.extend(&entry.go));
        self.packings.iter().chain(&self.stackings).for_each(|entry| all.extend([&entry.put, &entry.take]));
        self.ties.iter().for_each(|entry| all.extend([&entry.tie, &entry.untie]));
        for strange in [&self.contrary.thing, &self.contrary.person] {
            all.extend(strange.does.iter().chain(&strange.suffers));
        }
        all.into_iter().map(String::as_str).collect()
    }

    /// All nouns, as they are written.
    #[cfg(test)]
    fn nouns(&self) -> Vec<&str> {
        let mut all: Vec<&String> = Vec::new();
        for theme in &self.themes {
            theme.nouns.values().for_each(|list| all.extend(list));
            all.extend(&theme.way);
        }
        all.extend(self.lines.thing.iter().chain(&self.lines.person));
        all.extend(self.counters.iter().map(|entry| &entry.noun));
        all.extend(self.worlds.iter().map(|entry| &entry.noun));
        all.extend(self.contrary.ways.iter().chain(&self.contrary.worlds));
        all.extend(self.contrary.thing.counters.iter().chain(&self.contrary.person.counters));
        all.into_iter().map(String::as_str).collect()
    }

    /// All adjectives.
    #[cfg(test)]
    fn adjectives(&self) -> Vec<&str> {
        let mut all: Vec<&String> = self.states.iter().map(|entry| &entry.word).collect();
        all.extend(self.toggles.iter().map(|entry| &entry.word));
        all.extend(self.worlds.iter().map(|entry| &entry.word));
        all.extend(self.ties.iter().map(|entry| &entry.word));
        all.extend(&self.laws.words);
        for strange in [&self.contrary.thing, &self.contrary.person] {
            all.extend(strange.states.iter().chain(&strange.laws).chain(&strange.ties));
        }
        all.into_iter().map(String::as_str).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::invent::words::inflection::{article, past, with_s};

    /// Plurals that no rule makes.
    const ODD_PLURALS: [(&str, &str); 13] = [
        ("foreman", "foremen"),
        ("fisherman", "fishermen"),
        ("goose", "geese"),
        ("knife", "knives"),
        ("loaf", "loaves"),
        ("midwife", "midwives"),
        ("policewoman", "policewomen"),
        ("potato", "potatoes"),
        ("scarf", "scarves"),
        ("shelf", "shelves"),
        ("thief", "thieves"),
        ("tooth", "teeth"),
        ("wolf", "wolves"),
    ];
    /// Third persons that no rule makes.
    const ODD_THIRDS: [(&str, &str); 2] = [("go", "goes"), ("have", "has")];
    /// Past tenses and participles that no rule makes.
    const ODD_PASTS: [(&str, &str, &str); 42] = [
        ("cancel", "cancelled", "cancelled"),
        ("bite", "bit", "bitten"),
        ("break", "broke", "broken"),
        ("buy", "bought", "bought"),
        ("draw", "drew", "drawn"),
        ("drink", "drank", "drunk"),
        ("eat", "ate", "eaten"),
        ("equip", "equipped", "equipped"),
        ("fall", "fell", "fallen"),
        ("freeze", "froze", "frozen"),
        ("go", "went", "gone"),
        ("have", "had", "had"),
        ("hide", "hid", "hidden"),
        ("label", "labelled", "labelled"),
        ("lay", "laid", "laid"),
        ("light", "lit", "lit"),
        ("put", "put", "put"),
        ("run", "ran", "run"),
        ("send", "sent", "sent"),
        ("set", "set", "set"),
        ("shake", "shook", "shaken"),
        ("sing", "sang", "sung"),
        ("sleep", "slept", "slept"),
        ("spend", "spent", "spent"),
        ("sweep", "swept", "swept"),
        ("take", "took", "taken"),
        ("teach", "taught", "taught"),
        ("travel", "travelled", "travelled"),
        ("wake", "woke", "woken"),
        ("withdraw", "withdrew", "withdrawn"),
        ("bring", "brought", "brought"),
        ("catch", "caught", "caught"),
        ("cut", "cut", "cut"),
        ("drive", "drove", "driven"),
        ("give", "gave", "given"),
        ("lose", "lost", "lost"),
        ("make", "made", "made"),
        ("ride", "rode", "ridden"),
        ("throw", "threw", "thrown"),
        ("win", "won", "won"),
        ("tear", "tore", "torn"),
        ("steal", "stole", "stolen"),
    ];
    /// Words that the sentences of all domains consist of, so that no word of a domain may be one.
    const FRAME: &str = "a action actions after afterwards all always and another any are as at before beforehand both but by \
        call can condition do does each effect either else ever every exactly few first following for from go has have if in \
        into is it just kind kinds least less level long longer many means more most name names never no none not nothing \
        number object objects of off on once one only onto or other others out over part possible require result rule rules \
        same second situation some sort sorts step steps than that the then there these things this time times to two true \
        until what when whenever which while whose with";

    #[test]
    fn the_lists_are_read() {
        let lists: WordLists = toml::from_str(include_str!("everyday.toml")).unwrap();
        assert!(lists.themes.len() >= 8);
        for theme in &lists.themes {
            for class in NounClass::ALL {
                assert!(theme.nouns[&class].len() >= 3, "{theme:?}: {class:?}");
            }
        }
        // A room is told as any place.
        for class in NounClass::ALL.into_iter().filter(|class| *class != NounClass::Room) {
            let fits = |all: &[NounClass]| all.contains(&class);
            assert!(lists.states.iter().filter(|entry| fits(&entry.fits)).count() >= 3, "{class:?}");
            assert!(lists.toggles.iter().filter(|entry| fits(&entry.fits)).count() >= 2, "{class:?}");
            assert!(lists.counters.iter().filter(|entry| fits(&entry.fits)).count() >= 2, "{class:?}");
            assert!(lists.ties.iter().filter(|entry| fits(&entry.fits)).count() >= 2, "{class:?}");
        }
        for turned in [true, false] {
            assert!(lists.worlds.iter().filter(|entry| entry.fits(turned)).count() >= 3);
        }
        // What fits a person is no strange word of persons.
        for list in [&lists.contrary.person.states, &lists.contrary.person.laws] {
            let fits = |word: &&String| {
                lists
                    .states
                    .iter()
                    .any(|known| known.word == **word && known.fits.contains(&NounClass::Person))
            };
            assert!(list.len() >= 6 && !list.iter().any(|word| fits(&word)));
        }
    }

    #[test]
    fn nouns_have_their_article_and_their_plural() {
        for written in lists().nouns() {
            let noun = noun(written);
            assert_eq!(written, format!("{}, {}", noun.with_article(), noun.many));
            assert!(noun.one.chars().all(|letter| letter.is_ascii_lowercase()), "{written}");
            // No word of the lists begins with a letter that is spoken otherwise.
            let odd = ["uni", "use", "usu", "eu", "ewe", "one", "once", "hour", "heir", "honour", "honest"];
            assert!(!odd.iter().any(|start| noun.one.starts_with(start)), "{written}");
            assert_eq!(noun.article, article(&noun.one), "{written}");
            let odd = ODD_PLURALS.iter().find(|(one, _)| *one == noun.one);
            let wanted = odd.map_or_else(|| with_s(&noun.one), |(_, many)| (*many).to_owned());
            assert_eq!(noun.many, wanted);
        }
    }

    #[test]
    fn verbs_have_their_forms() {
        let lists = lists();
        for base in lists.verbs.keys() {
            let verb = lists.verb(base).unwrap_or_else(|| panic!("{base}: not three forms"));
            let odd = ODD_THIRDS.iter().find(|(known, _)| known == base);
            assert_eq!(verb.third, odd.map_or_else(|| with_s(base), |(_, third)| (*third).to_owned()));
            let odd = ODD_PASTS.iter().find(|(known, _, _)| known == base);
            let wanted =
                odd.map_or_else(|| [past(base), past(base)], |(_, p, q)| [*p, *q].map(str::to_owned));
            assert_eq!([verb.past, verb.participle], wanted, "{base}");
        }
        for phrase in lists.phrases() {
            let read = lists.phrase(phrase).unwrap_or_else(|| panic!("{phrase}: no such verb"));
            assert_eq!(phrase.matches('_').count(), 1, "{phrase}");
            // What is done to a thing, and what a thing is like, read differently.
            assert!(!lists.adjectives().contains(&read.verb.participle.as_str()), "{phrase}");
        }
    }

    #[test]
    fn no_word_is_one_of_the_sentences_around_it() {
        let frame: BTreeSet<&str> = FRAME.split_whitespace().collect();
        for written in lists().nouns() {
            let noun = noun(written);
            assert!(!frame.contains(&*noun.one) && !frame.contains(&*noun.many), "{written}");
        }
        for adjective in lists().adjectives() {
            assert!(!frame.contains(adjective), "{adjective}");
            assert!(adjective.chars().all(|letter| letter.is_ascii_lowercase()), "{adjective}");
        }
    }

    #[test]
    fn no_name_is_a_part_of_another() {
        let names = &lists().names.person;
        for (place, name) in names.iter().enumerate() {
            for other in names.iter().skip(place + 1) {
                assert!(!name.contains(other.as_str()) && !other.contains(name.as_str()), "{name}, {other}");
            }
        }
        assert!(names.len() >= 60);
    }
}
