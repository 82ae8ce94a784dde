"""``report.html``: the whole result on one page that needs nothing beside itself."""

from collections.abc import Sequence
from html import escape
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar.core.compatibility import Compatibility
from azulejar.core.solution import Solution
from azulejar.core.tiles import TileSet
from azulejar.outputs.chart import fitness_chart
from azulejar.outputs.doubts import doubt_card, doubted, tile_picture
from azulejar.outputs.findings import Findings
from azulejar.outputs.heatmap import heat_map, legend
from azulejar.outputs.page import page, section
from azulejar.outputs.pictures import data_uri
from azulejar.system.atomic import replacing

PANEL_PIXELS = 1600


def write_report(
    path: Path,
    *,
    tiles: TileSet,
    solution: Solution,
    compatibility: Compatibility,
    history: Sequence[tuple[float, int, float]],
    panel_picture: NDArray[np.uint8],
    title: str | None = None,
) -> None:
    """Write the report of a solution of ``tiles``.

    ``compatibility`` lists the tiles in the order of ``tiles``; ``history`` holds (seconds,
    generation, fitness) as the solver went along, and may be empty; ``panel_picture`` [h, w, 3]
    is shown as it is, scaled down; ``title`` is by default the name of the tiles' folder.
    """
    called = _title(tiles) if title is None else escape(title)
    findings = Findings.of(tiles, solution.assembly(tiles.files), compatibility)
    sections = (
        _headline(findings, solution, called),
        _panel(panel_picture),
        _joints(findings),
        _doubts(findings, solution.upright),
        _unplaced(findings),
        _fitness(history),
        _settings(findings, solution),
        _notes(tiles.notes),
    )
    with replacing(path) as temporary:
        temporary.write_text(page(called, "\n".join(sections)), encoding="utf-8")


def _title(tiles: TileSet) -> str:
    return escape(tiles.folder.name if tiles.folder and tiles.folder.name else "Panel")


def _headline(findings: Findings, solution: Solution, title: str) -> str:
    confidence = findings.joint_confidence
    facts = {
        "tiles": f"{len(findings.tiles):,}",
        "rows × cols": f"{solution.rows} × {solution.cols}",
        "mean confidence": f"{confidence.mean():.2f}" if len(confidence) else "–",
        "measure": _shown(solution.measure),
        "solver": _shown(solution.solver),
        "seed": _shown(solution.seed),
        "seconds": _shown(solution.seconds),
        "version": _shown(solution.version),
    }
    items = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in facts.items())
    return f'<header><h1>{title}</h1><dl class="facts">{items}</dl></header>'


def _panel(picture: NDArray[np.uint8]) -> str:
    image = f'<img class="panel" src="{data_uri(picture, PANEL_PIXELS)}" alt="The assembled panel">'
    return section("The panel", "", image)


def _joints(findings: Findings) -> str:
    if not len(findings.joints):
        return section("Confidence of the joints", "No two tiles meet.", "")
    several = len(findings.panels) > 1
    blocks = "".join(
        (f"<h3>Panel {panel + 1}</h3>" if several else "")
        + f"<figure>{heat_map(findings, panel)}</figure>"
        for panel in findings.panels
    )
    toggle = '<input type="checkbox" id="fade" checked><label for="fade">Fade the picture</label>'
    lead = (
        "Each bar lies on the joint of two tiles: the wider and redder, the less sure. Point at a "
        "bar for the inventory numbers. Rows and cols count from 1. The small figures in the "
        "scale are numbers of joints."
    )
    return section("Confidence of the joints", lead, f"{toggle}{legend(findings)}{blocks}")


def _doubts(findings: Findings, upright: bool) -> str:
    cards = "".join(doubt_card(findings, tile, upright) for tile in doubted(findings))
    if not cards:
        return ""
    lead = (
        "The tiles that are least likely to lie right, with that probability. Beside each stand "
        "the other tiles that would fit there best, turned as they would lie. Fit is the "
        "probability that a tile belongs there, all its joints taken together and all tiles "
        "compared, as for a hole; ▲ marks a tile that fits better than the one that lies there."
    )
    return section("Tiles to check first", lead, f'<div class="doubts">{cards}</div>')


def _unplaced(findings: Findings) -> str:
    tiles = np.flatnonzero(findings.assembly.panel < 0)
    items = "".join(
        f"<li>{tile_picture(findings, int(tile), 0)}<b>{findings.name(int(tile))}</b></li>"
        for tile in tiles
    )
    return section("Tiles without a place", "", f'<ol class="loose">{items}</ol>') if items else ""


def _fitness(history: Sequence[tuple[float, int, float]]) -> str:
    if not history:
        return ""
    lead = "The sum of the compatibilities of all joints of the best assembly so far."
    return section(
        "Fitness over generations", lead, f'<div class="wide">{fitness_chart(history)}</div>'
    )


def _settings(findings: Findings, solution: Solution) -> str:
    settings = {
        "Measure": solution.measure,
        "Solver": solution.solver,
        "Preset": solution.preset,
        "Seed": solution.seed,
        "Turn of the tiles": "known (upright)" if solution.upright else "unknown",
        "Working size of a tile": f"{findings.tiles.size} pixels",
        "Joints": len(findings.joints),
        "Fitness": solution.fitness,
        "Seconds": solution.seconds,
        "Version of azulejar": solution.version,
    }
    rows = "".join(
        f'<tr><th scope="row">{name}</th><td>{_shown(value)}</td></tr>'
        for name, value in settings.items()
    )
    return section("Settings", "", f"<table>{rows}</table>")


def _notes(notes: tuple[str, ...]) -> str:
    items = "".join(f"<li>{escape(note)}</li>" for note in notes)
    return section("Notes from reading the tiles", "", f"<ul>{items}</ul>") if notes else ""


def _shown(value: object) -> str:
    """A setting for the page, escaped; fractions with two decimals."""
    if value is None:
        return "–"
    return escape(f"{value:,.2f}" if isinstance(value, float) else str(value))
