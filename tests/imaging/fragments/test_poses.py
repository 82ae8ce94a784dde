"""Where in its tile a fragment may have been."""

import numpy as np
import pytest

from azulejar.imaging.fragments.poses import Fragment, Pose, straight_sides


def triangle(side=100):
    """The lower left half of a tile."""
    picture = np.zeros((side + 20, side + 20, 4), np.uint8)
    picture[10:-10, 10:-10, 3] = 255 * np.tri(side)
    return Fragment("a.png", picture, side)


def test_sides_are_straight_and_nothing_lies_beyond_them():
    found = sorted((round(np.degrees(side.normal)) % 360, side.length) for side in
                   straight_sides(triangle().outline))  # fmt: skip
    assert [angle for angle, _ in found] == [90, 180, 315]
    assert [length for _, length in found] == pytest.approx([1, 1, 1.41], abs=0.06)


def test_a_straight_break_at_no_right_angle_is_none_of_the_sides():
    fragment = triangle()
    assert fragment.area == pytest.approx(0.5, abs=0.01)
    assert sorted(round(np.degrees(side.normal)) % 360 for side in fragment.sides) == [90, 180]
    on_break = fragment.break_weights > 0.5
    assert on_break.sum() * 0.01 == pytest.approx(1.41, abs=0.1)


def test_distances_are_negative_within_and_known_around_a_fragment():
    places = np.array([[0.35, 0.85], [0.05, 0.6], [0.6, 0.6]])
    within, left, beyond = triangle().field.at(places)
    assert within == pytest.approx(-0.25, abs=0.02)
    assert left == pytest.approx(0.05, abs=0.01)
    assert beyond == pytest.approx(0.0, abs=0.02)


def test_a_pose_is_undone_by_its_inverse():
    pose = Pose(np.array([[0.0, 1.0], [-1.0, 0.0]]), np.array([0.1, 0.3]))
    points = np.array([[0.2, 0.4], [0.9, 0.1]])
    np.testing.assert_allclose(pose.inverse().place(pose.place(points)), points)
    np.testing.assert_allclose(pose.then(pose.inverse()).place(points), points, atol=1e-12)
