"""Promise: answers are judged as `racgen score` judges them."""

import json

import pytest
from required import need

import racgen


def test_credits_are_those_of_the_command(run, tmp_path):
    ds = racgen.dataset("blocks", depth=(2, 3), items=240, ask="all", splits={"train": 1}, seed=5)
    rows = list(ds)
    kinds = {row["answer_type"] for row in rows}
    assert {"bool", "number", "plan"} <= kinds, kinds
    # Every second answer is that of the row before.
    said = [row["answer"] if n % 2 else rows[n - 1]["answer"] for n, row in enumerate(rows)]
    texts = [f"Let me think. The final answer is: {answer}" if row["answer_type"] in ("bool", "number") else answer
             for answer, row in zip(said, rows)]  # fmt: skip
    credits = racgen.score_answers(texts, rows)
    assert 0.4 < sum(credits) / len(credits) < 0.95
    ds.write(tmp_path / "d", quiet=True)
    lines = [json.dumps({"id": row["id"], "prediction": text}) for row, text in zip(rows, texts)]
    (tmp_path / "mine.jsonl").write_text("\n".join(lines))
    scores = racgen.score(tmp_path / "mine.jsonl", tmp_path / "d", baselines=False)
    assert scores[0]["name"] == "mine"
    assert scores[0]["groups"]["all"]["all"]["right"] == sum(credits)
    assert f"{sum(credits):.0f}" in run(
        "score", tmp_path / "mine.jsonl", "--gold", tmp_path / "d", "--no-baselines", "--as", "csv"
    )


def test_one_answer(rows):
    yes = next(row for row in rows if row["answer"] == "yes")
    assert racgen.score_answer("<answer>Yes</answer>", yes) == 1.0
    assert racgen.score_answer("No, I do not think so.", yes) == 0.0
    assert racgen.score_answer("", yes) == 0.0


def test_partial_credit(rows):
    listed = next(row for row in rows if row["answer_type"] == "names" and row["answer"].count(",") >= 1)
    first = listed["answer"].split(", ")[0]
    assert racgen.score_answer(first, listed) == 0.0
    assert 0 < racgen.score_answer(first, listed, partial=True) < 1


def test_entries_of_other_readers(ds, rows):
    need("datasets")
    pandas = need("pandas")
    pyarrow = need("pyarrow")
    whole = ds.to_hf()
    assert racgen.score_answer(whole[3]["answer"], whole[3]) == 1.0
    frame = pyarrow.table(ds[:20]).to_pandas(types_mapper=None)
    assert isinstance(frame, pandas.DataFrame)
    names = frame[frame.answer_type == "names"].iloc[0] if (frame.answer_type == "names").any() else frame.iloc[0]
    assert racgen.score_answer(names["answer"], dict(names)) == 1.0


def test_what_an_entry_lacks_is_named(rows):
    with pytest.raises(racgen.UsageError, match="the entry has no column `answer`"):
        racgen.score_answer("yes", {"answer_type": "bool", "question": "Is it?"})
    with pytest.raises(ValueError, match="1 answers for 2 entries"):
        racgen.score_answers(["yes"], [{}, {}])


def test_an_audit_finds_what_was_changed(tmp_path):
    pyarrow = need("pyarrow")
    racgen.dataset("blocks", items=200).write(tmp_path / "d", format="jsonl", quiet=True)
    report = racgen.audit(tmp_path / "d")
    assert report["pass"] and report["items"] == 200
    file = tmp_path / "d/data/train-00000-of-00001.jsonl"
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    yes = next(line for line in lines if line["answer"] == "yes")
    yes["answer"] = "no"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    report = racgen.audit(tmp_path / "d", out=tmp_path / "report")
    assert not report["pass"] and (tmp_path / "report/audit.html").exists()
    with pytest.raises(racgen.RacgenError, match="is not there"):
        racgen.audit(tmp_path / "nowhere")
    assert pyarrow
