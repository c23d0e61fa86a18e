//! What a model printed to plain text in small letters: without hidden thoughts, markup and LaTeX, cut into statements.

use crate::score::vocabulary::WORDS;

/// Stands where a marked answer stood; the next character is its number, counted from [`FIRST`].
const MARK: char = '\u{e000}';
/// The character of the first marked answer.
const FIRST: u32 = 0xe100;
/// Marked answers beyond these are passed over.
const MOST_MARKS: usize = 200;

/// A text in statements, with what it marks as its answers.
#[derive(Debug, Default)]
pub(crate) struct Plain {
    /// Sentences and lines; a list of bullets is one with the line above it.
    pub(crate) statements: Vec<String>,
    /// Contents of boxes and tags.
    pub(crate) marked: Vec<String>,
}

impl Plain {
    /// Reads what a model printed.
    pub(crate) fn new(text: &str) -> Plain {
        let text = simple(text);
        let mut plain = Plain::default();
        let text = plain.unmark(spoken(&text));
        plain.statements = statements(&without_markup(&text));
        plain
    }

    /// Puts characters in place of boxes and tags.
    fn unmark(&mut self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while self.marked.len() < MOST_MARKS
            && let Some((before, content, after)) = next_marked(rest)
            && let Some(number) = char::from_u32(FIRST + self.marked.len() as u32)
        {
            out.push_str(before);
            out.extend([MARK, number]);
            self.marked.push(content.to_owned());
            rest = after;
        }
        out + rest
    }

    /// The numbers of the marked answers of a statement.
    pub(crate) fn marks(statement: &str) -> impl Iterator<Item = usize> {
        let numbers = statement.chars().map(|c| u32::from(c).wrapping_sub(FIRST) as usize);
        numbers.filter(|number| *number < MOST_MARKS)
    }

    /// Does a statement offer its marked answers for a choice?
    pub(crate) fn offers(statement: &str) -> bool {
        let mut words = statement.split_whitespace().peekable();
        while let Some(word) = words.next() {
            let marked = |word: &str| word.contains(MARK);
            let next = words.peek().copied().unwrap_or_default();
            if word == "or" && marked(next) || next == "or" && marked(word) {
                return true;
            }
        }
        false
    }

    /// A statement with its marked answers put back.
    pub(crate) fn with_marked(&self, statement: &str) -> String {
        let mut out = String::with_capacity(statement.len());
        for c in statement.chars().filter(|c| *c != MARK) {
            match self.marked.get(u32::from(c).wrapping_sub(FIRST) as usize) {
                Some(content) => out.push_str(&without_markup(content)),
                None => out.push(c),
            }
        }
        out
    }
}

/// Small letters, with the usual signs for quotes, dashes and spaces.
fn simple(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let usual = WORDS.characters.iter().find(|(signs, _)| !c.is_ascii_graphic() && signs.contains(c));
        match usual {
            Some((_, usual)) => out.push_str(usual),
            None if ('\u{e000}'..='\u{f8ff}').contains(&c) => {}
            None => out.extend(c.to_lowercase()),
        }
    }
    out
}

/// What is said aloud, in the model's own turn: thoughts are left out, and with them all if they do not end.
fn spoken(text: &str) -> &str {
    let mut text = text;
    for thought in &WORDS.thoughts {
        let (open, close) = (format!("<{thought}>"), format!("</{thought}>"));
        text = match (text.rfind(&close), text.rfind(&open)) {
            (Some(end), open) if open.is_none_or(|open| open < end) => &text[end + close.len()..],
            (_, Some(open)) => &text[..open],
            _ => text,
        };
    }
    let ends = WORDS.ends.iter().filter_map(|end| text.find(end.as_str())).min();
    &text[..ends.unwrap_or(text.len())]
}

/// Behind these words a list stands that is an answer.
const ANNOUNCED: [&str; 2] = ["answer is", "answer:"];

/// The part of a text that is its answer where that is a list: what the last box or tag holds, or else what stands behind the last
/// "answer is", or else all that is no hidden thought.
pub(crate) fn answering_part(text: &str) -> &str {
    let text = spoken(text);
    let (mut rest, mut marked) = (text, None);
    while let Some((_, inside, after)) = next_marked(rest) {
        (rest, marked) = (after, Some(inside));
    }
    if let Some(marked) = marked {
        return marked;
    }
    // Small letters of ASCII alone, so that places stay the same.
    let small = text.to_ascii_lowercase();
    let behind = ANNOUNCED.iter().filter_map(|words| Some(small.rfind(words)? + words.len())).max();
    behind.map_or(text, |at| text[at..].trim_start_matches(|c: char| c.is_whitespace() || ":*\"".contains(c)))
}

/// The first box or tag: what is before it, in it, and after it. A tag that is not closed goes to the end.
fn next_marked(text: &str) -> Option<(&str, &str, &str)> {
    let boxed = ["\\boxed", "\\fbox"].into_iter().filter_map(|name| Some((text.find(name)?, name.len())));
    let boxed = boxed.min().and_then(|(at, length)| {
        let open = text[at + length..].trim_start();
        let start = text.len() - open.len();
        Some((at, start + 1, start + closing(open)?, 1))
    });
    let tagged = WORDS.tags.iter().filter_map(|tag| {
        let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
        let at = text.find(&open)?;
        let start = at + open.len();
        let end = text[start..].find(&close).map(|end| start + end);
        Some((at, start, end.unwrap_or(text.len()), if end.is_some() { close.len() } else { 0 }))
    });
    let (at, start, end, close) = tagged.chain(boxed).min()?;
    Some((&text[..at], &text[start..end], &text[end + close..]))
}

/// Where the brace that a text begins with is closed.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return (c == '}').then_some(at);
        }
    }
    None
}

/// A text without what only shows in print: emphasis, code, headings, LaTeX, HTML.
fn without_markup(text: &str) -> String {
    let mut text = text.lines().filter(|line| !is_fence(line)).collect::<Vec<_>>().join("\n");
    if text.contains('\\') {
        text = unwrapped(&text);
    }
    for (sign, plain) in &WORDS.signs {
        if text.contains(sign) {
            text = text.replace(sign, plain);
        }
    }
    for tag in &WORDS.html {
        text = text.replace(&format!("<{tag}>"), "").replace(&format!("</{tag}>"), "");
    }
    let lines = text.lines().map(|line| {
        let bare = line.trim_start();
        match bare.strip_prefix("####") {
            // As in GSM8K (Cobbe et al. 2021).
            Some(rest) if !rest.starts_with('#') => format!("final answer: {}", rest.trim()),
            _ => match bare.strip_prefix("* ") {
                Some(item) => format!("- {}", item.replace('*', "")),
                None => bare.trim_start_matches(['#', '>']).replace('*', ""),
            },
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A text with what LaTeX wraps in commands for text.
fn unwrapped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // Of each open brace, does it belong to such a command?
    let mut open: Vec<bool> = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let command = rest.strip_prefix('\\').and_then(|name| {
            WORDS.wrappers.iter().find_map(|wrapper| name.strip_prefix(wrapper.as_str())?.strip_prefix('{'))
        });
        if let Some(content) = command {
            open.push(true);
            rest = content;
            continue;
        }
        let dropped = match c {
            '{' => {
                open.push(false);
                false
            }
            '}' => open.pop().unwrap_or(false),
            _ => false,
        };
        if !dropped {
            out.push(c);
        }
        rest = &rest[c.len_utf8()..];
    }
    out
}

/// Does a line open or close a block of code?
fn is_fence(line: &str) -> bool {
    line.trim().strip_prefix("```").is_some_and(|language| language.chars().all(char::is_alphanumeric))
}

/// The text behind a bullet or a number of a list; `within` one, any number will do, and else it is 1: "3. They are"
/// begins with an answer.
fn bullet(line: &str, within: bool) -> Option<&str> {
    if let Some(item) = line.strip_prefix("- ").or_else(|| line.strip_prefix("+ ")) {
        return Some(item.trim());
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    if !(1..=3).contains(&digits) || !(within || &line[..digits] == "1") {
        return None;
    }
    let rest = line[digits..].strip_prefix(['.', ')'])?;
    rest.starts_with(' ').then(|| rest.trim())
}

/// Cuts a text into sentences and lines. Bullets belong together and to a line that ends with a colon, and so does what
/// stands in brackets.
fn statements(text: &str) -> Vec<String> {
    let text = unbroken(text);
    let mut lines: Vec<String> = Vec::new();
    // Is the last line one that the next belongs to?
    let (mut open, mut list) = (false, false);
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let item = bullet(line, list);
        match (lines.last_mut(), item) {
            (Some(last), Some(item)) if open || list => {
                last.push_str(if open { " " } else { "; " });
                last.push_str(item.trim_end_matches('.'));
                (open, list) = (false, true);
            }
            (_, Some(item)) => {
                lines.push(item.to_owned());
                (open, list) = (false, true);
            }
            (Some(last), None) if open => {
                last.push(' ');
                last.push_str(line);
                (open, list) = (ends_open(line), false);
            }
            (_, None) => {
                lines.push(line.to_owned());
                (open, list) = (ends_open(line), false);
            }
        }
    }
    lines.iter().flat_map(|line| sentences(line)).map(str::to_owned).collect()
}

/// Does a line want another one?
fn ends_open(line: &str) -> bool {
    line.ends_with(':') || line.ends_with(" is") || line.ends_with(" are")
}

/// No line ends within brackets.
fn unbroken(text: &str) -> String {
    let mut depth = 0_i32;
    // A bracket that is not closed says nothing.
    let even = text.matches(['[', '{', '(']).count() == text.matches([']', '}', ')']).count();
    let join = |c: char| {
        match c {
            '[' | '{' | '(' => depth += 1,
            ']' | '}' | ')' => depth -= 1,
            '\n' if depth > 0 && even => return ' ',
            _ => {}
        }
        c
    };
    text.chars().map(join).collect()
}

/// The sentences of a line.
fn sentences(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let bytes = line.as_bytes();
    for (at, byte) in bytes.iter().enumerate().filter(|(_, byte)| b".!?".contains(byte)) {
        let mut end = at + 1;
        // A quote or bracket closes behind the full stop.
        while bytes.get(end).is_some_and(|b| b"\"')]}".contains(b)) {
            end += 1;
        }
        let ends = bytes.get(end).is_none_or(u8::is_ascii_whitespace);
        // `1. zither 2. helmet` begins with no sentence.
        let word = line[start..at].trim_start();
        let numbering = *byte == b'.' && (1..=2).contains(&word.len()) && end < bytes.len();
        let numbering = numbering && word.bytes().all(|b| b.is_ascii_digit());
        if ends && !numbering {
            found.push(line[start..end].trim());
            start = end;
        }
    }
    found.push(line[start..].trim());
    found.retain(|sentence| sentence.chars().any(|c| c.is_alphanumeric() || c == MARK || "[{".contains(c)));
    found
}
