"""``azulejar train``: a run from pictures to weights, stopped and taken up again."""

import json
import re
import shutil
import signal
import sys
from contextlib import contextmanager

import numpy as np
import pytest
from PIL import Image

torch = pytest.importorskip("torch")

FILES = {"checkpoint.pt", "config.json", "history.jsonl", "weights.safetensors"}
NETWORK = {"widths": [4, 8, 8, 8, 8], "blocks": [1, 1, 1], "depth": 4}
SETTINGS = {"steps": 2, "panels": 1, "grid": 2, "network": NETWORK}
UNDER_WAY = re.compile(r"Training.*stage mild, step \d+ of 100000, loss \d+\.\d\d, \d+:\d\d left")
REPORTING = (
    "from azulejar.learning import training; training.REPORT_EVERY = 1; "
    "from azulejar.cli import main; main.run()"
)
WITHOUT = "import sys; sys.modules[{0!r}] = None; from azulejar.cli import main; main.run()"


@pytest.fixture(scope="session")
def painted(tmp_path_factory, panel):
    path = tmp_path_factory.mktemp("painted")
    picture = Image.open(panel)
    for i, left in enumerate((0, 128)):
        part = picture.crop((left, 64, left + 3 * 64, 64 + 3 * 64))
        part.resize((3 * 24, 3 * 24)).save(path / f"picture {i}.png")
    return path


@pytest.fixture
def here(tmp_path, painted):
    """``pictures``, ``panels`` with one of 3 × 3, and the recipe ``tiny.json`` in ``tmp_path``."""
    shutil.copytree(painted, tmp_path / "pictures")
    (tmp_path / "panels").mkdir()
    shutil.copy(painted / "picture 0.png", tmp_path / "panels" / "first__3x3.png")
    recipe = {"recipe": "best-mild", "pictures": [], "settings": SETTINGS}
    (tmp_path / "tiny.json").write_text(json.dumps(recipe))
    return tmp_path


@contextmanager
def one_thread():
    """Sums depend on the number of threads, which other tests of this process may have set."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(autouse=True)
def on_one_thread():
    with one_thread():
        yield


@pytest.fixture(scope="session")
def trained(tmp_path_factory, painted):
    """A finished run with the seed 3; tests only read it."""
    from azulejar.learning.recipes import Config
    from azulejar.learning.run import train

    folder = tmp_path_factory.mktemp("trained") / "run"
    with one_thread():
        train(Config("best-mild", 3, (str(painted),), settings=SETTINGS), folder, device="cpu")
    return folder


@pytest.fixture
def run(here, trained):
    """The same as ``run`` in ``tmp_path``."""
    return shutil.copytree(trained, here / "run")


def train(*more, pictures="pictures"):
    """Arguments of the command."""
    return ("train", "--recipe", "tiny.json", "--pictures", pictures, "--device", "cpu", "-o",
            "run", *more)  # fmt: skip


def weights_in(run):
    from safetensors.numpy import load_file

    return load_file(run / "weights.safetensors")


def steps_in(run):
    lines = (run / "history.jsonl").read_text(encoding="utf-8").splitlines()
    return [(line["kind"], line["step"]) for line in map(json.loads, lines)]


def assert_same_weights(one, other):
    assert one.keys() == other.keys()
    for name in one:
        np.testing.assert_allclose(one[name], other[name], rtol=1e-5, atol=1e-7, err_msg=name)


def test_from_pictures_to_weights(azulejar, here):
    arguments = train("--panels", "panels", "--validation", "panels", "--seed", 7)
    shown = azulejar(*arguments)
    assert "Trained. Next: azulejar export run" in shown
    for trim in ("3%", "5%", "7%"):
        for name in ("twin/upright", "twin/turned"):
            assert re.search(rf"rank-1 {name}/{trim}: \d+\.\d%", shown)
    assert {entry.name for entry in (here / "run").iterdir()} >= FILES
    config = json.loads((here / "run" / "config.json").read_text(encoding="utf-8"))
    assert config["pictures"] == ["pictures"]
    assert (config["panels"], config["validation"], config["seed"]) == ("panels", "panels", 7)
    assert config["settings"].items() >= SETTINGS.items()
    assert steps_in(here / "run") == [("train", 2), ("rank_1", 2)]
    assert all(np.isfinite(array).all() for array in weights_in(here / "run").values())


def test_steps_of_one_s_own_and_several_folders(azulejar, here, painted):
    shown = azulejar(*train("--steps", 1, "--pictures", painted))
    assert "Trained. Next" in shown
    config = json.loads((here / "run" / "config.json").read_text(encoding="utf-8"))
    assert config["pictures"] == ["pictures", str(painted)]
    assert config["settings"]["steps"] == 1


def test_all_stages_of_a_recipe_and_its_config_again(azulejar, here):
    """``--steps`` is for every stage, also of a configuration that names the steps of each."""
    recipe = {"recipe": "best", "pictures": [], "settings": SETTINGS}
    (here / "tiny.json").write_text(json.dumps(recipe))
    azulejar(*train("--steps", 1))
    assert steps_in(here / "run") == 2 * [("train", 1)]
    kept = {"strong.safetensors"}
    assert {entry.name for entry in (here / "run").iterdir()} >= FILES | kept
    config = here / "run" / "config.json"
    azulejar("train", "--recipe", config, "--steps", 2, "--device", "cpu", "-o", "again")
    assert steps_in(here / "again") == 2 * [("train", 2)]


def test_the_same_command_again_has_nothing_left_to_do(azulejar, run, trained):
    assert "Trained. Next" in azulejar(*train("--seed", 3))
    assert steps_in(run) == [("train", 2)]
    assert_same_weights(weights_in(run), weights_in(trained))


def test_the_config_of_a_run_repeats_it(azulejar, here, trained):
    azulejar("train", "--recipe", trained / "config.json", "--device", "cpu", "-o", "again")
    assert_same_weights(weights_in(here / "again"), weights_in(trained))


def test_a_run_begins_with_the_weights_of_a_model(azulejar, here, tiny, tiny_run):
    azulejar(*train("--steps", 1, "--from", tiny))
    (here / "run").rename(here / "from_model")
    azulejar(*train("--steps", 1, "--from", tiny_run))
    (here / "run").rename(here / "from_run")
    azulejar(*train("--steps", 1))
    assert_same_weights(weights_in(here / "from_model"), weights_in(here / "from_run"))
    name = "head.weight"
    start = weights_in(tiny_run)[name]
    assert np.abs(weights_in(here / "from_run")[name] - start).max() < 0.1
    assert np.abs(weights_in(here / "run")[name] - start).max() > 1


class TestCtrlC:
    def test_the_same_command_goes_on_from_the_checkpoint(
        self, azulejar, here, trained, interrupted
    ):
        at = "azulejar.learning.training.Training._take_step"
        result = interrupted(*train("--seed", 3), at=at, call=2)
        assert result.returncode == 130, result.stderr
        told = "azulejar: stopped; the same command goes on from the checkpoint.\n"
        assert result.stderr == told
        assert {entry.name for entry in (here / "run").iterdir()} >= FILES - {"history.jsonl"}
        assert "Trained. Next" in azulejar(*train("--seed", 3))
        assert_same_weights(weights_in(here / "run"), weights_in(trained))

    def test_before_the_first_step_there_is_nothing_to_go_on_from(self, here, interrupted):
        result = interrupted(*train(), at="azulejar.learning.run.load_squares")
        assert result.returncode == 130, result.stderr
        assert result.stderr == "azulejar: stopped; the same command starts again.\n"

    def test_in_a_terminal_with_its_bar(self, terminal, here):
        program = terminal(*train("--steps", 100_000), program=(sys.executable, "-c", REPORTING))
        program.read_until(UNDER_WAY)
        program.process.send_signal(signal.SIGINT)
        assert program.close() == 130, program.shown
        assert "Reading pictures" in program.shown
        assert "the same command goes on from the checkpoint." in program.shown
        assert "Traceback" not in program.shown
        assert {entry.name for entry in (here / "run").iterdir()} >= FILES


class TestRefused:
    @pytest.mark.parametrize(
        "other", [("--seed", 1), ("--steps", 3), ("--from", "best")], ids=["seed", "steps", "from"]
    )
    def test_other_settings(self, refused, run, other):
        message = refused(*train("--seed", 3, *other))
        assert "run holds a run with other settings. Give another -o" in message

    def test_a_folder_that_is_not_there(self, refused, run):
        message = refused(*train("--seed", 3, pictures="nowhere"))
        assert "There is no folder nowhere. Name a folder of pictures." in message

    def test_panels_that_do_not_tell_their_size(self, refused, here, run):
        (here / "panels" / "first__3x3.png").rename(here / "panels" / "first.png")
        message = refused(*train("--seed", 3, "--panels", "panels"))
        assert "panels/first.png does not say how many tiles it shows. Name panels like" in message

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (
                ("--recipe", "worst"),
                "There is no recipe 'worst'. Choose from best, best-mild, best-crowd, best-light, "
                "best-worn, buddies, paper, paper-aged.",
            ),
            (
                ("--recipe", "best-light"),
                "The recipe best-light continues from finished weights. Name a model or a run to "
                "start from with --from.",
            ),
            (("--recipe", "no.json"), "no.json is no training configuration. Give the config.json"),
            (("--recipe", "odd.json"), "The recipe best has no setting 'speed'. It has average,"),
        ],
    )
    def test_recipes(self, refused, here, arguments, told):
        odd = {"recipe": "best", "pictures": [], "settings": {"speed": 9}}
        (here / "odd.json").write_text(json.dumps(odd))
        assert told in refused(*train(*arguments))

    def test_without_the_extra(self, refused_process, here):
        program = (sys.executable, "-c", WITHOUT.format("torch"))
        message = refused_process(*train(), program=program)
        assert "Training needs torch, which is not installed." in message
        assert "pip install 'azulejar[train]'" in message


def test_scoring_needs_no_torch(azulejar_process, tmp_path, noise_tiles, tiny):
    program = (sys.executable, "-c", WITHOUT.format("torch"))
    learned = ("--measure", "dlcm", "--model", tiny)
    azulejar_process("score", noise_tiles(3), "-o", "scores.npz", *learned, program=program)
    with np.load(tmp_path / "scores.npz") as data:
        assert data["scores"].shape == (12, 12)
