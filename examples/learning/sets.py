"""Data sets to rows. A set that stands in the work folder already is read again."""

import functools
import hashlib
import json
import random
from pathlib import Path

import racgen

# Eight parts to train, two to test; no world is in both.
SPLITS = {"train": 8, "test": 2}
# Of a layout, how many initial situations are walked from, and how many questions are drawn after each walk.
SITUATIONS, QUESTIONS = 40, 4


class DataSet:
    """The rows of a folder that racgen wrote, and what its manifest says of guesses."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.counts = json.loads((folder / "manifest.json").read_text())["counts"]

    @functools.lru_cache(maxsize=4)
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


def named(options: dict) -> str:
    return hashlib.sha256(json.dumps(options, sort_keys=True, default=str).encode()).hexdigest()[:16]


def made(work: Path, **options) -> DataSet:
    """What `racgen` makes with these options."""
    folder = work / "sets" / named(options)
    if not (folder / "manifest.json").exists():
        options = {"splits": SPLITS, "rules": "without"} | options
        racgen.dataset(**options).write(str(folder), format="jsonl", force=True)
    return DataSet(folder)


def run(work: Path, *words: str) -> DataSet:
    """What another command makes."""
    folder = work / "sets" / named({"words": words})
    if not (folder / "manifest.json").exists():
        racgen.run(*words, "--out", str(folder), "--format", "jsonl", "--force", "--quiet")
    return DataSet(folder)


def unmatched(work: Path, domain: str, items: int, depth: int, seed: int) -> list[dict]:
    """Verify items as they are made by whoever does not look for shortcuts: a random walk, then any question; only the labels
    are even. They are those of a seed: sets of two seeds have other worlds."""
    file = work / "sets" / f"unmatched-{domain}-{items}-{depth}-{seed}.jsonl"
    if file.exists():
        return [json.loads(line) for line in file.open()]
    dice = random.Random(seed)
    by_answer: dict[str, list[dict]] = {"yes": [], "no": []}
    while min(map(len, by_answer.values())) < items // 2:
        world = racgen.Simulator(domain, level=1, seed=dice.randrange(2**31))
        for situation in range(SITUATIONS):
            state = [said.term for said in world.reset(situation)]
            initial, told = world.text(), []
            for _ in range(depth):
                action = dice.choice(world.executable())
                told.append(action.text)
                world.step(action)
            actions = " ".join(told)
            seen = {"initial_state": initial, "actions": actions, "context": f"{initial}\n\n{actions}"}
            terms = {"facts": [*world.facts, *state], "plan": world.plan, "objects": world.objects}
            asked = [question for question in world.questions() if question.question_type == "verify"]
            for question in dice.sample(asked, min(QUESTIONS, len(asked))):
                by_answer[question.answer].append(seen | terms | vars(question))
    out = [row for rows in by_answer.values() for row in rows[: items // 2]]
    dice.shuffle(out)
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part")
    part.write_text("".join(json.dumps(row, default=vars) + "\n" for row in out))
    part.rename(file)
    return out
