"""Promise: the environments are what Gymnasium's own checker takes, alone and vectorised, and a goal can be reached."""

from collections import deque

import pytest
from required import need

gymnasium = need("gymnasium")
import numpy as np  # noqa: E402

import racgen.gymnasium  # noqa: E402


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("racgen/Domain-v0", {"domain": "blocks", "set": {"blocks": 5, "towers": 2}}),
        ("racgen/Domain-v0", {"domain": "logistics"}),
        ("racgen/Halma-v0", {}),
        ("racgen/Halma-v0", {"max_option": 1, "split": "test"}),
    ],
)
@pytest.mark.filterwarnings("ignore:.*render mode.*")
def test_the_checker_finds_nothing(name, options):
    from gymnasium.utils.env_checker import check_env

    env = gymnasium.make(name, render_mode="ansi", **options)
    check_env(env.unwrapped, skip_render_check=False)


def test_environments_are_vectorised():
    envs = gymnasium.make_vec("racgen/Domain-v0", num_envs=2, vectorization_mode="sync", domain="blocks")
    seen, info = envs.reset(seed=1)
    assert seen["state"].shape[0] == 2 and info["action_mask"].shape[0] == 2
    mask = info["action_mask"]
    seen, rewards, *_ = envs.step(np.array([row.argmax() for row in mask]))
    assert rewards.shape == (2,)
    envs.close()


def test_processes_of_their_own():
    envs = gymnasium.make_vec("racgen/Halma-v0", num_envs=2, vectorization_mode="async")
    seen, _ = envs.reset(seed=3)
    assert seen.shape == (2, 11)
    envs.step(envs.action_space.sample())
    envs.close()


def test_a_goal_is_reached_and_rewarded():
    """Breadth first over the simulator's own states: the goal of each episode is there to be reached."""
    env = gymnasium.make("racgen/Domain-v0", domain="blocks", set={"blocks": 5, "towers": 2}, walk=3).unwrapped
    for seed in range(3):
        env.reset(seed=seed)
        goal = {said.term for said in env.goal}
        assert goal and env.simulator.plan == []
        start = env.simulator.save()
        assert not goal <= {said.term for said in env.simulator.state()}
        way = shortest(env.simulator, start, goal, 3)
        assert way is not None
        env.simulator.load(start)
        places = {said.term: place for place, said in enumerate(env.simulator.actions)}
        for number, action in enumerate(way, 1):
            _, reward, terminated, truncated, info = env.step(places[action])
            assert info["valid"] and not truncated
            assert (reward, terminated) == ((1.0, True) if number == len(way) else (0.0, False))


def shortest(simulator, start, goal, depth):
    waiting, met = deque([[]]), set()
    while waiting:
        plan = waiting.popleft()
        simulator.load({**start, "plan": plan})
        state = frozenset(said.term for said in simulator.state())
        if goal <= state:
            return plan
        if state in met or len(plan) == depth:
            continue
        met.add(state)
        waiting.extend([*plan, said.term] for said in simulator.executable())
    return None


def test_seeds_decide_episodes():
    env = gymnasium.make("racgen/Domain-v0", domain="blocks")
    one, info = env.reset(seed=5)
    two, again = env.reset(seed=5)
    assert (one["state"] == two["state"]).all() and (one["goal"] == two["goal"]).all()
    assert info["goal"] == again["goal"]
    goals = {env.reset(seed=seed)[1]["goal"] for seed in range(6)}
    assert len(goals) > 1


def test_what_cannot_be_done_is_told():
    env = gymnasium.make("racgen/Domain-v0", domain="blocks").unwrapped
    seen, info = env.reset(seed=0)
    cannot = int(np.flatnonzero(~info["action_mask"])[0])
    after, reward, terminated, _, info = env.step(cannot)
    assert not info["valid"] and reward == 0.0 and not terminated
    assert (after["state"] == seen["state"]).all()


def test_halma_pays_as_the_paper_does():
    """Against a walk that the test works out from the maze itself, which whoever plays does not see."""
    env = gymnasium.make("racgen/Halma-v0").unwrapped
    env.reset(seed=0, options={"maze": 4})
    rows = env._game.rows()
    free = {(x, y): cell for y, row in enumerate(rows) for x, cell in enumerate(row) if cell != "#"}
    (start,) = (at for at, cell in free.items() if cell == "S")
    (goal,) = (at for at, cell in free.items() if cell == "G")
    steps = {0: (-1, 0), 1: (0, -1), 2: (1, 0), 3: (0, 1)}
    way, met = deque([(start, [])]), {start}
    while way:
        at, path = way.popleft()
        if at == goal:
            break
        for direction, (dx, dy) in steps.items():
            following = (at[0] + dx, at[1] + dy)
            if following in free and following not in met:
                met.add(following)
                way.append((following, [*path, direction]))
    total = 0.0
    for number, direction in enumerate(path, 1):
        _, reward, ended, cut, info = env.step([direction, 1, 4, 4, 4, 4])
        assert info["valid"] and not ended and not cut
        total += reward
        assert info["reached"] == (number == len(path))
    # A unit nearer is 1, the goal 100.
    distance = abs(start[0] - goal[0]) + abs(start[1] - goal[1])
    assert total == distance + 100
    blocked = next(d for d, (dx, dy) in steps.items() if (start[0] + dx, start[1] + dy) not in free)
    _, reward, _, _, info = env.step([blocked, 1, 4, 4, 4, 4])
    assert reward == -5 and not info["valid"]
