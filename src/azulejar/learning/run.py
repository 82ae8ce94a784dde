"""A training run, from its configuration to the last step of its last stage; it can be resumed."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from azulejar.errors import AzulejarError
from azulejar.learning.pictures import load_panels, load_squares
from azulejar.learning.recipes import CONFIG, Config
from azulejar.learning.storage import MODEL, load_weights, mean_weights
from azulejar.learning.task import Material
from azulejar.learning.training import WEIGHTS, Report, Training
from azulejar.learning.validation import Validation
from azulejar.weights import load_model

TRIMS = (0.03, 0.05, 0.07)


def train(
    config: Config,
    run: Path,
    *,
    device: str = "auto",
    validate_every: int = 1000,
    until: float = float("inf"),
    on_load: Callable[[float], None] = lambda fraction: None,
    on_report: Callable[[Report], None] = lambda report: None,
) -> Training:
    """Train in the folder ``run`` until the last step of the last stage or the time ``until``.

    Every stage leaves its weights in ``run`` under its name; a run that is taken up again continues
    in the stage in which it was stopped.
    """
    config = config.complete()
    _refuse_other_settings(config, run)
    where = pick_device(device)
    material = _load_material(config, where, on_load)
    validation = None
    if config.validation:
        validation = Validation(load_panels(Path(config.validation)), TRIMS, where)
    recipe, stages = config.get_recipe(), config.stages()
    weights = [_start_weights(config)]  # to start from, then of each stage
    for number, (stage, settings) in enumerate(stages.items()):
        kept = run / f"{stage}.safetensors"
        last = number == len(stages) - 1
        if kept.exists() and not last:
            weights.append(load_weights(kept))
            continue
        task = recipe.task(settings, material, config.seed + number, where)
        config.save(run / CONFIG)
        training = Training(task, run, stage)
        if not training.resume() and weights[-1] is not None:
            training.start_from(weights[-1])
        training.go(validation, validate_every=validate_every, until=until, on_report=on_report)
        if not training.finished:
            break
        if not last or recipe.mean:
            training.save_weights(kept.name)
            weights.append(load_weights(kept))
        if last and recipe.mean:
            counted = [(w, s) for w, s in zip(weights, recipe.mean, strict=True) if w is not None]
            training.end_with(mean_weights(*zip(*counted, strict=True)), validation)
    return training


def _load_material(
    config: Config, device: torch.device, on_load: Callable[[float], None]
) -> Material:
    panels = load_panels(Path(config.panels)) if config.panels else []
    if config.pictures:
        squares, weights = load_squares([Path(p) for p in config.pictures], device, on_load)
    else:
        squares, weights = torch.empty(0, device=device), torch.empty(0, device=device)
    return Material(squares, weights, panels)


def _start_weights(config: Config) -> dict[str, torch.Tensor] | None:
    if config.start:
        return load_start_weights(config.start)
    mean = config.get_recipe().mean
    if mean and mean[0]:
        raise AzulejarError(
            "recipe-needs-start",
            "The recipe {recipe} continues from finished weights.",
            "Name a model or a run to start from.",
            recipe=config.recipe,
        )
    return None


def load_start_weights(start: str) -> dict[str, torch.Tensor]:
    """Return the weights of a run's folder, a shipped model (by name) or an exported folder."""
    own = Path(start) / WEIGHTS
    return load_weights(own if own.is_file() else load_model(start).folder / MODEL)


def pick_device(name: str) -> torch.device:
    """Return the device of that name; ``auto`` is the GPU where there is one."""
    if name not in ("auto", "cpu", "cuda"):
        raise AzulejarError(
            "training-device-unknown",
            "There is no device {device!r}.",
            "Choose auto, cpu or cuda.",
            device=name,
        )
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if name == "cuda" and not torch.cuda.is_available():
        raise AzulejarError(
            "training-no-cuda", "torch finds no CUDA device here.", "Use the device cpu."
        )
    if name == "cuda":
        torch.backends.cudnn.benchmark = True
        torch.set_float32_matmul_precision("high")
    return torch.device(name)


def _refuse_other_settings(config: Config, run: Path) -> None:
    """Raise if the folder holds a run with other settings; the pictures may have moved."""
    path = run / CONFIG
    same: dict[str, Any] = {"pictures": (), "panels": None, "validation": None}
    if path.exists() and replace(Config.load(path), **same) != replace(config, **same):
        raise AzulejarError(
            "run-other-settings",
            "{run} holds a run with other settings.",
            "Choose another folder, or the config.json in there as the recipe to continue it.",
            run=str(run),
        )
