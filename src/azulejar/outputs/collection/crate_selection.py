"""Which crates to open together, so that a panel's tiles come onto one table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

ENOUGH = 0.8  # share of a panel's tiles at which no further crate is opened
LEAST = 0.5  # share that is still worth a mention
MOST = 6  # crates that can be opened at a time
ROUNDS = 12  # in which crates and panels are ordered

Crates = Mapping[str, Mapping[str, int]]
"""By panel, how many of its tiles lie in each crate."""


@dataclass(frozen=True)
class CrateSelection:
    """Crates to open for a panel: they hold ``share`` of its ``tiles``.

    ``also`` has the shares that they hold of other panels.
    """

    panel: str
    crates: tuple[str, ...]
    tiles: int
    share: float
    also: dict[str, float]

    @property
    def gain(self) -> float:
        """Tiles of the panel that each opened crate brings."""
        return self.share * self.tiles / len(self.crates)


def select_crates(panels: Crates) -> list[CrateSelection]:
    """Select crates for each panel that few of several crates nearly complete, best first."""
    found = []
    inside: dict[str, list[str]] = {}  # panels by crate
    for panel, crates in panels.items():
        for crate in crates:
            inside.setdefault(crate, []).append(panel)
    for panel, crates in panels.items():
        chosen = _fewest(crates)
        total = sum(crates.values())
        share = sum(crates[crate] for crate in chosen) / max(1, total)
        if len(chosen) > 1 and share >= LEAST:
            near = dict.fromkeys(other for crate in chosen for other in inside[crate])
            others = {other: panels[other] for other in near if other != panel}
            found.append(CrateSelection(panel, chosen, total, share, _also(others, chosen)))
    return sorted(found, key=lambda selection: (-selection.gain, -selection.share))


def panels_in_one_crate(panels: Crates) -> list[str]:
    """Return the panels of which one crate holds enough."""
    return [
        panel
        for panel, crates in panels.items()
        if max(crates.values()) >= ENOUGH * sum(crates.values())
    ]


def _fewest(crates: Mapping[str, int]) -> tuple[str, ...]:
    """Return the fullest crates until they hold enough, or are as many as can be opened."""
    wanted, held, chosen = ENOUGH * sum(crates.values()), 0, []
    for crate, count in sorted(crates.items(), key=lambda pair: -pair[1])[:MOST]:
        if held >= wanted:
            break
        chosen.append(crate)
        held += count
    return tuple(chosen)


def _also(others: Crates, chosen: Sequence[str]) -> dict[str, float]:
    """Return the other panels of which the chosen crates hold half, with the share."""
    shares = {
        other: sum(crates.get(crate, 0) for crate in chosen) / sum(crates.values())
        for other, crates in others.items()
    }
    best = sorted((pair for pair in shares.items() if pair[1] >= LEAST), key=lambda p: -p[1])
    return dict(best[:4])


def order_in_blocks(panels: Crates) -> tuple[list[str], list[str]]:
    """Order crates and panels so that those that belong to each other come side by side.

    Each is moved to the mean position of what it is tied to, repeatedly.
    """
    columns = list(panels)
    rows = list(dict.fromkeys(crate for crates in panels.values() for crate in crates))
    for _ in range(ROUNDS):
        place = {panel: i for i, panel in enumerate(columns)}
        rows.sort(key=lambda crate: _middle({p: c.get(crate, 0) for p, c in panels.items()}, place))
        place = {crate: i for i, crate in enumerate(rows)}
        columns.sort(key=lambda panel: _middle(panels[panel], place))
    return rows, columns


def _middle(weights: Mapping[str, int], place: Mapping[str, int]) -> float:
    total = sum(weights.values())
    return sum(weight * place[name] for name, weight in weights.items()) / max(1, total)
