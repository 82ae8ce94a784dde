"""Engine ``local``: what any engine promises, with processes of this machine."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from multiprocessing import active_children
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.collection.engines import TaskError, get_engine
from azulejar.collection.engines.local import LocalEngine, SharedArrays, find_mapped
from azulejar.errors import AzulejarError

SECONDS = 120
PARENT = """
import sys
from azulejar.collection.engines import get_engine
import chores

if __name__ == "__main__":
    with get_engine("local", workers=2) as engine:
        for _ in engine.map(chores.leave_mark, [sys.argv[1]] * 3):
            pass
"""


@pytest.fixture(scope="module")
def engine():
    with get_engine("local", workers=2) as engine:
        yield engine
    assert not active_children()


def alive(process):
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="ascii").split()[2] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("workers", [1, 3])
def test_the_same_for_any_number_of_workers_and_blocks(chores, workers, tmp_path):
    numbers = np.arange(24.0)
    stored = np.memmap(tmp_path / "stored.bin", np.float32, "w+", shape=(24, 2))
    stored[:] = 0.5
    with get_engine("local", workers=workers) as engine:
        assert engine.workers == workers
        shared = [engine.share(numbers), engine.share(stored)]
        for size in (1, 5, 24):
            blocks = [list(range(i, min(i + size, 24))) for i in range(0, 24, size)]
            results = dict(engine.map(chores.add_up, blocks, shared))
            each = numbers.sum() + 24
            assert results == {i: sum(block) + each for i, block in enumerate(blocks)}


def test_results_may_be_large_and_can_be_written_to(chores, engine):
    table = np.random.default_rng(0).random((3000, 100))
    shared = [engine.share(table)]
    blocks = [np.arange(3000)[i::3] for i in range(3)]
    for number, rows in engine.map(chores.take_rows, blocks, shared):
        assert np.array_equal(rows, table[blocks[number]])
        rows[0] = 0


def test_a_stop_ends_what_workers_are_doing(chores):
    stop = threading.Event()
    with LocalEngine(2, stop) as engine:
        dreaming = iter(engine.map(chores.dream, [0, 600]))
        next(dreaming)
        (busy,) = (each.process for each in engine._pool._busy)
        stop.set()
        busy.join(2)  # though nobody asks for its result
        assert not busy.is_alive()
        with pytest.raises(KeyboardInterrupt):
            next(dreaming)


def test_nothing_to_do(chores, engine):
    assert list(engine.map(chores.add_up, [])) == []


def test_how_many_are_done_is_told(chores, engine):
    told = []
    for count, _ in enumerate(engine.map(chores.add_up, [[1]] * 5, on_done=told.append), 1):
        assert told == list(range(1, count + 1))
    assert told == [1, 2, 3, 4, 5]


def test_workers_stay_from_one_map_to_the_next(chores, engine):
    first = {process for _, process in engine.map(chores.dream, [0.05] * 8)}
    second = {process for _, process in engine.map(chores.dream, [0.05] * 8)}
    assert first >= second
    assert os.getpid() not in first


def test_a_map_within_a_map(chores, engine):
    inner = [dict(engine.map(chores.add_up, [[n]])) for n, _ in engine.map(chores.dream, [0, 0])]
    assert sorted(each[0] for each in inner) == [0, 1]


def test_a_killed_worker_changes_nothing(chores, engine, tmp_path):
    blocks = [(tmp_path / "died" if i in (1, 2) else None, i) for i in range(6)]
    assert dict(engine.map(chores.die_once, blocks)) == {i: i for i in range(6)}
    assert (tmp_path / "died").exists()


def test_one_killed_from_outside_changes_nothing(chores, engine):
    results = {}
    for number, process in engine.map(chores.dream, [0.2] * 6):
        if number == 0:
            os.kill(process, signal.SIGKILL)
        results[number] = process
    assert sorted(results) == list(range(6))
    assert len(set(results.values())) >= 2


def test_a_block_that_kills_three_workers_is_named(chores, engine):
    with pytest.raises(AzulejarError, match=r"Block 0 was given up: 3 workers died .* status -9"):
        list(engine.map(chores.die_always, [None]))


def test_errors_keep_their_sentence_and_end_the_map(chores, engine):
    with pytest.raises(AzulejarError) as refusal:
        list(engine.map(chores.refuse, [7, 7, 7]))
    assert (refusal.value.problem, refusal.value.remedy) == ("Crate 7 is wet.", "Dry it.")
    assert (refusal.value.code, refusal.value.values) == ("crate-wet", {"crate": 7})
    assert dict(engine.map(chores.add_up, [[3]])) == {0: 3}


def test_mistakes_come_with_their_traceback(chores, engine):
    with pytest.raises(TaskError, match=r"in stumble(.|\n)*KeyError: 'no such key'"):
        list(engine.map(chores.stumble, [0]))


def test_a_shared_file_that_vanished_is_told(chores, engine, tmp_path):
    stored = np.memmap(tmp_path / "stored.bin", np.uint8, "w+", shape=(4,))
    shared = [engine.share(stored)]
    (tmp_path / "stored.bin").unlink()
    with pytest.raises(TaskError, match=r"FileNotFoundError.*stored\.bin"):
        list(engine.map(chores.add_up, [[1]], shared))


def test_shared_arrays_are_only_read(chores, engine):
    with pytest.raises(TaskError, match="read-only"):
        list(engine.map(chores.write_on, [0], [engine.share(np.zeros(3))]))


def test_workers_have_one_thread_each(chores, engine):
    names = ["AZULEJAR_THREADS", "OMP_NUM_THREADS"]
    assert dict(engine.map(chores.settings, [names])) == {0: ["1", "1"]}


def test_blocks_are_taken_only_as_they_are_needed(chores, engine):
    taken = []

    def blocks():
        for i in range(12):
            taken.append(i)
            yield [i]

    for done, _ in enumerate(engine.map(chores.add_up, blocks()), 1):
        assert len(taken) <= done + 2 * engine.workers
    assert len(taken) == 12


def test_who_leaves_early_leaves_nobody_at_work(chores):
    before = set(active_children())
    with get_engine("local", workers=2) as engine:
        blocks = [0, 600, 600]
        started = time.monotonic()
        for _, _ in engine.map(chores.dream, blocks):
            break
        assert time.monotonic() - started < SECONDS
    assert set(active_children()) <= before


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_no_process_is_left_when_the_program_ends(chores, until, tmp_path, end):
    """Ctrl-C reaches the whole group, as in a terminal; a kill only the program itself."""
    script = tmp_path / "parent.py"
    script.write_text(PARENT, encoding="utf-8")
    marks = tmp_path / "marks"
    marks.mkdir()
    parent = subprocess.Popen(
        [sys.executable, str(script), str(marks)],
        env=os.environ | {"PYTHONPATH": str(Path(chores.__file__).parent)},
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        until(lambda: len(list(marks.iterdir())) == 2)
        workers = [int(mark.name) for mark in marks.iterdir()]
        if end == signal.SIGINT:
            os.killpg(parent.pid, end)
        else:
            parent.kill()
        assert parent.wait(SECONDS) != 0
        until(lambda: not any(map(alive, workers)))
    finally:
        parent.kill()
        parent.wait()


@pytest.fixture
def stored(tmp_path):
    """6 × 4 numbers in a file, after 16 bytes of something else."""
    array = np.memmap(tmp_path / "a.bin", np.int16, "w+", 16, (6, 4))
    array[:] = np.arange(24).reshape(6, 4)
    return array


@pytest.mark.parametrize(
    "part",
    [
        lambda a: a,
        lambda a: a[2:5],
        lambda a: a[3],
        lambda a: a[1:][2:4],
        lambda a: np.asarray(a)[4:],
        lambda a: a.reshape(3, 8)[1:],
        lambda a: a.view(np.uint8)[1:3],
    ],
)
def test_parts_of_a_file_are_found_in_it(stored, part):
    mapped = find_mapped(part(stored))
    assert mapped.path.name == "a.bin"
    assert np.array_equal(mapped.open(), part(stored))
    assert mapped.open().dtype == part(stored).dtype
    assert not mapped.open().flags.writeable


def test_what_is_read_is_the_file_as_it_is_now(stored):
    mapped = find_mapped(stored[2:])
    stored[2, 0] = -7
    assert mapped.open()[0, 0] == -7


@pytest.mark.parametrize(
    "part",
    [lambda a: a[::2], lambda a: a.T, lambda a: a[:, 1:], lambda a: a + 1, lambda a: a[[0, 5]]],
)
def test_what_lies_in_no_file_without_gaps_is_written_to_one(stored, part):
    assert find_mapped(part(stored)) is None
    shared = SharedArrays()
    mapped = shared.add(part(stored))
    assert np.array_equal(mapped.open(), part(stored))
    shared.clear()
    assert not mapped.path.exists()


def test_private_changes_are_not_lost(stored):
    stored.flush()
    private = np.memmap(stored.filename, np.int16, "c", 16, (6, 4))
    private[0, 0] = 99
    shared = SharedArrays()
    assert shared.add(private).open()[0, 0] == 99
    shared.clear()


@given(
    shape=st.lists(st.integers(0, 4), min_size=1, max_size=3).map(tuple),
    kind=st.sampled_from(["u1", "i1", "f4", "f8", "?"]),
)
def test_any_array_comes_back_as_it_was(shape, kind):
    array = (np.random.default_rng(0).random(shape) * 100).astype(kind)
    shared = SharedArrays()
    back = shared.add(array).open()
    assert (back.shape, back.dtype) == (array.shape, array.dtype)
    assert np.array_equal(back, array)
    shared.clear()


def test_a_full_disk_is_told(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    with pytest.raises(AzulejarError, match=r"Could not write 8 MB into .* set TMPDIR"):
        SharedArrays().add(np.zeros(1_000_000))
