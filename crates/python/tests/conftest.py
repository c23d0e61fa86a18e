"""The command beside the package, the names of its options, and small data sets that several tests use."""

import inspect
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import racgen

#: What most tests ask for: small worlds, several streams, groups that are cut off.
OPTIONS = {"domain": "blocks", "level": (1, 2), "depth": "1-2", "items": 440, "seed": 7}


@pytest.fixture(scope="session")
def command() -> str:
    """The command `racgen`: the one that RACGEN names, or the one that came with the wheel."""
    beside = Path(sys.executable).parent / "racgen"
    found = os.environ.get("RACGEN") or (str(beside) if beside.exists() else shutil.which("racgen"))
    assert found, "there is no command racgen; install the wheel, or name it with RACGEN"
    return found


@pytest.fixture(scope="session")
def run(command: str):
    """Runs the command with these words."""

    def run(*words: object) -> str:
        done = subprocess.run([command, *map(str, words)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def offered(help: str) -> set[str]:
    """The long options of a help text, as Python would call them."""
    return {name.replace("-", "_") for name in re.findall(r"^\s+(?:-\w, )?--([a-z][a-z0-9-]*)", help, re.M)}


def parameters(*functions) -> set[str]:
    """The parameters of functions, without the `_` behind names that Python has for itself."""
    return {name.rstrip("_") for function in functions for name in inspect.signature(function).parameters}


@pytest.fixture(scope="session")
def ds() -> racgen.Dataset:
    return racgen.dataset(**OPTIONS)


@pytest.fixture(scope="session")
def rows(ds: racgen.Dataset) -> list[dict]:
    return list(ds)
