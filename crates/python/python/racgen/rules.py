"""Rule sets with facts to learn them from (after RuDaS), questions about them, and scores of learned rules.

    >>> data = racgen.rules.make(category="rdg", size="S", depth=3, seed=1)
    >>> data.rules
    >>> racgen.rules.score(data.rules, learned=data.rules[:-1], support=data.eval_support)[0]["overall"]["f1"]

All of it runs in this process; `racgen.run("rules", ..., out="rdg")` writes a data set's folder, for Prolog and learners.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from racgen import _native
from racgen._dataset import Row
from racgen.options import Weights, weights

#: A file of rules or facts, or the rules or facts themselves.
Clauses = str | os.PathLike[str] | Iterable[str]

#: A number, a range as `(2, 4)` or `"2-4"`.
Span = int | float | str | tuple[float, float]


@dataclass(frozen=True)
class RuleSet:
    """Rules, and facts to learn them from and to evaluate them on; all of them as texts such as `p1(c4,c7)`."""

    #: The rules: `p0(X0,X1) :- p1(X0,X2),p2(X2,X1).`
    rules: list[str]
    #: The predicates at the roots of the rule graphs.
    targets: list[str]
    #: Training facts and those taken out of them: `fact`, `provenance`, `depth` of the proof (-1 for noise), `in_train`.
    train: list[dict[str, Any]]
    #: Support facts of the evaluation.
    eval_support: list[str]
    #: What follows from them: `fact`, `depth`.
    eval_derived: list[dict[str, Any]]
    #: What became of the open-world degree and of noise.
    degrees: dict[str, Any]
    #: All that decided the data set.
    settings: dict[str, Any]
    #: The command that makes the same data set.
    command: str

    @property
    def train_facts(self) -> list[str]:
        """The facts of the training set."""
        return [traced["fact"] for traced in self.train if traced["in_train"]]


def _options(
    category: str = "chain",
    *,
    size: str = "XS",
    facts: int | None = None,
    depth: int = 2,
    recursive: bool = False,
    components: Span | None = None,
    shared_target: bool = False,
    rules: Span | None = None,
    max_length: int = 2,
    arity: Span = 2,
    predicates: int | None = None,
    constants: int | None = None,
    max_or: int = 2,
    terms: Weights | None = None,
    open_world: Span = 0.3,
    missing: Span = 0.15,
    noise: Span = 0.2,
    targets: str = "separate",
    full_every: int = 3,
    skip: int = 5,
    eval_support: int | None = None,
    seed: int = 0,
) -> str:
    """The parameters of rules as the module takes them."""

    def span(given: Span | None) -> str | None:
        return None if given is None else "-".join(map(str, given)) if isinstance(given, tuple) else str(given)

    options = {
        "category": category,
        "size": size.upper(),
        "facts": facts,
        "depth": depth,
        "recursive": recursive,
        "components": span(components),
        "shared_target": shared_target,
        "rules": span(rules),
        "max_length": max_length,
        "arity": span(arity),
        "predicates": predicates,
        "constants": constants,
        "max_or": max_or,
        "terms": weights(terms),
        "open_world": span(open_world),
        "missing": span(missing),
        "noise": span(noise),
        "targets": targets,
        "full_every": full_every,
        "skip": skip,
        "eval_support": eval_support,
        "seed": seed,
    }
    return json.dumps({name: value for name, value in options.items() if value is not None})


def make(category: str = "chain", **options: Any) -> RuleSet:
    """A rule set with its facts, as `racgen rules` makes it.

    Args:
        category: `chain`, `rdg`, `drdg` or `mixed`.
        options: those of the command line (`racgen rules --help`), with `_` within names: `size`, `facts`, `depth`, `recursive`,
            `components`, `shared_target`, `rules`, `max_length`, `arity`, `predicates`, `constants`, `max_or`, `terms`,
            `open_world`, `missing`, `noise`, `targets`, `full_every`, `skip`, `eval_support`, `seed`. Ranges may be pairs.

    Raises:
        UsageError: parameters that make no sense, or that no rule set met.
    """
    return RuleSet(**json.loads(_native.rule_set(_options(category, **options))))


def items(category: str = "chain", *, items: int = 1000, threads: int = 0, **options: Any) -> list[Row]:
    """Questions in plain language about rules and facts, as `racgen rules items` writes them: the rows of all splits.

    There are `items` of them at least, since each story is told with all its questions. The other options are those of
    :func:`make`.
    """
    lines = _native.rule_items(_options(category, **options), items, threads)
    return [json.loads(line) for line in lines]


def score(
    original: Clauses,
    learned: Clauses | Mapping[str, Clauses],
    support: Clauses,
    *,
    relations: str | os.PathLike[str] | None = None,
    allow_unknown: bool = False,
    universe: str = "strict",
    syntax: str = "auto",
    threshold: float | None = None,
    most_facts: int = 5_000_000,
) -> list[dict[str, Any]]:
    """How close learned rules come to the original ones, as `racgen rules score` measures it; clingo derives what follows.

    Rules and facts are files, or lists of texts. The options are those of the command line.

    Returns:
        One dictionary a learned rule set: `name`, `overall` with the measures (`f1`, `herbrand_score`, ...), `predicates` with
        those of each predicate, `equivalent`, and how well the rules match (`rules`).
    """
    with tempfile.TemporaryDirectory() as folder:

        def file(given: Clauses, name: str) -> Path:
            if isinstance(given, (str, os.PathLike)):
                return Path(given)
            written = Path(folder) / name
            # A fact may stand without its full stop.
            written.write_text("".join(f"{clause.strip().rstrip('.')}.\n" for clause in given), encoding="utf-8")
            return written

        several = learned if isinstance(learned, Mapping) else {_name(learned): learned}
        files = [(name, file(given, f"learned-{place}.txt")) for place, (name, given) in enumerate(several.items())]
        scoring = {
            "universe": universe,
            "syntax": syntax,
            "threshold": threshold,
            "most_facts": most_facts,
            "allow_unknown": allow_unknown,
        }
        told = _native.score_rule_files(
            file(original, "original.txt"),
            file(support, "support.txt"),
            files,
            None if relations is None else Path(relations),
            json.dumps(scoring),
        )
    return json.loads(told)  # type: ignore[no-any-return]


def _name(given: Clauses) -> str:
    """What learned rules without a name are called."""
    return Path(given).stem if isinstance(given, (str, os.PathLike)) else "learned"
