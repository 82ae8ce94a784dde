"""The line of a side, by the vote of all that lies along it."""

import numpy as np
import pytest

from azulejar.imaging.photographs.background import learn_background, to_lab
from azulejar.imaging.photographs.sides import (
    FULL_VOTE,
    NO_TABLE,
    crossing,
    straight_line,
    trace,
    vote_lines,
)
from azulejar.imaging.photographs.strips import Pyramid, TablePhoto, read_strip


@pytest.fixture(scope="module")
def view():
    """A blue square from (60.3, 60.3) to (180.3, 180.3) on a grey table, with noise."""
    axis = np.arange(240)
    inside = np.clip(axis - 60.3 + 0.5, 0, 1) * np.clip(180.3 - axis + 0.5, 0, 1)
    cover = (inside * inside[:, None])[..., None]
    picture = 150 * (1 - cover) + np.array([40, 60, 160]) * cover
    picture += np.random.default_rng(0).normal(0, 2, picture.shape)
    picture = np.clip(picture.round(), 0, 255).astype(np.uint8)
    return TablePhoto(Pyramid.of(picture), learn_background(to_lab(picture), 1.0), 2.0)


@pytest.fixture(scope="module")
def strip(view):
    """Across its upper side, expected too low and askew."""
    return read_strip(view, 0, np.array([62.0, 64.0]), np.array([182.0, 62.0]), 8.0)


def test_the_edge_is_found_to_a_part_of_a_pixel(strip):
    side = trace(strip, vote_lines(strip, 2.0)[0], 2.0)
    assert side.support == 1
    assert np.abs(side.points[:, 1] - 60.3).mean() < 0.25
    line = straight_line(side.points, side.seen)
    assert abs(line[2] / line[1] - 60.3) < 0.2


def test_the_best_line_is_that_of_a_slow_search(strip):
    votes = np.minimum(strip.contrast / (FULL_VOTE * 2.0), 1.0) * (
        NO_TABLE + (1 - NO_TABLE) * strip.table
    )
    count, width = votes.shape
    best = 0.0
    for first in range(width):
        for last in range(width):
            total = 0.0
            for k in range(count):
                total += votes[k, round(first + (last - first) * k / (count - 1))]
            best = max(best, total / count)
    assert vote_lines(strip, 2.0)[0].vote == pytest.approx(best, abs=0.02)


def test_lines_keep_apart_and_come_best_first(strip):
    lines = vote_lines(strip, 2.0)
    assert [line.vote for line in lines] == sorted((line.vote for line in lines), reverse=True)
    middles = sorted(line.first + line.last for line in lines)
    assert np.diff(middles).min() > 1


def test_bare_table_shows_no_edge(view):
    strip = read_strip(view, 0, np.array([10.0, 20.0]), np.array([130.0, 22.0]), 5.0)
    assert trace(strip, vote_lines(strip, 2.0)[0], 2.0).support < 0.2


def test_strays_do_not_turn_a_line():
    points = np.column_stack([np.arange(40.0), np.full(40, 7.0)])
    points[:8, 1] += 5
    line = straight_line(points, np.ones(40, bool))
    np.testing.assert_allclose(np.abs(line), [0, 1, 7], atol=0.05)


def test_lines_cross_where_they_meet():
    np.testing.assert_allclose(crossing(np.array([1.0, 0, 3]), np.array([0.0, 1, 4])), [3, 4])
    parallel = crossing(np.array([1.0, 0, 3]), np.array([1.0, 0, 4]))
    assert (np.abs(parallel) > 1e6).all()
