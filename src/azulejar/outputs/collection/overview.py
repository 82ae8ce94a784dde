"""``panels/index.html``: all panels of a collection, as they might hang on a wall."""

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from urllib.parse import quote

from azulejar.outputs.collection.page import open_page, wall
from azulejar.outputs.collection.panels import SMALL_NAME, Panel
from azulejar.outputs.collection.words import (
    TRUST,
    counted,
    crates_shown,
    per_cent,
    sureness,
    trust,
)
from azulejar.system.atomic import replacing

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
    folder: Path, title: str, panels: Sequence[Panel], inventory: Mapping[str, Sequence[str]]
) -> None:
    """Write the page beside the panels' folders; ``panels`` come best first.

    ``inventory`` holds the inventory numbers of each panel, by its name, for the search.
    """
    body = _header(title, panels) + (_wall(panels, inventory) if panels else "")
    text = open_page(escape(title), body, script="wall.js")
    with replacing(folder / NAME) as temporary:
        temporary.write_text(text, encoding="utf-8")


def _header(title: str, panels: Sequence[Panel]) -> str:
    tiles, within = sum(p.tiles for p in panels), sum(p.within for p in panels)
    places = sum(p.places for p in panels)
    sure = sum(trust(panel.confidence) == "sure" for panel in panels)
    crates = {crate for panel in panels for crate in panel.crates}
    facts = {
        "panels": f"{len(panels):,}",
        "likely right": f"{sure:,}",
        "tiles in place": f"{tiles:,}",
        "places still empty": f"{places - within:,}",
        "complete": per_cent(within / max(1, places)),
        "from crates": f"{len(crates):,}",
    }
    items = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in facts.items())
    return (
        f'<header class="opening"><p class="kicker">The panels of</p><h1>{escape(title)}</h1>'
        f'<dl class="facts">{items}</dl></header>'
    )


def _wall(panels: Sequence[Panel], inventory: Mapping[str, Sequence[str]]) -> str:
    cards = "\n".join(
        _card(panel, rank, inventory.get(panel.name, ())) for rank, panel in enumerate(panels)
    )
    kinds = [trust(panel.confidence) for panel in panels]
    return f"""{_finest(panels[0])}
{wall(cards, ORDERS, {TRUST[kind]: (kind, kinds.count(kind)) for kind in TRUST})}
<p class="lead small">Confidence is how likely a tile lies right among its neighbours, the mean over
the panel’s tiles; it is the program’s own opinion, and too high on plain or worn tiles. Missing are
empty places within the likely outline of a panel; tiles outside it likely lie wrong. Which way is
up is known only where the turn of a tile is: ↻ turns a picture on this page, and this computer
remembers it. A click on a picture opens the panel’s report.</p>"""


def _finest(panel: Panel) -> str:
    return (
        f'<figure class="finest"><a href="{_link(panel)}">'
        f'<img src="{quote(panel.folder)}/{SMALL_NAME}" alt="Panel {escape(panel.name)}"></a>'
        f'<figcaption><p class="kicker">The finest</p><h2>Panel {escape(panel.name)}</h2>'
        f"<p>{_size(panel)}</p>{_bar(panel)}"
        f"<p>From {counted(len(panel.crates), 'crate')}: {crates_shown(panel.crates, 6)}.</p>"
        f'<p class="links"><a href="{_link(panel)}">Report</a>'
        f'<a href="{quote(panel.folder)}/panel.png">Picture</a>'
        f'<a href="{quote(panel.folder)}/placement.csv">List of tiles</a></p>'
        "</figcaption></figure>"
    )


def _card(panel: Panel, rank: int, numbers: Sequence[str]) -> str:
    words = escape(" ".join([panel.name, *panel.crates, *numbers]), quote=True)
    kind = trust(panel.confidence)
    notes = []
    if panel.outdated:
        notes.append("solved of other tiles than the last sort found")
    if panel.vanished:
        notes.append(f"{counted(panel.vanished, 'picture')} vanished, shown as small copies")
    told = f'<p class="note">{escape("; ".join(notes))}</p>' if notes else ""
    return (
        f'<article class="card" data-trust="{kind}" data-merit="{-rank}" '
        f'data-tiles="{panel.tiles}" data-complete="{panel.complete:.4f}" '
        f'data-confidence="{panel.confidence:.4f}" data-doubt="{panel.doubtful}" '
        f'data-name="{escape(panel.name, quote=True)}" data-words="{words}">'
        f'<div class="mat"><a href="{_link(panel)}"><img loading="lazy" decoding="async" '
        f'src="{quote(panel.folder)}/{SMALL_NAME}" alt="Panel {escape(panel.name)}"></a>'
        '<button type="button" class="turn" title="Turn the picture" hidden>↻</button></div>'
        f'<h3>Panel {escape(panel.name)}</h3><p class="size">{_size(panel)}</p>{_bar(panel)}'
        f'<p class="from">{counted(len(panel.crates), "crate")}: '
        f"{crates_shown(panel.crates, 3)}</p>{told}</article>"
    )


def _size(panel: Panel) -> str:
    holes = f"{panel.holes:,} missing" if panel.holes else "complete"
    outside = f" · {panel.outside:,} outside" if panel.outside else ""
    return f"{panel.rows} × {panel.cols} · {counted(panel.tiles, 'tile')} · {holes}{outside}"


def _bar(panel: Panel) -> str:
    kind, sure = trust(panel.confidence), escape(sureness(panel.confidence))
    return (
        f'<p class="trust"><span>{TRUST[kind]}</span><span>{sure}</span></p>'
        f'<div class="bar"><i class="{kind}" style="width:{100 * panel.confidence:.0f}%"></i></div>'
    )


def _link(panel: Panel) -> str:
    return f"{quote(panel.folder)}/report.html"
