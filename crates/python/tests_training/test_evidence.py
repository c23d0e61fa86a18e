"""The experiments of examples/learning, at a size that says nothing but that they run."""

import csv
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import racgen

pytest.importorskip("torch")

LEARNING = Path(__file__).parents[3] / "examples" / "learning"


def test_a_tiny_run_writes_table_plots_and_paper(tmp_path: Path) -> None:
    words = ["--size", "tiny", "--work", tmp_path / "work", "--out", tmp_path]
    words += [word for name in ("controls", "pairs", "steps", "domains") for word in ("--experiment", name)]
    command = [sys.executable, LEARNING / "run.py", *words]
    subprocess.run(list(map(str, command)), check=True)
    with (tmp_path / "evidence" / "evidence.csv").open() as file:
        points = {(point["experiment"], point["curve"]): point for point in csv.DictReader(file)}
    assert float(points["controls", "test items that are in training"]["accuracy"]) == 0.0
    assert points["controls", "own answers"]["items"] == "40"
    assert points["pairs", "both of a pair"]["items"] == "20"
    assert float(points["pairs", "both of a pair"]["accuracy"]) <= float(points["pairs", "each item"]["accuracy"])
    paper = (tmp_path / "evidence.md").read_text()
    assert "## Minimal pairs" in paper and "(evidence/pairs.svg)" in paper
    assert (tmp_path / "evidence" / "pairs.svg").read_text().startswith("<svg")
    assert points["steps", "recurrent, situations on the way"]["items"] == "40"
    assert points["domains", "held-out domains"]["size"] == "tiny"
    # What was made is not made again.
    again = subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True)
    assert "training items" not in again.stdout and "13 models, of which 13 were trained before" in again.stdout
    assert (tmp_path / "evidence.md").read_text() == paper
    # Without the work folder, the table keeps what it has.
    without = [sys.executable, LEARNING / "run.py", "--no-training", "--work", tmp_path / "none", "--out", tmp_path]
    subprocess.run(list(map(str, without)), check=True)
    assert (tmp_path / "evidence.md").read_text() == paper


def test_the_paper_tells_of_each_model_at_its_largest_size() -> None:
    sys.path.insert(0, str(LEARNING))
    from run import largest

    def row(model: str, size: str, accuracy: str = "0.5") -> dict:
        return {"model": model, "curve": f"curve of {model}", "size": size, "accuracy": accuracy}

    told = largest([row("one", "small"), row("two", "small"), row("one", "medium"), row("three", "small", "")])
    assert [(each["curve"], each["size"]) for each in told] == [("curve of one", "medium"), ("curve of two, size small", "small")]


def test_models_go_on_as_they_were_trained() -> None:
    sys.path.insert(0, str(LEARNING))
    import torch
    from text import END, Vocabulary, examples, told, words
    from training import SIZES, answers, made, train

    rows = [
        {"context": f"the ball is {place}", "question": "where?", "answer": place, "rationale": ""}
        for place in ("here", "there", "upstairs", "outside")
    ] * 10
    vocabulary = Vocabulary.of(rows, "english")
    spelled = vocabulary.decode([*vocabulary.encode(words("a zyx, here.")), END])
    assert told(spelled, rows[0]) == "a zyx, here."
    known = examples(rows, vocabulary)
    for kind in ("transformer", "transformer without distances", "recurrent"):
        size = replace(SIZES["tiny"], seen=2_500, rate=5e-3, batch=200)
        model = made(kind, vocabulary, size, 1)
        train(model, known, size, size.seen, size.batch, 1)
        said = answers(model, known[:4], vocabulary, size)
        assert said == [row["answer"] for row in rows[:4]], kind
        # With longer prompts beside it in a batch, a model says the same.
        longer = examples([rows[0] | {"context": "the ball the ball the ball is here"}], vocabulary)
        assert answers(model, [known[0], *longer], vocabulary, size)[0] == said[0], kind
        # Scores of a whole sequence and those of going on step by step agree.
        tokens = torch.tensor([known[0].prompt])
        assert model(tokens)[0, -1].argmax().item() == known[0].target[0]


def test_answers_in_terms_are_told_as_the_scorer_reads_them() -> None:
    sys.path.insert(0, str(LEARNING))
    from text import prompt_words, target_words, told

    asked = {"verify": 1, "count": 1, "other": 1}
    rows = list(racgen.dataset("logistics", depth=2, items=60, mix=asked, split="train"))
    rows += list(racgen.dataset("logistics", depth=2, items=20, ask="time", family="whole_state", mix={"other": 1}, split="train"))
    said = [told(target_words(row, "terms"), row, "terms") for row in rows]
    assert racgen.score_answers(said, rows) == [1.0] * len(rows)
    wrong = [told(target_words(row, "terms")[:-2], row, "terms") for row in rows[-8:]]
    assert sum(racgen.score_answers(wrong, rows[-8:])) == 0
    # What a model may see is a part of what it may see otherwise.
    for row in rows:
        whole = prompt_words(row, "terms")
        assert prompt_words(row, "terms", "actions") == whole[-len(prompt_words(row, "terms", "actions")) :]
        assert len(prompt_words(row, "terms", "")) < len(whole)


def test_situations_on_the_way_lead_to_the_answer() -> None:
    sys.path.insert(0, str(LEARNING))
    from situations import Situations
    from text import target_words, told

    options = {"ask": "time", "family": "whole_state", "mix": {"other": 1}, "rules": "without", "split": "train"}
    rows = list(racgen.dataset("logistics", depth=(1, 3), items=600, **options))
    situations = Situations(rows)
    known = situations.told(rows)
    assert all(row["situations"][-1] == row["gold"] and len(row["situations"]) == row["depth"] for row in known)
    said = [told(target_words(row, "steps"), row, "steps") for row in known]
    assert racgen.score_answers(said, rows) == [1.0] * len(rows)
    with pytest.raises(ValueError, match="do not lead to"):
        situations.after(known[-1] | {"gold": []})


def test_changes_by_the_rules_of_invented_domains_make_the_answer(tmp_path: Path) -> None:
    sys.path.insert(0, str(LEARNING))
    from text import prompt_words, target_words, told
    from theories import Theory, with_changes

    racgen.run("invent", "--domains", "3", "--out", str(tmp_path / "worlds"))
    options = {"ask": "time", "family": "whole_state", "mix": {"other": 1}, "rules": "without", "split": "train"}
    for folder in sorted((tmp_path / "worlds").iterdir()):
        theory = Theory((folder / "domain.lp").read_text())
        rows = list(racgen.dataset(folder.name, items=40, depth=1, **options))
        for ruled in (True, False):
            known = [with_changes(row, theory, ruled) for row in rows]
            said = [told(target_words(row, "changes"), row, "changes") for row in known]
            assert racgen.score_answers(said, rows) == [1.0] * len(rows)
            # Naming no change is wrong, since each action changes something; and no name of the domain is told.
            assert sum(racgen.score_answers([told([], row, "changes") for row in known], rows)) == 0
            assert not {word for row in known for word in prompt_words(row, "changes")} & theory.fluents
    words = " ".join(Theory((LEARNING.parents[1] / "domains" / "logistics" / "domain.lp").read_text()).words)
    assert "drive_truck at X1 X3 ; drive_truck - at X1 X2 ;" in words
