"""Encode pictures of tiles as a collection stores them: small copies and descriptions of edges."""

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar.errors import AzulejarError
from azulejar.imaging.picture import read_tile
from azulejar.measures.learned import SIZE, as_input, encode_edges
from azulejar.measures.runtime import Runtime
from azulejar.weights import load_model

MODEL = "best"
WIDTH = 1600  # numbers that describe an edge in either role: 64 at each of 25 points along it


@dataclass(frozen=True)
class Encoded:
    """A block of b tiles.

    ``pixels`` uint8 [b, 50, 50, 3]; ``descriptions`` int8 [4b, 2, 1600] of every edge as anchor
    and as partner; ``scales`` float32 [4b, 2], the factors from descriptions to the network's
    output. ``broken`` says why pictures cannot be used, by their index; their rows are zero.
    """

    pixels: NDArray[np.uint8]
    descriptions: NDArray[np.int8]
    scales: NDArray[np.float32]
    broken: dict[int, str] = field(default_factory=dict)


def model_checksum() -> str:
    """Return the checksum of the network that describes a collection's tiles."""
    return load_model(MODEL).checksum


def encode_pictures(shared: tuple[NDArray, ...], block: list[tuple[str, bytes]]) -> Encoded:
    """Decode and describe pictures, given by their names and contents; ``shared`` is empty."""
    pixels = np.zeros((len(block), SIZE, SIZE, 3), np.uint8)
    broken = {}
    for i, (name, content) in enumerate(block):
        try:
            pixels[i] = read_tile(Path(name), SIZE, content=content, fill=True)
        except AzulejarError as error:
            broken[i] = error.problem
    good = np.array([i not in broken for i in range(len(block))], bool)
    descriptions = np.zeros((4 * len(block), 2, WIDTH), np.int8)
    scales = np.zeros((4 * len(block), 2), np.float32)
    if good.any():
        edges = np.repeat(good, 4)
        descriptions[edges], scales[edges] = describe_tiles(pixels[good])
    return Encoded(pixels, descriptions, scales, broken)


encode_pictures.wants_gpu = True  # type: ignore[attr-defined]


def describe_tiles(
    pixels: NDArray[np.uint8], runtime: Runtime | None = None
) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return descriptions int8 [4n, 2, 1600] and scales float32 [4n, 2] of tiles [n, S, S, 3].

    ``runtime`` runs another network than the one of collections on this machine.
    """
    roles = encode_edges(runtime or _runtime(), as_input(pixels))
    seen = np.stack([role.reshape(4 * len(pixels), -1) for role in roles], axis=1)
    scales = np.maximum(np.abs(seen).max(axis=2), 1e-12) / 127
    return np.rint(seen / scales[..., None]).astype(np.int8), scales.astype(np.float32)


@cache
def _runtime() -> Runtime:
    return Runtime(load_model(MODEL))
