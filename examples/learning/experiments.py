"""What is trained on what, and tested on what else.

Two kinds of questions are asked. *Whole situation*: which statements are true after the last action, all of them, to be named; one
answer of these teaches as much as many labels, and only a whole list without a fault counts. *Yes or no*: a question about
one statement, of which half are true, in pairs that are told apart by nothing but what the actions do.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import sets
from situations import Situations
from theories import invented, of_library, with_changes
from training import Size

# Domains of the training sets of the transfer experiment, and of those whose models are also trained without the rules.
DOMAINS = {"tiny": [1, 2], "small": [1, 4, 16, 64, 256], "medium": [1, 4, 16, 64, 256], "large": [1, 4, 16, 64, 256]}
UNRULED = {"tiny": [2], "small": [1, 256], "medium": [1, 256], "large": [1, 16, 256]}
# The longest stories that are trained where longer ones are tested.
TRAINED = 3
# The domain of the others: its smallest worlds are hundreds, so that tests rest on many.
DOMAIN = "logistics"
WHOLE = {"ask": "time", "family": "whole_state", "mix": {"other": 1}}
YES_NO = {"mix": {"verify": 1}}
# Of the yes/no questions that are learned beside whole situations: those about where packages are.
FLUENTS = ["in", "outside_at"]
# Of the questions of minimal pairs: those about one fluent of a situation, which are about a sixth of all.
WHERE = {"which_at", "which_in", "which_outside_at"}
OF_WHERE = 6

Rows = list[dict]
# Of a trial: the training rows, and by curve and place on the axis the rows of a test.
Lot = tuple[Rows, dict[str, dict[str, Rows]]]


@dataclass
class Trial:
    """One model, and the points that its tests give."""

    name: str
    rows: Callable[[], Lot]
    # What of a row is read, and how: `terms`, `english` and others (text.py).
    form: str = "terms"
    model: str = "transformer"
    # What a model sees before the question: `context`, `initial_state`, `actions` or nothing.
    sees: str = "context"
    # Of two kinds of questions, side by side: labels alone teach a small model nothing, whole situations show what they are about.
    mixed: bool = False
    # Where two test rows in a row are a pair: the curve that counts a pair as right if both are.
    both: str = ""
    # Where the scorer finds the domains, which takes it long to invent anew.
    packages: str | None = None


@dataclass
class Guess:
    """A point that needs no model."""

    curve: str
    place: str
    share: float


@dataclass
class Plan:
    """How one experiment is told."""

    name: str
    title: str
    axis: str
    # What its items are.
    items: str
    shows: str
    shows_not: str
    make: Callable[[Path, str, Size, int], Iterator[Trial | Guess]] = field(repr=False)
    # What else a reader should know.
    remark: str = ""
    # The sizes that it is made at.
    sizes: tuple[str, ...] = ("tiny", "small", "medium", "large")


def sampled(rows: Rows, count: int, seed: int) -> Rows:
    return random.Random(seed).sample(rows, min(count, len(rows)))


def needed(size: Size, places: int) -> int:
    """Items of a set with so many levels or depths, so that each has enough to train, and of two parts in ten to test."""
    return max(size.train * places * 10 // 8, size.test * places * 10 // 2) + 200 * places


def by(rows: Rows, column: str, size: Size, seed: int) -> dict[str, Rows]:
    values = sorted({row[column] for row in rows})
    return {str(value): sampled([r for r in rows if r[column] == value], size.test, seed) for value in values}


def across(column: str, some: list[int], whole: sets.DataSet, size: Size, seed: int, letter: str) -> Iterator[Trial | Guess]:
    """Models trained at some places of a column, and at all of them, each tested at all."""

    def lot(curve: str, own: Callable[[dict], bool]) -> Lot:
        train = sampled([row for row in whole.terms("train") if own(row)], size.train, seed)
        return train, {curve: by(whole.terms("test"), column, size, seed)}

    for value in some:
        curve = f"trained on {letter}{value}"
        yield Trial(curve, lambda curve=curve, value=value: lot(curve, lambda row: row[column] == value))
    values = sorted({row[column] for row in whole.terms("test")})
    curve = f"trained on {letter}{values[0]} to {letter}{values[-1]}"
    yield Trial(curve, lambda: lot(curve, lambda row: True))
    for value in values:
        where = {"split": "test", column: value}
        yield Guess("what holds initially", str(value), whole.share("trivial", **where))
        yield Guess("the commonest answer", str(value), whole.share("majority", **where))


def depths(work: Path, name: str, size: Size, seed: int) -> Iterator[Trial | Guess]:
    whole = sets.made(work, domain=DOMAIN, depth=range(1, 6), items=needed(size, 5), seed=seed, **WHOLE)
    yield from across("depth", [1, 3, 5], whole, size, seed, "A")


def levels(work: Path, name: str, size: Size, seed: int) -> Iterator[Trial | Guess]:
    whole = sets.made(work, domain=DOMAIN, level=range(1, 4), depth=2, items=needed(size, 3), seed=seed, **WHOLE)
    yield from across("level", [1, 3], whole, size, seed, "N")


def rationales(work: Path, name: str, size: Size, seed: int) -> Iterator[Trial | Guess]:
    # Texts are long to read, so that there are no more of them than are trained and tested.
    items = max(size.train * 10 // 8 * 5 // TRAINED, size.test * 5 * 10 // 2) + 1000
    whole = sets.made(work, domain=DOMAIN, depth=range(1, 6), items=items, seed=seed, rationale=True, **WHOLE)

    def lot(curve: str) -> Lot:
        train = sampled([row for row in whole.rows("train") if row["depth"] <= TRAINED], size.train, seed)
        return train, {curve: by(whole.rows("test"), "depth", size, seed)}

    for model in ("transformer", "recurrent", "transformer without distances"):
        for form in ("rationale", "english"):
            curve = f"{model}, {'answers alone' if form == 'english' else 'rationales'}"
            yield Trial(curve, lambda curve=curve: lot(curve), form=form, model=model)
    for depth in range(1, 6):
        yield Guess("what holds initially", str(depth), whole.share("trivial", split="test", depth=depth))


def steps(work: Path, name: str, size: Size, seed: int) -> Iterator[Trial | Guess]:
    whole = sets.made(work, domain=DOMAIN, depth=range(1, 6), items=needed(size, 5), seed=seed, **WHOLE)

    def lot(curve: str) -> Lot:
        situations = Situations(whole.terms("train"))
        train = sampled([row for row in whole.terms("train") if row["depth"] <= TRAINED], size.train, seed)
        tests = by(whole.terms("test"), "depth", size, seed)
        return situations.told(train), {curve: {depth: situations.told(rows) for depth, rows in tests.items()}}

    for model in ("transformer", "recurrent", "transformer without distances"):
        for form in ("steps", "terms"):
            curve = f"{model}, {'answers alone' if form == 'terms' else 'situations on the way'}"
            yield Trial(curve, lambda curve=curve: lot(curve), form=form, model=model)
    for depth in range(1, 6):
        yield Guess("what holds initially", str(depth), whole.share("trivial", split="test", depth=depth))


def rules(work: Path, name: str, size: Size, seed: int) -> Iterator[Trial | Guess]:
    whole = sets.made(work, domain=DOMAIN, depth=range(1, 6), items=needed(size, 5), seed=seed, **WHOLE)

    def lot(curve: str, words: list[str]) -> Lot:
        def told(rows: Rows) -> Rows:
            return [row | {"theory": words} for row in rows]

        train = sampled([row for row in whole.terms("train") if row["depth"] == TRAINED], size.train, seed)
        return told(train), {curve: {place: told(rows) for place, rows in by(whole.terms("test"), "depth", size, seed).items()}}

    for curve, words in (("rules in the context", of_library(DOMAIN).words), ("no rules", [])):
        yield Trial(curve, lambda curve=curve, words=words: lot(curve, words))


def parted(rows: Rows, count: int, seed: int) -> tuple[Rows, Rows]:
    """Rows to train, and about so many to test, without a world that is in both."""
    worlds = sorted({row["world"] for row in rows})
    random.Random(seed).shuffle(worlds)
    kept: set[str] = set()
    tested: Rows = []
    by_world: dict[str, Rows] = {}
    for row in rows:
        by_world.setdefault(row["world"], []).append(row)
    for world in worlds:
        if len(tested) < count:
            kept.add(world)
            tested += by_world[world]
    return [row for row in rows if row["world"] not in kept], sampled(tested, count, seed)


def domains(work: Path, name: str, size: Size, seed: int) -> Iterator[Trial | Guess]:
    counts = DOMAINS[name]
    held_out = 2 if name == "tiny" else 16
    kind = ["--ask", WHOLE["ask"], "--family", WHOLE["family"], "--mix", "other=1"]
    words = ["--domains", ",".join(map(str, counts)), "--held-out", held_out, "--items", size.of_domains, *kind, "--rules", "without", "--seed", seed]
    whole = sets.run(work, "suite", "transfer", *map(str, words))
    # Written here, and not beside each other by those who train.
    packages, theories = invented(work, {each["domain"] for each in whole.counts})

    def lot(count: int, ruled: bool) -> Lot:
        def told(rows: Rows) -> Rows:
            return [with_changes(row, theories[row["domain"]], ruled) for row in rows]

        own = whole.terms("train", f"domains_{count}")
        train, known = parted(own, min(size.test, len(own) // 5), seed)
        tests = {"held-out domains": sampled(whole.terms("test", "held_out"), size.test, seed), "domains of the training set": known}
        without = "" if ruled else ", no rules"
        return told(train), {f"{curve}{without}": {str(count): told(rows)} for curve, rows in tests.items()}

    for ruled, some in ((True, counts), (False, UNRULED[name])):
        for count in some:
            told = "" if ruled else ", no rules"
            yield Trial(f"{count} domains{told}", lambda count=count, ruled=ruled: lot(count, ruled), form="changes", packages=packages)
    for count in counts:
        yield Guess("what holds initially", str(count), whole.share("trivial", split="test"))
        yield Guess("the commonest answer", str(count), whole.share("majority", split="test"))


def beside(work: Path, size: Size, seed: int) -> Callable[[Rows, Rows], Rows]:
    """Adds as many questions about whole situations, and about all that is true of a thing, to training rows, of worlds that the
    test rows do not have."""
    options = WHOLE | {"family": "whole_state,all_about"}
    whole = sets.made(work, domain=DOMAIN, depth=2, items=needed(size, 1), seed=seed + 500, **options)

    def mixed(train: Rows, test: Rows) -> Rows:
        worlds = {row.get("world") for row in test}
        return train + sampled([row for row in whole.terms("train") if row["world"] not in worlds], size.train, seed)

    return mixed


def forcing(work: Path, name: str, size: Size, seed: int) -> Iterator[Trial | Guess]:
    families = ",".join(FLUENTS)
    matched = sets.made(work, domain=DOMAIN, depth=2, items=needed(size, 1), seed=seed, family=families, **YES_NO)
    sizes = (size.train, size.test)
    naive = [sets.unmatched(work, DOMAIN, FLUENTS, items, 2, seed * 2 + part) for part, items in enumerate(sizes)]
    mixed = beside(work, size, seed)

    def lot(curve: str, place: str) -> Lot:
        train, test = naive
        if curve != "any question":
            train, test = sampled(matched.terms("train"), size.train, seed), sampled(matched.terms("test"), size.test, seed)
        return mixed(train, test), {curve: {place: test}}

    for curve in ("pairs of equal profile", "any question"):
        for sees, place in (("context", "all"), ("initial_state", "initial state"), ("actions", "actions"), ("", "question")):
            yield Trial(f"{curve}, {place}", lambda curve=curve, place=place: lot(curve, place), sees=sees, mixed=True)


def controls(work: Path, name: str, size: Size, seed: int) -> Iterator[Trial | Guess]:
    whole = sets.made(work, domain=DOMAIN, depth=1, items=needed(size, 1), seed=seed, **WHOLE)

    def lot(curve: str) -> Lot:
        train, test = sampled(whole.terms("train"), size.train, seed), sampled(whole.terms("test"), size.test, seed)
        if curve == "answers of other items":
            others = random.Random(seed).sample(train, len(train))
            train = [row | {"answer": other["answer"], "gold": other["gold"]} for row, other in zip(train, others)]
        return train, {curve: {"whole situation": test}}

    for curve in ("own answers", "answers of other items"):
        yield Trial(curve, lambda curve=curve: lot(curve))
    told = {(row["context"], row["question"]) for row in whole.rows("train")}
    test = whole.rows("test")
    leaked = sum((row["context"], row["question"]) in told for row in test)
    yield Guess("test items that are in training", "whole situation", leaked / len(test))


def pairs(work: Path, name: str, size: Size, seed: int) -> Iterator[Trial | Guess]:
    options = {"domain": DOMAIN, "depth": 2, "seed": seed, "minimal_pairs": True, "mix": {"other": 1}}
    mixed = beside(work, size, seed)

    def lot(place: str, whole: sets.DataSet, families: set[str]) -> Lot:
        by_pair: dict[str, Rows] = {}
        for row in whole.terms("test"):
            if row["family"] in families:
                by_pair.setdefault(row["pair"], []).append(row)
        both = [pair for pair in by_pair.values() if len(pair) == 2]
        test = [row for pair in sampled(both, size.test // 2, seed) for row in pair]
        train = sampled([row for row in whole.terms("train") if row["family"] in families], size.train, seed)
        return mixed(train, test), {"each item": {place: test}}

    for place, share in (("any question", 1), ("where things are", OF_WHERE)):
        whole = sets.made(work, **options, items=share * needed(size, 1))
        families = {count["family"] for count in whole.counts if share == 1 or count["family"] in WHERE}
        yield Trial(
            f"pairs, {place}", lambda place=place, whole=whole, families=families: lot(place, whole, families), mixed=True, both="both of a pair"
        )
        for curve, column in (("what holds initially", "trivial"), ("the commonest answer", "majority")):
            yield Guess(curve, place, whole.share(column, split="test", family=families))


PLANS = [
    Plan(
        "depths",
        "Trained on one number of actions, tested on all",
        "actions",
        "whole situation, logistics, N1, as terms",
        "how far what was learned at some depth carries to others, beside guesses that need no reasoning",
        "what larger models or more items would do; Banerjee et al. fine-tuned a model that had read much before",
        depths,
    ),
    Plan(
        "levels",
        "Trained on one complexity of worlds, tested on all",
        "level",
        "whole situation, logistics, two actions, as terms",
        "how far what was learned in small worlds carries to larger ones",
        "whether more objects or longer answers make the difference, since both grow together",
        levels,
    ),
    Plan(
        "steps",
        "Answers alone, or situations on the way: trained on A1 to A3",
        "actions",
        "whole situation, logistics, N1, as terms",
        "whether telling each action with the situation after it, before the answer, carries to stories that are longer than any that were "
        "trained, and for which models",
        "what a rationale in English does; its texts are several times as long",
        steps,
        "Models of one kind see as many items, so that those which tell the way learn from more words. Recurrent ones see three times as "
        "many, a quarter as much at a time: with as few steps as a transformer takes they find no more than what answers look like, and "
        "are never right. Beyond three actions each kind is right less often if it tells the way; with answers alone the recurrent one goes on "
        "to five actions and loses next to nothing. The situations on the way are worked out from what single actions change in the data "
        "themselves, and lead in each row to its `gold`. Beside the usual transformer, whose attention knows distances and meets longer ones in "
        "longer stories, stand one that knows none, and a recurrent one: what differs among them is the model's doing and not that of the data.",
    ),
    Plan(
        "rules",
        "Rules in the context, or not: trained on A3",
        "actions",
        "whole situation, logistics, N1, as terms",
        "whether rules that are the same in each item help a model in its only domain",
        "what rules do where domains differ; for that see held-out domains",
        rules,
        "Away from three actions, models with rules are right more often on average; but single runs of either way stand among those of the "
        "other, at all depths but five, and two are too few to tell.",
    ),
    Plan(
        "rationales",
        "Answers alone, or rationales in English: trained on A1 to A3",
        "actions",
        "whole situation, logistics, N1, in English",
        "how far models come that learn to read from nothing, with answers alone or with rationales that lead to them, at depths that were "
        "trained and beyond",
        "what rationales do for a model that can read; nor whether a model follows its own, since only its answer is judged",
        rationales,
        "None has learned to read well. As terms models of these kinds are nearly always right about such situations at the depths that were "
        "trained (see situations on the way), from twice as many examples, a third as long; and the answers of the data, and those at the "
        "ends of their rationales, are all scored as right when they have gone through the same vocabulary. Three things differ. English says "
        "one thing in many ways. Little of it was read: losses still fell at the end. And of two airplanes, trucks or packages nobody can know "
        "from the text which the answer names first, since that went by numbers that only the terms have: any order is right, but what is "
        "learned word by word has up to three tosses of a coin in each answer. (That was a fault of the data. The statements of an answer come "
        "in the order of the alphabet since then; the models have not been trained anew.) The usual transformer is about as often right "
        "with rationales as with answers alone, and the other two less often. The recurrent one is never right with them: it takes its time "
        "for each word, so that rationales were shown to it four times as many at once, in a quarter as many steps, after which it knew what "
        "rationales look like and no more. With answers alone only the usual transformer is right about more than one situation in twenty.",
        sizes=("tiny", "medium", "large"),
    ),
    Plan(
        "domains",
        "Held-out domains by number of training domains",
        "training domains",
        "whole situation, invented domains, N1, one action, as terms",
        "whether more domains, at equal numbers of items, help in domains that nobody has seen, where the rules of changes are told as terms, "
        "and without them",
        "how domains of people differ from invented ones, nor whether rules in English are followed as well",
        domains,
        "Names are numbers, as they come in each row, and the action is told with what its rule calls its arguments. The model names what the action "
        "adds and takes away; these changes make the situation that is scored, and it counts only if it is right as a whole. The held-out "
        "domains are the same at all points; items of the training domains are of worlds that were not trained.",
    ),
    Plan(
        "forcing",
        "What can be had without reasoning",
        "what the model sees",
        "yes or no about where packages are, logistics, N1, two actions, as terms, learned beside whole situations",
        "what the same models get out of parts of the text, in racgen's pairs and in questions drawn at random",
        "shortcuts that these models are too small to find; `racgen audit` tries others",
        forcing,
        "The last action that names a package settles where it is. Of such statements no pairs can be made in which neither the actions "
        "alone nor the initial state alone tells two thirds of the answers, so that racgen asks for them in a fifth of its questions at "
        "most; `racgen audit` says of this set that it has nothing else.",
    ),
    Plan(
        "controls",
        "Controls",
        "",
        "whole situation, logistics, N1, one action, as terms",
        "that answers which mean nothing teach nothing, and that no test item is in training",
        "anything about reasoning",
        controls,
    ),
    Plan(
        "pairs",
        "Minimal pairs",
        "",
        "which or where, logistics, N1, two actions, as terms, learned beside whole situations",
        "how often a model is right about both of two items that differ in one thing and in their answers, where they ask of one fluent, and "
        "where they ask of anything, such as which location has the most packages after two further actions",
        "which of the differences it notices",
        pairs,
    ),
]
