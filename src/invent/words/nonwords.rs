//! Random numbers to words that can be spoken and that English does not have.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

const ONSETS: [&str; 26] = [
    "bl", "br", "dr", "fl", "fr", "gl", "gr", "kr", "pl", "pr", "skr", "sn", "spl", "thr", "tr", "tw", "v",
    "z", "j", "m", "n", "d", "k", "g", "sm", "y",
];
const VOWELS: [&str; 6] = ["a", "e", "i", "o", "u", "oo"];
const SHORT_VOWELS: [&str; 5] = ["a", "e", "i", "o", "u"];
/// What a noun of one syllable ends in.
const NOUN_ENDS: [&str; 12] = ["b", "g", "lk", "mp", "nd", "rf", "rn", "sk", "v", "zz", "rb", "lm"];
/// What a verb of one syllable ends in: none doubles before an ending but by rule.
const VERB_ENDS: [&str; 12] = ["rb", "mp", "nk", "lt", "rf", "sk", "ft", "rn", "b", "g", "lsh", "zz"];
const MIDDLES: [&str; 12] = ["b", "bbl", "d", "l", "mb", "nd", "rv", "st", "v", "z", "rg", "lm"];
const NOUN_TAILS: [&str; 8] = ["el", "in", "op", "ish", "ar", "uk", "ot", "im"];
const ADJECTIVE_TAILS: [&str; 6] = ["ish", "ent", "y", "ic", "ous", "al"];

/// Words of English, and names of people, that the syllables would make; no word may be one of them, or begin with one
/// of the longer ones.
const ENGLISH: &str = include_str!("english.txt");

/// Draws words that were not drawn before.
pub struct Nonwords<'r> {
    rng: &'r mut ChaCha8Rng,
    taken: Vec<String>,
}

impl<'r> Nonwords<'r> {
    /// Begins with no word.
    pub fn new(rng: &'r mut ChaCha8Rng) -> Nonwords<'r> {
        Nonwords { rng, taken: Vec::new() }
    }

    fn of(&mut self, parts: &'static [&'static str]) -> &'static str {
        parts[self.rng.random_range(0..parts.len())]
    }

    /// The first word of a maker that is new, no English, no part of another or the other way round, and not a letter apart
    /// from another.
    fn new_word(&mut self, make: impl Fn(&mut Self) -> String) -> String {
        loop {
            let word = make(self);
            let lower = word.to_lowercase();
            let touches = |known: &String| {
                known.contains(&lower) || lower.contains(known.as_str()) || is_a_letter_apart(known, &lower)
            };
            if !is_english(&lower) && !self.taken.iter().any(touches) {
                self.taken.push(lower);
                return word;
            }
        }
    }

    /// A noun: `zib`, `dravel`.
    pub fn noun(&mut self) -> String {
        self.new_word(|own| {
            let (onset, vowel) = (own.of(&ONSETS), own.of(&VOWELS));
            match own.rng.random_range(0..2) {
                0 => format!("{onset}{vowel}{}", own.of(&NOUN_ENDS)),
                _ => format!("{onset}{vowel}{}{}", own.of(&MIDDLES), own.of(&NOUN_TAILS)),
            }
        })
    }

    /// A verb: `flurb`, `snamble`.
    pub fn verb(&mut self) -> String {
        self.new_word(|own| {
            let (onset, vowel) = (own.of(&ONSETS), own.of(&VOWELS));
            match own.rng.random_range(0..3) {
                0 | 1 => format!("{onset}{vowel}{}", own.of(&VERB_ENDS)),
                _ => format!("{onset}{}mble", own.of(&SHORT_VOWELS)),
            }
        })
    }

    /// An adjective: `glindish`, `sprovent`.
    pub fn adjective(&mut self) -> String {
        self.new_word(|own| {
            let (onset, vowel, middle) = (own.of(&ONSETS), own.of(&SHORT_VOWELS), own.of(&MIDDLES));
            format!("{onset}{vowel}{middle}{}", own.of(&ADJECTIVE_TAILS))
        })
    }

    /// A name: `Vadun`, `Tolmi`.
    pub fn name(&mut self) -> String {
        self.new_word(|own| {
            let letters =
                [own.of(&NAME_STARTS), own.of(&SHORT_VOWELS), own.of(&NAME_STARTS), own.of(&SHORT_VOWELS)];
            let name = letters.concat() + own.of(&NAME_ENDS);
            name[..1].to_uppercase() + &name[1..]
        })
    }
}

/// Single letters, so that all names are of one length and none is a part of another.
const NAME_STARTS: [&str; 10] = ["v", "z", "j", "m", "n", "d", "k", "g", "y", "v"];
const NAME_ENDS: [&str; 8] = ["n", "k", "d", "m", "b", "g", "z", "v"];

/// Would a reader take the word for one of English?
fn is_english(word: &str) -> bool {
    ENGLISH.lines().any(|known| known == word)
}

/// Does one letter that is changed, left out or put in make one word the other? Equal words are not apart.
fn is_a_letter_apart(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let (short, long) = (short.as_bytes(), long.as_bytes());
    let same = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    match long.len() - short.len() {
        0 => same < short.len() && short[same + 1..] == long[same + 1..],
        1 => short[same..] == long[same + 1..],
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use racgen_logic::seed::stream;

    use super::*;

    #[test]
    fn words_that_are_a_letter_apart_are_known() {
        for (one, other) in [("zib", "zab"), ("zib", "zibs"), ("zib", "izib"), ("snamble", "snomble")] {
            assert!(is_a_letter_apart(one, other) && is_a_letter_apart(other, one), "{one} {other}");
        }
        for (one, other) in [("zib", "zib"), ("zib", "zobs"), ("zib", "bzi"), ("zib", "zibin")] {
            assert!(!is_a_letter_apart(one, other) && !is_a_letter_apart(other, one), "{one} {other}");
        }
    }

    #[test]
    fn words_of_a_domain_are_no_english_and_two_letters_apart() {
        assert!(["jink", "grump", "glomp"].iter().all(|word| is_english(word)));
        for number in 0..20 {
            let mut rng = stream(3, &["nonwords", &number.to_string()]);
            let mut words = Nonwords::new(&mut rng);
            let mut all: Vec<String> = (0..12).map(|_| words.noun()).collect();
            all.extend((0..8).map(|_| words.verb()));
            all.extend((0..6).map(|_| words.adjective()));
            all.extend((0..100).map(|_| words.name().to_lowercase()));
            for (place, word) in all.iter().enumerate() {
                assert!(!is_english(word), "{word}");
                let close =
                    all[..place].iter().find(|known| *known == word || is_a_letter_apart(known, word));
                assert_eq!(close, None, "{word}");
            }
        }
    }
}
