"""Mirroring: how far two tiles mirror each other across a joint.

Any picture fits its mirror image. So the borders of two panels with the same frame fit each other
back to back, and so does a panel its pendant, which was traced from the other side of the same
cartoon. Tiles that do lie side by side rarely mirror each other, except in the middle of an
ornament: a joint between two that do looks right, but says little.

What runs across a joint, such as the mouldings of a frame, is alike on both sides of any right
joint. So only what changes with the distance from the joint is compared.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.system.threads import share_out

CELLS = 16  # rows and cols of the copy that is looked at
STEP = 2.0  # grey levels of one unit of a relief
FAINT = 10.0  # grey levels (standard deviation); less is mostly wear and grime
BLOCK = 256  # tiles that are read at a time
PAIRS = 1 << 14  # pairs that are compared at a time


@dataclass(frozen=True)
class Reliefs:
    """How n tiles change with the distance from each of their sides.

    ``relief`` int8 [4n, 16, 16] has the cells of each tile as seen from an edge, the outermost
    first, clockwise along the edge, and without the mean over the distance; ``length`` [4n] is its
    norm, or that of a faint picture if it has less.
    """

    relief: NDArray[np.int8]
    length: NDArray[np.float32]

    @classmethod
    def of(cls, pixels: NDArray[np.uint8]) -> "Reliefs":
        """Look at tiles [n, S, S, 3]."""
        n = len(pixels)
        relief = np.empty((n, 4, CELLS, CELLS), np.int8)
        length = np.empty((n, 4), np.float32)

        def read(first: int, stop: int) -> None:
            cells = np.empty((stop - first, CELLS, CELLS), np.uint8)
            for cell, tile in zip(cells, pixels[first:stop], strict=True):
                grey = cv2.cvtColor(np.ascontiguousarray(tile), cv2.COLOR_RGB2GRAY)
                cv2.resize(grey, (CELLS, CELLS), cell, interpolation=cv2.INTER_AREA)
            for side in range(4):
                seen = np.rot90(cells, side, axes=(1, 2)).astype(np.float32) / STEP
                change = seen - seen.mean(axis=1, keepdims=True)
                relief[first:stop, side] = np.rint(change)
                length[first:stop, side] = np.linalg.norm(change, axis=(1, 2))

        share_out(read, n, BLOCK)
        length = np.maximum(length, FAINT / STEP * CELLS)
        return cls(relief.reshape(4 * n, CELLS, CELLS), length.ravel())

    def likeness(self, one: NDArray[np.integer], other: NDArray[np.integer]) -> NDArray[np.float32]:
        """Return how far two tiles mirror each other where their edges meet, from -1 to 1: [k].

        Args:
            one: Edges: [k].
            other: The edge that each would meet: [k].

        Examples:
            >>> import numpy as np
            >>> from azulejar.imaging.mirroring import Reliefs
            >>> tile = np.random.default_rng(0).integers(0, 256, (32, 32, 3), np.uint8)
            >>> reliefs = Reliefs.of(np.stack([tile, tile[:, ::-1]]))
            >>> right, left = np.array([1]), np.array([4 + 3])
            >>> reliefs.likeness(right, left).round(1).tolist()
            [1.0]
        """
        found = np.empty(len(one), np.float32)
        for start in range(0, len(one), PAIRS):
            a, b = one[start : start + PAIRS], other[start : start + PAIRS]
            mirrored = self.relief[b][:, :, ::-1].astype(np.float32)
            product = np.einsum("kij,kij->k", self.relief[a].astype(np.float32), mirrored)
            found[start : start + PAIRS] = product / (self.length[a] * self.length[b])
        return found
