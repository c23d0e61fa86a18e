//! A theory with its words to the phrase book of a package.

use crate::invent::encode::symbols::TheorySymbols;
use crate::invent::telling::clauses::ToldTheory;
use crate::invent::theory::parts::{Action, KindNumber};
use crate::invent::words::verbs::{SOMEBODY, SOMEONE};
use crate::invent::words::vocabulary::ActionWords;

/// Writes a phrase book, list by list.
pub(super) struct BookWriter<'t> {
    pub(super) told: ToldTheory<'t>,
    pub(super) symbols: &'t TheorySymbols,
    pub(super) text: String,
}

/// How many wordings an entry has, at least.
const WORDINGS: usize = 4;
/// What the slots of a pattern are called where two are of one type.
const PLACES: [&str; 5] = ["first", "second", "third", "fourth", "fifth"];

/// A slot of a pattern.
pub(super) struct Slot {
    /// What it is called.
    pub(super) name: String,
    /// Its type, as the pattern has it.
    pub(super) declared: String,
    /// `{{ zib }}`
    pub(super) bare: String,
    /// `the zib {{ zib }}`
    pub(super) full: String,
    /// `{{ zib }}`
    pub(super) hole: String,
}

impl BookWriter<'_> {
    /// The slots for things of these types.
    pub(super) fn slots(&self, kinds: &[KindNumber]) -> Vec<Slot> {
        let slot = |(place, kind): (usize, &KindNumber)| {
            let several = kinds.iter().filter(|other| *other == kind).count() > 1;
            let symbol = &self.symbols.kinds[*kind];
            let words = &self.told.words.kinds[*kind];
            let (name, declared) = match several {
                true => (PLACES[place.min(4)].to_owned(), format!("{}: {symbol}", PLACES[place.min(4)])),
                false => (symbol.clone(), symbol.clone()),
            };
            let hole = format!("{{{{ {name} }}}}");
            let bare = hole.clone();
            let full = format!("the {} {hole}", words.noun);
            Slot { name, declared, bare, full, hole }
        };
        kinds.iter().enumerate().map(slot).collect()
    }

    /// Writes the head of an entry.
    pub(super) fn entry(&mut self, section: &str, functor: &str, declared: &[String]) {
        let declared = if declared.is_empty() { String::new() } else { format!("({})", declared.join(", ")) };
        self.text += &format!("\n[{section}.\"{functor}{declared}\"]\n");
    }

    /// Writes a list of phrasings.
    pub(super) fn list(&mut self, key: &str, phrasings: &[String]) {
        self.text += &format!("{key} = [\n");
        for phrasing in phrasings {
            self.text += &format!("  {},\n", quoted(phrasing));
        }
        self.text += "]\n";
    }

    /// The whole book.
    pub(super) fn book(mut self) -> String {
        self.objects();
        self.facts();
        self.fluents();
        self.actions();
        self.text += "\n[rules]\nsentences = [\n";
        for wordings in self.told.rules() {
            self.text += "  [\n";
            wordings.iter().for_each(|wording| self.text += &format!("    {},\n", quoted(wording)));
            self.text += "  ],\n";
        }
        self.text += "]\n";
        self.text
    }

    fn objects(&mut self) {
        self.text += "[objects]\n";
        for (kind, words) in self.told.words.kinds.iter().enumerate() {
            let many = &words.noun.many;
            let symbol = self.symbols.kinds[kind].clone();
            self.list(
                &symbol,
                &[
                    format!("These are the {many}: {{{{ list }}}}."),
                    format!("There are the following {many}: {{{{ list }}}}."),
                    format!("The {many} are called: {{{{ list }}}}."),
                    format!("The names of the {many} are these: {{{{ list }}}}."),
                    format!("Each of these is {}: {{{{ list }}}}.", words.noun.with_article()),
                ],
            );
        }
    }

    fn actions(&mut self) {
        for (number, action) in self.told.theory.actions.iter().enumerate() {
            self.action(number, action);
        }
    }

    fn action(&mut self, number: usize, action: &Action) {
        let slots = self.slots(&action.params);
        let declared: Vec<String> = slots.iter().map(|slot| slot.declared.clone()).collect();
        let verb = &self.told.words.actions[number];
        let [bare, full] = [0, 1].map(|form| {
            let phrases: Vec<String> =
                slots.iter().map(|s| if form == 0 { s.bare.clone() } else { s.full.clone() }).collect();
            self.told.subject_and_rest(verb, &phrases)
        });
        let ((subject, rest), (full_subject, full_rest)) = (&bare, &full);
        let (base, third) = (&verb.base, &verb.third);
        let plain = plain_clauses(verb, &bare, &full);
        let clauses = [
            format!("{subject} {third}{rest}"),
            format!("{full_subject} {third}{full_rest}"),
            match verb.by_someone {
                true => format!("{SOMEBODY} {third}{full_rest}"),
                false => format!("it is {subject} that {third}{rest}"),
            },
            match verb.by_someone {
                true => format!("it happens that {subject} {third}{rest}"),
                false => format!("{full_subject} proceeds to {base}{rest}"),
            },
            format!("what happens is that {subject} {third}{full_rest}"),
        ];
        self.entry("action", &self.symbols.actions[number].clone(), &declared);
        let sentences: Vec<String> = clauses.iter().map(|clause| format!("{clause}.")).collect();
        self.list("did", &different(&sentences));
        self.list(
            "can",
            &different(&[
                format!("Can {subject} {base}{rest}?"),
                format!("Can {full_subject} {base}{full_rest}?"),
                format!("Is it possible for {subject} to {base}{rest}?"),
                match verb.by_someone {
                    true => format!("Can {SOMEBODY} {base}{full_rest}?"),
                    false => format!("Is {full_subject} able to {base}{rest}?"),
                },
                format!("Do the rules allow {subject} to {base}{full_rest}?"),
            ]),
        );
        self.list("if", &plain);
    }
}

/// Clauses that say plainly that an action is done, for what is only supposed: [`WORDINGS`] of them.
fn plain_clauses(verb: &ActionWords, bare: &(String, String), full: &(String, String)) -> Vec<String> {
    let ((subject, rest), (full_subject, full_rest)) = (bare, full);
    let (base, third) = (&verb.base, &verb.third);
    let mut all = Vec::new();
    for (subject, rest) in
        [(subject, rest), (full_subject, full_rest), (subject, full_rest), (full_subject, rest)]
    {
        all.push(format!("{subject} {third}{rest}"));
    }
    if verb.by_someone {
        all.extend([rest, full_rest].map(|rest| format!("{SOMEBODY} {third}{rest}")));
        // What names nothing is something of which there is one: "the music is turned down by someone".
        let done = format!("{} is {}", rest.trim_start(), verb.participle);
        all.extend([SOMEONE, SOMEBODY].map(|doer| format!("{done} by {doer}")));
    } else {
        all.extend([
            format!("{subject} proceeds to {base}{rest}"),
            format!("{full_subject} goes on to {base}{full_rest}"),
            format!("{full_subject} goes ahead and {third}{rest}"),
        ]);
    }
    let mut all = different(&all);
    all.truncate(WORDINGS);
    all
}

/// Texts, each once: of what names no thing, two may be the same.
fn different(texts: &[String]) -> Vec<String> {
    let new = |(place, text): &(usize, &String)| !texts[..*place].contains(text);
    texts.iter().enumerate().filter(new).map(|(_, text)| text.clone()).collect()
}

/// A text as TOML has it.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
