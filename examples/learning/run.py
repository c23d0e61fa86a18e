"""Makes data sets, trains small models on them, has racgen score what they answer, and writes a table, plots and a paper.

    make evidence                                   # --size small, meant for about two hours on two cores
    python examples/learning/run.py --size tiny     # a minute, to see that it works; the figures mean nothing
    python examples/learning/run.py --size medium   # for an accelerator

Needs racgen (`pip install .`) and torch. Runs that were made stand in the work folder and are not made again; with other options
use another folder.
"""

import argparse
import json
import os
import platform
import statistics
import sys
import time
from pathlib import Path

try:
    import torch
except ImportError as error:
    print(f"evidence: skipped, torch cannot be imported ({error}); pip install torch", file=sys.stderr)
    sys.exit(1 if "torch" in os.environ.get("RACGEN_REQUIRE", "").split(",") else 0)

import racgen
from experiments import PLANS, Guess, Trial
from plots import drawn, interval, paper, write_table
from text import Vocabulary, examples, target_text
from training import SIZES, answers, device, made, train

asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
asked.add_argument("--size", choices=SIZES, default="small")
asked.add_argument("--experiment", action="append", choices=[plan.name for plan in PLANS], help="only these")
asked.add_argument("--work", type=Path, default=Path("data/evidence"), help="folder for data sets and runs")
asked.add_argument("--out", type=Path, default=Path("docs"), help="folder for evidence.md, and evidence/ beside it")
asked.add_argument("--seed", type=int, default=0)
asked.add_argument("--runs", type=int, help="runs of each experiment, in place of those of the size")
options = asked.parse_args()
size = SIZES[options.size]
runs = options.runs or size.runs


def say(text: str) -> None:
    print(time.strftime("%H:%M:%S"), text, flush=True)


def seen_before(row: dict, sees: str) -> dict:
    """The row with what a model sees as its context."""
    return row | {"context": row[sees] if sees else ""}


def carried_out(trial: Trial, seed: int) -> dict[str, dict[str, list[float]]]:
    """By curve and place, 1 or 0 for each item, as racgen scores the answer."""
    rows = [seen_before(row, trial.sees) for row in trial.train]
    vocabulary = Vocabulary([f"{row['context']} {row['question']} {target_text(row, trial.form)}" for row in rows])
    model = made(trial.model, vocabulary, size, seed)
    count = sum(weight.numel() for weight in model.parameters())
    start = time.perf_counter()
    loss = train(model, examples(rows, vocabulary, trial.form), size, seed, lambda text: say(f"    {text}"))
    say(f"    {count:,} weights, {time.perf_counter() - start:.0f} s, loss of the last tenth {loss:.3f}")
    found: dict[str, dict[str, list[float]]] = {}
    for curve, tests in {trial.curve: trial.tests, **trial.beside}.items():
        for place, test in tests.items():
            asked_of = examples([seen_before(row, trial.sees) for row in test], vocabulary, trial.form)
            told = answers(model, asked_of, vocabulary, size)
            right = racgen.score_answers(told, test)
            found.setdefault(curve, {})[place] = right
            if trial.both:
                found.setdefault(trial.both, {})[place] = [min(pair) for pair in zip(right[::2], right[1::2])]
            share = 100 * statistics.mean(right)
            say(f"    {curve}, {place}: {share:.1f} % of {len(right)}; first: {told[0][-60:]!r}, {test[0]['answer']!r}")
    return found


def points_of(name: str, make) -> list[dict]:
    """The points of an experiment, each over all its runs."""
    scored: dict[tuple[str, str], list[list[float]]] = {}
    guessed: dict[tuple[str, str], list[float]] = {}
    for number in range(runs):
        seed = options.seed + 1000 * number
        for trial in make(options.work, options.size, size, seed):
            if isinstance(trial, Guess):
                guessed.setdefault((trial.curve, trial.place), []).append(trial.share)
                continue
            file = options.work / "runs" / options.size / f"{name}-{trial.curve}-{trial.sees}-{'-'.join(trial.tests)}-{seed}.json"
            file = file.with_name(file.name.replace(" ", "_").replace(",", ""))
            if not file.exists():
                say(f"{name}: {trial.curve}, {len(trial.train)} training items, seed {seed}")
                found = carried_out(trial, seed)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(json.dumps(found))
            for curve, by_place in json.loads(file.read_text()).items():
                for place, right in by_place.items():
                    scored.setdefault((curve, place), []).append(right)
    points = []
    for (curve, place), of_runs in scored.items():
        right, items = sum(map(sum, of_runs)), sum(map(len, of_runs))
        low, high = interval(right, items)
        points.append((curve, place, len(of_runs), items, right / items, low, high))
    for (curve, place), shares in guessed.items():
        share = statistics.mean(shares)
        points.append((curve, place, 0, 0, share, share, share))
    named = ["curve", "place", "runs", "items", "accuracy", "low", "high"]
    return [
        {"experiment": name} | {key: f"{value:.4f}" if isinstance(value, float) else str(value) for key, value in zip(named, point)}
        for point in points
    ]


torch.set_num_threads(min(2, os.cpu_count() or 1) if device().type == "cpu" else 4)
start = time.perf_counter()
points: list[dict] = []
for plan in PLANS:
    if not options.experiment or plan.name in options.experiment:
        points += points_of(plan.name, plan.make)
machine = torch.cuda.get_device_name() if device().type == "cuda" else f"{os.cpu_count()} processor cores"
how = {
    "size": f"`{options.size}`: {size.layers} layers of width {size.width}, {size.seen:,} examples seen by each model, out of {size.train:,}",
    "runs": f"{runs} of each, seed {options.seed}",
    "machine": f"{machine}, torch {torch.__version__}, Python {platform.python_version()}",
    "racgen": racgen.__version__,
}
folder = options.out / "evidence"
folder.mkdir(parents=True, exist_ok=True)
write_table(points, folder / "evidence.csv")
for plan in PLANS:
    own = [point for point in points if point["experiment"] == plan.name]
    if own:
        (folder / f"{plan.name}.svg").write_text(drawn(plan, own))
(options.out / "evidence.md").write_text(paper(points, how, "evidence"))
say(f"wrote {options.out / 'evidence.md'} after {time.perf_counter() - start:.0f} s")
