import os
import sqlite3
import threading
from contextlib import contextmanager

import pytest

from azulejar.system.transactions import ConnectionLimit, Transactions, connect


class Plain(Transactions):
    """Errors are told by their names."""

    @contextmanager
    def explained(self):
        try:
            yield
        except sqlite3.Error as error:
            raise LookupError(type(error).__name__) from error


@pytest.fixture
def counted(tmp_path):
    """A database with a table of one number."""
    connect(tmp_path / "some.db").close()
    found = Plain(tmp_path / "some.db")
    with found.changing() as db:
        db.execute("CREATE TABLE counts (n INTEGER)")
        db.execute("INSERT INTO counts VALUES (0)")
    yield found
    found.close()


def count(database):
    with database.reading() as db:
        return db.execute("SELECT n FROM counts").fetchone()["n"]


def test_a_change_is_kept_whole_or_not_at_all(counted):
    with counted.changing() as db:
        db.execute("UPDATE counts SET n = 1")
    with pytest.raises(ZeroDivisionError), counted.changing() as db:
        db.execute("UPDATE counts SET n = 2")
        raise ZeroDivisionError
    assert count(counted) == 1
    other = Plain(counted.path)
    assert count(other) == 1
    other.close()


def test_errors_are_explained_and_the_change_is_undone(counted):
    with pytest.raises(LookupError, match="OperationalError"), counted.changing() as db:
        db.execute("UPDATE counts SET n = 5")
        db.execute("UPDATE nothing SET n = 5")
    assert count(counted) == 0


def test_threads_take_turns(counted):
    def add():
        for _ in range(50):
            with counted.changing() as db:
                n = db.execute("SELECT n FROM counts").fetchone()["n"]
                db.execute("UPDATE counts SET n = ?", (n + 1,))

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert count(counted) == 200


def test_what_was_saved_is_on_the_disk(counted):
    with counted.reading() as db:
        assert db.execute("PRAGMA synchronous").fetchone()[0] == 2  # FULL


@pytest.fixture
def many(tmp_path):
    """Five databases of which at most two are connected."""
    limit = ConnectionLimit(2)
    paths = [tmp_path / f"{i}.db" for i in range(5)]
    for path in paths:
        with connect(path) as db:
            db.execute("CREATE TABLE counts (n INTEGER)")
            db.execute("INSERT INTO counts VALUES (0)")
        db.close()
    found = [Plain(path, limit) for path in paths]
    yield found
    for each in found:
        each.close()


def test_the_least_recently_used_are_released(many):
    for each in many:
        assert count(each) == 0
    assert [each.connected for each in many] == [False, False, False, True, True]
    assert count(many[0]) == 0
    assert [each.connected for each in many] == [True, False, False, False, True]


def test_what_is_in_use_is_not_released(many):
    with many[0].changing() as db:
        db.execute("UPDATE counts SET n = 7")
        for each in many[1:]:
            count(each)
        assert many[0].connected
    assert count(many[0]) == 7


def test_threads_with_many_databases(many):
    def add(which):
        for i in range(40):
            with many[(which + i) % 5].changing() as db:
                db.execute("UPDATE counts SET n = n + 1")

    threads = [threading.Thread(target=add, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [count(each) for each in many] == [32] * 5


def test_what_is_closed_stays_closed(many):
    many[0].close()
    with pytest.raises(LookupError, match="ProgrammingError"):
        count(many[0])


def test_a_file_that_is_gone_is_not_made_anew(many):
    many[0].release()
    many[0].path.unlink()
    with pytest.raises(LookupError, match="OperationalError"):
        count(many[0])
    assert not many[0].path.exists()


def test_a_database_on_a_read_only_disk_can_be_read_and_nothing_is_made_beside_it(
    counted, monkeypatch
):
    counted.close()
    wal = sqlite3.connect(counted.path)
    wal.execute("PRAGMA journal_mode = WAL")  # as those of museums
    wal.close()
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    there = Plain(counted.path)
    before = sorted(counted.path.parent.iterdir())
    assert count(there) == 0
    with pytest.raises(LookupError, match="OperationalError"), there.changing() as db:
        db.execute("UPDATE counts SET n = 5")
    assert count(there) == 0
    assert sorted(counted.path.parent.iterdir()) == before
    there.close()
