"""A package that a test meets, or a test that is skipped for want of it; what RACGEN_REQUIRE names must be there."""

import importlib
import importlib.util
import os
from types import ModuleType

import pytest

#: Packages whose lack is an error.
REQUIRED = {name for name in os.environ.get("RACGEN_REQUIRE", "").split(",") if name}


def need(package: str) -> ModuleType:
    """The package. Without it, the test is skipped, unless RACGEN_REQUIRE names it."""
    if package in REQUIRED:
        assert importlib.util.find_spec(package), f"RACGEN_REQUIRE names {package}, which is not installed"
        return importlib.import_module(package)
    return pytest.importorskip(package)
