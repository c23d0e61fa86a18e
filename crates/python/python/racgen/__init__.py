"""racgen makes question-answer data sets about actions and change, with answers derived by the answer-set solver clingo.

    >>> import racgen
    >>> ds = racgen.dataset("dwr", level=(1, 3), depth=5, seed=0, items=10_000, split="train")
    >>> ds[0]["question"], ds[0]["answer"]
    >>> racgen.score_answer("So the answer is 2.", ds[0])

Adapters for other libraries are modules of their own, as `racgen.trl`, and need their library only when they are used.
"""

import os as _os
from importlib.metadata import PackageNotFoundError as _Missing
from importlib.metadata import version as _version

from racgen import _native, games, iq, rules
from racgen._dataset import Dataset, dataset
from racgen.commands import run
from racgen.curriculum import Curriculum
from racgen.domain import Domain, domains
from racgen.errors import MissingPackage, RacgenError, UsageError
from racgen.scoring import audit, score, score_answer, score_answers
from racgen.simulator import Simulator

try:
    __version__ = _version("racgen")
except _Missing:
    __version__ = "unknown"

# A process may fork while no native work is under way, as data loaders do.
if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(
        before=_native.before_fork, after_in_parent=_native.after_fork, after_in_child=_native.after_fork
    )

__all__ = [
    "Curriculum",
    "Dataset",
    "Domain",
    "MissingPackage",
    "RacgenError",
    "Simulator",
    "UsageError",
    "audit",
    "dataset",
    "domains",
    "games",
    "iq",
    "rules",
    "run",
    "score",
    "score_answer",
    "score_answers",
]
