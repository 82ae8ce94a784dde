"""The confidence of every joint, drawn over the panel as SVG; one tile is 100 units wide."""

import numpy as np
from numpy.typing import NDArray

from azulejar.core.edges import COL_STEP, ROW_STEP, direction_of
from azulejar.outputs.findings import Findings
from azulejar.outputs.pictures import data_uri, grid, mosaic

CLASSES = 5  # steps of the colour scale, which report.css colours as .c0 to .c4
BAR_LENGTH = 64
# Doubt widens a bar, so that the scale can be read without its colours too.
BAR_WIDTHS = (18, 15, 12, 9, 7)
TILE_PIXELS = 96  # largest size of a tile on the screen
WIDEST, HIGHEST = 1080, 1600
LABEL_PIXELS = 12


def heat_map(findings: Findings, panel: int) -> str:
    """One panel with a bar on every joint; rows and cols are numbered from 1 along the sides."""
    places = grid(findings.assembly, panel)
    rows, cols = places.shape
    scale = min(TILE_PIXELS, WIDEST / cols, HIGHEST / rows) / 100
    letter = LABEL_PIXELS / scale
    margin = 2 * letter
    picture = data_uri(mosaic(findings.tiles, findings.assembly.turn, places, 1280), 1280)
    tile = findings.joints[:, 0] // 4
    chosen = np.flatnonzero(findings.assembly.panel[tile] == panel)
    return (
        f'<svg class="heat" role="img" aria-label="Confidence of the joints of the panel" '
        f'viewBox="{-margin:.0f} {-margin:.0f} {100 * cols + margin:.0f} '
        f'{100 * rows + margin:.0f}" style="max-width:{(100 * cols + margin) * scale:.0f}px">'
        f'<image href="{picture}" width="{100 * cols}" height="{100 * rows}"/>'
        f'<g class="numbers" font-size="{letter:.0f}">{_numbers(rows, cols, letter)}</g>'
        f"{joint_bars(findings, chosen)}</svg>"
    )


def joint_bars(findings: Findings, chosen: NDArray[np.int64], row: int = 0, col: int = 0) -> str:
    """Bars of the ``chosen`` joints, with the place (row, col) at the origin."""
    assembly = findings.assembly
    bars = []
    for joint in chosen:
        edge, other = findings.joints[joint]
        tile = edge // 4
        direction = direction_of(edge, assembly.turn[tile])
        x = 100 * (assembly.col[tile] - col) + 50 + 50 * COL_STEP[direction]
        y = 100 * (assembly.row[tile] - row) + 50 + 50 * ROW_STEP[direction]
        confidence = findings.joint_confidence[joint]
        step = confidence_class(confidence)
        width, height = BAR_WIDTHS[step], BAR_LENGTH
        if direction % 2 == 0:
            width, height = height, width
        bars.append(
            f'<rect class="joint c{step}" x="{x - width // 2}" y="{y - height // 2}" '
            f'width="{width}" height="{height}" rx="4"><title>{findings.name(tile)} – '
            f"{findings.name(other // 4)}: {confidence:.2f}</title></rect>"
        )
    return "".join(bars)


def legend(findings: Findings) -> str:
    """The colour scale, with the number of joints in each step."""
    steps = [confidence_class(confidence) for confidence in findings.joint_confidence]
    counts = np.bincount(np.array(steps, int), minlength=CLASSES)
    items = "".join(
        f'<li><svg viewBox="0 -12 {BAR_LENGTH} 24" width="{BAR_LENGTH // 2}" height="12">'
        f'<rect class="c{step}" y="{-BAR_WIDTHS[step] // 2}" width="{BAR_LENGTH}" '
        f'height="{BAR_WIDTHS[step]}" rx="4"/></svg>'
        f"{step / CLASSES:.1f}–{(step + 1) / CLASSES:.1f} <small>{count:,}</small></li>"
        for step, count in enumerate(counts)
    )
    return f'<ul class="legend">{items}</ul>'


def confidence_class(confidence: float) -> int:
    """Step of the colour scale, 0 (least sure) to 4."""
    return min(int(confidence * CLASSES), CLASSES - 1)


def _numbers(rows: int, cols: int, letter: float) -> str:
    above = (f'<text x="{100 * c + 50}" y="{-letter / 2:.0f}">{c + 1}</text>' for c in range(cols))
    beside = (f'<text x="{-letter:.0f}" y="{100 * r + 50}">{r + 1}</text>' for r in range(rows))
    return "".join((*above, *beside))
