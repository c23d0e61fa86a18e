"""Promise: every snippet of README.md and docs/python.md runs as it stands there.

A snippet whose packages are not installed is skipped, unless RACGEN_REQUIRE names one of them. The model that snippets name is
one of random weights here.
"""

import ast
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
MODEL = '"Qwen/Qwen3-0.6B"'
#: Packages that modules of racgen need.
ADAPTERS = {
    "racgen.daft": "daft",
    "racgen.engines": "pyarrow",
    "racgen.gymnasium": "gymnasium",
    "racgen.ray": "ray",
    "racgen.reasoning_gym": "reasoning_gym",
    "racgen.spark": "pyspark",
    "racgen.torch": "torch",
    "racgen.trl": "trl",
    "racgen.verifiers": "verifiers",
}
#: Packages that methods of racgen need.
CALLS = {".write_parquet(": "pyarrow", ".to_hf(": "datasets"}


def snippets():
    for paper in ("README.md", "docs/python.md"):
        text = (ROOT / paper).read_text()
        for found in re.finditer(r"^(#+ [^\n]*)$|^```python\n(.*?)^```$", text, re.M | re.S):
            if found[1]:
                heading = found[1].lstrip("# ")
            else:
                line = text[: found.start()].count("\n") + 2
                yield pytest.param(found[2], id=f"{paper}:{line} {heading}")


def needs(code: str) -> set[str]:
    """The packages that a snippet imports."""
    modules: set[str] = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            modules.add(node.module or "")
    packages = {ADAPTERS.get(name) or name.split(".")[0] for name in modules}
    return packages - {"racgen"} - set(sys.stdlib_module_names)


def test_there_are_snippets():
    assert len(list(snippets())) > 15


@pytest.mark.parametrize("code", list(snippets()))
def test_a_snippet_runs(code, tmp_path):
    wanted = needs(code) | {package for call, package in CALLS.items() if call in code}
    required = set(os.environ.get("RACGEN_REQUIRE", "").split(","))
    for package in sorted(wanted):
        if importlib.util.find_spec(package) is None:
            assert package not in required, f"RACGEN_REQUIRE names {package}, which is not installed"
            pytest.skip(f"{package} is not installed")
    if MODEL in code:
        sys.path.insert(0, str(Path(__file__).parents[1] / "tests_training"))
        from tiny_model import tiny_model

        code = code.replace(MODEL, repr(str(tiny_model(tmp_path / "model"))))
        code = code.replace("report_to=[]", "report_to=[], use_cpu=True, bf16=False")
    # In a process of its own, since an engine that was started stays.
    (tmp_path / "snippet.py").write_text(code)
    environment = os.environ | {"PYSPARK_PYTHON": sys.executable}
    ended = subprocess.run([sys.executable, "snippet.py"], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
