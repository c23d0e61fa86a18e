"""Options as Python has them to options as the command line takes them."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

#: One value or several: a text as on the command line ("1-3"), a number, or a list, tuple or range of them.
Values = str | int | Iterable[str | int]

#: Names with numbers: a text as on the command line ("train=80,test=20"), or a mapping.
Weights = str | Mapping[str, object]

#: Folders with packages of domains.
Folders = str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | None


def values(given: Values | None) -> str | None:
    """`(1, 3)` to `"1,3"`."""
    if given is None or isinstance(given, str):
        return given
    if isinstance(given, Iterable):
        return ",".join(str(value) for value in given)
    return str(given)


def weights(given: Weights | None) -> str | None:
    """`{"train": 80, "test": 20}` to `"train=80,test=20"`, and `{"since": (2, 4)}` to `"since=2-4"`."""
    if given is None or isinstance(given, str):
        return given

    def number(value: object) -> str:
        if isinstance(value, (tuple, list)):
            return "-".join(str(part) for part in value)
        return str(value)

    return ",".join(f"{name}={number(value)}" for name, value in given.items())


def folders(given: Folders) -> list[Path]:
    """One folder, several or none to a list."""
    if given is None:
        return []
    if isinstance(given, (str, os.PathLike)):
        return [Path(given)]
    return [Path(folder) for folder in given]
