//! A text to the question beyond prediction that it asks: its phrasings turned round, and what stands in their slots.

use racgen_data::row::ObjectName;
use racgen_logic::term::Term;

use crate::domain::question_groups::{COMPOSITE, UNDEFINED};
use crate::language::read::forms::Forms;
use crate::language::read::name_index::NameIndex;
use crate::language::read::parser::{Inverse, ParsedQuestion};
use crate::language::tell::family_question::{DENIED, STATEMENTS, called};
use crate::language::words::text::capital;
use crate::phrases::book::{FamilyPhrases, PhraseBook};
use crate::phrases::pattern::PatternPlace;

/// What was read in a slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadSlot {
    /// A fluent; `_` in place of what the wording leaves open.
    Fluent(Term),
    /// An action; likewise.
    Action(Term),
    /// Several actions.
    Actions(Vec<Term>),
    /// Several fluents.
    Fluents(Vec<Term>),
    /// An object.
    Object(Term),
    /// What is to be reached: fluents, each with whether it is to be true.
    Goal(Vec<(Term, bool)>),
    /// What is observed: fluents, each with whether it is true.
    Observed(Vec<(Term, bool)>),
    /// A number.
    Number(i32),
    /// Actions, each with what those of its kind cost.
    Costs(Vec<(Term, i32)>),
    /// A question of prediction, and its text as it stands on its own.
    Question(ParsedQuestion, String),
    /// A question of a family, the number of its phrasing, and its text.
    Asked(FamilyReading, usize, String),
    /// A question that is none of the story, as it may name what the text does not have.
    Unread(String),
}

/// A question of a family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FamilyReading {
    /// The family, by its place among those of the common phrase book.
    pub family: usize,
    /// What fills its slots.
    pub slots: Vec<ReadSlot>,
}

/// The phrasings of families, turned round.
pub struct FamilyReader {
    forms: Forms<(usize, usize)>,
}

impl FamilyReader {
    /// Turns the phrasings of families round.
    pub fn new(families: &[FamilyPhrases]) -> FamilyReader {
        let mut forms = Forms::default();
        for (family, phrases) in families.iter().enumerate() {
            for (number, phrasing) in phrases.ask.list.iter().enumerate() {
                forms.add((family, number), phrasing);
            }
        }
        FamilyReader { forms }
    }

    /// All that a text may ask, each with the number of its phrasing.
    pub fn read(
        &self,
        families: &[FamilyPhrases],
        (inverse, book, names): (&Inverse, &PhraseBook, &NameIndex),
        text: &str,
    ) -> Vec<(FamilyReading, usize)> {
        let mut found = Vec::new();
        for ((family, number), pieces) in self.forms.read(text) {
            let places = families[family].pattern.places.iter();
            let kinds = places.filter_map(|place| match place {
                PatternPlace::Slot { kind, .. } => Some(kind.as_str()),
                PatternPlace::Constant(_) => None,
            });
            // A question of prediction may be read in more ways than one.
            let mut ways: Vec<Vec<ReadSlot>> = vec![Vec::new()];
            let has_others = families[family].group == COMPOSITE;
            for (kind, piece) in kinds.zip(pieces) {
                let mut read = slot(kind, (inverse, book, names), piece);
                if read.is_empty() && families[family].group == UNDEFINED {
                    read.push(ReadSlot::Unread(piece.to_owned()));
                }
                if has_others {
                    let within = self.read(families, (inverse, book, names), piece).into_iter();
                    let is_simple =
                        |(reading, _): &(FamilyReading, usize)| families[reading.family].group != COMPOSITE;
                    let own = |(reading, number)| ReadSlot::Asked(reading, number, piece.to_owned());
                    read.extend(within.filter(is_simple).map(own));
                }
                let longer = |way: &Vec<ReadSlot>| -> Vec<Vec<ReadSlot>> {
                    read.iter().map(|slot| [way.clone(), vec![slot.clone()]].concat()).collect()
                };
                ways = ways.iter().flat_map(longer).collect();
            }
            for slots in ways {
                let reading = (FamilyReading { family, slots }, number);
                if !found.contains(&reading) {
                    found.push(reading);
                }
            }
        }
        found
    }
}

/// What a piece of text may be, in a slot of this type.
fn slot(
    kind: &str,
    (inverse, book, names): (&Inverse, &PhraseBook, &NameIndex),
    piece: &str,
) -> Vec<ReadSlot> {
    let one = |found: Option<ReadSlot>| found.into_iter().collect();
    match kind {
        "fluent" => one(inverse.says(book, names, piece, false).map(ReadSlot::Fluent)),
        "action" => one(inverse.says(book, names, piece, true).map(ReadSlot::Action)),
        "actions" => {
            let all: Option<Vec<Term>> =
                piece.split(STATEMENTS).map(|part| inverse.says(book, names, part, true)).collect();
            one(all.map(ReadSlot::Actions))
        }
        "goal" | "literals" => {
            let literal = |part: &str| {
                let (part, truth) = part.strip_prefix(DENIED).map_or((part, true), |rest| (rest, false));
                Some((inverse.says(book, names, part, false)?, truth))
            };
            let all: Option<Vec<(Term, bool)>> = piece.split(STATEMENTS).map(literal).collect();
            one(all.map(if kind == "goal" { ReadSlot::Goal } else { ReadSlot::Observed }))
        }
        "fluents" => {
            let all: Option<Vec<Term>> =
                piece.split(STATEMENTS).map(|part| inverse.says(book, names, part, false)).collect();
            one(all.map(ReadSlot::Fluents))
        }
        "object" => one(object(names.objects, piece).map(ReadSlot::Object)),
        "number" => {
            let number = piece.parse::<i32>().ok().filter(|number| number.to_string() == piece);
            one(number.map(ReadSlot::Number))
        }
        "costs" => {
            let priced = |part: &str| {
                let (part, cost) = part.strip_suffix(')')?.rsplit_once(" (")?;
                let number = cost.parse::<i32>().ok().filter(|number| number.to_string() == cost)?;
                Some((inverse.says(book, names, part, true)?, number))
            };
            let all: Option<Vec<(Term, i32)>> = piece.split(STATEMENTS).map(priced).collect();
            one(all.map(ReadSlot::Costs))
        }
        _ => {
            let text = capital(piece);
            let mut found = inverse.question(book, names, &text);
            found.dedup();
            found.into_iter().map(|question| ReadSlot::Question(question, text.clone())).collect()
        }
    }
}

/// The object that is called so.
fn object(objects: &[ObjectName], text: &str) -> Option<Term> {
    let mut found = objects.iter().filter(|object| called(&object.kind, &object.name) == text);
    let only = found.next()?;
    found.next().is_none().then(|| Term::constant(&only.id))
}
