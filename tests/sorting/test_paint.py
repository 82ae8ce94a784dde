"""Paint: tiles and groups of two pigments keep less of the links between them."""

import numpy as np
import pytest

from azulejar.core.joints import Joints
from azulejar.sorting import paint as module
from azulejar.sorting.paint import LOWEST, PaintEvidence

PANEL = np.repeat([0, 1], 20)


def palettes(hues):
    """Tiles whose paint is near one of a few hues, -1 for none."""
    table = np.concatenate([np.eye(3), [[0, 0, 0]]])[hues] + 0.2 * (np.asarray(hues) >= 0)[:, None]
    return (table / np.maximum(np.linalg.norm(table, axis=1, keepdims=True), 1)).astype(np.float32)


def factor(hues, group, one=0, other=1):
    paint = PaintEvidence(palettes(hues))
    return float(paint.factors(group, np.array([one]), np.array([other]))[0])


def test_groups_of_two_pigments_keep_little_of_their_links():
    assert factor(PANEL, PANEL) == pytest.approx(LOWEST)
    assert factor(np.zeros(40, int), PANEL) == 1
    assert factor(np.arange(40) % 2, PANEL) == 1  # both have both


def test_groups_of_few_painted_tiles_say_nothing():
    bare = np.where(np.arange(40) % 20 < 11, PANEL, -1)
    assert factor(bare, PANEL) == 1
    few = np.where(np.arange(40) < 31, 0, 1)
    assert factor(PANEL, few) == 1


def chain(n):
    """Sure joints of n tiles in a row: each one's edge 1 meets edge 3 of the next."""
    other = np.full(4 * n, -1)
    other[1:-4:4], other[7::4] = np.arange(7, 4 * n, 4), np.arange(1, 4 * n - 4, 4)
    start = np.concatenate([[0], np.cumsum(other >= 0)]).astype(np.int32)
    met = other[other >= 0].astype(np.int32)
    return Joints(start, met, np.full(len(met), 0.9, np.float32))


@pytest.mark.parametrize(("length", "trust"), [(40, 1.0), (2, 0.0)])
def test_paint_counts_as_far_as_sure_neighbours_share_it(monkeypatch, length, trust):
    hues = np.arange(40) // length % 2  # strips of two pigments, of this length
    monkeypatch.setattr(module, "read_palettes", palettes)
    paint = PaintEvidence.of(hues, chain(40))
    assert paint.trust == trust
    assert PaintEvidence.of(hues[:10], chain(10)).trust == 0  # of too few joints


def test_little_trust_leaves_more_of_the_links():
    one, other = np.array([0]), np.array([1])
    left = [PaintEvidence(palettes(PANEL), t).factors(PANEL, one, other)[0] for t in (0, 0.5, 1)]
    assert left == pytest.approx([1, LOWEST**0.5, LOWEST])


def test_no_groups_no_factors():
    nothing = np.array([], np.int64)
    assert not len(PaintEvidence(palettes(PANEL)).factors(PANEL, nothing, nothing))


def test_pigments_tell_two_parts_apart_if_these_have_enough_paint():
    paint = PaintEvidence(palettes(np.where(np.arange(40) == 3, 1, PANEL)))
    one, other = np.flatnonzero(PANEL == 0).tolist(), np.flatnonzero(PANEL == 1).tolist()
    assert paint.tell_apart(one, other) == pytest.approx((19 / 20 + 1) / 2)
    assert paint.tell_apart(one[::2] + other[::2], one[1::2] + other[1::2]) <= 0.6
    assert paint.tell_apart(one[:11], other) == 0


def test_joints_of_two_pigments_score_less():
    """Edges 0 of tiles 0, 1 and 2: the second in another pigment than the first, the third bare."""
    start = np.array([0, 2, 2, 2, 2, 4, 4, 4, 4, 6, 6, 6, 6], np.int32)
    joints = Joints(start, np.array([4, 8, 0, 8, 0, 4], np.int32), np.full(6, 0.5, np.float32))
    weighed = PaintEvidence(palettes([0, 1, -1])).weigh(joints).score
    assert weighed[0] == weighed[2] == pytest.approx(0.5 * LOWEST, rel=0.2)
    assert (weighed[[1, 3, 4, 5]] == 0.5).all()
    assert (joints.score == 0.5).all()
