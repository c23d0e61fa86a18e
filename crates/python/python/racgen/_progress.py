"""How far long work is, as a bar of tqdm where that is installed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: Is called with the numbers of things done and wanted.
Listener = Callable[[int, int], None]


@contextmanager
def progress(unit: str, quiet: bool) -> Iterator[Listener | None]:
    """A listener that shows a bar on a terminal; None where nothing is to be shown, or tqdm is not installed."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        quiet = True
    if quiet:
        yield None
        return
    # tqdm shows nothing where standard error is no terminal.
    with tqdm(unit=unit, total=0, disable=None) as bar:

        def listen(done: int, wanted: int) -> None:
            bar.total = wanted
            bar.update(done - bar.n)

        yield listen
