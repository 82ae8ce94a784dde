"""Real panels: windows on the joints, beside them, and without them."""

import numpy as np
import pytest
import torch

from azulejar.learning.pictures import Panel
from azulejar.learning.real_panels import FREE, OWN, SHIFTED, RealPanels

KINDS = OWN, SHIFTED, FREE


def slow_window(panel, top, left, grid):
    """Window of grid × grid cells and one more all around, pixel by pixel; the rim mirrors.

    ``top`` and ``left`` in pixels of the panel.
    """
    height, width = 64 * panel.rows, 64 * panel.cols
    side = 64 * (grid + 2)

    def inside(place, length):
        return -1 - place if place < 0 else 2 * length - 1 - place if place >= length else place

    rows = [inside(top - 64 + y, height) for y in range(side)]
    cols = [inside(left - 64 + x, width) for x in range(side)]
    picture = np.concatenate([np.concatenate(list(row), 2) for row in panel.cells], 1)
    return picture[:, rows][:, :, cols]


def place_of(window, panel):
    """Top and left of a window of 8 × 8 noisy cells in its panel, in pixels."""
    picture = np.concatenate([np.concatenate(list(row), 2) for row in panel.cells], 1)
    spot = window[:, 64:68, 64:68].numpy()
    found = [
        (y, x)
        for y, x in np.argwhere(picture[0] == spot[0, 0, 0])
        if np.array_equal(picture[:, y : y + 4, x : x + 4], spot)
    ]
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize("kind", [OWN, SHIFTED])
@pytest.mark.parametrize("seed", range(3))
def test_windows_are_grid_by_grid_tiles_with_a_mirrored_margin(
    noise_panel, chance, cpu, kind, seed
):
    panel = noise_panel(9, 10)
    (window,) = RealPanels([panel], 8, cpu).windows(kind, 4, chance(seed))
    assert window.dtype == torch.uint8
    top, left = place_of(window, panel)
    np.testing.assert_array_equal(window, slow_window(panel, top, left, 8))
    if kind == OWN:
        assert top % 64 == left % 64 == 0


def test_shifted_windows_lie_anywhere(noise_panel, chance, cpu):
    panel = noise_panel(10, 11)
    panels, source = RealPanels([panel], 8, cpu), chance()
    places = [place_of(panels.windows(SHIFTED, 1, source)[0], panel) for _ in range(6)]
    assert len({(y % 64, x % 64) for y, x in places}) == 6


@pytest.mark.parametrize("kind", [OWN, SHIFTED])
@pytest.mark.parametrize(("rows", "cols"), [(8, 18), (19, 9)])
@pytest.mark.parametrize("seed", range(3))
def test_two_windows_of_one_panel_have_no_tile_in_common(
    noise_panel, chance, cpu, kind, rows, cols, seed
):
    panel = noise_panel(rows, cols)
    first, second = RealPanels([panel], 8, cpu).windows(kind, 4, chance(seed))
    (top, left), (other_top, other_left) = place_of(first, panel), place_of(second, panel)
    assert max(abs(top - other_top), abs(left - other_left)) >= 8 * 64


@pytest.mark.parametrize("kind", KINDS)
def test_no_panel_is_taken_twice_and_no_more_than_wanted(chance, cpu, kind):
    """Every panel has a colour of its own."""
    cells = np.ones((9, 9, 3, 64, 64), np.uint8)
    panels = RealPanels([Panel(str(c), c * cells) for c in range(1, 7)], 8, cpu)
    for most, expected in ((1, 1), (3, 3), (6, 6), (9, 6)):
        windows = panels.windows(kind, most, chance(most))
        assert len(windows) == expected
        assert all(window.shape == (3, 640, 640) for window in windows)
        assert len({int(window.max()) for window in windows}) == expected


@pytest.mark.parametrize("kind", KINDS)
def test_the_seed_decides(noise_panel, chance, cpu, kind):
    panels = RealPanels([noise_panel(10, 10)], 8, cpu)
    first, again, other = (panels.windows(kind, 1, chance(seed))[0] for seed in (0, 0, 5))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


def test_panels_too_small_are_enlarged_to_serve_as_pictures_or_left_out(noise_panel, chance, cpu):
    panels = RealPanels([noise_panel(6, 9), noise_panel(5, 9)], 8, cpu)
    assert len(panels.pictures(OWN)) == len(panels.pictures(SHIFTED)) == 0
    (enlarged,) = panels.pictures(FREE)
    assert enlarged.shape == (3, 10 * 64, 14 * 64)
    assert panels.windows(OWN, 2, chance()) == []
    assert len(panels.windows(FREE, 2, chance())) == 1
    assert RealPanels([], 8, cpu).windows(FREE, 2, chance()) == []


def test_free_windows_show_no_joints(chance, cpu):
    """Grey cells with black rims of two pixels, as joints are, come out grey."""
    cells = np.full((9, 10, 3, 64, 64), 150, np.uint8)
    for rim in (slice(None, 2), slice(-2, None)):
        cells[..., rim, :] = cells[..., :, rim] = 0
    cells[0, :, :, :2] = cells[-1, :, :, -2:] = 150
    cells[:, 0, ..., :2] = cells[:, -1, ..., -2:] = 150
    panels = RealPanels([Panel("jointed", cells)], 8, cpu)
    for seed in range(3):
        assert (panels.windows(FREE, 1, chance(seed))[0] == 150).all()
        assert (panels.windows(OWN, 1, chance(seed))[0] == 0).any()


def test_free_windows_have_many_scales(smooth_panel, chance, cpu):
    """The finer a window shows the waves, the larger the piece that was cut."""
    panels, source = RealPanels([smooth_panel(14, 14)], 8, cpu), chance()
    windows = [panels.windows(FREE, 1, source)[0].float() for _ in range(8)]
    steps = [window.diff(dim=2).abs().mean().item() for window in windows]
    assert max(steps) > 1.1 * min(steps)


def test_windows_of_other_grids_are_brought_to_the_same_size(chance, cpu):
    """Flat cells keep their colours; the margin shows the nearest cells again."""
    colours = np.random.default_rng(0).integers(0, 256, (3, 3, 3), dtype=np.uint8)
    panel = Panel("flat", np.ascontiguousarray(np.broadcast_to(
        colours[..., None, None], (3, 3, 3, 64, 64))))  # fmt: skip
    (window,) = RealPanels([panel], 3, cpu).windows(OWN, 1, chance())
    assert window.shape == (3, 640, 640)
    middles = window[:, 64::128, 64::128].permute(1, 2, 0)
    nearest = [0, 0, 1, 2, 2]
    np.testing.assert_array_equal(middles, colours[nearest][:, nearest])
