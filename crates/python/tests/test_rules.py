"""Promise: rule sets, questions about them and scores are those of the command, as plain objects."""

import csv
import io
import json

import pytest
from conftest import offered, parameters

import racgen
import racgen.rules

OPTIONS = {"size": "S", "depth": 3, "seed": 1, "noise": (0.1, 0.2), "rules": "4-8"}
WORDS = ["--size", "S", "--depth", 3, "--seed", 1, "--noise", "0.1-0.2", "--rules", "4-8"]


@pytest.fixture(scope="module")
def data():
    return racgen.rules.make("rdg", **OPTIONS)


def test_a_rule_set_is_that_of_the_folder(run, tmp_path, data):
    run("rules", "--category", "rdg", *WORDS, "--extras", "none", "-o", tmp_path / "d", "-q")

    def lines(name):
        return (tmp_path / "d" / name).read_text().splitlines()

    def facts(name):
        return sorted(line.rstrip(".") for line in lines(name))

    assert data.rules == lines("rules.txt")
    assert sorted(data.train_facts) == facts("train.txt")
    assert sorted(data.eval_support) == facts("eval-support.txt")
    assert sorted(found["fact"] for found in data.eval_derived) == facts("eval-conseqs.txt")
    kinds = {traced["provenance"] for traced in data.train}
    assert {"support", "consequence", "noise+"} <= kinds
    assert all(traced["depth"] == -1 for traced in data.train if traced["provenance"] == "noise+")
    assert data.settings["seed"] == 1 and data.targets
    manifest = json.loads((tmp_path / "d/manifest.json").read_text())
    assert f"{data.command} --extras none" == manifest["command"]


def test_items_are_those_of_the_command(run):
    lines = run("rules", "items", "--category", "rdg", *WORDS, "-n", 150, "-o", "-", "-q").splitlines()
    rows = racgen.rules.items("rdg", **OPTIONS, items=150)
    assert rows == [json.loads(line) for line in lines] and len(rows) >= 150
    assert all(racgen.score_answer(row["answer"], row) == 1.0 for row in rows)


def test_scores_are_those_of_the_command(run, tmp_path, data):
    run("rules", "--category", "rdg", *WORDS, "--extras", "none", "-o", tmp_path / "d", "-q")
    mine = tmp_path / "mine.txt"
    mine.write_text("".join(f"{rule}\n" for rule in data.rules[:-1]))
    files = tmp_path / "d/rules.txt", mine, tmp_path / "d/eval-support.txt"
    (scored,) = racgen.rules.score(*files)
    (again,) = racgen.rules.score(data.rules, data.rules[:-1], data.eval_support)
    assert scored["name"] == "mine" and {**scored, "name": "learned"} == again
    printed = run("rules", "score", "--original", files[0], "--learned", mine, "--support", files[2], "--format", "csv")
    head, *rows = [row for row in csv.reader(io.StringIO(printed)) if len(row) > 5]
    told = dict(zip(head, rows[0]))
    overall = scored["overall"]
    assert [int(told[name]) for name in ("TP", "FP", "FN")] == [overall[name] for name in ("tp", "fp", "fn")]
    assert overall["fp"] == 0 and overall["fn"] > 0 and overall["precision"] == 1.0 and not scored["equivalent"]
    assert sum(part["fn"] for part in scored["predicates"].values()) == overall["fn"]


def test_the_rules_themselves_score_best(data):
    best, none = racgen.rules.score(data.rules, {"best": data.rules, "none": []}, data.eval_support)
    assert best["equivalent"] and best["overall"]["f1"] == 1.0 and best["rules"]["score"] == 1.0
    assert none["name"] == "none" and none["overall"]["tp"] == 0
    with pytest.raises(racgen.UsageError, match="the predicate `odd` is unknown"):
        racgen.rules.score(data.rules, ["p0(X,Y) :- odd(X,Y)"], data.eval_support)
    racgen.rules.score(data.rules, ["p0(X,Y) :- odd(X,Y)"], data.eval_support, allow_unknown=True)


def test_options_have_the_names_of_the_command(run):
    rules = offered(run("rules", "--help")) - {"help", "extras", "questions"}
    files = {"format", "style", "layout", "license", "rows_per_file", "lm_eval"}
    folder = {"out", "force", "resume", "shard", "quiet", "timing", "threads"}
    assert rules - files - folder == parameters(racgen.rules._options)
    scoring = offered(run("rules", "score", "--help")) - {"help", "format", "per_predicate"}
    assert scoring == parameters(racgen.rules.score)


def test_what_makes_no_sense_is_refused():
    with pytest.raises(racgen.UsageError, match="--category rdg needs --depth 2 or more"):
        racgen.rules.make("rdg", depth=1)
    with pytest.raises(racgen.UsageError, match="`2` is no share"):
        racgen.rules.make(noise=2)
    with pytest.raises(racgen.UsageError, match="--items takes a number above 0"):
        racgen.rules.items(items=0)
    with pytest.raises(TypeError, match="colour"):
        racgen.rules.make(colour=3)
