"""Points of curves to a table, plots and a paper."""

import csv
import html
from pathlib import Path

from experiments import PLANS, Plan
from training import PATIENCE, SIZES

COLORS = ["#1b6ca8", "#c4581a", "#3b7d4f", "#8a4fa0", "#a03c4c", "#5c6670", "#b08a1e", "#2a8c8c"]
WIDE, HIGH, LEFT, TOP, KEY = 420, 240, 52, 30, 370
# The table: a row a point and run. Guesses need no model, and are shares of all items; a model that was not trained has no points.
KEYS = ["experiment", "model", "curve", "place", "seed", "size"]
COLUMNS = ["experiment", "model", "curve", "place", "seed", "items", "accuracy", "size", "machine", "racgen"]


def interval(right: float, items: int) -> tuple[float, float]:
    """Wilson's interval of a share, at 95 %."""
    if not items:
        return 0.0, 1.0
    z, share = 1.96, right / items
    middle = (share + z * z / (2 * items)) / (1 + z * z / items)
    half = z * (share * (1 - share) / items + z * z / (4 * items * items)) ** 0.5 / (1 + z * z / items)
    return max(0.0, middle - half), min(1.0, middle + half)


def write_table(points: list[dict], file: Path) -> None:
    with file.open("w", newline="") as out:
        table = csv.DictWriter(out, COLUMNS, extrasaction="ignore")
        table.writeheader()
        table.writerows(points)


def read_table(file: Path) -> list[dict]:
    if not file.exists():
        return []
    with file.open(newline="") as read:
        return list(csv.DictReader(read))


def points_of(rows: list[dict]) -> list[dict]:
    """The points of curves, each over all its runs: the share of right answers with its interval, and the least and the most of single
    runs."""
    runs: dict[tuple, list[dict]] = {}
    for row in rows:
        if not row["accuracy"]:
            continue
        runs.setdefault((row["experiment"], row["curve"], row["place"], row["size"]), []).append(row)
    points = []
    for (experiment, curve, place, size), own in runs.items():
        items, shares = [int(row["items"]) for row in own], [float(row["accuracy"]) for row in own]
        right = sum(count * share for count, share in zip(items, shares))
        mean = right / sum(items) if sum(items) else sum(shares) / len(shares)
        low, high = interval(right, sum(items)) if sum(items) else (mean, mean)
        told = {"accuracy": mean, "low": low, "high": high, "least": min(shares), "most": max(shares)}
        where = {"experiment": experiment, "curve": curve, "place": place, "size": size}
        points.append(where | told | {"runs": len(own) if sum(items) else 0, "items": sum(items), "from": own})
    return points


def places_of(points: list[dict]) -> list[str]:
    """In the order of numbers, or that in which they came."""
    found = list(dict.fromkeys(point["place"] for point in points))
    return sorted(found, key=float) if all(place.replace(".", "").isdigit() for place in found) else found


def drawn(plan: Plan, points: list[dict]) -> str:
    """An SVG: the share of right answers by place, a line a curve, with intervals."""
    places = places_of(points)
    width, height = LEFT + WIDE + KEY, TOP + HIGH + 50
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{LEFT}" y="18" font-weight="bold">{html.escape(plan.title)}</text>',
    ]

    def at(place: str, share: float) -> tuple[float, float]:
        step = WIDE / len(places)
        return LEFT + step * (places.index(place) + 0.5), TOP + HIGH * (1 - share)

    for tenth in range(0, 11, 2):
        y = TOP + HIGH * (1 - tenth / 10)
        out.append(f'<path d="M{LEFT} {y:.1f}h{WIDE}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{tenth * 10} %</text>')
    for place in places:
        x, _ = at(place, 0)
        out.append(f'<text x="{x:.1f}" y="{TOP + HIGH + 16}" text-anchor="middle">{html.escape(place)}</text>')
    out.append(f'<text x="{LEFT + WIDE / 2}" y="{TOP + HIGH + 36}" text-anchor="middle">{html.escape(plan.axis)}</text>')
    curves = list(dict.fromkeys(point["curve"] for point in points))
    for number, curve in enumerate(curves):
        color = COLORS[number % len(COLORS)]
        own = sorted((p for p in points if p["curve"] == curve), key=lambda p: places.index(p["place"]))
        # Curves stand a little beside each other, so that intervals can be told apart.
        aside = (number - (len(curves) - 1) / 2) * min(7.0, WIDE / len(places) / (len(curves) + 1))
        spots = [(at(p["place"], p["accuracy"])[0] + aside, p) for p in own]
        dashes = ' stroke-dasharray="4 3"' if all(p["runs"] == 0 for p in own) else ""
        line = " ".join(f"{x:.1f},{at(p['place'], p['accuracy'])[1]:.1f}" for x, p in spots)
        out.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="1.5"{dashes}/>')
        for x, p in spots:
            low, high = at(p["place"], p["low"])[1], at(p["place"], p["high"])[1]
            y = at(p["place"], p["accuracy"])[1]
            out.append(f'<path d="M{x:.1f} {low:.1f}V{high:.1f}" stroke="{color}" opacity=".5"/>')
            out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>')
            for share in (p["least"], p["most"]) if p["runs"] > 1 else ():
                out.append(f'<path d="M{x - 3:.1f} {at(p["place"], share)[1]:.1f}h6" stroke="{color}" opacity=".5"/>')
        y = TOP + 12 + 18 * number
        out.append(f'<path d="M{LEFT + WIDE + 14} {y - 4}h22" stroke="{color}" stroke-width="2"{dashes}/>')
        out.append(f'<text x="{LEFT + WIDE + 42}" y="{y}">{html.escape(curve)}</text>')
    return "\n".join([*out, "</svg>", ""])


def told_size(name: str) -> str:
    size = SIZES[name]
    return (
        f"transformers of {size.layers} layers of width {size.width}, recurrent models of 2 layers of width {2 * size.width}; each model sees "
        f"{size.seen:,} examples as terms, {size.seen_of_domains:,} of many domains, {size.seen_in_english:,} in English, and "
        f"{size.seen_of_both:,} where both kinds are learned side by side, and recurrent models {PATIENCE} times as many; sets have "
        f"{size.train:,} at most, those of many domains {size.of_domains:,}"
    )


def measured(own: list[dict]) -> str:
    """How often, on what, and with which racgen an experiment was made."""
    runs = sorted({point["runs"] for point in own} - {0})
    items = sorted({int(row["items"]) for point in own for row in point["from"]} - {0})
    rows = [row for point in own for row in point["from"]]
    places = {f"size `{row['size']}`, on {row['machine']}, racgen {row['racgen']}" for row in rows}

    def between(numbers: list[int]) -> str:
        return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"

    return f"Runs of each model: {between(runs)}, tests of {between(items)} items a point and run; {'; '.join(sorted(places))}."


def spread(point: dict) -> str:
    """Of a point that was measured, half of its interval, and where runs differ by more than all of it, those that do most."""
    if not point["items"]:
        return ""
    apart = f" ({100 * point['least']:.1f} to {100 * point['most']:.1f})"
    return f" ±{50 * (point['high'] - point['low']):.1f}" + (apart if point["most"] - point["least"] > point["high"] - point["low"] else "")


def paper(points: list[dict], lacking: list[str], folder: str) -> str:
    """The text of the paper: a section an experiment. `lacking`: models of these that were not trained."""
    out = [
        "# What a small model learns from these data",
        "",
        "Written by `make evidence` ([examples/learning](../examples/learning/run.py)): models from random weights, a vocabulary from the",
        "training items, answers scored as `racgen score` does. Bars are 95 % intervals of the share of right answers (Wilson),",
        "over the items of all runs together; ± is half of one. They do not tell how far runs differ that have other random numbers: short",
        "strokes are the least and the most of single runs, which stand in parentheses where they are further apart than that. Lines with",
        "dashes are guesses that need no model. Two kinds of questions are asked:",
        "",
        "- *whole situation*: which statements are true after the last action? Only a whole list without a fault is right. All these",
        "  questions read alike, so that the commonest answer is the best guess by the question alone.",
        "- *yes or no*, in pairs of equal profile, so that half of the answers are yes.",
        "",
        "As terms, a model sees the columns `facts`, `plan` and `query` and goes on with `gold`; in English, the text. The figures of each",
        f"run stand in [{folder}/evidence.csv]({folder}/evidence.csv).",
        "",
        *(f"- Size `{name}`: {told_size(name)}." for name in dict.fromkeys(point["size"] for point in points)),
    ]
    for plan in PLANS:
        own = [point for point in points if point["experiment"] == plan.name]
        if not own:
            continue
        places = places_of(own)
        out += ["", f"## {plan.title}", "", f"![{plan.title}]({folder}/{plan.name}.svg)", ""]
        out += ["| | " + " | ".join(places) + " |", "| --- |" + " --- |" * len(places)]
        for curve in dict.fromkeys(point["curve"] for point in own):
            told = {p["place"]: f"{100 * p['accuracy']:.1f}{spread(p)}" for p in own if p["curve"] == curve}
            out.append(f"| {curve} | " + " | ".join(told.get(place, "") for place in places) + " |")
        remark = f" {plan.remark}" if plan.remark else ""
        out += ["", f"Per cent of right answers; {plan.items}. It shows {plan.shows}; it does not show {plan.shows_not}.{remark}"]
        out += ["", measured(own)]
    missing = [plan for plan in PLANS if plan.name not in {point["experiment"] for point in points}]
    if missing or lacking:
        out += ["", "## Not measured", "", *(f"- {name}" for name in lacking)]
        out += [f"- {plan.title} (sizes {', '.join(f'`{size}`' for size in plan.sizes)})" for plan in missing]
    return "\n".join([*out, ""])
