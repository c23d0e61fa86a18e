"""racgen for Gymnasium: a goal to reach in a world of any domain, and HALMA's mazes of coloured digits.

import racgen.gymnasium
env = gymnasium.make("racgen/Domain-v0", domain="blocks", level=1)
env = gymnasium.make("racgen/Halma-v0")
"""

from __future__ import annotations

from typing import Any, SupportsFloat

from racgen import _native
from racgen.errors import missing
from racgen.options import Folders
from racgen.simulator import Said, Simulator

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
except ImportError:
    raise missing("gymnasium", "racgen.gymnasium") from None

#: Initial situations of a world that episodes begin in.
SITUATIONS = 64
#: How often another goal is looked for.
_TRIES = 50


class _ToldEnv(gymnasium.Env[Any, Any]):
    """An environment that is rendered as text."""

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(self, render_mode: str | None) -> None:
        self.render_mode = render_mode

    def render(self) -> str | None:
        return self._told() if self.render_mode == "ansi" else None

    def _told(self) -> str | None:
        """What is seen, as text; None before the first reset."""
        raise NotImplementedError


class DomainEnv(_ToldEnv):
    """A world of a domain, and a goal that some walk reaches: a few fluents, false at first, that are to be true together.

    Actions are the places of `simulator.actions`; one that cannot be done changes nothing. Observations are `state` and
    `goal`, each with a place for every fluent. The reward is 1 when the goal is reached, which ends the episode, and else
    0. `info["action_mask"]` (also `action_masks()`) says what can be done, and `info["goal"]` is the goal in English.

    Args:
        domain: a domain, or the folder of its package.
        level: N1 to N5 as 1 to 5.
        world: the seed of the layout, which all episodes share; `reset(seed=...)` draws initial situation and goal.
        goal_facts: fluents of a goal, at most.
        walk: actions of the walk that shows that the goal can be reached.
        max_steps: steps after which an episode is cut off.
    """

    def __init__(
        self,
        domain: str = "blocks",
        *,
        level: int = 1,
        world: int = 0,
        goal_facts: int = 2,
        walk: int = 8,
        max_steps: int = 50,
        set: dict[str, int] | None = None,
        domain_dir: Folders = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__(render_mode)
        self.simulator = Simulator(domain, level=level, seed=world, set=set, domain_dir=domain_dir)
        self._goal_facts, self._walk, self._max_steps = goal_facts, walk, max_steps
        self._goal: list[int] = []
        self._steps = 0
        fluents = len(self.simulator.fluents)
        self.action_space = spaces.Discrete(len(self.simulator.actions))
        self.observation_space = spaces.Dict(
            {"state": spaces.MultiBinary(fluents), "goal": spaces.MultiBinary(fluents)}
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        super().reset(seed=seed)
        self._steps = 0
        for _ in range(_TRIES):
            situation = int(self.np_random.integers(SITUATIONS))
            self._goal = self._goal_of_a_walk(situation)
            if self._goal:
                break
        else:
            raise RuntimeError(f"no goal was found within {self._walk} actions; give a longer walk")
        self.simulator.reset(situation)
        return self._seen(), self._info()

    def _goal_of_a_walk(self, situation: int) -> list[int]:
        """Fluents that are false in a situation and true together after a walk from it; none if the walk came back."""
        simulator = self.simulator
        simulator.reset(situation)
        before = set(simulator.state_places())
        for _ in range(self._walk):
            can = simulator.executable_places()
            if not can:
                break
            simulator.step(int(self.np_random.choice(can)))
        new = [place for place in simulator.state_places() if place not in before]
        own = [place for place in new if place in simulator.inertial_places()] or new
        if not own:
            return []
        chosen = self.np_random.choice(own, size=min(self._goal_facts, len(own)), replace=False)
        return sorted(int(place) for place in chosen)

    def step(self, action: int | np.int64) -> tuple[dict[str, Any], SupportsFloat, bool, bool, dict[str, Any]]:
        valid = self.simulator.step(int(action))
        self._steps += 1
        true = set(self.simulator.state_places())
        reached = all(place in true for place in self._goal)
        cut = self._steps >= self._max_steps and not reached
        return self._seen(), float(reached), reached, cut, {**self._info(), "valid": valid}

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """For each action, whether it can be done."""
        mask = np.zeros(len(self.simulator.actions), dtype=bool)
        mask[self.simulator.executable_places()] = True
        return mask

    @property
    def goal(self) -> list[Said]:
        """The fluents that are to be true."""
        return [self.simulator.fluents[place] for place in self._goal]

    def _told(self) -> str | None:
        return f"{self.simulator.text()}\nGoal: {'; '.join(map(str, self.goal))}."

    def _seen(self) -> dict[str, Any]:
        state, goal = (np.zeros(len(self.simulator.fluents), dtype=np.int8) for _ in range(2))
        state[self.simulator.state_places()] = 1
        goal[self._goal] = 1
        return {"state": state, "goal": goal}

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "goal": "; ".join(map(str, self.goal))}


class HalmaEnv(_ToldEnv):
    """A maze of HALMA (docs/halma.md), which is never shown: the panel is seen, a direction and an option are chosen.

    Observations are the eleven numbers of a panel, -9 to 9: walls, crossings, the goal's offset to the right and downwards,
    the hint. An action is a direction (left, up, right, down) and `max_option` numbers: primitives of 0 to 3 units, where 4
    ends the option. Rewards are the paper's. An episode ends after ten trials at the goal, and is cut off after 500
    steps. `reset(seed=...)` draws the maze, or `reset(options={"maze": 7})` names it.

    Args:
        split: mazes of `train` and `random` have branches of 2 cells on average, those of `test` of 5.
        set_seed: the seed of the mazes.
        mazes: how many mazes episodes take.
        max_option: the most primitives of an option: 1, 3 or 5.
    """

    def __init__(
        self,
        *,
        split: str = "train",
        set_seed: int = 0,
        mazes: int = 100,
        max_option: int = 5,
        render_mode: str | None = None,
    ) -> None:
        super().__init__(render_mode)
        self._split, self._set_seed, self._mazes, self._max_option = split, set_seed, mazes, max_option
        self._game: _native.MazeGame | None = None
        self.observation_space = spaces.Box(-9, 9, shape=(11,), dtype=np.int8)
        self.action_space = spaces.MultiDiscrete([4] + [5] * max_option)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(self._mazes))
        number = drawn if options is None else int(options.get("maze", drawn))
        self._game = _native.MazeGame(self._set_seed, self._split, number, self._max_option)
        return self._seen(), {"maze": number, "optimum": self._game.optimum()}

    def step(self, action: Any) -> tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]:
        game = self._game
        if game is None:
            raise RuntimeError("reset() comes before step()")
        direction, *option = (int(part) for part in action)
        primitives = option[: option.index(4)] if 4 in option else option
        # An option of no primitives is a move of no units.
        valid, reward, reached, trial_over, over = game.act(direction, primitives or [0])
        steps, trials, accomplished = game.counts()
        ended = over and accomplished >= 10
        info = {"valid": valid, "reached": reached, "trial_over": trial_over, "trials": trials, "steps": steps}
        return self._seen(), reward, ended, over and not ended, {**info, "accomplished": accomplished}

    def _told(self) -> str | None:
        return None if self._game is None else " ".join(map(str, self._game.symbols()))

    def _seen(self) -> Any:
        return np.array(self._game.symbols() if self._game else [0] * 11, dtype=np.int8)


for _name, _entry in (("racgen/Domain-v0", "DomainEnv"), ("racgen/Halma-v0", "HalmaEnv")):
    if _name not in gymnasium.registry:
        gymnasium.register(id=_name, entry_point=f"{__name__}:{_entry}")
