"""Makes data sets, trains small models on them, has racgen score what they answer, and writes a table, plots and a paper.

    make evidence                                   # --size small, two to three hours on two cores
    python examples/learning/run.py --size tiny     # a minute, to see that it works; the figures mean nothing
    python examples/learning/run.py --size medium   # for an accelerator

Needs racgen (`pip install .`) and torch. Models that were trained stand in the work folder and are not trained again; with other
options use another folder. On processors each core trains a model of its own.
"""

import argparse
import json
import os
import platform
import statistics
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

try:
    import torch
except ImportError as error:
    print(f"evidence: skipped, torch cannot be imported ({error}); pip install torch", file=sys.stderr)
    sys.exit(1 if "torch" in os.environ.get("RACGEN_REQUIRE", "").split(",") else 0)

import racgen
from experiments import PLANS, Guess, Plan, Trial
from plots import drawn, interval, paper, write_table
from text import Vocabulary, examples
from training import SIZES, answers, device, made, train


@dataclass(frozen=True)
class Task:
    """One model to train: the experiment, the number of its trial, and the seed of the run."""

    experiment: str
    number: int
    seed: int
    size: str
    work: Path

    @property
    def plan(self) -> Plan:
        return next(plan for plan in PLANS if plan.name == self.experiment)

    def made(self) -> list[Trial | Guess]:
        """What the experiment has; its data sets are made, but not read."""
        return list(self.plan.make(self.work, self.size, SIZES[self.size], self.seed))

    @property
    def file(self) -> Path:
        """By curve and place, 1 or 0 for each item, as racgen scores the answer."""
        return self.work / "runs" / self.size / f"{self.experiment}-{self.number}-{self.seed}.json"


def say(text: str) -> None:
    print(time.strftime("%H:%M:%S"), text, flush=True)


def carry_out(task: Task) -> None:
    """Trains and tests a model, and writes what was right."""
    torch.set_num_threads(1 if device().type == "cpu" else 4)
    trial, size = task.made()[task.number], SIZES[task.size]
    rows, tests = trial.rows()
    vocabulary = Vocabulary.of(rows, trial.form)
    model = made(trial.model, vocabulary, size, task.seed)
    count = sum(weight.numel() for weight in model.parameters())
    name = f"{task.experiment}, {trial.name}, seed {task.seed}"
    say(f"{name}: {count:,} weights, {len(rows):,} training items")
    start = time.perf_counter()
    known = examples(rows, vocabulary, trial.form, trial.sees)
    loss = train(model, known, size, size.shown(trial.form, trial.mixed), task.seed, lambda text: say(f"    {name}: {text}"))
    say(f"    {name}: {time.perf_counter() - start:.0f} s, loss of the last tenth {loss:.3f}")
    found: dict[str, dict[str, list[float]]] = {}
    for curve, by_place in tests.items():
        for place, test in by_place.items():
            asked = examples(test, vocabulary, trial.form, trial.sees)
            told = answers(model, asked, vocabulary, size, trial.form)
            right = racgen.score_answers(told, test)
            found.setdefault(curve, {})[place] = right
            if trial.both:
                found.setdefault(trial.both, {})[place] = [min(pair) for pair in zip(right[::2], right[1::2])]
            share = 100 * statistics.mean(right)
            say(f"    {name}: {curve}, {place}: {share:.1f} % of {len(right)}; first: {told[0][-60:]!r}, {test[0]['answer'][-60:]!r}")
    task.file.parent.mkdir(parents=True, exist_ok=True)
    part = task.file.with_suffix(".part")
    part.write_text(json.dumps(found))
    part.rename(task.file)


def points_of(plan: Plan, runs: dict[int, list[Trial | Guess]], task: Task) -> list[dict]:
    """The points of an experiment, each over all its runs."""
    scored: dict[tuple[str, str], list[list[float]]] = {}
    guessed: dict[tuple[str, str], list[float]] = {}
    for seed, all in runs.items():
        for number, one in enumerate(all):
            if isinstance(one, Guess):
                guessed.setdefault((one.curve, one.place), []).append(one.share)
                continue
            file = Task(plan.name, number, seed, task.size, task.work).file
            for curve, by_place in json.loads(file.read_text()).items():
                for place, right in by_place.items():
                    scored.setdefault((curve, place), []).append(right)
    points = []
    for (curve, place), of_runs in scored.items():
        right, items = sum(map(sum, of_runs)), sum(map(len, of_runs))
        points.append((curve, place, len(of_runs), items, right / items, *interval(right, items)))
    for (curve, place), shares in guessed.items():
        points.append((curve, place, 0, 0, *[statistics.mean(shares)] * 3))
    named = ["curve", "place", "runs", "items", "accuracy", "low", "high"]
    return [
        {"experiment": plan.name} | {key: f"{value:.4f}" if isinstance(value, float) else str(value) for key, value in zip(named, point)}
        for point in points
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", choices=SIZES, default="small")
    parser.add_argument("--experiment", action="append", choices=[plan.name for plan in PLANS], help="only these")
    parser.add_argument("--work", type=Path, default=Path("data/evidence"), help="folder for data sets and models' answers")
    parser.add_argument("--out", type=Path, default=Path("docs"), help="folder for evidence.md, and evidence/ beside it")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--runs", type=int, help="runs of each experiment, in place of those of the size")
    parser.add_argument("--processes", type=int, help="models trained side by side; one for each core, or one on an accelerator")
    options = parser.parse_args()
    size = SIZES[options.size]
    on_cores = device().type == "cpu"
    start = time.perf_counter()
    plans = [plan for plan in PLANS if not options.experiment or plan.name in options.experiment]
    seeds = [options.seed + 1000 * run for run in range(options.runs or size.runs)]
    every: dict[str, dict[int, list[Trial | Guess]]] = {}
    tasks = []
    # First runs of all come before second ones, so that whoever stops early has a whole picture.
    for seed in seeds:
        for plan in plans:
            made = Task(plan.name, 0, seed, options.size, options.work).made()
            every.setdefault(plan.name, {})[seed] = made
            numbers = [number for number, one in enumerate(made) if isinstance(one, Trial)]
            tasks += [Task(plan.name, number, seed, options.size, options.work) for number in numbers]
    say(f"{len(tasks)} models, of which {sum(task.file.exists() for task in tasks)} were trained before")
    tasks = [task for task in tasks if not task.file.exists()]
    processes = options.processes or ((os.cpu_count() or 1) if on_cores else 1)
    with ProcessPoolExecutor(processes, get_context("spawn"), max_tasks_per_child=1) as pool:
        list(pool.map(carry_out, tasks))
    # Experiments that were made before, whole, are told of as well.
    for plan in PLANS:
        for seed in seeds if plan not in plans else []:
            first = Task(plan.name, 0, seed, options.size, options.work)
            made = first.made() if first.file.exists() else []
            trained = [replace(first, number=number).file.exists() for number, one in enumerate(made) if isinstance(one, Trial)]
            if trained and all(trained):
                every.setdefault(plan.name, {})[seed] = made
    plans = [plan for plan in PLANS if plan.name in every]
    points = [point for plan in plans for point in points_of(plan, every[plan.name], Task(plan.name, 0, 0, options.size, options.work))]
    machine = f"{os.cpu_count()} processor cores" if on_cores else torch.cuda.get_device_name()
    how = {
        "size": f"`{options.size}`: transformers of {size.layers} layers of width {size.width}; each model sees {size.seen:,} examples as terms, "
        f"{size.seen_in_english:,} in English, and {size.seen_of_both:,} where both kinds are learned side by side; sets have {size.train:,} at most",
        "runs": f"{len(seeds)} of each, seed {options.seed}; tests of {size.test} items a point and run",
        "machine": f"{machine}, torch {torch.__version__}, Python {platform.python_version()}",
        "racgen": racgen.__version__,
    }
    folder = options.out / "evidence"
    folder.mkdir(parents=True, exist_ok=True)
    write_table(points, folder / "evidence.csv")
    for plan in plans:
        own = [point for point in points if point["experiment"] == plan.name]
        (folder / f"{plan.name}.svg").write_text(drawn(plan, own))
    (options.out / "evidence.md").write_text(paper(points, how, "evidence"))
    say(f"wrote {options.out / 'evidence.md'} after {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
