//! Tasks to the files that Popper, Aleph, Metagol and ILASP take, one folder or file for each relation to be learned.
//!
//! All triples of the training split share one background, so each atom has its triple's name for first argument;
//! ILASP takes each triple's background as a context instead. Relations are matched by their whole names. Constants and
//! negation, without which hardly a game can be told, are given to each system in its own way: Popper has relations
//! `KIND_is_C` and `not_p`, Aleph `#` in modes and `not_p`, Metagol `not_p`, ILASP `const` in modes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use racgen_data::write::files::Files;
use racgen_logic::seed::stream;

use crate::games::error::GameError;
use crate::games::gdl::flatten::Flat;
use crate::games::play::types::Types;
use crate::games::tasks::output::{TaskFormat, TaskOutput};
use crate::games::tasks::reference::{Solution, for_prolog, plain, spell};
use crate::games::tasks::triples::{Task, Triple};

/// Triples of the training split that an exported task holds at most.
const MOST_TRIPLES: usize = 1_000;
/// Negatives of a triple and relation, unless the caller says how many.
const MOST_NEGATIVES: usize = 50;

/// Atoms that the negations of a task in Popper's form have at most. They are listed, for Popper looks into a background
/// of facts with clingo, and learns faster for it; beyond, a relation has no negation.
const MOST_NEGATIONS: usize = 100_000;
/// Constants that one mode with `#` may stand for.
const MOST_CONSTANTS: usize = 100;
/// Relations with more arguments have constants in one or all of them only.
const FEW_ARGUMENTS: usize = 3;
/// Variables of a clause in Popper's search: six as it has itself, and three more than the head has.
const VARIABLES: usize = 6;
/// In backgrounds, a triple's name, and a constant with its type; no relation of a game has these names.
const IS_TRIPLE: &str = "racgen_is_triple";
const IS_A: &str = "racgen_is_a";

/// A relation: name and number of arguments.
type RelationKey = (String, usize);

/// What the exports of one task share.
struct Material<'t> {
    task: &'t Task,
    triples: &'t [Triple],
    types: BTreeMap<RelationKey, Vec<String>>,
    constants: BTreeSet<(String, String)>,
    heads: BTreeSet<RelationKey>,
    statics: BTreeSet<RelationKey>,
    dynamics: BTreeSet<RelationKey>,
    negatives: Vec<Vec<usize>>,
}

fn relation(flat: &Flat) -> RelationKey {
    (flat.name.clone(), flat.arguments.len())
}

/// Writes a task in one form, and returns the relations that are left out with the reason: there is nothing to learn
/// where nothing is positive, or nothing negative.
///
/// # Errors
/// Those of the operating system.
pub fn write(
    task: &Task,
    solution: &Solution,
    types: &Types,
    form: TaskFormat,
    output: &TaskOutput,
    seed: u64,
    files: &Files,
) -> Result<Vec<String>, GameError> {
    let triples = &task.splits[0][..task.splits[0].len().min(MOST_TRIPLES)];
    let most = output.forms.max_negatives.unwrap_or(MOST_NEGATIVES);
    let mut rng = stream(seed, &["games", &task.game, task.target.name(), "exported negatives"]);
    let negatives = triples.iter().map(|t| task.negatives(t, Some(most), &mut rng)).collect();
    let relations = |list: &[Flat]| list.iter().map(relation).collect::<BTreeSet<_>>();
    let used: BTreeSet<u32> = triples.iter().flat_map(|t| t.background.iter().copied()).collect();
    let dynamics = used.iter().map(|n| relation(&task.words[*n as usize])).collect();
    let mut material = Material {
        task,
        triples,
        types: BTreeMap::new(),
        constants: BTreeSet::new(),
        heads: relations(&task.atoms),
        statics: relations(&task.statics),
        dynamics,
        negatives,
    };
    material.learn_types(types);
    let name = format!("{}_{}", task.game, task.target.name());
    let mut left_out = Vec::new();
    for head in material.heads.clone() {
        let [positive, negative] = material.examples(&head).map(|list| list.len());
        if positive == 0 || negative == 0 {
            let lacking = if positive == 0 { "positives" } else { "negatives" };
            left_out.push(format!("{}/{} has no {lacking}", head.0, head.1));
            continue;
        }
        let stem = format!("{}_{}", plain(&head.0), head.1);
        let folder = |system: &str| Path::new(system).join(&name);
        match form {
            TaskFormat::Popper => {
                let folder = folder("popper").join(&stem);
                files.text(folder.join("bk.pl"), &material.popper_background())?;
                files.text(folder.join("exs.pl"), &material.popper_examples(&head))?;
                files.text(folder.join("bias.pl"), &material.popper_bias(&head))?;
            }
            TaskFormat::Aleph => {
                let base = folder("aleph");
                files.text(base.join(format!("{stem}.b")), &material.aleph_background(&head))?;
                let [positive, negative] = material.examples(&head);
                let lines = |list: &[String]| list.iter().map(|a| format!("{a}.\n")).collect::<String>();
                files.text(base.join(format!("{stem}.f")), &lines(&positive))?;
                files.text(base.join(format!("{stem}.n")), &lines(&negative))?;
            }
            TaskFormat::Metagol => {
                let path = folder("metagol").join(format!("{stem}.pl"));
                files.text(&path, &material.metagol(&head))?;
            }
            TaskFormat::Ilasp => {
                let path = folder("ilasp").join(format!("{stem}.ilasp"));
                files.text(&path, &material.ilasp(&head))?;
            }
            TaskFormat::Dat | TaskFormat::Parquet | TaskFormat::Jsonl => {}
        }
    }
    let system = match form {
        TaskFormat::Popper => "popper",
        TaskFormat::Aleph => "aleph",
        TaskFormat::Metagol => "metagol",
        _ => "ilasp",
    };
    if left_out.len() == material.heads.len() {
        return Ok(left_out);
    }
    let folder = Path::new(system).join(&name);
    // The reference solution beside the task.
    files.text(folder.join("reference.lp"), &solution.asp())?;
    files.text(folder.join("reference.pl"), &solution.prolog())?;
    Ok(left_out)
}

impl Material<'_> {
    /// Types of all relations; types that are sub- and supertypes become one, for none of the systems knows subtypes.
    fn learn_types(&mut self, types: &Types) {
        let root = |name: &Arc<str>| -> String {
            // All types connected by `:>`; the smallest name stands for them.
            let mut group: BTreeSet<&Arc<str>> = [name].into_iter().collect();
            loop {
                let before = group.len();
                for (a, b) in &types.below {
                    if group.contains(a) || group.contains(b) {
                        group.extend([a, b]);
                    }
                }
                if group.len() == before {
                    return plain(group.first().map_or(name, |n| n));
                }
            }
        };
        let find = |name: &str, arity: usize, predicate: bool| {
            types.declarations.iter().find(|d| {
                d.name.eq_ignore_ascii_case(name)
                    && d.arguments.len() == arity
                    && (&*d.result == "bool") == predicate
            })
        };
        let all: BTreeSet<RelationKey> =
            self.heads.iter().chain(&self.statics).chain(&self.dynamics).cloned().collect();
        for (name, arity) in all {
            let mut found: Option<Vec<String>> = None;
            if let Some(d) = find(&name, arity, true) {
                found = Some(d.arguments.iter().map(root).collect());
            }
            for (prefix, before) in [("true", 0), ("next", 0), ("does", 1), ("legal", 1), ("input", 1)] {
                if let Some(function) = name.strip_prefix(prefix).and_then(|n| n.strip_prefix('_'))
                    && let Some(predicate) = find(prefix, before + 1, true)
                    && let Some(d) = arity.checked_sub(before).and_then(|own| find(function, own, false))
                {
                    let own = predicate.arguments[..before].iter().chain(&d.arguments);
                    found = Some(own.map(root).collect());
                }
            }
            let unknown = || vec!["thing".to_owned(); arity];
            self.types.insert((name, arity), found.unwrap_or_else(unknown));
        }
        let wanted: BTreeSet<&String> = self.types.values().flatten().collect();
        for d in types.declarations.iter().filter(|d| d.arguments.is_empty() && &*d.result != "bool") {
            let kind = root(&d.result);
            if wanted.contains(&kind) {
                self.constants.insert((kind, plain(&d.name)));
            }
        }
    }

    fn id(&self, index: usize) -> String {
        format!("t{index}")
    }

    /// Positive and negative examples of a relation, each with its triple's name.
    fn examples(&self, head: &RelationKey) -> [Vec<String>; 2] {
        let mut all = [Vec::new(), Vec::new()];
        for (index, triple) in self.triples.iter().enumerate() {
            let id = self.id(index);
            let positive = triple.positives.iter().map(|p| &self.task.labels[*p as usize]);
            let negative = self.negatives[index].iter().map(|n| &self.task.atoms[*n]);
            all[0].extend(positive.filter(|a| relation(a) == *head).map(|a| spell(a, Some(&id), true)));
            all[1].extend(negative.filter(|a| relation(a) == *head).map(|a| spell(a, Some(&id), true)));
        }
        all
    }

    /// Background atoms relation by relation, each with its triple's name; statics with `first` for that, if any.
    fn background(&self, first: Option<&str>) -> String {
        let mut lines: BTreeMap<RelationKey, Vec<String>> = BTreeMap::new();
        for atom in self.task.statics.iter() {
            lines.entry(relation(atom)).or_default().push(spell(atom, first, true));
        }
        for (index, triple) in self.triples.iter().enumerate() {
            let id = self.id(index);
            for number in &triple.background {
                let atom = &self.task.words[*number as usize];
                lines.entry(relation(atom)).or_default().push(spell(atom, Some(&id), true));
            }
        }
        let mut text = String::new();
        for line in lines.into_values().flatten() {
            let _ = writeln!(text, "{line}.");
        }
        text
    }

    /// The types of a relation's own arguments.
    fn kinds(&self, relation: &RelationKey) -> &[String] {
        self.types.get(relation).map_or(&[], Vec::as_slice)
    }

    fn constants_of(&self, kind: &str) -> Vec<&str> {
        self.constants.iter().filter(|(own, _)| own == kind).map(|(_, constant)| constant.as_str()).collect()
    }

    /// How many atoms of a relation the types allow, in one triple.
    fn size(&self, relation: &RelationKey) -> usize {
        self.kinds(relation)
            .iter()
            .fold(1, |product, kind| product.saturating_mul(self.constants_of(kind).len()))
    }

    /// The relations whose negations Popper is given, from small to large.
    fn negated(&self) -> Vec<&RelationKey> {
        let mut relations: Vec<&RelationKey> = self.dynamics.iter().collect();
        relations.sort_by_key(|relation| self.size(relation));
        let mut room = MOST_NEGATIONS;
        relations.retain(|relation| {
            let atoms = self.size(relation).saturating_mul(self.triples.len());
            let fits = (1..=room).contains(&atoms);
            room -= if fits { atoms } else { 0 };
            fits
        });
        relations
    }

    /// All atoms of these relations that do not hold, as facts of their negations.
    fn negations(&self, relations: &[&RelationKey]) -> String {
        let held: Vec<BTreeSet<String>> = self
            .triples
            .iter()
            .enumerate()
            .map(|(index, triple)| {
                let words = triple.background.iter().map(|n| &self.task.words[*n as usize]);
                words.map(|atom| spell(atom, Some(&self.id(index)), true)).collect()
            })
            .collect();
        let mut text = String::new();
        for relation in relations {
            let name = for_prolog(&relation.0);
            let mut tuples = vec![String::new()];
            for kind in self.kinds(relation) {
                let constants = self.constants_of(kind);
                tuples =
                    tuples.iter().flat_map(|t| constants.iter().map(move |c| format!("{t},{c}"))).collect();
            }
            for (index, held) in held.iter().enumerate() {
                for tuple in &tuples {
                    let atom = format!("{name}({}{tuple})", self.id(index));
                    if !held.contains(&atom) {
                        let _ = writeln!(text, "not_{atom}.");
                    }
                }
            }
        }
        text
    }

    fn popper_background(&self) -> String {
        let mut text = self.background(None) + &self.negations(&self.negated());
        for (kind, constant) in &self.constants {
            let _ = writeln!(text, "{}({constant}).", constant_relation(kind, constant));
        }
        text
    }

    fn popper_examples(&self, head: &RelationKey) -> String {
        let [positive, negative] = self.examples(head);
        let mut text = String::new();
        positive.iter().for_each(|a| text += &format!("pos({a}).\n"));
        negative.iter().for_each(|a| text += &format!("neg({a}).\n"));
        text
    }

    fn popper_bias(&self, head: &RelationKey) -> String {
        // What a move is about need not matter to all of its arguments.
        let mut text = format!("max_vars({}).\nallow_singletons.\n", VARIABLES.max(head.1 + 1 + 3));
        let tuple = |parts: &[String]| match parts {
            [one] => format!("({one},)"),
            parts => format!("({})", parts.join(",")),
        };
        let kinds = |relation: &RelationKey, indexed: bool| -> Vec<String> {
            let own = self.types.get(relation).cloned().unwrap_or_default();
            indexed.then(|| "triple".to_owned()).into_iter().chain(own).collect()
        };
        let mut tell = |role: &str, relation: &RelationKey, indexed: bool, directions: Vec<String>| {
            // `not` stands for a body relation that is negated.
            let name = for_prolog(&relation.0);
            let (role, name) =
                if role == "not" { ("body_pred", format!("not_{name}")) } else { (role, name) };
            let kinds = kinds(relation, indexed);
            let _ = writeln!(text, "{role}({name},{}).", kinds.len());
            let _ = writeln!(text, "type({name},{}).", tuple(&kinds));
            let _ = writeln!(text, "direction({name},{}).", tuple(&directions));
        };
        tell("head_pred", head, true, vec!["in".into(); head.1 + 1]);
        for relation in &self.dynamics {
            let outs = std::iter::repeat_n("out".to_owned(), relation.1);
            tell("body_pred", relation, true, std::iter::once("in".to_owned()).chain(outs).collect());
        }
        for relation in &self.statics {
            tell("body_pred", relation, false, vec!["out".into(); relation.1]);
        }
        for relation in self.negated() {
            tell("not", relation, true, vec!["in".into(); relation.1 + 1]);
        }
        // A clause is about one triple.
        text += "#defined clause/1.\n#defined clause_var/2.\n#defined var_type/3.\n\
                 :- clause(C), #count{V : clause_var(C,V), var_type(C,V,triple)} != 1.\n";
        for (kind, constant) in &self.constants {
            let name = constant_relation(kind, constant);
            let _ =
                writeln!(text, "body_pred({name},1).\ntype({name},({kind},)).\ndirection({name},(out,)).");
        }
        text
    }

    fn aleph_background(&self, head: &RelationKey) -> String {
        // Aleph itself looks at three conditions and 5,000 clauses, which is little for a game.
        let mut text = ":- set(clauselength,5).\n:- set(nodes,20000).\n".to_owned();
        let mode = |name: &str, kinds: &[String], signs: &[char]| {
            let own = signs.iter().zip(kinds).map(|(sign, kind)| format!("{sign}{kind}"));
            format!(
                "{name}({})",
                std::iter::once("+triple".to_owned()).chain(own).collect::<Vec<_>>().join(",")
            )
        };
        let name = for_prolog(&head.0);
        let kinds = self.kinds(head);
        let _ = writeln!(text, ":- modeh(1,{}).", mode(&name, kinds, &vec!['+'; head.1]));
        let mut determined = Vec::new();
        for kind in kinds.iter().collect::<BTreeSet<_>>() {
            let _ = writeln!(text, ":- modeb(1,+{kind} = #{kind}).");
        }
        if !kinds.is_empty() {
            determined.push("(=)/2".to_owned());
        }
        let mut tell = |name: &str, relation: &RelationKey, modes: Vec<Vec<char>>| {
            for signs in modes {
                let _ = writeln!(text, ":- modeb(*,{}).", mode(name, self.kinds(relation), &signs));
            }
            determined.push(format!("{name}/{}", relation.1 + 1));
        };
        for relation in &self.dynamics {
            let name = for_prolog(&relation.0);
            tell(&name, relation, self.modes(relation, '-'));
            tell(&format!("not_{name}"), relation, self.modes(relation, '+'));
        }
        for relation in &self.statics {
            // What is fixed leads from what is known to more.
            let modes = (0..relation.1).map(|known| {
                (0..relation.1).map(|place| if place == known { '+' } else { '-' }).collect::<Vec<char>>()
            });
            tell(&for_prolog(&relation.0), relation, modes.collect());
        }
        for relation in determined {
            let _ = writeln!(text, ":- determination({name}/{},{relation}).", head.1 + 1);
        }
        for relation in &self.dynamics {
            let name = for_prolog(&relation.0);
            let variables: Vec<String> = (0..relation.1).map(|n| format!("A{n}")).collect();
            let all = std::iter::once("T")
                .chain(variables.iter().map(String::as_str))
                .collect::<Vec<_>>()
                .join(",");
            let mut conditions = vec![format!("{IS_TRIPLE}(T)")];
            conditions.extend(
                variables.iter().zip(self.kinds(relation)).map(|(v, kind)| format!("{IS_A}({v},{kind})")),
            );
            let _ = writeln!(text, "not_{name}({all}) :- {}, \\+ {name}({all}).", conditions.join(", "));
        }
        (0..self.triples.len()).for_each(|n| _ = writeln!(text, "{IS_TRIPLE}({}).", self.id(n)));
        for (kind, constant) in &self.constants {
            let _ = writeln!(text, "{IS_A}({constant},{kind}).");
        }
        // Statics hold in every triple.
        text + &self.background(Some("_"))
    }

    /// Modes of a relation for Aleph, or for ILASP: each argument is a variable, of this sign, or a constant.
    fn modes(&self, relation: &RelationKey, variable: char) -> Vec<Vec<char>> {
        let kinds = self.kinds(relation);
        let few = kinds.len() <= FEW_ARGUMENTS;
        let chosen = |mask: u32| {
            let count = mask.count_ones() as usize;
            let constants = (0..kinds.len()).filter(|n| mask & (1 << n) != 0);
            let product =
                constants.fold(1_usize, |all, n| all.saturating_mul(self.constants_of(&kinds[n]).len()));
            (few || count <= 1 || count == kinds.len()) && (1..=MOST_CONSTANTS).contains(&product)
        };
        let all = 1_u32 << kinds.len().min(16);
        let signs =
            |mask: u32| (0..kinds.len()).map(|n| if mask & (1 << n) != 0 { '#' } else { variable }).collect();
        (0..all).filter(|mask| chosen(*mask)).map(signs).collect()
    }

    fn metagol(&self, head: &RelationKey) -> String {
        // Metagol asks for `body_pred`, and did for `prim` when the paper was written.
        let mut text =
            "% Load Metagol first, and add metarules.\n:- dynamic body_pred/1, prim/1, pos/1, neg/1.\n"
                .to_owned();
        let mut body: Vec<RelationKey> = Vec::new();
        for (name, arity) in self.dynamics.iter().chain(&self.statics) {
            body.push((for_prolog(name), arity + 1));
        }
        for (name, arity) in &body {
            let _ = writeln!(text, "prim({name}/{arity}).\nprim(not_{name}/{arity}).");
        }
        for (name, arity) in &body {
            let _ = writeln!(text, "body_pred({name}/{arity}).\nbody_pred(not_{name}/{arity}).");
        }
        for (name, arity) in &body {
            let arguments: Vec<String> = (0..*arity).map(|n| format!("A{n}")).collect();
            let arguments = arguments.join(",");
            let _ = writeln!(text, "not_{name}({arguments}) :- \\+ {name}({arguments}).");
        }
        let [positive, negative] = self.examples(head);
        positive.iter().for_each(|a| text += &format!("pos({a}).\n"));
        negative.iter().for_each(|a| text += &format!("neg({a}).\n"));
        text + &self.background(Some("_"))
    }

    fn ilasp(&self, head: &RelationKey) -> String {
        let mut text = String::new();
        // ILASP has negation of its own in bodies.
        let mut tell = |what: &str, relation: &RelationKey| {
            for signs in self.modes(relation, '-') {
                let own = signs.iter().zip(self.kinds(relation));
                let arguments: Vec<String> = own
                    .map(|(sign, kind)| format!("{}({kind})", if *sign == '#' { "const" } else { "var" }))
                    .collect();
                let name = plain(&relation.0);
                let inner =
                    if arguments.is_empty() { name } else { format!("{name}({})", arguments.join(",")) };
                let _ = writeln!(text, "#{what}({inner}).");
            }
        };
        tell("modeh", head);
        self.dynamics.iter().chain(&self.statics).for_each(|relation| tell("modeb", relation));
        for (kind, constant) in &self.constants {
            let _ = writeln!(text, "#constant({kind},{constant}).");
        }
        for atom in self.task.statics.iter() {
            let _ = writeln!(text, "{}.", spell(atom, None, false));
        }
        for (index, triple) in self.triples.iter().enumerate() {
            let positive = triple.positives.iter().map(|p| &self.task.labels[*p as usize]);
            let negative = self.negatives[index].iter().map(|n| &self.task.atoms[*n]);
            let list = |atoms: &mut dyn Iterator<Item = &Flat>| {
                let own: Vec<String> =
                    atoms.filter(|a| relation(a) == *head).map(|a| spell(a, None, false)).collect();
                own.join(", ")
            };
            let (included, excluded) = (list(&mut positive.into_iter()), list(&mut negative.into_iter()));
            let context: Vec<String> = triple
                .background
                .iter()
                .map(|n| format!("{}.", spell(&self.task.words[*n as usize], None, false)))
                .collect();
            let id = self.id(index);
            let _ = writeln!(text, "#pos({id}, {{{included}}}, {{{excluded}}}, {{{}}}).", context.join(" "));
        }
        text
    }
}

fn constant_relation(kind: &str, constant: &str) -> String {
    format!("{kind}_is_{}", constant.replace('-', "minus_"))
}
