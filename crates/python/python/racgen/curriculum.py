"""A course from easy to hard: levels, depths and domains as knobs that success turns, in a stream that stays reproducible."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from racgen._dataset import Dataset, Row, dataset


class Curriculum:
    """Rows of a stage, and of the next one as soon as enough answers are right.

        >>> course = racgen.Curriculum([{"level": 1, "depth": 1}, {"level": 1, "depth": 3}, {"level": 2, "depth": 5}],
        ...                            domain="blocks", seed=0)
        >>> rows = iter(course)
        >>> row = next(rows)
        >>> course.tell(racgen.score_answer(answer, row))    # promotes by itself, or call promote()

    Which row comes when depends on the stages, the options and the history of promotions alone: :meth:`state` holds that
    history, and a curriculum of the same stages that loads it goes on with the same rows.

    Args:
        stages: options of :func:`racgen.dataset`, from easy to hard.
        threshold: the success rate that promotes.
        window: how many of the last answers it is taken over; at least so many must be told since the last promotion.
        options: options that all stages share.
    """

    def __init__(
        self, stages: Sequence[Mapping[str, Any]], *, threshold: float = 0.8, window: int = 200, **options: Any
    ) -> None:
        if not stages:
            raise ValueError("a curriculum needs at least one stage")
        self._stages = [{**options, **stage} for stage in stages]
        self._threshold = threshold
        self._window = window
        self._told: list[float] = []
        #: For each turn, the rows drawn before it and the stage that it led to.
        self._history: list[tuple[int, int]] = []
        self._stage = 0
        self._drawn = [0] * len(stages)
        self._streams: dict[int, Dataset] = {}

    @property
    def stage(self) -> int:
        """The place of the stage among all, from 0."""
        return self._stage

    @property
    def stages(self) -> list[dict[str, Any]]:
        """The options of all stages."""
        return [dict(stage) for stage in self._stages]

    @property
    def drawn(self) -> int:
        """How many rows were drawn in all."""
        return sum(self._drawn)

    @property
    def success(self) -> float:
        """The success rate over the window; 0.0 before anything was told."""
        recent = self._told[-self._window :]
        return sum(recent) / len(recent) if recent else 0.0

    @property
    def history(self) -> list[tuple[int, int]]:
        """For each promotion and demotion, the rows drawn before it and the stage that it led to."""
        return list(self._history)

    def tell(self, credit: float) -> bool:
        """Tells how an answer was; promotes where the success rate is high enough, and says whether it did."""
        self._told.append(float(credit))
        del self._told[: -self._window]
        return len(self._told) >= self._window and self.success >= self._threshold and self.promote()

    def promote(self) -> bool:
        """Goes to the next stage; False at the last one."""
        return self._go(self._stage + 1)

    def demote(self) -> bool:
        """Goes back to the stage before; False at the first one."""
        return self._go(self._stage - 1)

    def _go(self, stage: int) -> bool:
        if not 0 <= stage < len(self._stages):
            return False
        self._history.append((self.drawn, stage))
        self._stage = stage
        self._told.clear()
        return True

    def __iter__(self) -> Iterator[Row]:
        return self

    def __next__(self) -> Row:
        place, stage = self._drawn[self._stage], self._stage
        self._drawn[stage] += 1
        return self._stream(stage)[place]

    def _stream(self, stage: int) -> Dataset:
        if stage not in self._streams:
            self._streams[stage] = dataset(**{**self._stages[stage], "items": None})
        return self._streams[stage]

    def state(self) -> dict[str, Any]:
        """All that is needed to go on: the history of promotions, the rows drawn, and what was told last. It is plain JSON."""
        return {
            "stage": self._stage,
            "drawn": list(self._drawn),
            "history": [list(turn) for turn in self._history],
            "told": list(self._told),
        }

    def load(self, state: Mapping[str, Any]) -> None:
        """Goes on where a curriculum of the same stages was saved."""
        if len(state["drawn"]) != len(self._stages):
            raise ValueError(f"the state is of {len(state['drawn'])} stages, and there are {len(self._stages)}")
        self._stage = state["stage"]
        self._drawn = list(state["drawn"])
        self._history = [(drawn, stage) for drawn, stage in state["history"]]
        self._told = list(state["told"])
