//! Template text to phrasings and paragraphs: the only module that names Tera.

use std::collections::{BTreeSet, HashMap};

use racgen_logic::fault::Fault;
use tera::{Context, ErrorKind, Tera, Value};

/// A sentence with slots for names. Tera renders it once, with a marker in each slot; filling it is then a
/// matter of joining pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phrasing {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Slot(usize),
    /// A word that agrees with the number in a slot, or with how many statements are in it: one form for 1, and one for all
    /// others.
    Agree {
        slot: usize,
        one: String,
        many: String,
    },
}

const OPEN: char = '\u{e000}';
const CLOSE: char = '\u{e001}';
/// Parts the forms of a word that agrees.
const FORM: char = '\u{e002}';
/// The most numbers of a sentence that words agree with.
const MOST_AGREEMENTS: usize = 4;

impl Phrasing {
    /// Compiles a template whose slots are among `slots`; a slot is known by its place in that list from then on.
    ///
    /// # Errors
    /// In words: the template's fault and the remedy.
    pub fn compile(text: &str, slots: &[&str]) -> Result<Phrasing, String> {
        if text.contains("{%") {
            return Err(
                "a phrasing holds words and slots only; write two phrasings in place of `{% ... %}`".into()
            );
        }
        if text.contains([OPEN, CLOSE, FORM]) {
            return Err("a phrasing may not hold private-use characters".into());
        }
        let text = &agreeing(text, slots)?;
        let mut context = Context::new();
        for (number, slot) in slots.iter().enumerate() {
            context.insert(slot.to_string(), &format!("{OPEN}{number}{CLOSE}"));
        }
        let known = || slots.iter().map(|s| format!("`{s}`")).collect::<Vec<_>>().join(", ");
        let rendered = Tera::one_off(text, &context, false).map_err(|error| {
            format!(
                "{}; the slots here are {}",
                first_line(&error),
                if slots.is_empty() { "none".into() } else { known() }
            )
        })?;
        let mut pieces = Vec::new();
        let mut rest = rendered.as_str();
        while let Some(start) = rest.find(OPEN) {
            let end =
                rest[start..].find(CLOSE).map(|e| start + e).ok_or("a slot is cut short by a filter")?;
            let mut forms = rest[start + OPEN.len_utf8()..end].split(FORM);
            let slot =
                forms.next().and_then(|number| number.parse().ok()).ok_or("a filter changes a slot")?;
            if start > 0 {
                pieces.push(Piece::Text(rest[..start].to_owned()));
            }
            pieces.push(match (forms.next(), forms.next()) {
                (Some(one), Some(many)) => Piece::Agree { slot, one: one.to_owned(), many: many.to_owned() },
                _ => Piece::Slot(slot),
            });
            rest = &rest[end + CLOSE.len_utf8()..];
        }
        if !rest.is_empty() {
            pieces.push(Piece::Text(rest.to_owned()));
        }
        if text.matches("{{").count() != pieces.iter().filter(|p| matches!(p, Piece::Slot(_))).count() {
            return Err("each `{{ ... }}` must be one slot, as it is".into());
        }
        Ok(Phrasing { pieces })
    }

    /// The slots in use, by their places in the list given to [`Phrasing::compile`], in the order of the sentence.
    pub fn slots(&self) -> impl Iterator<Item = usize> + '_ {
        self.pieces.iter().filter_map(|p| if let Piece::Slot(n) = p { Some(*n) } else { None })
    }

    /// Does the sentence start with a word?
    pub fn starts_with_word(&self) -> bool {
        matches!(self.pieces.first(), Some(Piece::Text(text)) if text.starts_with(char::is_alphabetic))
    }

    /// Does the text end with one of these?
    pub fn ends_with(&self, signs: &[char]) -> bool {
        matches!(self.pieces.last(), Some(Piece::Text(text)) if text.ends_with(signs))
    }

    /// Does the text start with a capital, rather than with a small letter or a slot?
    pub fn starts_with_capital(&self) -> bool {
        matches!(self.pieces.first(), Some(Piece::Text(text)) if text.starts_with(char::is_uppercase))
    }

    /// Does the sentence start with a slot?
    pub fn starts_with_slot(&self) -> bool {
        matches!(self.pieces.first(), Some(Piece::Slot(_)))
    }

    /// The same sentence without its full stop: a clause.
    pub fn clause(&self) -> Phrasing {
        let mut pieces = self.pieces.clone();
        if let Some(Piece::Text(text)) = pieces.last_mut()
            && let Some(cut) = text.strip_suffix('.')
        {
            *text = cut.to_owned();
        }
        Phrasing { pieces }
    }

    /// The clause of a sentence that need not start small, as those of static facts: its first letter is made small, if
    /// it is not that of a name.
    pub fn inner_clause(&self) -> Phrasing {
        let Phrasing { mut pieces } = self.clause();
        if let Some(Piece::Text(text)) = pieces.first_mut() {
            let mut rest = text.chars();
            if let Some(first) = rest.next() {
                *text = first.to_lowercase().chain(rest).collect();
            }
        }
        Phrasing { pieces }
    }

    /// Appends the sentence with its slots filled.
    pub fn fill<'a>(&self, out: &mut String, slot: impl Fn(usize) -> &'a str) {
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Slot(number) => out.push_str(slot(*number)),
                Piece::Agree { slot: number, one, many } => {
                    out.push_str(if is_one(slot(*number)) { one } else { many });
                }
            }
        }
    }

    /// The sentences that this one may become, in which no word agrees with anything: one for each choice of forms.
    pub fn variants(&self) -> Vec<Phrasing> {
        let mut agreeing: Vec<usize> = Vec::new();
        for piece in &self.pieces {
            if let Piece::Agree { slot, .. } = piece
                && !agreeing.contains(slot)
            {
                agreeing.push(*slot);
            }
        }
        let chosen = |piece: &Piece, choice: usize| match piece {
            Piece::Agree { slot, one, many } => {
                let place = agreeing.iter().position(|other| other == slot).unwrap_or(0);
                Piece::Text(if choice >> place & 1 == 1 { one.clone() } else { many.clone() })
            }
            other => other.clone(),
        };
        let variant =
            |choice| Phrasing { pieces: self.pieces.iter().map(|piece| chosen(piece, choice)).collect() };
        (0..1 << agreeing.len()).map(variant).collect()
    }
}

/// What parts statements.
const PARTING: &str = "; ";

/// Is a text the number one, or a single statement?
fn is_one(text: &str) -> bool {
    let is_said = !text.is_empty() && text.parse::<i64>().is_err();
    text == "1" || is_said && !text.contains(PARTING)
}

/// Puts marks in place of words that agree, `{{ n | plural("litre", "litres") }}`, which Tera leaves as they are.
fn agreeing(text: &str, slots: &[&str]) -> Result<String, String> {
    let remedy = "write `{{ n | plural(\"litre\", \"litres\") }}`, with a slot for a number and both forms";
    let (mut out, mut rest) = (String::new(), text);
    let mut numbers: Vec<usize> = Vec::new();
    while let Some(at) = rest.find("{{") {
        let end = rest[at..].find("}}").map_or(rest.len(), |end| at + end + 2);
        let inner = rest[at..end].trim_start_matches("{{").trim_end_matches("}}");
        out.push_str(&rest[..at]);
        match inner.split_once('|').map(|(slot, filter)| (slot.trim(), filter.trim())) {
            Some((slot, filter)) if filter.starts_with("plural") => {
                let number = slots.iter().position(|known| *known == slot).ok_or_else(|| {
                    format!("`{slot}` is no slot here; {remedy}; the slots here are {}", slots.join(", "))
                })?;
                let forms: Vec<&str> = filter.split('"').collect();
                let [_, one, comma, many, _] = forms[..] else { return Err(remedy.to_owned()) };
                if comma.trim() != "," {
                    return Err(remedy.to_owned());
                }
                out.extend([
                    OPEN.to_string(),
                    number.to_string(),
                    FORM.to_string(),
                    one.into(),
                    FORM.to_string(),
                    many.into(),
                    CLOSE.to_string(),
                ]);
                if !numbers.contains(&number) {
                    numbers.push(number);
                }
            }
            _ => out.push_str(&rest[at..end]),
        }
        rest = &rest[end..];
    }
    if numbers.len() > MOST_AGREEMENTS {
        return Err(format!(
            "words agree with more than {MOST_AGREEMENTS} numbers; make two sentences of it"
        ));
    }
    Ok(out + rest)
}

/// Tera's words, with the place if there is one.
fn fault(file: &str, error: &tera::Error) -> Fault {
    match error.kind() {
        ErrorKind::SyntaxError(report) | ErrorKind::RenderingError(report) => {
            let span = report.span();
            let place = format!("{file}:{}:{}", span.start_line, span.start_col + 1);
            Fault { place, cause: report.message().trim().to_owned(), remedy: "correct the template".into() }
        }
        _ => Fault::new(file, 0, first_line(error), "correct the template"),
    }
}

fn first_line(error: &tera::Error) -> String {
    use std::error::Error;
    if let ErrorKind::SyntaxError(report) | ErrorKind::RenderingError(report) = error.kind() {
        return report.message().trim().trim_end_matches('.').to_owned();
    }
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = error.to_string();
        cause = error.source();
    }
    let lines: BTreeSet<&str> =
        text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with("-->")).collect();
    lines
        .iter()
        .next_back()
        .map_or_else(|| text.clone(), |_| text.split('\n').next().unwrap_or("").trim().to_owned())
}

/// A paragraph that depends on the world: a whole Tera template.
#[derive(Clone, Debug)]
pub struct Paragraph {
    tera: Tera,
}

impl Paragraph {
    /// Compiles the template.
    ///
    /// # Errors
    /// Tera's words, with line and column.
    pub fn compile(name: &str, text: &str) -> Result<Paragraph, Fault> {
        let mut tera = Tera::default();
        tera.autoescape_on(Vec::<&str>::new());
        tera.add_raw_template(name, text).map_err(|error| fault(name, &error))?;
        Ok(Paragraph { tera })
    }

    /// Renders the template; runs of white space become one space.
    ///
    /// # Errors
    /// Tera's words, with line and column.
    pub fn render<const N: usize>(&self, data: [(&'static str, TemplateValue); N]) -> Result<String, Fault> {
        let name = self.tera.get_template_names().next().unwrap_or_default().to_owned();
        let mut context = Context::new();
        data.into_iter().for_each(|(key, value)| context.insert_value(key, value.0));
        let text = self.tera.render(&name, &context).map_err(|error| fault(&name, &error))?;
        Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

/// What the template of a paragraph may read. Copies are cheap.
#[derive(Clone, Debug)]
pub struct TemplateValue(Value);

impl TemplateValue {
    /// A text.
    pub fn text(text: &str) -> TemplateValue {
        TemplateValue(Value::normal_string(text))
    }

    /// A number.
    pub fn number(number: usize) -> TemplateValue {
        TemplateValue(number.into())
    }

    /// A list.
    pub fn list(values: impl IntoIterator<Item = TemplateValue>) -> TemplateValue {
        TemplateValue(values.into_iter().map(|value| value.0).collect::<Vec<Value>>().into())
    }

    /// Values by the names of fields.
    pub fn fields<const N: usize>(fields: [(&'static str, TemplateValue); N]) -> TemplateValue {
        let fields = fields.into_iter().map(|(name, value)| (name, value.0));
        TemplateValue(fields.collect::<HashMap<&'static str, Value>>().into())
    }

    /// Values by other names.
    pub fn named(values: impl IntoIterator<Item = (String, TemplateValue)>) -> TemplateValue {
        let values = values.into_iter().map(|(name, value)| (name, value.0));
        TemplateValue(values.collect::<HashMap<String, Value>>().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fills_slots_in_any_order() {
        let phrasing = Phrasing::compile("{{ b }} is under {{ a }}.", &["a", "b"]).unwrap();
        let mut out = String::new();
        phrasing.clause().fill(&mut out, |n| ["x", "y"][n]);
        assert_eq!(out, "y is under x");
        assert_eq!(phrasing.slots().collect::<Vec<_>>(), [1, 0]);
    }

    #[test]
    fn words_agree_with_numbers() {
        let text = "Jug {{ jug }} holds {{ n }} {{ n | plural(\"litre\", \"litres\") }}.";
        let phrasing = Phrasing::compile(text, &["jug", "n"]).unwrap();
        let told = |number: &'static str| {
            let mut out = String::new();
            phrasing.fill(&mut out, |slot| ["A", number][slot]);
            out
        };
        assert_eq!((told("1"), told("3")), ("Jug A holds 1 litre.".into(), "Jug A holds 3 litres.".into()));
        let text = "Can {{ goal | plural(\"this\", \"all of this\") }} be so: {{ goal }}?";
        let of_goal = Phrasing::compile(text, &["goal"]).unwrap();
        let told_goal = |goal: &'static str| {
            let mut out = String::new();
            of_goal.fill(&mut out, |_| goal);
            out
        };
        assert_eq!(told_goal("a is b"), "Can this be so: a is b?");
        assert_eq!(told_goal("a is b; c is d"), "Can all of this be so: a is b; c is d?");
        assert_eq!(phrasing.slots().collect::<Vec<_>>(), [0, 1]);
        let variants: Vec<String> = phrasing
            .variants()
            .iter()
            .map(|variant| {
                let mut out = String::new();
                variant.fill(&mut out, |slot| ["A", "1"][slot]);
                out
            })
            .collect();
        assert_eq!(variants, ["Jug A holds 1 litres.", "Jug A holds 1 litre."]);
        for text in ["{{ n | plural }}", "{{ n | plural(\"a\") }}", "{{ m | plural(\"a\", \"b\") }}"] {
            assert!(Phrasing::compile(text, &["n"]).unwrap_err().contains("plural(\"litre\""), "{text}");
        }
    }

    #[test]
    fn faults_are_told() {
        for (text, word) in
            [("{{ c }}", "`a`"), ("{{ a | upper }", ""), ("{% if a %}x{% endif %}", "two phrasings")]
        {
            let error = Phrasing::compile(text, &["a"]).unwrap_err();
            assert!(error.contains(word), "{text}: {error}");
        }
    }
}
