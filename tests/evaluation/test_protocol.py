"""Panels found by their names, cut and shuffled."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import azulejar
from azulejar.errors import AzulejarError
from azulejar.evaluation.protocol import KnownPanel, find_panels, make_puzzles
from azulejar.imaging.picture import read_picture
from azulejar.imaging.render import render
from azulejar.practice.puzzles import cut

# Imports MODULE where only numpy, pillow and torch are installed; the package's own list of
# everything is passed by.
BARE = """
import sys, types
for name in ("numba", "scipy", "pydantic", "typer", "rich", "matplotlib", "cv2", "tifffile"):
    sys.modules[name] = None
package = types.ModuleType("azulejar")
package.__path__ = [{path!r}]
sys.modules["azulejar"] = package
import azulejar.evaluation.{module}
"""


class TestFind:
    def test_rows_and_cols_come_from_the_name(self, folder):
        found = find_panels(folder)
        assert [(panel.name, panel.rows, panel.cols) for panel in found] == [
            ("a__4x5", 4, 5),
            ("b__5x4", 5, 4),
        ]

    def test_one_file(self, folder):
        path = folder / "b__5x4.png"
        assert find_panels(path) == [KnownPanel(path, 5, 4)]

    def test_other_files_are_passed_over_and_numbers_sorted(self, tmp_path):
        for name in ("p10__2x3.JPG", "p2__2x3.tif", "p2__wide__2X12.webp"):
            Image.new("RGB", (9, 9)).save(tmp_path / name)
        (tmp_path / "README.md").write_text("not a panel")
        (tmp_path / ".hidden.png").write_text("nor this")
        (tmp_path / "folder__2x2.png").mkdir()
        found = find_panels(tmp_path)
        assert [panel.name for panel in found] == ["p2__2x3", "p2__wide__2X12", "p10__2x3"]
        assert (found[1].rows, found[1].cols) == (2, 12)

    def test_what_is_not_there(self, tmp_path):
        with pytest.raises(AzulejarError, match="There is no file or folder"):
            find_panels(tmp_path / "nowhere")

    def test_an_empty_folder(self, tmp_path):
        with pytest.raises(AzulejarError, match="holds no pictures"):
            find_panels(tmp_path)

    @pytest.mark.parametrize("name", ["panel", "panel_4x5", "panel__4", "panel__4x5b", "__4x5"])
    def test_a_name_that_tells_no_size(self, tmp_path, name):
        Image.new("RGB", (9, 9)).save(tmp_path / f"{name}.png")
        with pytest.raises(AzulejarError, match=f"The name {name}.png does not tell rows and cols"):
            find_panels(tmp_path)

    @pytest.mark.parametrize("size", ["1x1", "0x9"])
    def test_nothing_to_rank(self, tmp_path, size):
        Image.new("RGB", (9, 9)).save(tmp_path / f"p__{size}.png")
        with pytest.raises(AzulejarError, match=f"p__{size}.png has no two tiles that meet"):
            find_panels(tmp_path)

    def test_two_panels_of_one_name(self, tmp_path, folder):
        for suffix in (".png", ".jpg"):
            shutil.copy(folder / "a__4x5.png", tmp_path / f"a__4x5{suffix}")
        with pytest.raises(AzulejarError, match=r"a__4x5.jpg and a__4x5.png have the same name"):
            find_panels(tmp_path)


class TestPuzzles:
    def test_every_panel_at_every_trim_upright_and_turned(self, folder):
        fractions = []
        puzzles = make_puzzles(find_panels(folder), [0.1, 0.0], on_progress=fractions.append)
        assert [(each.panel.name, each.trim, each.upright) for each in puzzles] == [
            (name, trim, upright)
            for name in ("a__4x5", "b__5x4")
            for trim in (0.1, 0.0)
            for upright in (True, False)
        ]
        assert {each.tiles.size for each in puzzles} == {50}
        assert [each.truth.turn.any() for each in puzzles] == [False, True] * 4
        assert fractions == [0.5, 1.0]

    def test_the_truth_puts_the_panel_together(self, folder):
        panel = find_panels(folder)[0]
        picture = read_picture(panel.path)
        for puzzle in make_puzzles([panel], [0.0], size=None, seed=3):
            np.testing.assert_array_equal(render(puzzle.tiles, puzzle.truth), picture)

    def test_the_seed_shuffles(self, folder):
        panel = find_panels(folder)[0]
        cells = cut(read_picture(panel.path), 4, 5, 0.07, 50)
        one, same, other = (make_puzzles([panel], [0.07], seed=seed)[0] for seed in (1, 1, 2))
        order = one.truth.row * 5 + one.truth.col
        np.testing.assert_array_equal(one.tiles.pixels, cells[order])
        np.testing.assert_array_equal(one.tiles.pixels, same.tiles.pixels)
        assert not np.array_equal(one.tiles.pixels, other.tiles.pixels)

    @pytest.mark.parametrize(
        ("rows", "cols", "trim", "told"),
        [
            (40, 50, 0.0, "a__4x5.png: 40 rows × 50 cols leave less than 4 px"),
            (1, 5, 0.0, "a__4x5.png: 1 rows × 5 cols cut this picture .* no square tiles"),
            (4, 5, 0.6, "a__4x5.png: A trim of 0.6"),
        ],
    )
    def test_a_cut_that_fails_names_the_file(self, folder, rows, cols, trim, told):
        with pytest.raises(AzulejarError, match=told):
            make_puzzles([KnownPanel(folder / "a__4x5.png", rows, cols)], [trim])


@pytest.mark.parametrize("module", ["protocol", "ranks"])
def test_a_bare_server_will_do(module):
    path = str(Path(azulejar.__file__).parent)
    subprocess.run([sys.executable, "-c", BARE.format(path=path, module=module)], check=True)
