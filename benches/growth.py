"""How time and memory grow with items, actions and objects: runs the command with more and more of each, fits exponents,
and writes a table and a plot.

    make bench-growth [GROWTH="--out FOLDER --rounds N --quick"]

Time is that of the processors, of all threads together, which other work on the machine changes less than the clock's.
Memory is the most that the process had at a time. Each run is made so many times as --rounds says, and the median taken. The
exponent is the slope of a line through the last four points of a curve, both axes logarithmic: 1 is linear. What a run costs
before its first row makes slopes smaller where runs are short.
"""

import argparse
import csv
import math
import os
import statistics
import subprocess
import tempfile
from pathlib import Path

asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
asked.add_argument("racgen", help="the command")
asked.add_argument("--out", type=Path, default=Path("docs"), help="folder for growth.csv and growth.svg")
asked.add_argument("--rounds", type=int, default=3)
asked.add_argument("--quick", action="store_true", help="the smallest three of each curve, to see that it works")
options = asked.parse_args()


def dwr(count: int) -> list[str]:
    """Worlds of so many containers and piles, and half as many of all else."""
    half = max(2, count // 2)
    sizes = {"containers": count, "piles": count, "locations": half, "cranes": half, "robots": max(1, half - 1), "extra": 0}
    given = [word for name, size in sizes.items() for word in ("--set", f"{name}={size}")]
    return ["--domain", "dwr", "--level", "3", "--depth", "3", "--items", "200", *given]


def blocks(count: int) -> list[str]:
    return ["--domain", "blocks", "--level", "3", "--depth", "3", "--items", "200", "--set", f"blocks={count}"]


def story(domain: str, depth: int) -> list[str]:
    return ["--domain", domain, "--level", "3", "--depth", str(depth), "--items", "20"]


def many(domain: str, level: int, items: int) -> list[str]:
    return ["--domain", domain, "--level", str(level), "--depth", "3", "--items", str(items)]


ITEMS = [500 * 2**step for step in range(8)]
DEPTHS = [10, 30, 100, 300, 1_000, 3_000, 10_000]
# Panel, unit, and by curve its points.
PANELS = [
    (
        "items",
        {
            "dwr N3": [(n, many("dwr", 3, n)) for n in ITEMS],
            "blocks N3": [(n, many("blocks", 3, n)) for n in ITEMS],
            "generic N3": [(n, many("generic", 3, n)) for n in ITEMS[:6]],
        },
    ),
    (
        "actions of a story (20 items)",
        {
            "dwr N3": [(n, story("dwr", n)) for n in DEPTHS],
        },
    ),
    (
        "objects (200 items)",
        {
            "containers of dwr": [(n, dwr(n)) for n in (4, 6, 8, 10, 12, 16, 20)],
            "blocks": [(n, blocks(n)) for n in (8, 10, 12, 14, 16, 20, 24)],
        },
    ),
]


def measured(words: list[str]) -> tuple[float, float]:
    """Seconds of the processors, and MiB."""
    with tempfile.TemporaryDirectory() as work:
        run = subprocess.Popen([options.racgen, *words, "--out", f"{work}/data", "--quiet"])
        _, status, used = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
        if run.returncode:
            raise SystemExit(f"racgen {' '.join(words)} failed")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def slope(points: list[tuple[float, float]]) -> float:
    """Of the line through the logarithms of the last four points."""
    logs = [(math.log(x), math.log(y)) for x, y in points[-4:]]
    return statistics.linear_regression(*zip(*logs)).slope


rows = []
curves: dict[tuple[str, str], list[tuple[int, float, float]]] = {}
for panel, by_curve in PANELS:
    for curve, points in by_curve.items():
        for size, words in points[:3] if options.quick else points:
            rounds = [measured(words) for _ in range(options.rounds)]
            seconds, memory = (statistics.median(of) for of in zip(*rounds))
            curves.setdefault((panel, curve), []).append((size, seconds, memory))
            rows.append([panel, curve, size, f"{seconds:.2f}", f"{memory:.0f}"])
            print(f"{panel:32} {curve:18} {size:>7} {seconds:>8.2f} s {memory:>7.0f} MiB", flush=True)
print("\nexponents of time and memory")
slopes = {}
for (panel, curve), found in curves.items():
    slopes[panel, curve] = [slope([(size, values[kind]) for size, *values in found]) for kind in range(2)]
    print(f"{panel:32} {curve:18} {slopes[panel, curve][0]:>8.2f}   {slopes[panel, curve][1]:>7.2f}")

options.out.mkdir(parents=True, exist_ok=True)
with (options.out / "growth.csv").open("w", newline="") as file:
    csv.writer(file).writerows([["panel", "curve", "size", "processor_seconds", "mebibytes"], *rows])

# The plot: a column a panel, time above memory, both axes logarithmic.
WIDE, HIGH, LEFT, TOP = 300, 190, 60, 40
COLORS = ["#1b6ca8", "#c4581a", "#3b7d4f"]


def ticks(low: float, high: float) -> list[float]:
    return [10.0**power for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]


def drawn() -> str:
    width, height = len(PANELS) * (WIDE + LEFT) + 20, 2 * (HIGH + TOP) + 50
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for column, (panel, by_curve) in enumerate(PANELS):
        for row, unit in enumerate(["processor seconds", "MiB"]):
            left, top = LEFT + column * (WIDE + LEFT), TOP + row * (HIGH + TOP)
            found = {curve: [(point[0], point[1 + row]) for point in curves[panel, curve]] for curve in by_curve}
            xs = [x for points in found.values() for x, _ in points]
            ys = [y for points in found.values() for _, y in points]
            across, up = ticks(min(xs), max(xs)), ticks(min(ys), max(ys))

            def place(x: float, y: float) -> tuple[float, float]:
                part = [
                    (math.log10(v) - math.log10(all[0])) / (math.log10(all[-1]) - math.log10(all[0]))
                    for v, all in ((x, across), (y, up))
                ]
                return left + part[0] * WIDE, top + HIGH - part[1] * HIGH

            for x in across:
                at, _ = place(x, up[0])
                parts.append(f'<path d="M{at:.1f} {top}v{HIGH}" stroke="#ddd"/>')
                parts.append(f'<text x="{at:.1f}" y="{top + HIGH + 14}" text-anchor="middle">{x:,.10g}</text>')
            for y in up:
                _, at = place(across[0], y)
                parts.append(f'<path d="M{left} {at:.1f}h{WIDE}" stroke="#ddd"/>')
                parts.append(f'<text x="{left - 5}" y="{at + 4:.1f}" text-anchor="end">{y:,.10g}</text>')
            parts.append(f'<text x="{left}" y="{top - 8}" font-weight="bold">{unit} by {panel}</text>')
            for number, (curve, points) in enumerate(found.items()):
                color = COLORS[number]
                line = " ".join("{:.1f},{:.1f}".format(*place(x, y)) for x, y in points)
                parts.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="2"/>')
                parts += [
                    '<circle cx="{:.1f}" cy="{:.1f}" r="2.5" fill="{}"/>'.format(*place(x, y), color) for x, y in points
                ]
                text = f"{curve}: exponent {slopes[panel, curve][row]:.2f}"
                parts.append(f'<text x="{left + 8}" y="{top + 14 + 13 * number}" fill="{color}">{text}</text>')
    return "\n".join([*parts, "</svg>", ""])


(options.out / "growth.svg").write_text(drawn())
print(f"\nwrote {options.out / 'growth.csv'} and {options.out / 'growth.svg'}")
