"""The paper's networks as measures: red, green, blue, rgb, and their sum dlcm-paper.

They take both tiles at once, so every pair costs a run of the network: minutes to hours on a CPU,
seconds on a GPU.
"""

import numpy as np
from numpy.typing import NDArray

from azulejar.measures.learned import LearnedMeasure, as_input, edge_views


class PaperMeasure(LearnedMeasure):
    """Triplet-trained pair networks (paper, section 4)."""

    model_name = "paper"
    post = ("minmax", "symmetric")
    rank_post = post

    def prepare(self, pixels: NDArray[np.uint8]) -> None:
        tiles = as_input(pixels)
        edges = 4 * len(tiles)
        edge, other = np.divmod(np.arange(edges * edges), edges)
        wanted = ~self.barred(np.arange(edges), edges, self.upright).ravel()
        edge, other = edge[wanted], other[wanted]
        self.table = np.zeros((edges, edges), np.float32)
        for number, graph in enumerate(self.graphs):
            found = np.empty(len(edge), np.float32)
            self.runtime.run(
                graph,
                len(edge),
                lambda part: (_pairs(tiles, edge[part], other[part]),),
                (found,),
                self.part(number / len(self.graphs), (number + 1) / len(self.graphs)),
            )
            self.table[edge, other] += found

    def dissimilarity(self, rows: NDArray[np.intp]) -> NDArray[np.float64]:
        return -self.table[rows].astype(np.float64)


def _pairs(
    tiles: NDArray[np.uint8], edge: NDArray[np.intp], other: NDArray[np.intp]
) -> NDArray[np.float32]:
    """Put both tiles side by side, the two edges facing each other: [m, 3, 50, 100]."""
    right = edge_views(tiles, other)[:, :, ::-1, ::-1]
    return np.concatenate([edge_views(tiles, edge), right], 3)


class Red(PaperMeasure):
    name = "red"
    graphs = ("red",)


class Green(PaperMeasure):
    name = "green"
    graphs = ("green",)


class Blue(PaperMeasure):
    name = "blue"
    graphs = ("blue",)


class Rgb(PaperMeasure):
    name = "rgb"
    graphs = ("rgb",)


class DlcmPaper(PaperMeasure):
    """The sum of the four networks."""

    name = "dlcm-paper"
    graphs = ("red", "green", "blue", "rgb")
