"""The paper's networks as measures: red, green, blue, rgb, and their sum dlcm-paper.

They take both tiles at once, so every pair costs a run of the network: hours on a CPU. On a GPU the
tiles stay there, and what depends on one tile alone is worked out once, so that it takes seconds.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from azulejar.measures.learned import LearnedMeasure, as_input, edge_views
from azulejar.measures.runtime import Arrays, Function, load_module, on_arrays

BATCH = 8192  # pairs scored at a time on a GPU, which takes about 1 GB


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

        def numbers(part: slice) -> Arrays:
            return edge[part], other[part]

        def pictures(part: slice) -> Arrays:
            return (_pairs(tiles, edge[part], other[part]),)

        function: str | Function
        inputs: Callable[[slice], Arrays]
        for number, graph in enumerate(self.graphs):
            found = np.empty(len(edge), np.float32)
            progress = self.part(number / len(self.graphs), (number + 1) / len(self.graphs))
            if self.runtime.torch_has_gpu:
                function, inputs, batch = self._edge_pairs(graph, tiles), numbers, BATCH
            else:
                function, inputs, batch = graph, pictures, None
            self.runtime.run(function, len(edge), inputs, (found,), progress, batch=batch)
            self.table[edge, other] += found

    def _edge_pairs(self, graph: str, tiles: NDArray[np.uint8]) -> Function:
        """Return the function from edges and others, each [m], to scores, with tiles on the GPU."""
        import torch

        from azulejar.learning import views
        from azulejar.learning.paper_network import EdgePairs, PairNetwork

        device = self.runtime.device
        network = load_module(self.model, graph, device)
        assert isinstance(network, PairNetwork)
        with torch.inference_mode():
            seen = views.edge_views(torch.from_numpy(tiles).to(device)).float() / 255
            return on_arrays(EdgePairs(network, seen), device)

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
