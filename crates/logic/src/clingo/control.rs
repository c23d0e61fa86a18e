//! A program to a control of clingo's that has grounded it, and back to free memory.

use clingo::defaults::Non;
use clingo::{ControlCtx, GenericControl, Part};
use rand::rngs::ChaCha8Rng;

use super::messages::Messages;
use super::observer::Observer;
use super::program::Program;
use super::randomness::Dice;
use crate::error::LogicError;
use crate::statements::forbidden;

/// What a control for grounding is given: a logger and an observer of its rules. clingo keeps pointers to both for as
/// long as it owns the control: both outlive it.
pub(super) struct GroundingContext<'a> {
    messages: &'a mut Messages,
    observer: &'a mut Observer,
    none: Box<Non>,
}

impl<'a> GroundingContext<'a> {
    pub(super) fn new(messages: &'a mut Messages, observer: &'a mut Observer) -> GroundingContext<'a> {
        GroundingContext { messages, observer, none: Box::new(Non) }
    }
}

/// How many messages clingo writes at most.
const MOST_MESSAGES: u32 = 100;

impl ControlCtx for GroundingContext<'_> {
    type L = Messages;
    type P = Non;
    type O = Observer;
    type F = Non;

    fn logger(&mut self) -> (&mut Messages, u32) {
        (self.messages, MOST_MESSAGES)
    }
    fn propagator(&mut self) -> (&mut Non, bool) {
        (&mut self.none, false)
    }
    fn observer(&mut self) -> (&mut Observer, bool) {
        // The rules go to the observer instead of clingo's solver.
        (self.observer, true)
    }
    fn function_handler(&mut self) -> &mut Non {
        &mut self.none
    }
}

/// What a control for searching is given: dice. All that clingo points to stays in the box that the control keeps.
pub(super) struct SearchContext {
    messages: Box<Messages>,
    pub(super) dice: Dice,
    observer: Non,
    functions: Non,
}

impl SearchContext {
    pub(super) fn new(rng: Option<ChaCha8Rng>) -> SearchContext {
        SearchContext { messages: Box::default(), dice: Dice::new(rng), observer: Non, functions: Non }
    }
}

impl ControlCtx for SearchContext {
    type L = Messages;
    type P = Dice;
    type O = Non;
    type F = Non;

    fn logger(&mut self) -> (&mut Messages, u32) {
        (&mut self.messages, MOST_MESSAGES)
    }
    fn propagator(&mut self) -> (&mut Dice, bool) {
        (&mut self.dice, true)
    }
    fn observer(&mut self) -> (&mut Non, bool) {
        (&mut self.observer, false)
    }
    fn function_handler(&mut self) -> &mut Non {
        &mut self.functions
    }
}

/// Adds a program's texts to a control and grounds its parts.
pub(super) fn feed<C: ControlCtx>(
    control: &mut GenericControl<C>,
    program: &Program,
) -> Result<(), LogicError> {
    // clingo would read any file that a program includes, whoever wrote the program.
    for source in &program.sources {
        if let Some((line, why)) = forbidden(&source.text) {
            let place = format!("{}:{line}", source.name);
            return Err(LogicError::Program { place, message: why.to_owned() });
        }
    }
    for text in program.numbered_texts() {
        control.add("base", &[], &text)?;
    }
    let parts = std::iter::once("base").chain(program.parts.iter().map(String::as_str));
    let parts = parts.map(|name| Part::new(name, vec![])).collect::<Result<Vec<_>, _>>()?;
    control.ground(&parts)?;
    Ok(())
}

/// Frees a control: the clingo crate frees none that something was registered with, unless it is handed over to a new
/// context first.
pub(super) fn free<C: ControlCtx>(control: GenericControl<C>) {
    drop(control.register_control_context(SearchContext::new(None)));
}
