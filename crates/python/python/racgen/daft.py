"""racgen for Daft: a data frame whose partitions are made where they are needed.

frame = racgen.daft.read("dwr", level=(1, 3), depth=5, items=1_000_000, partitions=64)
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from racgen._dataset import dataset
from racgen.engines import asked, ranges, tables
from racgen.errors import missing

try:
    from daft.io.source import DataSource, DataSourceTask
    from daft.recordbatch import RecordBatch
    from daft.schema import Schema
except ImportError:
    raise missing("daft", "racgen.daft") from None

if TYPE_CHECKING:
    import daft


class RacgenTask(DataSourceTask):
    """A range of rows."""

    def __init__(self, given: dict[str, Any], start: int, stop: int, schema: Schema) -> None:
        self._given, self._start, self._stop, self._schema = given, start, stop, schema

    @property
    def schema(self) -> Schema:
        return self._schema

    async def read(self) -> AsyncIterator[RecordBatch]:
        for table in tables(self._given, self._start, self._stop):
            yield RecordBatch.from_arrow_table(table)


class RacgenSource(DataSource):
    """All ranges of a data set."""

    def __init__(self, given: dict[str, Any], partitions: int | None) -> None:
        import pyarrow

        self._given = given
        ds = dataset(**given)
        self._ranges = ranges(ds, partitions)
        self._schema = Schema.from_pyarrow_schema(pyarrow.schema(ds))

    @property
    def name(self) -> str:
        return "racgen"

    @property
    def schema(self) -> Schema:
        return self._schema

    async def get_tasks(self, pushdowns: Any) -> AsyncIterator[DataSourceTask]:
        for start, stop in self._ranges:
            yield RacgenTask(self._given, start, stop, self._schema)


def read(domain: Any, *, partitions: int | None = None, **options: Any) -> daft.DataFrame:
    """Rows as a Daft data frame.

    Args:
        domain: as in :func:`racgen.dataset`, and so are `options`.
        partitions: how many tasks; one for each 10,000 rows where none is given.
    """
    return RacgenSource(asked(domain, options), partitions).read()
