//! The domains, templates and logic programs that are part of the binary, by name.

use include_dir::{Dir, include_dir};
use racgen_logic::clingo::Source;
use racgen_logic::fault::Faults;

use crate::phrases::book::PhraseBook;
use crate::phrases::reader::read_book;

pub(crate) static DOMAINS: Dir = include_dir!("$CARGO_MANIFEST_DIR/domains");
pub(crate) static TEMPLATES: Dir = include_dir!("$CARGO_MANIFEST_DIR/templates");
static ASP: Dir = include_dir!("$CARGO_MANIFEST_DIR/asp");

/// One of the shared logic programs in `asp/`.
pub fn axioms(name: &str) -> Source {
    let text = ASP.get_file(name).and_then(|f| f.contents_utf8()).unwrap_or_default();
    Source::new(format!("asp/{name}"), text)
}

/// The phrase book that all domains share.
///
/// # Errors
/// The book's faults.
pub(crate) fn common_book() -> Result<PhraseBook, Faults> {
    template_book("common.toml", &[])
}

/// A phrase book about fluents and actions as such: `generic.toml`, `as_generic.toml`.
///
/// # Errors
/// The book's faults.
pub fn abstract_book(name: &str) -> Result<PhraseBook, Faults> {
    template_book(name, &["fluent", "action"])
}

fn template_book(name: &str, types: &[&str]) -> Result<PhraseBook, Faults> {
    let text = TEMPLATES.get_file(name).and_then(|f| f.contents_utf8()).unwrap_or_default();
    read_book(&format!("templates/{name}"), text, &[], types)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phrases::book::{FrameForm, OF_PERSONS, Phrasings};
    use crate::phrases::phrasing::Phrasing;

    #[test]
    fn the_sentences_about_persons_are_those_that_others_take_the_place_of() {
        let common = common_book().unwrap();
        let texts = |phrasings: &Phrasings| -> Vec<String> {
            let text = |phrasing: &Phrasing| {
                let mut text = String::new();
                phrasing.fill(&mut text, |_| "");
                text
            };
            phrasings.list.iter().map(text).collect()
        };
        let speak = |text: &String| text.contains("person") || text.contains("anyone");
        for (place, phrasings) in common.framed(FrameForm { acted: true, ..FrameForm::default() }).enumerate()
        {
            assert_eq!(texts(phrasings).iter().all(speak), place == OF_PERSONS, "{:?}", texts(phrasings));
        }
        let unacted = FrameForm::default();
        assert!(!common.framed(unacted).any(|phrasings| texts(phrasings).iter().any(speak)));
        let partly = FrameForm { partly: true, acted: true, open: false };
        assert_eq!(common.framed(unacted).count(), common.framed(partly).count());
        let open = FrameForm { open: true, ..unacted };
        assert_eq!(common.framed(open).count(), common.framed(unacted).count() + 1);
    }
}
