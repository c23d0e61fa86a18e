//! Mechanisms side by side to a theory in which they depend on each other, by conditions and side effects.

use crate::invent::theory::conditions::{about, about_the_world, between, is_said, mechanisms_read, reads};
use crate::invent::theory::drawing::GrammarDrawing;
use crate::invent::theory::mechanisms::Builder;
use crate::invent::theory::parts::{
    ActionForm, Effect, Fluent, FluentChange, FluentKind, InventedTheory, KindNumber, TheoryCondition,
    TheoryMechanism, Variable,
};

/// The most parameters of an action.
const MOST_PARAMS: usize = 4;

/// A thing to be spoken of besides, and what is said of it.
#[derive(Clone)]
struct Guest {
    kind: Option<KindNumber>,
    when: Vec<TheoryCondition>,
}

impl Builder<'_> {
    /// Makes an action require something of another mechanism; false where nothing fits.
    pub(super) fn require(&mut self, action: usize, of: TheoryMechanism) -> bool {
        let theory = &self.theory;
        let known = &theory.actions[action];
        if known.added > 0 && known.own > 1 || known.added > 1 {
            return false;
        }
        let params = known.params.clone();
        let fits = |condition: &TheoryCondition, kinds: &[KindNumber]| {
            mechanisms_read(theory, condition, kinds).contains(&of) && !is_said(&known.requires, condition)
        };
        let mut plain: Vec<Guest> = Vec::new();
        for variable in 0..params.len() {
            let said = about(theory, &params, variable).into_iter().filter(|c| fits(c, &params));
            plain.extend(said.map(|condition| Guest { kind: None, when: vec![condition] }));
        }
        let of_world = about_the_world(theory).into_iter().filter(|c| fits(c, &params));
        plain.extend(of_world.map(|condition| Guest { kind: None, when: vec![condition] }));
        let mut guests: Vec<Guest> = Vec::new();
        if params.is_empty() {
            // Whoever changes the whole world is tied to nothing.
            for kind in 0..theory.kinds {
                let said = about(theory, &[kind], 0).into_iter().filter(|c| fits(c, &[kind]));
                guests.extend(said.map(|condition| Guest { kind: Some(kind), when: vec![condition] }));
            }
        }
        if params.len() < MOST_PARAMS && known.own == 1 && params.len() == 1 {
            for kind in 0..theory.kinds {
                let kinds: Vec<KindNumber> = params.iter().copied().chain([kind]).collect();
                let guest = params.len();
                for variable in 0..params.len() {
                    for tie in between(theory, &kinds, variable, guest) {
                        if fits(&tie, &kinds) {
                            guests.push(Guest { kind: Some(kind), when: vec![tie.clone()] });
                        }
                        for more in about(theory, &kinds, guest).into_iter().filter(|c| fits(c, &kinds)) {
                            guests.push(Guest { kind: Some(kind), when: vec![tie.clone(), more] });
                        }
                    }
                }
            }
        }
        let lists = [plain, guests].into_iter().filter(|list| !list.is_empty()).collect::<Vec<_>>();
        if lists.is_empty() {
            return false;
        }
        let list = &lists[self.drawing.one_of(lists.len())];
        let chosen = list[self.drawing.one_of(list.len())].clone();
        let action = &mut self.theory.actions[action];
        if chosen.kind.is_some() {
            // Things that effects speak of besides come after all parameters.
            let guest = action.params.len();
            action.effects.iter_mut().for_each(|effect| effect.make_room(guest));
        }
        action.added += 1;
        action.params.extend(chosen.kind);
        action.requires.extend(chosen.when);
        true
    }

    /// Gives an action a side effect on a fluent of another mechanism; false where nothing fits.
    pub(super) fn affect(&mut self, action: usize, on: TheoryMechanism) -> bool {
        let theory = &self.theory;
        let known = &theory.actions[action];
        let params = known.params.clone();
        let mut all: Vec<Effect> = Vec::new();
        for variable in 0..params.len() {
            for effect in changes(theory, &params, variable, on) {
                all.push(Effect { each: Vec::new(), ..effect });
            }
        }
        all.extend(world_changes(theory, on));
        for kind in 0..theory.kinds {
            let kinds: Vec<KindNumber> = params.iter().copied().chain([kind]).collect();
            if params.is_empty() {
                // What befalls all things of a type befalls those of which something else is true.
                for effect in changes(theory, &kinds, 0, on) {
                    let others = about(theory, &kinds, 0).into_iter();
                    let others = others.filter(|c| !reads(theory, c, &kinds, effect.change.fluent()));
                    all.extend(others.map(|other| {
                        let when = [other].into_iter().chain(effect.when.clone()).collect();
                        Effect { each: vec![kind], when, change: effect.change.clone() }
                    }));
                }
            }
            for variable in 0..params.len() {
                for tie in between(theory, &kinds, variable, params.len()) {
                    // What a tie of the changed mechanism says of the moment before is true of a moved thing's old place.
                    for effect in changes(theory, &kinds, params.len(), on) {
                        let when = [tie.clone()].into_iter().chain(effect.when).collect();
                        all.push(Effect { each: vec![kind], when, change: effect.change });
                    }
                }
            }
        }
        let new =
            |effect: &Effect| known.effects.iter().all(|old| old.change.fluent() != effect.change.fluent());
        all.retain(new);
        if all.is_empty() {
            return false;
        }
        let mut chosen = all[self.drawing.one_of(all.len())].clone();
        if self.drawing.chance(1, 2) {
            let kinds: Vec<KindNumber> = params.iter().chain(&chosen.each).copied().collect();
            let subjects: Vec<Variable> = (0..kinds.len()).collect();
            let mut more: Vec<TheoryCondition> =
                subjects.into_iter().flat_map(|v| about(&self.theory, &kinds, v)).collect();
            more.extend(about_the_world(&self.theory));
            let free = |c: &TheoryCondition| {
                !is_said(&self.theory.actions[action].requires, c) && !is_said(&chosen.when, c)
            };
            let more: Vec<TheoryCondition> = more.into_iter().filter(free).collect();
            if !more.is_empty() {
                chosen.when.push(more[self.drawing.one_of(more.len())].clone());
            }
        }
        self.theory.actions[action].effects.push(chosen);
        true
    }
}

/// The side effects that a thing may suffer from another mechanism's action.
fn changes(theory: &InventedTheory, kinds: &[KindNumber], of: Variable, on: TheoryMechanism) -> Vec<Effect> {
    let mut all = Vec::new();
    let is_own = |f: &&Fluent| f.mechanism == on && f.kinds.first() == Some(&kinds[of]);
    for (fluent, known) in theory.fluents.iter().enumerate().filter(|(_, f)| is_own(f)) {
        match known.kind {
            FluentKind::State => {
                all.push((Vec::new(), FluentChange::Flip { fluent, of: vec![of] }));
                for to in [true, false] {
                    all.push((Vec::new(), FluentChange::Set { to, fluent, of: vec![of] }));
                }
            }
            FluentKind::Has(most) => {
                for (up, at_least, bound) in [(true, false, most - 1), (false, true, 1)] {
                    let room = TheoryCondition::Number { fluent, of, at_least, bound };
                    all.push((vec![room], FluentChange::Step { up, fluent, of }));
                }
            }
            FluentKind::At | FluentKind::In | FluentKind::On | FluentKind::Tied => {}
        }
    }
    all.into_iter().map(|(when, change)| Effect { each: Vec::new(), when, change }).collect()
}

/// The side effects that the whole world may suffer from another mechanism's action.
fn world_changes(theory: &InventedTheory, on: TheoryMechanism) -> Vec<Effect> {
    let states = theory.fluents.iter().enumerate().filter(|(_, f)| f.mechanism == on && f.kinds.is_empty());
    let changes = states.flat_map(|(fluent, _)| {
        let set = [true, false].map(|to| FluentChange::Set { to, fluent, of: Vec::new() });
        [FluentChange::Flip { fluent, of: Vec::new() }].into_iter().chain(set)
    });
    changes.map(|change| Effect { each: Vec::new(), when: Vec::new(), change }).collect()
}

/// Ties a new mechanism to those before it, and adds what else there is to be.
pub(super) fn couple(builder: &mut Builder, mechanisms: &[TheoryMechanism], more: usize) -> bool {
    let all = |builder: &Builder, of: TheoryMechanism| -> Vec<usize> {
        let actions = builder.theory.actions.iter().enumerate();
        actions.filter(|(_, action)| action.mechanism == of).map(|(number, _)| number).collect()
    };
    let couple_two = |builder: &mut Builder, of: TheoryMechanism, with: TheoryMechanism| {
        let actions = all(builder, of);
        let Some(action) = builder.drawing.pick(&actions) else { return false };
        match builder.drawing.chance(2, 3) {
            true => builder.require(action, with) || builder.affect(action, with),
            false => builder.affect(action, with) || builder.require(action, with),
        }
    };
    for (number, of) in mechanisms.iter().enumerate().skip(1) {
        let with = mechanisms[builder.drawing.one_of(number)];
        let done = match builder.drawing.chance(1, 2) {
            true => couple_two(builder, *of, with) || couple_two(builder, with, *of),
            false => couple_two(builder, with, *of) || couple_two(builder, *of, with),
        };
        if !done {
            return false;
        }
    }
    for _ in 0..more {
        let of = builder.drawing.one_of(mechanisms.len());
        let with = builder.drawing.one_of(mechanisms.len());
        if of != with {
            couple_two(builder, mechanisms[of], mechanisms[with]);
        }
    }
    restrain(builder, mechanisms)
}

/// Has actions that could nearly always be done require something of another mechanism; false where nothing fits.
fn restrain(builder: &mut Builder, mechanisms: &[TheoryMechanism]) -> bool {
    for action in 0..builder.theory.actions.len() {
        let known = &builder.theory.actions[action];
        let is_free = matches!(known.form, ActionForm::Raise | ActionForm::Lower | ActionForm::Turn)
            && known.added == 0;
        let own = known.mechanism;
        if !is_free {
            continue;
        }
        let mut others: Vec<TheoryMechanism> =
            mechanisms.iter().copied().filter(|other| *other != own).collect();
        let first = builder.drawing.one_of(others.len());
        others.rotate_left(first);
        if !others.into_iter().any(|other| builder.require(action, other)) {
            return false;
        }
    }
    true
}

/// A builder of a theory that has nothing yet.
pub(super) fn builder(drawing: &mut GrammarDrawing) -> Builder<'_> {
    Builder { theory: InventedTheory::default(), drawing }
}
