"""Data sets to rows. A set that stands in the work folder already is read again."""

import functools
import hashlib
import json
import os
import random
from pathlib import Path

import racgen

# Eight parts to train, two to test; no world is in both.
SPLITS = {"train": 8, "test": 2}
# Of a layout, how many initial situations are walked from, and how many questions of each answer are drawn after a walk.
SITUATIONS, QUESTIONS = 40, 2
# What is not read where terms are.
TEXTS = {"context", "initial_state", "rules", "actions", "rationale"}


class DataSet:
    """The rows of a folder that racgen wrote, and what its manifest says of guesses."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.counts = json.loads((folder / "manifest.json").read_text())["counts"]

    @functools.lru_cache(maxsize=4)
    def rows(self, split: str, configuration: str = "") -> list[dict]:
        return [json.loads(line) for file in self.files(split, configuration) for line in file.open()]

    @functools.lru_cache(maxsize=4)
    def terms(self, split: str, configuration: str = "") -> list[dict]:
        """The same rows without their texts, which are most of what there is to read."""
        file = self.folder / "terms" / f"{configuration or 'data'}-{split}.jsonl"
        if not file.exists():
            file.parent.mkdir(exist_ok=True)
            part = file.with_suffix(f".{os.getpid()}")
            with part.open("w") as out:
                for row in (json.loads(line) for all in self.files(split, configuration) for line in all.open()):
                    out.write(json.dumps({column: value for column, value in row.items() if column not in TEXTS}) + "\n")
            part.rename(file)
        return [json.loads(line) for line in file.open()]

    def files(self, split: str, configuration: str) -> list[Path]:
        where = self.folder / (configuration or "data")
        found = sorted(where.rglob(f"{split}-*.jsonl"))
        if not found:
            raise FileNotFoundError(f"{where} has no rows of the split {split}")
        return found

    def share(self, column: str, **where) -> float:
        """The share of items that `trivial` (what holds initially) or `majority` (the commonest answer) gets right. Of a column, `where` has a
        value or a set of them."""
        some = [count for count in self.counts if all(count[key] in (value if isinstance(value, set) else {value}) for key, value in where.items())]
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


def unmatched(work: Path, domain: str, families: list[str], items: int, depth: int, seed: int) -> list[dict]:
    """Verify items as they are made by whoever does not look for shortcuts: a random walk, then any question about one of
    these fluents; only the labels are even. Nobody looks whether worlds of two sets are alike, either."""
    asked_for = {"domain": domain, "families": families, "items": items, "depth": depth, "seed": seed}
    file = work / "sets" / f"unmatched-{named(asked_for)}.jsonl"
    if file.exists():
        return [json.loads(line) for line in file.open()]
    dice = random.Random(seed)
    rows: list[dict] = []
    while len(rows) < items:
        world = racgen.Simulator(domain, level=1, seed=dice.randrange(2**31))
        for situation in range(SITUATIONS):
            world.reset(situation)
            state = sorted(world.inertial_places().intersection(world.state_places()))
            facts = [*world.facts, *(world.fluents[place].term for place in state)]
            initial, told = world.text(), []
            for _ in range(depth):
                action = dice.choice(world.executable())
                told.append(action.text)
                world.step(action)
            actions = " ".join(told)
            seen = {"initial_state": initial, "actions": actions, "context": f"{initial}\n\n{actions}"}
            terms = {"facts": facts, "plan": world.plan, "objects": world.objects}
            of_these = [q for q in world.questions() if q.question_type == "verify" and q.query.split("(")[0] in families]
            for answer in ("yes", "no"):
                asked = [question for question in of_these if question.answer == answer]
                drawn = dice.sample(asked, min(QUESTIONS, len(asked)))
                rows += [seen | terms | vars(question) for question in drawn]
    out = rows[:items]
    dice.shuffle(out)
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part")
    part.write_text("".join(json.dumps(row) + "\n" for row in out))
    part.rename(file)
    return out
