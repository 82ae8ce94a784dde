"""Sources and the puzzles made of them."""

import shutil
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from azulejar.errors import AzulejarError
from azulejar.evaluation.protocol import find_panels, make_puzzles
from azulejar.evaluation.tables.puzzle_recipes import Recipe, find_pictures, find_sources


@pytest.fixture(scope="module")
def source(painted):
    return find_sources(painted)[0]


@pytest.mark.parametrize("upright", [True, False])
def test_puzzles_are_those_of_the_protocol(painted, source, upright):
    expected = make_puzzles(find_panels(painted)[:1], [0.05], seed=3)[0 if upright else 1]
    puzzle = Recipe(source, upright, 3, 0.05, 50).make()
    assert puzzle.upright == expected.upright == upright
    assert (puzzle.tiles.pixels == expected.tiles.pixels).all()
    assert (puzzle.truth.row == expected.truth.row).all()
    assert (puzzle.truth.turn == expected.truth.turn).all()


def test_missing_tiles_are_gone_and_the_others_as_before(source):
    whole = Recipe(source, False, 0, 0.03, 50)
    before, after = whole.make(), replace(whole, corruption="missing", amount=0.2).make()
    assert len(before.tiles) == 20
    assert len(after.tiles) == len(after.truth) == 16
    places = list(zip(before.truth.row, before.truth.col, strict=True))
    for tile, place in enumerate(zip(after.truth.row, after.truth.col, strict=True)):
        old = places.index(place)
        assert (after.tiles.pixels[tile] == before.tiles.pixels[old]).all()


def test_content_is_lost_on_the_share_asked_for(source):
    whole = Recipe(source, True, 0, 0.03, 50)
    before, after = whole.make(), replace(whole, corruption="content", amount=0.3).make()
    changed = (before.tiles.pixels != after.tiles.pixels).any(axis=-1).mean()
    assert 0.25 < changed <= 0.3


def test_tiles_in_light_of_their_own_lie_where_the_others_do(source):
    plain = Recipe(source, False, 0, 0.05, 50)
    before, after = plain.make(), replace(plain, light="strong").make()
    assert (after.truth.row == before.truth.row).all()
    assert (after.truth.turn == before.truth.turn).all()
    brightness = after.tiles.pixels.mean((1, 2, 3)) / before.tiles.pixels.mean((1, 2, 3))
    assert brightness.std() > 0.05
    assert replace(plain, light="strong").identity != plain.identity
    assert "strong light" in replace(plain, light="strong").title


def test_cropped_tiles_are_cut_pixel_for_pixel(tmp_path):
    pixels = np.random.default_rng(0).integers(0, 256, (2 * 28 + 5, 3 * 28 + 27, 3), np.uint8)
    Image.fromarray(pixels).save(tmp_path / "noise.png")
    (source,) = find_pictures(tmp_path, 28)
    assert (source.panel.rows, source.panel.cols) == (2, 3)
    puzzle = Recipe(source, True, 0, 0.0, 28, crop=True).make()
    for tile, row, col in zip(puzzle.tiles.pixels, puzzle.truth.row, puzzle.truth.col, strict=True):
        assert (tile == pixels[28 * row :, 28 * col :][:28, :28]).all()


def test_trimmed_tiles_can_be_cut_pixel_for_pixel_too(tmp_path):
    pixels = np.random.default_rng(0).integers(0, 256, (2 * 64 + 5, 3 * 64 + 27, 3), np.uint8)
    Image.fromarray(pixels).save(tmp_path / "noise.png")
    (source,) = find_pictures(tmp_path, 64)
    for lost in (4, 9):
        puzzle = Recipe(source, True, 0, lost / 64, 64 - 2 * lost, crop=True).make()
        places = zip(puzzle.tiles.pixels, puzzle.truth.row, puzzle.truth.col, strict=True)
        for tile, row, col in places:
            cell = pixels[64 * row :, 64 * col :][:64, :64]
            assert (tile == cell[lost:-lost, lost:-lost]).all()


def test_identities_tell_puzzles_apart_but_not_places(source, painted, tmp_path):
    recipe = Recipe(source, True, 0, 0.03, 50)
    others = [
        replace(recipe, **change)
        for change in (
            {"upright": False}, {"seed": 1}, {"trim": 0.05}, {"size": 40}, {"crop": True},
            {"corruption": "missing", "amount": 0.1}, {"corruption": "content", "amount": 0.1},
            {"source": find_sources(painted)[1]},
        )
    ]  # fmt: skip
    assert len({each.identity for each in (recipe, *others)}) == 1 + len(others)
    shutil.copy(source.panel.path, tmp_path / "renamed__4x5.png")
    assert replace(recipe, source=find_sources(tmp_path)[0]).identity == recipe.identity


def test_pictures_come_from_a_folder_and_its_folders(tmp_path):
    picture = Image.new("RGB", (56, 56))
    for name in ("b/2.png", "b/10.png", "a/1.png", ".hidden/1.png"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        picture.save(tmp_path / name)
    (tmp_path / "a" / "notes.txt").write_text("no picture")
    found = [(source.set, source.panel.name) for source in find_pictures(tmp_path, 28)]
    assert found == [("a", "1"), ("b", "2"), ("b", "10")]
    assert [source.set for source in find_pictures(tmp_path / "b", 28)] == ["b", "b"]


def test_what_holds_no_pictures_is_told(tmp_path):
    with pytest.raises(AzulejarError, match="holds no pictures"):
        find_pictures(tmp_path, 28)
    with pytest.raises(AzulejarError, match="There is no folder"):
        find_pictures(tmp_path / "nowhere", 28)
    Image.new("RGB", (30, 30)).save(tmp_path / "small.png")
    with pytest.raises(AzulejarError, match="no two tiles of 28 px"):
        find_pictures(tmp_path, 28)
