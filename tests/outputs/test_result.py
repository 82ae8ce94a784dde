"""The folder of a result: all four files or none, and what may be replaced."""

import errno
import json
import os
import shutil

import numpy as np
import pytest
from PIL import Image

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.solution import Solution
from azulejar.errors import AzulejarError
from azulejar.imaging.folder import load_tiles
from azulejar.imaging.render import render
from azulejar.judging.evidence import Rivals
from azulejar.outputs.result import write_result
from azulejar.version import __version__

FILES = ["panel.png", "placement.csv", "report.html", "solution.json"]
ASSEMBLY = Assembly.of([0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 2, 3])


@pytest.fixture
def crate(tmp_path):
    """A folder with four tiles in ``tiles``; results go beside them."""
    (tmp_path / "tiles").mkdir()
    for i in range(4):
        noise = np.random.default_rng(i).integers(0, 256, (8, 8, 3), np.uint8)
        Image.fromarray(noise).save(tmp_path / "tiles" / f"T{i}.png")
    return tmp_path


def write(crate, name="result", **about):
    tiles = load_tiles(crate / "tiles")
    scores = np.random.default_rng(0).random((16, 16)).astype(np.float32)
    compatibility = Compatibility(scores, tiles.files, "test")
    return write_result(crate / name, tiles, compatibility, ASSEMBLY, **about)


def contents(folder):
    """Every entry under a folder, hidden ones too, with the bytes of files."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


def test_four_files_and_nothing_else(crate):
    write(crate)
    assert sorted(entry.name for entry in crate.iterdir()) == ["result", "tiles"]
    assert sorted(entry.name for entry in (crate / "result").iterdir()) == FILES


def test_the_rivals_of_all_edges_are_found_once(crate, monkeypatch):
    """Which takes longest in judging many tiles."""
    find, calls = Rivals.of, []
    monkeypatch.setattr(Rivals, "of", lambda *known: calls.append(1) or find(*known))
    write(crate)
    assert len(calls) == 1


def test_the_folder_is_made_with_its_parents(crate):
    write(crate, "a/b/result")
    assert sorted(entry.name for entry in (crate / "a" / "b").iterdir()) == ["result"]


def test_the_solution_that_is_returned_is_the_one_that_is_written(crate):
    solution = write(crate, solver="guided-growth", preset="fast", seed=3, seconds=1.5)
    assert Solution.load(crate / "result" / "solution.json") == solution
    assert solution.measure == "test"
    assert solution.version == __version__
    assert (solution.solver, solution.preset, solution.seed) == ("guided-growth", "fast", 3)
    assert [tile.turn for tile in solution.tiles] == [0, 90, 180, 270]


def test_the_panel_shows_the_tiles_where_they_lie(crate):
    write(crate)
    with Image.open(crate / "result" / "panel.png") as panel:
        shown = np.asarray(panel)
    assert shown.shape == (16, 16, 3)
    tiles = load_tiles(crate / "tiles").pixels
    np.testing.assert_array_equal(shown[:8, 8:], np.rot90(tiles[1], -1))
    np.testing.assert_array_equal(shown[8:, :8], np.rot90(tiles[2], -2))


@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize("writer", ["render", "write_picture", "write_placement", "write_report"])
def test_all_or_nothing(crate, monkeypatch, writer, overwrite):
    if overwrite:
        write(crate, seed=1)
    before = contents(crate)

    def fails(*args, **kwargs):
        raise RuntimeError("no")

    monkeypatch.setattr(f"azulejar.outputs.result.{writer}", fails)
    with pytest.raises(RuntimeError, match="no"):
        write(crate, seed=2, overwrite=overwrite)
    assert contents(crate) == before


def test_a_full_disk_is_told_with_the_folder_that_was_asked_for(crate, monkeypatch):
    before = contents(crate)

    def full(*args, **kwargs):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("azulejar.outputs.result.write_report", full)
    with pytest.raises(AzulejarError) as error:
        write(crate)
    assert str(crate / "result") in error.value.problem
    assert "No space left on device" in error.value.problem
    assert "free some space" in error.value.remedy
    assert contents(crate) == before


def test_a_full_disk_in_the_middle_of_a_file_names_no_temporary_folder(crate, monkeypatch):
    def full(self, *args, **kwargs):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Image.Image, "save", full)
    before = contents(crate)
    with pytest.raises(AzulejarError, match="No space left on device") as error:
        write(crate)
    assert str(crate / "result") in error.value.problem
    assert ".result." not in error.value.problem
    assert contents(crate) == before


def test_a_result_is_kept_unless_it_may_be_overwritten(crate):
    write(crate, seed=1)
    before = contents(crate)
    with pytest.raises(AzulejarError, match="exists already") as error:
        write(crate, seed=2)
    assert "allow overwriting" in error.value.remedy
    assert contents(crate) == before
    write(crate, seed=2, overwrite=True)
    assert Solution.load(crate / "result" / "solution.json").seed == 2


def test_other_files_in_our_folder_are_kept(crate):
    write(crate, seed=1)
    (crate / "result" / "notes.txt").write_text("row 2 is chipped")
    (crate / "result" / "photos").mkdir()
    (crate / "result" / "photos" / "wall.jpg").write_text("a photo")
    write(crate, seed=2, overwrite=True)
    after = contents(crate / "result")
    assert sorted(after) == sorted([*FILES, "notes.txt", "photos", "photos/wall.jpg"])
    assert after["notes.txt"] == b"row 2 is chipped"
    assert Solution.load(crate / "result" / "solution.json").seed == 2


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_folder_that_is_not_ours_is_never_touched(crate, overwrite):
    (crate / "result").mkdir()
    (crate / "result" / "thesis.doc").write_text("years of work")
    before = contents(crate)
    with pytest.raises(AzulejarError, match="exists"):
        write(crate, overwrite=overwrite)
    assert contents(crate) == before


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_file_in_the_place_of_the_folder_is_never_touched(crate, overwrite):
    (crate / "result").write_text("a file")
    with pytest.raises(AzulejarError, match="exists"):
        write(crate, overwrite=overwrite)
    assert (crate / "result").read_text() == "a file"


def test_an_empty_folder_is_filled(crate):
    (crate / "result").mkdir()
    solution = write(crate)
    assert sorted(contents(crate / "result")) == FILES
    assert Solution.load(crate / "result" / "solution.json") == solution


def test_the_current_folder_is_filled(crate, monkeypatch):
    (crate / "result").mkdir()
    monkeypatch.chdir(crate / "result")
    tiles = load_tiles(crate / "tiles")
    compatibility = Compatibility(np.zeros((16, 16), np.float32), tiles.files, "test")
    write_result(".", tiles, compatibility, ASSEMBLY)
    assert sorted(contents(crate / "result")) == FILES
    assert Solution.load("solution.json").folder == str(crate / "tiles")


def test_a_link_to_an_empty_folder_is_filled(crate):
    (crate / "elsewhere").mkdir()
    (crate / "result").symlink_to("elsewhere")
    write(crate)
    assert (crate / "result").is_symlink()
    assert sorted(contents(crate / "elsewhere")) == FILES


def test_the_tiles_are_found_after_the_whole_tree_moved(crate, tmp_path_factory):
    write(crate, "a/result")
    assert json.loads((crate / "a/result/solution.json").read_text())["folder"] == "../../tiles"
    there = tmp_path_factory.mktemp("there") / "copy"
    shutil.copytree(crate, there)
    shutil.rmtree(crate)
    solution = Solution.load(there / "a" / "result" / "solution.json")
    assert solution.folder == str(there / "tiles")
    drawn = render(load_tiles(solution.folder), solution.assembly())
    with Image.open(there / "a" / "result" / "panel.png") as panel:
        np.testing.assert_array_equal(drawn, np.asarray(panel))


def test_relative_paths_as_typed_in_a_terminal(crate, monkeypatch):
    (crate / "work").mkdir()
    monkeypatch.chdir(crate / "work")
    tiles = load_tiles("../tiles")
    compatibility = Compatibility(np.zeros((16, 16), np.float32), tiles.files, "test")
    write_result("out", tiles, compatibility, ASSEMBLY)
    monkeypatch.chdir(crate)
    assert Solution.load("work/out/solution.json").folder == str(crate / "tiles")
