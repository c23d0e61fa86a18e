"""Games that nobody chose: sampled by their complexity, learned and then played for a value, as `racgen iq run` has agents do it.

    >>> game = racgen.iq.SampledGame(3, seed=1)
    >>> while seen := game.observation:
    ...     if seen.phase == "learning" and seen.episode == 2:
    ...         game.switch()
    ...     else:
    ...         game.step(agent.choose(seen))
    >>> game.result.value

Game number n of a seed is the one that the command plays with the same options, and the trial is the command's, so that the
same decisions have the same value (docs/iq.md).
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from racgen import _native
from racgen.errors import UsageError


@dataclass(frozen=True)
class Observation:
    """What an agent is told where it has to decide; the fields are those of the lines that programs read."""

    #: The state: its fluents in the notation of the rules, or with `text=True` in English.
    state: str
    #: The legal moves.
    legal: tuple[str, ...]
    #: What was earned since the last decision; the rewards of an episode sum to its goal, from 0 to 1.
    reward: float
    #: Did an episode end since then?
    ended: bool
    #: `learning`, or after the switch `evaluation`.
    phase: str
    #: The episode of this phase, and its step, both from 0.
    episode: int
    step: int
    #: Steps that are left of the budget.
    left: int


@dataclass(frozen=True)
class TrialResult:
    """How a trial ended."""

    #: V, from 0 to 1: the mean reward of the episodes completed after the switch; 0 without a switch.
    value: float
    switched: bool
    #: Episodes that were completed before the switch, and after it.
    learned: int
    evaluated: int
    #: Standard deviation of the rewards of the latter.
    deviation: float
    #: Steps of the game, and those that count against the budget.
    steps: int
    spent: int
    #: Steps that the game went on without the agent, and those of them that were random.
    passes: int
    random_passes: int


class SampledGame:
    """A sampled game to learn and to play: the agents' interface of `racgen iq`, in this process.

    A trial has a budget of steps. The agent learns as long as it likes, then switches, once and for all: the game begins anew,
    and what is earned counts from there on. With one legal move nobody is asked, but for the start of an episode.

    Args:
        number: which game of the sample, from 0.
        seed, choice, tau0: how games are drawn, as on the command line (`racgen iq run --help`); choice is `all`, `solo` or
            `duel`.
        steps: the budget, in steps of the game. In the schedule of `racgen iq run` most games have 64, some twice as many and more.
        pace_time: milliseconds of thought after which the game goes on without the agent; None waits for it.
        text: tell states and rules in English.
        name: what the agent is called. It has a part in the adversary's random numbers, and the command's program is `program`.

    Raises:
        UsageError: options that make no sense.
    """

    def __init__(
        self,
        number: int,
        *,
        seed: int = 0,
        choice: str = "all",
        tau0: float = 1024.0,
        steps: int = 64,
        pace_time: int | None = None,
        text: bool = False,
        name: str = "program",
    ) -> None:
        self._made: dict[str, Any] = {
            "number": number, "seed": seed, "choice": choice, "tau0": tau0, "steps": steps,
            "pace_time": pace_time or 0, "text": text, "name": name,
        }  # fmt: skip
        self._trial = _native.SampledTrial(json.dumps(self._made))
        shape = json.loads(self._trial.shape())
        #: What its files are called; the same wherever its derivation is drawn.
        self.id: str = shape["id"]
        #: What it is, in a few words.
        self.kind: str = shape["kind"]
        #: The bits of its derivation, and their number l.
        self.derivation: str = shape["derivation"]
        self.length: int = shape["length"]
        #: Mean ticks of a random episode.
        self.tau: float = shape["tau"]
        #: K = l + log2 max(tau, tau0), in bits.
        self.complexity: float = shape["complexity"]
        #: One player or two, the agent's role, and who has the other: `random`, `greedy`, `playouts`, or nobody.
        self.players: int = shape["players"]
        self.role: str = shape["role"]
        self.opponent: str | None = shape["opponent"]
        #: The rules as a game of their own (`racgen.games.Game(text=game.kif)`), and as the agent may be told them.
        self.kif: str = shape["kif"]
        self.rules: str = shape["rules"]
        #: The budget.
        self.steps = steps
        self._broken = False
        self.reset()

    def reset(self) -> Observation | None:
        """Begins the trial anew, with nothing learned; returns what is seen."""
        self._decisions: list[tuple[int | None, int]] = []
        return self._news(self._trial_here().begin())

    @property
    def observation(self) -> Observation | None:
        """What the agent sees; None where the trial is over."""
        return self._seen

    @property
    def result(self) -> TrialResult | None:
        """How the trial ended; None before."""
        return self._result

    def step(self, move: str | int) -> Observation | None:
        """Makes a legal move, given as a text or by its place among them; returns what is seen next.

        Raises:
            UsageError: a move that is none, a trial that is over; all stays as it is. (A program would lose the game.)
        """
        seen = self._open()
        try:
            place = seen.legal.index(move.strip()) if isinstance(move, str) else range(len(seen.legal))[move]
        except (ValueError, IndexError):
            can = ", ".join(seen.legal)
            raise UsageError(f"`{move}` is no legal move; there are {can}") from None
        return self._decide(place)

    def switch(self) -> Observation | None:
        """Is evaluated from now on. The game begins anew, and what was earned is forgotten.

        Raises:
            UsageError: the agent has switched before; the trial is over.
        """
        if self._open().phase == "evaluation":
            raise UsageError("the agent has switched already, and that cannot be taken back")
        return self._decide(None)

    def save(self) -> dict[str, Any]:
        """What :meth:`load` needs to go on from here; plain JSON."""
        return {"options": dict(self._made), "decisions": [list(decision) for decision in self._decisions]}

    @classmethod
    def load(cls, saved: Mapping[str, Any]) -> SampledGame:
        """The trial as it was saved."""
        options = dict(saved["options"])
        game = cls(options.pop("number"), **options)
        for place, elapsed in saved["decisions"]:
            game._decide(place, elapsed)
        return game

    def __reduce__(self) -> tuple[Any, ...]:
        return SampledGame.load, (self.save(),)

    def __repr__(self) -> str:
        return f"<racgen.iq.SampledGame {self.id}: {self.kind}>"

    def _open(self) -> Observation:
        if self._seen is None:
            raise UsageError("the trial is over; begin anew with reset()")
        return self._seen

    def _decide(self, place: int | None, elapsed: int | None = None) -> Observation | None:
        if elapsed is None:
            elapsed = int(1000 * (time.monotonic() - self._asked))
        trial = self._trial_here()
        try:
            news = trial.choose(place, elapsed)
        except BaseException:
            # After Ctrl-C the thread may be anywhere.
            self._broken = True
            raise
        self._decisions.append((place, elapsed))
        return self._news(news)

    def _news(self, news: tuple[str | None, str | None]) -> Observation | None:
        seen, over = (json.loads(text) if text else None for text in news)
        self._seen: Observation | None = None
        self._result: TrialResult | None = None
        if seen:
            self._seen = Observation(**{**seen, "legal": tuple(seen["legal"])})
        if over:
            # What loses a game is an exception here.
            over.pop("lost")
            self._result = TrialResult(**over)
        self._asked = time.monotonic()
        return self._seen

    def _trial_here(self) -> _native.SampledTrial:
        """The trial; in a process that was forked off, it is made anew and brought to the same state."""
        if self._broken or not self._trial.is_here():
            self._broken = False
            self._trial = _native.SampledTrial(json.dumps(self._made))
            self._trial.begin()
            for place, elapsed in self._decisions:
                self._trial.choose(place, elapsed)
        return self._trial
