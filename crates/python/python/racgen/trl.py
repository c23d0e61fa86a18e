"""racgen for TRL: prompts for GRPOTrainer, and its reward function.

trainer = GRPOTrainer(model=..., reward_funcs=racgen.trl.reward, train_dataset=racgen.trl.prompts(ds), args=...)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from racgen._dataset import Dataset
from racgen.errors import missing
from racgen.options import Folders
from racgen.prompts import JUDGED, chat, judged, prompt, said
from racgen.scoring import score_answers

if TYPE_CHECKING:
    import datasets

#: The type of TRL's reward functions.
Reward = Callable[..., list[float | None]]


def rewarded(*, partial: bool = False, domain_dir: Folders = None) -> Reward:
    """A reward function: 1.0 for each completion that answers its row rightly, else 0.0.

    Rows that are not racgen's have None, so that a trainer may mix data sets.

    Args:
        partial: give lists that are not right their F1.
        domain_dir: folders with packages of domains that are not built in.
    """

    def reward(completions: list[Any], **columns: Any) -> list[float | None]:
        kinds = columns.get("answer_type") or [None] * len(completions)
        own = [place for place, kind in enumerate(kinds) if kind]
        entries = [{name: columns[name][place] for name in JUDGED if name in columns} for place in own]
        texts = [said(completions[place]) for place in own]
        rewards: list[float | None] = [None] * len(completions)
        for place, credit in zip(own, score_answers(texts, entries, partial=partial, domain_dir=domain_dir)):
            rewards[place] = credit
        return rewards

    return reward


#: The usual reward function: nothing but right answers counts.
reward: Reward = rewarded()


def _told(ds: Dataset, as_chat: bool) -> Iterator[dict[str, Any]]:
    for row in ds:
        yield {"prompt": chat(row) if as_chat else prompt(row), **judged(row)}


def _streamed(parts: list[Dataset], as_chat: bool) -> Iterator[dict[str, Any]]:
    for part in parts:
        yield from _told(part, as_chat)


def prompts(ds: Dataset, *, as_chat: bool = True) -> datasets.Dataset | datasets.IterableDataset:
    """Rows as GRPOTrainer takes them: a column `prompt`, and the columns that the reward reads. Needs datasets.

    A data set with items=None becomes an IterableDataset, which makes rows as they are read.
    """
    try:
        import datasets
    except ImportError:
        raise missing("datasets", "racgen.trl.prompts()") from None
    if ds.endless:
        return datasets.IterableDataset.from_generator(_streamed, gen_kwargs={"parts": [ds], "as_chat": as_chat})
    return datasets.Dataset.from_list(list(_told(ds, as_chat)))


def conversations(ds: Dataset) -> datasets.Dataset | datasets.IterableDataset:
    """Rows as SFTTrainer takes them: chats in columns `prompt` and `completion`. Needs datasets."""
    try:
        import datasets
    except ImportError:
        raise missing("datasets", "racgen.trl.conversations()") from None
    if ds.endless:
        return datasets.IterableDataset.from_generator(_chats, gen_kwargs={"parts": [ds]})
    return datasets.Dataset.from_list(list(_chats([ds])))


def _chats(parts: list[Dataset]) -> Iterator[dict[str, Any]]:
    for part in parts:
        for row in part:
            answer = row["rationale"] or row["answer"]
            yield {"prompt": chat(row), "completion": [{"role": "assistant", "content": answer}]}
