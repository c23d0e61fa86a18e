"""Options to rows: by index, by slice, one after the other, as Arrow, as a Hugging Face data set, or as a folder."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from racgen import _native
from racgen._progress import progress
from racgen.errors import missing
from racgen.options import Folders, Values, Weights, folders, values, weights

if TYPE_CHECKING:
    import datasets
    import pyarrow

#: A row, as a line of a JSONL file has it: its columns by name.
Row = dict[str, Any]

#: Rows of a group, which are made together.
GROUP = 50
#: Rows that iteration makes at once, so that all threads have work.
AHEAD = 40 * GROUP
#: Groups that are kept for `ds[i]`.
KEPT = 64


@functools.lru_cache(maxsize=16)
def _source(key: str) -> _native.RowSource:
    """The source of options: one in each process, since it keeps what it grounded."""
    asked = json.loads(key)
    dirs = [Path(folder) for folder in asked["domain_dir"]]
    return _native.RowSource(
        json.dumps(asked["options"]), dirs, asked["endless"], asked["time_limit"], asked["memory_limit"]
    )


class Dataset(Sequence[Row]):
    """Rows of one split that are made as they are asked for.

    `len`, `ds[i]`, slices and iteration are those of a sequence of dictionaries, each with the columns of the data files
    (docs/data.md). A row depends on the options and its index alone, so a data set can be pickled, sliced, and read by many
    processes. polars, DuckDB, pandas and pyarrow take it as it is, through the Arrow PyCapsule interface.

    Make one with :func:`racgen.dataset`.
    """

    def __init__(self, key: str, split: str | None, rows: range | None, start: int, threads: int) -> None:
        self._key = key
        self._threads = threads
        self._endless: bool = json.loads(key)["endless"]
        source = _source(key)
        self._split = source.splits()[0] if split is None else split
        count = source.count(self._split)
        self._rows = range(start, count) if rows is None else rows
        self._groups: dict[int, list[Row]] = {}

    # What a process needs to make the same rows.
    def __reduce__(self) -> tuple[Any, ...]:
        return Dataset, (self._key, self._split, self._rows, 0, self._threads)

    @property
    def split(self) -> str:
        """The name of the split."""
        return self._split

    @property
    def splits(self) -> list[str]:
        """The names of all splits that the options make."""
        return _source(self._key).splits()

    @property
    def endless(self) -> bool:
        """Is it a stream without end?"""
        return self._endless

    @property
    def command(self) -> str:
        """The command that makes the same rows."""
        return _source(self._key).command()

    @property
    def options(self) -> dict[str, Any]:
        """The options, by their names on the command line."""
        return dict(json.loads(self._key)["options"])

    def __repr__(self) -> str:
        rows = "without end" if self._endless else f"{len(self._rows)} rows"
        return f"<racgen.Dataset {self.command!r}, split {self._split!r}, {rows}>"

    def __len__(self) -> int:
        if self._endless:
            raise TypeError("a data set with items=None has no length; take a slice of it, such as ds[:1000]")
        return len(self._rows)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dataset):
            return NotImplemented
        return (self._key, self._split, self._rows) == (other._key, other._split, other._rows)

    def __hash__(self) -> int:
        return hash((self._key, self._split, self._rows))

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> Dataset: ...
    def __getitem__(self, index: int | slice) -> Row | Dataset:
        if isinstance(index, slice):
            return self._part(self._rows[index], endless=self._endless and index.stop is None)
        place = self._rows[index]
        first = _source(self._key).group_start(self._split, place)
        if first not in self._groups:
            if len(self._groups) >= KEPT:
                self._groups.pop(next(iter(self._groups)))
            # The next group may begin before fifty rows are over, where a level ends; nothing is lost by that.
            self._groups[first] = self._made(first, first + GROUP)
        return dict(self._groups[first][place - first])

    def __iter__(self) -> Iterator[Row]:
        return self.iterate()

    def iterate(self, shard: tuple[int, int] = (0, 1)) -> Iterator[Row]:
        """The rows one after the other; with `shard=(i, n)` those of each n-th block of 50 rows, counted from the i-th.

        The shards of one n are disjoint and complete, so that n processes can share the work.
        """
        number, shards = shard
        if not 0 <= number < shards:
            raise ValueError(f"shard takes (i, n) with i from 0 to n - 1; {shard} is none")
        rows, ahead = self._rows, GROUP
        block = 0
        while len(rows) > 0:
            if shards == 1:
                part, rows = rows[:ahead], rows[ahead:]
                # The first rows come soon, and then many at once.
                ahead = min(2 * ahead, AHEAD)
            else:
                part, rows = rows[:GROUP], rows[GROUP:]
                block += 1
                if (block - 1) % shards != number:
                    continue
            yield from self._rows_of(part)

    def group_start(self, place: int) -> int:
        """The greatest place up to this one at which a group of rows begins: a range from there on makes no row in vain."""
        rows = self._rows
        if rows.step != 1 or place >= len(rows):
            return place
        return max(_source(self._key).group_start(self._split, rows[place]) - rows.start, 0)

    def batches(self, rows: int = 1000) -> Iterator[list[Row]]:
        """The rows in lists of so many."""
        left = self._rows
        while len(left) > 0:
            yield self._rows_of(left[:rows])
            left = left[rows:]

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> Any:
        return self._stream().__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> Any:
        return self._stream().__arrow_c_schema__()

    def to_arrow(self, batch_rows: int = 2000) -> pyarrow.RecordBatchReader:
        """A reader of record batches of so many rows, made as they are read. Needs pyarrow."""
        try:
            import pyarrow
        except ImportError:
            raise missing("pyarrow", "to_arrow()") from None
        return pyarrow.RecordBatchReader.from_stream(self._stream(batch_rows))

    def to_hf(self) -> datasets.Dataset | datasets.IterableDataset:
        """A data set of Hugging Face `datasets`: one in memory, or with items=None one that streams. Needs datasets."""
        try:
            import datasets
        except ImportError:
            raise missing("datasets", "to_hf()") from None
        if not self._endless:
            import pyarrow

            return datasets.Dataset(pyarrow.table(self))
        return datasets.IterableDataset.from_generator(_endless_rows, gen_kwargs={"parts": [self]})

    def write(
        self,
        out: str | os.PathLike[str],
        *,
        format: Values = "parquet",
        style: Values = (),
        license: str | None = None,
        rows_per_file: int = 100_000,
        shard: str | None = None,
        force: bool = False,
        resume: bool = False,
        lm_eval: str | os.PathLike[str] | None = None,
        quiet: bool = False,
    ) -> Path:
        """Writes all splits into a folder, with card and manifest: the files that :attr:`command` writes, byte for byte.

        The options are those of the command line. Where tqdm is installed, a bar shows how far the run is, unless `quiet`.

        Raises:
            UsageError: options that make no sense; a folder that holds something else; a data set without end.
            RacgenError: what keeps a row from being made or written. Finished files stay for `resume`.
            KeyboardInterrupt: after Ctrl-C; nothing half-written is left behind.
        """
        if self._endless:
            from racgen.errors import UsageError

            raise UsageError("a data set with items=None has no end to write; give items=")
        listed = {"format": values(format) or "", "style": values(style) or ""}
        options = {name: [word for word in text.split(",") if word] for name, text in listed.items()} | {
            "out": os.fspath(out),
            "license": license,
            "rows_per_file": rows_per_file,
            "shard": shard,
            "force": force,
            "resume": resume,
            "threads": self._threads,
            "lm_eval": None if lm_eval is None else os.fspath(lm_eval),
        }
        with progress(" items", quiet) as bar:
            _source(self._key).write(json.dumps(options), bar)
        return Path(out)

    def _part(self, rows: range, endless: bool = False) -> Dataset:
        part = Dataset(self._key, self._split, rows, 0, self._threads)
        part._endless = endless
        return part

    def _made(self, start: int, stop: int) -> list[Row]:
        lines = _source(self._key).lines(self._split, start, stop, self._threads)
        return [json.loads(line) for line in lines]

    def _rows_of(self, rows: range) -> list[Row]:
        if len(rows) == 0:
            return []
        if rows.step == 1:
            return self._made(rows.start, rows.stop)
        if abs(rows.step) >= GROUP:
            return [self[self._rows.index(place)] for place in rows]
        low, high = min(rows[0], rows[-1]), max(rows[0], rows[-1])
        made = self._made(low, high + 1)
        return [made[place - low] for place in rows]

    def _stream(self, batch_rows: int = 2000) -> _native.RowStream:
        rows = self._rows
        if rows.step != 1:
            from racgen.errors import UsageError

            raise UsageError("Arrow streams are of rows in a row; take a slice without a step")
        return _source(self._key).stream(self._split, rows.start, rows.stop, batch_rows, self._threads)


def _endless_rows(parts: list[Dataset]) -> Iterator[Row]:
    for part in parts:
        yield from part


def dataset(
    domain: Values | Weights,
    *,
    level: Values | None = None,
    depth: Values | None = None,
    items: int | None = 1000,
    pool: bool = False,
    split: str | None = None,
    start: int = 0,
    seed: int | None = None,
    mix: Weights | None = None,
    family: Values | None = None,
    ask: Values | None = None,
    effort: Weights | None = None,
    splits: Weights | None = None,
    split_by: str | None = None,
    sampling: str | None = None,
    rules: str | None = None,
    holdout_phrasings: float | None = None,
    holdout_names: float | None = None,
    open_vocabulary: bool = False,
    rationale: bool = False,
    minimal_pairs: bool = False,
    contrast: bool = False,
    irrelevant: int | None = None,
    shuffle_state: bool = False,
    names: str | None = None,
    as_: str | None = None,
    tell: str | None = None,
    holdout_looks: bool = False,
    set: Weights | Iterable[str] | None = None,
    domain_dir: Folders = None,
    threads: int = 0,
    time_limit: float = 60.0,
    memory_limit: int | None = None,
) -> Dataset:
    """Rows of a domain, made as they are asked for.

    The options have the names and the meaning that they have on the command line (`racgen --help`, docs/data.md), and the
    same options make the same rows, byte for byte. Lists may be lists: `level=(1, 3)` is `--level 1,3`, and `range(1, 4)` or
    `"1-3"` is `--level 1-3`; weights may be mappings: `splits={"train": 80, "test": 20}`, `domain={"blocks": 2, "dwr": 1}`. `--as` is `as_`.

    Args:
        items: items over all splits, levels and depths; None for a stream without end, in which levels, depths and domains
            take turns by 50 rows, and whose rows are those of `--items 1000000000`.
        split: which split; the first one (`train`) where none is named.
        start: the index to begin at.
        threads: threads; 0 for one a processor.
        time_limit: seconds that one solver call may take.
        memory_limit: MiB that the process may have while the solver grounds; None for no limit.

    Raises:
        UsageError: options that make no sense, a domain that there is not, a split that there is not.
    """
    if isinstance(set, Iterable) and not isinstance(set, (str, Mapping)):
        set = ",".join(set)
    fixed = weights(set)
    given: dict[str, Any] = {
        "domain": weights(domain) if isinstance(domain, Mapping) else values(domain),
        "level": values(level),
        "depth": values(depth),
        "items": items,
        "pool": pool or None,
        "mix": weights(mix),
        "family": values(family),
        "ask": values(ask),
        "effort": weights(effort),
        "splits": weights(splits),
        "split-by": split_by,
        "seed": seed,
        "sampling": sampling,
        "rules": rules,
        "holdout-phrasings": holdout_phrasings,
        "holdout-names": holdout_names,
        "open-vocabulary": open_vocabulary or None,
        "rationale": rationale or None,
        "minimal-pairs": minimal_pairs or None,
        "contrast": contrast or None,
        "irrelevant": irrelevant,
        "shuffle-state": shuffle_state or None,
        "names": names,
        "as": as_,
        "tell": tell,
        "holdout-looks": holdout_looks or None,
        "set": fixed.split(",") if fixed else None,
    }
    key = json.dumps(
        {
            "options": {name: value for name, value in given.items() if value is not None},
            "domain_dir": [os.fspath(folder) for folder in folders(domain_dir)],
            "endless": items is None,
            "time_limit": time_limit,
            "memory_limit": memory_limit,
        }
    )
    return Dataset(key, split, None, start, threads)
