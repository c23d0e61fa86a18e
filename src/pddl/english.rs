//! Names of predicates and actions to plain English clauses: `at-ferry` to "the ferry is at".
//!
//! What comes out are drafts. They say what a name says, in a form that can be read back, whatever the name is.

use crate::pddl::vocabulary::words;

/// Words after which a name goes on with an object.
const PREPOSITIONS: [&str; 23] = [
    "at", "in", "on", "inside", "under", "above", "below", "near", "behind", "beside", "between", "into",
    "within", "over", "to", "from", "by", "with", "of", "for", "next", "outside", "onto",
];
/// Words that say how something is.
const STATES: [&str; 22] = [
    "empty",
    "free",
    "clear",
    "open",
    "closed",
    "full",
    "available",
    "ready",
    "locked",
    "unlocked",
    "clean",
    "dirty",
    "busy",
    "done",
    "off",
    "lit",
    "dark",
    "hot",
    "cold",
    "idle",
    "vacant",
    "high",
];
/// What is done to something, by the word for doing it.
const DOING: [(&str, &str); 5] =
    [("holding", "held"), ("carrying", "carried"), ("lifting", "lifted"), ("using", "used"), ("have", "had")];
/// Words that actions of moving start with.
const MOVING: [&str; 16] = [
    "move",
    "drive",
    "fly",
    "sail",
    "go",
    "navigate",
    "walk",
    "slide",
    "travel",
    "up",
    "down",
    "transport",
    "push",
    "ride",
    "turn",
    "run",
];
/// Parts of names of places.
const PLACES: [&str; 27] = [
    "loc",
    "place",
    "room",
    "city",
    "floor",
    "area",
    "pos",
    "cell",
    "tile",
    "waypoint",
    "depot",
    "station",
    "site",
    "airport",
    "spot",
    "node",
    "square",
    "peg",
    "kitchen",
    "distributor",
    "hall",
    "town",
    "street",
    "stop",
    "bank",
    "grid",
    "landing",
];
/// Words for being linked to something.
const LINKED: [&str; 7] = ["connected", "linked", "joined", "attached", "related", "mapped", "adjacent"];
/// Words written as one that are two.
const JOINED: [(&str, &str); 8] = [
    ("pickup", "pick up"),
    ("putdown", "put down"),
    ("pickdown", "pick down"),
    ("switchon", "switch on"),
    ("switchoff", "switch off"),
    ("turnon", "turn on"),
    ("turnoff", "turn off"),
    ("setdown", "set down"),
];

/// An argument as a clause names it, and the noun of its type.
#[derive(Clone, Debug)]
pub(crate) struct ToldArgument {
    pub(crate) text: String,
    pub(crate) noun: String,
}

/// Says that a predicate is true of arguments. `fixed`: does it never change?
pub(crate) fn clause(name: &str, arguments: &[ToldArgument], fixed: bool) -> String {
    let parts = words(name);
    let all = parts.join(" ");
    let last = parts.last().copied().unwrap_or_default();
    let first = parts.first().copied().unwrap_or_default();
    match arguments {
        [] => bare(&parts, &all),
        [x] => alone(x, &parts, &all, fixed),
        [x, y] => {
            let (x, y, noun) = (&x.text, &y.text, &y.noun);
            if PREPOSITIONS.contains(&last) || last.ends_with("ing") {
                return format!("{x} is {all} {y}");
            }
            match (first, &parts[1..]) {
                (first, rest) if PREPOSITIONS.contains(&first) && rest.join(" ") == *noun => {
                    format!("{x} is {first} {y}")
                }
                ("can" | "has" | "is" | "have", [_, ..]) => {
                    let verb = if first == "have" { "has" } else { first };
                    format!("{x} {verb} {} {y}", parts[1..].join(" "))
                }
                ("has" | "have", []) => format!("{x} has {y}"),
                _ if LINKED.contains(&last) => format!("{x} is {all} to {y}"),
                _ if last.ends_with("ed") && PLACES.iter().any(|place| noun.contains(place)) => {
                    format!("{x} is {all} at {y}")
                }
                _ if last.ends_with("ed") => format!("{x} is {all} with {y}"),
                (verb, []) if verb.ends_with('s') && !verb.ends_with("ss") => format!("{x} {verb} {y}"),
                _ if arguments[0].noun == arguments[1].noun => {
                    format!("there is {} from {x} to {y}", article(&all))
                }
                _ => format!("{x} has the {all} {y}"),
            }
        }
        many => related(&all, many),
    }
}

fn bare(parts: &[&str], all: &str) -> String {
    match parts {
        [state, noun @ ..] if STATES.contains(state) && !noun.is_empty() => {
            format!("the {} is {state}", noun.join(" "))
        }
        [noun @ .., state] if STATES.contains(state) && !noun.is_empty() => {
            format!("the {} is {state}", noun.join(" "))
        }
        [one] if one.ends_with("empty") && one.len() > 5 => format!("the {} is empty", &one[..one.len() - 5]),
        _ => format!("the condition {all} is met"),
    }
}

fn alone(x: &ToldArgument, parts: &[&str], all: &str, fixed: bool) -> String {
    let text = &x.text;
    if let Some((_, done)) = DOING.iter().find(|(doing, _)| *doing == all) {
        return format!("{text} is {done}");
    }
    match parts {
        ["at", noun, ..] => format!("the {} is at {text}", noun_phrase(noun, &parts[2..])),
        ["ontable"] => format!("{text} is on the table"),
        [one] if one.ends_with("empty") && one.len() > 5 => {
            format!("the {} of {text} is empty", &one[..one.len() - 5])
        }
        ["is" | "has" | "can", _, ..] => format!("{text} {all}"),
        ["not", state] => format!("{text} is not {state}"),
        [preposition, _, ..] if PREPOSITIONS.contains(preposition) => {
            format!("{text} is {preposition} the {}", parts[1..].join(" "))
        }
        _ if STATES.contains(&all) || !fixed || all.ends_with("ed") || all.ends_with("able") => {
            format!("{text} is {all}")
        }
        _ => format!("{text} is {}", article(all)),
    }
}

fn noun_phrase(first: &str, rest: &[&str]) -> String {
    [&[first], rest].concat().join(" ")
}

fn article(noun: &str) -> String {
    let an = noun.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {noun}", if an { "an" } else { "a" })
}

/// The clause that any name makes.
pub(crate) fn related(all: &str, arguments: &[ToldArgument]) -> String {
    let texts: Vec<&str> = arguments.iter().map(|told| told.text.as_str()).collect();
    match texts[..] {
        [] => format!("the condition {all} is met"),
        [one] => format!("the property {all} belongs to {one}"),
        [ref front @ .., last] => format!("the relation {all} is between {} and {last}", front.join(", ")),
    }
}

/// Says that a clause is not so.
pub(crate) fn denied(clause: &str) -> String {
    match clause.split_once(" is ") {
        Some((front, back)) => format!("{front} is not {back}"),
        None => format!("it is not so that {clause}"),
    }
}

/// Says that a clause ceases to be so.
pub(crate) fn ended(clause: &str) -> String {
    match clause.split_once(" is ") {
        Some((front, back)) => format!("{front} is no longer {back}"),
        None => format!("it is no longer so that {clause}"),
    }
}

/// An action: its verb, and what follows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Deed {
    verb: String,
    rest: String,
}

impl Deed {
    /// "load package x into truck y"
    pub(crate) fn plain(&self) -> String {
        format!("{}{}", self.verb, self.rest)
    }

    /// "loads package x into truck y"
    pub(crate) fn third_person(&self) -> String {
        let verb = &self.verb;
        let consonant_y = verb.ends_with('y') && !verb.ends_with(|c: char| "aeiou".contains(c)) && {
            let before = verb.chars().rev().nth(1);
            before.is_some_and(|c| !"aeiou".contains(c))
        };
        let verb = match verb {
            _ if consonant_y => format!("{}ies", &verb[..verb.len() - 1]),
            _ if ["s", "x", "z", "ch", "sh", "o"].iter().any(|end| verb.ends_with(end)) => {
                format!("{verb}es")
            }
            _ => format!("{verb}s"),
        };
        format!("{verb}{}", self.rest)
    }
}

/// Says an action with its arguments, which come with the names of their parameters.
pub(crate) fn deed(name: &str, arguments: &[(String, ToldArgument)]) -> Deed {
    let joined: Vec<String> = words(name)
        .into_iter()
        .map(|word| JOINED.iter().find(|(one, _)| *one == word).map_or(word, |(_, two)| two).to_owned())
        .collect();
    let text = joined.join(" ");
    let mut parts = text.split(' ');
    let verb = parts.next().unwrap_or_default().to_owned();
    // "load-truck" of a truck is "load ... with truck".
    let nouns: Vec<&str> = arguments.iter().map(|(_, told)| told.noun.as_str()).collect();
    let own: Vec<&str> = parts.filter(|word| !nouns.contains(word)).collect();
    let mut rest: String = own.iter().map(|word| format!(" {word}")).collect();
    let is_place = |told: &ToldArgument| PLACES.iter().any(|place| told.noun.contains(place));
    let moving = MOVING.contains(&verb.as_str());
    // Where the way is told, other places are those that it is in.
    let explicit = moving && arguments.iter().any(|(name, _)| matches!(name.as_str(), "from" | "to"));
    let mut places = 0;
    let mut with = false;
    for (number, (parameter, told)) in arguments.iter().enumerate() {
        let named = words(parameter);
        let says = |word: &str| named.first() == Some(&word) || named.last() == Some(&word);
        let all_places = arguments.iter().filter(|(_, told)| is_place(told)).count();
        let preposition = if says("from") {
            "from"
        } else if says("to") {
            "to"
        } else if says("via") {
            "via"
        } else if is_place(told) && explicit {
            "in"
        } else if is_place(told) && moving && all_places > 1 {
            places += 1;
            match places {
                1 => "from",
                2 => "to",
                _ => "by",
            }
        } else if number == 0
            && own.last().is_none_or(|word| !PREPOSITIONS.contains(word) || *word == "up" || *word == "on")
        {
            ""
        } else if is_place(told) {
            "at"
        } else if with {
            "and"
        } else {
            with = true;
            "with"
        };
        let space = if preposition.is_empty() { "" } else { " " };
        rest += &format!(" {preposition}{space}{}", told.text);
    }
    Deed { verb, rest }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(texts: &[(&str, &str)]) -> Vec<ToldArgument> {
        texts.iter().map(|(text, noun)| ToldArgument { text: (*text).into(), noun: (*noun).into() }).collect()
    }

    #[test]
    fn names_become_clauses() {
        let [car, place] = [("car c1", "car"), ("place p1", "place")];
        assert_eq!(clause("at", &told(&[car, place]), false), "car c1 is at place p1");
        assert_eq!(clause("at-ferry", &told(&[place]), false), "the ferry is at place p1");
        assert_eq!(clause("empty-ferry", &[], false), "the ferry is empty");
        assert_eq!(clause("arm_empty", &[], false), "the arm is empty");
        assert_eq!(clause("handempty", &[], false), "the hand is empty");
        assert_eq!(clause("holding", &told(&[car]), false), "car c1 is held");
        assert_eq!(clause("connected", &told(&[place, place]), true), "place p1 is connected to place p1");
        assert_eq!(clause("road", &told(&[place, place]), true), "there is a road from place p1 to place p1");
        assert_eq!(clause("key-shape", &told(&[car, place]), true), "car c1 has the key shape place p1");
        assert_eq!(denied("car c1 is at place p1"), "car c1 is not at place p1");
    }

    #[test]
    fn names_become_deeds() {
        let of = |name: &str, arguments: &[(&str, &str, &str)]| {
            let arguments: Vec<(String, ToldArgument)> = arguments
                .iter()
                .map(|(parameter, text, noun)| {
                    ((*parameter).to_owned(), ToldArgument { text: (*text).into(), noun: (*noun).into() })
                })
                .collect();
            deed(name, &arguments)
        };
        let board = of("board", &[("car", "car c1", "car"), ("loc", "place p1", "place")]);
        assert_eq!(board.third_person(), "boards car c1 at place p1");
        let sail = of("sail", &[("from", "place p1", "place"), ("to", "place p2", "place")]);
        assert_eq!(sail.plain(), "sail from place p1 to place p2");
        let pick = of("pick-up", &[("x", "block b1", "block")]);
        assert_eq!(pick.third_person(), "picks up block b1");
        let load = of(
            "load-truck",
            &[("p", "package p", "package"), ("t", "truck t", "truck"), ("l", "place l", "place")],
        );
        assert_eq!(load.plain(), "load package p with truck t at place l");
        assert_eq!(of("fly", &[]).third_person(), "flies");
    }
}
