"""Promise: rows are made in threads, forked and spawned processes alike, and Ctrl-C stops at once."""

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest
from conftest import OPTIONS
from required import need

import racgen


def part(number_of_shard):
    number, shards = number_of_shard
    return [row["id"] for row in racgen.dataset(**OPTIONS, threads=1).iterate(shard=(number, shards))]


def inherited(number):
    return [row["id"] for row in part.kept.iterate(shard=(number, 4))]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_four_workers_make_each_row_once(rows, method):
    """As a data loader with four workers does; with fork after the parent has made rows with all its threads."""
    with multiprocessing.get_context(method).Pool(4) as pool:
        parts = pool.map(part, [(number, 4) for number in range(4)])
    assert all(parts)
    assert sorted(name for some in parts for name in some) == sorted(row["id"] for row in rows)


def test_a_forked_child_goes_on_with_its_parents_data_set(ds, rows):
    part.kept = ds
    with multiprocessing.get_context("fork").Pool(2) as pool:
        parts = pool.map(inherited, range(4))
    assert sorted(name for some in parts for name in some) == sorted(row["id"] for row in rows)


def test_a_fork_waits_for_work_of_other_threads(rows):
    """A child must not inherit a lock that a thread of the parent held."""
    stop = threading.Event()

    def work():
        while not stop.is_set():
            list(racgen.dataset("logistics", items=300, seed=int(time.time() * 1000) % 100_000)[:60])

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for _ in range(5):
            child = multiprocessing.get_context("fork").Process(target=part, args=((0, 4),))
            child.start()
            child.join(60)
            assert child.exitcode == 0
    finally:
        stop.set()
        thread.join()


def test_other_threads_run_meanwhile():
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.wait(0.005):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.monotonic()
    list(racgen.dataset("logistics", level=2, depth=3, items=1500, seed=11))
    end = time.monotonic()
    stop.set()
    thread.join()
    during = [t for t in ticks if start <= t <= end]
    assert len(during) > min(10, (end - start) / 0.1)


@pytest.mark.parametrize("what", ["list(ds)", "ds.write(sys.argv[1], quiet=True)", "pyarrow.table(ds)"])
def test_ctrl_c_stops_at_once(tmp_path, what):
    if "pyarrow" in what:
        need("pyarrow")
    # Readers of streams make an error of their own of it; the interrupt follows at once.
    program = f"""
        import sys, racgen
        try: import pyarrow
        except ImportError: pass
        ds = racgen.dataset("dwr", level=5, depth=20, items=1_000_000)
        print("ready", flush=True)
        try:
            try:
                {what}
            except Exception as error:
                import time
                time.sleep(1)
        except KeyboardInterrupt as error:
            print(type(error).__name__, flush=True)
    """
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program), str(tmp_path / "d")], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout.readline() == "ready\n"
    time.sleep(1.5)
    child.send_signal(signal.SIGINT)
    start = time.monotonic()
    said, _ = child.communicate(timeout=60)
    assert "KeyboardInterrupt" in said.splitlines()
    if "write" not in what:
        assert time.monotonic() - start < 5
    left = [path.name for path in (tmp_path / "d").rglob("*") if path.is_file() and ".racgen" not in path.parts]
    assert not left, left


def test_the_module_lives_beside_the_package_clingo(rows):
    clingo = need("clingo")
    control = clingo.Control()
    control.add("base", [], "a.")
    control.ground([("base", [])])
    assert control.solve().satisfiable
    assert list(racgen.dataset(**OPTIONS)[:5]) == rows[:5]


def test_importing_needs_nothing_else():
    program = "import sys; sys.modules.update(dict.fromkeys(['numpy','pyarrow','datasets','tqdm','torch'])); import racgen; racgen.dataset('blocks', items=60)[0]"
    subprocess.run([sys.executable, "-c", program], check=True, env=os.environ)
