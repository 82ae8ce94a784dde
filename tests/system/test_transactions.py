import sqlite3
import threading
from contextlib import contextmanager

import pytest

from azulejar.system.transactions import Transactions


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
