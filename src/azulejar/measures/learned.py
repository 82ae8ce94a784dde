"""LearnedMeasure: the base class of measures by a trained network."""

import hashlib
import math
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from azulejar.core.compatibility import Compatibility
from azulejar.core.tiles import TileSet
from azulejar.errors import AzulejarError
from azulejar.imaging.picture import resize_square
from azulejar.measures import cache, measure
from azulejar.measures.measure import Measure, apply_row_steps
from azulejar.measures.postprocess import apply_whole_steps, check_steps, is_whole_step
from azulejar.measures.resuming import resuming
from azulejar.measures.runtime import Runtime
from azulejar.weights import load_model

SIZE = 50  # pixels: the networks see tiles of this size
MIRRORED_SIDE = np.array([2, 1, 0, 3])  # where a side lies once the tile is flipped upside down

Features = tuple[NDArray[np.float32], ...]


class LearnedMeasure(Measure):
    """Scores by a shipped model, or by your own if ``model`` is its folder.

    Scores are cached on disk, so that the same tiles are not scored twice; what is done when Ctrl-C
    comes is kept too.
    """

    learned = True
    model_name: ClassVar[str]
    graphs: ClassVar[tuple[str, ...]]  # those of the model that the measure runs
    version: ClassVar[int] = 1  # to be raised when the same model would give other scores

    def __init__(self, device: str = "auto", model: str | None = None) -> None:
        self.model = load_model(model or self.model_name)
        for graph in self.graphs:
            if f"{graph}.onnx" not in self.model.card["files"]:
                raise AzulejarError(
                    "model-lacks-network",
                    "The model in {folder} has no network {network!r}, "
                    "which the measure {measure} runs.",
                    "Choose another measure, or another model.",
                    folder=str(self.model.folder),
                    network=graph,
                    measure=self.name,
                )
        self.runtime = Runtime(self.model, device)
        self.upright = False
        self.on_progress: Callable[[float], None] = lambda fraction: None
        if model is not None:
            self._try_out()

    def score(
        self,
        tiles: TileSet,
        *,
        upright: bool = False,
        post: Sequence[str] | None = None,
        on_progress: Callable[[float], None] | None = None,
    ) -> Compatibility:
        steps = self.post if post is None else tuple(post)
        check_steps(steps, learned=True)
        if tiles.halved is not None:
            return super().score(tiles, upright=upright, post=steps, on_progress=on_progress)
        by_row = tuple(step for step in steps if not is_whole_step(step))
        # Dense scores are cached before any step, so that all choices of steps share them.
        at_once = by_row if 4 * len(tiles) > measure.LARGEST_DENSE else ()
        settings = (self.name, self.version, self.checksum, upright, at_once)
        name = cache.key(tiles, *settings, self.runtime.device)
        scores = cache.look_up(name)
        if scores is None:
            self.upright = upright
            self.on_progress = on_progress or (lambda fraction: None)
            with resuming(name) as self.runtime.runs:
                scores = super().score(tiles, upright=upright, post=at_once)
            cache.store(name, scores)
        if on_progress is not None:
            on_progress(1.0)
        if by_row != at_once:
            scores = apply_row_steps(by_row, scores, upright)
        return apply_whole_steps(steps, scores, tiles, upright)

    def _try_out(self) -> None:
        """Score two tiles of noise, so that a model that cannot do so is refused at once."""
        noise = np.random.default_rng(0).integers(0, 256, (2, SIZE, SIZE, 3), np.uint8)
        try:
            with np.errstate(all="ignore"):  # what comes of it is looked at below
                self.prepare(noise)
                scores = self.dissimilarity(np.arange(8))
            usable = scores.shape == (8, 8) and bool(np.isfinite(scores).all())
        # Other people's networks fail with errors of onnxruntime, torch and numpy of any class.
        except Exception as error:
            raise self._unusable() from error
        if not usable:
            raise self._unusable()

    def _unusable(self) -> AzulejarError:
        return AzulejarError(
            "model-unusable",
            "The model in {folder} cannot be used: its networks do not give what the measure "
            "{measure} needs.",
            "Export the model again.",
            folder=str(self.model.folder),
            measure=self.name,
        )

    @property
    def checksum(self) -> str:
        """The checksum of all weights that the scores depend on."""
        return self.model.checksum

    @abstractmethod
    def prepare(self, pixels: NDArray[np.uint8]) -> None: ...

    def part(self, start: float, stop: float) -> Callable[[float], None]:
        """Return a callback that reports the progress of one part as progress of the whole."""
        return lambda fraction: self.on_progress(start + (stop - start) * fraction)


def as_input(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Bring tiles [n, S, S, 3] to the networks' size, channels first: [n, 3, 50, 50]."""
    if pixels.shape[1] != SIZE:
        pixels = np.stack([resize_square(tile, SIZE) for tile in pixels])
    return np.ascontiguousarray(pixels.transpose(0, 3, 1, 2))


def edge_views(tiles: NDArray[np.uint8], edges: NDArray[np.intp]) -> NDArray[np.float32]:
    """Return the tiles of these edges, turned so that the edge lies to the right, from 0 to 1."""
    turned = np.empty((len(edges), *tiles.shape[1:]), np.float32)
    for side in range(4):
        which = edges % 4 == side
        turned[which] = np.rot90(tiles[edges[which] // 4], side - 1, axes=(2, 3))
    turned /= 255
    return turned


def encode_edges(
    runtime: Runtime,
    tiles: NDArray[np.uint8],
    on_progress: Callable[[float], None] | None = None,
    label: str = "",
) -> Features:
    """Return the encoder's features of every edge: anchor and partner [4n, width, 25].

    ``label`` names the tiles for runs that are interrupted (see ``InterruptedRuns.begin``).
    """
    edges = 4 * len(tiles)
    widths = runtime.model.card["widths"]
    features = tuple(np.empty((edges, width, SIZE // 2), np.float32) for width in widths)
    runtime.run(
        "encoder",
        edges,
        lambda part: (edge_views(tiles, np.arange(part.start, part.stop)),),
        features,
        on_progress,
        label,
    )
    return features


def encode_cached(
    runtime: Runtime,
    tiles: NDArray[np.uint8],
    on_progress: Callable[[float], None] | None = None,
) -> Features:
    """Encode edges like ``encode_edges``, taking known tiles from the cache.

    On the CPU, features of a tile do not depend on the other tiles of its batch. On a GPU they may
    in the last digits, and encoding is quick, so nothing is cached.
    """
    widths = runtime.model.card["widths"]
    shape = (4, sum(widths), SIZE // 2)  # of all features of a tile
    size = 4 * len(tiles) * math.prod(shape)
    if runtime.device != "cpu" or not cache.holds_features(size):
        return encode_edges(runtime, tiles, on_progress)
    names = [cache.tile_key(tile, "encoder", runtime.model.checksum) for tile in tiles]
    found = [cache.look_up_features(name) for name in names]
    whole = [each is not None and each.shape == shape for each in found]
    new = np.flatnonzero(~np.array(whole, bool))
    label = hashlib.sha256(" ".join(names[i] for i in new).encode()).hexdigest()
    made = np.concatenate(encode_edges(runtime, tiles[new], on_progress, label), 1)
    made = made.reshape(len(new), *shape)
    cache.store_features({names[i]: each for i, each in zip(new, made, strict=True)})
    features = np.empty((len(tiles), *shape), np.float32)
    features[new] = made
    for tile in np.flatnonzero(whole):
        features[tile] = found[tile]
    parts = np.split(features.reshape(-1, *shape[1:]), np.cumsum(widths)[:-1], axis=1)
    return tuple(np.ascontiguousarray(part) for part in parts)


def unmirror(features: Features) -> Features:
    """Put the features of tiles that were flipped upside down in the order of the edges."""
    edge = np.arange(len(features[0]))
    order = edge - edge % 4 + MIRRORED_SIDE[edge % 4]
    return tuple(feature[order] for feature in features)
