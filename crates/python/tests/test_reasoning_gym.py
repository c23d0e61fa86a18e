"""Promise: reasoning-gym makes, judges and grades racgen's items as its own."""

import pytest
from required import need

reasoning_gym = need("reasoning_gym")

import reasoning_gym.factory  # noqa: E402

import racgen.reasoning_gym  # noqa: E402


@pytest.fixture(scope="module")
def data():
    return reasoning_gym.create_dataset("racgen_blocks", min_depth=1, max_depth=2, seed=1, size=120)


def test_entries_have_its_form(data):
    entry = data[7]
    assert set(entry) >= {"question", "answer", "metadata"}
    assert entry["question"].endswith("?") and entry["metadata"]["source_dataset"] == "racgen_blocks"
    assert entry == data[7] and len(data) == 120 and len(list(data)) == 120
    assert {data[n]["metadata"]["row"]["depth"] for n in range(0, 120, 10)} == {1, 2}


def test_answers_are_judged(data):
    for number in range(0, 120, 5):
        entry = data[number]
        assert data.score_answer(f"The answer is {entry['answer']}.", entry) == 1.0
        assert data.score_answer("I cannot tell.", entry) == 0.0
    assert data.score_answer(None, data[0]) == 0.0


def test_the_curriculum_raises_level_and_depth():
    course = reasoning_gym.factory.create_curriculum("racgen_blocks")
    easy = course.generate_configuration({"seed": 3, "size": 10})
    assert (easy.domain, easy.min_level, easy.max_level, easy.max_depth) == ("blocks", 1, 1, 1)
    course.increment_attr_level("depth")
    course.increment_attr_level("level")
    hard = course.generate_configuration({"seed": 3, "size": 10})
    assert (hard.max_level, hard.max_depth) == (2, 2)
    assert racgen.reasoning_gym.RacgenDataset(hard)[0]["question"]


def test_other_seeds_are_other_items_and_splits_share_no_world():
    """Its own data sets train on seed 1 and validate on seed 2, and ask the same again."""
    make = lambda seed, split: reasoning_gym.create_dataset(  # noqa: E731
        "racgen_blocks", min_depth=1, max_depth=2, seed=seed, size=300, split=split
    )
    train, test = make(1, "train"), make(2, "test")
    worlds, others = ({entry["metadata"]["row"]["world"] for entry in part} for part in (train, test))
    assert worlds and others and not worlds & others
    assert not {entry["question"] for entry in train} & {entry["question"] for entry in test}


def test_its_composite_mixes_them():
    from reasoning_gym.composite import CompositeConfig, CompositeDataset, DatasetSpec

    specs = [
        DatasetSpec(name="racgen_blocks", weight=1, config={"max_depth": 1}),
        DatasetSpec(name="leg_counting", weight=1, config={}),
    ]
    mixed = CompositeDataset(CompositeConfig(seed=4, size=30, datasets=specs))
    names = {entry["metadata"]["source_dataset"] for entry in mixed}
    assert names == {"racgen_blocks", "leg_counting"}
    own = next(entry for entry in mixed if entry["metadata"]["source_dataset"] == "racgen_blocks")
    assert mixed.score_answer(own["answer"], own) == 1.0
