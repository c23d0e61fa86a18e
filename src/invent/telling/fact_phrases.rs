//! Static relations to their phrases.

use crate::invent::telling::phrase_book::BookWriter;
use crate::invent::theory::parts::{HomeTie, StaticShape};

impl BookWriter<'_> {
    /// Writes the entries of all static relations.
    pub(super) fn facts(&mut self) {
        for (number, relation) in self.told.theory.statics.iter().enumerate() {
            let slots = self.slots(&relation.kinds);
            let declared: Vec<String> = slots.iter().map(|slot| slot.declared.clone()).collect();
            self.entry("fact", &self.symbols.statics[number].clone(), &declared);
            let [a, b] = [0, 1].map(|place| slots[place].bare.clone());
            let [the_a, the_b] = [0, 1].map(|place| slots[place].full.clone());
            let way = self.told.way(number);
            let ways = self.told.words.statics[number].as_ref().map_or("", |noun| &noun.many);
            let each = match relation.shape {
                StaticShape::Ring => vec![
                    format!("there is {way} from {a} to {b}."),
                    format!("{way} leads from {a} to {b}."),
                    format!("from {the_a}, {way} goes to {the_b}."),
                    format!("{the_a} has {way} that leads to {b}."),
                ],
                StaticShape::Order => vec![
                    format!("{a} is smaller than {b}."),
                    format!("{b} is bigger than {a}."),
                    format!("of the two, {a} and {b}, the first is the smaller one."),
                    format!("{the_a} is smaller than {the_b}."),
                ],
                StaticShape::Home if self.told.theory.home_tie(relation) != HomeTie::AlwaysAt => {
                    let tie = self.told.theory.home_tie(relation).phrase();
                    let (verb, preposition) = tie.split_once(' ').unwrap_or((tie, ""));
                    let other = &self.told.words.kinds[relation.kinds[1]].noun;
                    vec![
                        format!("{a} {tie} {b}."),
                        format!("{the_a} {tie} {b}."),
                        format!("{the_a} {tie} {the_b}."),
                        format!("the {other} that {a} {verb} {preposition} is {b}."),
                    ]
                }
                StaticShape::Home => {
                    let hole = slots[0].hole.clone();
                    let (many, many_places) = (
                        &self.told.words.kinds[relation.kinds[0]].noun.many,
                        &self.told.words.kinds[relation.kinds[1]].noun.one,
                    );
                    let group = [
                        format!("These {many} are always at {b}: {hole}."),
                        format!("{the_b} is where these {many} are for good: {hole}."),
                        format!("At {b} there are always these {many}: {hole}."),
                        format!("The following {many} never leave {the_b}: {hole}."),
                    ];
                    let each = vec![
                        format!("{a} is always at {b}."),
                        format!("{the_a} stays at {b} for good."),
                        format!("{the_b} is where {a} always is."),
                        format!("the {many_places} that {a} never leaves is {b}."),
                    ];
                    self.list("each", &each);
                    let name = slots[0].name.clone();
                    self.list(&format!("group.{name}"), &group);
                    continue;
                }
                _ => {
                    self.text += "symmetric = true\n";
                    vec![
                        format!("there is {way} between {a} and {b}."),
                        format!("{way} connects {a} with {b}."),
                        format!("{the_a} and {the_b} are connected by {way}."),
                        format!("between {a} and {b} there is {way}."),
                        format!("one of the {ways} is that between {a} and {b}."),
                    ]
                }
            };
            self.list("each", &each);
        }
    }
}
