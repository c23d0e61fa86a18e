"""racgen for PyTorch: rows shared among the workers of a data loader, and among the processes of a training run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from racgen._dataset import Dataset
from racgen.errors import missing

if TYPE_CHECKING:
    import torch.utils.data


def iterable(ds: Dataset, *, rank: int = 0, world_size: int = 1) -> torch.utils.data.IterableDataset[dict[str, Any]]:
    """An IterableDataset of rows; each worker of each rank makes rows of its own, and all make each row once. Needs torch.

    A data set itself will do as well, as a map-style one; then batches go to workers, and each makes the groups it needs.
    """
    try:
        from torch.utils.data import IterableDataset, get_worker_info
    except ImportError:
        raise missing("torch", "racgen.torch.iterable()") from None

    class Shared(IterableDataset[dict[str, Any]]):
        def __iter__(self) -> Iterator[dict[str, Any]]:
            worker = get_worker_info()
            number, workers = (0, 1) if worker is None else (worker.id, worker.num_workers)
            return ds.iterate(shard=(rank * workers + number, world_size * workers))

    return Shared()
