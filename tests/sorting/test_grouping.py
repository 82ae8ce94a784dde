"""Whole collections: from joints to groups."""

import numpy as np
import pytest

from azulejar.core.assembly import Assembly
from azulejar.core.joints import Joints
from azulejar.core.tiles import Record
from azulejar.knowledge.knowns_file import KnownsFile, RefusedPair
from azulejar.sorting.grouping import GroupKnowns, group_joints
from azulejar.sorting.paint import PaintEvidence
from azulejar.sorting.partition import STRAY


def museum(*sizes, strays=0, seed=0, true=0.7, chance=6, within=0.6):
    """Panels of these rows and cols, a tenth of the tiles missing, and strays: truth and joints.

    True joints have about the probability ``true``, and every edge ``chance`` wrong partners, a
    share ``within`` of them in its own panel.
    """
    rng = np.random.default_rng(seed)
    places = [
        (row, col, panel)
        for panel, (rows, cols) in enumerate(sizes)
        for row in range(rows)
        for col in range(cols)
        if rng.random() > 0.1
    ] + [(0, 0, -1)] * strays
    row, col, panel = rng.permutation(np.array(places)).T
    truth = Assembly.of(row, col, rng.integers(0, 4, len(row)), panel)
    n = len(row)
    scores = np.zeros((4 * n, 4 * n), np.float32)
    for edge in range(4 * n):
        near = np.flatnonzero((panel == panel[edge // 4]) & (panel >= 0))
        for _ in range(chance):
            tile = rng.choice(near) if len(near) and rng.random() < within else rng.integers(n)
            if tile != edge // 4:
                scores[edge, 4 * tile + rng.integers(4)] = rng.random() / (2 * chance)
    met = truth.neighbours()
    here = np.flatnonzero(met >= 0)
    scores[here, met[here]] = rng.uniform(0, 2 * true, len(here))
    scores /= np.maximum(1, scores.sum(axis=1, keepdims=True))
    scores = (scores + scores.T) / 2
    start = np.concatenate([[0], np.cumsum((scores > 0).sum(axis=1))]).astype(np.int32)
    return truth, Joints(start, np.nonzero(scores)[1].astype(np.int32), scores[scores > 0])


def right(groups, truth):
    """The share of the panels' tiles that lie in a group most of which is of their panel."""
    found = 0
    for number in range(groups.panels):
        inside = truth.panel[groups.tiles(number)]
        found += int(np.bincount(inside[inside >= 0], minlength=1).max())
    return found / (truth.panel >= 0).sum()


SIZES = (9, 10), (8, 8), (6, 9), (12, 5), (5, 8)


@pytest.mark.parametrize("seed", range(3))
def test_panels_are_told_apart_though_most_joints_are_doubtful(seed):
    truth, joints = museum(*SIZES, strays=15, seed=seed)
    groups = group_joints(joints)
    assert right(groups, truth) >= 0.95
    assert groups.panels - len(SIZES) in (0, 1)  # one may come in two parts
    strays = truth.panel < 0
    assert (groups.panel[strays] == STRAY).mean() > 0.5
    assert np.diff(np.bincount(groups.panel[groups.panel >= 0])).max() <= 0


def test_panels_do_not_run_together_where_wrong_joints_lead_everywhere():
    truth, joints = museum(*SIZES, seed=4, true=0.45, within=0.0)
    groups = group_joints(joints)
    grouped = groups.panel != STRAY
    assert right(groups, truth) >= 0.95 * grouped.mean()
    assert grouped.mean() > 0.8


def test_two_panels_in_two_pigments_that_fit_edge_to_edge_are_not_joined():
    truth, joints = museum((8, 12), true=0.9, seed=2)
    assert group_joints(joints).panels == 1
    right_half = (truth.col >= 6).astype(int)
    paint = PaintEvidence(np.eye(2, dtype=np.float32)[right_half])
    groups = group_joints(joints, None, paint)
    assert [right_half[groups.tiles(panel)].mean() for panel in range(groups.panels)] == [1, 0]


def test_where_no_tiles_fit_all_are_strays():
    _, joints = museum(strays=150, chance=1)
    assert (group_joints(joints).panel == STRAY).mean() > 0.9


def test_probabilities_are_lower_where_joints_are_doubtful():
    sure, doubtful = (group_joints(museum((8, 8), (6, 9), true=true)[1]) for true in (0.9, 0.2))
    for groups in (sure, doubtful):
        assert ((groups.probability >= 0) & (groups.probability <= 1)).all()
    assert np.median(sure.probability) > 0.95
    assert doubtful.probability.mean() < sure.probability.mean()


def test_every_group_says_what_links_it():
    _, joints = museum(*SIZES, seed=2)
    groups = group_joints(joints)
    assert len(groups.evidence) == groups.panels
    for number, evidence in enumerate(groups.evidence):
        tiles = groups.tiles(number)
        likely = groups.probability[tiles].mean() * (1 - evidence.apart / (2 * len(tiles)))
        assert evidence.probability == pytest.approx(likely)
        assert 0 < evidence.joints <= 2 * len(tiles)
        assert evidence.loops > 0
        assert 0.5 <= evidence.mean <= 1
        assert f"of the {len(tiles)} tiles" in evidence.weakest


def test_the_same_again_and_with_any_number_of_threads(monkeypatch):
    _, joints = museum(*SIZES, strays=5)
    first = group_joints(joints)
    monkeypatch.setenv("AZULEJAR_THREADS", "1")
    again = group_joints(joints)
    np.testing.assert_array_equal(first.panel, again.panel)
    np.testing.assert_array_equal(first.probability, again.probability)
    assert first.evidence == again.evidence


def test_what_is_known_is_kept():
    """Two tiles of two panels are one panel's, one of them is not with a third."""
    truth, joints = museum(*SIZES, seed=3)
    one, other, third = (int(np.flatnonzero(truth.panel == p)[0]) for p in (0, 1, 2))
    groups = group_joints(joints, GroupKnowns(together=((one, other),), apart=((one, third),)))
    assert groups.panel[one] == groups.panel[other] != STRAY
    assert groups.panel[third] not in (STRAY, groups.panel[one])


def test_tiles_that_may_not_share_a_panel_do_not():
    _, joints = museum((8, 8), seed=5)
    apart = ((0, 1), (2, 3))
    groups = group_joints(joints, GroupKnowns(apart=apart))
    assert all(
        groups.panel[one] != groups.panel[other] or groups.panel[one] == STRAY
        for one, other in apart
    )


def test_a_few_tiles_of_a_known_panel_are_a_panel():
    truth, joints = museum(*SIZES, strays=6)
    strays = tuple(np.flatnonzero(truth.panel < 0)[:3].tolist())
    groups = group_joints(joints, GroupKnowns(together=(strays,)))
    assert len({int(groups.panel[tile]) for tile in strays} | {STRAY}) == 2
    assert groups.tiles(int(groups.panel[strays[0]])).tolist() >= list(strays)[:1]


def test_records_and_statements_of_a_collection():
    truth, joints = museum((6, 6), (6, 6), seed=6)
    mine, yours = (np.flatnonzero(truth.panel == p) for p in (0, 1))
    records = {f"t{mine[0]}": "Boats", f"t{mine[1]}": "Boats", f"t{mine[2]}": "Girls"}
    statements = KnownsFile(
        together=[[f"t{yours[0]}", f"t{yours[1]}"]],
        apart=[RefusedPair(tile=f"t{yours[0]}", other=f"t{yours[1]}")],
    )
    inventories = [f"t{tile}" for tile in range(len(truth))]
    recorded = [Record(panel=records.get(name)) for name in inventories]
    groups = group_joints(joints, GroupKnowns.of(inventories, recorded, statements))
    assert groups.panel[mine[0]] == groups.panel[mine[1]] != groups.panel[mine[2]]
    assert groups.panel[yours[0]] == groups.panel[yours[1]] != STRAY


def test_refused_joints_are_not_counted():
    truth, joints = museum((4, 4), true=0.9, seed=1)
    met = truth.neighbours()
    refused = tuple((edge, int(met[edge])) for edge in np.flatnonzero(met >= 0).tolist())
    assert sum(e.joints for e in group_joints(joints).evidence) > 10
    assert sum(e.loops for e in group_joints(joints, GroupKnowns(refused=refused)).evidence) == 0
