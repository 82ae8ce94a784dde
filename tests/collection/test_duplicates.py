import numpy as np
import pytest

from azulejar.collection import duplicates
from azulejar.collection.duplicates import find_duplicates
from azulejar.practice.painting import paint_panel
from azulejar.practice.puzzles import cut

SIZE = 50


@pytest.fixture(scope="module")
def painted():
    """Tiles of a painted panel: [48, 50, 50, 3]."""
    tiles = cut(paint_panel(6, 8, SIZE, 3), 6, 8)
    return np.ascontiguousarray(tiles[:, :SIZE, :SIZE])


def again(tile, rng):
    """Another photograph: other light, a cast, noise, a pixel off, turned."""
    light = 255 * (tile / 255) ** rng.uniform(0.85, 1.2) * rng.uniform(0.9, 1.1, 3)
    light += rng.uniform(-10, 10, 3) + rng.normal(0, 2, tile.shape)
    shifted = np.roll(light, rng.integers(-1, 2, 2), axis=(0, 1))
    return np.rot90(np.clip(shifted, 0, 255).astype(np.uint8), rng.integers(4))


def test_a_tile_photographed_again_is_found_in_any_turn(painted):
    rng = np.random.default_rng(1)
    twice = (3, 10, 17, 40)
    copies = np.stack([again(painted[tile], rng) for tile in twice])
    found = find_duplicates(np.concatenate([painted, copies]))
    assert found == [(tile, len(painted) + i) for i, tile in enumerate(twice)]


def test_the_tiles_of_a_panel_are_not_each_other(painted):
    assert find_duplicates(painted) == []


def test_plain_tiles_are_not_duplicates():
    rng = np.random.default_rng(2)
    glaze = rng.normal(220, 2, (30, SIZE, SIZE, 3)) + np.linspace(-3, 3, SIZE)[:, None]
    assert find_duplicates(glaze.astype(np.uint8)) == []


def test_tiles_of_one_simple_pattern_are_not_duplicates():
    rng = np.random.default_rng(3)
    stripes = np.where(np.arange(SIZE) // 10 % 2, 60.0, 220.0)[:, None]
    tiles = stripes + rng.normal(0, 4, (30, SIZE, SIZE, 1)) + np.zeros(3)
    assert find_duplicates(np.clip(tiles, 0, 255).astype(np.uint8)) == []


def test_the_same_file_twice_is_found(painted):
    found = find_duplicates(np.concatenate([painted, painted[7:8]]))
    assert found == [(7, len(painted))]


@pytest.mark.parametrize("count", [0, 1])
def test_there_is_nothing_to_compare(painted, count):
    assert find_duplicates(painted[:count]) == []


def test_near_pairs_equal_a_slow_search(painted, monkeypatch):
    """All pairs, all turns, in blocks that do not divide the tiles, with nothing left out."""
    monkeypatch.setattr(duplicates, "BLOCK", 7)
    monkeypatch.setattr(duplicates, "FARTHEST", 1.2)
    monkeypatch.setattr(duplicates, "NEAREST", 1000)
    small = duplicates._small_copies(painted[:20])
    expected = {
        (one, other, quarters)
        for one in range(20)
        for other in range(one + 1, 20)
        for quarters in range(4)
        if np.linalg.norm(small[one] - np.rot90(small[other], -quarters)) <= 1.2
    }
    found = zip(*(values.tolist() for values in duplicates._find_near(small)), strict=True)
    assert len(expected) > 10
    assert set(found) == expected


def test_likeness_equals_a_slow_correlation(painted):
    one, other, quarters = np.array([0, 1]), np.array([4, 5]), np.array([1, 3])
    found = duplicates._compare_strokes(painted, one, other, quarters)
    for i in range(2):
        own = duplicates._strokes(painted[one[i] : one[i] + 1])[0]
        turned = np.rot90(painted[other[i]], -quarters[i])
        theirs = duplicates._strokes(turned[None])[0]
        inner = own[2:-2, 2:-2]
        best = max(
            (inner * moved).sum() / np.sqrt((inner**2).sum() * (moved**2).sum())
            for down in range(-2, 3)
            for right in range(-2, 3)
            if (moved := theirs[2 + down : SIZE - 2 + down, 2 + right : SIZE - 2 + right]).size
        )
        assert found[i] == pytest.approx(best, abs=1e-4)
