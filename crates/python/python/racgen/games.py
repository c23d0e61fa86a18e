"""Games of the Game Description Language: matches to act in, what a game consists of, and questions about its states.

    >>> game = racgen.games.Game("tic_tac_toe")
    >>> while not game.terminal:
    ...     game.step({role: game.legal(role)[0] for role in game.roles})
    >>> game.rewards()
    {'o': 0, 'x': 100}

Games are names of those that come with racgen, files, or texts (`Game(text=...)`), so that games that are made by a program are
played as well. All of it runs in this process; `racgen.run("games", ...)` writes tasks of games into folders.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from racgen import _native
from racgen._dataset import Row
from racgen.errors import RacgenError, UsageError
from racgen.options import Values, Weights, values, weights

#: A game: the name of one that comes with racgen, or a file.
Named = str | os.PathLike[str]


@dataclass(frozen=True)
class Move:
    """A move that a role can make, and the clause that says it."""

    role: str
    term: str
    text: str

    def __str__(self) -> str:
        return self.text


class Game:
    """A match of a game to act in: all roles move at once, one move each. clingo's grounding of the rules says what follows.

    Args:
        game: the name of a game that comes with racgen, or a file; with `text`, what to call it.
        text: the rules themselves.
        generic: tell the game in flat terms, also where there is a phrase book.
        time_limit: seconds that grounding may take; a game that takes more is grounded step by step.

    Raises:
        UsageError: no such game; faults of its rules, with line and column.
    """

    def __init__(
        self, game: Named = "game", *, text: str | None = None, generic: bool = False, time_limit: float = 60.0
    ) -> None:
        self._made = (os.fspath(game), text, generic, time_limit)
        self._match = _native.GameMatch(*self._made)
        shape = json.loads(self._match.shape())
        self.name: str = shape["name"]
        #: Who plays.
        self.roles: list[str] = shape["roles"]
        #: What is so in every state, as terms.
        self.facts: list[str] = shape["facts"]
        #: All fluents that a state may have; None where the game is too large to be grounded as a whole.
        self.fluents: list[str] | None = shape["fluents"]
        #: All moves that a role may ever have, as role and move; None as above.
        self.moves: list[tuple[str, str]] | None = shape["moves"] and [(role, move) for role, move in shape["moves"]]
        #: The rules as a paragraph.
        self.rules: str = shape["rules"]
        self.reset()

    def reset(self) -> list[str]:
        """Begins anew; returns the state."""
        self._plan: list[dict[str, str]] = []
        self._seen = json.loads(self._here().begin())
        return self.state()

    def state(self) -> list[str]:
        """The fluents that hold, as terms."""
        return list(self._seen["fluents"])

    def legal(self, role: str | None = None) -> list[Move]:
        """What a role can do now, or all of them; nothing after the end."""
        if role is not None and role not in self.roles:
            raise UsageError(f"there is no role `{role}`; there are {', '.join(self.roles)}")
        moves = (Move(**move) for move in self._seen["legal"])
        return [move for move in moves if role is None or move.role == role]

    @property
    def terminal(self) -> bool:
        """Is the match over?"""
        return bool(self._seen["terminal"])

    def rewards(self) -> dict[str, int]:
        """The goal values that hold now, by role; they count at the end."""
        return {role: int(value) for role, value in self._seen["goals"]}

    @property
    def plan(self) -> list[dict[str, str]]:
        """The moves that were made since the beginning: of each step, the moves by role."""
        return [dict(step) for step in self._plan]

    def text(self) -> str:
        """The state as a paragraph."""
        return self._here().told()

    def step(self, moves: Mapping[str, str | Move] | str | Move) -> list[str]:
        """Makes a move for each role, and returns the state that follows.

        Moves are given by role, as terms, in the words of :meth:`legal`, or as it returns them. A role with one move only
        need not be named; where one role has a choice, its move alone will do.

        Raises:
            UsageError: a move that cannot be made, a role that has a choice and is not named, a match that is over; all
                stays as it is.
        """
        if isinstance(moves, Move):
            moves = {moves.role: moves}
        elif isinstance(moves, str):
            can = self.legal()
            several = [role for role in self.roles if sum(move.role == role for move in can) > 1]
            if len(several) > 1:
                raise UsageError(f"{', '.join(several)} have a choice each; give their moves by role")
            # Where nobody has a choice, the move says whose it is.
            meant = [move.role for move in can if moves in (move.term, move.text)]
            moves = {(several or meant or self.roles)[0]: moves}
        given = {role: move.term if isinstance(move, Move) else move for role, move in moves.items()}
        self._seen = json.loads(self._here().act(list(given.items())))
        self._plan.append(given)
        return self.state()

    def random_moves(self, dice: random.Random) -> dict[str, Move]:
        """A move of each role, drawn among the legal ones.

        Raises:
            RacgenError: a role has none.
        """
        drawn = {}
        for role in self.roles:
            can = self.legal(role)
            if not can:
                raise RacgenError(f"`{role}` has no legal move")
            drawn[role] = dice.choice(can)
        return drawn

    def save(self) -> dict[str, Any]:
        """What :meth:`load` needs to go on from here; plain JSON."""
        return {"plan": self.plan}

    def load(self, saved: Mapping[str, Any]) -> None:
        """Goes to where a match of the same game was saved."""
        self.reset()
        for step in saved["plan"]:
            self.step(step)

    def _here(self) -> _native.GameMatch:
        """The match; in a process that was forked off, it is made anew and brought to the same state."""
        if not self._match.is_here():
            self._match = _native.GameMatch(*self._made)
            for step in self._plan:
                self._match.act(list(step.items()))
        return self._match

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._made, self.save())


def _again(made: tuple[str, str | None, bool, float], saved: dict[str, Any]) -> Game:
    name, text, generic, time_limit = made
    game = Game(name, text=text, generic=generic, time_limit=time_limit)
    game.load(saved)
    return game


def names() -> list[str]:
    """The games that come with racgen."""
    return [PurePosixPath(file).stem for file, _ in _native.own_game_texts()]


def rules(name: str) -> str:
    """The rules of a game that comes with racgen.

    Raises:
        UsageError: there is none of that name.
    """
    for file, text in _native.own_game_texts():
        if PurePosixPath(file).stem == name:
            return text
    raise UsageError(f"no game called `{name}` comes with racgen; there are {', '.join(names())}")


def check(game: Named = "game", *, text: str | None = None, time_limit: float = 20.0) -> dict[str, Any]:
    """What is wrong with a game, and what it consists of, as `racgen games check` finds it.

    Faults are no exception, unless the text is no GDL at all: look at `errors` and `warnings`. Where there are no errors, there
    are `roles` and, unless the game is too large to be grounded as a whole (`obstacle` says why), the numbers of `fluents`,
    `moves`, `goals` and `statics`.
    """
    return json.loads(_native.check_game(os.fspath(game), text, time_limit))  # type: ignore[no-any-return]


def types(game: Named = "game", *, text: str | None = None, time_limit: float = 60.0) -> str:
    """The types inferred from a game's rules, as `racgen games types` prints them."""
    return _native.game_types(os.fspath(game), text, time_limit)


def items(
    games: Named | Iterable[Named],
    *,
    items: int = 1000,
    depth: Values = "0-1",
    mix: Weights | None = None,
    splits: Weights | None = None,
    seed: int = 0,
    traces: int = 1000,
    steps: int = 100,
    play: str = "random",
    generic: bool = False,
    judge: int = 25,
    threads: int = 0,
    time_limit: float = 600.0,
    memory_limit: int = 4096,
) -> list[Row]:
    """Questions about states of games, as `racgen games items` writes them: the rows of all splits, in the order of its files.

    The options have the names and the meaning that they have on the command line (`racgen games items --help`).

    Raises:
        UsageError: options that make no sense; no such game; faults of its rules or phrase book.
        RacgenError: a game that reaches a limit.
    """
    asked = [games] if isinstance(games, (str, os.PathLike)) else list(games)
    options = {
        "games": [os.fspath(game) for game in asked],
        "items": items,
        "depth": values(depth),
        "mix": weights(mix),
        "splits": weights(splits),
        "seed": seed,
        "traces": traces,
        "steps": steps,
        "play": play,
        "generic": generic,
        "judge": judge,
    }
    given = {name: value for name, value in options.items() if value is not None}
    lines = _native.game_items(json.dumps(given), threads, time_limit, memory_limit)
    return [json.loads(line) for line in lines]
