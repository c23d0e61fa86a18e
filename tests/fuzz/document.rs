//! A few documents and their vocabulary to endlessly many that are almost right.

use std::ops::{Bound, Range};

use bolero::{Driver, ValueGenerator};

/// No document is longer, in bytes.
pub const LONGEST: usize = 8_000;

/// A large document, in bytes.
const LARGE: usize = 64_000;

/// What any parser may meet.
const ODD: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "'",
    "\"",
    "\"\"\"",
    "`",
    ",",
    ".",
    ":",
    ";",
    "=",
    "|",
    "\\",
    "/",
    "-",
    "_",
    "%",
    "#",
    "*",
    "?",
    "!",
    "~",
    "+",
    "&",
    "@",
    "$",
    "^",
    " ",
    "\t",
    "\n",
    "\r\n",
    "\r",
    "\0",
    "\u{b}",
    "\u{85}",
    "\u{a0}",
    "\u{2028}",
    "\u{feff}",
    "\u{200b}",
    "\u{301}",
    "\u{e000}",
    "\u{e001}",
    "\u{e100}",
    "\u{e1ff}",
    "é",
    "ß",
    "İ",
    "Σ",
    "ǆ",
    "名",
    "😀",
    "0",
    "-0",
    "00",
    "-1",
    "1e9",
    "0.5",
    "NaN",
    "inf",
    "2147483647",
    "-2147483648",
    "2147483648",
    "9223372036854775808",
    "99999999999999999999999999",
    "/*",
    "*/",
    "%*",
    "*%",
    "\\n",
    "\\\\",
    "\\u0041",
];

/// What nests: what opens and what closes.
const NESTING: &[(&str, &str)] = &[
    ("(", ")"),
    ("[", "]"),
    ("{", "}"),
    ("f(", ")"),
    ("(f ", ")"),
    ("(not ", ")"),
    ("(or (p) ", ")"),
    ("{{ ", " }}"),
    ("{{ (", ") }}"),
    ("{% if a %}", "{% endif %}"),
    ("a.", ""),
    ("-", ""),
    ("not ", ""),
    ("\"", "\""),
    ("/*", "*/"),
    ("x=[", "]"),
    ("x={a=", "}"),
];

/// Documents of one language: whole ones to start from, and what stands in them.
#[derive(Debug)]
pub struct Documents {
    /// Right ones, mostly.
    pub seeds: Vec<String>,
    /// Words and signs of the language.
    pub tokens: &'static [&'static str],
}

impl Documents {
    /// Documents made from these; blank ones are left out.
    pub fn new<S: Into<String>>(
        seeds: impl IntoIterator<Item = S>,
        tokens: &'static [&'static str],
    ) -> Documents {
        let seeds = seeds.into_iter().map(Into::into).filter(|seed| !seed.trim().is_empty()).collect();
        Documents { seeds, tokens }
    }

    /// Documents that are far too deep, or far too long, in one line and in many.
    pub fn large(&self) -> Vec<String> {
        let deep = |(open, close): &(&str, &str)| {
            let times = LARGE / (open.len() + close.len());
            [open.repeat(times), open.repeat(times) + &close.repeat(times)]
        };
        let long = |seed: &String| {
            let many = seed.repeat(LARGE / seed.len() + 1);
            [many.replace('\n', " "), many]
        };
        let seeds = self.seeds.iter().step_by(self.seeds.len().div_ceil(3));
        let tokens = self.tokens.iter().map(|token| token.repeat(LARGE / token.len()));
        NESTING.iter().flat_map(deep).chain(seeds.flat_map(long)).chain(tokens).collect()
    }

    fn token<D: Driver>(&self, driver: &mut D) -> Option<&'static str> {
        let all = if !self.tokens.is_empty() && driver.gen_bool(None)? { self.tokens } else { ODD };
        Some(all[below(driver, all.len())?])
    }

    /// A seed, or as many of its lines as a document may have.
    fn seed<D: Driver>(&self, driver: &mut D) -> Option<String> {
        let seed = &self.seeds[below(driver, self.seeds.len())?];
        if seed.len() <= LONGEST {
            return Some(seed.clone());
        }
        let start = near(seed, below(driver, seed.len() - LONGEST / 2)?);
        let start = seed[start..].find('\n').map_or(start, |end| start + end + 1);
        let end = near(seed, (start + 1 + below(driver, LONGEST)?).min(seed.len()));
        Some(seed[start..end.max(start)].to_owned())
    }

    fn noise<D: Driver>(&self, driver: &mut D) -> Option<String> {
        let mut text = String::new();
        for _ in 0..below(driver, 40)? {
            match below(driver, 3)? {
                0 => text.push(character(driver)?),
                _ => text.push_str(self.token(driver)?),
            }
        }
        Some(text)
    }

    fn edit<D: Driver>(&self, driver: &mut D, text: &mut String) -> Option<()> {
        let place = span(driver, text)?;
        match below(driver, 10)? {
            0 => text.replace_range(place, ""),
            1 => text.insert_str(place.start, self.token(driver)?),
            2 => text.replace_range(place, self.token(driver)?),
            3 => text.insert(place.start, character(driver)?),
            4 => {
                let times = [1, 1, 1, 2, 50, 1_000][below(driver, 6)?];
                let times = times.min(LONGEST / (place.len() + 1));
                text.insert_str(place.end, &text[place.clone()].repeat(times));
            }
            5 => swap(text, place, span(driver, text)?),
            6 => {
                let other = self.seed(driver)?;
                let part = span(driver, &other)?;
                text.replace_range(place, &other[part]);
            }
            7 => {
                let part = text[span(driver, text)?].to_owned();
                text.insert_str(place.start, &part);
            }
            8 => nest(driver, text, place)?,
            _ => {
                let changed: String = text[place.clone()].chars().map(other_case).collect();
                text.replace_range(place, &changed);
            }
        }
        Some(())
    }
}

impl ValueGenerator for Documents {
    type Output = String;

    fn generate<D: Driver>(&self, driver: &mut D) -> Option<String> {
        let mut text = match below(driver, 16)? {
            15 => self.noise(driver)?,
            _ => self.seed(driver)?,
        };
        // Most documents have few edits, or nothing of them would be read.
        let edits = [1, 1, 2, 3, 5, 12][below(driver, 6)?];
        for _ in 0..edits {
            self.edit(driver, &mut text)?;
            text.truncate(near(&text, LONGEST));
        }
        Some(text)
    }
}

fn below<D: Driver>(driver: &mut D, bound: usize) -> Option<usize> {
    driver.gen_usize(Bound::Included(&0), Bound::Excluded(&bound.max(1)))
}

fn character<D: Driver>(driver: &mut D) -> Option<char> {
    let highest = [0x7f, 0x2ff, 0xffff, 0x10_ffff][below(driver, 4)?];
    char::from_u32(below(driver, highest + 1)? as u32).or(Some('\u{fffd}'))
}

fn other_case(c: char) -> char {
    if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
}

/// The last place at or before `at` where a character begins.
fn near(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// A part of a text: a few letters, a word, a line, what stands in brackets or quotes, or any.
fn span<D: Driver>(driver: &mut D, text: &str) -> Option<Range<usize>> {
    let at = near(text, below(driver, text.len() + 1)?);
    let (before, after) = text.split_at(at);
    let kind = below(driver, 6)?;
    let any = |length: usize| at..near(text, at + length);
    Some(match kind {
        0 => any(below(driver, 8)?),
        1 => {
            let inner = |c: char| !c.is_alphanumeric() && c != '_';
            let start = before.char_indices().rev().find(|(_, c)| inner(*c));
            let start = start.map_or(0, |(start, c)| start + c.len_utf8());
            start..at + after.find(inner).unwrap_or(after.len())
        }
        2 => {
            before.rfind('\n').map_or(0, |start| start + 1)
                ..at + after.find('\n').map_or(after.len(), |n| n + 1)
        }
        3 | 4 => bracketed(after).map_or(at..at, |inner| at + inner.start..at + inner.end),
        _ => any(below(driver, text.len() - at + 1)?),
    })
}

/// The first part of a text in brackets or quotes, these included.
fn bracketed(text: &str) -> Option<Range<usize>> {
    let start = text.find(['(', '[', '{', '"', '\''])?;
    let open = text[start..].chars().next()?;
    let close = match open {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        quote => quote,
    };
    let mut depth = 0;
    for (at, c) in text[start..].char_indices() {
        if c == close && at > 0 {
            depth -= 1;
        } else if c == open {
            depth += 1;
        }
        if depth == 0 {
            return Some(start..start + at + c.len_utf8());
        }
    }
    None
}

fn swap(text: &mut String, a: Range<usize>, b: Range<usize>) {
    let (a, b) = if a.start <= b.start { (a, b) } else { (b, a) };
    if a.end <= b.start {
        let (first, second) = (text[a.clone()].to_owned(), text[b.clone()].to_owned());
        text.replace_range(b, &first);
        text.replace_range(a, &second);
    }
}

fn nest<D: Driver>(driver: &mut D, text: &mut String, place: Range<usize>) -> Option<()> {
    let (open, close) = NESTING[below(driver, NESTING.len())?];
    let times = [1, 2, 20, 150, LONGEST][below(driver, 5)?];
    let room = LONGEST.saturating_sub(text.len()) / (open.len() + close.len());
    let times = times.min(room.max(1));
    text.insert_str(place.end, &close.repeat(times));
    text.insert_str(place.start, &open.repeat(times));
    Some(())
}
