"""Promise: rows are those of the command, byte for byte, however they are asked for."""

import functools
import hashlib
import io
import itertools
import json
import pickle
import shlex
from pathlib import Path

import pytest
from conftest import OPTIONS, offered, parameters
from required import need

import racgen


def files(folder: Path) -> dict[str, str]:
    """The files of a folder with their hashes."""
    found = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


def test_rows_are_those_of_the_command(run, tmp_path, rows):
    run(
        "-d",
        "blocks",
        "-l",
        "1,2",
        "--depth",
        "1-2",
        "-n",
        440,
        "-s",
        7,
        "--format",
        "jsonl",
        "-o",
        tmp_path / "d",
        "-q",
    )
    lines = (tmp_path / "d/data/train-00000-of-00001.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == rows
    source = racgen.dataset(**OPTIONS)
    made = racgen_lines(source)
    assert made == lines, "the bytes of each line"


def racgen_lines(ds: racgen.Dataset) -> list[str]:
    from racgen._dataset import _source

    return [line.rstrip("\n") for line in _source(ds._key).lines(ds.split, 0, len(ds), 0)]


@pytest.mark.parametrize(
    "options",
    [
        {
            "domain": "blocks",
            "level": (1, 2),
            "depth": 2,
            "items": 300,
            "rationale": True,
            "shuffle_state": True,
            "irrelevant": 1,
        },
        {
            "domain": ("blocks", "logistics"),
            "depth": 1,
            "items": 120,
            "splits": {"train": 3, "test": 1},
            "mix": {"verify": 1},
        },
        {"domain": "blocks", "items": 120, "depth": 3, "ask": "prediction,time", "set": {"blocks": 10, "towers": 3}},
        {
            "domain": "blocks",
            "items": 160,
            "holdout_names": 0.2,
            "names": "random",
            "as_": "generic",
            "rules": "without",
        },
        {"domain": "blocks", "items": 60, "tell": "both", "holdout_looks": True},
        {
            "domain": "blocks",
            "items": 120,
            "minimal_pairs": True,
            "contrast": True,
            "sampling": "walk",
            "split_by": "instance",
        },
    ],
    ids=["told", "several", "asked", "names", "pictures", "pairs"],
)
def test_a_folder_is_that_of_the_command(run, tmp_path, options):
    ds = racgen.dataset(**options, seed=3)
    ds.write(tmp_path / "python", format=("parquet", "jsonl"), style="qa", quiet=True)
    words = shlex.split(ds.command)[1:]
    run(*words, "--format", "parquet,jsonl", "--style", "qa", "--out", tmp_path / "command", "-q")
    made, wanted = files(tmp_path / "python"), files(tmp_path / "command")
    assert made == wanted
    assert any(name.endswith("manifest.json") for name in made)


def test_every_option_of_the_command_has_its_name(run):
    found = offered(run("--help"))
    # A campaign file is several data sets, a layout has one value, and the rest is about the command's own output.
    beside = {"config", "layout", "timing", "help", "version"}
    assert found - beside == parameters(racgen.dataset, racgen.Dataset.write) & found
    assert len(found) > 30
    assert offered(run("audit", "--help")) - {"help"} == parameters(racgen.audit) - {"data"}
    # There, a flag that says no is a parameter that can be False, and how a table is printed is of no concern.
    scored = offered(run("score", "--help")) - {"help", "as", "no_baselines"}
    assert scored | {"baselines"} == parameters(racgen.score) - {"predictions"} | {"gold"}
    assert offered(run("check", "--help")) - {"help", "memory_limit"} == {"domain_dir", "time_limit"}


def test_indices_slices_and_iteration_agree(ds, rows):
    assert len(ds) == len(rows) == 352
    assert [ds[i] for i in (0, 49, 50, 87, 88, 351)] == [rows[i] for i in (0, 49, 50, 87, 88, 351)]
    assert ds[-1] == rows[-1]
    assert list(ds[40:130]) == rows[40:130]
    assert list(ds[10:200:7]) == rows[10:200:7]
    assert list(ds[300:20:-60]) == rows[300:20:-60]
    assert list(ds[100:][5:10]) == rows[105:110]
    assert ds[100:][5] == rows[105]
    assert len(ds[340:999]) == 12
    with pytest.raises(IndexError):
        ds[352]
    assert [len(part) for part in ds.batches(100)] == [100, 100, 100, 52]
    assert list(racgen.dataset(**OPTIONS, start=350)) == rows[350:]


def test_threads_change_nothing(rows):
    assert list(racgen.dataset(**OPTIONS, threads=1)) == rows
    assert list(racgen.dataset(**OPTIONS, threads=3)) == rows


def test_a_stream_has_no_end_and_goes_on_anywhere():
    stream = racgen.dataset("blocks", depth=(1, 2), items=None)
    first = list(itertools.islice(stream, 220))
    assert [row["depth"] for row in first[::50]] == [1, 2, 1, 2, 1]
    assert list(itertools.islice(racgen.dataset("blocks", depth=(1, 2), items=None, start=120), 100)) == first[120:]
    assert list(stream[120:150]) == first[120:150]
    far = racgen.dataset("blocks", depth=(1, 2), items=None, start=100_000_000)
    assert far[0]["index"] == 50_000_000
    with pytest.raises(TypeError, match="no length"):
        len(stream)
    with pytest.raises(racgen.UsageError, match="no end to write"):
        stream.write("nowhere")


def test_shards_are_disjoint_and_complete(ds, rows):
    parts = [list(ds.iterate(shard=(i, 3))) for i in range(3)]
    assert sorted((row["id"] for part in parts for row in part)) == sorted(row["id"] for row in rows)
    assert all(parts)
    stream = racgen.dataset("blocks", items=None)
    one, two = (list(itertools.islice(stream.iterate(shard=(i, 2)), 100)) for i in range(2))
    assert not {row["id"] for row in one} & {row["id"] for row in two}


@pytest.mark.parametrize("domain", ["blocks", "logistics", "dwr"])
def test_splits_share_no_world_for_any_seeds(domain):
    """reasoning-gym's own example trains on seed 1 and validates on seed 2, and asks almost the same questions. Here a world
    has its split whatever the seed is, and whatever the level: those of few worlds, too."""
    met: dict[str, str] = {}
    for level in (1, 3, 5):
        for seed in (0, 1, 2, 4_294_967_296, 9_223_372_036_854_775_807):
            for split in ("train", "validation", "test"):
                for row in racgen.dataset(domain, level=level, depth=1, items=400, seed=seed, split=split):
                    assert met.setdefault(row["world"], split) == split, f"{row['world']}, level {level}, seed {seed}"
    assert set(met.values()) == {"train", "validation", "test"} and len(met) > 100


def test_pickles_make_the_same_rows(ds, rows):
    again = pickle.loads(pickle.dumps(ds[20:60]))
    assert again == ds[20:60] and list(again) == rows[20:60]


def test_errors_are_the_sentences_of_the_command():
    with pytest.raises(racgen.UsageError, match="no such domain; known are blocks"):
        racgen.dataset("nowhere")
    with pytest.raises(racgen.UsageError, match="--level takes numbers from 1 to 5"):
        racgen.dataset("blocks", level=6)
    with pytest.raises(racgen.UsageError, match="there is no split `dev`; there are train, validation, test"):
        racgen.dataset("blocks", split="dev")
    with pytest.raises(racgen.UsageError, match="--irrelevant takes a whole number from 0 to 50"):
        racgen.dataset("blocks", irrelevant=51)
    with pytest.raises(ValueError, match="unknown variant `often`, expected `with` or `without`"):
        racgen.dataset("blocks", rules="often")


def test_a_folder_is_not_overwritten(tmp_path):
    ds = racgen.dataset("blocks", items=60)
    ds.write(tmp_path / "d", quiet=True)
    with pytest.raises(racgen.UsageError, match="replace it with --force"):
        ds.write(tmp_path / "d", quiet=True)
    ds.write(tmp_path / "d", force=True, quiet=True)
    with pytest.raises(racgen.UsageError, match="--shard takes I/N"):
        ds.write(tmp_path / "e", shard="3/2", quiet=True)


def test_shards_complete_a_folder(tmp_path):
    ds = racgen.dataset("blocks", items=400)
    for shard in ("1/2", "2/2"):
        ds.write(tmp_path / "d", shard=shard, quiet=True)
    assert (tmp_path / "d/manifest.json").exists()


def test_a_bar_shows_how_far_a_run_is(tmp_path, monkeypatch):
    """tqdm's own bar, on what it takes for a terminal."""
    auto = need("tqdm.auto")

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    def shown(work) -> str:
        screen = Terminal()
        monkeypatch.setattr(auto, "tqdm", functools.partial(tqdm, file=screen, mininterval=0))
        work()
        return screen.getvalue()

    tqdm = auto.tqdm
    ds = racgen.dataset("blocks", items=60)
    assert "60/60" in shown(lambda: ds.write(tmp_path / "d"))
    assert "60/60" in shown(lambda: racgen.audit(tmp_path / "d"))
    assert shown(lambda: ds.write(tmp_path / "e", quiet=True)) == ""
    assert shown(lambda: racgen.audit(tmp_path / "e", quiet=True)) == ""


def test_many_domains_are_one_source() -> None:
    ds = racgen.dataset({"blocks": 2, "dwr": 1}, items=20, pool=True, split="train")
    domains = [row["domain"] for row in ds]
    assert (domains.count("blocks"), domains.count("dwr")) == (32, 16)
    alone = list(racgen.dataset("dwr", items=20, split="train"))
    assert [row for row in ds if row["domain"] == "dwr"] == alone


def test_whole_domains_are_held_out() -> None:
    given = {"domain": ("blocks", "dwr", "gripper"), "items": 10, "split_by": "domain"}
    trained, tested = (
        {row["domain"] for row in racgen.dataset(**given, splits={"train": 2, "test": 1}, split=split)}
        for split in ("train", "test")
    )
    assert (len(trained), len(tested)) == (2, 1)
    assert not trained & tested
