//! A package's view.lp to its faults: atoms that cannot be drawn, objects that are not, and situations that look alike.

use racgen_logic::clingo::Source;
use racgen_logic::fault::{Fault, Faults};
use racgen_logic::seed::stream;
use racgen_logic::statements::{WrittenAtom, statements};
use racgen_logic::term::Term;
use rustc_hash::FxHashMap as HashMap;

use crate::check::faults::simulation_fault;
use crate::check::reached::Reached;
use crate::domain::package::Package;
use crate::language::words::holdout::Holdout;
use crate::language::words::naming::Naming;
use crate::pictures::arrange::arrange;
use crate::pictures::graph::{DRAWING, DrawnGraph, Undrawable};
use crate::pictures::style::PictureStyle;
use crate::simulate::error::SimulationError;
use crate::simulate::layout::Layout;
use crate::simulate::situation::Situation;
use crate::simulate::transitions::transition_system::TransitionSystem;
use crate::simulate::views::painter::Painter;

/// Situations of a layout that are put into pictures.
const PICTURES: usize = 40;

fn is_drawing(name: &str, arity: usize) -> bool {
    DRAWING.contains(&(name, arity))
}

/// Finds predicates that a view derives, but that neither it reads nor are drawn.
pub(super) fn check_view_text(package: &Package, faults: &mut Faults) {
    let Some(view) = &package.view else { return };
    let rules = statements(&view.text);
    let read: Vec<(&str, usize)> = rules
        .iter()
        .flat_map(|rule| rule.reads(&view.text))
        .map(|atom| (atom.name, atom.args.len()))
        .collect();
    for atom in rules.iter().flat_map(|rule| rule.derives(&view.text)) {
        let signature = (atom.name, atom.args.len());
        if !is_drawing(atom.name, atom.args.len()) && !read.contains(&signature) {
            let cause =
                format!("`{}/{}` is no drawing atom, and no rule reads it", atom.name, atom.args.len());
            let remedy = "derive node, edge, attr and graph; domains/README.md has their forms";
            faults.push_once(Fault::new(&view.name, atom.line, cause, remedy));
        }
    }
}

/// The line of the rule that seems to derive a drawing atom; 0 if none does.
fn line_of(view: &Source, atom: &Term) -> usize {
    let is_like = |written: &WrittenAtom| {
        let same = |place: usize| {
            let Some([only]) = written.args.get(place) else { return true };
            let text = only.text(&view.text);
            let variable = text.starts_with(|c: char| c.is_uppercase() || c == '_');
            variable || atom.args()[place].is(text, 0)
        };
        written.name == atom.functor()
            && written.args.len() == atom.args().len()
            && (0..atom.args().len()).all(same)
    };
    let rules = statements(&view.text);
    let found = rules.iter().flat_map(|rule| rule.derives(&view.text)).find(is_like);
    found.map_or(0, |written| written.line)
}

/// Draws the situations that were met by the package's own view, if it has one. Where more is to be drawn than a picture
/// can show, it says so.
///
/// # Errors
/// A fault of the view.
pub(super) fn check_view(
    package: &Package,
    layout: &Layout,
    engine: &TransitionSystem,
    level: i32,
    reached: &Reached,
) -> Result<Option<String>, Fault> {
    let Some(view) = &package.view else { return Ok(None) };
    let mut rng = stream(0, &["check", "view", &package.name, &level.to_string()]);
    let wrong = |error: SimulationError| simulation_fault(package, level, error);
    let names = Naming::draw(package, layout, Holdout::NONE, |_| true, &mut rng).names;
    let painter = Painter::new(package, layout, engine.compiled(), view, &names).map_err(wrong)?;
    let situations: Vec<&Situation> = reached.all.iter().map(|(situation, _)| situation).collect();
    let atoms = painter.atoms(&situations).map_err(wrong)?;
    let remedy = "domains/README.md says which atoms are drawn";
    let undrawable =
        |wrong: Undrawable| Fault::new(&view.name, line_of(view, &wrong.atom), wrong.to_string(), remedy);
    let mut known: HashMap<DrawnGraph, usize> = HashMap::default();
    let mut graphs = Vec::new();
    for (number, atoms) in atoms.iter().enumerate() {
        for object in &layout.objects {
            if !atoms.iter().any(|atom| atom.mentions(&object.id)) {
                let kind = &package.types[object.kind].name;
                let cause = format!(
                    "no drawing atom names `{}`, a {kind}, in some situation of level N{level}",
                    object.id
                );
                return Err(Fault::new(&view.name, 0, cause, format!("add `node(X) :- {kind}(X).`")));
            }
        }
        let graph = painter.graph(atoms).map_err(undrawable)?;
        if let Some(other) = known.insert(graph.clone(), number) {
            let (here, there) = (situations[number], situations[other]);
            let is_other = |fluent: &usize| here.contains(*fluent) != there.contains(*fluent);
            let fluent =
                engine.inertial.iter().find(is_other).map(|fluent| engine.fluents[fluent].to_string());
            if let Some(fluent) = fluent {
                let cause = format!(
                    "two situations of level N{level} look alike, though `{fluent}` is true in one only"
                );
                return Err(Fault::new(&view.name, 0, cause, "draw what tells them apart"));
            }
        }
        graphs.push(graph);
    }
    let stride = graphs.len().div_ceil(PICTURES).max(1);
    let crowded = graphs
        .iter()
        .step_by(stride)
        .find_map(|graph| arrange(std::slice::from_ref(graph), &PictureStyle::default()).err());
    Ok(crowded.map(|crowded| format!("some situations of level N{level} get no picture: {crowded}")))
}
