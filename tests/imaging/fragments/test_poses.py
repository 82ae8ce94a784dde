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
    found = sorted((round(np.degrees(angle)) % 360, length) for angle, length in
                   straight_sides(triangle().outline))  # fmt: skip
    assert [angle for angle, _ in found] == [90, 180, 315]
    assert [length for _, length in found] == pytest.approx([1, 1, 1.41], abs=0.06)


def test_a_fragment_with_a_corner_lies_in_a_corner_of_the_square():
    fragment = triangle()
    assert fragment.area == pytest.approx(0.5, abs=0.01)
    fixed = [pose for pose in fragment.poses if pose.is_fixed]
    outline = fixed[0].place(fragment.outline)
    assert (outline > -0.02).all()
    assert (outline < 1.02).all()
    corners = [np.abs(outline - corner).sum(axis=1).min() < 0.05 for corner in np.ndindex(2, 2)]
    assert sum(corners) == 3


def test_a_pose_is_turned_about_the_middle_of_the_square():
    pose = Pose(np.eye(2), np.array([0.1, 0.0]), np.array([0.3, 0.0]), 1.0)
    turned = pose.quarter(1)
    # What lay at the upper side, and could move to the right, lies at the right and moves down.
    np.testing.assert_allclose(turned.place(np.array([0.0, 0.0])), [1.0, 0.1], atol=1e-9)
    np.testing.assert_allclose(turned.slack, [0, 0.3], atol=1e-9)
    np.testing.assert_allclose(pose.quarter(4).place(np.eye(2)), pose.place(np.eye(2)))
