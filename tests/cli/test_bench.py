"""``azulejar bench``: tables that grow cell by cell and outlive whatever stops them."""

import csv
import json
import re
import shutil
import signal
import sqlite3
import sys

import numpy as np
import pytest
from PIL import Image

COUNTED = re.compile(r"(\d+) cells, (\d+) of them from earlier runs")
# Kills itself, on which its worker ends, when the fourth result is to be stored.
KILLED = """
import os, signal
from azulejar.cli import main
from azulejar.evaluation.tables.result_store import ResultStore

put, calls = ResultStore.put, []

def killed(*arguments):
    calls.append(1)
    if len(calls) == 4:
        os.kill(os.getpid(), signal.SIGKILL)
    put(*arguments)

ResultStore.put = killed
main.run()
"""
SMALL = ("--trim", "0.03", "--runs", "2", "--measures", "mgc", "--workers", "1")


@pytest.fixture(scope="session")
def painted(tmp_path_factory, panel):
    folder = tmp_path_factory.mktemp("painted")
    picture = Image.open(panel).resize((5 * 32, 4 * 32))
    picture.save(folder / "first__4x5.png")
    picture.transpose(Image.Transpose.ROTATE_90).save(folder / "second__5x4.png")
    return folder


@pytest.fixture
def panels(tmp_path, painted):
    return shutil.copytree(painted, tmp_path / "panels")


def counts(shown):
    return tuple(map(int, COUNTED.search(shown).groups()))


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def stored(folder):
    """All results by key, but for what the clock says."""
    connection = sqlite3.connect(folder / "cells.db")
    try:
        found = dict(connection.execute("SELECT * FROM results"))
    except sqlite3.OperationalError:  # it is just being made
        return {}
    finally:
        connection.close()
    found = {key: json.loads(value) for key, value in found.items()}
    for value in found.values():
        if "seconds" in value:
            value["seconds"] = 0
            value["history"] = [worth for _, worth in value["history"]]
    return found


@pytest.mark.usefixtures("pool_of_threads")
def test_tables_are_made_once_and_grow(azulejar, tmp_path, panels):
    arguments = ("--tables", "rank,reconstruct", *SMALL, "--solvers", "fast")
    shown = azulejar("bench", "panels", "-o", "out", *arguments)
    assert counts(shown) == (2 * 2 + 2 * 4 * 2, 0)
    out = tmp_path / "out"
    names = {entry.name for entry in out.iterdir()}
    assert {"cells.db", "reconstruction.md", "reconstruction.csv", "ranks"} <= names
    assert "Table: out/reconstruction.md" in shown
    for picture in ("reconstruction_trim.png", "reconstruction_time.png"):
        assert Image.open(out / picture).width > 500
    gallery = (out / "reconstruction_gallery" / "index.html").read_text(encoding="utf-8")
    assert gallery.count("<img") == 2 * (1 + 4)
    cells = rows_of(out / "reconstruction.csv")
    assert len(cells) == 16
    assert np.mean([float(cell["neighbour"]) for cell in cells]) > 0.25
    assert "| fast + MGC |" in (out / "reconstruction.md").read_text(encoding="utf-8")
    assert len(rows_of(out / "ranks" / "ranks.csv")) == 4
    before = stored(out)

    # Another solver, and the first once more under another name.
    more = ("--solvers", "fast,fast@mgc:likelihood+symmetric,fast@ssd")
    shown = azulejar("bench", "panels", "-o", "out", "--tables", "reconstruct", *SMALL, *more)
    assert counts(shown) == (16 + 16, 16)
    after = stored(out)
    assert {key: after[key] for key in before} == before
    assert len(after) == len(before) + 16
    page = (out / "reconstruction.md").read_text(encoding="utf-8")
    for name in ("fast + MGC", "fast + MGC (likelihood+symmetric)", "fast + SSD"):
        assert f"| {name} |" in page
    assert len(rows_of(out / "reconstruction.csv")) == 16 * 3


@pytest.mark.usefixtures("pool_of_threads")
def test_a_killed_run_goes_on_where_it_was(process, azulejar, tmp_path, panels):
    arguments = ("bench", "panels/first__4x5.png", "--tables", "reconstruct", "--trim", "0.03",
                 "--runs", "2", "--solvers", "fast@mgc", "--workers", "1")  # fmt: skip
    killed = tmp_path / "killed"
    ended = process(*arguments, "-o", "killed", program=(sys.executable, "-c", KILLED))
    assert ended.returncode == -signal.SIGKILL
    before = stored(killed)
    assert len(before) == 3
    assert counts(azulejar(*arguments, "-o", "killed")) == (8, 3)
    after = stored(killed)
    assert {key: after[key] for key in before} == before
    azulejar(*arguments, "-o", "whole")
    assert stored(tmp_path / "whole") == after


def test_ctrl_c_keeps_what_is_finished(terminal, azulejar, tmp_path, panels):
    arguments = ("bench", "panels", "-o", "out", "--tables", "reconstruct", "--trim", "0.03",
                 "--solvers", "fast@mgc", "--runs", "500", "--workers", "1")  # fmt: skip
    program = terminal(*arguments)
    program.read_until(re.compile(r"Working out 4000 cells.*about \d+:\d\d left"))
    program.process.send_signal(signal.SIGINT)
    assert program.close() == 130
    assert "Continue with the same command." in program.shown
    assert "Traceback" not in program.shown
    assert 0 < len(stored(tmp_path / "out")) < 4000
    assert not (tmp_path / "out" / "reconstruction.md").exists()


@pytest.mark.usefixtures("pool_of_threads")
def test_corruptions_and_standard(azulejar, tmp_path, panels):
    (tmp_path / "sets").mkdir()
    panels.rename(tmp_path / "sets" / "painted")
    options = ("--solvers", "gallagher", "--measures", "mgc", "--workers", "1")
    shown = azulejar(
        "bench", "sets/painted/first__4x5.png", "-o", "out", "--tables", "corruptions", *options
    )
    assert counts(shown) == (36, 0)
    shown = azulejar("bench", "sets", "-o", "out", "--tables", "standard", *options)
    assert counts(shown) == (4, 0)
    corrupted = rows_of(tmp_path / "out" / "corruptions.csv")
    assert {cell["corruption"] for cell in corrupted} == {"none", "missing", "content"}
    cells = rows_of(tmp_path / "out" / "standard.csv")
    assert {(cell["set"], cell["size"], cell["rows"]) for cell in cells} == {
        ("painted", "28", "4"),
        ("painted", "28", "5"),
    }


@pytest.mark.usefixtures("pool_of_threads")
def test_a_protocol_takes_pictures_of_any_size(azulejar, tmp_path, panel):
    (tmp_path / "pictures").mkdir()
    Image.open(panel).convert("RGB").resize((520, 500)).save(tmp_path / "pictures" / "wall.png")
    options = ("--solvers", "gallagher@mgc", "--workers", "1")
    shown = azulejar("bench", "pictures", "-o", "out", "--protocol", "lsej", *options)
    assert counts(shown) == (3, 0)
    assert counts(azulejar("bench", "pictures", "-o", "out", "--protocol", "lsej", *options)) == (
        3, 3,
    )  # fmt: skip
    page = (tmp_path / "out" / "lsej.md").read_text(encoding="utf-8")
    assert "## 10 × 10, 1 picture (pictures)" in page
    cells = rows_of(tmp_path / "out" / "lsej.csv")
    assert [(cell["rows"], cell["trim"]) for cell in cells] == [
        ("10", "0.04"), ("10", "0.1"), ("10", "0.16"),
    ]  # fmt: skip
    assert float(cells[0]["neighbour"]) > float(cells[2]["neighbour"])
    shown = azulejar("bench", "pictures", "-o", "out", "--protocol", "eroded", *options)
    assert counts(shown) == (4, 0)
    assert (tmp_path / "out" / "eroded.md").is_file()


@pytest.mark.usefixtures("pool_of_threads")
def test_a_cell_that_fails_is_named_and_the_others_are_kept(invoke, tmp_path, panels):
    arguments = ("bench", "panels", "-o", "out", "--tables", "reconstruct", *SMALL,
                 "--solvers", "fast,fast@mgc:none")  # fmt: skip
    result = invoke(*arguments)
    assert result.returncode == 2
    first, last = result.stderr.splitlines()
    assert re.match(
        r"azulejar: fast@mgc:none on panels/\S+, trim 0.03, \w+, size \w+, seed \d", first
    )
    assert "A solver needs scores of 0 and above." in first
    assert last.startswith("azulejar: 16 cells failed")
    assert len(stored(tmp_path / "out")) == 16
    page = (tmp_path / "out" / "reconstruction.md").read_text(encoding="utf-8")
    assert "16 of 32 cells are lacking" in page


def test_what_makes_no_sense_is_refused(refused, tmp_path, panels):
    bench = ("bench", "panels", "-o", "out")
    solvers = ("--solvers", "fast", "--measures", "mgc")
    assert "no table 'magic'" in refused(*bench, "--tables", "rank,magic")
    assert "no protocol 'magic'" in refused(*bench, "--protocol", "magic")
    both = refused(*bench, "--tables", "standard", "--protocol", "lsej")
    assert "Give --tables or --protocol, not both." in both
    assert "128 px instead of 500" in refused(*bench, "--protocol", "lsej", *solvers)
    assert "no solver or preset 'slow'" in refused(*bench, "--solvers", "slow")
    assert "no measure 'slow'" in refused(*bench, "--measures", "slow")
    assert "no number" in refused(*bench, *solvers, "--trim", "thin")
    assert "no file or folder" in refused("bench", "nowhere", "-o", "out", *solvers)
    (tmp_path / "empty").mkdir()
    assert "holds no pictures" in refused("bench", "empty", "-o", "out", *solvers)
    assert "no folder of azulejar bench" in refused("bench", "panels", "-o", "panels", *solvers)
