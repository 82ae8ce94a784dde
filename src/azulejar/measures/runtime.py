"""Runtime: runs the networks of a model by onnxruntime, or by torch where only that has CUDA.

On processors it runs the graphs in 8-bit arithmetic, where a model has them.
"""

import importlib.util
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from numpy.typing import NDArray

from azulejar.errors import AzulejarError
from azulejar.measures.resuming import InterruptedRuns
from azulejar.system.threads import thread_count
from azulejar.weights import Model, eight_bit_file

if TYPE_CHECKING:  # torch takes long to load, and need not be installed
    from torch import Tensor, nn

Arrays = tuple[NDArray, ...]
Function = Callable[[Arrays], Arrays]
DEVICES = ("auto", "cpu", "cuda")
BATCH = {"cpu": 32, "cuda": 1024}  # items a call; more only costs memory


class Runtime:
    """One model on one device; ``run`` works through any number of items in batches."""

    def __init__(self, model: Model, device: str = "auto") -> None:
        if device not in DEVICES:
            raise AzulejarError(
                "device-unknown",
                "There is no device {device!r}.",
                "Choose auto, cpu or cuda.",
                device=device,
            )
        self.model = model
        self.device = _available(device)
        self.runs = InterruptedRuns(None)
        self._functions: dict[str, Function] = {}

    def run(
        self,
        graph: str | Function,
        items: int,
        inputs: Callable[[slice], Arrays],
        outputs: Sequence[NDArray],
        on_progress: Callable[[float], None] | None = None,
        label: str = "",
        batch: int | None = None,
    ) -> None:
        """Fill ``outputs`` (each [items, …]) batch by batch; ``inputs`` gives those of a slice.

        ``graph`` is the name of a graph, or a function to run in its place.
        On the CPU each batch is run by one thread, so that results don't depend on their number.
        Items that ``runs`` has already, under the same label, are not run again.
        """
        size = batch or BATCH[self.device]
        done = self.runs.begin(outputs, label)
        slices = [slice(start, min(start + size, items)) for start in range(done[0], items, size)]
        if not slices:
            return
        function = self._function(graph) if isinstance(graph, str) else graph

        def work(part: slice) -> None:
            for array, found in zip(outputs, function(inputs(part)), strict=True):
                array[part] = found

        with ThreadPoolExecutor(thread_count() if self.device == "cpu" else 1) as pool:
            try:
                for part, _ in zip(slices, pool.map(work, slices), strict=True):
                    done[0] = part.stop
                    if on_progress is not None:
                        on_progress(part.stop / items)
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise

    @cached_property
    def torch_has_gpu(self) -> bool:
        """Whether torch can keep tensors on the GPU, whichever library runs the graphs."""
        return self.device == "cuda" and _torch_has_cuda()

    def _function(self, graph: str) -> Function:
        if graph not in self._functions:
            by_torch = self.device == "cuda" and not _onnxruntime_has_cuda()
            make = _torch_function if by_torch else _onnx_function
            self._functions[graph] = make(self.model, graph, self.device)
        return self._functions[graph]


def _available(device: str) -> str:
    if device == "cpu" or (device == "auto" and not Path("/dev/nvidia0").exists()):
        return "cpu"
    if _onnxruntime_has_cuda() or _torch_has_cuda():
        return "cuda"
    if device == "auto":
        return "cpu"
    raise AzulejarError(
        "device-without-cuda",
        "Neither onnxruntime nor torch finds a CUDA device here.",
        "Use the device cpu, or install onnxruntime-gpu or a CUDA build of torch.",
    )


def _onnxruntime_has_cuda() -> bool:
    import onnxruntime

    return "CUDAExecutionProvider" in onnxruntime.get_available_providers()


def _torch_has_cuda() -> bool:
    if any(importlib.util.find_spec(name) is None for name in ("torch", "safetensors")):
        return False
    import torch

    with warnings.catch_warnings():  # torch warns of a GPU that it cannot use, and then says no
        warnings.simplefilter("ignore")
        return torch.cuda.is_available()


def _onnx_function(model: Model, graph: str, device: str) -> Function:
    # Imported here, since it takes long to load and the pixel measures do without.
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    provider = "CUDAExecutionProvider" if device == "cuda" else "CPUExecutionProvider"
    quick = eight_bit_file(graph)
    use_quick = device == "cpu" and quick in model.card["files"]
    path = model.folder / (quick if use_quick else f"{graph}.onnx")
    session = onnxruntime.InferenceSession(str(path), options, providers=[provider])
    names = [each.name for each in session.get_inputs()]
    return lambda arrays: tuple(session.run(None, dict(zip(names, arrays, strict=True))))


def _torch_function(model: Model, graph: str, device: str) -> Function:
    return on_arrays(load_module(model, graph, device), device)


def load_module(model: Model, graph: str, device: str) -> "nn.Module":
    """Return the part of the model that a graph holds, as a module of torch."""
    from azulejar.learning.recipes import load_graph

    return load_graph(model.folder, model.card, graph).to(device)


def on_arrays(module: "Callable[..., Tensor | tuple[Tensor, ...]]", device: str) -> Function:
    """Return the function of arrays that hands them to the module as tensors on the device."""
    import torch

    def run(arrays: Arrays) -> Arrays:
        with torch.inference_mode():
            found = module(*(torch.from_numpy(array).to(device) for array in arrays))
        found = (found,) if isinstance(found, torch.Tensor) else found
        return tuple(tensor.cpu().numpy() for tensor in found)

    return run
