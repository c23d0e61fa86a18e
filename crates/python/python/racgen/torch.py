"""racgen for PyTorch: rows shared among the workers of a data loader, and among the processes of a training run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from racgen._dataset import Dataset
from racgen.errors import missing

try:
    from torch.utils.data import IterableDataset, get_worker_info
except ImportError:
    raise missing("torch", "racgen.torch") from None


class SharedRows(IterableDataset[dict[str, Any]]):
    """Rows, of which each worker of each rank makes some of its own, and all make each row once."""

    def __init__(self, ds: Dataset, rank: int, world_size: int) -> None:
        self._ds, self._rank, self._world_size = ds, rank, world_size

    def __iter__(self) -> Iterator[dict[str, Any]]:
        worker = get_worker_info()
        number, workers = (0, 1) if worker is None else (worker.id, worker.num_workers)
        return self._ds.iterate(shard=(self._rank * workers + number, self._world_size * workers))


def iterable(ds: Dataset, *, rank: int = 0, world_size: int = 1) -> SharedRows:
    """An IterableDataset of rows for one rank of a training run, whatever the workers of its data loader are.

    A data set itself will do as well, as a map-style one; then batches go to workers, and each makes the groups it needs.
    """
    return SharedRows(ds, rank, world_size)
