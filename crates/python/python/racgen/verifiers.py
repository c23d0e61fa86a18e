"""racgen for verifiers: a taskset of rows, without end unless `items` says otherwise, whose reward is racgen's judge.

    taskset = racgen.verifiers.RacgenTaskset(racgen.verifiers.RacgenConfig(domain="blocks", depth="1-3"))

On its command line the taskset is called `racgen-verifiers`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from racgen._dataset import dataset
from racgen.errors import missing
from racgen.prompts import instruction, judged, prompt
from racgen.scoring import score_answer

try:
    import verifiers.v1 as vf
except ImportError:
    raise missing("verifiers", "racgen.verifiers") from None

__all__ = ["RacgenTaskset"]


class RacgenTaskConfig(vf.TaskConfig):
    """How answers are judged."""

    #: Give lists that are not right their F1.
    partial: bool = False


class RacgenConfig(vf.TasksetConfig):
    """What is asked; the names are those of :func:`racgen.dataset`."""

    id: str = "racgen-verifiers"
    domain: str = "blocks"
    level: str = "1"
    depth: str = "1-3"
    seed: int = 0
    split: str = "train"
    #: Rows over all splits; None for a stream without end.
    items: int | None = None
    #: Further options.
    options: dict[str, Any] = {}
    task: RacgenTaskConfig = RacgenTaskConfig()


class RacgenData(vf.TaskData):
    """A row: what judging it needs."""

    row: dict[str, Any]


class RacgenTask(vf.Task[RacgenData, vf.State, RacgenTaskConfig]):
    """A question to answer."""

    @property
    def key(self) -> str:
        return str(self.data.id)

    @vf.reward
    async def right(self, task: RacgenData, trace: vf.Trace[Any, Any, Any]) -> float:
        """1.0 if the last reply answers the row rightly."""
        return score_answer(trace.last_reply, task.row, partial=self.config.partial)


class RacgenTaskset(vf.Taskset[RacgenTask, RacgenConfig]):
    """Rows as tasks."""

    INFINITE = True

    @property
    def bounded(self) -> bool:
        return self.config.items is not None if self._bounded is None else self._bounded

    def load(self) -> Iterator[RacgenTask]:
        asked = self.config
        rows = dataset(
            asked.domain,
            level=asked.level,
            depth=asked.depth,
            seed=asked.seed,
            split=asked.split,
            items=asked.items,
            **asked.options,
        )
        for number, row in zip(itertools.count(), rows):
            data = RacgenData(
                id=row["id"],
                name=f"{row['domain']}#{number}",
                prompt=prompt(row),
                system_prompt=instruction(row),
                row=judged(row),
            )
            yield RacgenTask(data, asked.task)
