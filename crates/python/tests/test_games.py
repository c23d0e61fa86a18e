"""Promise: games are played in process as their rules say, and questions about them are those of the command."""

import json
import multiprocessing
import pickle
import random

import pytest
from conftest import offered, parameters

import racgen
from racgen.games import Game

#: Whoever says the greater number wins; both speak at once, twice.
NUMBERS = """
(role left) (role right) (number 1) (number 2) (greater 2 1) (succ 0 1) (succ 1 2) (init (round 0))
(<= (legal ?p (say ?n)) (role ?p) (number ?n))
(<= (next (round ?m)) (true (round ?n)) (succ ?n ?m))
(<= (next (said ?p ?n)) (does ?p (say ?n)))
(<= terminal (true (round 2)))
(<= (goal ?p 100) (true (said ?p ?n)) (true (said ?q ?m)) (greater ?n ?m))
(<= (goal ?p 0) (true (said ?p ?n)) (true (said ?q ?m)) (greater ?m ?n))
(<= tie (true (said left ?n)) (true (said right ?n)))
(<= (goal ?p 50) (role ?p) tie)
"""
LINES = [
    *[[(x, y) for y in range(1, 4)] for x in range(1, 4)],
    *[[(x, y) for x in range(1, 4)] for y in range(1, 4)],
    [(1, 1), (2, 2), (3, 3)],
    [(1, 3), (2, 2), (3, 1)],
]


@pytest.mark.parametrize("seed", range(8))
def test_tic_tac_toe_is_played_by_its_rules(seed):
    """Against a board that the test keeps itself."""
    dice, game = random.Random(seed), Game("tic_tac_toe")
    board, turn = {}, "x"
    while not game.terminal:
        other = "o" if turn == "x" else "x"
        free = {f"mark({x},{y})" for x in range(1, 4) for y in range(1, 4) if (x, y) not in board}
        assert {move.term for move in game.legal(turn)} == free
        assert [move.term for move in game.legal(other)] == ["wait"]
        move = dice.choice(game.legal(turn))
        # By role, as the only choice there is, or in its words.
        game.step([{turn: move}, move, move.text, {turn: move.text.capitalize() + "."}][len(board) % 4])
        board[tuple(int(c) for c in move.term if c.isdigit())] = turn
        won = [line for line in LINES if {board.get(at) for at in line} == {turn}]
        assert game.terminal == (bool(won) or len(board) == 9)
        if game.terminal:
            assert game.rewards() == ({turn: 100, other: 0} if won else {"x": 50, "o": 50})
        turn = other
    assert game.legal() == []
    with pytest.raises(racgen.UsageError, match="the match is over"):
        game.step("wait")


def test_a_text_is_a_game_too():
    game = Game("numbers", text=NUMBERS)
    assert (game.name, game.roles, game.state()) == ("numbers", ["left", "right"], ["round(0)"])
    with pytest.raises(racgen.UsageError, match="left, right have a choice each"):
        game.step("say(1)")
    with pytest.raises(racgen.UsageError, match="which of its 2 moves does `right` make"):
        game.step({"left": "say(1)"})
    with pytest.raises(racgen.UsageError, match=r"`say\(3\)` is no legal move of `left`"):
        game.step({"left": "say(3)", "right": "say(1)"})
    assert game.plan == [] and game.state() == ["round(0)"]
    game.step({"left": "say(1)", "right": "say(1)"})
    assert game.rewards() == {"left": 50, "right": 50} and not game.terminal
    game.step({"left": "say(1)", "right": "say(2)"})
    assert game.terminal and game.rewards() == {"left": 0, "right": 100}
    assert game.reset() == ["round(0)"] and not game.terminal


@pytest.mark.parametrize("name", racgen.games.names())
def test_every_game_can_be_played(name):
    dice, game = random.Random(3), Game(name)
    assert game.rules.endswith(".") and game.text().endswith(".") and game.moves
    for _ in range(12):
        if game.terminal:
            break
        drawn = game.random_moves(dice)
        assert all(move.text and (role, move.term) in game.moves for role, move in drawn.items())
        assert set(game.step(drawn)) <= set(game.fluents)
        assert set(game.rewards()) <= set(game.roles)
    assert game.plan


def test_matches_can_be_saved_and_sent():
    dice, game = random.Random(1), Game("connect_four")
    for _ in range(5):
        game.step(game.random_moves(dice))
    again = pickle.loads(pickle.dumps(game))
    assert again.state() == game.state() and again.plan == game.plan
    other = Game("connect_four")
    other.load(json.loads(json.dumps(game.save())))
    assert other.legal() == game.legal() and other.text() == game.text()


def _child(game, queue):
    game.step(game.random_moves(random.Random(2)))
    queue.put(len(game.plan))


def test_a_forked_child_goes_on():
    game = Game("tic_tac_toe")
    game.step(game.random_moves(random.Random(0)))
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_child, args=(game, queue))
    child.start()
    assert queue.get(timeout=60) == 2
    child.join()


def test_items_are_those_of_the_command(run, tmp_path):
    words = ["games", "items", "tic_tac_toe", "buttons_and_lights", "-n", 120, "--seed", 4, "--depth", "0,2"]
    lines = run(*words, "--out", "-", "-q").splitlines()
    rows = racgen.games.items(["tic_tac_toe", "buttons_and_lights"], items=120, seed=4, depth=(0, 2))
    assert rows == [json.loads(line) for line in lines]
    assert {row["domain"] for row in rows} == {"tic_tac_toe", "buttons_and_lights"}
    assert {row["split"] for row in rows} == {"train", "validation", "test"}
    run(*words, "--out", tmp_path / "d", "--format", "jsonl", "-q")
    written = [line for file in (tmp_path / "d").rglob("*.jsonl") for line in file.read_text().splitlines()]
    assert sorted(written) == sorted(lines), "the bytes of each line"
    assert all(racgen.score_answer(row["answer"], row) == 1.0 for row in rows)


def test_options_have_the_names_of_the_command(run):
    beside = {"help", "out", "force", "resume", "shard", "quiet", "timing"}
    files = {"format", "style", "layout", "license", "rows_per_file", "lm_eval"}
    assert offered(run("games", "items", "--help")) - beside - files == parameters(racgen.games.items) - {"games"}


def test_what_is_known_of_a_game(run, tmp_path):
    assert racgen.games.names() == [line.split()[0] for line in run("games", "list").splitlines()[1:]]
    found = racgen.games.check("tic_tac_toe")
    assert (found["roles"], found["errors"], found["dimensions"]) == (["o", "x"], [], 2)
    assert f"{found['fluents']} fluents, {found['moves']} moves" in run("games", "check", "tic_tac_toe")
    assert racgen.games.types("tic_tac_toe") == run("games", "types", "tic_tac_toe")
    text = racgen.games.rules("tic_tac_toe")
    (tmp_path / "mine.kif").write_text(text)
    assert Game(tmp_path / "mine.kif").moves == Game(text=text).moves == Game("tic_tac_toe").moves
    odd = racgen.games.check("odd", text="(role r) (init p) (<= (next p) (not (true ?f)))")
    assert "the variable `?f`" in odd["errors"][0] and "roles" not in odd


def test_faults_are_told_with_their_place(tmp_path):
    with pytest.raises(racgen.UsageError, match=r"odd:1:"):
        Game("odd", text="(role r")
    with pytest.raises(racgen.UsageError, match="cannot read `nowhere.kif`"):
        Game("nowhere.kif")
    with pytest.raises(racgen.UsageError, match="cannot read `nowhere`"):
        racgen.games.items("nowhere", items=10)
    with pytest.raises(racgen.UsageError, match="--traces takes a number from 1"):
        racgen.games.items("tic_tac_toe", traces=0)
    with pytest.raises(racgen.UsageError, match="no game called `chess` comes with racgen"):
        racgen.games.rules("chess")
    with pytest.raises(racgen.UsageError, match="there is no role `y`"):
        Game("tic_tac_toe").legal("y")
