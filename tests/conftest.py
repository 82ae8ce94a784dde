"""Settings for all tests, scores, mixed crates, grids of joints, tiny models, and all errors."""

import atexit
import gc
import os
import shutil
import tempfile
from pathlib import Path

# Before anything heavy is loaded, and inherited by the workers of pytest-xdist and by all other
# processes: one thread each, since tests run side by side, and a home folder of their own.
os.environ.pop("FORCE_COLOR", None)
for _name in ("AZULEJAR_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS",
              "NUMBA_NUM_THREADS", "OPENCV_FOR_THREADS_NUM"):  # fmt: skip
    os.environ.setdefault(_name, "1")
if "PYTEST_XDIST_WORKER" not in os.environ:
    os.environ.setdefault("PLAYWRIGHT_BROWSERS_PATH", str(Path.home() / ".cache" / "ms-playwright"))
    for _name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_DOCUMENTS_DIR"):
        os.environ.pop(_name, None)
    os.environ["HOME"] = tempfile.mkdtemp(prefix="azulejar-home-")
    atexit.register(shutil.rmtree, os.environ["HOME"], ignore_errors=True)

# Modules and tests stay until the end: without them, looking for garbage takes little time.
gc.disable()

import in_process
import numpy as np
import pytest
from collection_fakes import InTurn
from hypothesis import settings
from npz_bombs import NpzBomb
from painted_once import paint_once
from source_errors import find_raised_errors
from xdist.scheduler import LoadFileScheduling

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.imaging.walls.grid import Grid
from azulejar.practice import painting

# No test has imported it yet, nor has what tests call.
painting.paint_panel = paint_once

# The first call of a compiled function takes seconds, so no example has a deadline. Properties that
# need more than 25 examples say so: the next run tries others.
settings.register_profile("azulejar", deadline=None, max_examples=25)
settings.load_profile("azulejar")

# Folders whose tests share what takes long to make: a worker takes the whole folder. Of the others
# it takes whole files. A folder stands before the one that it lies in.
SHARING = (
    "app/web/project",
    "app/web/table",
    "app/web",
    "app",
    "collection/engines",
    "collection",
    "evaluation",
    "imaging/walls",
    "measures",
    "outputs",
)

# Files and folders that take longest, longest first: they begin first, so that no worker ends with
# one.
LONGEST = (
    "app/web",
    "app",
    "measures",
    "collection",
    "imaging/walls",
    "test_walkthrough.py",
    "test_collection_walkthrough.py",
    "evaluation",
    "cli/test_bench.py",
    "learning/test_training.py",
    "cli/test_solve.py",
    "test_doctests.py",
    "imaging/photographs/test_find.py",
    "cli/test_train.py",
    "outputs",
    "cli/test_rank.py",
    "cli/test_import_photos.py",
    "cli/test_serve.py",
    "cli/collection/test_solve.py",
    "test_plugins.py",
    "hostile/test_commands.py",
    "test_library.py",
)

TINY = {"widths": [4, 8, 8, 8, 8], "blocks": [1, 1, 1], "depth": 4}


class Scheduling(LoadFileScheduling):
    """Give workers whole files, or whole folders whose tests share what takes long to make."""

    def _split_scope(self, nodeid):
        file = super()._split_scope(nodeid)
        folders = (f"tests/{folder}/" for folder in SHARING)
        return next((folder for folder in folders if file.startswith(folder)), file)


def pytest_xdist_make_scheduler(config, log):
    return Scheduling(config, log)


def pytest_collection_modifyitems(items):
    """Put the longest files and folders first."""

    def rank(item):
        file = item.nodeid.partition("::")[0].removeprefix("tests/")
        places = (i for i, name in enumerate(LONGEST) if f"{file}/".startswith(f"{name}/"))
        return next(places, len(LONGEST))

    items.sort(key=rank)


def pytest_collection_finish():
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def scores_of_users_are_left_alone(tmp_path_factory):
    """Scores that tests keep go to a folder of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AZULEJAR_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def run_command():
    """A function that runs a command in a folder; gives its exit status and what it printed."""
    return in_process.run_command


@pytest.fixture(scope="session")
def workers_as_threads():
    """A context in which pools of worker processes have threads instead."""
    return in_process.workers_as_threads


@pytest.fixture(scope="session")
def follow_page():
    """A function that runs the commands of a page of docs/ in a folder; gives the folder.

    Commands have no worker processes: tests of the commands themselves show that these work.
    """
    from following import follow, run_process

    def run(words, folder):
        if words[0] != "azulejar":
            run_process(words, folder)
            return
        ended = in_process.run_command(*words[1:], cwd=folder)
        print(ended.stdout, ended.stderr, sep="")
        assert ended.returncode == 0, ended.stderr

    def follow_within(page, folder):
        with in_process.workers_as_threads():
            follow(page, folder, run)
        return folder

    return follow_within


@pytest.fixture(scope="session")
def plain_grid():
    """A function that makes a grid of tiles of 64 px, a tile away from the photograph's rim."""

    def make(rows, cols):
        numbers = np.stack(np.meshgrid(np.arange(cols + 1.0), np.arange(rows + 1.0)), axis=-1)
        return Grid(64 + 64 * numbers, np.ones((rows, cols + 1)), np.ones((rows + 1, cols)), 1.0)

    return make


@pytest.fixture(scope="module")
def find_tiles_once():
    """The tiles of a photograph are looked for once, however often it is imported."""
    from azulejar.imaging.photographs import importing

    kept, find = {}, importing.find_tiles

    def find_tiles(picture, half_tiles):
        key = picture.tobytes(), half_tiles
        if key not in kept:
            kept[key] = find(picture, half_tiles)
        return kept[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(importing, "find_tiles", find_tiles)
        yield


@pytest.fixture(scope="session")
def make_run(tmp_path_factory):
    """A function that makes the folder of a run, with small random weights of a seed."""
    torch = pytest.importorskip("torch")
    from safetensors.torch import save_file

    from azulejar.learning.recipes import Config

    def make(recipe, seed=0, **settings):
        run = tmp_path_factory.mktemp("run")
        config = Config(recipe, settings=settings).complete()
        config.save(run / "config.json")
        torch.manual_seed(seed)
        network = config.make_network()
        if recipe == "best":
            _stir(network)
        save_file(network.state_dict(), run / "weights.safetensors")
        return run

    return make


def _stir(network):
    """Replace zeros and ones of an untrained network, and raise its scores."""
    import torch
    from torch import nn

    for module in network.modules():
        if isinstance(module, nn.BatchNorm2d):
            nn.init.normal_(module.running_mean, std=0.2)
            nn.init.uniform_(module.running_var, 0.5, 1.5)
            nn.init.uniform_(module.weight, 0.5, 1.5)
            nn.init.normal_(module.bias, std=0.2)
    nn.init.normal_(network.head.weight, std=60.0)
    # What all edges have in common would drown the differences in rounding errors.
    with torch.no_grad():
        common = network.eval().body(torch.rand(32, 3, 50, 50) * 4 - 2).mean((0, 2, 3))
        network.head.bias.copy_(-network.head.weight[:, :, 0, 0] @ common)


@pytest.fixture(scope="session")
def tiny_run(make_run):
    """A run of the recipe ``best`` whose network is tiny; tests only read it."""
    return make_run("best", network=TINY)


@pytest.fixture(scope="session")
def tiny(tiny_run, tmp_path_factory):
    """The model of that run; tests only read it."""
    from azulejar.learning.shipping import export

    return export(tiny_run, tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture(scope="session")
def paper_model(make_run, tmp_path_factory):
    """Untrained networks of the recipe ``paper``; tests only read them."""
    from azulejar.learning.shipping import export

    run = make_run("paper")
    return export(run, tmp_path_factory.mktemp("models") / "paper", kind="int8")


def _perfect_scores(truth, seed=0, other=0.1):
    """1 for every true joint, symmetric noise below ``other`` for all pairs else."""
    rng = np.random.default_rng(seed)
    edges = 4 * len(truth)
    scores = rng.random((edges, edges)).astype(np.float32) * other
    scores = np.maximum(scores, scores.T)
    met = truth.neighbours()
    scores[met >= 0, met[met >= 0]] = 1
    return _scores(scores)


def _scores(scores):
    """A compatibility of tiles without names worth mentioning."""
    files = tuple(f"{i}.png" for i in range(len(scores) // 4))
    return Compatibility(np.ascontiguousarray(scores, np.float32), files, "test")


def _noise_scores(n, seed=0):
    return _scores(np.random.default_rng(seed).random((4 * n, 4 * n)))


@pytest.fixture(scope="session")
def perfect_scores():
    return _perfect_scores


@pytest.fixture(scope="session")
def as_scores():
    return _scores


@pytest.fixture(scope="session")
def noise_scores():
    return _noise_scores


@pytest.fixture(scope="session")
def mixed_panels():
    """Make the truth of a crate: panels of these rows and cols, turned and shuffled, and strays."""

    def make(*sizes, strays=0, seed=0):
        rng = np.random.default_rng(seed)
        places = [
            (row, col, panel)
            for panel, (rows, cols) in enumerate(sizes)
            for row in range(rows)
            for col in range(cols)
        ] + [(0, 0, -1)] * strays
        row, col, panel = rng.permutation(np.array(places)).T
        return Assembly.of(row, col, rng.integers(0, 4, len(row)), panel)

    return make


@pytest.fixture(scope="session")
def in_turn():
    """An engine for collections that starts no process."""
    return InTurn()


@pytest.fixture(scope="session")
def npz_bomb():
    """Functions that write small .npz files that say that they are huge."""
    return NpzBomb()


@pytest.fixture(scope="session")
def raised_errors():
    """Every ``AzulejarError``, or error derived from it, that the package makes."""
    return find_raised_errors()
