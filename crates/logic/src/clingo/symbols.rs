//! clingo's symbols to terms.

use std::sync::Arc;

use clingo::{ControlCtx, GenericControl, SolverLiteral, Symbol, SymbolType};
use rustc_hash::FxHashMap as HashMap;

use crate::error::LogicError;
use crate::term::Term;

/// A fact over numbers: its predicate, by its place in a list, and its arguments.
pub type NumberedFact = (usize, Box<[u32]>);

/// A named atom and its literal; a fact has none.
pub(super) type NamedAtom = (Term, Option<SolverLiteral>);

/// The named atoms of a grounding, predicate by predicate. Texts in quotes and pairs in brackets are terms only where they
/// are asked for.
pub(super) fn named_atoms<C: ControlCtx>(
    control: &GenericControl<C>,
    shown: &[(&str, usize)],
    texts: bool,
) -> Result<Vec<NamedAtom>, LogicError> {
    let mut terms = Terms { texts, ..Terms::default() };
    let mut atoms = Vec::new();
    for (name, arity) in shown {
        let signature = clingo::Signature::new(name, *arity as u32, true)?;
        for atom in control.symbolic_atoms()?.iter_with_signature(signature)? {
            let literal = if atom.is_fact()? { None } else { Some(atom.literal()?) };
            atoms.push((terms.of(atom.symbol()?)?, literal));
        }
    }
    Ok(atoms)
}

/// The facts of a grounding over numbers.
pub(super) fn numbered_facts<C: ControlCtx>(
    control: &GenericControl<C>,
    shown: &[(&str, usize)],
) -> Result<Vec<NumberedFact>, LogicError> {
    let mut facts = Vec::new();
    for (place, (name, arity)) in shown.iter().enumerate() {
        let signature = clingo::Signature::new(name, *arity as u32, true)?;
        for atom in control.symbolic_atoms()?.iter_with_signature(signature)? {
            let symbol = atom.symbol()?;
            match numbers(symbol)?.filter(|_| atom.is_fact().unwrap_or(false)) {
                Some(arguments) => facts.push((place, arguments)),
                None => return Err(LogicError::Internal(format!("`{symbol}` is no fact over numbers"))),
            }
        }
    }
    Ok(facts)
}

/// The predicate with the most atoms, as `name/arity`, and their number: of a grounding that was stopped, what made it
/// too large.
pub(super) fn largest_predicate<C: ControlCtx>(control: &GenericControl<C>) -> Option<(String, usize)> {
    let atoms = control.symbolic_atoms().ok()?;
    let sizes = atoms.signatures().ok()?.into_iter().filter_map(|signature| {
        let size = atoms.iter_with_signature(signature).ok()?.take(MOST_COUNTED).count();
        Some((format!("{}/{}", signature.name().ok()?, signature.arity()), size))
    });
    sizes.max_by_key(|(_, size)| *size)
}

/// Counting stops here.
const MOST_COUNTED: usize = 10_000_000;

/// The arguments of a symbol, if all are numbers from 0 upwards.
fn numbers(symbol: Symbol) -> Result<Option<Box<[u32]>>, LogicError> {
    let number = |argument: Symbol| argument.number().ok().and_then(|n| u32::try_from(n).ok());
    Ok(symbol.arguments()?.into_iter().map(number).collect())
}

/// Turns symbols into terms; equal symbols become one shared term.
#[derive(Default)]
struct Terms {
    known: HashMap<Symbol, Term>,
    names: HashMap<*const u8, Arc<str>>,
    /// Are texts and tuples terms, too?
    texts: bool,
}

impl Terms {
    fn of(&mut self, symbol: Symbol) -> Result<Term, LogicError> {
        if let Some(term) = self.known.get(&symbol) {
            return Ok(term.clone());
        }
        let term = match symbol.symbol_type()? {
            SymbolType::Number => Term::Number(symbol.number()?),
            // As it is written, with its quotes.
            SymbolType::String if self.texts => Term::constant(&symbol.to_string()),
            SymbolType::Function if symbol.is_positive()? && (self.texts || !symbol.name()?.is_empty()) => {
                let arguments = symbol.arguments()?.into_iter();
                let arguments = arguments.map(|arg| self.of(arg)).collect::<Result<_, _>>()?;
                Term::Function(self.name(symbol.name()?), arguments)
            }
            _ => return Err(LogicError::Internal(format!("`{symbol}` is no term that racgen can name"))),
        };
        self.known.insert(symbol, term.clone());
        Ok(term)
    }

    fn name(&mut self, name: &'static str) -> Arc<str> {
        // clingo keeps one copy of each name for good.
        self.names.entry(name.as_ptr()).or_insert_with(|| name.into()).clone()
    }
}
