"""Promise: domains are found, described and checked as by the command."""

import json

import pytest

import racgen


def test_domains_are_those_of_the_command(run):
    assert racgen.domains() == json.loads(run("domains", "--json"))
    assert racgen.Domain.load("blocks").offer == json.loads(run("domains", "blocks", "--json"))


def test_a_domain_of_ones_own(run, tmp_path):
    run("new", "lamps", "--dir", tmp_path)
    lamps = racgen.Domain.load(tmp_path / "lamps")
    assert lamps.name == "lamps" and lamps.families
    assert lamps.check().startswith("lamps: no faults")
    ds = racgen.dataset("lamps", items=60, domain_dir=tmp_path, split_by="instance")
    assert ds[0]["domain"] == "lamps"
    text = (tmp_path / "lamps/domain.lp").read_text()
    (tmp_path / "lamps/domain.lp").write_text(text + "\nholds(F :- .\n")
    with pytest.raises(racgen.UsageError, match="domain.lp"):
        racgen.Domain.load(tmp_path / "lamps").check()


def test_a_name_that_there_is_not():
    with pytest.raises(racgen.UsageError, match="no such domain; known are"):
        racgen.Domain.load("nowhere")
