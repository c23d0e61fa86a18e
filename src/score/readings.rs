//! A statement to the answers it gives: a yes or no, a number, or names, and nothing where it hedges or says other things.

use crate::score::normal::{Normal, cut, name, number};

/// What was asked: what an answer may repeat, and what it may name.
#[derive(Clone, Debug, Default)]
pub struct QuestionAsked {
    /// The answer type of the item.
    kind: AnswerKind,
    /// Words of the question itself, by their stems.
    words: Vec<String>,
    /// The question in small letters, each word between blanks.
    text: String,
    /// The objects that there are, as their words, the longest first.
    names: Vec<Vec<String>>,
    /// What is asked for, by its stem: the container of "which containers". Empty where that is not plain.
    noun: String,
    /// Does the question suppose that something is done first?
    supposes: bool,
}

/// Sorts of answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum AnswerKind {
    /// Yes or no.
    Bool,
    /// A number.
    Number,
    /// A name, several or none.
    #[default]
    Names,
}

/// Words that say nothing of their own in an answer.
const FUNCTION_WORDS: &str = "a an the is are be being it its it's they them their there there's here this \
    that these those of in on at to for with by and as which what who whom how many number count total amount sum \
    exactly just only so thus therefore hence then consequently now finally all after actions action situation final \
    resulting state end case has have had does do did i we you get gets got find found see say would answer answers \
    correct following items item objects object things ones names name list set result remain remains remaining \
    still currently indeed simply namely equal equals come comes will such my respectively entirely overall \
    altogether make makes conclude can must contain contains";

/// Words that turn what is said round.
const NEGATIONS: [&str; 10] =
    ["not", "no", "never", "none", "nothing", "neither", "nor", "without", "cannot", "nobody"];

/// Words that leave open whether it is so.
const HEDGES: [&str; 16] = [
    "maybe",
    "perhaps",
    "possibly",
    "might",
    "unsure",
    "uncertain",
    "unclear",
    "unknown",
    "undetermined",
    "either",
    "depends",
    "guess",
    "or",
    "can't",
    "cannot",
    "unable",
];

/// Words that a yes or no may stand behind.
const BEFORE_BOOL: &str = "i we i'd 'd think believe would say that is it it's that's this the statement claim answer \
    definitely clearly indeed certainly surely absolutely sure most likely probably simply just also therefore so thus \
    hence well ok okay actually wait rather instead correction sorry oops hmm a an then conclude again in conclusion \
    short to be must my final";

/// What an answer holds under, or when it held, or what is said of it as a word, behind a comma or not.
const CONDITIONS: [&str; 20] = [
    "if",
    "unless",
    "only",
    "assuming",
    "provided",
    "until",
    "initially",
    "originally",
    "at first",
    "at the start",
    "at the beginning",
    "before",
    "would",
    "is",
    "isn't",
    "was",
    "cannot",
    "can't",
    "could",
    "might",
];

/// Words with which a reason or a sentence of its own begins, so that a `no` before them is an answer.
const AFTER_NO: [&str; 22] = [
    "because", "since", "as", "it", "there", "the", "that", "this", "they", "he", "she", "not", "for", "due",
    "--", "given", "its", "these", "those", "a", "an", "after",
];

/// Words behind which `one` is no number.
const BEFORE_PRONOUN: [&str; 11] =
    ["no", "the", "this", "that", "each", "every", "another", "which", "any", "other", "only"];

/// Where the reason or the details begin.
const DETAILS: [&str; 12] = [
    " because ",
    " since ",
    " as ",
    " namely ",
    " -- ",
    " (",
    ": ",
    "; ",
    ", which ",
    ", i.e",
    ", specifically",
    ", with ",
];

/// Where a reason begins that may name other objects.
const REASONS: [&str; 6] = [" because ", " since ", ", as ", ", which ", " -- ", " ("];

/// Of a word, what its forms have in common.
fn stem(word: &str) -> &str {
    let cut =
        ["'s", "ies", "ied", "ing", "ed", "es", "s", "e", "y"].iter().find_map(|end| word.strip_suffix(end));
    cut.filter(|cut| cut.len() > 1).unwrap_or(word)
}

/// The words of a text in small letters, commas and the like apart from them.
fn words(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for part in text.split_whitespace() {
        let inner = |c: char| c.is_alphanumeric() || c == '%' || c == '?' && part.contains('(');
        let mut word = String::new();
        let all: Vec<char> = part.chars().collect();
        for (at, c) in all.iter().enumerate() {
            let between = |c: char| {
                at > 0
                    && inner(all[at - 1])
                    && all.get(at + 1).copied().is_some_and(inner)
                    && "-_'./".contains(c)
            };
            let sign = *c == '-' && all.get(at + 1).is_some_and(char::is_ascii_digit) && word.is_empty();
            if inner(*c) || between(*c) || sign {
                word.push(*c);
            } else {
                found.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty()));
                found.push(c.to_string());
            }
        }
        found.extend(Some(word).filter(|word| !word.is_empty()));
    }
    found
}

fn is_word(token: &str) -> bool {
    token.chars().any(char::is_alphanumeric)
}

fn is_negation(token: &str) -> bool {
    NEGATIONS.contains(&token) || token.ends_with("n't")
}

fn listed(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}

impl QuestionAsked {
    /// What a question asks: its answer type (`bool`, `number`, or one of names), its text and the names of objects.
    pub fn new<'n>(kind: &str, question: &str, names: impl IntoIterator<Item = &'n str>) -> QuestionAsked {
        let kind = match kind {
            "bool" => AnswerKind::Bool,
            "number" => AnswerKind::Number,
            _ => AnswerKind::Names,
        };
        let tokens: Vec<String> = words(proper(&question.to_lowercase()));
        let mut names: Vec<Vec<String>> =
            names.into_iter().map(|name| name_words(&name.to_lowercase())).collect();
        names.retain(|name| !name.is_empty());
        names.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        QuestionAsked {
            kind,
            noun: noun(&tokens).to_owned(),
            words: tokens.iter().map(|word| stem(word).to_owned()).collect(),
            text: format!(" {} ", tokens.join(" ")),
            names,
            supposes: question.trim_start().starts_with("If "),
        }
    }

    /// Is a statement under a condition that the question does not make?
    pub(crate) fn is_conditional(&self, statement: &str) -> bool {
        let conditional = statement.contains("if ") && statement.contains("would");
        conditional || (statement.starts_with("if ") && !self.supposes)
    }

    pub(crate) fn kind(&self) -> AnswerKind {
        self.kind
    }

    /// Is a word of the question's, or one that says nothing?
    fn echoes(&self, word: &str) -> bool {
        listed(FUNCTION_WORDS, word) || self.asks(word)
    }

    /// Is a word of the question's?
    fn asks(&self, word: &str) -> bool {
        self.words.iter().any(|known| known == stem(word))
    }

    /// What a statement answers. It is more than one only where a list may be cut in several ways.
    pub(crate) fn readings(&self, statement: &str) -> Vec<Normal> {
        let text = peeled(statement);
        // A question, and a list that trails off.
        if text.is_empty() || text.ends_with('?') || statement.trim_end().ends_with("...") {
            return Vec::new();
        }
        match self.kind {
            AnswerKind::Bool => boolean(text).map(Normal::Bool).into_iter().collect(),
            AnswerKind::Number => self.number(text).map(Normal::Number).into_iter().collect(),
            AnswerKind::Names => self.names(text),
        }
    }

    /// What a statement answers that is nothing but an answer.
    pub(crate) fn bare(&self, statement: &str) -> Vec<Normal> {
        let text = peeled(statement);
        let few = text.split_whitespace().count();
        match self.kind {
            AnswerKind::Bool | AnswerKind::Number if few > 3 => Vec::new(),
            AnswerKind::Bool | AnswerKind::Number => self.readings(statement),
            AnswerKind::Names => self.list(text).into_iter().filter(|names| self.are_known(names)).collect(),
        }
    }

    /// What the beginning of a statement answers, before any reasons.
    pub(crate) fn leading(&self, statement: &str) -> Vec<Normal> {
        let text = peeled(statement);
        match self.kind {
            AnswerKind::Bool => self.readings(statement),
            AnswerKind::Number => {
                let first = words(text).into_iter().next().unwrap_or_default();
                let starts = number(&first).is_some() || ["no", "none", "there"].contains(&first.as_str());
                if starts { self.readings(statement) } else { Vec::new() }
            }
            AnswerKind::Names => self.sure(statement),
        }
    }

    /// What a statement answers, if it is sure that it answers: any words could be a name.
    pub(crate) fn sure(&self, statement: &str) -> Vec<Normal> {
        let found = self.readings(statement);
        if self.kind != AnswerKind::Names {
            return found;
        }
        let said = self.said(peeled(statement));
        found.into_iter().filter(|names| self.are_known(names) || said.as_ref() == Some(names)).collect()
    }

    fn number(&self, text: &str) -> Option<i64> {
        let text = text.rsplit_once('=').map_or(text, |(_, last)| last);
        let padded = format!(" {text} ");
        // At the very start the reason begins nowhere.
        let end = DETAILS.iter().filter_map(|sign| padded.find(sign).filter(|at| *at > 1)).min();
        let mut clause = &padded[..end.unwrap_or(padded.len())];
        if let Some((head, rest)) = padded.split_once(": ")
            && words(head)
                .iter()
                .all(|word| number(word).is_none() && self.echoes(word) && !is_negation(word))
        {
            // "Number of containers: 3".
            clause = rest;
        }
        if clause.trim() == "none" || clause.trim() == "nothing" {
            return Some(0);
        }
        let all = words(clause);
        let mut found: Vec<i64> = Vec::new();
        let (mut negations, mut others) = (0, 0);
        for (at, word) in all.iter().enumerate() {
            let before = at.checked_sub(1).map_or("", |at| all[at].as_str());
            let next = all.get(at + 1).map_or("", String::as_str);
            if let Some(value) = number(word) {
                // "the one", "no one", "one of them" count nothing, and "row 3" is the question's.
                let only = before == "only" && (at < 2 || all[at - 2] != "the");
                if word == "one" && (next == "of" || (BEFORE_PRONOUN.contains(&before) && !only)) {
                    return None;
                }
                // "Block 1" is a name.
                if self.asks(before)
                    && !listed(FUNCTION_WORDS, before)
                    && !self.text.contains(&format!(" {before} {word} "))
                {
                    return None;
                }
                let repeated = is_word(before) && self.text.contains(&format!(" {before} {word} "));
                if !repeated {
                    found.push(value);
                }
            } else if word == "no" && at == 0 && next == "," {
                // "No, 3" denies something else.
            } else if (word == "no" && is_word(next) && stem(next) == self.noun)
                || (word == "none" && (next == "of" || next.is_empty() || next == "."))
            {
                found.push(0);
                others += 1;
            } else if word == "single" && (before == "a" || before == "only") {
                found.push(1);
            } else if is_negation(word) {
                negations += 1;
            } else if HEDGES.contains(&word.as_str()) || (is_word(word) && !self.echoes(word)) {
                return None;
            }
        }
        let value = found.first().copied()?;
        // A negation of the question's may be said again, and there is none besides.
        let asked = self.text.split(' ').filter(|word| is_negation(word)).count();
        let fits = negations == 0 || negations == asked;
        (fits && others <= 1 && found.iter().all(|other| *other == value)).then_some(value)
    }

    fn names(&self, text: &str) -> Vec<Normal> {
        let end = REASONS.iter().filter_map(|sign| text.find(sign)).min();
        let text = text[..end.unwrap_or(text.len())].trim_end_matches([',', ' ']);
        let mut found = self.list(text);
        if found.iter().any(|names| self.are_known(names)) {
            return found;
        }
        if let Some(said) = self.said(text)
            && !found.contains(&said)
        {
            found.push(said);
        }
        found
    }

    /// A list of names and nothing else, cut at commas, and at each `and`.
    fn list(&self, text: &str) -> Vec<Normal> {
        if [
            "none",
            "nothing",
            "no one",
            "nobody",
            "nowhere",
            "[]",
            "{}",
            "()",
            "empty",
            "empty list",
            "(none)",
        ]
        .contains(&text)
        {
            return vec![Normal::Names(Vec::new())];
        }
        let inner = unwrapped(text);
        let mut found = Vec::new();
        for everywhere in [false, true] {
            let parts = cut(inner, everywhere);
            let mut names: Vec<String> = parts.iter().map(|part| self.listed_name(part)).collect();
            if names.is_empty() || names.iter().any(String::is_empty) {
                continue;
            }
            names.sort();
            names.dedup();
            if names == ["none"] {
                names.clear();
            }
            let names = Normal::Names(names);
            if !found.contains(&names) {
                found.push(names);
            }
        }
        found
    }

    /// A part of a list without what it is called by: "the container zither", "on the table".
    fn listed_name(&self, part: &str) -> String {
        let whole = name(part);
        if self.is_known(&whole) {
            return whole;
        }
        let parts: Vec<&str> = whole.split(' ').collect();
        // One noun of the question's may stand before the name or behind it, and small words before both.
        let small = |word: &&&str| ["on", "in", "at", "the", "a", "an", "both"].contains(*word);
        let noun = |word: Option<&&str>| word.is_some_and(|word| !is_negation(word) && self.asks(word));
        let first = parts.iter().take_while(small).count();
        let mut starts = vec![first];
        if noun(parts.get(first)) {
            starts.push(first + 1 + parts[first + 1..].iter().take_while(small).count());
        }
        let ends = [parts.len(), parts.len() - usize::from(noun(parts.last()))];
        for (start, end) in starts.iter().flat_map(|start| ends.map(|end| (*start, end))) {
            let rest = parts.get(start..end).unwrap_or_default().join(" ");
            if self.is_known(&rest) {
                return rest;
            }
        }
        let prepositions = parts.iter().take_while(|word| ["on", "in", "at", "the"].contains(*word)).count();
        parts[prepositions.min(parts.len() - 1)..].join(" ")
    }

    fn is_known(&self, name: &str) -> bool {
        let words = name_words(name);
        self.names.contains(&words)
    }

    fn are_known(&self, names: &Normal) -> bool {
        match names {
            Normal::Names(names) => names.iter().all(|name| self.is_known(name)),
            _ => false,
        }
    }

    /// The names that a sentence gives which otherwise says only what the question says.
    fn said(&self, text: &str) -> Option<Normal> {
        // A block called `a` cannot be told from the article.
        if self.names.iter().any(|name| matches!(name.as_slice(), [word] if listed(FUNCTION_WORDS, word))) {
            return None;
        }
        let tokens: Vec<String> = words(text).into_iter().flat_map(|token| parted(&token)).collect();
        let mut names: Vec<String> = Vec::new();
        // First and last token of the names, and the tokens that are part of one.
        let mut run: Option<(usize, usize)> = None;
        let mut named = vec![false; tokens.len()];
        let mut at = 0;
        while at < tokens.len() {
            let here = self.names.iter().find(|name| tokens[at..].starts_with(name));
            let Some(found) = here else {
                at += 1;
                continue;
            };
            let end = at + found.len();
            named[at..end].fill(true);
            let text = found.join(" ");
            if !self.names_of_question(&text) {
                names.push(text);
                run = Some((run.map_or(at, |(start, _)| start), end));
            }
            at = end;
        }
        let asked = self.text.split(' ').filter(|word| is_negation(word)).count();
        let mut negations = 0;
        // What the question says, too, before the last name and behind it.
        let (mut before, mut behind): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
        for (at, token) in tokens.iter().enumerate() {
            if named[at] || !is_word(token) {
                continue;
            }
            let within = run.is_some_and(|(start, end)| (start..end).contains(&at));
            let joins = ["and", "the", "a", "an", "both"].contains(&token.as_str());
            let verb = listed("is are was were has have had does do did be", token);
            if is_negation(token) {
                negations += 1;
                if within {
                    return None;
                }
            } else if HEDGES.contains(&token.as_str())
                || !self.echoes(token)
                || (within && (verb || !(joins || self.asks(token))))
            {
                return None;
            } else if !listed(FUNCTION_WORDS, token) {
                let place = if run.is_some_and(|(_, end)| at >= end) { &mut behind } else { &mut before };
                place.extend(Some(stem(token)).filter(|stem| !place.contains(stem)));
            }
        }
        if names.is_empty() {
            let none = tokens.iter().any(|t| ["none", "nothing", "nobody"].contains(&t.as_str()));
            let lacking = tokens.windows(2).any(|two| two[0] == "no" && stem(&two[1]) == self.noun);
            let alone = negations == 1 && (before.is_empty() || before.len() == 1 && tokens[0] == "none");
            let doubled = tokens.iter().any(|t| t == "not") && !self.text.contains(" not ");
            let denies = (none || lacking) && (negations == asked + 1 || alone) && !doubled;
            return denies.then(|| Normal::Names(Vec::new()));
        }
        // Where the question has a `no`, a sentence that says what it says has one as well.
        let short = behind.is_empty() && before.len() <= 1;
        if negations != asked && !(negations == 0 && short) {
            return None;
        }
        names.sort();
        names.dedup();
        Some(Normal::Names(names))
    }

    fn names_of_question(&self, name: &str) -> bool {
        let spread: String = self.text.split(' ').flat_map(parted).collect::<Vec<_>>().join(" ");
        format!(" {spread} ").contains(&format!(" {name} "))
    }
}

/// The question itself, without what is supposed to be done before.
fn proper(question: &str) -> &str {
    let last = question.trim_end().rfind(". ").map_or(question, |at| &question[at + 2..]);
    let words = ["which ", "what ", "who ", "whom ", "where ", "how "];
    let Some(at) = words.iter().filter_map(|word| last.find(word)).min() else { return last };
    let start = last[..at].rfind([',', ';', ':']).map_or(0, |at| at + 1);
    &last[start..]
}

/// The word that a question asks for, by its stem: the first that says something behind the question word.
fn noun(question: &[String]) -> &str {
    let asks = ["which", "what", "who", "how"];
    let behind = question.iter().skip_while(|word| !asks.contains(&word.as_str())).skip(1);
    let mut said = behind.filter(|word| is_word(word) && !listed(FUNCTION_WORDS, word));
    said.next().map_or("", |word| stem(word))
}

/// The words of a name; `crane-34` has two.
fn name_words(name: &str) -> Vec<String> {
    words(name).iter().flat_map(|token| parted(token)).collect()
}

fn parted(token: &str) -> Vec<String> {
    if token.len() < 2 {
        return vec![token.to_owned()];
    }
    token.split(['-', '_']).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// A statement without quotes, spaces and full stops around it.
fn peeled(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || "\"'.!,;:".contains(c))
}

/// A list without its brackets.
fn unwrapped(text: &str) -> &str {
    for (open, close) in [('[', ']'), ('{', '}'), ('(', ')')] {
        if let Some(inner) = text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close))
            && !inner.contains([open, close])
        {
            return inner;
        }
    }
    text
}

/// The yes or no of a statement.
fn boolean(text: &str) -> Option<bool> {
    let all = words(text);
    if let [only] = all.as_slice() {
        match only.as_str() {
            "y" | "t" | "1" | "correct" => return Some(true),
            "n" | "f" | "0" | "incorrect" => return Some(false),
            _ => {}
        }
    }
    let mut at = 0;
    while all.get(at).is_some_and(|word| {
        listed(BEFORE_BOOL, word) || [",", ":", "\"", "'", "(", "["].contains(&word.as_str())
    }) {
        at += 1;
    }
    let denied = all.get(at).is_some_and(|word| ["not", "isn't"].contains(&word.as_str()));
    at += usize::from(denied);
    let word = all.get(at)?.as_str();
    let subject = at > 0 && all[..at].iter().any(|w| ["is", "it's", "that's"].contains(&w.as_str()));
    let value = match word {
        "yes" | "true" => true,
        "no" | "false" => false,
        "correct" | "right" if subject || denied => true,
        "incorrect" | "wrong" if subject => false,
        _ => return None,
    };
    let plain = matches!(word, "yes" | "no");
    if denied && (plain || !value) {
        return None;
    }
    let rest = &all[at + 1..];
    let next = rest.first().map_or("", String::as_str);
    if word == "no" && is_word(next) && !AFTER_NO.contains(&next) || ["/", "or"].contains(&next) {
        return None;
    }
    let behind =
        rest.iter().map(String::as_str).filter(|word| is_word(word)).collect::<Vec<_>>().join(" ") + " ";
    if CONDITIONS.iter().any(|condition| behind.starts_with(&format!("{condition} "))) {
        return None;
    }
    // The other word as an answer: at an end, before a comma, behind `or`; else `no` is a part of a reason.
    let said = value != denied;
    for (at, word) in rest.iter().enumerate() {
        let before = at.checked_sub(1).map_or("", |at| rest[at].as_str());
        let next = rest.get(at + 1).map_or("", String::as_str);
        let ends = !is_word(next) || next == "--";
        let other = match word.as_str() {
            "yes" => plain && !said,
            "no" => plain && said && (ends || ["or", "be", "maybe", "also"].contains(&before)),
            "false" => said && ["or", "be", "also"].contains(&before),
            "true" => !said && ["or", "be", "also"].contains(&before),
            "maybe" | "perhaps" | "possibly" | "unsure" | "uncertain" => true,
            "sure" => before == "not",
            _ => false,
        };
        if other {
            return None;
        }
    }
    Some(said)
}
