"""Engine ``ray`` on one computer, and on a cluster of two nodes of which one is killed."""

import socket
from pathlib import Path

import numpy as np
import pytest

from azulejar.collection.engines import TaskError, cluster, get_engine
from azulejar.errors import AzulejarError


@pytest.fixture(scope="module")
def shell(open_shell, page):
    """Where the rehearsal of docs/cluster.md was followed; the second node claims a GPU."""
    *start, second, _ = page("A rehearsal: two nodes on one computer")
    with open_shell() as shell, pytest.MonkeyPatch.context() as patch:
        for line in start:
            shell.run(line)
        shell.run(second.replace(" --block", " --num-gpus=1 --block"))
        for name, value in shell.environment.items():
            if name.startswith("RAY_"):
                patch.setenv(name, value)
        patch.setenv("RAY_AUTH_TOKEN_PATH", str(shell.folder / ".ray" / "auth_token"))
        patch.delenv("RAY_ADDRESS", raising=False)
        _heed_environment()
        yield shell
    _heed_environment()


def _heed_environment():
    """Ray looks at it once, when it is imported, and another test may have done that."""
    from ray._raylet import Config

    Config.initialize("")


@pytest.fixture(scope="module")
def engine(shell, chores):
    with get_engine("ray", address=f"127.0.0.1:{shell.port}") as engine:
        yield engine


@pytest.fixture
def second():
    """The node of Ray that claims to have a GPU."""
    import ray

    (node,) = [node["NodeID"] for node in ray.nodes() if node["Resources"].get("GPU")]
    return node


@pytest.fixture(scope="module")
def table():
    return np.random.default_rng(0).random((3000, 100))


def blocks_of(count, size):
    return [np.arange(count)[i : i + size] for i in range(0, count, size)]


def test_a_laptop_with_ray_is_a_laptop_without(open_shell, page, museum):
    with open_shell() as laptop:
        assert museum.is_the_same_with(laptop, page("A laptop")[-1])
        assert not laptop.processes()


def test_the_same_as_the_local_engine_for_any_number_of_blocks(chores, engine, table):
    assert (engine.name, engine.workers) == ("ray", 2)
    with get_engine("local", workers=1) as local:
        for size in (700, 3000):
            blocks = blocks_of(3000, size)
            expected = dict(local.map(chores.take_rows, blocks, [local.share(table)]))
            told = []
            results = dict(engine.map(chores.take_rows, blocks, [engine.share(table)], told.append))
            assert results.keys() == expected.keys()
            for number, rows in results.items():
                assert np.array_equal(rows, expected[number])
                rows[0] = 0  # results are the caller's own
            assert told == list(range(1, len(blocks) + 1))


def test_a_killed_worker_changes_nothing(chores, engine, tmp_path):
    blocks = [(tmp_path / "died" if i == 1 else None, i) for i in range(4)]
    assert dict(engine.map(chores.die_once, blocks)) == {i: i for i in range(4)}
    assert (tmp_path / "died").exists()


def test_a_block_that_kills_three_workers_is_named(chores, engine):
    with pytest.raises(AzulejarError, match="Block 0 was given up: 3 workers died"):
        list(engine.map(chores.die_always, [None]))


def test_errors_keep_their_sentence_and_mistakes_their_traceback(chores, engine):
    with pytest.raises(AzulejarError) as refusal:
        list(engine.map(chores.refuse, [7, 7, 7]))
    assert (refusal.value.problem, refusal.value.remedy) == ("Crate 7 is wet.", "Dry it.")
    with pytest.raises(TaskError, match=r"in stumble(.|\n)*KeyError: 'no such key'"):
        list(engine.map(chores.stumble, [0]))
    with pytest.raises(TaskError, match="read-only"):
        list(engine.map(chores.write_on, [0], [engine.share(np.zeros(3))]))


def test_workers_have_one_thread_each(chores, engine):
    names = ["AZULEJAR_THREADS", "OMP_NUM_THREADS"]
    assert dict(engine.map(chores.settings, [names])) == {0: ["1", "1"]}


def test_blocks_are_taken_only_as_they_are_needed_and_one_may_leave_early(chores, engine):
    taken = []

    def blocks():
        for i in range(100):
            taken.append(i)
            yield 0.05

    for done, _ in enumerate(engine.map(chores.dream, blocks()), 1):
        assert len(taken) <= done + cluster.AHEAD * engine.workers
        if done == 6:
            break
    assert dict(engine.map(chores.add_up, [[1], [2]])) == {0: 1, 1: 2}
    assert len(taken) < 100


def test_tasks_that_want_a_gpu_run_where_ray_offers_one(chores, engine, second):
    assert {place for _, place in engine.map(chores.paint, [0.01] * 3)} == {(second, 1)}
    anywhere = {place for _, place in engine.map(chores.where, [0.3] * 6)}
    assert {node for node, _ in anywhere} != {second}
    assert {gpus for _, gpus in anywhere} == {0}


def test_another_version_there_is_told(chores, engine, monkeypatch):
    monkeypatch.setattr(cluster, "__version__", "99.1")
    with pytest.raises(AzulejarError) as refusal:
        list(engine.map(chores.add_up, [[1]]))
    assert f"{socket.gethostname()} has azulejar " in refusal.value.problem
    assert "this machine has 99.1" in refusal.value.problem
    assert "azulejar[cluster]==99.1" in refusal.value.remedy


def test_a_token_that_is_not_the_clusters_is_told(shell, monkeypatch, tmp_path):
    (tmp_path / "token").write_text("0" * 64, encoding="ascii")
    monkeypatch.setenv("RAY_AUTH_TOKEN_PATH", str(tmp_path / "token"))
    with pytest.raises(AzulejarError, match=r"does not know this machine's token\. Copy"):
        cluster.check_cluster(f"127.0.0.1:{shell.port}")


def test_two_nodes_add_the_same_tiles_as_a_laptop(shell, page, museum):
    assert museum.is_the_same_with(shell, page("A rehearsal: two nodes on one computer")[-1])


def test_a_node_killed_in_the_middle_changes_nothing(chores, engine, shell, until, table):
    """What lay on the node, done but not fetched, is lost as well."""
    blocks = blocks_of(3000, 250)
    results = {}
    for number, rows in engine.map(chores.slow_rows, blocks, [engine.share(table)]):
        results[number] = rows
        if len(results) == 3:
            shell.kill_node(-1)
    assert sorted(results) == list(range(12))
    for number, block in enumerate(blocks):
        assert np.array_equal(results[number], table[block])
    until(lambda: engine.workers == 1)


def test_who_leaves_the_cluster_leaves_nobody_at_work_there(chores, engine, until, tmp_path):
    """The last test with this engine."""
    for _ in engine.map(chores.leave_mark, [None, tmp_path]):
        break
    until(lambda: any(tmp_path.iterdir()))
    (process,) = (Path("/proc", mark.name) for mark in tmp_path.iterdir())
    assert process.exists()
    engine.close()
    until(lambda: not process.exists())
