//! A mechanism to its types, fluents and actions, before anything ties it to others.

use crate::invent::theory::drawing::GrammarDrawing;
use crate::invent::theory::parts::{
    Action, ActionForm, ConditionSubject, Effect, Fluent, FluentChange, FluentKind, InventedTheory,
    KindNumber, Static, StaticShape, TheoryCondition, TheoryMechanism, Variable,
};

/// The most types of a theory.
const MOST_KINDS: usize = 5;
/// The shapes that ways between places have.
const WAYS: [StaticShape; 5] =
    [StaticShape::Graph, StaticShape::Tree, StaticShape::Line, StaticShape::Ring, StaticShape::Grid];

/// An effect that is always had.
pub(super) fn plain(change: FluentChange) -> Effect {
    Effect { each: Vec::new(), when: Vec::new(), change }
}

fn is(positive: bool, fluent: usize, of: &[usize]) -> TheoryCondition {
    TheoryCondition::Is { positive, what: ConditionSubject::Fluent(fluent), of: of.to_vec() }
}

fn set(to: bool, fluent: usize, of: &[usize]) -> Effect {
    plain(FluentChange::Set { to, fluent, of: of.to_vec() })
}

fn none(fluent: usize, open: usize, of: usize) -> TheoryCondition {
    TheoryCondition::Any { positive: false, fluent, open, of }
}

/// Adds mechanisms to a theory.
pub(super) struct Builder<'d> {
    pub(super) theory: InventedTheory,
    pub(super) drawing: &'d mut GrammarDrawing,
}

impl Builder<'_> {
    /// A type: one of those that fit, or a new one.
    fn kind(&mut self, fits: impl Fn(&InventedTheory, KindNumber) -> bool) -> KindNumber {
        let known: Vec<KindNumber> =
            (0..self.theory.kinds).filter(|kind| fits(&self.theory, *kind)).collect();
        let new = self.theory.kinds < MOST_KINDS && (known.is_empty() || self.drawing.chance(2, 5));
        match self.drawing.pick(&known).filter(|_| !new) {
            Some(kind) => kind,
            None => {
                self.theory.kinds += 1;
                self.theory.kinds - 1
            }
        }
    }

    fn fluent(&mut self, kind: FluentKind, mechanism: TheoryMechanism, kinds: &[KindNumber]) -> usize {
        self.theory.fluents.push(Fluent { kind, mechanism, kinds: kinds.to_vec() });
        self.theory.fluents.len() - 1
    }

    fn action(
        &mut self,
        form: ActionForm,
        params: &[KindNumber],
        requires: Vec<TheoryCondition>,
        effect: Effect,
    ) {
        let mechanism = self.theory.fluents[effect.change.fluent()].mechanism;
        let own = params.len();
        let params = params.to_vec();
        self.theory.actions.push(Action {
            mechanism,
            form,
            params,
            own,
            added: 0,
            requires,
            effects: vec![effect],
        });
    }

    /// Adds a mechanism.
    pub(super) fn add(&mut self, mechanism: TheoryMechanism, small: bool) {
        match mechanism {
            TheoryMechanism::Travel => self.travel(),
            TheoryMechanism::States => self.states(small),
            TheoryMechanism::Containment => self.containment(),
            TheoryMechanism::Stack => self.stack(),
            TheoryMechanism::Counter => self.counter(),
            TheoryMechanism::Links => self.links(),
        }
    }

    fn travel(&mut self) {
        let (mover, place) = (self.theory.kinds, self.theory.kinds + 1);
        self.theory.kinds += 2;
        let shape = self.drawing.pick(&WAYS).unwrap_or(StaticShape::Graph);
        self.theory.statics.push(Static { shape, kinds: [place, place] });
        let relation = self.theory.statics.len() - 1;
        let at = self.fluent(FluentKind::At, TheoryMechanism::Travel, &[mover, place]);
        let mut requires = vec![is(true, at, &[0, 1]), TheoryCondition::Static { relation, of: [1, 2] }];
        if self.drawing.chance(1, 4) {
            requires.push(none(at, 0, 2));
        }
        self.action(ActionForm::Go, &[mover, place, place], requires, set(true, at, &[0, 2]));
    }

    fn states(&mut self, small: bool) {
        self.state();
        if self.drawing.chance(1, if small { 4 } else { 3 }) {
            self.state();
        }
    }

    /// A state of things of a type, or of the whole world.
    fn state(&mut self) {
        let kinds = if self.drawing.chance(1, 3) { Vec::new() } else { vec![self.kind(|_, _| true)] };
        let of: Vec<Variable> = (0..kinds.len()).collect();
        let state = self.fluent(FluentKind::State, TheoryMechanism::States, &kinds);
        if self.drawing.chance(1, 4) {
            let turned = plain(FluentChange::Flip { fluent: state, of });
            self.action(ActionForm::Turn, &kinds, Vec::new(), turned);
            return;
        }
        for (form, to) in [(ActionForm::Begin, true), (ActionForm::End, false)] {
            self.action(form, &kinds, vec![is(!to, state, &of)], set(to, state, &of));
        }
    }

    fn containment(&mut self) {
        let item = self.kind(|theory, kind| theory.position(kind).is_none() && theory.places() != Some(kind));
        let holder = self.kind(|_, kind| kind != item);
        let inside = self.fluent(FluentKind::In, TheoryMechanism::Containment, &[item, holder]);
        let mut requires = vec![none(inside, 1, 0)];
        if self.drawing.chance(1, 2) {
            let than = 1 + self.drawing.one_of(3) as i64;
            requires.push(match than {
                1 => none(inside, 0, 1),
                than => TheoryCondition::Fewer { fluent: inside, of: 1, than },
            });
        }
        self.action(ActionForm::Put, &[item, holder], requires, set(true, inside, &[0, 1]));
        let taken = vec![is(true, inside, &[0, 1])];
        self.action(ActionForm::Take, &[item, holder], taken, set(false, inside, &[0, 1]));
    }

    fn stack(&mut self) {
        let kind = self.kind(|theory, kind| {
            let inside = |f: &Fluent| f.kind == FluentKind::In && f.kinds[0] == kind;
            theory.position(kind).is_none()
                && theory.places() != Some(kind)
                && !theory.fluents.iter().any(inside)
        });
        let on = self.fluent(FluentKind::On, TheoryMechanism::Stack, &[kind, kind]);
        let mut requires = vec![none(on, 1, 0), none(on, 0, 0), none(on, 0, 1)];
        if self.drawing.chance(1, 4) {
            self.theory.statics.push(Static { shape: StaticShape::Order, kinds: [kind, kind] });
            let relation = self.theory.statics.len() - 1;
            requires.push(TheoryCondition::Static { relation, of: [0, 1] });
        }
        self.action(ActionForm::PutOn, &[kind, kind], requires, set(true, on, &[0, 1]));
        let free = vec![is(true, on, &[0, 1]), none(on, 0, 0)];
        self.action(ActionForm::TakeOff, &[kind, kind], free, set(false, on, &[0, 1]));
    }

    fn counter(&mut self) {
        let kind = self.kind(|_, _| true);
        let most = 2 + self.drawing.one_of(2) as i64;
        let has = self.fluent(FluentKind::Has(most), TheoryMechanism::Counter, &[kind]);
        for (form, up, at_least, bound) in
            [(ActionForm::Raise, true, false, most - 1), (ActionForm::Lower, false, true, 1)]
        {
            let requires = vec![TheoryCondition::Number { fluent: has, of: 0, at_least, bound }];
            self.action(form, &[kind], requires, plain(FluentChange::Step { up, fluent: has, of: 0 }));
        }
    }

    fn links(&mut self) {
        let one = self.kind(|_, _| true);
        let other = self.kind(|_, kind| kind != one);
        let tied = self.fluent(FluentKind::Tied, TheoryMechanism::Links, &[one, other]);
        let untied = match self.drawing.one_of(3) {
            0 => vec![is(false, tied, &[0, 1])],
            1 => vec![none(tied, 1, 0)],
            _ => vec![none(tied, 1, 0), none(tied, 0, 1)],
        };
        self.action(ActionForm::Tie, &[one, other], untied, set(true, tied, &[0, 1]));
        self.action(
            ActionForm::Untie,
            &[one, other],
            vec![is(true, tied, &[0, 1])],
            set(false, tied, &[0, 1]),
        );
    }

    /// Has things of types that share no fluent belong to each other.
    fn join_kinds(&mut self) {
        for kind in 1..self.theory.kinds {
            let joins =
                |kinds: &[KindNumber]| kinds.contains(&kind) && kinds.iter().any(|other| *other < kind);
            if !self.theory.fluents.iter().any(|fluent| joins(&fluent.kinds)) {
                let other = self.drawing.one_of(kind);
                let kinds = if self.drawing.chance(1, 2) { [kind, other] } else { [other, kind] };
                self.theory.statics.push(Static { shape: StaticShape::Home, kinds });
            }
        }
    }

    /// Gives things that are nowhere a place of their own, some of them.
    pub(super) fn homes(&mut self) {
        let Some(place) = self.theory.places() else { return self.join_kinds() };
        for kind in 0..self.theory.kinds {
            let inside = |f: &Fluent| f.kind == FluentKind::In && f.kinds[0] == kind;
            let moved = self.theory.position(kind).is_some() || self.theory.fluents.iter().any(inside);
            if kind != place && !moved && self.drawing.chance(5, 6) {
                self.theory.statics.push(Static { shape: StaticShape::Home, kinds: [kind, place] });
            }
        }
    }
}
