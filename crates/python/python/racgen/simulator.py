"""A world of a domain to act in: its state, what can be done, and what can be asked, in terms and in English."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from racgen import _native
from racgen.errors import UsageError
from racgen.options import Folders, folders


@dataclass(frozen=True)
class Said:
    """A ground term, and the clause that says it."""

    term: str
    text: str

    def __str__(self) -> str:
        return self.text or self.term


@dataclass(frozen=True)
class Asked:
    """A question about the situation, with its answer; the fields are those of the columns of a row."""

    question_type: str
    query: str
    question: str
    answer: str
    gold: list[str]
    answer_type: str


class Simulator:
    """A world to act in, one action after the other. clingo's rules of the domain say what each does.

        >>> world = racgen.Simulator("blocks", level=1, seed=3)
        >>> world.text()                      # the situation in English
        >>> [str(action) for action in world.executable()]
        >>> world.step(world.executable()[0])
        >>> world.ask("clear(b1)")

    Args:
        domain: a domain, or the folder of its package.
        level: N1 to N5 as 1 to 5.
        seed: draws the layout (objects, static facts) and the names.
        situation: the number of the initial situation; each layout has a sequence of them.
        set: parameters that are fixed, whatever the level says.

    Raises:
        UsageError: no such domain or level; faults of the package.
    """

    def __init__(
        self,
        domain: str,
        *,
        level: int = 1,
        seed: int = 0,
        situation: int = 0,
        set: Mapping[str, int] | None = None,
        domain_dir: Folders = None,
    ) -> None:
        self._made = (domain, level, seed, dict(set or {}), folders(domain_dir))
        self._world = _native.ActingWorld(*self._made)
        shape = json.loads(self._world.shape())
        #: `id`, `type` and `name` of each object.
        self.objects: list[dict[str, str]] = shape["objects"]
        #: What is so whatever is done, as terms.
        self.facts: list[str] = shape["facts"]
        #: All fluents.
        self.fluents: list[Said] = [Said(**said) for said in shape["fluents"]]
        #: All actions, executable or not; their places are the actions of the Gymnasium environment.
        self.actions: list[Said] = [Said(**said) for said in shape["actions"]]
        #: The rules of the domain as a paragraph.
        self.rules: str = shape["rules"]
        self._inertial = frozenset(shape["inertial"])
        self._places = {said.term: place for place, said in enumerate(self.actions)}
        self._by_text = {said.text.lower(): place for place, said in enumerate(self.actions) if said.text}
        self.reset(situation)

    def reset(self, situation: int = 0) -> list[Said]:
        """Begins anew, in the situation of a number; returns its state."""
        self._situation = situation
        self._plan: list[int] = []
        self._true, self._can = self._here().begin(situation)
        return self.state()

    @property
    def plan(self) -> list[str]:
        """The actions that were done since the beginning, as terms."""
        return [self.actions[place].term for place in self._plan]

    def state(self) -> list[Said]:
        """What is true now."""
        return [self.fluents[place] for place in self._true]

    def state_places(self) -> list[int]:
        """The places of the true fluents among :attr:`fluents`."""
        return list(self._true)

    def inertial_places(self) -> frozenset[int]:
        """The places of the fluents that stay as they are unless an action changes them."""
        return self._inertial

    def text(self) -> str:
        """The situation as a paragraph."""
        return self._here().told()

    def executable(self) -> list[Said]:
        """The actions that can be done now."""
        return [self.actions[place] for place in self._can]

    def executable_places(self) -> list[int]:
        """The places of the executable actions among :attr:`actions`."""
        return list(self._can)

    def step(self, action: str | int | Said) -> bool:
        """Does an action, given as a term, in the words of :attr:`actions`, or by its place there.

        Returns False, and changes nothing, where it cannot be done now.

        Raises:
            UsageError: there is no such action in this world.
        """
        place = self._place(action)
        seen = self._here().act(place)
        if seen is None:
            return False
        self._true, self._can = seen
        self._plan.append(place)
        return True

    def holds(self, fluent: str) -> bool:
        """Is a fluent, given as a term, true now?"""
        return any(self.fluents[place].term == fluent for place in self._true)

    def questions(self) -> list[Asked]:
        """All that can be asked now, of prediction, with the answers."""
        return [Asked(**asked) for asked in json.loads(self._here().asked(None))]

    def ask(self, query: str) -> Asked | None:
        """The answer to a question, given as a term such as `clear(b1)`; None where it cannot be asked now."""
        asked = json.loads(self._here().asked(query))
        return Asked(**asked[0]) if asked else None

    def save(self) -> dict[str, Any]:
        """What :meth:`load` needs to go on from here."""
        return {"situation": self._situation, "plan": self.plan}

    def load(self, saved: Mapping[str, Any]) -> None:
        """Goes to where a simulator of the same arguments was saved."""
        self.reset(saved["situation"])
        for action in saved["plan"]:
            if not self.step(action):
                raise UsageError(f"the action {action} cannot be done; the state was saved in another world")

    def _place(self, action: str | int | Said) -> int:
        if isinstance(action, Said):
            action = action.term
        if isinstance(action, int):
            if 0 <= action < len(self.actions):
                return action
        else:
            place = self._places.get(action.replace(" ", ""))
            place = self._by_text.get(action.strip().rstrip(".").lower()) if place is None else place
            if place is not None:
                return place
        raise UsageError(f"`{action}` is no action of this world; Simulator.actions lists them")

    def _here(self) -> _native.ActingWorld:
        """The world; in a process that was forked off, it is made anew and brought to the same situation."""
        if not self._world.is_here():
            self._world = _native.ActingWorld(*self._made)
            self._world.begin(self._situation)
            for place in self._plan:
                self._world.act(place)
        return self._world

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._made, self.save())


def _again(made: tuple[Any, ...], saved: dict[str, Any]) -> Simulator:
    domain, level, seed, fixed, dirs = made
    simulator = Simulator(domain, level=level, seed=seed, set=fixed, domain_dir=dirs)
    simulator.load(saved)
    return simulator
