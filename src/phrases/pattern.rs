//! The head of a phrase book entry to a pattern, which tells the terms that the entry is about.

use racgen_logic::term::Term;

use crate::phrases::phrasing::Phrasing;

/// One place of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternPlace {
    /// A slot and the type of what fills it; `number` for numbers.
    Slot {
        /// What templates call it.
        name: String,
        /// A type of the package, `number`, `action` or `fluent`.
        kind: String,
    },
    /// A constant, no slot.
    Constant(String),
}

/// A form of atoms, actions or questions: `at(robot, location)`, or a bare type, for the objects themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The functor; for a bare type, the type.
    pub functor: String,
    /// Its places.
    pub places: Vec<PatternPlace>,
    /// Does the pattern stand for the objects of the type `functor`?
    pub bare: bool,
}

impl Pattern {
    /// Reads `on(upper: block, lower: block)`.
    ///
    /// # Errors
    /// In words: what is no pattern.
    pub(crate) fn parse(text: &str, constants: &[&str], types: &[&str]) -> Result<Pattern, String> {
        let text = text.trim();
        let (functor, rest) = match text.split_once('(') {
            Some((functor, rest)) => (
                functor,
                rest.strip_suffix(')').ok_or_else(|| format!("`{text}` lacks its closing parenthesis"))?,
            ),
            None => (text, ""),
        };
        let is_name = |s: &str| {
            s.starts_with(|c: char| c.is_ascii_lowercase())
                && s.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        if !is_name(functor) {
            return Err(format!("`{functor}` is no predicate name"));
        }
        let mut places = Vec::new();
        for place in rest.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            let (name, kind) = match place.split_once(':') {
                Some((name, kind)) => (name.trim(), kind.trim()),
                None => (place, place),
            };
            if name == kind && constants.contains(&name) {
                places.push(PatternPlace::Constant(name.to_owned()));
                continue;
            }
            if !is_name(name) || !is_name(kind) {
                return Err(format!("`{place}` is no slot; write `type` or `name: type`"));
            }
            if !types.contains(&kind) && kind != "number" && kind != "action" && kind != "fluent" {
                let known = types.join(", ");
                return Err(match name == kind {
                    true => format!(
                        "`{name}` is neither a type nor a constant of this package; a slot of another name says its type, \
                         `{name}: TYPE`, one of {known}, number, action and fluent"
                    ),
                    false => format!(
                        "`{kind}` is neither a type nor a constant of this package; its types are {known}"
                    ),
                });
            }
            if Phrasing::compile(&format!("{{{{ {name} }}}}"), &[name]).is_err() {
                return Err(format!(
                    "no slot can be called `{name}`, which is a word of the template language; call it something else, as in \
                     `the_{name}: {kind}`"
                ));
            }
            if places.iter().any(|p| matches!(p, PatternPlace::Slot { name: other, .. } if other == name)) {
                return Err(format!(
                    "two slots are called `{name}`; name them, as in `upper: {kind}, lower: {kind}`"
                ));
            }
            places.push(PatternPlace::Slot { name: name.to_owned(), kind: kind.to_owned() });
        }
        let bare = places.is_empty() && types.contains(&functor);
        if bare {
            places.push(PatternPlace::Slot { name: functor.to_owned(), kind: functor.to_owned() });
        }
        Ok(Pattern { functor: functor.to_owned(), places, bare })
    }

    /// The names of the slots, in order of their places.
    pub fn slots(&self) -> Vec<&str> {
        self.places
            .iter()
            .filter_map(|p| if let PatternPlace::Slot { name, .. } = p { Some(name.as_str()) } else { None })
            .collect()
    }

    /// Does the term have this form? `kind_of` tells the type of an object.
    pub fn matches(&self, term: &Term, kind_of: &impl Fn(&str) -> Option<usize>, kinds: &[&str]) -> bool {
        let fits = |place: &PatternPlace, term: &Term| match place {
            PatternPlace::Constant(name) => term.is(name, 0),
            PatternPlace::Slot { kind, .. } => match term {
                Term::Number(_) => kind == "number",
                Term::Function(name, args) if args.is_empty() => {
                    kind_of(name).is_some_and(|k| kinds[k] == kind) || (name.as_ref() == kind)
                }
                Term::Function(..) => kind == "action" || kind == "fluent",
            },
        };
        if self.bare {
            return fits(&self.places[0], term);
        }
        term.is(&self.functor, self.places.len())
            && self.places.iter().zip(term.args()).all(|(place, arg)| fits(place, arg))
    }

    /// The arguments of a matching term that fill the slots.
    pub fn fillers<'t>(&self, term: &'t Term) -> Vec<&'t Term> {
        if self.bare {
            return vec![term];
        }
        self.fillers_among(term.args())
    }

    /// The arguments that fill the slots, of those of a matching term; of a bare type's, all.
    pub fn fillers_among<'t>(&self, args: &'t [Term]) -> Vec<&'t Term> {
        let filled = self.places.iter().zip(args);
        filled.filter(|(place, _)| matches!(place, PatternPlace::Slot { .. })).map(|(_, arg)| arg).collect()
    }
}
