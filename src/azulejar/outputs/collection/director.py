"""``report.html``: one page on the whole collection, for the director."""

import base64
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from html import escape
from pathlib import Path
from urllib.parse import quote

from azulejar.collection.sort_results import Group, SortResult
from azulejar.collection.storage.catalogue import Collection
from azulejar.outputs.collection.charts import crate_matrix, shares_bar, skyline
from azulejar.outputs.collection.opening import Crates, Opening, alone, openings
from azulejar.outputs.collection.page import closed_page
from azulejar.outputs.collection.panels import PANELS, SMALL_NAME, Panel
from azulejar.outputs.collection.words import TRUST, counted, listed, per_cent, trust
from azulejar.outputs.page import section
from azulejar.system.atomic import replacing
from azulejar.version import __version__

NAME = "report.html"
FINEST = 10
OPENINGS = 12
NAMED = 12  # panels of a kind


@dataclass(frozen=True)
class Whole:
    """All that the report tells: solved panels come finest first; ``crates`` counts tiles."""

    title: str
    tiles: int
    crates: dict[str, int]
    groups: list[Group]
    strays: int
    duplicates: int
    panels: list[Panel]
    by_crate: Crates  # of each group, solved or not

    @classmethod
    def of(cls, collection: Collection, found: SortResult, panels: Sequence[Panel]) -> "Whole":
        crates = [entry.crate for entry in collection.entries()]
        return cls(
            collection.name,
            found.tiles,
            collection.crates(),
            found.groups,
            len(found.strays),
            len(found.duplicates),
            list(panels),
            {group.name: Counter(crates[tile] for tile in group.tiles) for group in found.groups},
        )

    @property
    def unsolved(self) -> list[Group]:
        solved = {panel.name for panel in self.panels}
        return [group for group in self.groups if group.name not in solved]

    def kind(self, which: str) -> list[Panel]:
        """The panels that can be trusted so."""
        return [panel for panel in self.panels if trust(panel.confidence) == which]


def write_report(collection: Collection, found: SortResult, panels: Sequence[Panel]) -> Path:
    """Write the page into the collection's folder."""
    whole = Whole.of(collection, found, panels)
    parts = (
        _opening(whole),
        _shares(whole),
        _finest(whole, collection.folder / PANELS),
        _complete(whole),
        _crates(whole),
        _uncertain(whole),
    )
    path = collection.folder / NAME
    with replacing(path) as temporary:
        temporary.write_text(closed_page(escape(whole.title), "\n".join(parts)), encoding="utf-8")
    return path


def _opening(whole: Whole) -> str:
    grouped = sum(len(group.tiles) for group in whole.groups)
    sure = len(whole.kind("sure"))
    claim = (
        f"Of {counted(whole.tiles, 'tile')} in {counted(len(whole.crates), 'crate')}, "
        f"{grouped:,} ({per_cent(grouped / max(1, whole.tiles))}) belong to "
        f"{counted(len(whole.groups), 'likely panel')}. "
    )
    if whole.panels:
        claim += (
            f"{_are(len(whole.panels), 'panel', 'has', 'have')} been put together; "
            f"{'all' if sure == len(whole.panels) else f'{sure:,}' if sure else 'none'} of them "
            "are likely right in the main."
        )
    else:
        claim += "None has been put together yet."
    places, placed = sum(p.places for p in whole.panels), sum(p.within for p in whole.panels)
    facts = {
        "tiles": f"{whole.tiles:,}",
        "crates": f"{len(whole.crates):,}",
        "likely panels": f"{len(whole.groups):,}",
        "put together": f"{len(whole.panels):,}",
        "complete": per_cent(placed / places) if places else "–",
        "strays": f"{whole.strays:,}",
        "tiles taken twice": f"{whole.duplicates:,}",
    }
    items = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in facts.items())
    today = date.today()
    return (
        f'<header class="opening"><p class="kicker">Report of {today.day} {today:%B %Y}</p>'
        f'<h1>{escape(whole.title)}</h1><p class="claim">{claim}</p>'
        f'<dl class="facts">{items}</dl></header>'
    )


def _shares(whole: Whole) -> str:
    shares = [
        (f"in panels that are {TRUST[kind]}", sum(p.tiles for p in whole.kind(kind)), kind)
        for kind in TRUST
    ]
    waiting = sum(len(group.tiles) for group in whole.unsolved)
    shares += [("in groups not put together", waiting, "waiting"), ("strays", whole.strays, "rest")]
    return section("Where the tiles are", "", shares_bar(shares))


def _finest(whole: Whole, home: Path) -> str:
    shown = whole.panels[:FINEST]
    if not shown:
        return ""
    cards = "".join(_picture(panel, home) for panel in shown)
    lead = (
        f'All are on <a href="{PANELS}/index.html">the page of panels</a>, each with its report. '
        "Hatched places have no tile yet."
    )
    heading = "The finest panels" if len(shown) > 1 else "The panel"
    return section(heading, lead, f'<div class="finest-ten">{cards}</div>')


def _picture(panel: Panel, home: Path) -> str:
    source = _embedded(home / panel.folder / SMALL_NAME)
    ratio = panel.cols / panel.rows
    return (
        f'<figure style="--ratio:{ratio:.3f}">'
        f'<a href="{PANELS}/{quote(panel.folder)}/report.html">'
        f'<img src="{source}" alt="Panel {escape(panel.name)}"></a>'
        f"<figcaption><b>Panel {escape(panel.name)}</b> {panel.within:,} of "
        f"{counted(panel.places, 'place')}, {TRUST[trust(panel.confidence)]}</figcaption></figure>"
    )


def _embedded(path: Path) -> str:
    return "data:image/webp;base64," + base64.b64encode(path.read_bytes()).decode("ascii")


def _complete(whole: Whole) -> str:
    if not whole.panels:
        return ""
    full = sum(panel.holes == 0 for panel in whole.panels)
    nearly = sum(panel.complete >= 0.9 for panel in whole.panels) - full
    holes = sum(panel.holes for panel in whole.panels)
    lead = (
        "Each column is a panel: its height the places within its likely outline, the filled part "
        f"the tiles that were found. {_are(full, 'panel') if full else 'No panel is'} whole, "
        f"{nearly:,} {'more ' * bool(full)}lack at most one tile in ten; {_are(holes, 'place')} "
        "empty in all. Rows that are lost as a whole at the rim of a panel are not counted, since "
        "nothing tells of them."
    )
    return section(
        "How complete they are", lead, f'<div class="wide">{skyline(whole.panels)}</div>'
    )


def _crates(whole: Whole) -> str:
    if not whole.groups:
        return ""
    found, single = openings(whole.by_crate), alone(whole.by_crate)
    lead = []
    if single:
        lead.append(f"{_are(len(single), 'panel', 'lies', 'lie')} almost whole in one crate.")
    spread = len(whole.groups) - len(found) - len(single)
    if spread:
        lead.append(
            f"{_are(spread, 'panel')} spread so widely that no six "
            "crates hold half of one: groups/groups.csv lists crate and panel of every tile, "
            "for sorting them anew."
        )
    items = "".join(_opening_item(opening) for opening in found[:OPENINGS])
    listing = f'<ol class="openings">{items}</ol>' if items else ""
    chosen = _main_crates(whole.by_crate, [opening.panel for opening in found[:OPENINGS]])
    matrix = (
        crate_matrix(chosen) + '<p class="lead small">Crates down, panels across: the larger a '
        "disc, the more of that panel lies in that crate.</p>"
    )
    content = f'<div class="crates">{listing}<div>{matrix}</div></div>' if found else ""
    return section("Crates to open together", " ".join(lead), content)


def _opening_item(opening: Opening) -> str:
    crates = listed([f"<b>{escape(crate)}</b>" for crate in opening.crates])
    also = ""
    if opening.also:
        others = listed(
            [f"{per_cent(share)} of panel {escape(name)}" for name, share in opening.also.items()]
        )
        also = f" <small>and {others}</small>"
    return (
        f"<li>Crates {crates} hold <b>{per_cent(opening.share)}</b> of panel "
        f"{escape(opening.panel)}{also}<div class='bar'><i class='sure' "
        f"style='width:{100 * opening.share:.0f}%'></i></div></li>"
    )


def _main_crates(by_crate: Crates, chosen: Sequence[str]) -> Crates:
    """Of each chosen panel the crates that hold a tenth of it or more."""
    return {
        panel: {
            crate: count
            for crate, count in by_crate[panel].items()
            if count >= 0.1 * sum(by_crate[panel].values())
        }
        for panel in chosen
    }


def _are(number: int, thing: str, one: str = "is", more: str = "are") -> str:
    """1 panel is, 2 panels are."""
    return f"{counted(number, thing)} {one if number == 1 else more}"


def _uncertain(whole: Whole) -> str:
    items = "".join(f"<li>{text}</li>" for text in _doubts(whole))
    lead = "What a person should look at before anything is laid."
    foot = (
        f'<p class="lead small">Made by azulejar {__version__}. Confidence is how likely a tile '
        "lies right among its neighbours, in the program’s own opinion, which is too high on plain "
        "or worn tiles; a panel is called mostly right from a mean of 90 %, right in part from "
        "70 %.</p>"
    )
    return section("What is uncertain", lead, f'<ul class="doubtful">{items}</ul>{foot}')


def _doubts(whole: Whole) -> list[str]:
    """Sentences as HTML, weightiest first."""
    found = []
    for kind, words in (("check", "doubtful as a whole"), ("fair", "likely right in part only")):
        if some := whole.kind(kind):
            names = [escape(panel.name) for panel in some[:NAMED]]
            more = f" and {len(some) - NAMED:,} more" if len(some) > NAMED else ""
            found.append(f"{_are(len(some), 'panel')} {words}: {', '.join(names)}{more}.")
    if doubtful := sum(panel.doubtful for panel in whole.panels):
        found.append(
            f"{_are(doubtful, 'tile')} in place but more likely wrong than right. The report of "
            "each panel shows them first, with what would fit."
        )
    if outside := sum(panel.outside for panel in whole.panels):
        found.append(
            f"{_are(outside, 'tile', 'lies', 'lie')} outside the likely outline of a panel: their "
            "neighbours are missing, or they belong elsewhere in it."
        )
    if outdated := sum(panel.outdated for panel in whole.panels):
        found.append(
            f"{_are(outdated, 'panel', 'was', 'were')} put together before the last sort and may "
            "lack tiles that were found since."
        )
    if waiting := whole.unsolved:
        tiles = counted(sum(len(group.tiles) for group in waiting), "tile")
        found.append(f"{_are(len(waiting), 'group')} not put together yet: {tiles}.")
    if whole.strays:
        found.append(
            f"{_are(whole.strays, 'tile', 'fits', 'fit')} no panel well enough. They may be the "
            "last of their panels, or too worn to tell."
        )
    if whole.duplicates:
        found.append(
            f"{_are(whole.duplicates, 'tile', 'was', 'were')} likely photographed twice, under two "
            "inventory numbers."
        )
    if vanished := sum(panel.vanished for panel in whole.panels):
        found.append(
            f"The pictures of {counted(vanished, 'tile')} are no longer where they were; small "
            "copies are shown."
        )
    found.append(
        "Which way up a panel hung is not known to the program unless the turn of one of its "
        "tiles is on record."
    )
    return found
