"""Answers to credits, and files of predictions and of data to scores and reports."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from racgen import _native
from racgen._progress import progress
from racgen.options import Folders, Weights, folders, weights
from racgen.prompts import JUDGED


def _plain(value: Any) -> Any:
    """Arrays of other libraries as lists."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"a column holds a {type(value).__name__}, which no row of racgen has")


def score_answer(answer: str, entry: Mapping[str, Any], *, partial: bool = False, domain_dir: Folders = None) -> float:
    """1.0 if a model's text answers the row rightly, else 0.0.

    The final answer is taken out of the text as `racgen score` does it: from a box or tag, behind "the answer is", or said in
    so many words. Lists count in any order, statements and actions in any phrasing of the domain's phrase book, and plans
    are carried out by clingo.

    Args:
        answer: what the model printed.
        entry: a row of racgen, as `ds[i]`, or as any reader of its files gives it.
        partial: give lists that are not right their F1 against the right one.
        domain_dir: folders with packages of domains that are not built in.

    Raises:
        UsageError: an entry that lacks a column which judging needs.
    """
    return score_answers([answer], [entry], partial=partial, domain_dir=domain_dir)[0]


def score_answers(
    answers: Sequence[str],
    entries: Sequence[Mapping[str, Any]],
    *,
    partial: bool = False,
    domain_dir: Folders = None,
) -> list[float]:
    """As :func:`score_answer`, for many at once."""
    if len(answers) != len(entries):
        raise ValueError(f"there are {len(answers)} answers for {len(entries)} entries")

    def text(entry: Mapping[str, Any]) -> str:
        return json.dumps({name: entry[name] for name in JUDGED if name in entry}, default=_plain)

    return _native.score_answers(list(answers), [text(entry) for entry in entries], partial, folders(domain_dir))


def score(
    predictions: str | os.PathLike[str] | Mapping[str, str | os.PathLike[str]] | Iterable[str | os.PathLike[str]],
    gold: str | os.PathLike[str],
    *,
    id: str = "id",
    prediction: str = "prediction",
    baselines: bool = True,
    domain_dir: Folders = None,
) -> list[dict[str, Any]]:
    """The scores of files of predictions against a data set, as `racgen score` works them out.

    Args:
        predictions: a file (.jsonl, .csv, .parquet), several, or several by name.
        gold: the folder of the data set.
        id: the column of ids.
        prediction: the column of predictions.
        baselines: add what guessing would give.

    Returns:
        One dictionary a file and baseline: `name`, `missing`, `unknown`, and `groups`, in which each way of grouping
        (`all`, `type`, `level`, ...) has its groups with `accuracy`, `low`, `high`, `right` and `items`.
    """
    if isinstance(predictions, Mapping):
        named = [(name, Path(path)) for name, path in predictions.items()]
    else:
        listed = [predictions] if isinstance(predictions, (str, os.PathLike)) else list(predictions)
        named = [(Path(path).stem, Path(path)) for path in listed]
    scores = _native.score_files(named, Path(gold), id, prediction, baselines, folders(domain_dir))
    return json.loads(scores)  # type: ignore[no-any-return]


def audit(
    data: str | os.PathLike[str],
    *,
    sample: float = 1.0,
    against: str | os.PathLike[str] | None = None,
    format_map: str | os.PathLike[str] | None = None,
    threshold: Weights | None = None,
    out: str | os.PathLike[str] | None = None,
    threads: int = 0,
    time_limit: float = 60.0,
    memory_limit: int | None = None,
    domain_dir: Folders = None,
    quiet: bool = False,
) -> dict[str, Any]:
    """The report of an audit, as `racgen audit` writes it to audit.json: every text is read back, clingo answers anew, and
    shortcuts and leaks are looked for.

    Faults of the items are no exception: look at `report["pass"]` and `report["verdict"]`. With `out`, audit.json and
    audit.html are written there; else nothing is. Where tqdm is installed, a bar shows how far it is, unless `quiet`.
    """

    def path(given: str | os.PathLike[str] | None) -> str | None:
        return None if given is None else os.fspath(given)

    changed = weights(threshold)
    options = {
        "data": os.fspath(data),
        "sample": sample,
        "against": path(against),
        "format_map": path(format_map),
        "threshold": changed.split(",") if changed else [],
        "out": path(out),
        "threads": threads,
        "time_limit": time_limit,
        "memory_limit": memory_limit,
        "domain_dir": [os.fspath(folder) for folder in folders(domain_dir)],
    }
    with progress(" items", quiet) as bar:
        return json.loads(_native.audit_data(json.dumps(options), bar))  # type: ignore[no-any-return]
