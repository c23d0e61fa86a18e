//! A text to the stretches that fill the slots of a phrasing, where whole clauses fill them.

use rustc_hash::FxHashMap as HashMap;

use crate::language::words::text::capital;
use crate::phrases::phrasing::Phrasing;

/// While a phrasing is taken apart: its first slot.
const SLOT: u32 = 0xe200;

/// A part of a phrasing that other sentences stand in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PatternPart {
    Text(String),
    Slot(usize),
}

/// A phrasing with a private character in each slot.
pub(crate) fn raw(phrasing: &Phrasing) -> String {
    let marks: Vec<String> = (0..256).filter_map(|n| char::from_u32(SLOT + n)).map(String::from).collect();
    let mut text = String::new();
    phrasing.fill(&mut text, |slot| marks.get(slot).map_or("", String::as_str));
    text
}

/// The slot that a character of [`raw`] stands for.
pub(crate) fn slot_of(c: char) -> Option<usize> {
    (c as u32).checked_sub(SLOT).filter(|n| *n < 256).map(|n| n as usize)
}

/// A phrasing as the parts to cut a text by.
pub(crate) fn parts(phrasing: &Phrasing) -> Vec<PatternPart> {
    let mut parts = Vec::new();
    for c in raw(phrasing).chars() {
        match slot_of(c) {
            Some(slot) => parts.push(PatternPart::Slot(slot)),
            None => match parts.last_mut() {
                Some(PatternPart::Text(text)) => text.push(c),
                _ => parts.push(PatternPart::Text(c.into())),
            },
        }
    }
    parts
}

/// All ways to cut a stretch of text as the parts say: by slot, the stretches.
pub(crate) fn cuts(
    parts: &[PatternPart],
    text: &str,
    start: usize,
    end: usize,
    slots: usize,
) -> Vec<Vec<(usize, usize)>> {
    fn go(
        parts: &[PatternPart],
        text: &str,
        (at, end): (usize, usize),
        first: bool,
        cut: &mut Vec<(usize, usize)>,
        out: &mut Vec<Vec<(usize, usize)>>,
    ) {
        match parts {
            [] => {
                if at == end {
                    out.push(cut.clone());
                }
            }
            [PatternPart::Text(wanted), rest @ ..] => {
                let here = &text[at..end];
                let capitals = capital(wanted);
                if here.starts_with(wanted) || (first && here.starts_with(&capitals)) {
                    go(rest, text, (at + wanted.len(), end), false, cut, out);
                }
            }
            [PatternPart::Slot(slot)] => {
                if at < end {
                    let before = std::mem::replace(&mut cut[*slot], (at, end));
                    out.push(cut.clone());
                    cut[*slot] = before;
                }
            }
            [PatternPart::Slot(slot), rest @ ..] => {
                let Some(PatternPart::Text(wanted)) = rest.first() else { return };
                let mut from = at + text[at..end].chars().next().map_or(0, char::len_utf8);
                while let Some(found) = text.get(from..end).and_then(|here| here.find(wanted.as_str())) {
                    let before = std::mem::replace(&mut cut[*slot], (at, from + found));
                    go(rest, text, (from + found, end), false, cut, out);
                    cut[*slot] = before;
                    from += found + wanted.len();
                }
            }
        }
    }
    let mut out = Vec::new();
    go(parts, text, (start, end), true, &mut vec![(0, 0); slots], &mut out);
    out
}

/// All ways to read a text as a sequence of parts: none, one, or two where there are more than one. `starts` and `ends`
/// are where a part may begin and end, ascending; `gap` is the length of what stands between two parts, `longest` the
/// most that a part may have.
pub(crate) fn sequences<S: Clone>(
    starts: &[usize],
    ends: &[usize],
    length: usize,
    gap: usize,
    longest: usize,
    look_up: impl Fn(usize, usize) -> Vec<S>,
) -> Vec<Vec<S>> {
    // From the end: what may begin at each place.
    let mut ways: HashMap<usize, Vec<(usize, S)>> = HashMap::default();
    for start in starts.iter().rev().copied() {
        let from = ends.partition_point(|end| *end <= start);
        for end in ends[from..].iter().take_while(|end| **end - start <= longest) {
            if *end == length || ways.contains_key(&(end + gap)) {
                for part in look_up(start, *end) {
                    ways.entry(start).or_default().push((*end, part));
                }
            }
        }
    }
    // Each place on the way with the number of its parts that were tried.
    let mut way: Vec<(usize, usize)> = vec![(0, 0)];
    let mut found: Vec<Vec<S>> = Vec::new();
    while let Some((at, tried)) = way.last_mut().filter(|_| found.len() < 2) {
        let next = ways.get(at).and_then(|parts| parts.get(*tried));
        *tried += 1;
        match next {
            Some((end, _)) if *end == length => {
                found.push(way.iter().map(|(at, tried)| ways[at][tried - 1].1.clone()).collect());
            }
            Some((end, _)) => way.push((end + gap, 0)),
            None => _ = way.pop(),
        }
    }
    found
}
