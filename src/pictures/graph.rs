//! Drawing atoms to what they say is to be drawn: things, where each belongs, and the lines between them.
//!
//! The atoms are those of clingraph: `node(X)`, `edge((X,Y))`, `attr(KIND,ID,NAME,VALUE)` and `graph(G)`. What stands on,
//! in or before what are attributes of nodes.

use std::collections::BTreeMap;

use racgen_logic::term::Term;
use rustc_hash::FxHashMap as HashMap;

/// The predicates of drawing atoms.
pub const DRAWING: [(&str, usize); 6] =
    [("node", 1), ("node", 2), ("edge", 1), ("edge", 2), ("attr", 4), ("graph", 1)];

/// Attributes that are drawn, by what they are of.
pub const ATTRIBUTES: [(&str, &[&str]); 3] = [
    ("node", &["label", "shape", "color", "badge", "in", "on", "cell", "before"]),
    ("edge", &["label", "color", "style", "dir"]),
    ("graph", &["label", "color", "style", "badge"]),
];

/// Where edges belong that name no graph, and what is said of the picture as a whole.
pub const DEFAULT_GRAPH: &str = "default";

/// What names and types the constants of drawing atoms have.
#[derive(Clone, Debug, Default)]
pub struct PictureWords {
    /// Of each object: its name, its type, and its place in the order.
    pub objects: HashMap<String, (String, usize, usize)>,
    /// Names of other constants.
    pub constants: BTreeMap<String, String>,
}

impl PictureWords {
    /// A term as a label: names for objects, texts without their quotes.
    pub fn label(&self, term: &Term) -> String {
        if let Term::Function(name, args) = term {
            if args.is_empty() {
                if let Some((object, ..)) = self.objects.get(&**name) {
                    return object.clone();
                }
                if let Some(constant) = self.constants.get(&**name) {
                    return constant.clone();
                }
                return plain(name);
            }
            let words = args.iter().map(|arg| self.label(arg));
            let functor = (!name.is_empty()).then(|| name.replace('_', " "));
            return functor.into_iter().chain(words).collect::<Vec<_>>().join(" ");
        }
        term.to_string()
    }

    fn rank(&self, term: &Term) -> (usize, Term) {
        let known = self.objects.get(term.functor()).filter(|_| term.args().is_empty());
        (known.map_or(usize::MAX, |(_, _, rank)| *rank), term.clone())
    }

    fn kind(&self, term: &Term) -> Option<usize> {
        self.objects.get(term.functor()).filter(|_| term.args().is_empty()).map(|(_, kind, _)| *kind)
    }
}

/// A text without its quotes, and a name with spaces.
fn plain(name: &str) -> String {
    match name.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(text) => text.replace("\\\"", "\"").replace("\\n", " ").replace("\\\\", "\\"),
        None => name.replace('_', " "),
    }
}

/// Shapes of things that have nothing inside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NodeShape {
    /// A rectangle.
    #[default]
    Box,
    /// A rectangle with round corners.
    Rounded,
    /// A rectangle whose ends are half circles.
    Pill,
    /// Six corners.
    Hexagon,
}

/// Where a thing belongs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum NodePlace {
    /// Beside all others.
    Free,
    /// Upon another.
    On(usize),
    /// Inside another.
    In(usize),
    /// In a row and a column of a grid, which may be inside another.
    Cell(Option<usize>, Term, Term),
}

/// A thing to be drawn.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DrawnNode {
    /// Its term.
    pub id: Term,
    /// What is written on it.
    pub label: String,
    /// Its type, which decides its colour.
    pub kind: Option<usize>,
    /// Its shape, where one is asked for.
    pub shape: Option<NodeShape>,
    /// Its colour, where one is asked for.
    pub color: Option<String>,
    /// Where it belongs.
    pub place: NodePlace,
    /// What is told below its label.
    pub badges: Vec<String>,
}

/// A line between two things.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DrawnEdge {
    /// From where, as an index into [`DrawnGraph::nodes`].
    pub from: usize,
    /// To where.
    pub to: usize,
    /// The graph that it belongs to, as an index into [`DrawnGraph::classes`].
    pub class: usize,
    /// What is written on it.
    pub label: String,
    /// Its colour, where one is asked for.
    pub color: Option<String>,
    /// Is it dashed, or its graph?
    pub dashed: bool,
    /// Does it have a tip?
    pub directed: bool,
}

/// A graph of clingraph: edges of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EdgeClass {
    /// Its term.
    pub id: Term,
    /// What its edges are called below the picture; nothing where that is not told.
    pub label: String,
    /// The colour of its edges, where one is asked for.
    pub color: Option<String>,
    /// Are its edges dashed?
    pub dashed: bool,
}

/// Everything that is to be drawn of one situation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct DrawnGraph {
    /// Things, those of the layout in its order.
    pub nodes: Vec<DrawnNode>,
    /// Lines.
    pub edges: Vec<DrawnEdge>,
    /// Kinds of lines.
    pub classes: Vec<EdgeClass>,
    /// What is said of the picture as a whole.
    pub remarks: Vec<String>,
    /// What comes right before what.
    pub order: Vec<(Term, Term)>,
    /// Names of rows and columns, by their terms.
    pub headings: BTreeMap<Term, String>,
}

/// A drawing atom that says nothing that could be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{atom}`: {cause}")]
pub struct Undrawable {
    /// The atom.
    pub atom: Term,
    /// Why.
    pub cause: String,
}

/// Of an atom, why it cannot be drawn.
fn undrawable<T>(atom: &Term, cause: impl Into<String>) -> Result<T, Undrawable> {
    Err(Undrawable { atom: atom.clone(), cause: cause.into() })
}

/// The value of an attribute that has few.
fn one_of<T: Copy>(atom: &Term, known: &[(&str, T)]) -> Result<T, Undrawable> {
    let value = plain(atom.args()[3].functor());
    match known.iter().find(|(name, _)| *name == value) {
        Some((_, found)) => Ok(*found),
        None => {
            let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
            undrawable(atom, format!("the value is none of {}", names.join(", ")))
        }
    }
}

const SHAPES: [(&str, NodeShape); 4] = [
    ("box", NodeShape::Box),
    ("rounded", NodeShape::Rounded),
    ("ellipse", NodeShape::Pill),
    ("hexagon", NodeShape::Hexagon),
];
const STYLES: [(&str, bool); 2] = [("solid", false), ("dashed", true)];
const DIRECTIONS: [(&str, bool); 2] = [("none", false), ("forward", true)];

/// A colour as SVG takes it: a name or `#rrggbb`.
fn colour(atom: &Term) -> Result<String, Undrawable> {
    let value = plain(atom.args()[3].functor());
    let is_name = !value.is_empty() && value.bytes().all(|c| c.is_ascii_lowercase());
    let is_code = value
        .strip_prefix('#')
        .is_some_and(|code| code.len() == 6 && code.bytes().all(|c| c.is_ascii_hexdigit()));
    if is_name || is_code {
        Ok(value)
    } else {
        undrawable(atom, "a colour is a name in small letters or \"#rrggbb\"")
    }
}

/// The ends of an edge.
fn ends(term: &Term) -> Option<(&Term, &Term)> {
    if let Term::Function(name, args) = term
        && name.is_empty()
        && let [from, to] = &**args
    {
        return Some((from, to));
    }
    None
}

impl DrawnGraph {
    /// What true drawing atoms say.
    ///
    /// # Errors
    /// An atom that says nothing that could be drawn: an attribute that is unknown, of a node or an edge that there is not,
    /// or that contradicts another.
    pub fn of(atoms: &[Term], words: &PictureWords) -> Result<DrawnGraph, Undrawable> {
        let mut graph = DrawnGraph::default();
        let mut nodes: Vec<&Term> =
            atoms.iter().filter(|a| a.functor() == "node").filter_map(|a| a.args().first()).collect();
        nodes.sort_by_cached_key(|id| words.rank(id));
        nodes.dedup();
        graph.nodes = nodes
            .iter()
            .map(|id| DrawnNode {
                id: (*id).clone(),
                label: words.label(id),
                kind: words.kind(id),
                shape: None,
                color: None,
                place: NodePlace::Free,
                badges: Vec::new(),
            })
            .collect();
        let numbers: HashMap<&Term, usize> =
            nodes.iter().enumerate().map(|(number, id)| (*id, number)).collect();
        let default = Term::constant(DEFAULT_GRAPH);
        let mut edges: BTreeMap<(Term, usize), usize> = BTreeMap::new();
        for atom in atoms.iter().filter(|a| a.functor() == "edge") {
            let found =
                ends(&atom.args()[0]).and_then(|(from, to)| Some((*numbers.get(from)?, *numbers.get(to)?)));
            let Some((from, to)) = found else {
                return undrawable(
                    atom,
                    "an edge is a pair of nodes, `edge((X,Y))`, each with its `node(X)`",
                );
            };
            let class = graph.class(atom.args().get(1).unwrap_or(&default));
            edges.insert((atom.args()[0].clone(), class), graph.edges.len());
            let label = String::new();
            graph.edges.push(DrawnEdge {
                from,
                to,
                class,
                label,
                color: None,
                dashed: false,
                directed: false,
            });
        }
        graph.attributes(atoms, words, &numbers, &edges)?;
        graph.free_of_circles(atoms)?;
        for edge in &mut graph.edges {
            edge.dashed |= graph.classes[edge.class].dashed;
        }
        Ok(graph)
    }

    /// The number of a kind of edges.
    fn class(&mut self, id: &Term) -> usize {
        self.classes.iter().position(|class| class.id == *id).unwrap_or_else(|| {
            self.classes.push(EdgeClass { id: id.clone(), label: String::new(), color: None, dashed: false });
            self.classes.len() - 1
        })
    }

    fn attributes(
        &mut self,
        atoms: &[Term],
        words: &PictureWords,
        numbers: &HashMap<&Term, usize>,
        edges: &BTreeMap<(Term, usize), usize>,
    ) -> Result<(), Undrawable> {
        let mut cells: Vec<(usize, &Term, &Term)> = Vec::new();
        for atom in atoms.iter().filter(|a| a.is("attr", 4)) {
            let [kind, id, name, value] = atom.args() else { continue };
            let known = ATTRIBUTES.iter().find(|(of, _)| kind.is(of, 0));
            let Some((_, names)) = known else {
                return undrawable(atom, "attributes are of a node, an edge or a graph");
            };
            if !names.iter().any(|known| name.is(known, 0)) {
                return undrawable(
                    atom,
                    format!("attributes of a {kind} that are drawn are {}", names.join(", ")),
                );
            }
            match kind.functor() {
                "graph" => self.of_graph(atom, words)?,
                "edge" => {
                    let mut of =
                        edges.iter().filter(|((known, _), _)| known == id).map(|(_, edge)| *edge).peekable();
                    if of.peek().is_none() {
                        return undrawable(atom, "there is no such edge");
                    }
                    let of: Vec<usize> = of.collect();
                    for edge in of {
                        self.of_edge(edge, atom, words)?;
                    }
                }
                _ if name.is("before", 0) => self.order.push((id.clone(), value.clone())),
                _ => {
                    let Some(node) = numbers.get(id).copied() else {
                        return undrawable(atom, "there is no such node");
                    };
                    if name.is("cell", 0) {
                        let Some((row, column)) = ends(value) else {
                            return undrawable(atom, "a cell is a pair, (ROW,COLUMN)");
                        };
                        if cells.iter().any(|(other, ..)| *other == node) {
                            return undrawable(atom, "a node has one cell at most");
                        }
                        cells.push((node, row, column));
                        continue;
                    }
                    self.of_node(node, atom, words, numbers)?;
                }
            }
        }
        for (node, row, column) in cells {
            let within = match self.nodes[node].place {
                NodePlace::Free => None,
                NodePlace::In(other) => Some(other),
                _ => return undrawable(&self.nodes[node].id, "a node that stands on another has no cell"),
            };
            for heading in [row, column].into_iter().filter(|term| !matches!(term, Term::Number(_))) {
                self.headings.insert(heading.clone(), words.label(heading));
            }
            self.nodes[node].place = NodePlace::Cell(within, row.clone(), column.clone());
        }
        for (one, other) in &self.order {
            for term in [one, other].into_iter().filter(|term| !numbers.contains_key(term)) {
                self.headings.insert(term.clone(), words.label(term));
            }
        }
        for node in &mut self.nodes {
            node.badges.sort();
            node.badges.dedup();
        }
        self.remarks.sort();
        Ok(())
    }

    fn of_graph(&mut self, atom: &Term, words: &PictureWords) -> Result<(), Undrawable> {
        let [_, id, name, value] = atom.args() else { return Ok(()) };
        if name.is("badge", 0) {
            self.remarks.push(words.label(value));
            return Ok(());
        }
        let class = self.class(id);
        match name.functor() {
            "label" => self.classes[class].label = words.label(value),
            "color" => self.classes[class].color = Some(colour(atom)?),
            _ => self.classes[class].dashed = one_of(atom, &STYLES)?,
        }
        Ok(())
    }

    fn of_edge(&mut self, edge: usize, atom: &Term, words: &PictureWords) -> Result<(), Undrawable> {
        let [_, _, name, value] = atom.args() else { return Ok(()) };
        let edge = &mut self.edges[edge];
        match name.functor() {
            "label" if edge.label.is_empty() => edge.label = words.label(value),
            "label" => edge.label = format!("{}, {}", edge.label, words.label(value)),
            "color" => edge.color = Some(colour(atom)?),
            "style" => edge.dashed = one_of(atom, &STYLES)?,
            _ => edge.directed = one_of(atom, &DIRECTIONS)?,
        }
        Ok(())
    }

    fn of_node(
        &mut self,
        node: usize,
        atom: &Term,
        words: &PictureWords,
        numbers: &HashMap<&Term, usize>,
    ) -> Result<(), Undrawable> {
        let [_, _, name, value] = atom.args() else { return Ok(()) };
        match name.functor() {
            "label" => self.nodes[node].label = words.label(value),
            "shape" => self.nodes[node].shape = Some(one_of(atom, &SHAPES)?),
            "color" => self.nodes[node].color = Some(colour(atom)?),
            "badge" => self.nodes[node].badges.push(words.label(value)),
            of => {
                let Some(other) = numbers.get(value).copied() else {
                    return undrawable(atom, format!("there is no node `{value}`"));
                };
                if self.nodes[node].place != NodePlace::Free {
                    return undrawable(atom, "a node is on or in one other at most");
                }
                self.nodes[node].place = if of == "on" { NodePlace::On(other) } else { NodePlace::In(other) };
            }
        }
        Ok(())
    }

    /// No node is in or on itself, however indirectly.
    fn free_of_circles(&self, atoms: &[Term]) -> Result<(), Undrawable> {
        for first in 0..self.nodes.len() {
            let mut at = first;
            for _ in 0..=self.nodes.len() {
                match self.parent(at) {
                    Some(next) => at = next,
                    None => break,
                }
                if at == first {
                    let id = &self.nodes[first].id;
                    let is_place = |a: &&Term| {
                        a.is("attr", 4)
                            && a.args()[1] == *id
                            && (a.args()[2].is("in", 0) || a.args()[2].is("on", 0))
                    };
                    let atom = atoms.iter().find(is_place).unwrap_or(id);
                    return undrawable(atom, "a node would be inside or upon itself");
                }
            }
        }
        Ok(())
    }

    /// What a node is in or on.
    pub fn parent(&self, node: usize) -> Option<usize> {
        match self.nodes[node].place {
            NodePlace::Free => None,
            NodePlace::On(other) | NodePlace::In(other) => Some(other),
            NodePlace::Cell(within, ..) => within,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<DrawnGraph, Undrawable> {
        use racgen_logic::clingo::{Program, Source};
        let program = Program { sources: vec![Source::new("view.lp", text)], ..Program::default() };
        let ground = program.ground_with_texts(&DRAWING).unwrap();
        let atoms: Vec<Term> = ground.named.into_iter().map(|(term, _)| term).collect();
        DrawnGraph::of(&atoms, &PictureWords::default())
    }

    #[test]
    fn what_cannot_be_drawn_is_refused() {
        let graph = read("node(a;b). edge((a,b)). attr(edge,(a,b),label,\"to b\"). attr(node,a,badge,f(7)).")
            .unwrap();
        assert_eq!((graph.edges[0].label.as_str(), graph.nodes[0].badges[0].as_str()), ("to b", "f 7"));
        for (text, cause) in [
            ("node(a). attr(node,a,on,b).", "no node `b`"),
            ("node(a). attr(node,b,badge,x).", "no such node"),
            ("node(a). edge((a,b)).", "pair of nodes"),
            ("node(a). attr(node,a,fontname,x).", "that are drawn"),
            ("node(a;b). attr(edge,(a,b),label,x).", "no such edge"),
            ("node(a;b). attr(node,a,on,b). attr(node,b,in,a).", "upon itself"),
            ("node(a;b). attr(node,a,on,b). attr(node,a,in,b).", "one other at most"),
            ("node(a). attr(node,a,shape,star).", "none of box"),
            ("node(a). attr(node,a,cell,3).", "a pair"),
        ] {
            assert!(read(text).unwrap_err().to_string().contains(cause), "{text}: {:?}", read(text));
        }
    }
}
