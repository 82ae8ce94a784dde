"""Made-up patterns: random designs, and very many tiles that cost little to make."""

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.practice.painting.patterns import COLOURS, SHAPES, SYMMETRIES, Motif, PatternDesign

# Rows and cols, drop, and the symmetries that such a module may have.
MODULES = (
    ((1, 1), 0, ("all", "half turns", "none", "quarter turns", "mirrors")),
    ((2, 2), 0, ("quarter turns", "all", "mirrors", "half turns", "none")),
    ((2, 2), 0, ("quarter turns", "all", "mirrors", "half turns")),
    ((4, 4), 0, ("all", "quarter turns", "mirrors")),
    ((4, 4), 0, ("all", "quarter turns", "half turns")),
    ((6, 6), 0, ("all", "quarter turns")),
    ((2, 2), 1, ("half turns", "none")),
    ((4, 2), 2, ("half turns", "none")),
    ((3, 3), 0, ("all", "mirrors", "quarter turns")),
    ((4, 4), 2, ("half turns",)),
    ((6, 6), 3, ("half turns",)),
)
GROUNDS = ("white", "white", "white", "white", "pale")
SMALL = ("square", "corner", "star")  # shapes that are drawn smaller
ALIKE = 0.4  # share of the cheap tiles that show a design
COPIES = 30, 300  # cheap tiles of a design


def random_design(seed: int) -> PatternDesign:
    """Return a design of random motifs in two to four colours; same seed, same design."""
    rng = np.random.default_rng(seed)
    (rows, cols), drop, symmetries = MODULES[rng.integers(len(MODULES))]
    symmetry = symmetries[rng.integers(len(symmetries))]
    ground = GROUNDS[rng.integers(len(GROUNDS))]
    colours = rng.permutation([each for each in COLOURS if each != ground])[: rng.integers(2, 5)]
    count = int(np.ceil(3 + 6 * rows * cols / len(SYMMETRIES[symmetry])))
    motifs = []
    for _ in range(max(5, count)):
        shape = list(SHAPES)[rng.integers(len(SHAPES))]
        size = rng.uniform(0.1, 0.36) * (1 + 0.22 * (rows - 1)) * (0.8 if shape in SMALL else 1)
        x, y = rng.uniform(-0.5, 0.5, 2) * (cols, rows)
        angle = 15.0 * rng.integers(24)
        motifs.append(Motif(shape, x, y, size, angle, str(rng.choice(colours))))
    motifs.sort(key=lambda motif: -motif.size)  # small ones above
    return PatternDesign(f"random {seed}", rows, cols, symmetry, ground, tuple(motifs), drop)


def cheap_tiles(count: int, size: int, seed: int = 0) -> NDArray[np.uint8]:
    """Return tiles of smooth random colours [count, size, size, 3], some of them alike but for
    light, turn and noise. They stand for real ones where only time is measured."""
    rng = np.random.default_rng(seed)
    tiles = np.empty((count, size, size, 3), np.uint8)

    def smooth(mean: float, spread: float, cells: int) -> NDArray[np.float32]:
        few = rng.normal(mean, spread, (cells, cells, 3)).astype(np.float32)
        return cv2.resize(few, (size, size), interpolation=cv2.INTER_CUBIC)

    made = 0
    while made < ALIKE * count:
        painting = smooth(160, 70, 7)
        for _ in range(min(int(rng.integers(*COPIES)), count - made)):
            lit = np.rot90(painting, rng.integers(4)) * rng.uniform(0.85, 1.1)
            tiles[made] = np.clip(lit + smooth(0, 14, 12), 0, 255)
            made += 1
    for tile in tiles[made:]:
        tile[:] = np.clip(smooth(160, 70, 7), 0, 255)
    return tiles[rng.permutation(count)]
