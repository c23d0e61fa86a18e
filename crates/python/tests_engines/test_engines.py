"""Promise: an engine makes the same rows as one process, whatever the partitions, and whatever workers are lost.

`make check-engines` runs these, in an environment with Ray, Spark and Daft.
"""

import hashlib
import importlib.util
import json
import os
import shutil
import signal
import sys
from pathlib import Path

import pytest

import racgen
import racgen.engines

OPTIONS = {"domain": "blocks", "level": (1, 2), "depth": (1, 2), "items": 3000, "seed": 4}
REQUIRED = {name for name in os.environ.get("RACGEN_REQUIRE", "").split(",") if name}


def need(package: str) -> None:
    """Skips, unless RACGEN_REQUIRE names the package."""
    if importlib.util.find_spec(package) is None:
        assert package not in REQUIRED, f"RACGEN_REQUIRE names {package}, which is not installed"
        pytest.skip(f"{package} is not installed")


def hashed(rows) -> str:
    """The hash of rows, whatever their order."""
    lines = sorted(json.dumps(row, sort_keys=True) for row in rows)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


@pytest.fixture(scope="session")
def rows():
    return list(racgen.dataset(**OPTIONS))


@pytest.mark.parametrize("parts", [None, 1, 3, 7, 100])
def test_ranges_are_disjoint_complete_and_aligned(rows, parts):
    ds = racgen.dataset(**OPTIONS)
    shares = racgen.engines.ranges(ds, parts)
    assert [start for start, _ in shares[1:]] == [stop for _, stop in shares[:-1]]
    assert (shares[0][0], shares[-1][1]) == (0, len(ds))
    assert all(ds.group_start(start) == start for start, _ in shares)
    made = [row for start, stop in shares[:3] for row in racgen.engines.batch(OPTIONS, start, stop).to_pylist()]
    assert made == rows[: len(made)]
    assert racgen.engines.batch(OPTIONS, 5, 5).num_rows == 0


@pytest.fixture(scope="session")
def ray():
    need("ray")
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False)
    yield ray
    ray.shutdown()


@pytest.mark.parametrize("parallelism", [1, 5])
def test_ray(ray, rows, parallelism):
    import racgen.ray

    frame = racgen.ray.read(**OPTIONS, parallelism=parallelism)
    assert frame.count() == len(rows)
    assert hashed(frame.take_all()) == hashed(rows)


def test_ray_keeps_order_on_request(ray, rows):
    import racgen.ray

    frame = racgen.ray.read(**OPTIONS, parallelism=6, ordered=True)
    assert [row["id"] for row in frame.take_all()] == [row["id"] for row in rows]


def test_ray_makes_lost_work_anew(ray, rows, tmp_path):
    """The worker of one range is killed half-way, once; nothing is lost and nothing is doubled."""
    import racgen.ray

    mark = tmp_path / "killed"

    def die_once(row):
        if row["index"] == 40 and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return row

    frame = racgen.ray.read(**OPTIONS, parallelism=4).map(die_once)
    assert hashed(frame.take_all()) == hashed(rows)
    assert mark.exists()


def audited(folder: Path, rows, tmp_path: Path) -> None:
    """What an engine wrote as Parquet is a data set that an audit accepts."""
    import pyarrow.parquet

    found = [row for file in sorted(folder.rglob("*.parquet")) for row in pyarrow.parquet.read_table(file).to_pylist()]
    assert hashed(found) == hashed(rows)
    report = racgen.audit(folder, sample=0.2)
    assert report["pass"], report["verdict"]


def test_ray_writes_what_an_audit_accepts(ray, rows, tmp_path):
    import racgen.ray

    racgen.ray.read(**OPTIONS, parallelism=3).write_parquet(str(tmp_path / "d"))
    audited(tmp_path / "d", rows, tmp_path)


@pytest.fixture(scope="session")
def spark():
    need("pyspark")
    if shutil.which("java") is None:
        assert "pyspark" not in REQUIRED, "Spark needs Java; install it (Debian: openjdk-17-jre-headless)"
        pytest.skip("Spark needs Java")
    from pyspark.sql import SparkSession

    import racgen.spark

    # Its workers are to be the Python that has racgen.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = session.config("spark.sql.shuffle.partitions", "2").getOrCreate()
    racgen.spark.register(session)
    yield session
    session.stop()


def frame_of(spark, **more):
    reader = spark.read.format("racgen").option("domain", "blocks").option("level", "1,2").option("depth", "1,2")
    for name, value in {"items": 3000, "seed": 4, **more}.items():
        reader = reader.option(name, value)
    return reader.load()


@pytest.mark.parametrize("partitions", [1, 5])
def test_spark(spark, rows, partitions):
    frame = frame_of(spark, partitions=partitions)
    assert frame.rdd.getNumPartitions() == partitions
    assert hashed(row.asDict(recursive=True) for row in frame.collect()) == hashed(rows)
    assert not any(field.nullable for field in frame.schema if field.name != "effective_depth")


def test_spark_writes_what_an_audit_accepts(spark, rows, tmp_path):
    frame_of(spark, partitions=2).write.parquet(str(tmp_path / "d"))
    audited(tmp_path / "d", rows, tmp_path)


def test_spark_asks_for_a_domain(spark):
    with pytest.raises(Exception, match="which domain"):
        spark.read.format("racgen").load()


@pytest.mark.parametrize("partitions", [1, 5])
def test_daft(rows, partitions):
    need("daft")
    import racgen.daft

    frame = racgen.daft.read(**OPTIONS, partitions=partitions)
    assert hashed(frame.to_pylist()) == hashed(rows)
    counted = frame.groupby("question_type").agg(frame["id"].count()).to_pydict()
    assert sum(counted["id"]) == len(rows)


def test_daft_writes_what_an_audit_accepts(rows, tmp_path):
    need("daft")
    import racgen.daft

    racgen.daft.read(**OPTIONS, partitions=3).write_parquet(str(tmp_path / "d"))
    audited(tmp_path / "d", rows, tmp_path)
