"""The paper's networks: Red-Net, Green-Net, Blue-Net and RGB-Net (section 4.2).

The paper gives the input (two 50×50 tiles side by side), ReLU, no bias and 3.4 M parameters, but
its figure of the layers is not available to us; these layers are ours.
"""

from itertools import pairwise

from torch import Tensor, nn

CHANNELS = {"red": (0, 1), "green": (1, 2), "blue": (2, 3), "rgb": (0, 3)}  # first, end


class PairNetwork(nn.Module):
    """Score pairs [m, 3, 50, 100] from 0 to 1, anchor on the left: [m]; 3.4 M parameters."""

    def __init__(self, first: int, beyond: int) -> None:
        super().__init__()
        self.first, self.beyond = first, beyond
        layers: list[nn.Module] = []
        widths = (beyond - first, 32, 64, 128, 256)
        for before, after in pairwise(widths):
            layers += [nn.Conv2d(before, after, 3, padding=1, bias=False), nn.ReLU()]
            layers += [nn.MaxPool2d(2)]
        layers += [nn.Conv2d(256, 256, 3, padding=1, bias=False), nn.ReLU(), nn.Flatten()]
        layers += [nn.Linear(256 * 3 * 6, 512, bias=False), nn.ReLU()]
        layers += [nn.Linear(512, 64, bias=False), nn.ReLU(), nn.Linear(64, 1, bias=False)]
        self.layers = nn.Sequential(*layers)
        for layer in self.layers:
            if isinstance(layer, nn.Conv2d | nn.Linear):
                nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")

    def forward(self, pairs: Tensor) -> Tensor:
        return self.layers(pairs[:, self.first : self.beyond]).squeeze(1)


class PaperNetwork(nn.Module):
    """The four networks; each sees its own channels, and they share no weights."""

    def __init__(self) -> None:
        super().__init__()
        self.networks = nn.ModuleDict(
            {name: PairNetwork(*channels) for name, channels in CHANNELS.items()}
        )

    def forward(self, pairs: Tensor) -> dict[str, Tensor]:
        """Return the scores [m] of pairs [m, 3, 50, 100] by each network."""
        return {name: network(pairs) for name, network in self.networks.items()}
