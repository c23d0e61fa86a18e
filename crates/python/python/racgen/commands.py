"""The command `racgen` from Python: what has no function of its own here, such as games, mazes and rule sets."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
from pathlib import Path

from racgen.errors import RacgenError, UsageError

#: How the command ends where arguments, or files that they name, are at fault.
_USAGE = 2


def command() -> str:
    """Where the command is: beside this Python, where the wheel put it, or on the PATH.

    Raises:
        RacgenError: it is at neither place.
    """
    beside = Path(sysconfig.get_path("scripts")) / "racgen"
    found = str(beside) if beside.exists() else os.environ.get("RACGEN") or shutil.which("racgen")
    if not found:
        raise RacgenError("the command racgen is not installed; the wheel of racgen brings it")
    return found


def run(*words: object, **options: object) -> str:
    """Runs the command and returns what it prints.

        >>> racgen.run("games", "items", "tic_tac_toe", items=500, out="asked")
        >>> racgen.run("rules", "items", category="rdg", out="rules")
        >>> racgen.run("halma", "gen", out="mazes", quiet=True)

    Options have the command's names, with `_` for `-` within; a list is written with commas, True sets a flag, and None and
    False leave an option out.

    Raises:
        UsageError: arguments that make no sense, with the command's sentence.
        RacgenError: what went wrong, or was found wrong.
    """
    line = [command(), *map(str, words)]
    for name, value in options.items():
        flag = "--" + name.rstrip("_").replace("_", "-")
        if value is True:
            line.append(flag)
        elif value is not None and value is not False:
            text = ",".join(str(part) for part in value) if isinstance(value, (list, tuple, range)) else str(value)
            line += [flag, text]
    done = subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode == 0:
        return done.stdout
    said = (done.stderr.strip() or done.stdout.strip()).removeprefix("racgen: ")
    raise (UsageError if done.returncode == _USAGE else RacgenError)(said)
