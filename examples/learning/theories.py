"""The logic program of a domain to rules as words, and its rows to rows whose names say nothing.

A rule says what an action changes, for example `vumble at X1 X3 ;` or `vumble - at X1 Y1 if at X1 Y1 Y1 != X3 ;`: the action, a fact, a dash
before one that goes, and on what this depends. `X1`, `X2` are the arguments of the action in their order, `Y1`, `Y2` anything else. When
an action can be carried out is left out, since all told actions can.
"""

import re
import shutil
from pathlib import Path

import racgen

# Words of a logic program that are the same in all domains and say nothing.
FRAME = {"time", "holds", "T", "occ", "action"}


def rules_of(program: str) -> list[str]:
    """The rules of a logic program, without comments and full stops."""
    text = re.sub(r"%.*", "", program)
    return [" ".join(rule.split()) for rule in re.split(r"\.(?=\s|$)", text) if rule.strip()]


def pieces(text: str) -> list[str]:
    """What stands between the commas that are in no parentheses."""
    out, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            out.append("")
        else:
            out[-1] += letter
    return [piece.strip() for piece in out if piece.strip()]


def as_words(text: str) -> list[str]:
    words = re.findall(r"\w+|!=|<=|>=|[<>=+*/-]", text)
    return ["-" if word == "neg" else word for word in words if word not in FRAME]


class Theory:
    """What the rules of a domain say of changes."""

    def __init__(self, program: str):
        rules = rules_of(program)
        # What may be changed by actions; `defined` facts follow from others.
        self.fluents = {as_words(rule)[1] for rule in rules if rule.startswith("fluent(")}
        self.words: list[str] = []
        for rule in rules:
            head, _, body = rule.partition(":-")
            conditions = pieces(body)
            done = next((piece for piece in conditions if piece.startswith("occ(")), None)
            if not re.match(r"holds\(.*,\s*T\+1\)$", head.strip()) or done is None:
                continue
            head = re.sub(r",\s*T\+1\)$", "", head.strip())
            action, *arguments = as_words(done)
            known = {argument: f"X{place}" for place, argument in enumerate(arguments, 1)}
            rest = [word for piece in conditions if piece != done for word in as_words(piece)]
            said = [action, *as_words(head), *(["if", *rest] if rest else []), ";"]
            for word in said:
                if word[0].isupper() and word not in known:
                    known[word] = f"Y{len(known) - len(arguments) + 1}"
            self.words += [known.get(word, word) for word in said]


def of_library(domain: str) -> Theory:
    """The theory of a domain that comes with racgen."""
    return Theory((Path(__file__).parents[2] / "domains" / domain / "domain.lp").read_text())


def invented(work: Path, names: set[str]) -> tuple[str, dict[str, Theory]]:
    """The folder with the packages of invented domains, and their theories."""
    many = 1 + max(int(name.split("_")[2]) for name in names)
    (seed,) = {name.split("_")[1] for name in names}
    folder = work / "sets" / f"theories-{seed}-{many}"
    if not folder.exists():
        part = work / "sets" / f"theories-{seed}-{many}.part"
        shutil.rmtree(part, ignore_errors=True)
        racgen.run("invent", "--seed", seed, "--domains", str(many), "--out", str(part))
        part.rename(folder)
    return str(folder), {name: Theory((folder / name / "domain.lp").read_text()) for name in sorted(names)}


def with_changes(row: dict, theory: Theory, ruled: bool) -> dict:
    """A row of one action with the columns `theory`, `before` (the facts that actions may change), `changes` (those that they add,
    and take away), and `symbols`: each symbol and each object by a number, as they come, so that a name never tells what it means."""
    before = [term for term in row["facts"] if re.match(r"\w+", term)[0] in theory.fluents]
    changes = [sorted(set(row["gold"]) - set(before)), sorted(set(before) - set(row["gold"]))]
    told = theory.words if ruled else []
    words = [*told, *re.findall(r"\w+", " ".join(row["facts"] + row["plan"] + row["gold"]))]
    objects = {thing["id"] for thing in row["objects"]}
    kept = re.compile(r"\d+|[XY]\d+|if|not|\W.*")
    names = [word for word in dict.fromkeys(words) if not kept.fullmatch(word)]
    symbols = {word: f"s{number}" for number, word in enumerate(word for word in names if word not in objects)}
    symbols |= {word: f"o{number}" for number, word in enumerate(word for word in names if word in objects)}
    return row | {"theory": told, "before": before, "changes": changes, "symbols": symbols}
