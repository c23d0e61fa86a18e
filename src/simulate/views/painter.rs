//! Situations of a layout to pictures.

use std::sync::Arc;

use racgen_logic::clingo::Source;
use racgen_logic::fault::Fault;
use racgen_logic::term::Term;

use crate::domain::package::Package;
use crate::pictures::arrange::arrange;
use crate::pictures::graph::{DrawnGraph, PictureWords, Undrawable};
use crate::pictures::scene::Scene;
use crate::pictures::style::PictureStyle;
use crate::simulate::error::SimulationError;
use crate::simulate::layout::Layout;
use crate::simulate::situation::Situation;
use crate::simulate::transitions::compiled_layout::CompiledLayout;
use crate::simulate::views::compiled_view::CompiledView;

/// Draws situations of a layout. A copy shares the view, and may give the objects other names.
#[derive(Clone)]
pub struct Painter {
    view: Arc<CompiledView>,
    /// What the view is called.
    file: Arc<str>,
    words: PictureWords,
}

/// A picture: what is drawn, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// What.
    pub graph: DrawnGraph,
    /// Where.
    pub scene: Scene,
}

impl Painter {
    /// Grounds a view for a layout whose objects have these names.
    ///
    /// # Errors
    /// Those of [`CompiledView::new`].
    pub fn new(
        package: &Package,
        layout: &Layout,
        compiled: &CompiledLayout,
        view: &Source,
        names: &[Arc<str>],
    ) -> Result<Painter, SimulationError> {
        let compiled_view = CompiledView::new(package, layout, compiled, view)?;
        let mut painter = Painter {
            view: Arc::new(compiled_view),
            file: view.name.clone(),
            words: PictureWords::default(),
        };
        painter.words.constants = package.constants.clone();
        painter.rename(layout, names);
        Ok(painter)
    }

    /// Gives the objects other names.
    pub fn rename(&mut self, layout: &Layout, names: &[Arc<str>]) {
        let named = layout.objects.iter().zip(names).enumerate();
        self.words.objects = named
            .map(|(rank, (object, name))| (object.id.to_string(), (name.to_string(), object.kind, rank)))
            .collect();
    }

    /// The drawing atoms of situations, all of whose fluents must be given.
    ///
    /// # Errors
    /// Those of [`CompiledView::atoms`].
    pub fn atoms(&self, situations: &[&Situation]) -> Result<Vec<Vec<Term>>, SimulationError> {
        self.view.atoms(situations)
    }

    /// What is to be drawn of situations.
    ///
    /// # Errors
    /// Atoms that cannot be drawn, which is a fault of the view.
    pub fn graphs(&self, situations: &[&Situation]) -> Result<Vec<DrawnGraph>, SimulationError> {
        let drawn = self.atoms(situations)?.into_iter().map(|atoms| self.graph(&atoms));
        Ok(drawn.collect::<Result<_, _>>().map_err(|wrong| self.fault(&wrong))?)
    }

    /// What is to be drawn by drawing atoms.
    ///
    /// # Errors
    /// Atoms that cannot be drawn.
    pub fn graph(&self, atoms: &[Term]) -> Result<DrawnGraph, Undrawable> {
        DrawnGraph::of(atoms, &self.words)
    }

    /// The fault of a view that derives what cannot be drawn.
    pub fn fault(&self, wrong: &Undrawable) -> Fault {
        let remedy = "domains/README.md says which atoms are drawn";
        Fault::new(&self.file, 0, wrong.to_string(), remedy)
    }

    /// The pictures of the situations of one story.
    ///
    /// # Errors
    /// Those of [`Painter::graphs`], and more than fits.
    pub fn pictures(
        &self,
        situations: &[&Situation],
        style: &PictureStyle,
    ) -> Result<Vec<Picture>, SimulationError> {
        let graphs = self.graphs(situations)?;
        let scenes = arrange(&graphs, style)?;
        Ok(graphs.into_iter().zip(scenes).map(|(graph, scene)| Picture { graph, scene }).collect())
    }
}
