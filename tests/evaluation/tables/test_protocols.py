"""Puzzles of public benchmarks, against their definition followed step by step."""

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from azulejar.errors import AzulejarError
from azulejar.evaluation.tables.protocols import LsejRecipe, find_squares
from azulejar.evaluation.tables.puzzle_recipes import Recipe


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """A smooth picture of 1040 × 1000 px, as 10 × 10 and as 20 × 20 pieces."""
    folder = tmp_path_factory.mktemp("pictures")
    coarse = np.random.default_rng(0).integers(0, 256, (125, 130, 3), np.uint8)
    Image.fromarray(coarse).resize((1040, 1000)).save(folder / "smooth.png")
    return find_squares(folder)


@pytest.mark.parametrize("crop", [2, 5, 8])
def test_pieces_are_those_of_the_benchmark(sources, crop):
    """As its data loader says: centre, resize, split, crop, resize, all with Lanczos."""
    lanczos = Image.Resampling.LANCZOS
    for source, count in zip(sources, (10, 20), strict=True):
        assert (source.panel.rows, source.panel.cols) == (count, count)
        whole = Image.open(source.panel.path).crop((20, 0, 1020, 1000))
        whole = whole.resize((50 * count, 50 * count), lanczos)
        puzzle = LsejRecipe(source, True, 0, crop / 50, 50).make()
        for tile in range(0, count * count, 7):
            row, col = puzzle.truth.row[tile], puzzle.truth.col[tile]
            piece = whole.crop((50 * col, 50 * row, 50 * col + 50, 50 * row + 50))
            piece = piece.crop((crop, crop, 50 - crop, 50 - crop)).resize((50, 50), lanczos)
            assert (puzzle.tiles.pixels[tile] == np.array(piece)).all()


def test_all_crops_share_a_shuffle(sources):
    first = LsejRecipe(sources[0], True, 3, 0.04, 50).make().truth
    other = LsejRecipe(sources[0], True, 3, 0.16, 50).make().truth
    assert (first.row == other.row).all()
    assert (first.col == other.col).all()


def test_a_small_picture_is_never_enlarged(tmp_path):
    Image.new("RGB", (500, 999)).save(tmp_path / "small.png")
    (source,) = find_squares(tmp_path)
    assert (source.panel.rows, source.panel.cols) == (10, 10)
    Image.new("RGB", (499, 999)).save(tmp_path / "too_small.png")
    with pytest.raises(AzulejarError, match=r"too_small\.png has 499 px instead of 500 or more"):
        find_squares(tmp_path)


def test_results_of_other_cuts_are_not_taken_for_these(sources):
    recipe = LsejRecipe(sources[0], True, 0, 0.04, 50)
    others = [Recipe(sources[0], True, 0, 0.04, 50), replace(recipe, trim=0.1)]
    assert len({each.identity for each in (recipe, *others)}) == 3
