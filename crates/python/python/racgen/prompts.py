"""Rows to what a model is given: one text, or a chat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from racgen import _native

#: Columns that judging an answer reads; data sets for training keep them beside the prompt.
JUDGED = (
    "answer_type", "question", "answer", "domain", "level", "objects", "facts", "plan", "query", "gold", "template",
)  # fmt: skip


def instruction(row: Mapping[str, Any]) -> str:
    """What a model is told to say, as in the system message of `--style messages`."""
    return _native.instruction(row["answer_type"], bool(row.get("rationale")))


def prompt(row: Mapping[str, Any]) -> str:
    """Context and question as one text, as in `--style prompt_completion`."""
    return f"{row['context']}\n\n{row['question']}"


def chat(row: Mapping[str, Any]) -> list[dict[str, str]]:
    """Task (system), context and question (user) as chat messages, as in `--style messages`."""
    return [{"role": "system", "content": instruction(row)}, {"role": "user", "content": prompt(row)}]


def judged(row: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of a row that judging an answer reads."""
    return {name: row[name] for name in JUDGED}


def said(completion: Any) -> str:
    """The text of a completion: itself, or what the last message of a chat says."""
    if isinstance(completion, str):
        return completion
    return str(completion[-1]["content"]) if completion else ""
