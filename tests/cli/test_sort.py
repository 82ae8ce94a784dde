"""``azulejar sort``: a mixed crate told apart."""

import csv
import json
import shutil

import numpy as np
import pytest
from PIL import Image

from azulejar.practice.puzzles import cut, make_puzzle

SIZES = {"a": (5, 4), "b": (4, 6)}


def clouds(rows, cols, seed):
    """A picture that goes on smoothly over all joints, unlike that of any other seed."""
    noise = np.random.default_rng(seed).integers(0, 256, (3 * rows, 3 * cols, 3), np.uint8)
    return np.asarray(Image.fromarray(noise).resize((32 * cols, 32 * rows), Image.BICUBIC))


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    """A folder with the turned tiles of two panels, named a… and b…."""
    folder = tmp_path_factory.mktemp("mixed") / "crate"
    folder.mkdir()
    for seed, (name, (rows, cols)) in enumerate(SIZES.items()):
        cells = cut(clouds(rows, cols, seed), rows, cols)
        tiles, _ = make_puzzle(cells, rows, cols, turned=True, seed=seed)
        for i, tile in enumerate(tiles):
            Image.fromarray(tile).save(folder / f"{name}{i}.png")
    return folder


@pytest.fixture
def crate(mixed, tmp_path):
    shutil.copytree(mixed, tmp_path / "crate")
    return tmp_path / "crate"


def groups_of(folder):
    """The panel of each tile by its letter."""
    data = json.loads((folder / "groups.json").read_text(encoding="utf-8"))
    return {
        letter: {tile["panel"] for tile in data["tiles"] if tile["file"][0] == letter}
        for letter in SIZES
    }


def test_tiles_of_different_sizes_are_of_different_panels(azulejar, refused, tmp_path):
    """Even if they would fit each other: this is one panel, whose right half is enlarged."""
    (tmp_path / "crate").mkdir()
    for i, tile in enumerate(cut(clouds(4, 6, 0), 4, 6)):
        size = 32 if i % 6 < 3 else 60
        name = f"{'a' if size == 32 else 'b'}{i}.png"
        Image.fromarray(tile).resize((size, size)).save(tmp_path / "crate" / name)
    told = refused("solve", "crate", "-o", "out")
    assert "azulejar sort tells them apart" in told
    shown = azulejar("sort", "crate", "-o", "out", "-m", "mgc")
    assert "tiles of 2 sizes, from the smallest: 12 tiles and 12 tiles." in shown
    assert sorted(map(sorted, groups_of(tmp_path / "out").values())) == [[0], [1]]
    azulejar("sort", "crate", "-o", "one", "-m", "mgc", "--these-are-tiles")
    assert groups_of(tmp_path / "one") == {"a": {0}, "b": {0}}


def test_panels_are_told_apart_and_each_is_put_together(azulejar, tmp_path, crate):
    shown = azulejar("sort", "crate", "-o", "out", "-m", "mgc", "--solve", "--preset", "fast")
    assert "Panel 1: 24 tiles" in shown
    assert "Panel 2: 20 tiles" in shown
    assert groups_of(tmp_path / "out") == {"a": {1}, "b": {0}}
    names = sorted(entry.name for entry in (tmp_path / "out").iterdir())
    assert names == ["groups.csv", "groups.html", "groups.json", "result"]
    solution = json.loads((tmp_path / "out" / "result" / "solution.json").read_text())
    for letter, panel in (("a", 1), ("b", 0)):
        tiles = [tile for tile in solution["tiles"] if tile["file"][0] == letter]
        assert {tile["panel"] for tile in tiles} == {panel}
        box = sorted(max(tile[name] for tile in tiles) + 1 for name in ("row", "col"))
        assert box == sorted(SIZES[letter])


def test_the_result_can_be_drawn(azulejar, tmp_path, crate):
    azulejar("sort", "crate", "-o", "out", "-m", "mgc", "--solve", "--preset", "fast")
    azulejar("render", "out/result", "-o", "again.png")
    with (
        Image.open(tmp_path / "again.png") as one,
        Image.open(tmp_path / "out/result/panel.png") as other,
    ):
        np.testing.assert_array_equal(np.asarray(one), np.asarray(other))


def test_tiles_keep_the_panel_that_is_known(azulejar, tmp_path, crate):
    (crate / "tiles.csv").write_text("file,panel\na0,Stairs\nb0,Stairs\n")
    shown = azulejar("sort", "crate", "-o", "out", "-m", "mgc")
    assert "Panel Stairs: 44 tiles" in shown
    with (tmp_path / "out" / "groups.csv").open(encoding="utf-8-sig", newline="") as file:
        assert {line["panel"] for line in csv.DictReader(file)} == {"Stairs"}


def test_what_cannot_be_told_apart_is_said(azulejar_process, crate):
    shown = azulejar_process("sort", "crate", "-o", "out", "-m", "mgc", "--panels", 5)
    assert "note: the joints tell only 2 panels apart." in shown


def test_groups_that_nothing_links_are_left_as_they_are(azulejar, crate):
    (crate / "tiles.csv").write_text("file,panel\na0,Stairs\nb0,Hall\n")
    shown = azulejar("sort", "crate", "-o", "out", "-m", "mgc", "--panels", 1)
    assert "Panel Stairs: 20 tiles" in shown
    assert "note: 2 groups are left" in shown


def test_scores_of_ones_own(azulejar, tmp_path, crate):
    azulejar("score", "crate", "-o", "scores.npz", "-m", "mgc")
    azulejar("sort", "crate", "-o", "out", "--scores", "scores.npz")
    assert groups_of(tmp_path / "out") == {"a": {1}, "b": {0}}


def test_an_earlier_result_is_kept_unless_it_may_be_replaced(azulejar, refused, crate):
    azulejar("sort", "crate", "-o", "out", "-m", "mgc", "--solve", "--preset", "fast")
    assert "exists already" in refused("sort", "crate", "-o", "out", "-m", "mgc")
    shown = azulejar("sort", "crate", "-o", "out", "-m", "mgc", "--overwrite")
    assert "out/result is from an earlier sort." in shown


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("-m", "nothing"), "There is no measure 'nothing'."),
        (("--preset", "nothing"), "There is no preset 'nothing'."),
        (("--scores", "nothing.npz"), "There is no file nothing.npz."),
    ],
)
def test_what_is_refused(refused, crate, options, told):
    assert told in refused("sort", "crate", "-o", "out", *options)


def test_ctrl_c_while_solving_keeps_what_was_found(interrupted, tmp_path, crate):
    options = ("-m", "mgc", "--solve", "--preset", "fast")
    result = interrupted("sort", "crate", "-o", "out", *options, at="azulejar.solvers.runs.solve")
    assert result.returncode == 0, result.stderr
    assert groups_of(tmp_path / "out") == {"a": {1}, "b": {0}}
    assert (tmp_path / "out" / "result" / "panel.png").is_file()


def test_tiles_that_belong_together_stay_so(azulejar, tmp_path, crate):
    """One tile of either panel, said to belong together, makes both one."""
    (tmp_path / "knowns.json").write_text('{"together": [["a0", "b0"]]}')
    azulejar("sort", "crate", "-o", "out", "-m", "mgc", "--knowns", "knowns.json")
    assert groups_of(tmp_path / "out") == {"a": {0}, "b": {0}}
