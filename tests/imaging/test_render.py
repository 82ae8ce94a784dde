"""The picture of an assembly, with holes, several panels and full pictures."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

from azulejar.core.assembly import Assembly
from azulejar.core.tiles import TileSet
from azulejar.errors import AzulejarError
from azulejar.imaging import render as module
from azulejar.imaging.folder import load_tiles
from azulejar.imaging.layout import Box, Layout
from azulejar.imaging.render import HATCHING, MORTAR, render, render_bands, render_whole

SIDE = 8


def plain(*greys: int) -> TileSet:
    pixels = np.stack([np.full((SIDE, SIDE, 3), grey, np.uint8) for grey in greys])
    return TileSet(pixels, tuple(f"{i}.png" for i in range(len(greys))))


def places(picture: NDArray[np.uint8], size: int = SIDE) -> list[list[list[int]]]:
    """The grey values found at each place of the panel."""
    rows, cols = picture.shape[0] // size, picture.shape[1] // size
    return [
        [
            np.unique(picture[r * size : (r + 1) * size, c * size : (c + 1) * size]).tolist()
            for c in range(cols)
        ]
        for r in range(rows)
    ]


def test_turns_are_clockwise() -> None:
    tile = np.zeros((1, SIDE, SIDE, 3), np.uint8)
    tile[0, 0] = 255  # side 0, the top, is white
    for turn in range(4):
        picture = render(TileSet(tile, ("a.png",)), Assembly.of([0], [0], [turn]))
        lines = [picture[0], picture[:, -1], picture[-1], picture[:, 0]]
        assert [bool((line == 255).all()) for line in lines] == [d == turn for d in range(4)]


def test_holes_are_hatched_and_unplaced_tiles_left_out() -> None:
    assembly = Assembly.of([0, 1, 0], [0, 1, 5], [0, 0, 0], [0, 0, -1])
    hole = sorted(HATCHING)
    assert places(render(plain(10, 20, 30), assembly)) == [[[10], hole], [hole, [20]]]


def test_panels_lie_side_by_side_with_a_white_gap() -> None:
    assembly = Assembly.of([0, 1, 0], [0, 0, 0], [0, 0, 0], [0, 0, 2])
    picture = render(plain(10, 20, 30), assembly)
    assert picture.shape == (2 * SIDE, 2 * SIDE + SIDE // 2, 3)
    assert (picture[:SIDE, :SIDE] == 10).all()
    assert (picture[SIDE:, :SIDE] == 20).all()
    assert (picture[:, SIDE : SIDE + SIDE // 2] == 255).all()
    assert (picture[:SIDE, -SIDE:] == 30).all()
    assert (picture[SIDE:, -SIDE:] == 255).all()


def test_nothing_placed_is_an_error() -> None:
    with pytest.raises(AzulejarError, match="No tile of this assembly is placed"):
        render(plain(10), Assembly.of([0], [0], [0], [-1]))


@pytest.mark.parametrize("size", [0, -3, 20_000])
def test_impossible_sizes(size: int) -> None:
    with pytest.raises(AzulejarError, match=f"tiles of {size} px cannot be drawn"):
        render(plain(10), Assembly.of([0], [0], [0]), size)


def test_a_given_size_is_obeyed() -> None:
    picture = render(plain(10, 20), Assembly.of([0, 0], [0, 1], [0, 0]), 5)
    assert places(picture, 5) == [[[10], [20]]]


def test_full_pictures_are_read_again(tmp_path: Path) -> None:
    originals = np.random.default_rng(0).integers(0, 256, (2, 200, 200, 3), dtype=np.uint8)
    for i, original in enumerate(originals):
        Image.fromarray(original).save(tmp_path / f"{i}.png")
    tiles = load_tiles(tmp_path)
    assert tiles.size == 64
    side_by_side = Assembly.of([0, 0], [0, 1], [0, 1])
    expected = np.concatenate([originals[0], np.rot90(originals[1], -1)], axis=1)
    np.testing.assert_array_equal(render(tiles, side_by_side), expected)
    working = np.concatenate([tiles.pixels[0], np.rot90(tiles.pixels[1], -1)], axis=1)
    np.testing.assert_array_equal(render(tiles, side_by_side, 64), working)


def test_a_long_panel_is_reduced_to_8000_px() -> None:
    n = 2500
    tiles = plain(*([99] * n))
    picture = render(tiles, Assembly.of(np.arange(n), np.zeros(n), np.zeros(n)))
    assert picture.shape == (7500, 3, 3)
    assert (picture == 99).all()


def test_what_is_too_large_for_one_piece() -> None:
    with pytest.raises(AzulejarError, match="tiles of 7000 px cannot be drawn in one piece"):
        render(plain(10, 20, 30, 40), Assembly.of([0, 0, 1, 1], [0, 1, 0, 1], [0] * 4), 7000)


def numbered(tile: int, size: int) -> NDArray[np.uint8]:
    """A tile of which no two turns look the same."""
    ramp = np.arange(size * size, dtype=np.uint8).reshape(size, size, 1)
    return np.repeat(ramp + np.uint8(7 * tile), 3, axis=2)


def slowly_drawn(assembly: Assembly, layout: Layout) -> NDArray[np.uint8]:
    """Place by place on one canvas."""
    canvas = np.full((layout.height, layout.width, 3), 255, np.uint8)
    size, joint = layout.size, layout.joint
    pitch = size + joint
    for box, left in zip(layout.boxes, layout.lefts, strict=True):
        area = canvas[: box.rows * pitch - joint, left : left + box.cols * pitch - joint]
        if not box.pile:
            area[:] = MORTAR
            for r, c in np.ndindex(box.rows, box.cols):
                for y, x in np.ndindex(size, size):
                    area[r * pitch + y, c * pitch + x] = HATCHING[(x + y) * 8 // size % 2]
        for tile in np.flatnonzero(assembly.panel == box.panel).tolist():
            y, x = assembly.row[tile] * pitch, assembly.col[tile] * pitch
            turned = np.rot90(numbered(tile, size), -assembly.turn[tile])
            area[y : y + size, x : x + size] = turned
    return canvas


@given(data=st.data(), size=st.integers(1, 9), joints=st.booleans(), pile=st.booleans())
def test_bands_of_any_height_make_the_same_picture(
    data: st.DataObject, size: int, joints: bool, pile: bool
) -> None:
    boxes = (Box(0, 2, 3, pile), Box(2, 3, 2))
    free = [(box.panel, r, c) for box in boxes for r, c in np.ndindex(box.rows, box.cols)]
    places = data.draw(st.lists(st.sampled_from(free), min_size=1, unique=True))
    panel, row, col = np.array([*places, (1, 0, 0)]).T  # the last lies in a panel not drawn
    assembly = Assembly(row, col, np.arange(len(row)) % 4, panel)
    layout = Layout.of(boxes, size, joints=joints)
    highest = data.draw(st.integers(1, 12))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BAND_BYTES", 3 * layout.width * highest)
        found = list(render_bands(numbered, assembly, layout))
        np.testing.assert_array_equal(
            render_whole(numbered, assembly, layout), slowly_drawn(assembly, layout)
        )
    assert max(map(len, found)) <= highest
    np.testing.assert_array_equal(np.concatenate(found), slowly_drawn(assembly, layout))


def test_half_tiles_are_drawn_as_such() -> None:
    """A half that is turned to lie above a whole tile, in a corner of a place that is empty."""
    tiles = replace(plain(10, 20), halved=np.array([[False, True], [False, False]]))
    picture = render(tiles, Assembly.of([0, 1], [0, 0], [1, 0], size=(2, 2)), 8)
    assert picture.shape == (12, 16, 3)
    assert [len(np.unique(picture[:4, :8])), picture[0, 0, 0]] == [1, 10]
    assert (picture[4:, :8] == 20).all()


def test_places_at_the_rim_are_hatched() -> None:
    picture = render(plain(10), Assembly.of([1], [0], [0], size=(2, 2)))
    hole = sorted(HATCHING)
    assert places(picture) == [[hole, hole], [[10], hole]]
