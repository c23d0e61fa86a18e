//! What the relations of a package are like to a view: who is where, a map of what does not change, and the rest as badges.

use std::fmt::Write as _;

use crate::domain::package::Package;
use crate::simulate::views::relations::{PlaceCoverage, SampledLayout, SeenPlace, SeenRelation, coverage};

/// At most so many relations that may say where objects of a type are are combined in every way.
const MOST_CANDIDATES: usize = 8;

/// How a relation is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Drawn {
    /// The object at the place is in the one at the other place.
    In(usize),
    /// The object at the place stands on the other.
    On(usize),
    /// The object is in the cell of the two others.
    Cell(usize),
    /// Its first two places are a cell, in which it stands itself.
    InCell,
    /// An order from left to right.
    Before,
    /// An order that is told as a number.
    Rank,
    /// Lines.
    Edges { symmetric: bool },
    /// Lines from the object at the place to the others.
    Star(usize),
    /// Told of the first object, or of the picture.
    Badge,
}

struct UsualView<'a> {
    package: &'a Package,
    samples: &'a [SampledLayout],
    relations: Vec<SeenRelation<'a>>,
    drawn: Vec<Drawn>,
    /// Types that are rows or columns.
    axes: Vec<usize>,
    /// By type, the types that its objects are in.
    within: Vec<Vec<usize>>,
    /// By type, does any relation say where its objects are?
    placed: Vec<bool>,
}

/// The program of a view.
pub(super) fn usual_view(package: &Package, samples: &[SampledLayout]) -> String {
    let relations = SeenRelation::all(package, samples);
    let drawn = vec![Drawn::Badge; relations.len()];
    let within = vec![Vec::new(); package.types.len()];
    let mut view = UsualView {
        package,
        samples,
        relations,
        drawn,
        axes: Vec::new(),
        within,
        placed: vec![false; package.types.len()],
    };
    view.find_axes();
    view.find_places();
    view.find_lines();
    view.text()
}

impl UsualView<'_> {
    /// Types that come in a line each and that fluents name together are rows and columns.
    fn find_axes(&mut self) {
        let line = |kind: &usize| {
            self.relations
                .iter()
                .any(|r| r.kinds().as_deref() == Some(&[*kind, *kind]) && r.is_line(self.samples))
        };
        for relation in self.relations.iter().filter(|relation| !relation.fixed) {
            let Some(kinds) = relation.kinds() else { continue };
            if let [thing, row, column] = kinds[..]
                && thing != row
                && row != column
                && relation.is_functional(0)
                && line(&row)
                && line(&column)
            {
                self.axes = vec![row, column];
                return;
            }
        }
    }

    fn is_cell(&self, relation: &SeenRelation, from: usize) -> bool {
        !self.axes.is_empty() && (0..2).all(|n| relation.kind(from + n) == self.axes.get(n).copied())
    }

    /// The relations, each by a place, that may say where objects of a type are.
    fn candidates(&self, kind: usize, fixed: bool) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for (number, relation) in self.relations.iter().enumerate() {
            if relation.fixed != fixed || !relation.is_met() || relation.bare {
                continue;
            }
            let in_cell = relation.places.len() == 3 && self.is_cell(relation, 1);
            for place in 0..relation.places.len() {
                let pair = relation.places.len() == 2
                    && relation.kind(1 - place).is_some_and(|other| !self.axes.contains(&other));
                let first = place == 0;
                if relation.kind(place) == Some(kind)
                    && (pair || (first && in_cell))
                    && relation.is_functional(place)
                {
                    // Of things of one type, the first is the one that is somewhere.
                    if first || relation.kind(0) != relation.kind(1) {
                        found.push((number, place));
                    }
                }
            }
        }
        found.truncate(MOST_CANDIDATES);
        found
    }

    /// The best of all sets of candidates.
    fn best(&self, kind: usize, candidates: &[(usize, usize)]) -> (PlaceCoverage, Vec<(usize, usize)>) {
        let mut best = (PlaceCoverage::Overlapping, Vec::new());
        for set in 1..1u32 << candidates.len() {
            let chosen: Vec<(usize, usize)> =
                candidates.iter().enumerate().filter(|(n, _)| set >> n & 1 == 1).map(|(_, c)| *c).collect();
            if chosen
                .iter()
                .enumerate()
                .any(|(n, (one, _))| chosen[n + 1..].iter().any(|(other, _)| one == other))
            {
                continue;
            }
            let relations: Vec<(&SeenRelation, usize)> =
                chosen.iter().map(|(number, place)| (&self.relations[*number], *place)).collect();
            let found = coverage(&relations, kind, self.samples);
            if found > best.0 {
                best = (found, chosen);
            }
        }
        best
    }

    /// Would objects of a type be in themselves if they were in those of another?
    fn is_circle(&self, kind: usize, other: usize) -> bool {
        let mut open = vec![other];
        let mut seen = Vec::new();
        while let Some(next) = open.pop() {
            if next == kind {
                return true;
            }
            if !seen.contains(&next) {
                seen.push(next);
                open.extend(self.within[next].iter().copied().filter(|inner| *inner != next));
            }
        }
        false
    }

    /// Where objects are: by fluents of which each object always has one, by relations of the layout, or by fluents of which
    /// each has one at most.
    fn find_places(&mut self) {
        let kinds: Vec<usize> =
            (0..self.package.types.len()).filter(|kind| !self.axes.contains(kind)).collect();
        for (fixed, exact) in [(false, true), (true, true), (false, false)] {
            for kind in &kinds {
                if self.placed[*kind] {
                    continue;
                }
                let mut candidates = self.candidates(*kind, fixed);
                candidates.retain(|(number, place)| {
                    let relation = &self.relations[*number];
                    let free = self.drawn[*number] == Drawn::Badge;
                    let line = relation.fixed && relation.is_line(self.samples);
                    let other = if relation.places.len() == 2 { relation.kind(1 - place) } else { None };
                    let circle = other.is_some_and(|other| other != *kind && self.is_circle(*kind, other));
                    free && !line && !circle && (exact || *place == 0)
                });
                let (found, chosen) = self.best(*kind, &candidates);
                let enough =
                    if exact { found == PlaceCoverage::Exact } else { found > PlaceCoverage::Partial(0) };
                // Of relations of the layout, one is enough.
                if !enough || (fixed && chosen.len() > 1) {
                    continue;
                }
                self.placed[*kind] = true;
                for (number, place) in chosen {
                    let relation = &self.relations[number];
                    self.drawn[number] = if relation.places.len() == 3 {
                        Drawn::Cell(place)
                    } else if relation.kind(0) == relation.kind(1) {
                        Drawn::On(place)
                    } else {
                        Drawn::In(place)
                    };
                    if let (2, Some(other)) = (relation.places.len(), relation.kind(1 - place)) {
                        self.within[*kind].push(other);
                    }
                }
            }
        }
    }

    /// How all other relations are drawn.
    fn find_lines(&mut self) {
        for number in 0..self.relations.len() {
            let relation = &self.relations[number];
            if self.drawn[number] != Drawn::Badge || relation.bare {
                continue;
            }
            if self.is_cell(relation, 0) {
                self.drawn[number] = Drawn::InCell;
                continue;
            }
            let Some(kinds) = relation.kinds() else { continue };
            let on_axis = kinds.iter().any(|kind| self.axes.contains(kind));
            self.drawn[number] = match kinds[..] {
                [one, other] if one == other && relation.is_line(self.samples) => {
                    if on_axis || !self.placed[one] { Drawn::Before } else { Drawn::Rank }
                }
                [one, other]
                    if relation.fixed && !on_axis && (one == other || !relation.is_functional(0)) =>
                {
                    Drawn::Edges { symmetric: one == other && relation.is_symmetric() }
                }
                [_, _, _] if relation.fixed && !on_axis => {
                    let key = (0..3).find(|place| {
                        let alone = (0..3).all(|other| other == *place || kinds[other] != kinds[*place]);
                        alone
                            && coverage(&[(relation, *place)], kinds[*place], self.samples)
                                == PlaceCoverage::Exact
                    });
                    let shared = (0..3).find(|place| {
                        let alone = (0..3).all(|other| other == *place || kinds[other] != kinds[*place]);
                        alone && relation.is_functional(*place)
                    });
                    key.or(shared).map_or(Drawn::Badge, Drawn::Star)
                }
                _ => Drawn::Badge,
            };
        }
    }

    /// The rule that derives a head where an atom of the relation is true.
    fn rule(&self, relation: &SeenRelation, head: &str, more: &str) -> String {
        let argument = |(number, place): (usize, &SeenPlace)| match place {
            SeenPlace::Constant(name) => name.clone(),
            _ => format!("X{number}"),
        };
        let arguments: Vec<String> = relation.places.iter().enumerate().map(argument).collect();
        let atom = match (&arguments[..], relation.bare) {
            ([], _) => relation.functor.to_owned(),
            (_, true) => "X0".to_owned(),
            _ => format!("{}({})", relation.functor, arguments.join(",")),
        };
        let atom = if relation.fixed { atom } else { format!("holds({atom})") };
        let mut body = vec![atom];
        for (number, place) in relation.places.iter().enumerate() {
            if let SeenPlace::Type(kind) = place {
                body.push(format!("{}(X{number})", self.package.types[*kind].name));
            }
        }
        format!("{head} :- {}{more}.\n", body.join(", "))
    }

    /// What is told by a badge: the relation, and all places from one on.
    fn told(&self, relation: &SeenRelation, from: usize) -> String {
        let rest: Vec<String> = (from..relation.places.len())
            .filter(|place| !matches!(relation.places[*place], SeenPlace::Constant(_)))
            .map(|place| format!("X{place}"))
            .collect();
        match (&rest[..], relation.bare) {
            (_, true) => "true".to_owned(),
            ([], _) => relation.functor.to_owned(),
            _ => format!("{}({})", relation.functor, rest.join(",")),
        }
    }

    fn text(&self) -> String {
        let mut out = "% Things.\n".to_owned();
        let mut add = |line: String| out.push_str(&line);
        for (number, one) in self.package.types.iter().enumerate() {
            if !self.axes.contains(&number) {
                add(format!("node(X) :- {}(X).\n", one.name));
            }
        }
        let edges = self.drawn.iter().filter(|drawn| matches!(drawn, Drawn::Edges { .. })).count();
        for (number, relation) in self.relations.iter().enumerate() {
            add(format!("\n% {}\n", relation.functor));
            for line in self.lines(number, relation, edges > 1) {
                add(line);
            }
        }
        out
    }

    /// Stacks, but for things that stand on each other in a circle: between these are arrows.
    fn standing(&self, relation: &SeenRelation, place: usize) -> Vec<String> {
        let (functor, other) = (relation.functor, 1 - place);
        let first = self.relations.iter().zip(&self.drawn).find(|(_, drawn)| matches!(drawn, Drawn::On(_)));
        let first = first.map_or(functor, |(relation, _)| relation.functor);
        let (pair, circle) = (format!("X{place},X{other}"), format!("{first}_over(X{place},X{place})"));
        vec![
            self.rule(relation, &format!("{first}_over({pair})"), ""),
            self.rule(relation, &format!("{first}_over(Y,X{other})"), &format!(", {first}_over(Y,X{place})")),
            self.rule(relation, &format!("attr(node,X{place},on,X{other})"), &format!(", not {circle}")),
            self.rule(relation, &format!("edge(({pair}),{functor})"), &format!(", {circle}")),
            format!("attr(edge,E,dir,forward) :- edge(E,{functor}).\n"),
            format!("attr(graph,{functor},label,{functor}) :- edge(_,{functor}).\n"),
        ]
    }

    fn lines(&self, number: usize, relation: &SeenRelation, named: bool) -> Vec<String> {
        let functor = relation.functor;
        let inside = |place: usize| {
            let other = 1 - place;
            let mut lines = vec![self.rule(relation, &format!("attr(node,X{place},in,X{other})"), "")];
            // Several ways to be in one thing are told apart.
            let same = |one: &SeenRelation| {
                one.places.len() == 2 && {
                    let mut kinds = [one.kind(0), one.kind(1)];
                    let mut own = [relation.kind(0), relation.kind(1)];
                    kinds.sort_unstable();
                    own.sort_unstable();
                    kinds == own
                }
            };
            let places =
                self.relations.iter().zip(&self.drawn).filter(|(_, drawn)| matches!(drawn, Drawn::In(_)));
            if places.filter(|(one, _)| same(one)).count() > 1 {
                lines.push(self.rule(relation, &format!("attr(node,X{place},badge,{functor})"), ""));
            }
            lines
        };
        match self.drawn[number] {
            Drawn::In(place) => inside(place),
            Drawn::On(place) => self.standing(relation, place),
            Drawn::Cell(place) => vec![self.rule(relation, &format!("attr(node,X{place},cell,(X1,X2))"), "")],
            Drawn::InCell => {
                let rest: String = (2..relation.places.len()).map(|place| format!(",X{place}")).collect();
                let node = format!("{functor}(X0,X1{rest})");
                let told = self.told(relation, 2);
                vec![
                    self.rule(relation, &format!("node({node})"), ""),
                    self.rule(relation, &format!("attr(node,{node},cell,(X0,X1))"), ""),
                    self.rule(relation, &format!("attr(node,{node},label,{told})"), ""),
                ]
            }
            Drawn::Before => vec![self.rule(relation, "attr(node,X0,before,X1)", "")],
            Drawn::Rank => {
                let kind = relation.kind(0).map_or("", |kind| self.package.types[kind].name.as_str());
                let mut text = String::new();
                // Writing to a string does not fail.
                let _ = write!(
                    text,
                    "{functor}_before(X,Y) :- {functor}(X,Y).\n{functor}_before(X,Z) :- {functor}_before(X,Y), {functor}(Y,Z).\n\
                     attr(node,X,badge,rank(N+1)) :- {kind}(X), N = #count {{ Y : {functor}_before(Y,X) }}.\n"
                );
                vec![text]
            }
            Drawn::Edges { symmetric } => {
                let more = if symmetric { ", X0 < X1" } else { "" };
                let class = if named { format!(",{functor}") } else { String::new() };
                let mut lines = vec![self.rule(relation, &format!("edge((X0,X1){class})"), more)];
                if !symmetric && relation.kind(0) == relation.kind(1) {
                    lines.push(self.rule(relation, "attr(edge,(X0,X1),dir,forward)", more));
                }
                if named {
                    lines.push(format!("attr(graph,{functor},label,{functor}).\n"));
                }
                lines
            }
            Drawn::Star(key) => {
                let others = (0..3).filter(|place| *place != key);
                others.map(|place| self.rule(relation, &format!("edge((X{key},X{place}))"), "")).collect()
            }
            Drawn::Badge => {
                let is_node = relation.kind(0).is_some_and(|kind| !self.axes.contains(&kind));
                let head = match is_node {
                    true => format!("attr(node,X0,badge,{})", self.told(relation, 1)),
                    false => format!("attr(graph,default,badge,{})", self.told(relation, 0)),
                };
                let inertial = self.rule(relation, &head, "");
                vec![inertial]
            }
        }
    }
}
