import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.judging import evidence
from azulejar.judging.evidence import (
    AVERAGED,
    MOST,
    STEPS,
    UNFIT,
    Rivals,
    contests,
    joint_evidence,
)
from azulejar.measures.probability import FLOOR

AROUND = [(-1, 0), (0, 1), (1, 0), (0, -1)]  # above, right, below, left


def mutual(compatibility, a, b):
    scores = compatibility.scores
    return (float(scores[a, b]) + float(scores[b, a])) / 2


def slow_rival(compatibility, met, edge):
    """The best other partner of an edge that would rather have it than what it meets now."""
    best = 0.0
    for other in range(len(met)):
        if other // 4 == edge // 4 or other == met[edge]:
            continue
        score = mutual(compatibility, edge, other)
        present = mutual(compatibility, other, met[other]) if met[other] >= 0 else 0.0
        if score > present:
            best = max(best, score)
    return best


def slow_surroundings(assembly, joints, own):
    """Joints as pairs of places; those nearby are found by walking."""
    place = [tuple(map(int, p)) for p in zip(assembly.row, assembly.col, strict=True)]
    pairs = [frozenset(place[edge // 4] for edge in joint) for joint in joints]
    value = dict(zip(pairs, own, strict=True))
    near = {}
    for pair in pairs:
        (r, c), (r2, c2) = sorted(pair)
        down, along = r2 - r, c2 - c
        near[pair] = [
            frozenset({(r - down, c - along), (r, c)}),
            frozenset({(r2, c2), (r2 + down, c2 + along)}),
        ]
        for side in (1, -1):
            u, v = (r + side * along, c + side * down), (r2 + side * along, c2 + side * down)
            near[pair] += [frozenset({(r, c), u}), frozenset({(r2, c2), v}), frozenset({u, v})]
    for _ in range(STEPS):
        value = {
            pair: np.mean([value[pair], *(value[n] for n in near[pair] if n in value)])
            for pair in pairs
        }
    return [value[pair] for pair in pairs]


def slow_fit(compatibility, assembly, place, tile, turn, without):
    """What the joints of a tile would count at a place, those with the tile ``without`` left out.

    Returns None where no other tile lies beside.
    """
    total = 0.0
    for direction, (down, along) in enumerate(AROUND):
        for other in range(len(assembly)):
            at = (assembly.panel[other], assembly.row[other], assembly.col[other])
            if at != (place[0], place[1] + down, place[2] + along) or other in without:
                continue
            a = 4 * tile + (direction - turn) % 4
            b = 4 * other + (direction + 2 - assembly.turn[other]) % 4
            total += np.log((mutual(compatibility, a, b) + FLOOR) / UNFIT)
    return total


def slow_contest(compatibility, assembly, tile):
    """The best claim of any other tile or turn that is a partner of an edge around the place."""
    place = tuple(int(x[tile]) for x in (assembly.panel, assembly.row, assembly.col))
    met = assembly.neighbours()
    best = -MOST
    for other in range(len(assembly)):
        for turn in range(4):
            if (other, turn) == (tile, assembly.turn[tile]):
                continue
            edges = [4 * other + (d - turn) % 4 for d in range(4)]
            faced = [met[4 * tile + (d - assembly.turn[tile]) % 4] for d in range(4)]
            if not any(f >= 0 and f // 4 != other for f in faced):
                continue
            there = slow_fit(compatibility, assembly, place, other, turn, {other})
            here = slow_fit(compatibility, assembly, place, tile, assembly.turn[tile], {other})
            gain = there - here
            if other != tile:
                lies = tuple(int(x[other]) for x in (assembly.panel, assembly.row, assembly.col))
                now = 0.0
                if lies[0] >= 0:
                    now = slow_fit(compatibility, assembly, lies, other, assembly.turn[other],
                                   {tile})  # fmt: skip
                gain = min(gain, there - now)
            best = max(best, gain)
            assert len(edges) == 4
    return min(best, MOST)


def some_assembly(seed, rows, cols):
    rng = np.random.default_rng(seed)
    n = rows * cols
    keep = rng.random(n) < 0.9  # the others are holes
    row, col = np.divmod(np.arange(n), cols)
    assembly = Assembly.of(row, col, rng.integers(0, 4, n), np.where(keep, 0, -1))
    scores = rng.dirichlet(np.full(4 * n, 0.05), 4 * n).astype(np.float32)
    return assembly, Compatibility(scores, tuple(map(str, range(n))), "test")


@given(seed=st.integers(0, 1000), rows=st.integers(1, 4), cols=st.integers(2, 4))
def test_evidence_equals_a_slow_reading(seed, rows, cols):
    assembly, compatibility = some_assembly(seed, rows, cols)
    joints = assembly.joints()
    if not len(joints):
        return
    found = joint_evidence(Rivals.of(compatibility), assembly, joints)
    met = assembly.neighbours()
    own = [np.log(mutual(compatibility, a, b) + FLOOR) for a, b in joints]
    assert found["around"] == pytest.approx(slow_surroundings(assembly, joints, own))
    if 4 * rows * cols <= 16:  # beyond, only the best partners are looked at
        rival = [max(slow_rival(compatibility, met, edge) for edge in pair) for pair in joints]
        expected = found["lead"] * np.log(np.array(rival) + FLOOR)
        assert found["rival"] == pytest.approx(expected, abs=1e-6)


def test_a_panel_has_one_size_and_one_mean_of_the_evidence_of_its_joints(perfect_scores):
    """Two panels of 2 x 3 and 2 x 2 tiles; the last of the second lies nowhere."""
    first, second = np.divmod(np.arange(6), 3), np.divmod(np.arange(4), 2)
    row, col = (np.append(one, other) for one, other in zip(first, second, strict=True))
    laid = Assembly.of(row, col, np.zeros(10), np.repeat([0, 1, -1], [6, 3, 1]))
    joints = laid.joints()
    found = joint_evidence(Rivals.of(perfect_scores(laid)), laid, joints)
    for panel, tiles, places in ((0, 6, 6), (1, 3, 4)):
        its = laid.panel[joints[:, 0] // 4] == panel
        assert found["size"][its] == pytest.approx(np.log(tiles))
        assert found["filled"][its] == pytest.approx(np.log(tiles / places))
        for name in AVERAGED:
            assert found[f"all {name}"][its] == pytest.approx(found[name][its].mean())


def test_a_panel_in_two_parts_has_loose_ends(perfect_scores):
    row, col = np.divmod(np.arange(12), 6)
    whole = Assembly.of(row, col, np.zeros(12))
    parts = Assembly.of(row, col % 3, np.zeros(12), col // 3)
    rivals = Rivals.of(perfect_scores(whole))
    before, after = (joint_evidence(rivals, laid, laid.joints()) for laid in (whole, parts))
    assert before["loose ends"].max() < 0.05
    assert after["loose ends"] == pytest.approx(np.full(14, 0.2), abs=0.05)  # 2 of 10 edges


@given(seed=st.integers(0, 1000), rows=st.integers(1, 3), cols=st.integers(2, 3))
def test_contests_equal_a_slow_reading(seed, rows, cols):
    assembly, compatibility = some_assembly(seed, rows, cols)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(evidence, "RIVALS", 4 * rows * cols)
        patch.setattr(evidence, "CLAIMANTS", 4 * rows * cols)
        found = contests(Rivals.of(compatibility), assembly, assembly.neighbours())
    met = assembly.neighbours().reshape(-1, 4)
    for tile in np.flatnonzero((met >= 0).any(axis=1)).tolist():
        assert found[tile] == pytest.approx(slow_contest(compatibility, assembly, tile), abs=1e-6)


def test_nobody_contests_a_sure_place_and_two_alike_contest_each_other(perfect_scores):
    row, col = np.divmod(np.arange(20), 5)
    truth = Assembly.of(row, col, np.zeros(20))
    scores = perfect_scores(truth, other=0.001)
    found = contests(Rivals.of(scores), truth, truth.neighbours())
    assert found.max() < -4
    # Tile 13 looks like tile 6: its edges fit the neighbours of 6, and the other way round.
    twin = scores.scores.copy()
    for a, b in ((6, 13), (13, 6)):
        for side in range(4):
            twin[4 * a + side] = np.maximum(twin[4 * a + side], scores.scores[4 * b + side])
    alike = Compatibility(np.maximum(twin, twin.T), scores.files, "test")
    found = contests(Rivals.of(alike), truth, truth.neighbours())
    assert found[[6, 13]] == pytest.approx([0, 0], abs=0.5)
    assert np.delete(found, [6, 13]).max() < -2
