"""What is trained on what, and tested on what else."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import sets
from training import Size

# Domains of the training sets of the transfer experiment, as far as the size of the run allows.
DOMAINS = {"tiny": [1, 2], "small": [1, 4, 16], "medium": [1, 4, 16, 64, 256], "large": [1, 4, 16, 64, 256]}


@dataclass
class Trial:
    """One model, and the points of a curve that its tests give."""

    experiment: str
    curve: str
    train: list[dict]
    # By place on the axis, the rows of a test.
    tests: dict[str, list[dict]]
    model: str = "transformer"
    # What follows the question: `answer`, or `rationale` with the answer at its end.
    form: str = "answer"
    # What a model sees before the question: `context`, `initial_state`, `actions` or nothing.
    sees: str = "context"
    # Tests of the same model that give another curve, by its name.
    beside: dict[str, dict[str, list[dict]]] = field(default_factory=dict)
    # Where two test rows in a row are a pair: the curve that counts a pair as right if both are.
    both: str = ""


@dataclass
class Guess:
    """A point that needs no model."""

    experiment: str
    curve: str
    place: str
    share: float


@dataclass
class Plan:
    """How one experiment is told."""

    name: str
    title: str
    axis: str
    shows: str
    shows_not: str
    make: object = field(repr=False, default=None)


def sampled(rows: list[dict], count: int, seed: int) -> list[dict]:
    return random.Random(seed).sample(rows, min(count, len(rows)))


def needed(size: Size, places: int) -> int:
    """Items of a set with so many levels or depths, of which two in ten are for tests."""
    return max(size.train * 10 // 8, size.test * places * 10 // 2) + 200


def by(rows: list[dict], column: str, size: Size, seed: int) -> dict[str, list[dict]]:
    values = sorted({row[column] for row in rows})
    return {str(value): sampled([r for r in rows if r[column] == value], size.test, seed) for value in values}


def depths(work: Path, name: str, size: Size, seed: int) -> Iterator[Trial | Guess]:
    whole = sets.made(work, domain="blocks", depth=range(1, 6), items=needed(size, 5) * 3, seed=seed)
    tests = by(whole.rows("test"), "depth", size, seed)
    train = whole.rows("train")
    for depth in (1, 3, 5):
        own = sampled([row for row in train if row["depth"] == depth], size.train, seed)
        yield Trial("depths", f"trained on A{depth}", own, tests)
    mixed = sampled(train, size.train, seed)
    yield Trial("depths", "trained on A1 to A5", mixed, tests)
    yield Trial("depths", "the question alone", mixed, tests, sees="")
    yield from guesses("depths", whole, "depth", tests)


def levels(work: Path, name: str, size: Size, seed: int) -> Iterator[Trial | Guess]:
    options = {"domain": "blocks", "level": range(1, 4), "depth": 1, "seed": seed}
    whole = sets.made(work, **options, items=needed(size, 3) * 2)
    tests = by(whole.rows("test"), "level", size, seed)
    train = whole.rows("train")
    for level in (1, 3):
        own = sampled([row for row in train if row["level"] == level], size.train, seed)
        yield Trial("levels", f"trained on N{level}", own, tests)
    if name in ("medium", "large"):
        told = sets.made(work, **options, items=needed(size, 3) * 2, rules="with")
        own = sampled([row for row in told.rows("train") if row["level"] == 3], size.train, seed)
        yield Trial("levels", "trained on N3, rules told", own, by(told.rows("test"), "level", size, seed))
    yield from guesses("levels", whole, "level", tests)


def guesses(experiment: str, whole: sets.DataSet, column: str, tests: dict) -> Iterator[Guess]:
    for place in tests:
        where = {"split": "test", column: int(place)}
        yield Guess(experiment, "what holds initially", place, whole.share("trivial", **where))
        yes = [row["answer"] == "yes" for row in tests[place]]
        yield Guess(experiment, "the commonest answer", place, max(sum(yes), len(yes) - sum(yes)) / len(yes))


def rationales(work: Path, name: str, size: Size, seed: int) -> Iterator[Trial | Guess]:
    whole = sets.made(work, domain="blocks", depth=range(1, 6), items=needed(size, 5) * 3, seed=seed, rationale=True)
    tests = by(whole.rows("test"), "depth", size, seed)
    train = sampled([row for row in whole.rows("train") if row["depth"] <= 3], size.train, seed)
    for model in ("transformer", "recurrent"):
        for form in ("answer", "rationale"):
            curve = f"{model}, {'answers alone' if form == 'answer' else 'rationales'}"
            yield Trial("rationales", curve, train, tests, model=model, form=form)
    yield from guesses("rationales", whole, "depth", tests)


def domains(work: Path, name: str, size: Size, seed: int) -> Iterator[Trial | Guess]:
    counts = DOMAINS[name]
    listed = ",".join(map(str, counts))
    items = max(size.train, 2 * size.test)
    held_out = 2 if name == "tiny" else 16
    words = ["--domains", listed, "--held-out", held_out, "--items", items, "--mix", "verify=1", "--seed", seed]
    whole = sets.run(work, f"transfer-{name}-{seed}", "suite", "transfer", *map(str, words))
    test = sampled(whole.rows("test", "held_out"), size.test, seed)
    for count in counts:
        own = sampled(whole.rows("train", f"domains_{count}"), size.train, seed)
        seen, unseen = own[: -size.test // 4], own[-size.test // 4 :]
        known = {"domains of the training set": {str(count): unseen}}
        yield Trial("domains", "held-out domains", seen, {str(count): test}, beside=known)


def forcing(work: Path, name: str, size: Size, seed: int) -> Iterator[Trial | Guess]:
    whole = sets.made(work, domain="blocks", depth=3, items=needed(size, 1) * 2, seed=seed)
    matched = sampled(whole.rows("train"), size.train, seed), sampled(whole.rows("test"), size.test, seed)
    naive = [sets.unmatched("blocks", items, 3, seed * 2 + part) for part, items in enumerate((size.train, size.test))]
    for curve, (train, test) in {"pairs of equal profile": matched, "any question": naive}.items():
        for sees, place in (("", "question"), ("actions", "actions"), ("initial_state", "initial state"), ("context", "all")):
            yield Trial("forcing", curve, train, {place: test}, sees=sees)


def controls(work: Path, name: str, size: Size, seed: int) -> Iterator[Trial | Guess]:
    whole = sets.made(work, domain="blocks", depth=1, items=needed(size, 1) * 2, seed=seed)
    train, test = sampled(whole.rows("train"), size.train, seed), sampled(whole.rows("test"), size.test, seed)
    told = {(row["context"], row["question"]) for row in whole.rows("train")}
    leaked = sum((row["context"], row["question"]) in told for row in whole.rows("test"))
    yield Guess("controls", "test items that are in training", "all", leaked / len(whole.rows("test")))
    labels = [row["answer"] for row in train]
    random.Random(seed).shuffle(labels)
    shuffled = [row | {"answer": label} for row, label in zip(train, labels)]
    yield Trial("controls", "true labels", train, {"all": test})
    yield Trial("controls", "shuffled labels", shuffled, {"all": test})


def pairs(work: Path, name: str, size: Size, seed: int) -> Iterator[Trial | Guess]:
    whole = sets.made(work, domain="blocks", depth=2, items=needed(size, 1) * 2, seed=seed, minimal_pairs=True)
    rows = whole.rows("test")
    by_pair: dict[str, list[dict]] = {}
    for row in rows:
        by_pair.setdefault(row["pair"], []).append(row)
    both = [pair for pair in by_pair.values() if len(pair) == 2]
    test = [row for pair in sampled(both, size.test // 2, seed) for row in pair]
    train = sampled(whole.rows("train"), size.train, seed)
    yield Trial("pairs", "each item", train, {"minimal pairs": test}, both="both of a pair")
    yield Guess("pairs", "both of a pair, by chance", "minimal pairs", 0.25)


PLANS = [
    Plan(
        "depths",
        "Trained on one number of actions, tested on all",
        "actions",
        "how far what was learned at some depth carries to others, beside guesses that need no reasoning",
        "what larger models or more items would do; Banerjee et al. fine-tuned a model that had read much before",
        depths,
    ),
    Plan(
        "levels",
        "Trained on one complexity of worlds, tested on all",
        "level",
        "how far what was learned in small worlds carries to larger ones",
        "whether more objects or longer texts make the difference, since both grow together",
        levels,
    ),
    Plan(
        "rationales",
        "Answers alone, or rationales: trained on A1 to A3",
        "actions",
        "whether telling the steps helps beyond the depths that were seen, for two kinds of model",
        "whether the model follows its own rationale; only its answer is judged",
        rationales,
    ),
    Plan(
        "domains",
        "Held-out domains by number of training domains",
        "training domains",
        "whether more domains, at equal numbers of items, help in domains that nobody has seen",
        "how domains of people differ from invented ones",
        domains,
    ),
    Plan(
        "forcing",
        "What can be had without reasoning",
        "what the model sees",
        "what the same models get out of parts of the text, in racgen's pairs and in questions drawn at random",
        "shortcuts that these models are too small to find; `racgen audit` tries others",
        forcing,
    ),
    Plan(
        "controls",
        "Controls",
        "",
        "that labels which mean nothing teach nothing, and that no test item is in training",
        "anything about reasoning",
        controls,
    ),
    Plan(
        "pairs",
        "Minimal pairs",
        "",
        "how often a model is right about both of two items that differ in one thing, which guessing gets a quarter of",
        "which of the differences it notices",
        pairs,
    ),
]
