"""Promise: polars, DuckDB, pandas, pyarrow and datasets take rows as they are."""

import pytest
from required import need

import racgen

pyarrow = need("pyarrow")


def test_pyarrow_reads_the_columns_of_the_parquet_files(ds, rows, tmp_path):
    import pyarrow.parquet

    table = pyarrow.table(ds)
    assert table.to_pylist() == rows
    assert all(not field.nullable for field in table.schema if field.name != "effective_depth")
    ds.write(tmp_path / "d", quiet=True)
    written = pyarrow.parquet.read_table(tmp_path / "d/data/train-00000-of-00001.parquet")
    assert written.schema.names == table.schema.names
    assert written.to_pylist() == rows
    reader = ds[30:260].to_arrow(batch_rows=100)
    assert [batch.num_rows for batch in reader] == [100, 100, 30]
    assert pyarrow.schema(ds) == table.schema


def test_an_unending_stream_is_read_as_far_as_is_wanted():
    reader = racgen.dataset("blocks", items=None).to_arrow(batch_rows=100)
    assert reader.read_next_batch().num_rows == reader.read_next_batch().num_rows == 100


def test_a_stream_that_fails_says_why():
    few = racgen.dataset("blocks", set={"blocks": 5, "towers": 2})
    with pytest.raises(Exception, match="too few distinct worlds for 3 splits"):
        pyarrow.table(few)
    with pytest.raises(racgen.RacgenError, match="use --split-by instance"):
        few[0]


def test_steps_are_refused(ds):
    with pytest.raises(racgen.UsageError, match="without a step"):
        pyarrow.table(ds[::2])


def test_polars(ds, rows):
    polars = need("polars")
    frame = polars.DataFrame(ds)
    assert frame["id"].to_list() == [row["id"] for row in rows]
    assert frame.filter(polars.col("question_type") == "count").height == sum(
        r["question_type"] == "count" for r in rows
    )


def test_duckdb(ds, rows):
    duckdb = need("duckdb")
    reader = ds.to_arrow()  # noqa: F841
    found = duckdb.sql("select question_type, count(*) from reader group by 1 order by 1").fetchall()
    kinds = sorted({row["question_type"] for row in rows})
    assert found == [(kind, sum(row["question_type"] == kind for row in rows)) for kind in kinds]


def test_pandas(ds, rows):
    pandas = need("pandas")
    if not hasattr(pandas.DataFrame, "from_arrow"):
        pytest.skip("this pandas takes no Arrow streams")
    assert pandas.DataFrame.from_arrow(ds)["answer"].tolist() == [row["answer"] for row in rows]


def test_pictures_are_images(tmp_path):
    datasets = need("datasets")
    need("PIL")
    ds = racgen.dataset("blocks", items=50, tell="picture", holdout_looks=True, splits={"train": 1, "test": 1})
    ds.write(tmp_path / "seen", style="messages", quiet=True)
    files = str(tmp_path / "seen/data/train-*.parquet")
    # With the card, and by the entry of the files alone.
    for loaded in (datasets.load_dataset(str(tmp_path / "seen"), "blocks"), datasets.load_dataset("parquet", data_files=files)):
        row = loaded["train"][0]
        assert row["image"].size == (512, 512) and "picture" in row["initial_state"]
    chats = datasets.load_dataset(str(tmp_path / "seen"), "messages")
    assert "test_looks" in chats
    chat = chats["test_looks"][0]
    assert chat["images"][0].size == (512, 512)
    assert [part["type"] for part in chat["messages"][1]["content"]] == ["image", "text"]


def test_datasets(ds, rows):
    need("datasets")
    whole = ds.to_hf()
    assert whole.num_rows == len(rows) and whole[17] == rows[17]
    stream = racgen.dataset("blocks", items=None).to_hf()
    taken = list(stream.take(70))
    assert [row["index"] for row in taken] == list(range(70))
