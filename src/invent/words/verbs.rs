//! A verb and an action to how the action is told: who comes first, and where the others stand.

use crate::invent::theory::parts::{Action, ActionForm, InventedTheory};
use crate::invent::words::vocabulary::{ActionWords, FluentWords};

/// A verb with its forms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerbForms {
    /// `take`
    pub base: String,
    /// `takes`
    pub third: String,
    /// `took`
    pub past: String,
    /// `taken`
    pub participle: String,
}

/// A verb with what stands before and after the thing that it is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerbPhrase {
    /// The verb.
    pub verb: VerbForms,
    /// Is it what the thing does? Else it is done to the thing.
    pub active: bool,
    /// What stands between the verb and the thing, or after the verb where the thing does it: ` up`.
    pub before: String,
    /// What stands after the thing: ` with a litre`.
    pub after: String,
}

/// Who does what nobody of the domain is said to do.
pub const SOMEONE: &str = "someone";
/// The same in another word.
pub const SOMEBODY: &str = "somebody";

/// How another thing takes part in an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GuestRole {
    /// It does the action.
    Doer,
    /// It is near.
    Near,
    /// The first thing goes past it.
    Past,
    /// The action takes place there.
    Place,
}

/// What stands between the first thing of an action and the others.
fn rest(form: ActionForm) -> &'static str {
    match form {
        ActionForm::Go => " from {1} to {2}",
        ActionForm::Begin | ActionForm::End | ActionForm::Turn | ActionForm::Raise | ActionForm::Lower => "",
        ActionForm::Put => " into {1}",
        ActionForm::Take => " out of {1}",
        ActionForm::PutOn => " onto {1}",
        ActionForm::TakeOff => " off {1}",
        ActionForm::Tie => " to {1}",
        ActionForm::Untie => " from {1}",
    }
}

/// The parameter that was added to those that an action's form has.
pub(super) fn guest(action: &Action) -> Option<usize> {
    (action.params.len() > action.own).then_some(action.own)
}

/// How a place that was added to an action takes part: nothing is at a place that is a place itself.
pub(super) fn place_role(theory: &InventedTheory, action: &Action) -> Option<GuestRole> {
    let added = guest(action).filter(|guest| Some(action.params[*guest]) == theory.places())?;
    let is_place = added > 0 && action.params.first() == action.params.get(added);
    Some(if is_place { GuestRole::Near } else { GuestRole::Place })
}

/// What an action is about first: its first parameter, or what is in a state of the whole world.
pub(super) fn what_is_acted_on(action: &Action, fluents: &[FluentWords]) -> String {
    match action.effects.first().map(|effect| &fluents[effect.change.fluent()]) {
        Some(FluentWords::World { noun, .. }) if action.own == 0 => format!("the {noun}"),
        _ => "{0}".to_owned(),
    }
}

/// An action of which whoever is added does it, unless that is a place; `thing` is what it is about first.
pub(super) fn active(theory: &InventedTheory, action: &Action, thing: &str, verb: VerbForms) -> ActionWords {
    let phrase = VerbPhrase { verb, active: false, before: String::new(), after: String::new() };
    let role = guest(action).map(|_| match place_role(theory, action) {
        Some(GuestRole::Place) => GuestRole::Place,
        _ => GuestRole::Doer,
    });
    match role {
        Some(GuestRole::Doer) => words(action, thing, &phrase, role),
        role => words(action, thing, &VerbPhrase { active: true, ..phrase }, role),
    }
}

/// An action in words; `thing` is what it is about first.
pub(super) fn words(
    action: &Action,
    thing: &str,
    phrase: &VerbPhrase,
    role: Option<GuestRole>,
) -> ActionWords {
    let VerbPhrase { verb, before, after, .. } = phrase;
    let rest = rest(action.form);
    let guest = guest(action).unwrap_or_default();
    let symbol = format!("{}{}", verb.base, before.replace(' ', "_"));
    let own = |form: &str| format!("{form}{before}");
    let beside = match role {
        Some(GuestRole::Doer) | None => String::new(),
        Some(GuestRole::Near) => format!(" beside {{{guest}}}"),
        Some(GuestRole::Past) => format!(" past {{{guest}}}"),
        Some(GuestRole::Place) => format!(" at {{{guest}}}"),
    };
    // What is done to a thing is told by who does it, so that it does not read like a state of the thing.
    let by_someone = !phrase.active && role != Some(GuestRole::Doer);
    let template = match role {
        Some(GuestRole::Doer) if !phrase.active => format!("{{{guest}}} {{v}} {thing}{after}{rest}"),
        _ if by_someone => format!("{SOMEONE} {{v}} {thing}{after}{rest}{beside}"),
        _ => format!("{thing} {{v}}{after}{rest}{beside}"),
    };
    let [base, third, past, participle] =
        [&verb.base, &verb.third, &verb.past, &verb.participle].map(|form| own(form));
    ActionWords { symbol, base, third, past, participle, by_someone, template }
}
