"""Data sets to rows. A set that stands in the work folder already is read again."""

import hashlib
import json
import random
from pathlib import Path

import racgen

# Eight parts to train, two to test; no world is in both.
SPLITS = {"train": 8, "test": 2}


class DataSet:
    """The rows of a folder that racgen wrote, and what its manifest says of guesses."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.counts = json.loads((folder / "manifest.json").read_text())["counts"]

    def rows(self, split: str, configuration: str = "") -> list[dict]:
        where = self.folder / configuration if configuration else self.folder / "data"
        rows = [json.loads(line) for file in sorted(where.rglob(f"{split}-*.jsonl")) for line in file.open()]
        if not rows:
            raise FileNotFoundError(f"{where} has no rows of the split {split}")
        return rows

    def share(self, column: str, **where) -> float:
        """The share of items that `trivial` (what holds initially) or `majority` (the commonest answer) gets right."""
        some = [count for count in self.counts if all(count[key] == value for key, value in where.items())]
        return sum(count[column] for count in some) / max(1, sum(count["items"] for count in some))


def made(work: Path, **options) -> DataSet:
    """What `racgen` makes with these options."""
    name = hashlib.sha256(json.dumps(options, sort_keys=True, default=str).encode()).hexdigest()[:16]
    folder = work / "sets" / name
    if not (folder / "manifest.json").exists():
        options = {"splits": SPLITS, "rules": "without", "mix": {"verify": 1}} | options
        racgen.dataset(**options).write(str(folder), format="jsonl", force=True)
    return DataSet(folder)


def run(work: Path, name: str, *words: str) -> DataSet:
    """What another command makes."""
    folder = work / "sets" / name
    if not (folder / "manifest.json").exists():
        racgen.run(*words, "--out", str(folder), "--format", "jsonl", "--force", "--quiet")
    return DataSet(folder)


def unmatched(domain: str, items: int, depth: int, seed: int) -> list[dict]:
    """Verify items as they are made by whoever does not look for shortcuts: a random walk, then any question; only the labels
    are even. Worlds have numbers from `seed` on."""
    dice = random.Random(seed)
    by_answer: dict[str, list[dict]] = {"yes": [], "no": []}
    while min(map(len, by_answer.values())) < items // 2:
        world = racgen.Simulator(domain, level=1, seed=dice.randrange(2**31), situation=dice.randrange(50))
        initial, told = world.text(), []
        for _ in range(depth):
            action = dice.choice(world.executable())
            told.append(action.text)
            world.step(action)
        asked = [question for question in world.questions() if question.question_type == "verify"]
        for question in dice.sample(asked, min(4, len(asked))):
            some = by_answer[question.answer]
            if len(some) < items // 2:
                actions = " ".join(told)
                some.append(
                    {
                        "initial_state": initial,
                        "actions": actions,
                        "context": f"{initial}\n\n{actions}",
                        "question": question.question,
                        "answer": question.answer,
                        "answer_type": question.answer_type,
                    }
                )
    out = by_answer["yes"] + by_answer["no"]
    dice.shuffle(out)
    return out
