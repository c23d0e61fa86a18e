"""racgen for reasoning-gym: a data set `racgen_DOMAIN` for each domain, with its judge and a curriculum over level and depth.

    import racgen.reasoning_gym
    data = reasoning_gym.create_dataset("racgen_dwr", min_depth=2, max_depth=5, seed=1, size=1000, split="train")

Splits share no world, whatever the seeds are: train on `split="train"`, validate on `split="test"`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, make_dataclass
from typing import Any

from racgen._dataset import dataset
from racgen.domain import domains
from racgen.errors import missing
from racgen.prompts import prompt
from racgen.scoring import score_answer

try:
    from reasoning_gym.coaching import BaseCurriculum, RangeAttributeDefinition
    from reasoning_gym.dataset import ProceduralDataset
    from reasoning_gym.factory import DATASETS, register_dataset
except ImportError:
    raise missing("reasoning-gym", "racgen.reasoning_gym") from None

#: The depths that a curriculum goes through.
DEPTHS = [1, 2, 3, 5, 8, 12, 20]


@dataclass
class RacgenConfig:
    """What a data set asks; the names are those of :func:`racgen.dataset` where they are the same."""

    domain: str = "blocks"
    min_level: int = 1
    max_level: int = 1
    min_depth: int = 1
    max_depth: int = 3
    seed: int | None = None
    size: int = 500
    split: str = "train"
    #: Give lists that are not right their F1.
    partial: bool = False
    #: Further options of racgen.dataset.
    options: dict[str, Any] = field(default_factory=dict)

    def validate(self) -> None:
        assert 1 <= self.min_level <= self.max_level <= 5, "levels are 1 to 5, min_level up to max_level"
        assert 0 <= self.min_depth <= self.max_depth, "depths are 0 or more, min_depth up to max_depth"


class RacgenDataset(ProceduralDataset):
    """Rows of a stream without end, of which `size` are counted."""

    def __init__(self, config: RacgenConfig) -> None:
        super().__init__(config=config, seed=config.seed, size=config.size)
        self._rows = dataset(
            config.domain,
            level=range(config.min_level, config.max_level + 1),
            depth=range(config.min_depth, config.max_depth + 1),
            items=None,
            split=config.split,
            seed=self.seed,
            **config.options,
        )

    @property
    def category(self) -> str:
        return "racgen"

    def __getitem__(self, idx: int) -> dict[str, Any]:
        row = self._rows[idx]
        return {
            "question": prompt(row),
            "answer": row["answer"],
            "metadata": {
                "source_dataset": f"racgen_{self.config.domain}",
                "source_index": idx,
                "row": row,
                "difficulty": {
                    "level": (self.config.min_level, self.config.max_level),
                    "depth": (self.config.min_depth, self.config.max_depth),
                },
            },
        }

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """The credit of racgen's judges."""
        if not answer:
            return 0.0
        return score_answer(answer, entry["metadata"]["row"], partial=self.config.partial)


class RacgenCurriculum(BaseCurriculum):
    """Level and depth, from easy to hard."""

    def __init__(self, config: type[RacgenConfig] = RacgenConfig) -> None:
        super().__init__(type(self).__name__, config)
        self._define_attributes(
            RangeAttributeDefinition(
                name="level",
                levels=[1, 2, 3, 4, 5],
                description="complexity of the world",
                lower_field_name="min_level",
                upper_field_name="max_level",
            ),
            RangeAttributeDefinition(
                name="depth",
                levels=DEPTHS,
                description="number of actions",
                lower_field_name="min_depth",
                upper_field_name="max_depth",
            ),
        )


def _register(domain: str) -> None:
    """Registers the data set and the curriculum of a domain."""
    name = f"racgen_{domain}"
    if name in DATASETS:
        return
    config = make_dataclass(f"RacgenConfig_{domain}", [("domain", str, domain)], bases=(RacgenConfig,))

    class Course(RacgenCurriculum):
        def __init__(self) -> None:
            super().__init__(config)

    register_dataset(name, RacgenDataset, config, Course)


for _found in domains():
    _register(_found["domain"])
