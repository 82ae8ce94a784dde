"""Which crates to open together, so that a panel's tiles come onto one table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

ENOUGH = 0.8  # share of a panel's tiles worth opening crates for
LEAST = 0.5  # what is still worth a mention
MOST = 6  # crates that can be opened at a time

Crates = Mapping[str, Mapping[str, int]]
"""By panel, how many of its tiles lie in each crate."""


@dataclass(frozen=True)
class Opening:
    """``crates`` hold ``share`` of the ``tiles`` of a panel; ``also`` has shares of others."""

    panel: str
    crates: tuple[str, ...]
    tiles: int
    share: float
    also: dict[str, float]

    @property
    def gain(self) -> float:
        """Tiles of the panel that each opened crate brings."""
        return self.share * self.tiles / len(self.crates)


def openings(panels: Crates) -> list[Opening]:
    """For each panel in several crates that few of them nearly make, best first."""
    found = []
    for panel, crates in panels.items():
        chosen = _fewest(crates)
        total = sum(crates.values())
        share = sum(crates[crate] for crate in chosen) / max(1, total)
        if len(chosen) > 1 and share >= LEAST:
            found.append(Opening(panel, chosen, total, share, _also(panels, panel, chosen)))
    return sorted(found, key=lambda opening: (-opening.gain, -opening.share))


def alone(panels: Crates) -> list[str]:
    """The panels of which one crate holds enough."""
    return [
        panel
        for panel, crates in panels.items()
        if max(crates.values()) >= ENOUGH * sum(crates.values())
    ]


def _fewest(crates: Mapping[str, int]) -> tuple[str, ...]:
    """The fullest crates until they hold enough, or are as many as can be opened."""
    wanted, held, chosen = ENOUGH * sum(crates.values()), 0, []
    for crate, count in sorted(crates.items(), key=lambda pair: -pair[1])[:MOST]:
        if held >= wanted:
            break
        chosen.append(crate)
        held += count
    return tuple(chosen)


def _also(panels: Crates, panel: str, chosen: Sequence[str]) -> dict[str, float]:
    """What else the chosen crates hold half of."""
    shares = {
        other: sum(crates.get(crate, 0) for crate in chosen) / sum(crates.values())
        for other, crates in panels.items()
        if other != panel
    }
    best = sorted((pair for pair in shares.items() if pair[1] >= LEAST), key=lambda p: -p[1])
    return dict(best[:4])


def in_blocks(panels: Crates, rounds: int = 12) -> tuple[list[str], list[str]]:
    """Crates and panels, ordered so that those that belong to each other come side by side.

    Each is moved to the middle of what it is tied to, again and again.
    """
    columns = list(panels)
    rows = list(dict.fromkeys(crate for crates in panels.values() for crate in crates))
    for _ in range(rounds):
        place = {panel: i for i, panel in enumerate(columns)}
        rows.sort(key=lambda crate: _middle({p: c.get(crate, 0) for p, c in panels.items()}, place))
        place = {crate: i for i, crate in enumerate(rows)}
        columns.sort(key=lambda panel: _middle(panels[panel], place))
    return rows, columns


def _middle(weights: Mapping[str, int], place: Mapping[str, int]) -> float:
    total = sum(weights.values())
    return sum(weight * place[name] for name, weight in weights.items()) / max(1, total)
