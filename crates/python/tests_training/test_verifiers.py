"""Promise: verifiers finds the taskset by its name, reads tasks without end, and rewards as racgen judges."""

import asyncio
import itertools

import pytest
from required import need

need("verifiers")
import verifiers.v1 as vf  # noqa: E402
from verifiers.v1.graph import MessageNode  # noqa: E402
from verifiers.v1.types import AssistantMessage  # noqa: E402
from verifiers.v1.utils.loaders import taskset_class  # noqa: E402

import racgen  # noqa: E402
import racgen.verifiers  # noqa: E402


@pytest.fixture(scope="module")
def taskset():
    made = taskset_class("racgen-verifiers")
    assert made is racgen.verifiers.RacgenTaskset
    return made(racgen.verifiers.RacgenConfig(domain="blocks", depth="1-2", seed=3))


def test_tasks_have_no_end(taskset):
    assert not taskset.bounded
    rows = racgen.dataset("blocks", depth="1-2", seed=3, items=None)[:120]
    tasks = list(itertools.islice(taskset, 120))
    assert [task.data.row["answer"] for task in tasks] == [row["answer"] for row in rows]
    assert [task.key for task in tasks] == [row["id"] for row in rows]
    assert tasks[7].data.idx == 7 and tasks[7].data.prompt.endswith("?")
    assert len(list(taskset.take(60).shuffle(seed=1))) == 60


def test_a_number_of_items_is_an_end():
    some = racgen.verifiers.RacgenTaskset(racgen.verifiers.RacgenConfig(items=300, split="test"))
    assert some.bounded and len(list(some)) == 30


def said(task, text):
    """A trace in which a model said so."""
    node = MessageNode(message=AssistantMessage(content=text), sampled=True)
    return vf.Trace.model_construct(
        task=vf.TraceTask.model_construct(data=task.data), nodes=[node], rewards={}, metrics={}, root_reply=None
    )


def test_rewards_are_credits(taskset):
    for task in itertools.islice(taskset, 0, 100, 9):
        for text, credit in ((f"The answer is {task.data.row['answer']}.", 1.0), ("I do not know.", 0.0)):
            trace = said(task, text)
            asyncio.run(task.score(trace))
            assert trace.rewards["right"].value == credit


def test_configs_travel(taskset):
    config = racgen.verifiers.RacgenConfig.model_validate(taskset.config.model_dump())
    task = next(iter(racgen.verifiers.RacgenTaskset(config)))
    again = racgen.verifiers.RacgenData.model_validate_json(task.data.model_dump_json())
    assert again == task.data
