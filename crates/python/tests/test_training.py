"""Promise: rewards and prompts have the form that trainers take, and a curriculum can be saved and gone on with."""

import itertools
import json

import pytest
from required import need

import racgen
import racgen.trl


def test_rewards_are_credits(rows):
    some = rows[:12]
    columns = {name: [row[name] for row in some] for name in some[0]}
    right = [f"So the answer is {row['answer']}." for row in some]
    wrong = ["I do not know."] * len(some)
    assert racgen.trl.reward(completions=right, prompts=None, **columns) == [1.0] * 12
    assert racgen.trl.reward(completions=wrong, **columns) == [0.0] * 12
    chats = [[{"role": "assistant", "content": text}] for text in right]
    assert racgen.trl.reward(completions=chats, **columns) == [1.0] * 12


def test_other_peoples_rows_have_no_reward(rows):
    columns = {name: [rows[0][name], None] for name in rows[0]}
    assert racgen.trl.reward(completions=[rows[0]["answer"], "4"], **columns) == [1.0, None]
    assert racgen.trl.reward(completions=["4"], solution=["4"]) == [None]


def test_partial_rewards(rows):
    row = next(row for row in rows if row["answer_type"] == "names" and ", " in row["answer"])
    columns = {name: [row[name]] for name in row}
    first = row["answer"].split(", ")[0]
    assert racgen.trl.reward(completions=[first], **columns) == [0.0]
    assert 0 < racgen.trl.rewarded(partial=True)(completions=[first], **columns)[0] < 1


def test_prompts_are_what_trainers_take(ds, rows):
    need("datasets")
    told = racgen.trl.prompts(ds[:20])
    assert told[3]["prompt"][1] == {"role": "user", "content": f"{rows[3]['context']}\n\n{rows[3]['question']}"}
    columns = {name: told[name] for name in told.column_names}
    assert racgen.trl.reward(completions=list(told["answer"]), **columns) == [1.0] * 20
    stream = racgen.trl.prompts(racgen.dataset("blocks", items=None), as_chat=False)
    assert [row["answer"] for row in stream.take(3)] == [
        row["answer"] for row in racgen.dataset("blocks", items=None)[:3]
    ]
    chats = racgen.trl.conversations(ds[:5])
    assert chats[0]["completion"][0] == {"role": "assistant", "content": rows[0]["answer"]}


def test_prompts_are_those_of_the_forms(run, tmp_path):
    ds = racgen.dataset("blocks", items=60, splits={"train": 1})
    ds.write(tmp_path / "d", style="messages,prompt_completion", format="jsonl", quiet=True)
    (chats,) = (tmp_path / "d").rglob("messages/**/*.jsonl")
    told = [json.loads(line)["messages"][:-1] for line in chats.read_text().splitlines()]
    from racgen.prompts import chat

    assert told == [chat(row) for row in ds]


STAGES = [{"depth": 1}, {"depth": 3}, {"level": 2, "depth": 3}]


def course(**options):
    return racgen.Curriculum(STAGES, domain="blocks", seed=2, **options)


def test_success_promotes():
    rows = course(threshold=0.75, window=8)
    told = []
    for row in itertools.islice(rows, 40):
        # Right until the last stage.
        told.append((row["level"], row["depth"]))
        rows.tell(1.0 if rows.stage < 2 else 0.0)
    assert told == [(1, 1)] * 8 + [(1, 3)] * 8 + [(2, 3)] * 24
    assert rows.history == [(8, 1), (16, 2)] and not rows.promote() and rows.success == 0.0


def test_a_course_goes_on_where_it_was_saved():
    one = course()
    first = [next(one)["id"] for _ in range(30)]
    one.promote()
    first += [next(one)["id"] for _ in range(30)]
    saved = json.loads(json.dumps(one.state()))
    one.demote()
    rest = [next(one)["id"] for _ in range(30)]
    other = course()
    other.load(saved)
    assert (other.stage, other.history, other.drawn) == (1, [(30, 1)], 60)
    other.demote()
    assert [next(other)["id"] for _ in range(30)] == rest
    assert len(set(first + rest)) == 90, "no row comes twice"
    again = course()
    assert [next(again)["id"] for _ in range(30)] == first[:30]


def test_stages_of_another_course_are_refused():
    with pytest.raises(ValueError, match="of 3 stages, and there are 1"):
        racgen.Curriculum([{}], domain="blocks").load(course().state())
