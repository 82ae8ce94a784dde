"""Rendered photographs: their truth is where the tiles are seen."""

import numpy as np
import pytest

from azulejar.imaging.photographs.chart import find_chart
from azulejar.imaging.photographs.geometry import no_lens
from azulejar.imaging.photographs.quads import overlap_area, straighten
from azulejar.practice.painting import paint_panel
from azulejar.practice.puzzles import cut
from azulejar.practice.scenes import SCENES, render_scene
from azulejar.practice.scenes.arrangements import lay_grid, lay_rows, lay_scattered
from azulejar.practice.scenes.camera import distort


@pytest.fixture(scope="module")
def painted():
    """Twenty tiles of a painted panel."""
    return cut(paint_panel(4, 5, tile=96), 4, 5)


def likeness(one, other):
    return np.corrcoef(one.astype(float).ravel(), other.astype(float).ravel())[0, 1]


@pytest.mark.parametrize("kind", ["wood", "scanner", "single"])
def test_a_tile_is_seen_where_the_truth_says(painted, kind):
    rendered = render_scene(SCENES[kind], painted[7:8], (400, 600), 3)
    corners = rendered.corners[0]
    seen = straighten(rendered.picture, corners, no_lens((400, 600)), 96)
    assert likeness(seen, painted[7]) > 0.85
    moved = straighten(rendered.picture, corners + 0.2 * np.ptp(corners), no_lens((400, 600)), 96)
    assert likeness(moved, painted[7]) < 0.7


def test_the_same_seed_gives_the_same_photograph(painted):
    first, again, other = (
        render_scene(SCENES["paper"], painted[:2], (200, 300), seed) for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first.picture, again.picture)
    assert not np.array_equal(first.picture, other.picture)


def test_a_lamp_tints_the_photograph(painted):
    plain, blue = (
        render_scene(SCENES["wood"], painted[:2], (200, 300), 1, lamp=lamp).picture.astype(float)
        for lamp in ((1, 1, 1), (0.5, 0.5, 1))
    )
    ratio = blue.mean(axis=(0, 1)) / plain.mean(axis=(0, 1))
    np.testing.assert_allclose(ratio, [0.5, 0.5, 1], atol=0.03)


def test_a_chart_lies_beside_the_tiles(painted):
    rendered = render_scene(SCENES["light cloth"], painted[:6], (600, 900), 3, chart=True)
    chart = find_chart(rendered.picture)
    assert chart is not None
    assert not any(overlap_area(chart.corners, quad) for quad in rendered.corners)


def test_an_empty_scene_has_no_tiles(painted):
    assert render_scene(SCENES["empty"], painted[:0], (200, 300), 0).corners.shape == (0, 4, 2)


@pytest.mark.parametrize("arrange", [lay_scattered, lay_grid, lay_rows])
@pytest.mark.parametrize("count", [6, 17])
def test_no_tile_lies_on_another(arrange, count):
    lying = arrange(count, np.random.default_rng(5))
    assert len(lying) == count
    inside = np.random.default_rng(0).uniform(-0.49, 0.49, (200, 2))
    for each in lying:
        cos, sin = np.cos(each.angle), np.sin(each.angle)
        places = each.middle + inside * 0.98 @ np.array([[cos, sin], [-sin, cos]])
        for other in lying:
            if other is not each:
                cos, sin = np.cos(other.angle), np.sin(other.angle)
                local = (places - other.middle) @ np.array([[cos, -sin], [sin, cos]])
                assert not (np.abs(local) < 0.49 * other.side).all(axis=1).any()


def test_a_lens_bends_towards_what_it_undoes():
    points = np.array([[0.0, 0.0], [399, 10], [200, 150]])
    bent = distort(points, (300, 400), 0.05)
    away = bent - [199.5, 149.5]
    radius = np.hypot(199.5, 149.5)
    straight = away * (1 + 0.05 * (away**2).sum(axis=1, keepdims=True) / radius**2)
    np.testing.assert_allclose(straight, points - [199.5, 149.5], atol=1e-6)
