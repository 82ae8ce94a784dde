"""Loose parts: what doubtful or mirrored seams connect."""

import numpy as np
import pytest

from azulejar.core.assembly import Assembly
from azulejar.judging.seams import LoosePart, loose_part


@pytest.fixture
def truth():
    """10 rows of 4 tiles, each turned."""
    row, col = np.divmod(np.arange(40), 4)
    return Assembly.of(row, col, np.arange(40) % 4)


def seam_below(truth, row):
    return (truth.row[truth.joints() // 4] > row).sum(axis=1) == 1


@pytest.mark.parametrize(("below", "across", "part"), [(7, 0.4, 8), (7, 0.6, 0), (8, 0.4, 4)])
def test_a_part_that_doubtful_joints_hold_is_loose(truth, below, across, part):
    found = loose_part(truth, truth.joints(), np.where(seam_below(truth, below), across, 0.99))
    assert found == (LoosePart(tuple(range(40 - part, 40))) if part else None)


def test_one_sure_joint_does_not_hold_a_part(truth):
    confidence = np.where(seam_below(truth, 5), 0.2, 0.99)
    confidence[np.flatnonzero(seam_below(truth, 5))[0]] = 0.95
    assert loose_part(truth, truth.joints(), confidence) == LoosePart(tuple(range(24, 40)))


@pytest.mark.parametrize(("below", "likeness", "part"), [(5, 0.8, 16), (5, 0.2, 0), (8, 0.8, 0)])
def test_a_seam_that_mirrors_holds_nothing(truth, below, likeness, part):
    seam = seam_below(truth, below)
    sure = np.full(len(seam), 0.98)
    found = loose_part(truth, truth.joints(), sure, np.where(seam, likeness, 0.1))
    assert found == (LoosePart(tuple(range(24, 40)), mirrored=True) if part else None)


@pytest.mark.parametrize(
    ("below", "across", "best", "part"),
    [(5, 0.7, 0.85, 16), (5, 0.7, 0.95, 0), (8, 0.7, 0.85, 0), (5, 0.95, 0.95, 0)],
)
def test_a_large_part_needs_one_joint_that_is_sure(truth, below, across, best, part):
    seam = seam_below(truth, below)
    confidence = np.where(seam, across, 0.99)
    confidence[np.flatnonzero(seam)[0]] = best
    alike = np.full(len(seam), 0.1)
    found = loose_part(truth, truth.joints(), confidence, alike)
    assert found == (LoosePart(tuple(range(40 - part, 40))) if part else None)


def test_mirroring_takes_away_what_is_sure(truth):
    seam = seam_below(truth, 5)
    confidence = np.where(seam, 0.95, 0.99)
    found = loose_part(truth, truth.joints(), confidence, np.where(seam, 0.36, 0.1))
    assert found == LoosePart(tuple(range(24, 40)), mirrored=True)  # held 0.76


def test_a_part_that_nothing_connects_is_loose(truth):
    torn = Assembly.of(truth.row + 2 * (truth.row > 6), truth.col, truth.turn)
    joints = torn.joints()
    found = loose_part(torn, joints, np.full(len(joints), 0.99))
    assert found == LoosePart(tuple(range(28, 40)))


def test_single_tiles_and_panels_that_are_probably_wrong_have_no_loose_part(truth):
    joints = truth.joints()
    corner = (joints // 4 == 0).any(axis=1)
    assert loose_part(truth, joints, np.where(corner, 0.1, 0.99)) is None
    assert loose_part(truth, joints, np.where(seam_below(truth, 2), 0.1, 0.7)) is None
