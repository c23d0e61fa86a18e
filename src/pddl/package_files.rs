//! What was imported to the texts of a package's files: `domain.toml`, `domain.lp`, `world.lp`, `phrases.toml`.

use std::collections::{BTreeMap, BTreeSet};

use racgen_logic::clingo::Source;
use racgen_logic::fault::Faults;

use crate::domain::package::{ObjectType, Package};
use crate::pddl::drafts::{Drafts, value_rules};
use crate::pddl::given::{GivenWorld, SaidForm};
use crate::pddl::goals::wanted_facts;
use crate::pddl::invariants::ImportedInvariant;
use crate::pddl::syntax::{PddlDomain, PddlProblem};
use crate::pddl::vocabulary::{ImportedKind, PackageWords, words};
use crate::pddl::walker::WORLD;
use crate::pddl::world::ImportedWorld;
use crate::phrases::book::PhraseBook;

/// Predicates with their numbers of arguments.
type Signatures = BTreeSet<(String, usize)>;

fn signatures<'w>(worlds: impl Iterator<Item = &'w ImportedWorld>) -> Signatures {
    let terms = worlds.flat_map(|world| &world.statics);
    terms.map(|term| (term.functor().to_owned(), term.args().len())).collect()
}

/// All static relations that the domain has.
fn all_statics(vocabulary: &PackageWords) -> Signatures {
    let domain = vocabulary.domain;
    let predicates = domain.predicates.iter().map(|p| (&p.name, p.places.len()));
    let functions = domain.functions.iter().map(|f| (&f.name, f.places.len() + 1));
    predicates
        .chain(functions)
        .filter(|(name, _)| vocabulary.is_static(name) && !domain.type_predicates.contains(*name))
        .map(|(name, arity)| (vocabulary.relation(name).to_owned(), arity))
        .collect()
}

/// The rules, and which static relations no world has a fact of.
fn with_defined(rules: &str, all: &Signatures, met: &Signatures) -> String {
    let missing = all.difference(met).map(|(name, arity)| format!("#defined {name}/{arity}.\n"));
    let missing: String = missing.collect();
    match missing.is_empty() {
        true => rules.to_owned(),
        false => format!("{rules}\n% Nothing is so in any of the worlds.\n{missing}"),
    }
}

/// A package without worlds and words, to find out what is so in given worlds.
pub(crate) fn bare_package(
    name: &str,
    vocabulary: &PackageWords,
    worlds: &[ImportedWorld],
    rules: &str,
) -> Result<Package, Faults> {
    let met = signatures(worlds.iter());
    let domain = with_defined(rules, &all_statics(vocabulary), &met);
    let types = vocabulary.kinds.iter().map(|kind| ObjectType {
        name: kind.name.clone(),
        id: kind.id.clone(),
        count: kind.count.clone(),
        names: Vec::new(),
    });
    Ok(Package {
        name: name.to_owned(),
        origin: name.to_owned(),
        title: name.to_owned(),
        summary: String::new(),
        source: String::new(),
        mechanisms: Vec::new(),
        levels: BTreeMap::new(),
        types: types.collect(),
        statics: met.into_iter().collect(),
        constants: BTreeMap::new(),
        head: Source::new("domain.toml", ""),
        domain: Source::new("domain.lp", domain),
        has_outcomes: false,
        world: Source::new("world.lp", ""),
        questions: Source::new("questions.lp", ""),
        view: None,
        automatic: Source::new("questions that follow", ""),
        book: PhraseBook::default(),
        common: PhraseBook::default(),
        rules: None,
    })
}

/// That each number is one, as constraints on the situation at time 0.
pub(crate) fn number_constraints(vocabulary: &PackageWords) -> String {
    let mut text = String::new();
    for function in vocabulary.domain.functions.iter().filter(|f| !vocabulary.is_static(&f.name)) {
        let name = vocabulary.relation(&function.name);
        let arguments: String = (0..function.places.len()).map(|place| format!("X{place},")).collect();
        text += &format!(
            ":- fluent({name}({arguments}_)), #count {{ V : holds({name}({arguments}V),0) }} != 1.\n"
        );
    }
    text
}

/// Everything that the files say.
pub(crate) struct PackageText<'t, 'd> {
    pub(crate) vocabulary: &'t PackageWords<'d>,
    pub(crate) worlds: &'t [(i32, GivenWorld)],
    pub(crate) rules: &'t str,
    pub(crate) invariants: &'t [ImportedInvariant],
    pub(crate) domain: &'d PddlDomain,
    pub(crate) problems: &'d [PddlProblem],
}

impl PackageText<'_, '_> {
    /// The files, by name.
    pub(crate) fn files(&self) -> Vec<(&'static str, String)> {
        let met = signatures(self.worlds.iter().map(|(_, given)| &given.world));
        let forms: BTreeSet<SaidForm> =
            self.worlds.iter().flat_map(|(_, given)| given.patterns.iter().cloned()).collect();
        let drafts = Drafts::new(self.vocabulary, &forms, self.invariants);
        let mut files = vec![
            ("domain.toml", self.head(&met)),
            ("domain.lp", with_defined(self.rules, &all_statics(self.vocabulary), &met)),
            ("world.lp", self.world()),
            ("phrases.toml", drafts.text()),
        ];
        let questions = value_rules(self.vocabulary);
        if !questions.is_empty() {
            files.push(("questions.lp", questions));
        }
        files
    }

    fn head(&self, statics: &Signatures) -> String {
        let problems = self.problems.iter().map(|p| p.name.as_str()).collect::<Vec<_>>().join(", ");
        let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
        let title = words(&self.domain.name).join(" ");
        let mut text = format!(
            "title = {}\nsummary = {}\nsource = {}\n",
            quoted(&title),
            quoted(&format!("The planning domain {title}, imported from PDDL.")),
            quoted(&format!("PDDL: the domain {}, with the problems {problems}", self.domain.name)),
        );
        if !statics.is_empty() {
            let all: Vec<String> =
                statics.iter().map(|(name, arity)| format!("\"{name}/{arity}\"")).collect();
            text += &format!("statics = [{}]\n", all.join(", "));
        }
        text +=
            "\n# Each level has worlds of one size, which stand in world.lp by their numbers.\n[levels]\n";
        let mut number = 1;
        let levels: BTreeSet<i32> = self.worlds.iter().map(|(level, _)| *level).collect();
        for level in levels {
            let of_level: Vec<&GivenWorld> =
                self.worlds.iter().filter(|(own, _)| *own == level).map(|(_, given)| given).collect();
            let last = number + of_level.len() - 1;
            let counts = of_level[0].world.counts(self.vocabulary.kinds.len());
            let counts: String = self
                .vocabulary
                .kinds
                .iter()
                .zip(counts)
                .map(|(kind, n)| format!(", {} = {n}", kind.count))
                .collect();
            text += &format!("N{level} = {{ {WORLD} = [{number}, {last}]{counts} }}\n");
            number = last + 1;
        }
        let pools = self.pools();
        for (kind, names) in self.vocabulary.kinds.iter().zip(pools) {
            text += &format!(
                "\n[types.{}]\nid = \"{}\"\ncount = \"{}\"\nnames = {names}\n",
                kind.name, kind.id, kind.count
            );
        }
        text
    }

    /// The names of each kind: of constants their own, of others letters and numbers, as "T17", of which none is a part of
    /// another.
    fn pools(&self) -> Vec<String> {
        let kinds = &self.vocabulary.kinds;
        let most =
            self.worlds.iter().flat_map(|(_, given)| given.world.counts(kinds.len())).max().unwrap_or(0);
        let (from, to) = if most > 40 { (101, 999) } else { (11, 99) };
        let mut prefixes: Vec<String> = Vec::new();
        for kind in kinds {
            let letters: String =
                kind.name.chars().filter(char::is_ascii_alphabetic).collect::<String>().to_uppercase();
            let clashes = |prefix: &str| {
                prefixes.iter().any(|known| known.ends_with(prefix) || prefix.ends_with(known.as_str()))
            };
            let mut all = (1..=letters.len()).map(|length| letters[..length].to_owned());
            let mut prefix = all.find(|prefix| !clashes(prefix)).unwrap_or_else(|| letters.clone() + "Q");
            while clashes(&prefix) {
                prefix.push('Q');
            }
            prefixes.push(prefix);
        }
        let taken: Vec<String> = prefixes.iter().map(|prefix| prefix.to_lowercase()).collect();
        let constants: Vec<Option<String>> = kinds.iter().map(|kind| kind.constant.clone()).collect();
        let of = |(place, kind): (usize, &ImportedKind)| {
            let own = kind.constant.as_ref().map(|name| name.replace(['_', '.', '@', '#', '+'], "-"));
            let fits = |name: &&String| {
                let digits = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
                let others = constants.iter().enumerate().filter(|(other, _)| *other != place);
                let part = others.flat_map(|(_, other)| other).any(|other| {
                    let other = other.to_lowercase();
                    other.contains(name.as_str()) || name.contains(&other)
                });
                // A name like "T17" must not stand in it, nor it in one.
                let numbered = taken.iter().any(|prefix| {
                    name.match_indices(prefix.as_str()).any(|(at, _)| digits(&name[at + prefix.len()..]))
                });
                name.len() > 2
                    && name.is_ascii()
                    && !part
                    && !numbered
                    && name.starts_with(|c: char| c.is_ascii_alphabetic())
            };
            match own.filter(|name| fits(&name)) {
                Some(name) => format!("[\"{name}\"]"),
                None => format!("{{ prefix = \"{}\", from = {from}, to = {to} }}", prefixes[place]),
            }
        };
        kinds.iter().enumerate().map(of).collect()
    }

    /// What the problems want in their worlds.
    fn goals(&self) -> String {
        let mut rules = String::new();
        for (number, (_, given)) in self.worlds.iter().enumerate() {
            let problem = &self.problems[given.world.problem];
            let wanted = wanted_facts(problem, &given.world, self.vocabulary).unwrap_or_default();
            for (fluent, truth) in wanted {
                let fact = if truth { fluent.to_string() } else { format!("neg({fluent})") };
                rules += &format!("goal({fact},{0}) :- {WORLD} = {0}.\n", number + 1);
            }
        }
        match rules.is_empty() {
            true => rules,
            false => format!(
                "\n% What the problem of each world wants: goal(F,G) says that F is to be so in the goal G.\n#program goal.\n\n{rules}"
            ),
        }
    }

    fn world(&self) -> String {
        let mut text = format!(
            "% The worlds of the problems of `{}`, each by its number, which `{WORLD}` is. Those with fewer objects than the\n\
             % problem that they come from have what is left of it without the others; those with more have some of its objects\n\
             % twice.\n",
            self.domain.name
        );
        for (number, (level, given)) in self.worlds.iter().enumerate() {
            let ids = given.world.ids(&self.vocabulary.kinds);
            let ids: Vec<String> =
                given.world.objects.iter().map(|(name, _)| format!("{} {name}", ids[name])).collect();
            let like: Vec<String> =
                given.world.twins.iter().map(|(name, like)| format!("{name} like {like}")).collect();
            let (part, more) = match (given.world.whole, like.is_empty()) {
                (true, _) => ("", String::new()),
                (false, true) => ("a part of ", String::new()),
                (false, false) => ("", format!(" and {}", like.join(", "))),
            };
            text += &format!(
                "%\n% World {}, of level N{level}: {part}the problem {}{more}.\n% {}\n",
                number + 1,
                self.problems[given.world.problem].name,
                ids.join(", ")
            );
        }
        if self.worlds.iter().any(|(_, given)| !given.world.statics.is_empty()) {
            text += "\n#program layout.\n\n";
        }
        for (number, (_, given)) in self.worlds.iter().enumerate() {
            for fact in &given.world.statics {
                text += &format!("{fact} :- {WORLD} = {}.\n", number + 1);
            }
        }
        text += "\n#program situation.\n\n% The initial situations of each world: what is true in them.\n";
        let mut place = 0;
        for (number, (_, given)) in self.worlds.iter().enumerate() {
            for situation in &given.situations {
                place += 1;
                let fluents: Vec<String> = situation.iter().map(ToString::to_string).collect();
                text += &format!("begins({},{place}).\n", number + 1);
                if !fluents.is_empty() {
                    text += &format!("true_in({place},({})).\n", fluents.join(";"));
                }
            }
        }
        text += &format!(
            "\ndiffers(S) :- begins({WORLD},S), true_in(S,F), not holds(F,0).\n\
             differs(S) :- begins({WORLD},S), holds(F,0), inertial(F), not true_in(S,F).\n\
             given :- begins({WORLD},S), not differs(S).\n:- not given.\n"
        );
        text += &self.goals();
        let mut invariants = number_constraints(self.vocabulary);
        for invariant in self.invariants {
            invariants += &format!(":- {}.\n", invariant.broken(self.vocabulary, "0"));
        }
        if !invariants.is_empty() {
            text += &format!(
                "\n% What was proved to hold in every situation that actions lead to.\n#program invariant.\n\n{invariants}"
            );
        }
        text
    }
}
