"""racgen for Ray Data: a data set whose blocks are made where they are needed.

ds = racgen.ray.read("dwr", level=(1, 3), depth=5, items=1_000_000, parallelism=64)
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from racgen._dataset import dataset
from racgen.engines import asked, ranges, tables
from racgen.errors import missing

if TYPE_CHECKING:
    import ray.data

#: Bytes of a row in memory, about, where a scheduler wants to know.
_ROW_BYTES = 3_000


def read(domain: Any, *, parallelism: int | None = None, ordered: bool = False, **options: Any) -> ray.data.Dataset:
    """Rows as a Ray data set. Needs ray[data].

    Args:
        domain: as in :func:`racgen.dataset`, and so are `options`.
        parallelism: how many read tasks; one for each 10,000 rows where none is given.
        ordered: keep the order of the rows, for all data sets of this process from now on (Ray's `preserve_order`).
    """
    try:
        import ray.data
        from ray.data.block import BlockMetadata
        from ray.data.datasource import Datasource, ReadTask
    except ImportError:
        raise missing("'ray[data]'", "racgen.ray.read()") from None

    given = asked(domain, options)
    ds = dataset(**given)
    shares = ranges(ds, parallelism)

    class Racgen(Datasource):  # type: ignore[misc]
        def get_name(self) -> str:
            return "Racgen"

        def estimate_inmemory_data_size(self) -> int | None:
            return len(ds) * _ROW_BYTES

        def get_read_tasks(self, *_: Any, **__: Any) -> list[ReadTask]:
            def task(start: int, stop: int) -> ReadTask:
                rows = stop - start
                about = BlockMetadata(num_rows=rows, size_bytes=rows * _ROW_BYTES, input_files=None, exec_stats=None)
                return ReadTask(functools.partial(tables, given, start, stop), about)

            return [task(start, stop) for start, stop in shares]

    if ordered:
        ray.data.DataContext.get_current().execution_options.preserve_order = True
    return ray.data.read_datasource(Racgen(), override_num_blocks=len(shares))
