"""``azulejar score``: scores as a file, and solving with them."""

import json

import numpy as np
import pytest


def tiles_in(folder):
    return json.loads((folder / "solution.json").read_text(encoding="utf-8"))["tiles"]


def test_the_file_is_as_the_contract_has_it(azulejar, tmp_path, tiles):
    shown = azulejar("score", tiles, "-o", "scores.npz", "--measure", "ssd")
    assert "Scores of 20 tiles: scores.npz" in shown
    with np.load(tmp_path / "scores.npz") as data:
        assert sorted(data.files) == ["files", "format", "measure", "scores"]
        assert data["scores"].dtype == np.float32
        assert data["scores"].shape == (80, 80)
        assert data["files"].tolist() == sorted(path.name for path in tiles.iterdir())
        assert (str(data["measure"]), str(data["format"])) == ("ssd", "azulejar-scores/1")


@pytest.mark.parametrize("kind", ["turned", "upright"])
def test_solving_with_the_scores_is_solving(azulejar, tmp_path, puzzles, kind):
    tiles = puzzles / kind / "tiles"
    upright = ["--upright"] if kind == "upright" else []
    azulejar("score", tiles, "-o", "scores.npz", *upright)
    azulejar("solve", tiles, "-o", "at_once", "--preset", "fast", *upright)
    arguments = ("--scores", "scores.npz", "--preset", "fast", *upright)
    azulejar("solve", tiles, "-o", "in_two_steps", *arguments)
    assert tiles_in(tmp_path / "in_two_steps") == tiles_in(tmp_path / "at_once")
    found = json.loads((tmp_path / "in_two_steps" / "solution.json").read_text(encoding="utf-8"))
    assert found["measure"] == "mgc"


def test_post_processing_is_chosen_by_name(azulejar, tmp_path, tiles):
    azulejar("score", tiles, "-o", "plain.npz", "--post", "none")
    azulejar("score", tiles, "-o", "minmax.npz", "--post", "minmax,symmetric")
    with np.load(tmp_path / "plain.npz") as plain, np.load(tmp_path / "minmax.npz") as minmax:
        assert (plain["scores"] <= 0).all()
        assert minmax["scores"].min() == 0
        assert 0.5 < minmax["scores"].max() <= 1
        np.testing.assert_array_equal(minmax["scores"], minmax["scores"].T)


def test_upright_scores_know_only_opposite_sides(azulejar, tmp_path, puzzles):
    azulejar("score", puzzles / "upright" / "tiles", "-o", "scores.npz", "--upright")
    with np.load(tmp_path / "scores.npz") as data:
        scores = data["scores"]
    side = np.arange(80) % 4
    opposite = (side[:, None] + 2) % 4 == side[None]
    assert (scores[~opposite] == scores.min()).all()
    assert scores[opposite].max() > 0.5


def test_an_existing_file_is_kept_unless_it_may_be_replaced(azulejar, refused, tmp_path, tiles):
    (tmp_path / "scores.npz").write_text("mine")
    message = refused("score", tiles, "-o", "scores.npz")
    assert "scores.npz exists already. Give another -o, or --overwrite." in message
    azulejar("score", tiles, "-o", "scores.npz", "--overwrite")
    assert (tmp_path / "scores.npz").stat().st_size > 20_000


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--measure", "sift"), "There is no measure 'sift'. Choose from l1, mgc, ssd."),
        (("--post", "softmax"), "There is no post-processing step 'softmax'. Choose from"),
    ],
)
def test_an_unknown_name_is_answered_with_the_valid_ones(refused_here, tiles, arguments, told):
    assert told in refused_here("score", tiles, "-o", "scores.npz", *arguments)


def test_a_full_disk(refused, tiles):
    message = refused("score", tiles, "-o", "scores.npz", file_limit=10_000)
    assert "Could not write scores.npz:" in message


def test_a_folder_that_is_not_there(refused):
    assert "There is no folder nowhere." in refused("score", "nowhere", "-o", "scores.npz")
