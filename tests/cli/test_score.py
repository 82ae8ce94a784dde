"""``azulejar score``: scores as a file, and solving with them."""

import json
import shutil

import numpy as np
import pytest

from azulejar.core.compatibility import Compatibility
from azulejar.imaging.folder import load_tiles
from azulejar.measures import get_measure, runtime


def tiles_in(folder):
    return json.loads((folder / "solution.json").read_text(encoding="utf-8"))["tiles"]


def test_the_file_is_as_the_contract_has_it(azulejar_process, tmp_path, tiles):
    shown = azulejar_process("score", tiles, "-o", "scores.npz", "--measure", "ssd")
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
    azulejar("score", tiles, "-o", "scores.npz", "-m", "mgc", *upright)
    azulejar("solve", tiles, "-o", "at_once", "-m", "mgc", "--preset", "fast", *upright)
    arguments = ("--scores", "scores.npz", "--preset", "fast", *upright)
    azulejar("solve", tiles, "-o", "in_two_steps", *arguments)
    assert tiles_in(tmp_path / "in_two_steps") == tiles_in(tmp_path / "at_once")
    found = json.loads((tmp_path / "in_two_steps" / "solution.json").read_text(encoding="utf-8"))
    assert found["measure"] == "mgc"


def test_post_processing_is_chosen_by_name(azulejar, tmp_path, tiles):
    azulejar("score", tiles, "-o", "plain.npz", "-m", "mgc", "--post", "none")
    azulejar("score", tiles, "-o", "minmax.npz", "-m", "mgc", "--post", "minmax,symmetric")
    with np.load(tmp_path / "plain.npz") as plain, np.load(tmp_path / "minmax.npz") as minmax:
        assert (plain["scores"] <= 0).all()
        assert minmax["scores"].min() == 0
        assert 0.5 < minmax["scores"].max() <= 1
        np.testing.assert_array_equal(minmax["scores"], minmax["scores"].T)


def test_upright_scores_know_only_opposite_sides(azulejar, tmp_path, puzzles):
    azulejar("score", puzzles / "upright" / "tiles", "-o", "scores.npz", "-m", "mgc", "--upright")
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
    azulejar("score", tiles, "-o", "scores.npz", "-m", "mgc", "--overwrite")
    assert (tmp_path / "scores.npz").stat().st_size > 20_000


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("-m", "sift"), "There is no measure 'sift'. Choose from dlcm, twin, mgc, ssd, l1, red,"),
        (
            ("-m", "mgc", "--post", "norm"),
            "no post-processing step 'norm'. Choose from likelihood,",
        ),
        (("-m", "mgc", "--post", "softmax"), "'softmax' is for learned measures. Use likelihood,"),
        (("-m", "ssd", "--device", "cuda"), "The measure ssd has no network. Leave out --model"),
        (("-m", "l1", "--model", "best"), "The measure l1 has no network. Leave out --model"),
        (("-m", "twin", "--model", "nowhere"), "There is no model 'nowhere'. Choose from"),
    ],
)
def test_what_cannot_be_is_answered_with_what_can(refused, tiles, arguments, told):
    assert told in refused("score", tiles, "-o", "scores.npz", *arguments)


def test_a_full_disk(refused, tiles):
    message = refused("score", tiles, "-o", "scores.npz", "-m", "mgc", file_limit=10_000)
    assert "Could not write scores.npz:" in message


def test_a_folder_that_is_not_there(refused):
    assert "There is no folder nowhere." in refused(
        "score", "nowhere", "-o", "scores.npz", "-m", "mgc"
    )


class TestLearned:
    @pytest.fixture
    def learned(self, tiny):
        """Arguments for a tiny model, which knows nothing."""
        return lambda measure: ("--measure", measure, "--model", tiny, "--device", "cpu")

    @pytest.fixture
    def some_tiles(self, tiles, tmp_path):
        """Four of the tiles."""
        (tmp_path / "some").mkdir()
        for path in sorted(tiles.iterdir())[:4]:
            shutil.copy(path, tmp_path / "some")
        return tmp_path / "some"

    @pytest.mark.parametrize("measure", ["twin", "dlcm"])
    def test_a_model_of_one_s_own(self, azulejar, tmp_path, tiles, tiny, learned, measure):
        shown = azulejar("score", tiles, "-o", "scores.npz", *learned(measure))
        assert "Scores of 20 tiles: scores.npz" in shown
        found = Compatibility.load(tmp_path / "scores.npz")
        assert found.measure == measure
        expected = get_measure(measure, device="cpu", model=str(tiny)).score(load_tiles(tiles))
        np.testing.assert_array_equal(found.scores, expected.scores)

    def test_other_steps(self, azulejar, tmp_path, some_tiles, learned):
        azulejar("score", some_tiles, "-o", "raw.npz", *learned("twin"), "--post", "none")
        azulejar("score", some_tiles, "-o", "soft.npz", *learned("twin"), "--post", "softmax")
        raw, soft = (Compatibility.load(tmp_path / f"{n}.npz").scores for n in ("raw", "soft"))
        np.testing.assert_allclose(soft.sum(axis=1), 1, rtol=1e-5)
        assert (raw.max(axis=1) - raw.min(axis=1)).max() > 1

    def test_the_second_time_is_read_from_the_cache(
        self, azulejar, monkeypatch, tmp_path, some_tiles, learned
    ):
        arguments = ("score", some_tiles, *learned("twin"), "--post", "none")
        monkeypatch.setenv("AZULEJAR_CACHE", str(tmp_path / "cache"))
        azulejar(*arguments, "-o", "a.npz")
        (kept,) = (tmp_path / "cache").glob("*.npz")
        assert kept.read_bytes() == (tmp_path / "a.npz").read_bytes()
        other = Compatibility.load(kept)
        Compatibility(other.scores / 2, other.files, other.measure).save(kept)
        azulejar(*arguments, "-o", "b.npz")
        assert kept.read_bytes() == (tmp_path / "b.npz").read_bytes()
        monkeypatch.setenv("AZULEJAR_CACHE", "off")
        azulejar(*arguments, "-o", "c.npz")
        assert (tmp_path / "c.npz").read_bytes() == (tmp_path / "a.npz").read_bytes()

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (("--device", "cuda"), "Neither onnxruntime nor torch finds a CUDA device here. Use"),
            (("--device", "gpu"), "There is no device 'gpu'. Choose auto, cpu or cuda."),
            (("--post", "likelihood"), "The step 'likelihood' is for pixel measures. Use softmax"),
            (("--measure", "red"), "has no network 'red', which the measure red runs. Choose"),
        ],
    )
    def test_what_cannot_be(self, refused, monkeypatch, some_tiles, learned, arguments, told):
        monkeypatch.setattr(runtime, "_onnxruntime_has_cuda", lambda: False)
        monkeypatch.setattr(runtime, "_torch_has_cuda", lambda: False)
        message = refused("score", some_tiles, "-o", "out.npz", *learned("twin"), *arguments)
        assert told in message

    def test_a_damaged_model(self, refused, some_tiles, tiny, tmp_path):
        damaged = shutil.copytree(tiny, tmp_path / "damaged")
        (damaged / "encoder.onnx").write_bytes(b"")
        message = refused("score", some_tiles, "-o", "s.npz", "-m", "twin", "--model", "damaged")
        assert (
            "The model in damaged cannot be used: encoder.onnx was changed or cut short." in message
        )
        assert "azulejar export" in message

    def test_a_folder_that_is_no_model(self, refused, some_tiles):
        arguments = ("score", some_tiles, "-o", "s.npz", "-m", "twin", "--model", some_tiles)
        assert "its card.json is missing or unreadable." in refused(*arguments)
