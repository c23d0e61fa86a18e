"""Makes data sets, trains small models on them, has racgen score what they answer, and writes a table, plots and a paper.

    make evidence                                   # --size small, two to three hours on two cores
    python examples/learning/run.py --size tiny     # minutes, to see that it works; the figures mean nothing
    python examples/learning/run.py --size medium --processes 4    # for an accelerator, which several models share

Needs racgen (`pip install .`) and torch. Models that were trained stand in the work folder and are not trained again; with other
options use another folder. On processors each core trains a model of its own. What was not trained now, and stands in the table of the
output folder, is told of as it stands there: runs and models may come one after the other, from several machines.
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
from plots import KEYS, drawn, paper, points_of, read_table, write_table
from text import Vocabulary, examples, told
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
    shown, tokens = size.shown(trial.form, trial.model, trial.mixed), size.tokens(trial.form, trial.model)
    loss = train(model, known, size, shown, tokens, task.seed, lambda text: say(f"    {name}: {text}"))
    say(f"    {name}: {time.perf_counter() - start:.0f} s, loss of the last tenth {loss:.3f}")
    found: dict[str, dict[str, list[float]]] = {}
    for curve, by_place in tests.items():
        for place, test in by_place.items():
            asked = examples(test, vocabulary, trial.form, trial.sees)
            # Where what the data say is not found right, the scorer cannot be told what a model says, either.
            own = [told(vocabulary.decode(example.target), example.row, trial.form) for example in asked]
            lost = racgen.score_answers(own, test, domain_dir=trial.packages).count(0)
            if lost:
                say(f"    {name}: {curve}, {place}: of the data's own answers {lost} are not found right")
            said = answers(model, asked, vocabulary, size, trial.form)
            right = racgen.score_answers(said, test, domain_dir=trial.packages)
            found.setdefault(curve, {})[place] = right
            if trial.both:
                found.setdefault(trial.both, {})[place] = [min(pair) for pair in zip(right[::2], right[1::2])]
            share = 100 * statistics.mean(right)
            say(f"    {name}: {curve}, {place}: {share:.1f} % of {len(right)}; first: {said[0][-60:]!r}, {test[0]['answer'][-60:]!r}")
    task.file.parent.mkdir(parents=True, exist_ok=True)
    part = task.file.with_suffix(".part")
    part.write_text(json.dumps(found))
    part.rename(task.file)


def results_of(plan: Plan, task: Task) -> list[dict]:
    """What came of one run of an experiment: a row of the table for each point, and one without a point for each model that is not
    trained."""
    found: list[tuple] = []
    for number, one in enumerate(task.made()):
        if isinstance(one, Guess):
            found.append(("", one.curve, one.place, 0, one.share))
            continue
        file = replace(task, number=number).file
        if not file.exists():
            found.append((one.name, "", "", "", None))
            continue
        for curve, by_place in json.loads(file.read_text()).items():
            found += [(one.name, curve, place, len(right), statistics.mean(right)) for place, right in by_place.items()]
    named = ["model", "curve", "place", "items", "accuracy"]
    where = {"seed": str(task.seed), "size": task.size, "machine": machine(), "racgen": racgen.__version__}
    told = [dict(zip(named, [*map(str, one[:-1]), "" if one[-1] is None else f"{one[-1]:.4f}"])) for one in found]
    return [{"experiment": plan.name} | one | where for one in told]


def machine() -> str:
    kind = f"{os.cpu_count()} processor cores" if device().type == "cpu" else torch.cuda.get_device_name()
    return f"{kind}, torch {torch.__version__}, Python {platform.python_version()}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", choices=SIZES, default="small")
    parser.add_argument("--experiment", action="append", choices=[plan.name for plan in PLANS], help="only these")
    parser.add_argument("--model", action="append", help="only models with this in their names, which the log tells")
    parser.add_argument("--work", type=Path, default=Path("data/evidence"), help="folder for data sets and models' answers")
    parser.add_argument("--out", type=Path, default=Path("docs"), help="folder for evidence.md, and evidence/ beside it")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--runs", type=int, help="runs of each experiment, in place of those of the size")
    parser.add_argument("--processes", type=int, help="models trained side by side; one for each core, or one on an accelerator")
    parser.add_argument("--no-training", action="store_true", help="only write the paper anew, from what was trained and told before")
    options = parser.parse_args()
    start = time.perf_counter()
    plans = [plan for plan in PLANS if options.size in plan.sizes]
    asked = [plan for plan in plans if plan.name in (options.experiment or [plan.name])]
    seeds = [options.seed + 1000 * run for run in range(options.runs or SIZES[options.size].runs)]
    # First runs of all come before second ones, so that whoever stops early has a whole picture.
    trained = [] if options.no_training else [Task(plan.name, 0, seed, options.size, options.work) for seed in seeds for plan in asked]
    carry_out_all(trained, options.model or [""], options.processes or ((os.cpu_count() or 1) if device().type == "cpu" else 1))
    write_all(options.size, options.work, options.out)
    say(f"wrote {options.out / 'evidence.md'} after {time.perf_counter() - start:.0f} s")


def write_all(size: str, work: Path, out: Path) -> None:
    """Writes table, plots and paper of all that was trained, and of what the table had before."""
    folder = out / "evidence"
    folder.mkdir(parents=True, exist_ok=True)
    before = read_table(folder / "evidence.csv")
    table, points, lacking = [], [], []
    for plan in PLANS:
        first = Task(plan.name, 0, 0, size, work)
        seeds = sorted({int(file.stem.split("-")[2]) for file in first.file.parent.glob(f"{plan.name}-*.json")})
        made = [row for seed in seeds for row in results_of(plan, replace(first, seed=seed))]
        # What was made anew stands in place of the same that was made before.
        own = {tuple(row[key] for key in KEYS): row for row in before if row["experiment"] == plan.name}
        own |= {tuple(row[key] for key in KEYS): row for row in made}
        if not own:
            continue
        trained = {row["model"] for row in own.values() if row["accuracy"]}
        own = {key: row for key, row in own.items() if row["accuracy"] or row["model"] not in trained}
        models = [*dict.fromkeys(row["model"] for row in [*made, *own.values()])]
        rows = sorted(own.values(), key=lambda row: (row["model"] == "", models.index(row["model"]), int(row["seed"])))
        lacking += [f"{plan.title}: {name}" for name in models if name and name not in trained]
        table += rows
        told = largest(rows)
        points += points_of(told)
        (folder / f"{plan.name}.svg").write_text(drawn(plan, points_of(told)))
    write_table(table, folder / "evidence.csv")
    (out / "evidence.md").write_text(paper(points, lacking, "evidence"))


def largest(rows: list[dict]) -> list[dict]:
    """What the paper tells of: each model at the largest size that it was trained at; a smaller one than that of the others is named."""
    sizes = sorted({row["size"] for row in rows}, key=list(SIZES).index, reverse=True)
    told: list[dict] = []
    for size in sizes:
        trained = {row["model"] for row in told}
        own = [row for row in rows if row["size"] == size and row["model"] not in trained]
        told += own if size == sizes[0] else [row | {"curve": f"{row['curve']}, size {size}"} for row in own if row["accuracy"]]
    return told


def carry_out_all(firsts: list[Task], names: list[str], processes: int) -> None:
    """Trains the models of experiments and runs that are asked for and were not trained before."""
    tasks = []
    for first in firsts:
        all = [(number, one) for number, one in enumerate(first.made()) if isinstance(one, Trial)]
        tasks += [replace(first, number=number) for number, one in all if any(name in one.name for name in names)]
    left = [task for task in tasks if not task.file.exists()]
    say(f"{len(tasks)} models, of which {len(tasks) - len(left)} were trained before")
    if left:
        with ProcessPoolExecutor(processes, get_context("spawn"), max_tasks_per_child=1) as pool:
            list(pool.map(carry_out, left))


if __name__ == "__main__":
    main()
