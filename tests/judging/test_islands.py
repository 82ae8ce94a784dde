import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.core.assembly import Assembly
from azulejar.errors import AzulejarError
from azulejar.judging.islands import islands


def block(rows, cols):
    row, col = np.divmod(np.arange(rows * cols), cols)
    return Assembly.of(row, col, np.arange(rows * cols) % 4)


def slow_islands(assembly, joints, confidence, threshold):
    """Sets of tiles, spread from each tile over the joints that hold."""
    held = {t: set() for t in range(len(assembly))}
    for (a, b), sure in zip(joints // 4, confidence, strict=True):
        if sure >= threshold:
            held[a].add(b)
            held[b].add(a)
    found, seen = [], set()
    for tile in held:
        if tile in seen:
            continue
        part, edge = {tile}, [tile]
        while edge:
            new = held[edge.pop()] - part
            part |= new
            edge += new
        seen |= part
        found.append(part)
    return found


@given(
    seed=st.integers(0, 1000),
    rows=st.integers(1, 5),
    cols=st.integers(1, 5),
    threshold=st.sampled_from([0, 0.3, 0.5, 0.9, 1]),
)
def test_islands_equal_a_slow_spreading(seed, rows, cols, threshold):
    assembly = block(rows, cols)
    joints = assembly.joints()
    confidence = np.random.default_rng(seed).random(len(joints))
    found = islands(assembly, joints, confidence, threshold)
    parts = slow_islands(assembly, joints, confidence, threshold)
    several = sorted((len(part) for part in parts if len(part) > 1), reverse=True)
    for part in parts:
        panels = set(found.panel[list(part)].tolist())
        assert len(panels) == 1
        assert (panels == {-1}) == (len(part) == 1)
    sizes = np.bincount(found.panel[found.panel >= 0], minlength=len(several)).tolist()
    assert sizes == several
    held = {tuple(joint) for joint in joints.tolist()}
    assert {tuple(joint) for joint in found.joints().tolist()} <= held


def test_a_weak_seam_parts_two_islands_that_keep_their_shape():
    assembly = block(3, 5)
    joints = assembly.joints()
    seam = np.sort(assembly.col[joints // 4], axis=1).tolist()
    confidence = np.array([0.2 if pair == [1, 2] else 0.99 for pair in seam])
    found = islands(assembly, joints, confidence)
    left = assembly.col < 2
    assert found.panel.tolist() == np.where(left, 1, 0).tolist()
    assert found.col[~left].tolist() == (assembly.col[~left] - 2).tolist()
    assert found.turn.tolist() == assembly.turn.tolist()


def test_tiles_without_a_place_stay_so():
    assembly = Assembly.of([0, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, -1])
    joints = assembly.joints()
    assert islands(assembly, joints, np.array([1.0])).panel.tolist() == [0, 0, -1]
    assert islands(assembly, joints, np.array([0.0])).panel.tolist() == [-1, -1, -1]


def test_a_threshold_that_is_no_probability_is_refused():
    assembly = block(1, 2)
    with pytest.raises(AzulejarError, match="probability"):
        islands(assembly, assembly.joints(), np.array([1.0]), 95)
