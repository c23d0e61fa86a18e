//! A word to its forms, by the rules of English spelling.

/// `a` before `zib`, `an` before `orb`.
pub fn article(noun: &str) -> &'static str {
    if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

/// Does the word end in a hiss, after which an ending has a vowel of its own?
fn hisses(word: &str) -> bool {
    ["s", "x", "z", "ch", "sh"].iter().any(|ending| word.ends_with(ending))
}

/// Does it end in a y that is spelled i before endings?
fn has_soft_y(word: &str) -> bool {
    let before = word.strip_suffix('y').and_then(|stem| stem.chars().last());
    before.is_some_and(|letter| !"aeiou".contains(letter))
}

/// The plural of a noun, and the third person of a verb: `zibs`, `brishes`, `flories`.
pub fn with_s(word: &str) -> String {
    if has_soft_y(word) {
        return format!("{}ies", &word[..word.len() - 1]);
    }
    let doubled = word.ends_with('z') && !word.ends_with("zz") && is_short(word);
    match (hisses(word), doubled) {
        (true, true) => format!("{word}zes"),
        (true, false) => format!("{word}es"),
        (false, _) => format!("{word}s"),
    }
}

/// Is it a single syllable that ends in one vowel and one consonant, which is doubled before a vowel?
fn is_short(word: &str) -> bool {
    // The u of qu is no vowel.
    let letters: Vec<char> = word.replace("qu", "qw").chars().collect();
    let is_vowel = |letter: &char| "aeiouy".contains(*letter);
    let groups =
        letters.iter().enumerate().filter(|(n, l)| is_vowel(l) && (*n == 0 || !is_vowel(&letters[n - 1])));
    match letters.as_slice() {
        [.., before, vowel, last] => {
            groups.count() == 1
                && !is_vowel(before)
                && is_vowel(vowel)
                && !is_vowel(last)
                && !"wx".contains(*last)
        }
        _ => false,
    }
}

/// The past tense and past participle: `flurbed`, `zibbed`, `sploried`, `gambled`.
pub fn past(verb: &str) -> String {
    if verb.ends_with('e') {
        return format!("{verb}d");
    }
    if has_soft_y(verb) {
        return format!("{}ied", &verb[..verb.len() - 1]);
    }
    match verb.chars().last().filter(|_| is_short(verb)) {
        Some(last) => format!("{verb}{last}ed"),
        None => format!("{verb}ed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_spelled_as_in_english() {
        for (noun, plural) in [
            ("zib", "zibs"),
            ("brish", "brishes"),
            ("flory", "flories"),
            ("tray", "trays"),
            ("box", "boxes"),
            ("quiz", "quizzes"),
        ] {
            assert_eq!(with_s(noun), plural);
        }
        for (verb, past_form) in [
            ("flurb", "flurbed"),
            ("zib", "zibbed"),
            ("splory", "sploried"),
            ("gamble", "gambled"),
            ("play", "played"),
            ("fix", "fixed"),
            ("dravel", "draveled"),
            ("skoot", "skooted"),
        ] {
            assert_eq!(past(verb), past_form);
        }
        assert_eq!([article("zib"), article("orb")], ["a", "an"]);
    }
}
