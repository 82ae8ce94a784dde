"""The training loop: steps, checkpoints and curves; the task decides what is trained."""

import json
import time
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

import torch
from safetensors.torch import save
from torch import nn

from azulejar.errors import AzulejarError
from azulejar.learning.task import Task
from azulejar.learning.validation import Validation
from azulejar.system.atomic import replacing
from azulejar.system.interrupts import stopped_by_interrupt

CHECKPOINT, WEIGHTS, HISTORY = "checkpoint.pt", "weights.safetensors", "history.jsonl"
MEAN = "mean"  # in the place of a stage: of the weights of several
SAVE_EVERY = 60.0  # seconds
REPORT_EVERY = 50  # steps


@dataclass(frozen=True)
class Report:
    """The progress of a stage of a training run."""

    stage: str
    step: int
    steps: int
    loss: float
    right: float  # share of the batch's edges that found their partner
    rank_1: dict[str, float]  # on the validation panels, as last measured


class Training:
    """A task being trained for one stage; its whole state goes into one checkpoint."""

    def __init__(self, task: Task, run: Path, stage: str) -> None:
        self.task, self.run, self.stage = task, run, stage
        self.average = deepcopy(task.network).eval().requires_grad_(False)
        self.optimizer = task.optimizer()
        self.step = 0
        self.rank_1: dict[str, float] = {}
        self.curves = _tensorboard(run / "curves" / stage)

    @property
    def finished(self) -> bool:
        """Whether all steps are taken."""
        return self.step >= self.task.settings.steps

    def start_from(self, weights: dict[str, torch.Tensor]) -> None:
        """Begin with these weights; raise if the network has another shape."""
        try:
            self.task.network.load_state_dict(weights)
        except RuntimeError as error:
            raise AzulejarError(
                "weights-other-shape",
                "The weights to start from belong to a network of another shape.",
                "Use the recipe that they were trained with.",
            ) from error
        self.average.load_state_dict(self.task.network.state_dict())

    def resume(self) -> bool:
        """Continue from the checkpoint of the run, if there is one of this stage."""
        path = self.run / CHECKPOINT
        if not path.exists():
            return False
        try:
            state = torch.load(path, map_location="cpu", weights_only=True)
            if state.get("stage", self.stage) != self.stage:  # up to 0.6 none was named
                return False
            self.task.network.load_state_dict(state["network"])
            self.average.load_state_dict(state["average"])
            self.optimizer.load_state_dict(state["optimizer"])
            self.task.restore(state)
            self.step, self.rank_1 = state["step"], state["rank_1"]
        except Exception as error:  # torch raises many kinds of error on a damaged file
            raise AzulejarError(
                "checkpoint-unreadable",
                "{path} is no checkpoint of this recipe, or is damaged.",
                "Choose another folder, or remove the file to start again.",
                path=str(path),
            ) from error
        return True

    def save(self) -> None:
        """Write the checkpoint and the averaged weights, each whole or not at all."""
        state = {
            "network": self.task.network.state_dict(),
            "average": self.average.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "stage": self.stage,
            "step": self.step,
            "rank_1": self.rank_1,
            **self.task.state(),
        }
        with replacing(self.run / CHECKPOINT) as temporary:
            torch.save(state, temporary)
        self.save_weights(WEIGHTS)

    def save_weights(self, name: str) -> None:
        """Write the averaged weights to a file of the run."""
        weights = {name: x.contiguous() for name, x in self.average.state_dict().items()}
        with replacing(self.run / name) as temporary:
            temporary.write_bytes(save(weights))

    def end_with(self, weights: dict[str, torch.Tensor], validation: Validation | None) -> None:
        """Make a mean of several weights those of the run; the checkpoint stays as it is."""
        self.average.load_state_dict(weights)
        self.stage = MEAN
        self.save_weights(WEIGHTS)
        if validation:
            self.validate(validation)

    def validate(self, validation: Validation) -> None:
        """Measure and note rank-1 of the averaged weights."""
        self.rank_1 = validation(self.task, self.average)
        self._note("rank_1", self.rank_1)

    def go(
        self,
        validation: Validation | None,
        *,
        validate_every: int,
        until: float = float("inf"),
        on_report: Callable[[Report], None],
    ) -> None:
        """Take the remaining steps, or as many as possible before the time ``until``; always save.

        KeyboardInterrupt is raised after the current step, so that the run can resume exactly
        there.
        """
        with stopped_by_interrupt() as stop:
            self._take_steps(validation, validate_every, until, stop, on_report)
        if stop.is_set():
            raise KeyboardInterrupt

    def _take_steps(
        self,
        validation: Validation | None,
        validate_every: int,
        until: float,
        stop: Event,
        on_report: Callable[[Report], None],
    ) -> None:
        steps = self.task.settings.steps
        saved = time.monotonic()
        losses: list[torch.Tensor] = []
        rights: list[torch.Tensor] = []
        try:
            while self.step < steps and time.time() < until and not stop.is_set():
                loss, right = self._take_step(self.step / steps)
                losses.append(loss)
                rights.append(right)
                if self.step % REPORT_EVERY == 0 or self.step == steps:
                    mean = torch.stack(losses).mean().item(), torch.stack(rights).mean().item()
                    losses, rights = [], []
                    self._note("train", {"loss": mean[0], "right": mean[1]})
                    on_report(Report(self.stage, self.step, steps, *mean, self.rank_1))
                if validation and (self.step % validate_every == 0 or self.step == steps):
                    self.validate(validation)
                if time.monotonic() - saved > SAVE_EVERY:
                    self.save()
                    saved = time.monotonic()
        finally:
            self.save()

    def _take_step(self, progress: float) -> tuple[torch.Tensor, torch.Tensor]:
        self.task.network.train()
        rate = self.task.rate(progress)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        loss, right = self.task.loss(progress)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        if self.task.settings.clip:
            nn.utils.clip_grad_norm_(self.task.network.parameters(), self.task.settings.clip)
        self.optimizer.step()
        self.step += 1
        self._update_average()
        return loss.detach(), right.detach()

    @torch.no_grad()
    def _update_average(self) -> None:
        keep = self._kept_share()
        new = [x for x in self.task.network.state_dict().values() if x.is_floating_point()]
        old = [x for x in self.average.state_dict().values() if x.is_floating_point()]
        torch._foreach_lerp_(old, new, 1 - keep)

    def _kept_share(self) -> float:
        """Return the share of the mean that a step keeps: 1 - 1/n for a mean of about n steps."""
        settings = self.task.settings
        if not settings.average:
            return 0.0
        # Early on the mean follows quickly, or the first weights would linger in it.
        steps = min(1 / (1 - settings.average), (self.step + 20) / 19)
        return 1 - 1 / (steps + max(0.0, self.step - (1 - settings.tail) * settings.steps))

    def _note(self, kind: str, values: dict[str, float]) -> None:
        line = {
            "stage": self.stage,
            "step": self.step,
            "time": round(time.time(), 1),
            "kind": kind,
            **values,
        }
        with (self.run / HISTORY).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        if self.curves is not None:
            for name, value in values.items():
                self.curves.add_scalar(f"{kind}/{name}", value, self.step)
            self.curves.flush()


def _tensorboard(folder: Path) -> Any:
    """Return a TensorBoard writer if it is installed; the history file has the same figures."""
    with suppress(ImportError):
        from torch.utils.tensorboard import SummaryWriter

        return SummaryWriter(str(folder))
    return None
