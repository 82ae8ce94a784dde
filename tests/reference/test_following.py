"""Reference pictures: believed where they show the sure parts, and without effect elsewhere."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest

from azulejar import Assembly, AzulejarError, Compatibility, Knowns, TileSet
from azulejar.practice.painting.panel import paint_panel
from azulejar.practice.puzzles import cut, make_puzzle
from azulejar.reference import following, registration
from azulejar.reference.following import check_reference, follow_reference, read_reference

ROWS, COLS, CELL = 4, 6, 40


@dataclass(frozen=True)
class Doubtful:
    """Tiles, their truth, scores that do not tell one row, and an assembly made of these."""

    picture: np.ndarray
    tiles: TileSet
    truth: Assembly
    scores: Compatibility
    first: Assembly
    untold: np.ndarray


def old_photograph(picture, slant=0.06):
    """Return a small grey picture, seen from the side and cropped."""
    high, wide = picture.shape[:2]
    corners = np.float32([[slant, -0.04], [0.99, 0], [1, 1.02], [0.02, 1 - slant / 2]])
    frame = np.float32([[0, 0], [180, 0], [180, 120], [0, 120]])
    matrix = cv2.getPerspectiveTransform(corners * np.float32([wide, high]), frame)
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    small = cv2.warpPerspective(cv2.GaussianBlur(grey, (0, 0), 1), matrix, (180, 120))
    return np.repeat((40 + 0.6 * small).astype(np.uint8)[..., None], 3, axis=2)


@pytest.fixture(scope="module")
def doubtful():
    picture = paint_panel(ROWS, COLS, CELL, 3)
    pixels, truth = make_puzzle(cut(picture, ROWS, COLS, 0.07, 50), ROWS, COLS, turned=True, seed=1)
    tiles = TileSet(pixels, tuple(f"{tile}.png" for tile in range(len(pixels))))
    rng = np.random.default_rng(5)
    edges = 4 * len(tiles)
    scores = rng.random((edges, edges)) ** 8
    scores[np.arange(edges)[:, None] // 4 == np.arange(edges) // 4] = 0
    scores *= 0.5 / scores.sum(axis=1, keepdims=True)
    joints = truth.joints()
    # The edges do not tell the uppermost row, which was laid the other way round.
    top = truth.row == 0
    told = ~top[joints // 4].any(axis=1)
    for a, b in joints[told]:
        scores[a, b] = scores[b, a] = 10
    scores /= scores.sum(axis=1, keepdims=True)
    first = replace(truth, col=np.where(top, COLS - 1 - truth.col, truth.col).astype(np.int32))
    compatibility = Compatibility(scores.astype(np.float32), tiles.files, "made up")
    return Doubtful(picture, tiles, truth, compatibility, first, joints[~told])


@pytest.fixture(scope="module")
def follow(doubtful):
    """Follow a picture to an assembly, by default the truth. No picture is searched twice."""
    searched = {}

    def register(grey, *given):
        key = grey.tobytes()
        if key not in searched:
            searched[key] = registration.register(grey, *given)
        return searched[key]

    def run(picture, found=None):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(following, "register", register)
            patch.setattr(following, "SURE", (0.8,))
            return follow_reference(
                doubtful.tiles, doubtful.scores, picture, Knowns(), doubtful.first,
                lambda scores: doubtful.truth if found is None else found,
            )  # fmt: skip

    return run


@pytest.fixture(scope="module")
def photographed(doubtful, follow):
    return follow(old_photograph(doubtful.picture))


def test_photograph_makes_joints_likely_that_edges_do_not_tell(doubtful, photographed):
    assert photographed.believed and not photographed.mirrored
    assert photographed.bits > photographed.most / 3
    a, b = doubtful.untold.T
    before, after = doubtful.scores.mutual(a, b), photographed.compatibility.mutual(a, b)
    assert np.median(before) < 0.05 and np.median(after) > 0.3
    rows = photographed.compatibility.scores.sum(axis=1)
    np.testing.assert_allclose(rows, doubtful.scores.scores.sum(axis=1), rtol=1e-3)


def test_panel_is_turned_as_the_photograph_shows_it(doubtful, follow, photographed):
    turned = follow(old_photograph(doubtful.picture), doubtful.truth.turned(3))
    for found in (photographed, turned):
        np.testing.assert_array_equal(found.assembly.turn, doubtful.truth.turn)
        np.testing.assert_array_equal(found.assembly.row, doubtful.truth.row)
        height, width = found.beside.shape[:2]
        assert height / width == doubtful.truth.rows / doubtful.truth.cols


def test_picture_beside_shows_the_same_places(doubtful, photographed):
    pitch = photographed.beside.shape[0] // doubtful.truth.rows
    shown = [
        np.corrcoef(
            doubtful.picture[40 * row : 40 * row + 40, 40 * col : 40 * col + 40, 0].mean(1)[::5],
            photographed.beside[pitch * row : pitch * (row + 1), pitch * col : pitch * (col + 1), 0]
            .mean(1)[::4],
        )[0, 1]
        for row in range(4)
        for col in range(6)
    ]  # fmt: skip
    assert np.median(shown) > 0.7


def test_corners_of_the_panel_are_found_in_the_photograph(photographed):
    """It was made so that the panel's corners lie there; the crop cut one of them off."""
    found = photographed.shown.corners()
    given = np.float32([[0.06, -0.04], [0.99, 0], [1, 1.02], [0.02, 0.97]])
    frame = np.float32([[0, 0], [1, 0], [1, 1], [0, 1]])
    true = cv2.perspectiveTransform(frame[None], cv2.getPerspectiveTransform(given, frame))[0]
    np.testing.assert_allclose(found, true, atol=0.05)  # a tile is 0.17 wide and 0.25 high


def test_mirror_image_is_recognised(doubtful, follow, photographed):
    found = follow(old_photograph(doubtful.picture)[:, ::-1].copy())
    assert found.believed and found.mirrored
    assert found.bits == pytest.approx(photographed.bits)
    across, down = photographed.shown.corners().T
    np.testing.assert_allclose(found.shown.corners(), np.stack([1 - across, down], 1), atol=1e-9)


def test_other_picture_changes_nothing(doubtful, follow):
    rng = np.random.default_rng(2)
    stains = cv2.GaussianBlur(rng.normal(0, 1, (120, 180)).astype(np.float32), (0, 0), 4)
    grey = np.clip(128 + 300 * stains, 0, 255).astype(np.uint8)
    found = follow(np.repeat(grey[..., None], 3, axis=2))
    assert not found.believed
    assert found.assembly is doubtful.first
    assert found.compatibility is doubtful.scores


def test_assembly_that_edges_and_picture_speak_against_is_not_kept(doubtful, follow):
    shuffled = doubtful.truth.turned(0)
    shuffled.row[:] = np.random.default_rng(0).permutation(shuffled.row)
    shuffled.col[:] = np.arange(len(shuffled.col))  # nothing meets
    found = follow(old_photograph(doubtful.picture), shuffled)
    assert found.believed
    np.testing.assert_array_equal(found.assembly.col, doubtful.first.col)


def test_no_sure_joint_no_help(doubtful):
    blank = doubtful.scores.with_scores(np.full_like(doubtful.scores.scores, 1e-3))
    found = follow_reference(
        doubtful.tiles, blank, old_photograph(doubtful.picture), Knowns(), doubtful.first,
        lambda scores: pytest.fail("nothing should be searched"),
    )  # fmt: skip
    assert not found.believed and found.tiles == 0


@pytest.mark.parametrize(
    ("picture", "code"),
    [
        (np.zeros((40, 300, 3), np.uint8), "reference-too-small"),
        (np.full((300, 300, 3), 90, np.uint8), "reference-plain"),
    ],
)
def test_pictures_that_show_nothing_are_refused(picture, code):
    with pytest.raises(AzulejarError) as refusal:
        check_reference(picture)
    assert refusal.value.code == code


def test_file_that_is_no_picture_is_refused(tmp_path):
    (tmp_path / "old.jpg").write_text("no picture")
    with pytest.raises(AzulejarError, match=r"old\.jpg"):
        read_reference(tmp_path / "old.jpg")
