"""The gallery: every reconstruction on one page, beside its truth."""

from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby
from pathlib import Path

from azulejar.evaluation.tables.best_runs import (
    TilesOf,
    assembly_of,
    best_runs,
    loss_title,
    panel_of,
    panel_title,
    puzzle_of,
    variant_title,
    with_tiles,
)
from azulejar.evaluation.tables.cells import Cell
from azulejar.evaluation.tables.marks import draw, joints_lacking, line_joints
from azulejar.evaluation.tables.rows import readable
from azulejar.evaluation.tables.store import key_of
from azulejar.evaluation.tables.web_page import (
    PICTURES,
    image,
    picture_name,
    remove_others,
    write_jpeg,
    write_page,
)

LONGEST = 640  # side of a picture in pixels
WRONG = (226, 54, 40)
# The page opens with the museum's own case: nothing known, and the highest trim.
HARDEST = "turned, size unknown"


def write_gallery(cells: Iterable[Cell], folder: Path, tiles_of: TilesOf) -> bool:
    """Write ``index.html`` and its pictures to ``folder``; False, and nothing, without cells.

    Pictures that are there already stay as they are.
    """
    runs = best_runs(cells)
    if not runs:
        return False
    _draw_missing(runs, folder / PICTURES, tiles_of)
    write_page(folder / "index.html", "Gallery", _body(runs), "gallery.js")
    remove_others(folder, {name(cell) for cell in runs for name in (_truth_name, _run_name)})
    return True


def _draw_missing(runs: Sequence[Cell], folder: Path, tiles_of: TilesOf) -> None:
    missing = [
        cell
        for cell in runs
        if not ((folder / _run_name(cell)).exists() and (folder / _truth_name(cell)).exists())
    ]
    for cell, tiles, truth in with_tiles(missing, tiles_of):
        assembly = assembly_of(cell, truth)
        picture, size = draw(tiles, assembly, LONGEST)
        line_joints(picture, assembly, joints_lacking(assembly, truth), size, WRONG)
        write_jpeg(folder / _run_name(cell), picture)
        if not (folder / _truth_name(cell)).exists():
            write_jpeg(folder / _truth_name(cell), draw(tiles, truth, LONGEST)[0])


def _run_name(cell: Cell) -> str:
    return picture_name(cell.panel, key_of(LONGEST, puzzle_of(cell), cell.place))


def _truth_name(cell: Cell) -> str:
    return picture_name(cell.panel, key_of(LONGEST, panel_of(cell)))


def _body(runs: Sequence[Cell]) -> str:
    panels = [list(group) for _, group in groupby(runs, _whole_panel)]
    links = "".join(
        f'<a href="#panel-{i}">{escape(panel_title(group[0]))}</a>'
        for i, group in enumerate(panels)
    )
    sections = "\n".join(_section(i, group) for i, group in enumerate(panels))
    return (
        "<header><h1>Gallery</h1>"
        '<p class="lead">Every reconstruction, the truth first. Of several runs the one is shown '
        "that the solver itself prefers. A red line marks a joint that is not true; the per cent "
        "are true joints found. A click enlarges a picture.</p>"
        f'<nav class="contents" aria-label="Panels">{links}</nav></header>'
        f"{_filters(runs)}\n{sections}"
    )


def _whole_panel(cell: Cell) -> tuple[str, str]:
    return cell.set, cell.panel


def _filters(runs: Sequence[Cell]) -> str:
    losses = _by_loss(runs)
    hardest = max(
        (cell for cell in losses if cell.corruption == "none"),
        key=lambda cell: cell.trim,
        default=losses[0],
    )
    choices = {
        "loss": ("Loss", [loss_title(cell) for cell in losses], loss_title(hardest)),
        "variant": ("Tiles", sorted(map(variant_title, runs)), HARDEST),
        "row": ("Method", [_row_title(cell) for cell in runs], None),
    }
    selects = "".join(
        f'<label>{label}<select name="{name}"><option value="">all</option>'
        + "".join(_option(value, value == chosen) for value in dict.fromkeys(values))
        + "</select></label>"
        for name, (label, values, chosen) in choices.items()
    )
    # Hidden until the script that heeds it runs.
    return f'<form class="filters" hidden>{selects}<output></output></form>'


def _by_loss(runs: Sequence[Cell]) -> list[Cell]:
    return sorted(runs, key=lambda cell: panel_of(cell)[4:])


def _option(value: str, chosen: bool) -> str:
    return f"<option{' selected' if chosen else ''}>{escape(value)}</option>"


def _section(i: int, runs: Sequence[Cell]) -> str:
    first = runs[0]
    groups = "".join(_group(list(group)) for _, group in groupby(_by_loss(runs), loss_title))
    return (
        f'<section id="panel-{i}"><h2>{escape(panel_title(first))}'
        f"<small>{first.rows} × {first.cols} tiles, {escape(first.set)}</small></h2>"
        f"{groups}</section>"
    )


def _group(runs: Sequence[Cell]) -> str:
    title = loss_title(runs[0])
    truth = (
        '<figure class="card truth">'
        f"{image(_truth_name(runs[0]), f'The truth of {panel_title(runs[0])}')}"
        "<figcaption><b>Truth</b><small>as the panel is</small></figcaption></figure>"
    )
    in_order = sorted(runs, key=lambda cell: (cell.upright, cell.known))
    cards = "".join(map(_card, in_order))
    return f'<div class="group"><h3>{title}</h3><div class="cards">{truth}{cards}</div></div>'


def _card(cell: Cell) -> str:
    row, variant = escape(_row_title(cell)), variant_title(cell)
    share = f"{100 * cell.neighbour:.1f} %"
    return (
        f'<figure class="card" data-loss="{loss_title(cell)}" data-variant="{variant}" '
        f'data-row="{row}">'
        f"{image(_run_name(cell), f'{panel_title(cell)} by {_row_title(cell)}: {share}')}"
        f'<figcaption><div class="measured"><strong>{"perfect" if cell.perfect else share}</strong>'
        f"<span>{cell.seconds:.3g} s</span></div>"
        f'<div class="bar"><i style="width:{100 * cell.neighbour:.1f}%"></i></div>'
        f"<b>{row}</b><small>{variant}</small></figcaption></figure>"
    )


def _row_title(cell: Cell) -> str:
    return readable(cell.solver, cell.measure)
