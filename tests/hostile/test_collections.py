"""Damaged collections are noticed, refused and repaired, whatever the damage."""

import os
import subprocess
import sys

import collection_cases
import pytest

CASES = 40
KILLS = 6


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    return collection_cases.make_museum(tmp_path_factory.mktemp("base"))


@pytest.mark.parametrize("first", range(0, CASES, 10))
def test_no_damage_is_unnoticed_or_a_traceback(base, tmp_path, first):
    seeds = range(first, first + 10)
    told = [collection_cases.damage_case(seed, base, tmp_path / "case") for seed in seeds]
    assert list(filter(None, told)) == []


def test_a_damaged_name_in_the_schema(base, tmp_path):
    """SQLite quotes it in its message, which Python cannot decode then."""
    assert collection_cases.damage_case(1711105198, base, tmp_path / "case") is None


def test_these_cases_notice(base, tmp_path, monkeypatch):
    """Without checksums, damage would go unnoticed."""
    monkeypatch.setattr("azulejar.collection.storage.database._altered", lambda *_: [])
    monkeypatch.setattr("azulejar.collection.storage.integrity.stored_checksums",
                        lambda folder, name, tiles: [None] * 0)  # fmt: skip
    told = [collection_cases.damage_case(seed, base, tmp_path / "case") for seed in range(12)]
    assert any(each and "unnoticed damage" in each for each in told)


def test_what_was_acknowledged_outlives_kills(tmp_path):
    """In a process of its own, as it forks."""
    program = (
        "import collection_cases, pathlib, sys; "
        f"told = list(collection_cases.kills({KILLS}, 3, pathlib.Path(sys.argv[1]))); "
        f"print(told); sys.exit(told != [None] * {KILLS})"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, tmp_path / "kills"],
        capture_output=True, text=True, timeout=300,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert ended.returncode == 0, ended.stdout + ended.stderr
