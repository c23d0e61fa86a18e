"""Rows a second through Ray beside the command's, in one run, since machines differ and other work on one does, too.

    scripts/python_peers.sh bench [--items N] [--rounds N] [--cores N] [--domain NAME] [--least SHARE]

Both make the same rows with so many cores, and write Parquet. They take turns, so that what else the machine does falls on both.
Starting Ray is not part of the time, and neither is starting its workers, since a cluster is there before: a small data set is
made first. With --least, the run fails where Ray is slower than that share of the command.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
asked.add_argument("--items", type=int, default=100_000)
asked.add_argument("--rounds", type=int, default=5)
asked.add_argument("--cores", type=int, default=min(2, os.cpu_count() or 1))
asked.add_argument("--domain", default="blocks")
asked.add_argument("--least", type=float)
options = asked.parse_args()

os.environ.setdefault("RAY_DATA_DISABLE_PROGRESS_BARS", "1")
import pyarrow.parquet  # noqa: E402
import ray  # noqa: E402

import racgen.ray  # noqa: E402
from racgen.commands import command  # noqa: E402

GIVEN = {"level": (1, 2), "depth": (1, 3), "splits": {"train": 1}}
WORDS = ["--level", "1,2", "--depth", "1,3", "--splits", "train=1"]


def by_command(out: Path, items: int) -> None:
    words = [command(), "-d", options.domain, "-n", items, *WORDS, "--threads", options.cores, "-o", out, "-q"]
    subprocess.run(list(map(str, words)), check=True)


def by_ray(out: Path, items: int) -> None:
    racgen.ray.read(options.domain, items=items, **GIVEN).write_parquet(str(out))


def rows(folder: Path) -> int:
    return sum(pyarrow.parquet.ParquetFile(file).metadata.num_rows for file in folder.rglob("*.parquet"))


ray.init(num_cpus=options.cores, include_dashboard=False, log_to_driver=False, configure_logging=False)
ray.data.DataContext.get_current().enable_progress_bars = False
taken: dict[str, list[float]] = {"command": [], "ray": []}
with tempfile.TemporaryDirectory() as work:
    by_ray(Path(work) / "warm", 50 * options.cores)
    for number in range(options.rounds):
        for name, make in (("command", by_command), ("ray", by_ray)):
            out = Path(work) / f"{name}-{number}"
            start = time.perf_counter()
            make(out, options.items)
            taken[name].append(time.perf_counter() - start)
            assert rows(out) == options.items, f"{name} wrote {rows(out)} rows"
            print(f"round {number + 1}  {name:8} {options.items / taken[name][-1]:9.0f} rows/s", flush=True)
ratios = [one / other for one, other in zip(taken["command"], taken["ray"])]
share = statistics.median(ratios)
print(f"Ray makes {share:.0%} of the command's rows a second (median of {', '.join(f'{ratio:.0%}' for ratio in ratios)}),")
print(f"{options.domain}, {options.items} rows, {options.cores} cores")
if options.least is not None and share < options.least:
    sys.exit(f"that is less than {options.least:.0%}")
