"""Promise: examples/ready_models.py trains a model that is there, by examples and by rewards, and writes tasks beside it."""

import subprocess
import sys
from pathlib import Path

import pytest
from tiny_model import tiny_model

pytest.importorskip("trl")

SCRIPT = Path(__file__).parents[3] / "examples" / "ready_models.py"
SMALL = "--items 400 --steps 1 --batch 2 --generations 2 --longest 400 --cpu"


@pytest.mark.parametrize("way", ["sft", "grpo"])
def test_a_model_is_trained_and_its_tasks_stand_beside_it(way: str, tmp_path: Path) -> None:
    model, out = tiny_model(tmp_path / "model"), tmp_path / "out"
    command = [sys.executable, SCRIPT, way, "--model", model, "--out", out, *SMALL.split()]
    ended = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    assert (out / "model.safetensors").is_file() and (out / "tokenizer.json").is_file()
    for depths in ("seen", "deeper"):
        assert (out / "tasks" / depths / "racgen_cot.yaml").is_file()
