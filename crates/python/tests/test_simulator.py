"""Promise: what a simulator says of a world is what rows of that world would say, and actions do what the rules say."""

import multiprocessing
import pickle
import random

import pytest

import racgen


@pytest.fixture
def world():
    return racgen.Simulator("blocks", level=1, seed=3)


def test_actions_change_what_they_should(world):
    assert {said.term for said in world.executable()} <= {said.term for said in world.actions}
    for action in world.executable():
        world.reset()
        assert world.step(action)
        # move(b1,b2): b1 is on b2 then. move(b1,table): on the table.
        block, place = action.term.removeprefix("move(").removesuffix(")").split(",")
        state = {said.term for said in world.state()}
        assert (f"on({block},{place})" in state) or (f"ontable({block})" in state), (action.term, state)
        assert world.plan == [action.term]


def test_what_cannot_be_done_changes_nothing(world):
    can = {said.term for said in world.executable()}
    cannot = next(said for said in world.actions if said.term not in can)
    before = world.state()
    assert not world.step(cannot)
    assert world.state() == before and world.plan == []
    with pytest.raises(racgen.UsageError, match="is no action of this world"):
        world.step("fly(b1)")


def test_words_name_actions_too(world):
    action = world.executable()[0]
    assert action.text and world.step(action.text.capitalize() + ".")
    assert world.plan == [action.term]


def test_answers_agree_with_the_state(world):
    """A question whether a fluent holds is answered by the state itself, after any walk."""
    dice = random.Random(0)
    compared = 0
    for situation in range(4):
        world.reset(situation)
        for _ in range(6):
            state = {said.term for said in world.state()}
            for asked in world.questions():
                assert asked.question.endswith("?") and asked.answer and asked.gold
                if asked.question_type == "verify" and asked.query in {said.term for said in world.fluents}:
                    assert (asked.answer == "yes") == (asked.query in state), asked
                    compared += 1
            world.step(dice.choice(world.executable()))
    assert compared > 100


def test_one_question(world):
    some = world.questions()[0]
    assert world.ask(some.query) == some
    assert world.ask("no_such_question(b1)") is None


def test_a_world_is_told_in_english(world):
    assert world.text().endswith(".") and world.rules.endswith(".")
    name = world.objects[0]["name"]
    assert name in world.text()


def test_worlds_can_be_saved_and_sent(world):
    for _ in range(3):
        world.step(world.executable()[-1])
    again = pickle.loads(pickle.dumps(world))
    assert again.state() == world.state() and again.plan == world.plan and again.objects == world.objects
    other = racgen.Simulator("blocks", level=1, seed=3)
    other.load(world.save())
    assert other.text() == world.text()


def test_seeds_make_worlds():
    one, two = (racgen.Simulator("logistics", seed=seed) for seed in (1, 2))
    assert one.facts != two.facts or one.objects != two.objects
    assert one.state() == racgen.Simulator("logistics", seed=1).state()
    with pytest.raises(racgen.UsageError, match="there is no level 9"):
        racgen.Simulator("blocks", level=9)


def _child(world, queue):
    world.step(world.executable()[0])
    queue.put(world.plan)


def test_a_forked_child_goes_on(world):
    world.step(world.executable()[0])
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_child, args=(world, queue))
    child.start()
    plan = queue.get(timeout=60)
    child.join()
    assert plan[:1] == world.plan and len(plan) == 2
