"""``panels/index.html``: all panels of a collection, as they might hang on a wall."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from azulejar.outputs.collection.panels import SMALL_NAME, SolvedPanel
from azulejar.outputs.html import write_html
from azulejar.outputs.wording import TRUST, count_noun, format_percent, largest_crates

NAME = "index.html"
ORDERS = {
    "merit": "best first",
    "tiles": "largest first",
    "complete": "most complete first",
    "confidence": "surest first",
    "doubt": "most doubtful tiles first",
    "name": "by name",
}


def write_overview(
    folder: str | os.PathLike[str],
    title: str,
    panels: Sequence[SolvedPanel],
    inventory: Mapping[str, Sequence[str]],
) -> None:
    """Write the page beside the panels' folders; ``panels`` come best first.

    ``inventory`` holds the inventory numbers of each panel, by its name, for the search.
    """
    kinds = [panel.trust for panel in panels]
    write_html(
        Path(folder) / NAME,
        "collection_panels.html",
        title=title,
        facts=_facts(panels),
        small=SMALL_NAME,
        orders=ORDERS,
        kinds=[(kind, text, kinds.count(kind)) for kind, text in TRUST.items() if kind in kinds],
        finest_crates=largest_crates(panels[0].crates, 6) if panels else None,
        cards=[_card(panel, inventory.get(panel.name, ())) for panel in panels],
    )


def _facts(panels: Sequence[SolvedPanel]) -> dict[str, str]:
    tiles, within = sum(p.tiles for p in panels), sum(p.within for p in panels)
    places = sum(p.places for p in panels)
    sure = sum(panel.trust == "sure" for panel in panels)
    crates = {crate for panel in panels for crate in panel.crates}
    return {
        "panels": f"{len(panels):,}",
        "likely right": f"{sure:,}",
        "tiles in place": f"{tiles:,}",
        "places still empty": f"{places - within:,}",
        "complete": format_percent(within / max(1, places)),
        "from crates": f"{len(crates):,}",
    }


def _card(panel: SolvedPanel, numbers: Sequence[str]) -> dict[str, Any]:
    """Return what the page shows of a panel; ``words`` are those by which it is found."""
    notes = []
    if panel.outdated:
        notes.append("solved of other tiles than the last sort found")
    if panel.vanished:
        notes.append(f"{count_noun(panel.vanished, 'picture')} vanished, shown as small copies")
    if panel.loose:
        part = count_noun(panel.loose, "tile")
        notes.append(
            f"may be two panels: {part} meet the rest along a seam whose sides mirror each other"
            if panel.mirrored
            else f"a part of {part} is connected to the rest by mostly doubtful joints"
        )
    return {
        "panel": panel,
        "trust": panel.trust,
        "trust_text": TRUST[panel.trust],
        "size": _size(panel),
        "words": " ".join([panel.name, *panel.crates, *numbers]),
        "crates": largest_crates(panel.crates, 3),
        "note": "; ".join(notes),
    }


def _size(panel: SolvedPanel) -> str:
    holes = f"{panel.holes:,} missing" if panel.holes else "complete"
    outside = f" · {panel.outside:,} outside" if panel.outside else ""
    return f"{panel.rows} × {panel.cols} · {count_noun(panel.tiles, 'tile')} · {holes}{outside}"
