"""Promise: what the command can do besides is there from Python, with its sentences."""

import json

import pytest

import racgen


def test_other_sources_of_items(tmp_path):
    racgen.run("games", "items", "tic_tac_toe", items=60, out=tmp_path / "games", quiet=True)
    assert racgen.audit(tmp_path / "games")["pass"]
    racgen.run("rules", "items", category="rdg", items=60, out=tmp_path / "rules", quiet=True, format=["jsonl", "csv"])
    assert list((tmp_path / "rules").rglob("*.csv")) and list((tmp_path / "rules").rglob("*.jsonl"))


def test_what_it_prints_comes_back():
    assert {found["domain"] for found in json.loads(racgen.run("domains", json=True))} >= {"blocks", "dwr"}
    assert racgen.run("--version").startswith("racgen ")


def test_its_sentences_are_exceptions(tmp_path):
    with pytest.raises(racgen.UsageError, match="--level takes numbers from 1 to 5"):
        racgen.run("--domain", "blocks", level=7)
    with pytest.raises(racgen.RacgenError, match="is not there"):
        racgen.run("audit", tmp_path / "nowhere")
