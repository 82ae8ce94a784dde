"""The tiles that the solver doubts most, each with what else would fit its place."""

import numpy as np

from azulejar.core.edges import turn_picture
from azulejar.judging.candidates import Candidate, alternatives_for
from azulejar.outputs.findings import Findings
from azulejar.outputs.heatmap import joint_bars
from azulejar.outputs.pictures import data_uri, grid, mosaic

SHOWN = 12
ALTERNATIVES = 4
TILE_PIXELS = 96


def doubted(findings: Findings) -> list[int]:
    """The tiles with the lowest confidence, lowest first; a tile without joints is not judged."""
    judged = np.unique(findings.joints // 4)
    order = np.argsort(findings.tile_confidence[judged], kind="stable")
    return [int(tile) for tile in judged[order[:SHOWN]]]


def doubt_card(findings: Findings, tile: int, upright: bool) -> str:
    """One tile among its neighbours, and the tiles that would fit its place best."""
    found, own = alternatives_for(findings.compatibility, findings.assembly, tile, upright=upright)
    turn = int(findings.assembly.turn[tile])
    items = "".join(_alternative(findings, other, own) for other in found[:ALTERNATIVES])
    return (
        f'<article class="doubt"><header><h3>{findings.name(tile)}</h3>'
        f"<span>{findings.place(tile)}, turned {90 * turn}°</span><span>fit {own:.2f}</span>"
        f'<span class="score">{findings.tile_confidence[tile]:.2f}</span></header>'
        f"{_surroundings(findings, tile)}"
        f'<ol aria-label="Other tiles for this place">{items}</ol></article>'
    )


def tile_picture(findings: Findings, tile: int, turn: int) -> str:
    """One tile, turned by clockwise quarters."""
    picture = np.ascontiguousarray(turn_picture(findings.tiles.pixels[tile], turn))
    return f'<img src="{data_uri(picture, TILE_PIXELS)}" alt="">'


def _alternative(findings: Findings, other: Candidate, own: float) -> str:
    tile, turn, score = other.tile, other.turn, other.probability
    better = ' class="better"' if score > own else ""
    return (
        f"<li{better}>{tile_picture(findings, tile, turn)}"
        f"<div><b>{findings.name(tile)}</b>"
        f"<small>turned {90 * turn}°</small><small>now {findings.place(tile)}</small></div>"
        f'<span class="score">{score:.2f}</span></li>'
    )


def _surroundings(findings: Findings, tile: int) -> str:
    """The tile and the eight places around it, with bars on its joints."""
    assembly = findings.assembly
    row, col = int(assembly.row[tile]), int(assembly.col[tile])
    around = np.pad(grid(assembly, int(assembly.panel[tile])), 1, constant_values=-1)
    places = around[row : row + 3, col : col + 3]
    picture = data_uri(
        mosaic(findings.tiles, assembly.turn, places, 3 * TILE_PIXELS), 3 * TILE_PIXELS
    )
    own = np.flatnonzero((findings.joints // 4 == tile).any(1))
    return (
        f'<svg viewBox="0 0 300 300" role="img" aria-label="The tile among its neighbours">'
        f'<image href="{picture}" width="300" height="300"/>'
        f'<rect class="frame" x="100" y="100" width="100" height="100"/>'
        f"{joint_bars(findings, own, row - 1, col - 1)}</svg>"
    )
