"""Promise: sampled games are learned and played in process as `racgen iq run` has programs do it: the same games, tellings, values."""

import json
import multiprocessing
import pickle
import random
import sys
import time

import pytest
from conftest import offered, parameters
from required import need

import racgen
from racgen.iq import SampledGame

#: An agent that plays by turns and switches after two episodes: what it sees to a place among the legal moves, or -1.
AGENT = """
def choose(seen):
    if seen["phase"] == "learning" and seen["episode"] == 2:
        return -1
    return (3 * seen["step"] + seen["episode"] + len(seen["state"])) % len(seen["legal"])
"""
PROGRAM = """
import json, sys
for line in sys.stdin:
    print(line, end="", file=open(sys.argv[1], "a"))
    told = json.loads(line)
    if "observe" in told:
        place = choose(told["observe"])
        print(json.dumps({"switch": True} if place < 0 else {"move": place}), flush=True)
"""
exec(AGENT)


def played(game: SampledGame) -> list[dict]:
    """Plays to the end; what was seen."""
    told = []
    while seen := game.observation:
        told.append({**vars(seen), "legal": list(seen.legal)})
        place = choose(told[-1])  # noqa: F821
        game.switch() if place < 0 else game.step(place)
    return told


@pytest.mark.parametrize("text", [False, True])
def test_trials_are_those_of_the_command(run, tmp_path, text):
    need("pyarrow")
    from pyarrow import parquet

    (tmp_path / "agent.py").write_text(AGENT + PROGRAM)
    program = f"{sys.executable} {tmp_path}/agent.py {tmp_path}/heard"
    words = ["-n", 3, "--steps", 40, "--seed", 5, "--rules", *(["--text"] if text else [])]
    run("iq", "run", "--command", program, *words, "--threads", 1, "--out", tmp_path / "d", "-q")
    heard = [json.loads(line) for line in (tmp_path / "heard").read_text().splitlines()]
    rows = sorted(parquet.read_table(tmp_path / "d/results.parquet").to_pylist(), key=lambda row: row["number"])
    assert len(rows) == 7 and {row["players"] for row in rows} == {1, 2}
    for row in rows:
        game = SampledGame(row["number"], seed=5, steps=row["budget"], text=text)
        told, result = played(game), game.result
        for name in ("value", "switched", "learned", "evaluated", "deviation", "steps", "spent", "passes"):
            # Numbers come to the command's files by way of JSON, which may cost the last bit; the pipe below has them whole.
            assert getattr(result, name) == pytest.approx(row[name], rel=1e-15), (row["game"], name)
        for name in ("kind", "derivation", "length", "tau", "complexity", "players"):
            assert getattr(game, name) == row[name], name
        begun = {"game": game.id, "role": game.role, "players": game.players, "budget": game.steps}
        first = heard.index({"begin": {**begun, "rules": game.rules}})
        after = heard[first + 1 : first + 1 + len(told)]
        assert [line["observe"] for line in after] == told
        over = {"value": result.value, "switched": result.switched, "episodes": result.evaluated}
        assert heard[first + 1 + len(told)] == {"over": over}


def test_what_cannot_be_done_changes_nothing():
    game = SampledGame(1, seed=5)
    seen = game.observation
    with pytest.raises(racgen.UsageError, match="`fly` is no legal move; there are"):
        game.step("fly")
    with pytest.raises(racgen.UsageError, match="`99` is no legal move"):
        game.step(99)
    assert game.observation == seen and game.result is None
    game.step(seen.legal[-1])
    assert game.observation.left < seen.left
    again = game.switch()
    assert (again.phase, again.episode, again.step, again.reward) == ("evaluation", 0, 0, 0.0)
    assert again.state == seen.state
    with pytest.raises(racgen.UsageError, match="cannot be taken back"):
        game.switch()
    while game.observation:
        game.step(0)
    assert 0.0 <= game.result.value <= 1.0 and game.result.switched
    with pytest.raises(racgen.UsageError, match="the trial is over"):
        game.step(0)
    assert game.reset() == seen


def test_who_never_switches_has_nothing():
    game = SampledGame(0, seed=5, steps=30)
    rewards = [game.observation.reward]
    while seen := game.step(0):
        rewards.append(seen.reward)
    assert game.result.value == 0.0 and not game.result.switched and game.result.spent == 30
    assert all(-1.0 <= reward <= 1.0 for reward in rewards)


def test_the_rules_are_a_game_of_their_own():
    """What the trial shows is what the rules say: a walk beside the game of its rules, which knows nothing of trials."""
    game = SampledGame(2, seed=1, choice="solo", steps=200)
    own, dice = racgen.games.Game(game.id, text=game.kif), random.Random(1)
    assert game.players == len(own.roles) == 1 and game.opponent is None

    def terms(told: str) -> str:
        return told.replace("(", " ").replace(")", " ").replace(",", " ").split()

    compared = 0
    while (seen := game.observation) and compared < 60:
        if seen.ended:
            own.reset()
        # Where there is one move only, it is made without a word.
        while len(own.legal()) == 1 and len(own.plan) < seen.step:
            own.step(own.legal()[0])
        assert sorted(terms(seen.state)) == sorted(word for fluent in own.state() for word in terms(fluent))
        assert [terms(move) for move in seen.legal] == [terms(move.term) for move in own.legal()]
        place = dice.randrange(len(seen.legal))
        game.step(place)
        own.step(own.legal()[place])
        compared += 1
    assert compared == 60


def test_trials_can_be_saved_and_sent():
    game = SampledGame(3, seed=5, text=True)
    for place in (0, -1, 0):
        game.step(place)
    game.switch()
    again = pickle.loads(pickle.dumps(game))
    other = SampledGame.load(json.loads(json.dumps(game.save())))
    assert again.observation == other.observation == game.observation
    assert played(again) == played(game) and again.result == game.result


def _child(game, queue):
    played(game)
    queue.put(vars(game.result))


def test_a_forked_child_goes_on():
    game = SampledGame(3, seed=5)
    game.step(0)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_child, args=(game, queue))
    child.start()
    theirs = queue.get(timeout=60)
    child.join()
    played(game)
    assert vars(game.result) == theirs


def test_a_game_goes_on_without_who_thinks_too_long():
    game = SampledGame(0, seed=5, steps=40, pace_time=20)
    game.switch()
    time.sleep(0.1)
    game.step(0)
    while game.observation:
        game.step(0)
    assert game.result.passes >= 1
    quick = SampledGame(0, seed=5, steps=40)
    quick.switch()
    while quick.observation:
        quick.step(0)
    assert quick.result.passes == 0
    again = pickle.loads(pickle.dumps(game))
    assert again.result == game.result


def test_options_have_the_names_of_the_command(run):
    found = offered(run("iq", "run", "--help"))
    # What is about agents of other kinds, and about the folder.
    beside = {"agent", "command", "rules", "budget", "pace", "shard", "decision_limit", "game_limit", "iterations"}
    folder = {"format", "out", "threads", "force", "resume", "quiet", "help"}
    assert found - beside - folder == parameters(SampledGame) - {"number"}


def test_what_makes_no_sense_is_refused():
    with pytest.raises(racgen.UsageError, match="--tau0 takes ticks, 1 or more; `0.5` is none"):
        SampledGame(0, tau0=0.5)
    with pytest.raises(racgen.UsageError, match="unknown variant `many`, expected one of `all`, `solo`, `duel`"):
        SampledGame(0, choice="many")
    with pytest.raises(racgen.UsageError, match="--steps takes a number of steps, 1 or more"):
        SampledGame(0, steps=0)
