"""Domains: which there are, what one of them offers, and whether it is sound."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from racgen import _native
from racgen.options import Folders, folders


def domains(domain_dir: Folders = None) -> list[dict[str, Any]]:
    """The domains that are found: `domain`, `levels`, `found`, `title` and `faults` of each."""
    return json.loads(_native.list_domains(folders(domain_dir)))  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Domain:
    """A domain, by its name or the folder of its package."""

    name: str
    title: str
    summary: str
    #: What `racgen domains NAME --json` prints: types, parameters by level, families of questions.
    offer: dict[str, Any]
    _folders: tuple[Path, ...] = ()
    _given: str = ""

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, domain_dir: Folders = None) -> Domain:
        """The domain of a name, or of the folder of its package.

        Raises:
            UsageError: there is no such domain, or its package has faults; all of them are told, with file and line.
        """
        given, dirs = os.fspath(path), folders(domain_dir)
        offer = json.loads(_native.describe_domain(given, dirs))
        return cls(offer["domain"], offer["title"], offer["summary"], offer, tuple(dirs), given)

    @property
    def levels(self) -> dict[str, dict[str, Any]]:
        """By level (`N1` and so on), the parameters with their least and greatest values."""
        return dict(self.offer["levels"])

    @property
    def families(self) -> list[dict[str, Any]]:
        """The families of questions of prediction: `type`, `family`, `example`."""
        return list(self.offer["families"])

    def check(self, *, time_limit: float = 60.0) -> str:
        """The report of `racgen check`.

        Raises:
            UsageError: the faults that were found.
        """
        return _native.check_domain(self._given, list(self._folders), time_limit)
