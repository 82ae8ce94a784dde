"""Small pictures, panels and networks; training here takes seconds on one core."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from PIL import Image
from safetensors.torch import save_file

from azulejar.learning.ageing import Chance
from azulejar.learning.paper_network import PaperNetwork
from azulejar.learning.pictures import Panel
from azulejar.learning.recipes import CONFIG, Config
from azulejar.learning.run import train
from azulejar.learning.shipping import export
from azulejar.learning.task import Material
from azulejar.learning.training import WEIGHTS

CPU = torch.device("cpu")
TINY = {"widths": [4, 8, 8, 8, 8], "blocks": [1, 1, 1], "depth": 4}
BEST = {"network": TINY, "panels": 1, "parts": 2, "grid": 2, "steps": 6, "warm_up": 2}


@pytest.fixture(autouse=True, scope="session")
def one_thread():
    """The tests run side by side, and sums must not depend on the number of cores."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def _noise_panel(rows, cols, seed=0, name="noise"):
    cells = np.random.default_rng(seed).integers(0, 256, (rows, cols, 3, 64, 64), dtype=np.uint8)
    return Panel(name, cells)


def _smooth_picture(rows, cols, side=64):
    """Pixels [rows·side, cols·side, 3] of slow waves, no two places alike."""
    y, x = np.mgrid[: rows * side, : cols * side] / side
    waves = [np.sin(0.9 * x + 0.5 * y), np.cos(1.1 * y - 0.4 * x), np.sin(0.7 * x * y / 3 + 1)]
    return np.round(127.5 + 110 * np.stack(waves, 2)).astype(np.uint8)


def _cells(picture, rows, cols):
    """Cells [rows, cols, 3, S, S] of a picture."""
    side = picture.shape[0] // rows
    parts = picture.reshape(rows, side, cols, side, 3).transpose(0, 2, 4, 1, 3)
    return np.ascontiguousarray(parts)


def _side_by_side(tiles, a, b):
    """Picture [C, S, 2S] in which edge a of the left tile meets edge b of the right one."""
    left = np.rot90(tiles[a // 4], (a % 4) - 1, (1, 2))
    right = np.rot90(tiles[b // 4], (b % 4) - 3, (1, 2))
    return np.concatenate([left, right], 2)


@pytest.fixture(scope="session")
def cpu():
    return CPU


@pytest.fixture(scope="session")
def chance():
    """Seeded chance on the CPU."""
    return lambda seed=0: Chance(seed, CPU)


@pytest.fixture(scope="session")
def noise_panel():
    return _noise_panel


@pytest.fixture(scope="session")
def smooth_panel():
    """A panel whose true joints are the most continuous ones."""
    return lambda rows, cols: Panel("waves", _cells(_smooth_picture(rows, cols), rows, cols))


@pytest.fixture(scope="session")
def side_by_side():
    return _side_by_side


@pytest.fixture(scope="session")
def tiny():
    """Sizes of a network that trains in no time."""
    return TINY


@pytest.fixture(scope="session")
def material():
    """Noise instead of pictures, and one real panel."""
    squares = np.random.default_rng(5).integers(0, 256, (3, 3, 640, 640), dtype=np.uint8)
    return Material(
        torch.from_numpy(squares), torch.ones(3), [_noise_panel(4, 5), _noise_panel(3, 9)]
    )


@pytest.fixture(scope="session")
def folders(tmp_path_factory):
    """Folders ``pictures`` and ``panels`` with a few small files each."""
    root = tmp_path_factory.mktemp("material")
    for name in ("pictures", "panels"):
        (root / name).mkdir()
    Image.fromarray(_smooth_picture(3, 3)).save(root / "pictures" / "waves.png")
    Image.fromarray(_smooth_picture(2, 5)[:, ::-1]).save(root / "pictures" / "long.png")
    Image.fromarray(_smooth_picture(3, 4)).save(root / "panels" / "waves__3x4.png")
    return root


@pytest.fixture(scope="session")
def best_config(folders):
    """A run of one stage and six steps; settings may be changed."""
    pictures, panels = str(folders / "pictures"), str(folders / "panels")
    return lambda **settings: Config("best-mild", 3, (pictures,), panels, settings=BEST | settings)


@pytest.fixture(scope="session")
def paper_config(folders):
    return lambda **settings: Config(
        "paper", 3, (), str(folders / "panels"), settings={"batch": 2, "steps": 4} | settings
    )


@pytest.fixture(scope="session")
def best_run(best_config, folders, tmp_path_factory):
    """Folder of a finished run of the recipe best-mild, validated twice."""
    run = tmp_path_factory.mktemp("runs") / "best"
    config = replace(best_config(), validation=str(folders / "panels"))
    train(config, run, device="cpu", validate_every=3)
    return run


@pytest.fixture(scope="session")
def paper_run(paper_config, tmp_path_factory):
    """Folder of a run of the recipe paper, with weights as they are drawn at first."""
    run = tmp_path_factory.mktemp("runs") / "paper"
    config = paper_config().complete()
    config.save(run / CONFIG)
    torch.manual_seed(0)
    save_file(PaperNetwork().state_dict(), run / WEIGHTS)
    return run


@pytest.fixture(scope="session")
def models(best_run, paper_run, tmp_path_factory):
    """Exported models by recipe and kind; the whole files of each are written once."""
    root = tmp_path_factory.mktemp("models")
    made = {("best", "float16"): best_run, ("best", "int8"): best_run, ("paper", "int8"): paper_run}
    return {
        (recipe, kind): export(run, root / f"{recipe}-{kind}", kind=kind)
        for (recipe, kind), run in made.items()
    }
