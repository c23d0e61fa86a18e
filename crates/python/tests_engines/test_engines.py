"""Promise: an engine makes the same rows as one process, whatever the partitions, and whatever workers are lost.

`make check-engines` runs these, in an environment with Ray, Spark and Daft.
"""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import required
from required import REQUIRED, need

import racgen
import racgen.engines

OPTIONS = {"domain": "blocks", "level": (1, 2), "depth": (1, 2), "items": 3000, "seed": 4}
#: Where other processes find what is defined here, and what that imports.
FOLDERS = os.pathsep.join(str(folder) for folder in (Path(__file__).parent, Path(required.__file__).parent))
MANY = {**OPTIONS, "items": 50_000, "splits": {"train": 1}}


def hashed(rows) -> str:
    """The hash of rows, whatever their order."""
    each = sorted(hashlib.sha256(json.dumps(row, sort_keys=True).encode()).digest() for row in rows)
    return hashlib.sha256(b"".join(each)).hexdigest()


@pytest.fixture(scope="session")
def rows():
    return list(racgen.dataset(**OPTIONS))


@pytest.fixture(scope="session")
def many():
    """The hash of fifty thousand rows, made by one process."""
    return hashed(racgen.dataset(**MANY))


class Mark:
    """A file by which one process of several knows that it is the one to die, half-way and once."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def die_once(self) -> None:
        try:
            with open(self._path, "x") as file:
                file.write(str(os.getpid()))
        except FileExistsError:
            return
        os.kill(os.getpid(), signal.SIGKILL)

    def killed_another(self) -> bool:
        """Did a process die, and not this one?"""
        return self._path.read_text() not in ("", str(os.getpid()))


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


@pytest.fixture(scope="session", autouse=True)
def workers_find_the_tests():
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYTHONPATH", FOLDERS)
        yield


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

    mark = Mark(tmp_path / "killed")

    def half_way(row):
        if row["index"] == 40:
            mark.die_once()
        return row

    frame = racgen.ray.read(**OPTIONS, parallelism=4).map(half_way)
    assert hashed(frame.take_all()) == hashed(rows)
    assert mark.killed_another()


def test_ray_makes_fifty_thousand_rows(ray, many):
    import racgen.ray

    frame = racgen.ray.read(**MANY, parallelism=7)
    assert frame.count() == 50_000
    assert hashed(frame.iter_rows()) == many


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
    # Two workers, and four tries of each task, as a cluster has them.
    session = SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", "false")
    session = session.config("spark.driver.memory", "2g")
    session = session.config("spark.sql.shuffle.partitions", "2").getOrCreate()
    racgen.spark.register(session)
    yield session
    session.stop()


def frame_of(spark, source="racgen", **more):
    reader = spark.read.format(source).option("domain", "blocks").option("level", "1,2").option("depth", "1,2")
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


def test_spark_makes_fifty_thousand_rows(spark, many):
    frame = frame_of(spark, items=50_000, splits="train=1", partitions=7)
    assert hashed(frame.toArrow().to_pylist()) == many


def test_spark_makes_lost_work_anew(spark, rows, tmp_path):
    """The worker of one partition is killed after its first rows, once."""
    import racgen.spark

    mark = Mark(tmp_path / "killed")

    class DyingReader(racgen.spark.RacgenReader):
        def read(self, partition):
            for number, made in enumerate(super().read(partition)):
                if number == 1 or partition.start > 0:
                    mark.die_once()
                yield made

    class DyingSource(racgen.spark.RacgenSource):
        @classmethod
        def name(cls):
            return "dying"

        def reader(self, schema):
            return DyingReader(*racgen.spark.options(self.options))

    spark.dataSource.register(DyingSource)
    frame = frame_of(spark, "dying", partitions=3)
    assert hashed(row.asDict(recursive=True) for row in frame.collect()) == hashed(rows)
    assert mark.killed_another()


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


def test_daft_makes_fifty_thousand_rows(many):
    need("daft")
    import racgen.daft

    assert hashed(racgen.daft.read(**MANY, partitions=7).to_arrow().to_pylist()) == many


#: Daft's runner of many machines, in a process of its own: a process has one runner for good.
ON_RAY = """
import sys
from pathlib import Path
import daft, ray
from test_engines import OPTIONS, Mark, hashed
import racgen.daft

ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False)
daft.set_runner_ray()
mark = Mark(Path(sys.argv[1]))

class DyingTask(racgen.daft.RacgenTask):
    async def read(self):
        async for made in super().read():
            if self._start > 0:
                mark.die_once()
            yield made

class DyingSource(racgen.daft.RacgenSource):
    async def get_tasks(self, pushdowns):
        for start, stop in self._ranges:
            yield DyingTask(self._given, start, stop, self._schema)

given = racgen.engines.asked(OPTIONS["domain"], {n: v for n, v in OPTIONS.items() if n != "domain"})
print(hashed(DyingSource(given, 4).read().to_pylist()), mark.killed_another())
"""


def test_daft_makes_lost_work_anew(rows, tmp_path):
    """On Ray, where it has workers to lose: alone, it is threads of one process."""
    need("daft")
    need("ray")
    words = [sys.executable, "-c", ON_RAY, tmp_path / "killed"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[-2:] == [hashed(rows), "True"]
