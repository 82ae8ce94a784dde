import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.errors import AzulejarError
from azulejar.judging.audit import audit

ROWS, COLS = 5, 6


@pytest.fixture(scope="module")
def truth():
    row, col = np.divmod(np.arange(ROWS * COLS), COLS)
    return Assembly.of(row, col, np.random.default_rng(0).integers(0, 4, ROWS * COLS))


@pytest.fixture(scope="module")
def scores(truth, perfect_scores):
    return perfect_scores(truth, other=0.002)


def laid(truth, swaps=(), turns=()):
    """The truth with tiles swapped and turned."""
    row, col, turn = truth.row.copy(), truth.col.copy(), truth.turn.copy()
    for a, b in swaps:
        row[[a, b]], col[[a, b]] = row[[b, a]], col[[b, a]]
    for tile, quarters in turns:
        turn[tile] = (turn[tile] + quarters) % 4
    return Assembly.of(row, col, turn)


def same(one, other):
    names = ("row", "col", "turn", "panel")
    return all(getattr(one, name).tolist() == getattr(other, name).tolist() for name in names)


def test_an_intact_assembly_has_no_findings(truth, scores):
    found = audit(scores, truth)
    assert found.findings == ()
    assert found.marked.tolist() == []
    assert same(found.proposed, truth)
    assert found.wrong.max() < 0.1


def test_a_turned_tile_is_found(truth, scores):
    found = audit(scores, laid(truth, turns=[(14, 1)]))
    assert [(f.kind, f.tiles) for f in found.findings] == [("turned", (14,))]
    assert found.findings[0].probability == found.wrong[14] > 0.9
    assert np.delete(found.wrong, 14).max() < 0.5
    assert same(found.proposed, truth)


@pytest.mark.parametrize("pair", [(3, 22), (8, 9), (8, 14)])
def test_swapped_tiles_are_found_apart_and_side_by_side(truth, scores, pair):
    found = audit(scores, laid(truth, swaps=[pair]))
    assert [(f.kind, set(f.tiles)) for f in found.findings] == [("swapped", set(pair))]
    assert same(found.proposed, truth)


def test_a_ring_of_three_is_one_finding_in_its_order(truth, scores):
    given = laid(truth, swaps=[(1, 16), (16, 27)])
    found = audit(scores, given)
    (ring,) = found.findings
    assert ring.kind == "moved"
    assert same(found.proposed, truth)
    for tile, following in zip(ring.tiles, (*ring.tiles[1:], ring.tiles[0]), strict=True):
        assert (truth.row[tile], truth.col[tile]) == (given.row[following], given.col[following])


def block(top, left):
    return [COLS * row + col for row in (top, top + 1) for col in (left, left + 1)]


@pytest.mark.parametrize(("one", "other"), [(block(0, 0), block(3, 4)), (block(1, 1), block(3, 3))])
def test_blocks_in_one_another_s_places_are_found_though_each_tile_keeps_two_neighbours(
    truth, scores, one, other
):
    found = audit(scores, laid(truth, swaps=zip(one, other, strict=True)))
    assert found.marked.tolist() == sorted(one + other)
    assert same(found.proposed, truth)


@given(seed=st.integers(0, 500))
@example(seed=245)  # a turned corner between two tiles that were disturbed as well
@example(seed=486)
def test_whatever_is_disturbed_is_put_right(truth, scores, seed):
    rng = np.random.default_rng(seed)
    chosen = rng.permutation(ROWS * COLS)[:5].tolist()
    given = laid(truth, [chosen[:2]], [(tile, int(rng.integers(1, 4))) for tile in chosen[2:]])
    found = audit(scores, given)
    assert found.marked.tolist() == sorted(chosen)
    assert same(found.proposed, truth)


def test_an_upright_audit_leaves_turns_alone(truth, scores):
    given = laid(truth, swaps=[(3, 22)], turns=[(14, 2)])
    found = audit(scores, given, upright=True)
    assert {(f.kind, frozenset(f.tiles)) for f in found.findings} == {
        ("swapped", frozenset({3, 22})),
        ("doubtful", frozenset({14})),
    }
    assert found.proposed.turn.tolist() == given.turn.tolist()


def test_a_tile_without_a_place_is_proposed_for_one(truth, scores):
    row, col, turn = truth.row.copy(), truth.col.copy(), truth.turn.copy()
    panel = truth.panel.copy()
    # The corner 29 is without a place, and 0 lies where it belongs.
    row[0], col[0], panel[29] = row[29], col[29], -1
    given = Assembly.of(row, col, turn, panel)
    found = audit(scores, given)
    (chain,) = found.findings
    assert (chain.kind, chain.tiles, chain.hole) == ("moved", (29, 0), (0, 0, 0))
    assert same(found.proposed, truth)


def test_a_loose_tile_is_proposed_for_the_hole_that_it_fits(truth, scores):
    panel = np.where(np.arange(len(truth)) == 14, -1, 0)
    found = audit(scores, Assembly.of(truth.row, truth.col, truth.turn, panel))
    assert [(f.kind, f.tiles, f.hole) for f in found.findings] == [("moved", (14,), (0, 2, 2))]
    assert same(found.proposed, truth)


def test_a_tile_at_the_rim_is_proposed_for_its_own_place(truth, scores):
    row, col = truth.row.copy(), truth.col.copy()
    row[14], col[14] = -1, 3
    given = Assembly.of(row, col, truth.turn)
    found = audit(scores, given)
    assert [(f.kind, f.tiles, f.hole) for f in found.findings] == [("moved", (14,), (0, 3, 2))]
    # Counted as given, with the row that is left empty.
    assert found.proposed.row.tolist() == (truth.row + 1).tolist()
    assert found.proposed.col.tolist() == truth.col.tolist()


def test_tiles_in_each_other_s_holes_are_two_findings(truth, scores):
    """Both lie beside the panel, and their own places are empty: nothing ties the two."""
    row, col = truth.row.copy(), truth.col.copy()
    row[[8, 22]], col[[8, 22]] = (-1, -1), (1, 4)
    found = audit(scores, Assembly.of(row, col, truth.turn))
    assert {(f.tiles, f.hole) for f in found.findings} == {((8,), (0, 2, 2)), ((22,), (0, 4, 4))}


def test_a_hole_that_nothing_fits_stays_empty(truth, scores):
    """The tile that belongs there is not among them; others are loose."""
    row, col = np.divmod(np.arange(ROWS * COLS), COLS)
    gone, strangers = 14, 3
    n = ROWS * COLS + strangers
    edges = np.setdiff1d(np.arange(4 * n), 4 * gone + np.arange(4))
    whole = np.full((4 * n, 4 * n), 0.01, np.float32)
    whole[: 4 * ROWS * COLS, : 4 * ROWS * COLS] = scores.scores
    some = Compatibility(whole[np.ix_(edges, edges)], tuple(map(str, range(n - 1))), "test")
    panel = np.where(np.arange(n - 1) < ROWS * COLS - 1, 0, -1)
    laid = [np.append(np.delete(x, gone), [0] * strangers) for x in (row, col, truth.turn)]
    found = audit(some, Assembly.of(*laid, panel))
    assert found.findings == ()
    assert found.wrong.max() < 0.1


def test_plain_tiles_cannot_be_judged(truth, as_scores):
    plain = as_scores(np.full((4 * len(truth), 4 * len(truth)), 1 / (4 * len(truth))))
    found = audit(plain, laid(truth, swaps=[(3, 22)]))
    assert found.findings == ()
    assert len(found.unsure) == len(truth)


def test_a_plain_tile_of_a_sure_panel_is_not_marked(truth, scores, as_scores):
    """It fits every place as little, so that it is not likely right where it lies."""
    one_plain = scores.scores.copy()
    edges = 4 * 14 + np.arange(4)
    one_plain[edges] = one_plain[:, edges] = 0.005
    found = audit(as_scores(one_plain), truth)
    assert found.wrong[14] > 0.5
    assert found.findings == ()


def test_a_border_in_the_middle_is_marked_though_some_tiles_are_plain(truth, scores, as_scores):
    plain = (4 * np.array([8, 14])[:, None] + np.arange(4)).ravel()
    some_plain = scores.scores.copy()
    some_plain[plain] = some_plain[:, plain] = 0.005
    first_row_in_the_fourth = np.array([3, 0, 1, 2, 4])[truth.row]
    found = audit(
        as_scores(some_plain), Assembly.of(first_row_in_the_fourth, truth.col, truth.turn)
    )
    # Which of equal scores comes first is up to the processor, and so are tiles beside a plain one.
    beside_plain = {2, 25, 27}
    assert set(found.marked.tolist()) - beside_plain == {0, 1, 3, 4, COLS - 1}
    assert {each.kind for each in found.findings} == {"doubtful"}


def test_tiles_that_meet_no_other_and_fit_no_hole_are_not_judged(truth, as_scores):
    plain = as_scores(np.full((4 * len(truth), 4 * len(truth)), 1 / (4 * len(truth))))
    panel = np.where(np.arange(len(truth)) == 29, 1, 0)
    found = audit(plain, Assembly.of(truth.row, truth.col, truth.turn, panel))
    assert found.wrong[29] == 0


def test_the_threshold_decides_what_is_a_finding(truth, scores):
    given = laid(truth, turns=[(14, 1)])
    sure = audit(scores, given).findings[0].probability
    assert audit(scores, given, threshold=min(1, sure + 1e-6)).findings == ()
    assert len(audit(scores, given, threshold=sure).findings) == 1


@pytest.mark.parametrize("threshold", [0, -1, 1.5, float("nan")])
def test_a_threshold_that_is_no_probability_is_refused(truth, scores, threshold):
    with pytest.raises(AzulejarError, match="threshold"):
        audit(scores, truth, threshold=threshold)


def test_an_assembly_without_joints_is_refused(as_scores):
    with pytest.raises(AzulejarError, match="No two tiles"):
        audit(as_scores(np.zeros((4, 4))), Assembly.of([0], [0], [0]))
