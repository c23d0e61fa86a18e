"""racgen for Spark 4: a data source `racgen`, whose options are those of the command line.

    racgen.spark.register(spark)
    frame = spark.read.format("racgen").option("domain", "dwr").option("depth", "5").option("items", 1_000_000).load()

Spark needs Java 17 or later (Debian: openjdk-17-jre-headless). Give the schema by this source alone: a DDL text cannot say that
no field is null.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from racgen._dataset import dataset
from racgen.engines import asked, ranges, tables
from racgen.errors import UsageError, missing

try:
    from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
except ImportError:
    raise missing("pyspark", "racgen.spark") from None

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructType

#: Options that are numbers, and those that are set or not.
_WHOLE = {"items", "seed", "irrelevant", "start", "threads", "memory_limit"}
_REAL = {"holdout_phrasings", "holdout_names", "time_limit"}
_FLAGS = {"open_vocabulary", "rationale", "minimal_pairs", "contrast", "shuffle_state"}


def options(given: Mapping[str, str]) -> tuple[dict[str, Any], int | None]:
    """Options as texts to those of :func:`racgen.dataset`, and the number of partitions if one is given."""
    read: dict[str, Any] = {}
    for name, text in given.items():
        name = name.lower().replace("-", "_")
        if name in _FLAGS:
            read[name] = text.lower() in ("true", "1", "yes")
        elif name in _WHOLE | {"partitions"}:
            read[name] = int(text)
        elif name in _REAL:
            read[name] = float(text)
        else:
            read["as_" if name == "as" else name] = text
    partitions = read.pop("partitions", None)
    if "domain" not in read:
        raise UsageError('which domain? give it with .option("domain", ...)')
    return asked(read.pop("domain"), read), partitions


class RacgenPartition(InputPartition):
    """A range of rows."""

    def __init__(self, start: int, stop: int) -> None:
        super().__init__((start, stop))
        self.start, self.stop = start, stop


class RacgenReader(DataSourceReader):
    """Makes the rows of each range."""

    def __init__(self, given: dict[str, Any], parts: int | None) -> None:
        self._given, self._parts = given, parts

    def partitions(self) -> list[InputPartition]:
        return [RacgenPartition(start, stop) for start, stop in ranges(dataset(**self._given), self._parts)]

    def read(self, partition: InputPartition) -> Iterator[Any]:
        assert isinstance(partition, RacgenPartition)
        for table in tables(self._given, partition.start, partition.stop):
            yield from table.to_batches()


class RacgenSource(DataSource):
    """The data source `racgen`. Besides the options of racgen.dataset it takes `partitions`."""

    @classmethod
    def name(cls) -> str:
        return "racgen"

    def schema(self) -> StructType:
        import pyarrow
        from pyspark.sql.pandas.types import from_arrow_schema

        given, _ = options(self.options)
        return from_arrow_schema(pyarrow.schema(dataset(**given)))

    def reader(self, schema: StructType) -> DataSourceReader:
        return RacgenReader(*options(self.options))


def register(spark: SparkSession) -> None:
    """Makes the source known to a session."""
    spark.dataSource.register(RacgenSource)
