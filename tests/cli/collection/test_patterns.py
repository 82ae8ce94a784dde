"""``azulejar collection patterns`` and ``match``: alike tiles of a museum, and a wall to mend."""

import csv

import numpy as np
import pytest

from azulejar.cli.collection import match
from azulejar.collection.intake.adding import add_tiles
from azulejar.collection.storage.catalogue import Collection
from azulejar.errors import AzulejarError
from azulejar.imaging.picture import write_picture
from azulejar.practice.painting import paint_panel
from azulejar.practice.painting.patterns import DESIGNS, paint_pattern
from azulejar.practice.puzzles import cut

(ROSETTES,) = (design for design in DESIGNS if design.name == "rosettes")
TILE = 50


@pytest.fixture
def store(tmp_path, in_turn):
    """A museum of 12 rosettes."""
    for i, tile in enumerate(cut(paint_pattern(ROSETTES, 3, 4, TILE), 3, 4)):
        write_picture(tmp_path / "crates" / "K1" / f"R{i:02}.png", np.rot90(tile, i % 4))
    with Collection.create(tmp_path / "store") as collection:
        add_tiles(collection, [tmp_path / "crates"], engine=in_turn)
    return tmp_path / "store"


@pytest.fixture
def facade(tmp_path):
    """A wall of 6 × 6 rosettes with joints, one tile lost."""
    wall = paint_pattern(ROSETTES, 6, 6, TILE, seed=2)
    wall[2 * TILE : 3 * TILE, TILE : 2 * TILE] = 120
    for at in range(0, 7 * TILE, TILE):
        wall[max(0, at - 1) : at + 1] = wall[:, max(0, at - 1) : at + 1] = 90
    write_picture(tmp_path / "facade.png", np.pad(wall, ((40, 40), (40, 40), (0, 0)), mode="edge"))
    return tmp_path / "facade.png"


def lines(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_alike_tiles_are_listed_by_the_museums_code_and_matched_with_a_wall(
    azulejar, refused, store, facade
):
    corners = ("--corners", "40,40 340,40 340,340 40,340", "--rows", 6, "--cols", 6)
    assert "Nobody has looked for patterns" in refused("collection", "match", store, facade)
    assert "There is no pattern 5" in refused("collection", "patterns", store, "--name", "5=P")
    assert "does not give a pattern" in refused("collection", "patterns", store, "--name", "P")
    shown = azulejar("collection", "patterns", store, "--name", "1=P-17-00101")
    assert "pattern P-17-00101: 12 tiles of 1 design, 2 × 2 tiles" in shown
    (pattern,) = lines(store / "patterns" / "patterns.csv")
    assert (pattern["pattern"], pattern["tiles"]) == ("P-17-00101", "12")
    tiles = lines(store / "patterns" / "pattern_tiles.csv")
    assert [tile["inventory"] for tile in tiles] == [f"R{i:02}" for i in range(12)]
    page = (store / "patterns" / "patterns.html").read_text(encoding="utf-8")
    assert 'placeholder="Pattern, crate or inventory number"' in page
    assert "Pattern P-17-00101" in page
    assert "quarter turns and mirrors (p4m)" in page
    shown = azulejar("collection", "match", store, facade, *corners)
    assert "design 1: 1 place to mend, 12 tiles in stock" in shown
    write_picture(facade, np.pad(paint_panel(6, 6, TILE), ((40, 40), (40, 40), (0, 0))))
    shown = azulejar("collection", "match", store, facade, *corners)
    assert "If it has other rows and cols" in shown


def test_a_wall_whose_joints_are_not_seen_is_found_by_its_pattern(
    azulejar, refused, store, facade, monkeypatch
):
    def see_nothing(picture, name, *arguments):
        raise AzulejarError("wall-grid-unsure", "No grid in {path}.", "Give corners.", path=name)

    monkeypatch.setattr(match, "find_grids", see_nothing)
    azulejar("collection", "patterns", store)
    shown = azulejar("collection", "match", store, facade)
    assert f"{facade}: 6 rows × 6 cols" in shown
    assert "design 1: 1 place to mend, 12 tiles in stock" in shown
    assert "No grid in" in refused("collection", "match", store, facade, "--rows", 6)
    write_picture(facade, paint_panel(6, 6, TILE))
    assert "No grid in" in refused("collection", "match", store, facade)
