"""Ranges of rows for engines that share work among machines: rows depend on options and index alone.

An engine hands out ranges, and makes each with :func:`batch` or :func:`tables`. A range that is made again, because its worker
was lost, has the same rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from racgen._dataset import Dataset, dataset
from racgen.errors import UsageError

if TYPE_CHECKING:
    import pyarrow

#: Rows of a range where nobody says how many ranges there are: each grounds its layouts anew, so that small ones cost much.
ROWS_OF_RANGE = 10_000
#: Rows that a task hands over at once.
ROWS_OF_TABLE = 2_000


def asked(domain: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """Options of :func:`racgen.dataset` for workers: each has one thread, since an engine runs one a processor."""
    return {"domain": domain, "threads": 1, **options}


def batch(options: Mapping[str, Any], start: int, stop: int) -> pyarrow.RecordBatch:
    """The rows from `start` up to `stop` of the data set of these options of :func:`racgen.dataset`. Needs pyarrow."""
    import pyarrow

    table = pyarrow.table(dataset(**options)[start:stop]).combine_chunks()
    batches = table.to_batches()
    return batches[0] if batches else pyarrow.RecordBatch.from_pylist([], schema=table.schema)


def tables(options: Mapping[str, Any], start: int, stop: int) -> Iterator[pyarrow.Table]:
    """The same rows, some at a time."""
    import pyarrow

    for made in dataset(**options)[start:stop].to_arrow(batch_rows=ROWS_OF_TABLE):
        yield pyarrow.Table.from_batches([made])


def ranges(ds: Dataset, parts: int | None = None) -> list[tuple[int, int]]:
    """So many ranges of about equal size that together are the whole data set; each begins where a group of rows does.

    Raises:
        UsageError: a data set without end, or a slice of one.
    """
    if ds.endless:
        raise UsageError("an engine shares out a number of rows; give items=")
    rows = len(ds)
    parts = max(1, -(-rows // ROWS_OF_RANGE) if parts is None else parts)
    cuts = [ds.group_start(rows * part // parts) for part in range(parts)] + [rows]
    return [(start, stop) for start, stop in zip(cuts, cuts[1:]) if start < stop]
