"""``report.html``: one page on the whole collection, for the director."""

import base64
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from azulejar.collection.sort_results import Group, SortResult
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.overrides import removed_tiles
from azulejar.outputs.collection.charts import draw_columns, draw_crate_matrix
from azulejar.outputs.collection.crate_selection import (
    Crates,
    panels_in_one_crate,
    select_crates,
)
from azulejar.outputs.collection.panels import PANELS, SMALL_NAME, SolvedPanel, count_shares
from azulejar.outputs.html import write_html
from azulejar.outputs.wording import TRUST, count_clause, count_noun, format_percent
from azulejar.version import __version__

NAME = "report.html"
FINEST = 10
SELECTIONS = 12  # of crates to open
NAMED = 12  # panels of a kind


@dataclass(frozen=True)
class CollectionSummary:
    """All that the report shows: solved panels come finest first; ``crates`` counts tiles.

    ``tiles`` counts all that were not removed, also those that came since the last sort.
    """

    title: str
    tiles: int
    crates: dict[str, int]
    groups: list[Group]
    strays: int
    duplicates: int
    panels: list[SolvedPanel]
    by_crate: Crates  # of each group, solved or not

    @classmethod
    def of(
        cls, collection: Collection, found: SortResult, panels: Sequence[SolvedPanel]
    ) -> "CollectionSummary":
        """Count what the collection, its last sort and its solved panels hold."""
        crates = [entry.crate for entry in collection.entries()]
        return cls(
            collection.name,
            len(collection) - len(removed_tiles(collection)),
            collection.crates(),
            found.groups,
            len(found.strays),
            len(found.duplicates),
            list(panels),
            {group.name: Counter(crates[tile] for tile in group.tiles) for group in found.groups},
        )

    @property
    def unsolved(self) -> list[Group]:
        """The groups that were not put together."""
        solved = {panel.name for panel in self.panels}
        return [group for group in self.groups if group.name not in solved]

    @property
    def mixed(self) -> list[str]:
        """The names of panels that may hold two."""
        return [group.name for group in self.groups if group.apart]

    def trusted(self, trust: str) -> list[SolvedPanel]:
        """Return the panels with that key of ``TRUST``; those that may hold two are to check."""
        mixed = set(self.mixed)
        return [
            panel
            for panel in self.panels
            if ("check" if panel.name in mixed else panel.trust) == trust
        ]


def write_director_report(
    collection: Collection, found: SortResult, panels: Sequence[SolvedPanel]
) -> Path:
    """Write the page into the collection's folder, and return its path."""
    summary = CollectionSummary.of(collection, found, panels)
    mixed = set(summary.mixed)
    panels = sorted(panels, key=lambda panel: panel.name in mixed)
    today = date.today()
    path = collection.folder / NAME
    write_html(
        path,
        "director_report.html",
        title=summary.title,
        today=f"{today.day} {today:%B %Y}",
        claim=_claim(summary),
        facts=_facts(summary),
        shares=_shares(summary),
        panels=PANELS,
        finest=[_finest(panel, collection.folder / PANELS) for panel in panels[:FINEST]],
        columns=draw_columns(summary.panels) if summary.panels else None,
        completeness=_completeness(summary),
        **_crates(summary),
        doubts=_doubts(summary),
        version=__version__,
    )
    return path


def _claim(summary: CollectionSummary) -> str:
    """Sum the collection up in two sentences."""
    grouped = sum(len(group.tiles) for group in summary.groups)
    sure, solved = len(summary.trusted("sure")), len(summary.panels)
    claim = (
        f"Of {count_noun(summary.tiles, 'tile')} in {count_noun(len(summary.crates), 'crate')}, "
        f"{grouped:,} ({format_percent(grouped / max(1, summary.tiles))}) belong to "
        f"{count_noun(len(summary.groups), 'likely panel')}. "
    )
    if not solved:
        return claim + "None has been put together yet."
    return claim + (
        f"{count_clause(solved, 'panel', 'has', 'have')} been put together; "
        f"{'all' if sure == solved else f'{sure:,}' if sure else 'none'} of them "
        "are likely right in the main."
    )


def _facts(summary: CollectionSummary) -> dict[str, str]:
    places, placed = sum(p.places for p in summary.panels), sum(p.within for p in summary.panels)
    return {
        "tiles": f"{summary.tiles:,}",
        "crates": f"{len(summary.crates):,}",
        "likely panels": f"{len(summary.groups):,}",
        "put together": f"{len(summary.panels):,}",
        "complete": format_percent(placed / places) if places else "–",
        "strays": f"{summary.strays:,}",
        "pairs of one tile": f"{summary.duplicates:,}",
    }


def _shares(summary: CollectionSummary) -> list[tuple[str, int, str]]:
    """Return text, tiles and style of each share of all tiles that is not empty."""
    texts = {trust: f"in panels that are {text}" for trust, text in TRUST.items()}
    texts |= {"waiting": "not put together yet", "new": "not sorted yet", "rest": "strays"}
    counts = count_shares(summary.tiles, summary.groups, summary.panels, summary.strays)
    return [(texts[kind], count, kind) for kind, count in counts.items() if count]


def _finest(panel: SolvedPanel, home: Path) -> dict[str, Any]:
    small = base64.b64encode((home / panel.folder / SMALL_NAME).read_bytes()).decode("ascii")
    return {
        "name": panel.name,
        "folder": panel.folder,
        "ratio": panel.cols / panel.rows,
        "picture": f"data:image/webp;base64,{small}",
        "caption": f"{panel.within:,} of {count_noun(panel.places, 'place')}, {TRUST[panel.trust]}",
    }


def _completeness(summary: CollectionSummary) -> str:
    full = sum(panel.holes == 0 for panel in summary.panels)
    nearly = sum(panel.complete >= 0.9 for panel in summary.panels) - full
    holes = sum(panel.holes for panel in summary.panels)
    return (
        f"{count_clause(full, 'panel') if full else 'No panel is'} whole, "
        f"{nearly:,} {'more ' * bool(full)}lack at most one tile in ten; "
        f"{count_clause(holes, 'place')} empty in all."
    )


def _crates(summary: CollectionSummary) -> dict[str, Any]:
    """Return the part on crates to open together: its lead, the selections and their matrix."""
    found, single = select_crates(summary.by_crate), panels_in_one_crate(summary.by_crate)
    lead = []
    if single:
        one = count_clause(len(single), "panel", "lies", "lie")
        lead.append(f"{one} almost whole in one crate.")
    spread = len(summary.groups) - len(found) - len(single)
    if spread:
        lead.append(
            f"{count_clause(spread, 'panel')} spread so widely that no six "
            "crates hold half of one: groups/groups.csv lists crate and panel of every tile, "
            "for sorting them anew."
        )
    shown = found[:SELECTIONS]
    matrix = _main_crates(summary.by_crate, [selection.panel for selection in shown])
    return {
        "has_groups": bool(summary.groups),
        "crates_lead": " ".join(lead),
        "selections": shown,
        "matrix": draw_crate_matrix(matrix) if shown else None,
    }


def _main_crates(by_crate: Crates, chosen: Sequence[str]) -> Crates:
    """Return for each chosen panel the crates that hold a tenth of it or more."""
    return {
        panel: {
            crate: count
            for crate, count in by_crate[panel].items()
            if count >= 0.1 * sum(by_crate[panel].values())
        }
        for panel in chosen
    }


def _doubts(summary: CollectionSummary) -> list[str]:
    """Return what is uncertain, in sentences, weightiest first."""
    found = []
    if mixed := summary.mixed:
        more = f" and {len(mixed) - NAMED:,} more" if len(mixed) > NAMED else ""
        found.append(
            f"{count_noun(len(mixed), 'panel')} may hold two, since a large part holds to the rest "
            f"by few joints: {', '.join(mixed[:NAMED])}{more}."
        )
    for trust, words in (("check", "doubtful as a whole"), ("fair", "likely right in part only")):
        if some := summary.trusted(trust):
            names = [panel.name for panel in some[:NAMED]]
            more = f" and {len(some) - NAMED:,} more" if len(some) > NAMED else ""
            found.append(f"{count_clause(len(some), 'panel')} {words}: {', '.join(names)}{more}.")
    if doubtful := sum(panel.doubtful for panel in summary.panels):
        found.append(
            f"{count_clause(doubtful, 'tile')} in place but more likely wrong than right. The "
            "report of each panel shows them first, with what would fit."
        )
    if outside := sum(panel.outside for panel in summary.panels):
        found.append(
            f"{count_clause(outside, 'tile', 'lies', 'lie')} outside the likely outline of a "
            "panel: their neighbours are missing, or they belong elsewhere in it."
        )
    if outdated := sum(panel.outdated for panel in summary.panels):
        found.append(
            f"{count_clause(outdated, 'panel', 'was', 'were')} put together before the last sort "
            "and may lack tiles that were found since."
        )
    if waiting := summary.unsolved:
        tiles = count_noun(sum(len(group.tiles) for group in waiting), "tile")
        found.append(f"{count_clause(len(waiting), 'group')} not put together yet: {tiles}.")
    if summary.strays:
        found.append(
            f"{count_clause(summary.strays, 'tile', 'fits', 'fit')} no panel well enough. They may "
            "be the last of their panels, or too worn to tell."
        )
    if summary.duplicates:
        found.append(
            f"{count_clause(summary.duplicates, 'pair')} likely one tile each, photographed twice "
            "under two inventory numbers."
        )
    if vanished := sum(panel.vanished for panel in summary.panels):
        found.append(
            f"The pictures of {count_noun(vanished, 'tile')} are no longer where they were; small "
            "copies are shown."
        )
    found.append(
        "Which way up a panel hung is not known to the program unless the turn of one of its "
        "tiles is on record."
    )
    return found
