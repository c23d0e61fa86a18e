//! The wordings of a rules paragraph, and what of a text is none of them.

use std::collections::BTreeMap;

/// Sentences, and how often each stands.
pub(crate) type Sentences = BTreeMap<String, i64>;

/// The wordings among which the template of a rules paragraph chooses, each kind of sentence on its own. The order
/// of the sentences says nothing.
pub(crate) struct Wordings {
    pub(crate) plain: Sentences,
    /// By choice, the sentences in each of its five wordings, all other choices being the first.
    pub(crate) choices: Vec<Vec<Sentences>>,
}

impl Wordings {
    /// A sentence that is too many or too few, whatever the wording.
    pub(crate) fn differ(&self, text: &Sentences) -> Option<String> {
        let mut expected = self.plain.clone();
        for wordings in &self.choices {
            let shared = |w: &&Sentences| -> i64 {
                w.iter().map(|(s, n)| (*n).min(text.get(s).copied().unwrap_or(0))).sum()
            };
            let Some(best) = wordings.iter().max_by_key(shared) else { continue };
            best.iter().for_each(|(s, n)| *expected.entry(s.clone()).or_default() += n);
            self.plain.iter().for_each(|(s, n)| *expected.entry(s.clone()).or_default() -= n);
        }
        expected.retain(|_, n| *n != 0);
        let count = |of: &Sentences, sentence: &String| of.get(sentence).copied().unwrap_or(0);
        let all = expected.keys().chain(text.keys());
        all.into_iter().find(|s| count(&expected, s) != count(text, s)).cloned()
    }
}
