"""Promise: what the command can do besides is there from Python, with its sentences."""

import json
import re
import shutil
import subprocess

import pytest

import racgen


def test_other_sources_of_items(tmp_path):
    racgen.run("games", "items", "tic_tac_toe", items=60, out=tmp_path / "games", quiet=True)
    assert racgen.audit(tmp_path / "games")["pass"]
    racgen.run("rules", "items", category="rdg", items=60, out=tmp_path / "rules", quiet=True, format=["jsonl", "csv"])
    assert list((tmp_path / "rules").rglob("*.csv")) and list((tmp_path / "rules").rglob("*.jsonl"))


def test_what_it_prints_comes_back():
    assert {found["domain"] for found in json.loads(racgen.run("domains", json=True))} >= {"blocks", "dwr"}
    # A release names its commit, and a development build says what it is.
    assert re.fullmatch(r"racgen \d+\.\d+\.\d+ \((development build|[0-9a-f]{12}(, changed)?)\)\n", racgen.run("--version"))


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete_its_command_lines(shell, tmp_path):
    script = racgen.run("completions", shell)
    assert all(word in script for word in ("--minimal-pairs" if shell != "fish" else "minimal-pairs", "audit", "halma"))
    if shutil.which(shell):
        (tmp_path / "script").write_text(script)
        subprocess.run([shell, "-n", tmp_path / "script"], check=True)
    if shell == "bash":
        asked = 'source "$1"; COMP_WORDS=(racgen --minim); COMP_CWORD=1; _racgen racgen --minim racgen; echo "${COMPREPLY[*]}"'
        done = subprocess.run(["bash", "-c", asked, "bash", tmp_path / "script"], capture_output=True, text=True)
        assert done.stdout == "--minimal-pairs\n", done.stderr


def test_lines_of_json_on_standard_output(run, command):
    words = ["-d", "blocks,logistics", "--depth", "1-2", "-n", 120, "-s", 3]
    lines = run(*words, "-o", "-", "-q").splitlines()
    wanted = []
    for domain in ("blocks", "logistics"):
        for split in ("train", "validation", "test"):
            wanted += racgen.dataset(domain, depth="1-2", items=120, seed=3, split=split)
    assert [json.loads(line) for line in lines] == wanted
    # Whoever reads may leave.
    endless = [command, "-d", "blocks", "-n", "1000000000", "-o", "-", "-q"]
    with subprocess.Popen(endless, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert json.loads(child.stdout.readline())["index"] == 0
        child.stdout.close()
        assert child.wait(60) == 0 and child.stderr.read() == ""
    with pytest.raises(racgen.UsageError, match="--style goes with a folder"):
        racgen.run("-d", "blocks", "-o", "-", style="qa")


def test_its_sentences_are_exceptions(tmp_path):
    with pytest.raises(racgen.UsageError, match="--level takes numbers from 1 to 5"):
        racgen.run("--domain", "blocks", level=7)
    with pytest.raises(racgen.RacgenError, match="is not there"):
        racgen.run("audit", tmp_path / "nowhere")
