"""The experiments of examples/learning, at a size that says nothing but that they run."""

import csv
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("torch")

LEARNING = Path(__file__).parents[3] / "examples" / "learning"


def test_a_tiny_run_writes_table_plots_and_paper(tmp_path: Path) -> None:
    words = ["--size", "tiny", "--work", tmp_path / "work", "--out", tmp_path, "--experiment", "controls", "--experiment", "pairs"]
    command = [sys.executable, LEARNING / "run.py", *words]
    subprocess.run(list(map(str, command)), check=True)
    with (tmp_path / "evidence" / "evidence.csv").open() as file:
        points = {(point["experiment"], point["curve"]): point for point in csv.DictReader(file)}
    assert float(points["controls", "test items that are in training"]["accuracy"]) == 0.0
    assert points["controls", "true labels"]["items"] == "40"
    assert points["pairs", "both of a pair"]["items"] == "20"
    assert float(points["pairs", "both of a pair"]["accuracy"]) <= float(points["pairs", "each item"]["accuracy"])
    paper = (tmp_path / "evidence.md").read_text()
    assert "## Minimal pairs" in paper and "(evidence/pairs.svg)" in paper
    assert (tmp_path / "evidence" / "pairs.svg").read_text().startswith("<svg")
    # What was made is not made again.
    again = subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True)
    assert "training items" not in again.stdout


def test_models_go_on_as_they_were_trained() -> None:
    sys.path.insert(0, str(LEARNING))
    import torch
    from text import END, Vocabulary, examples
    from training import SIZES, answers, made, train

    rows = [
        {"context": f"the ball is {place}", "question": "where?", "answer": place, "rationale": ""}
        for place in ("here", "there", "upstairs", "outside")
    ] * 10
    vocabulary = Vocabulary([f"{row['context']} {row['question']} {row['answer']}" for row in rows])
    assert vocabulary.decode([*vocabulary.encode("a zyx, here."), END]) == "a zyx, here."
    known = examples(rows, vocabulary)
    for kind in ("transformer", "recurrent"):
        size = replace(SIZES["tiny"], seen=2_500, rate=5e-3, batch=200)
        model = made(kind, vocabulary, size, 1)
        train(model, known, size, 1)
        told = answers(model, known[:4], vocabulary, size)
        assert told == [row["answer"] for row in rows[:4]], kind
        # With longer prompts beside it in a batch, a model says the same.
        longer = examples([rows[0] | {"context": "the ball the ball the ball is here"}], vocabulary)
        assert answers(model, [known[0], *longer], vocabulary, size)[0] == told[0], kind
        # Scores of a whole sequence and those of going on step by step agree.
        tokens = torch.tensor([known[0].prompt])
        assert model(tokens)[0, -1].argmax().item() == known[0].target[0]
