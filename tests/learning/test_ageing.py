"""Ageing: seeds, joints that stay where they are, and slow versions of blur and rounding."""

import numpy as np
import pytest
import torch
from scipy.fft import dctn, idctn
from scipy.ndimage import convolve1d

from azulejar.core.edges import edge_strips
from azulejar.learning import ageing
from azulejar.learning.ageing import RawPanels, age_panels
from azulejar.learning.pictures import Panel
from azulejar.learning.real_panels import OWN, RealPanels
from azulejar.learning.views import grid_partners


def of_kind(squares, *, real):
    """Panels of one part each: pictures, or real ones where that is said."""
    made = ~torch.as_tensor(real).expand(len(squares))
    return RawPanels(squares[:, None], drawn=made, loose=made, painted=made)


def aged(raw, grid, strength, chance, **trim):
    return age_panels(raw, grid, torch.full((len(raw.squares),), float(strength)), chance, **trim)


def window(panel, grid, seed, chance, cpu):
    """A window of a real panel on its joints, [1, 3, 640, 640]."""
    return RealPanels([panel], grid, cpu).windows(OWN, 1, chance(seed))[0][None]


def noise_squares(count, seed=0):
    source = torch.Generator().manual_seed(seed)
    return torch.randint(0, 256, (count, 3, 640, 640), generator=source, dtype=torch.uint8)


@pytest.mark.parametrize("strength", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("grid", [3, 5])
def test_tiles_of_the_right_shape_and_range(chance, grid, strength):
    squares = noise_squares(3)
    real = torch.tensor([True, False, False])
    tiles = aged(of_kind(squares, real=real), grid, strength, chance())
    assert tiles.shape == (3, grid * grid, 3, 50, 50)
    assert tiles.dtype == torch.float32
    assert tiles.min() >= 0
    assert tiles.max() <= 1
    assert (tiles.std((2, 3, 4)) > 0).all()


@pytest.mark.parametrize("real", [True, False], ids=["real", "made"])
def test_the_seed_decides(chance, real):
    squares = noise_squares(1)
    first, again, other = (aged(of_kind(squares, real=real), 3, 1.0, chance(s)) for s in (1, 1, 2))
    assert torch.equal(first, again)
    assert (first - other).abs().mean() > 0.01


def test_every_panel_of_a_batch_has_its_own_wear(chance):
    squares = noise_squares(1).expand(2, -1, -1, -1)
    tiles = aged(of_kind(squares, real=False), 3, 1.0, chance())
    assert (tiles[0] - tiles[1]).abs().mean() > 0.01


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("grid", [8, 4])
def test_without_wear_the_joints_of_a_real_panel_stay_continuous(
    chance, smooth_panel, cpu, grid, seed
):
    """Whichever way the panel is turned or mirrored, the true partner continues an edge best."""
    windows = window(smooth_panel(grid + 2, grid + 2), grid, seed, chance, cpu)
    tiles = aged(of_kind(windows, real=True), grid, 0.0, chance(seed), trim=(0.0, 0.0))[0]
    lines = edge_strips(tiles.permute(0, 2, 3, 1).numpy(), 1)[:, 0]
    partners = grid_partners(grid, grid).numpy()
    for edge in np.flatnonzero(partners >= 0):
        error = ((lines[edge] - lines[:, ::-1]) ** 2).mean((1, 2))
        error[edge // 4 * 4 : edge // 4 * 4 + 4] = np.inf
        assert error.argmin() == partners[edge]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("grid", [8, 4, 6])
def test_without_wear_a_real_tile_shows_nothing_of_its_neighbours(chance, cpu, grid, seed):
    """Every cell has a colour of its own; each aged tile must be of one colour, all different."""
    source = np.random.default_rng(seed)
    colours = source.permutation(256)[: (grid + 1) ** 2].reshape(grid + 1, grid + 1)
    cells = np.empty((grid + 1, grid + 1, 3, 64, 64), np.uint8)
    cells[...] = np.stack([colours, 255 - colours, colours // 2], 2)[..., None, None]
    windows = window(Panel("chequers", cells), grid, seed, chance, cpu)
    tiles = aged(of_kind(windows, real=True), grid, 0.0, chance(seed)).flatten(0, 1)
    spread = tiles.amax((2, 3)) - tiles.amin((2, 3))
    assert spread.max() < 0.003
    red = (tiles[:, 0].mean((1, 2)) * 255).round().int().tolist()
    assert len(set(red)) == grid * grid
    assert set(red) <= set(colours.flatten().tolist())


def test_pictures_are_painted_and_real_panels_are_not(chance):
    """A red square stays red only if it is a real panel's."""
    red = torch.zeros(16, 3, 640, 640, dtype=torch.uint8)
    red[:, 0] = 200
    real = torch.arange(16) < 8
    tiles = aged(of_kind(red, real=real), 2, 0.0, chance())
    hue = tiles.mean((1, 3, 4))
    wanted = torch.tensor([200 / 255, 0, 0])
    np.testing.assert_allclose(hue[:8], wanted.expand(8, 3), atol=0.005)
    assert ((hue[8:] - wanted).abs().sum(1) > 0.3).sum() >= 4


def test_strength_scales_the_wear(chance, cpu, smooth_panel):
    windows = window(smooth_panel(6, 6), 4, 0, chance, cpu).expand(12, -1, -1, -1)
    gentle, half, full = (
        aged(of_kind(windows, real=True), 4, strength, chance(1)) for strength in (0, 0.4, 1)
    )
    assert 0.005 < (gentle - half).abs().mean() < (gentle - full).abs().mean()


def test_each_panel_is_worn_by_its_own_strength(chance, cpu, smooth_panel):
    windows = window(smooth_panel(6, 6), 4, 0, chance, cpu).expand(2, -1, -1, -1)
    raw = of_kind(windows, real=True)
    none, first = (
        age_panels(raw, 4, torch.tensor(strength), chance(1))
        for strength in ([0.0, 0.0], [1.0, 0.0])
    )
    assert torch.equal(none[1], first[1])
    assert (none[0] - first[0]).abs().mean() > 0.005


def test_the_parts_of_a_panel_share_its_colours_and_follow_one_another(chance):
    """Two white parts and a black one, given colours, differ as the squares do."""
    squares = torch.zeros(4, 3, 3, 640, 640, dtype=torch.uint8)
    squares[:, :2] = 255
    yes, no = torch.ones(4, dtype=torch.bool), torch.zeros(4, dtype=torch.bool)
    tiles = age_panels(RawPanels(squares, no, no, yes), 2, torch.zeros(4), chance())
    assert tiles.shape == (4, 3 * 4, 3, 50, 50)
    colour = tiles.mean((3, 4))
    np.testing.assert_allclose(colour[:, :8], colour[:, :1].expand(4, 8, 3), atol=0.005)
    assert ((colour[:, 8:] - colour[:, :1]).abs().amax(2) > 0.1).all()


def test_blur_equals_a_convolution(chance):
    tiles = chance().unit(4, 3, 50, 50)
    sigma = torch.tensor([0.0, 0.3, 0.8, 1.25])
    blurred = ageing._blur(tiles, sigma).numpy()
    for tile, width, found in zip(tiles.numpy(), sigma.tolist(), blurred, strict=True):
        weights = np.exp(-(np.arange(-2, 3) ** 2) / (2 * width**2 + 1e-4))
        weights /= weights.sum()
        expected = convolve1d(tile.astype(float), weights, axis=1, mode="nearest")
        expected = convolve1d(expected, weights, axis=2, mode="nearest")
        np.testing.assert_allclose(found, expected, atol=1e-5)
    np.testing.assert_allclose(blurred[0], tiles[0], atol=1e-6)


def test_rounding_equals_a_loop_over_blocks(chance):
    tiles = chance().unit(3, 3, 50, 50).double()
    steps = [0.001, 0.02, 0.2]
    found = ageing._quantize(tiles.float(), torch.tensor(steps).view(-1, 1, 1, 1)).numpy()
    for tile, step, rounded in zip(tiles.numpy(), steps, found, strict=True):
        wide = np.pad(tile, ((0, 0), (3, 3), (3, 3)), mode="edge")
        u, v = np.mgrid[:8, :8]
        coarseness = step * (1 + 0.6 * (u + v))
        for channel in wide:
            for top in range(0, 56, 8):
                for left in range(0, 56, 8):
                    block = channel[top : top + 8, left : left + 8]
                    detail = np.round(dctn(block, norm="ortho") / coarseness) * coarseness
                    channel[top : top + 8, left : left + 8] = idctn(detail, norm="ortho")
        difference = np.abs(rounded - wide[:, 3:-3, 3:-3])
        # A coefficient that lies halfway may be rounded the other way in single precision.
        assert np.quantile(difference, 0.97) < 1e-4
        assert difference.max() < 3 * step


def test_chance_comes_from_its_seed_alone(chance):
    first, again = chance(4), chance(4)
    torch.manual_seed(0)
    values = first.unit(5), first.normal(3), first.below(7, 50), first.uniform(2, 3, 50)
    torch.manual_seed(1)
    same = again.unit(5), again.normal(3), again.below(7, 50), again.uniform(2, 3, 50)
    assert all(map(torch.equal, values, same))
    assert set(values[2].tolist()) == set(range(7))
    assert values[3].min() >= 2
    assert values[3].max() <= 3


def levels(level, panels=1):
    return torch.full((panels,), float(level))


def grid_of_pixels(panels, tiles, trim):
    """Where the pixels of trimmed tiles lie, x and y, each [panels, tiles, 50, 50]."""
    along = (torch.arange(50) + 0.5) / 50 * (1 - 2 * trim) + trim - 0.5
    x = along.expand(panels, tiles, 50, 50)
    return x, x.transpose(2, 3)


def test_level_0_of_light_changes_nothing(chance):
    tiles = torch.rand(6, 3, 50, 50, generator=torch.Generator().manual_seed(0))
    lit = ageing._light_separately(tiles, levels(0, 2), chance())
    assert torch.allclose(lit, tiles, atol=1e-6)
    x, y = grid_of_pixels(2, 3, 0.05)
    moved = ageing._jitter_crop(x, y, levels(0, 2), chance())
    assert torch.allclose(moved[0], x)
    assert torch.allclose(moved[1], y)


@pytest.mark.parametrize("level", [0.5, 1.0])
def test_each_tile_has_gain_and_tint_of_its_own_within_the_level(chance, level):
    """Measured on the lightness of plain tiles: ±18 % for all channels, ±8 % for each."""
    tiles = torch.full((600, 3, 50, 50), 0.5)
    lit = ageing._light_separately(tiles, levels(level, 60), chance())
    gain = lit.mean((2, 3)) / 0.5
    largest = (1 + 0.18 * level) * (1 + 0.08 * level)
    assert gain.max() < largest + 0.005
    assert gain.min() > 2 - largest - 0.005
    common = gain.mean(1)
    tint = (gain / common[:, None] - 1).abs()
    assert 0.14 * level < (common - 1).abs().max()
    assert 0.08 * level < tint.max() < 0.11 * level
    # Of two neighbours, either can be the bluer one.
    bluer = gain[:, 2] > gain[:, 0]
    assert bluer.float().mean().item() == pytest.approx(0.5, abs=0.1)


def test_light_falls_off_across_a_tile_by_15_percent_at_most(chance):
    tiles = torch.full((600, 3, 50, 50), 0.5)
    lit = ageing._light_separately(tiles, levels(1, 60), chance())
    # Borders are a column of 50 from the middle; noise is averaged away along it.
    right, left = lit[:, :, :, -1].mean((1, 2)), lit[:, :, :, 0].mean((1, 2))
    slope = (right - left) / (right + left)
    assert 0.12 < slope.abs().max() < 0.16
    assert slope.mean().abs() < 0.01


def test_light_comes_with_noise_and_blur(chance):
    plain = torch.full((200, 3, 50, 50), 0.5)
    noise = ageing._light_separately(plain, levels(1, 20), chance())
    inside = noise[:, :, 1:-1, 1:-1]
    rough = (inside[..., 1:] - inside[..., :-1]).std((1, 2, 3)) / 2**0.5
    assert rough.max() < 0.022
    assert rough.max() > 0.012
    stripes = plain.clone()
    stripes[..., ::2] = 0.1
    flatter = ageing._light_separately(stripes, levels(1, 20), chance()).std(3).mean((1, 2))
    assert flatter.min() < 0.6 * stripes.std()


def test_tiles_are_cropped_and_turned_within_the_level_and_end_at_their_rim(chance):
    x, y = grid_of_pixels(40, 5, 0.05)
    moved_x, moved_y = ageing._jitter_crop(x, y, levels(1, 40), chance())
    shift = moved_x.mean((2, 3))
    assert 0.018 < shift.abs().max() <= 0.0251
    steps = moved_x[:, :, 20:30, 26] - moved_x[:, :, 20:30, 25]
    scale = steps.mean(2) / (x[0, 0, 0, 1] - x[0, 0, 0, 0])
    assert 0.018 < (scale - 1).abs().max() < 0.026
    rise = moved_y[:, :, 25, 30] - moved_y[:, :, 25, 20]
    run = moved_x[:, :, 25, 30] - moved_x[:, :, 25, 20]
    turn = torch.rad2deg(torch.atan2(rise, run)).abs().max()
    assert 1.1 < turn < 1.51
    far_x, far_y = ageing._jitter_crop(*grid_of_pixels(40, 5, 0.0), levels(1, 40), chance())
    assert far_x.abs().max() <= 0.5
    assert far_y.abs().max() <= 0.5


def test_light_is_each_panel_s_own(chance):
    grey = of_kind(torch.full((2, 3, 640, 640), 128, dtype=torch.uint8), real=True)
    light = torch.tensor([0.0, 1.0])
    tiles = age_panels(grey, 4, torch.zeros(2), chance(), light=light)
    assert tiles.shape == (2, 16, 3, 50, 50)
    mean = tiles.mean((3, 4))
    red_to_blue = (mean[:, :, 0] / mean[:, :, 2]).log().std(1)
    assert red_to_blue[0] < 0.002
    assert 0.02 < red_to_blue[1] < 0.12
    assert torch.equal(age_panels(grey, 4, torch.zeros(2), chance(), light=light), tiles)
