"""``azulejar solve``: what it refuses, each with a sentence and a remedy."""

import shutil

import numpy as np
import pytest
from PIL import Image

from azulejar.core.compatibility import Compatibility
from azulejar.measures import runtime


@pytest.fixture
def folder(tmp_path):
    """A folder with two good tiles, to which a test adds what is wrong."""
    path = tmp_path / "tiles"
    path.mkdir()
    for i in range(2):
        Image.new("RGB", (32, 32), (90 * i, 0, 99)).save(path / f"tile {i}.png")
    return path


class TestTiles:
    def test_a_folder_that_is_not_there(self, refused):
        assert "There is no folder nowhere. Check the path." in refused(
            "solve", "nowhere", "-o", "out", "-m", "mgc"
        )

    def test_a_file_instead_of_a_folder(self, refused, panel):
        message = refused("solve", panel, "-o", "out", "-m", "mgc")
        assert "is a file. Give the folder that holds the tile pictures." in message

    def test_no_tiles_at_all(self, refused, tmp_path):
        (tmp_path / "empty").mkdir()
        assert "empty has no tile pictures (it is empty)." in refused(
            "solve", "empty", "-o", "out", "-m", "mgc"
        )

    def test_the_folder_above_the_tiles(self, refused, puzzles):
        message = refused("solve", puzzles / "turned", "-o", "out", "-m", "mgc")
        assert "it holds tiles, truth.json" in message
        assert "Give the folder in which the JPEG, PNG, WebP or TIFF files lie" in message

    def test_one_tile_alone(self, refused, folder):
        (folder / "tile 1.png").unlink()
        message = refused("solve", folder, "-o", "out", "-m", "mgc")
        assert "holds one tile: there is nothing to put together. Give the folder" in message

    def test_a_broken_file(self, refused, folder):
        whole = (folder / "tile 0.png").read_bytes()
        (folder / "broken.png").write_bytes(whole[: len(whole) // 2])
        message = refused("solve", folder, "-o", "out", "-m", "mgc")
        assert "broken.png is broken" in message
        assert "Remove it, or replace it" in message

    def test_two_files_of_one_tile(self, refused, folder):
        Image.new("RGB", (32, 32)).save(folder / "tile 1.jpg")
        message = refused("solve", folder, "-o", "out", "-m", "mgc")
        assert "tile 1.jpg and tile 1.png" in message
        assert "Rename or remove one of them." in message

    def test_a_decompression_bomb(self, refused, folder):
        Image.new("1", (20_000, 20_000)).save(folder / "bomb.png")
        assert (folder / "bomb.png").stat().st_size < 100_000
        message = refused("solve", folder, "-o", "out", "-m", "mgc")
        assert "bomb.png has more than" in message
        assert "Reduce it" in message

    def test_a_picture_that_is_no_tile(self, refused, folder):
        Image.new("RGB", (64, 32)).save(folder / "wall.png")
        message = refused("solve", folder, "-o", "out", "-m", "mgc")
        assert "wall.png is 64×32 px, which is no square tile. Crop it" in message

    def test_a_tiny_picture(self, refused, folder):
        Image.new("RGB", (3, 3)).save(folder / "dot.png")
        assert "dot.png is only 3×3 px." in refused("solve", folder, "-o", "out", "-m", "mgc")


class TestSize:
    @pytest.mark.parametrize(
        ("size", "told"),
        [
            (("--rows", 4, "--cols", 4), "4 rows × 4 cols are 16 places, but there are 20 tiles."),
            (("--rows", 0), "A panel cannot have 0 rows. Give 1 or more."),
            (("--cols", -5), "A panel cannot have -5 cols. Give 1 or more."),
        ],
    )
    def test_a_size_that_does_not_fit(self, refused, tiles, size, told):
        assert told in refused("solve", tiles, "-o", "out", "-m", "mgc", *size)


class TestOut:
    def test_a_result_is_there_already(self, refused, tmp_path, solved, tiles):
        shutil.copytree(solved, tmp_path / "out")
        message = refused("solve", tiles, "-o", "out", "-m", "mgc")
        assert "out exists already and was left as it is." in message
        assert "--overwrite" in message

    @pytest.mark.parametrize("overwrite", [(), ("--overwrite",)])
    def test_a_folder_of_something_else(self, refused, tmp_path, tiles, overwrite):
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "thesis.doc").write_text("years of work")
        message = refused("solve", tiles, "-o", "out", "-m", "mgc", *overwrite)
        assert "out exists" in message
        assert "Give another -o" in message

    def test_the_folder_of_the_tiles_itself(self, refused, folder):
        assert "tiles exists" in refused("solve", folder, "-o", folder, "-m", "mgc", "--overwrite")

    def test_a_place_where_nothing_can_be_written(self, refused, tmp_path, tiles, solved):
        (tmp_path / "file").write_text("in the way")
        message = refused("solve", tiles, "-o", "file/out", "--preset", "fast", "-m", "mgc")
        assert "Could not write file/out:" in message

    def test_a_place_where_nothing_can_be_written_is_told_before_the_search(
        self, invoke, tmp_path, tiles, solved
    ):
        (tmp_path / "file").write_text("in the way")
        result = invoke("solve", tiles, "-o", "file/out", "--preset", "fast", "-m", "mgc")
        assert "Could not write file/out" in result.stderr
        assert "tiles of 64 px" not in result.stdout

    @pytest.mark.parametrize("size_of_disk", [1_000, 100_000, 300_000])
    def test_a_full_disk(self, refused, solved, tiles, size_of_disk):
        """The disk ends in solution.json, panel.png or report.html."""
        sizes = [(solved / f).stat().st_size for f in ("solution.json", "panel.png", "report.html")]
        assert sum(size > size_of_disk for size in sizes) in (1, 2, 3)
        arguments = ("solve", tiles, "-o", "out", "--preset", "fast", "-m", "mgc")
        message = refused(*arguments, file_limit=size_of_disk)
        assert "Could not write" in message
        assert "free some space or choose another place with -o." in message

    def test_a_full_disk_leaves_the_old_result(self, refused_process, tmp_path, solved, tiles):
        shutil.copytree(solved, tmp_path / "out")
        arguments = ("solve", tiles, "-o", "out", "--preset", "fast", "-m", "mgc", "--overwrite")
        assert "Could not write" in refused_process(*arguments, file_limit=100_000)


class TestChoices:
    def test_an_unknown_preset(self, refused, tiles):
        message = refused("solve", tiles, "-o", "out", "-m", "mgc", "--preset", "best")
        assert "There is no preset 'best'. Choose from fast, standard, paper." in message

    @pytest.mark.parametrize("name", ["sift", "[/b]"])
    def test_an_unknown_measure(self, refused, tiles, name):
        message = refused("solve", tiles, "-o", "out", "--measure", name)
        assert f"There is no measure '{name}'. Choose from dlcm, twin, mgc, " in message

    @pytest.mark.parametrize("seconds", [0, -5, "nan"])
    def test_no_time_at_all(self, invoke, tmp_path, tiles, seconds):
        result = invoke(
            "solve", tiles, "-o", "out", "--time-budget", seconds, "--preset", "fast", "-m", "mgc"
        )
        assert result.returncode == 2
        assert "Traceback" not in result.stderr
        assert not any(tmp_path.iterdir())

    def test_a_seed_beyond_all_bounds(self, invoke, tmp_path, tiles):
        result = invoke(
            "solve", tiles, "-o", "out", "--seed", 10**30, "--preset", "fast", "-m", "mgc"
        )
        assert result.returncode in (0, 2)
        assert "Traceback" not in result.stderr

    def test_a_number_of_threads_that_is_none(self, refused, tiles, solved):
        arguments = ("solve", tiles, "-o", "out", "--preset", "fast", "-m", "mgc")
        message = refused(*arguments, AZULEJAR_THREADS="none")
        assert "AZULEJAR_THREADS is 'none', which is no number of threads." in message


class TestLearned:
    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (("--device", "cuda"), "Neither onnxruntime nor torch finds a CUDA device here."),
            (("--device", "tpu"), "There is no device 'tpu'. Choose auto, cpu or cuda."),
            (("--model", "nonsense"), "There is no model 'nonsense'. Choose from"),
            (("--measure", "mgc"), "The measure mgc has no network. Leave out --model and"),
            (("--measure", "dlcm-paper"), "has no network 'red', which the measure dlcm-paper"),
        ],
    )
    def test_what_cannot_be(self, refused, monkeypatch, tiles, tiny, arguments, told):
        monkeypatch.setattr(runtime, "_onnxruntime_has_cuda", lambda: False)
        monkeypatch.setattr(runtime, "_torch_has_cuda", lambda: False)
        learned = ("--measure", "twin", "--model", tiny, *arguments)
        assert told in refused("solve", tiles, "-o", "out", *learned)


class TestScores:
    def test_a_file_that_is_not_there(self, refused, tiles):
        message = refused("solve", tiles, "-o", "out", "--scores", "nothing.npz")
        assert "There is no file nothing.npz. Check the path." in message

    def test_a_file_that_holds_no_scores(self, refused, tiles, panel):
        message = refused("solve", tiles, "-o", "out", "--scores", panel)
        assert "panel.png is not a readable .npz file" in message

    def test_scores_of_other_tiles(self, refused, tmp_path, tiles):
        other = ("elsewhere.png", "nowhere.png")
        Compatibility(np.zeros((8, 8), np.float32), other, "test").save(tmp_path / "other.npz")
        message = refused("solve", tiles, "-o", "out", "--scores", "other.npz")
        assert "other.npz holds scores of other tiles (elsewhere.png is only in one" in message
        assert "azulejar score" in message

    @pytest.mark.parametrize(
        ("scores", "told"),
        [
            (np.zeros((4, 4)), "has scores of shape (4, 4); 20 files need (80, 80)."),
            (np.full((80, 80), np.nan), "holds scores that are not finite real numbers."),
            (np.full((80, 80), "much"), "numbers"),
        ],
    )
    def test_scores_that_cannot_be(self, refused, tmp_path, tiles, scores, told):
        files = sorted(path.name for path in tiles.iterdir())
        np.savez(tmp_path / "own.npz", scores=scores, files=files)
        assert told in refused("solve", tiles, "-o", "out", "--scores", "own.npz")
