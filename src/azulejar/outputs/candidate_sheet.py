"""The folder that shows the candidates for a hole: candidates.json, .csv and .png."""

import json
import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from azulejar.core.assembly import Assembly, Place
from azulejar.core.tiles import TileSet
from azulejar.imaging.picture import write_picture
from azulejar.judging.candidates import DIRECTIONS, Candidate
from azulejar.outputs.mosaics import draw_mosaic, tile_grid
from azulejar.outputs.spreadsheets import write_spreadsheet
from azulejar.system.atomic import new_folder
from azulejar.version import __version__

MARK = "candidates.json"
FORMAT = "azulejar-candidates/1"
CELL = 288  # pixels of the picture of a candidate with the eight places around it
LABEL = 64
MARGIN = 16
COLUMNS = 4
INK, PAPER, FRAME = (28, 36, 48), (251, 250, 247), (224, 106, 16)


def write_candidates(
    folder: str | os.PathLike[str],
    tiles: TileSet,
    assembly: Assembly,
    place: Place,
    found: list[Candidate],
    none: float,
    *,
    measure: str,
    overwrite: bool = False,
) -> None:
    """Write all three files or none; ``none`` is the probability that no tile belongs there."""
    with new_folder(Path(folder), MARK, overwrite) as temporary:
        data = {
            "format": FORMAT,
            **place._asdict(),
            "measure": measure,
            "version": __version__,
            "none": round(none, 4),
            "candidates": [_candidate_json(tiles, each) for each in found],
        }
        text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
        (temporary / MARK).write_text(text, encoding="utf-8")
        columns = ["rank", "inventory", "file", "turn_degrees_clockwise", "probability"]
        lines = [_line(tiles, rank, each) for rank, each in enumerate(found, 1)]
        write_spreadsheet(temporary / "candidates.csv", [*columns, *DIRECTIONS], lines)
        write_picture(temporary / "candidates.png", draw_candidates(tiles, assembly, place, found))


def draw_candidates(
    tiles: TileSet, assembly: Assembly, place: Place, found: list[Candidate]
) -> NDArray[np.uint8]:
    """Draw each candidate in the place with its surroundings, best first: uint8 [H, W, 3]."""
    cols = min(COLUMNS, max(1, len(found)))
    rows = max(1, -(-len(found) // cols))
    wide, tall = CELL + MARGIN, CELL + LABEL + MARGIN
    sheet = Image.new("RGB", (cols * wide + MARGIN, rows * tall + MARGIN), PAPER)
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(18)
    for i, each in enumerate(found):
        left, top = MARGIN + i % cols * wide, MARGIN + i // cols * tall
        shown = Image.fromarray(_in_place(tiles, assembly, place, each))
        sheet.paste(shown.resize((CELL, CELL), Image.Resampling.LANCZOS), (left, top))
        _mark_corners(draw, left + CELL // 3, top + CELL // 3, CELL // 3)
        name = _shorten(tiles.numbers[each.tile], font)
        text = f"{i + 1}.  {name}\n{each.probability:.1%}, turned {90 * each.turn}°"
        draw.text((left, top + CELL + 8), text, INK, font)
    return np.asarray(sheet)


def _in_place(
    tiles: TileSet, assembly: Assembly, place: Place, candidate: Candidate
) -> NDArray[np.uint8]:
    """Draw three by three tiles with the candidate in the middle."""
    # Padded enough for a place beside the panel.
    around = np.pad(tile_grid(assembly, place.panel), 2, constant_values=-1)
    places = around[place.row + 1 : place.row + 4, place.col + 1 : place.col + 4].copy()
    places[places == candidate.tile] = -1
    places[1, 1] = candidate.tile
    turn = assembly.turn.copy()
    turn[candidate.tile] = candidate.turn
    return draw_mosaic(tiles, turn, places, CELL)


def _mark_corners(draw: ImageDraw.ImageDraw, left: int, top: int, side: int) -> None:
    """Point at a place by its corners, so that the joints themselves stay in sight."""
    reach = side // 6
    for x, inwards in ((left, reach), (left + side, -reach)):
        for y, down in ((top, reach), (top + side, -reach)):
            draw.line([(x + inwards, y), (x, y), (x, y + down)], FRAME, width=4)


def _shorten(name: str, font: ImageFont.FreeTypeFont | ImageFont.ImageFont) -> str:
    while font.getlength(name) > CELL - 48:
        name = name[:-2] + "…"
    return name


def _candidate_json(tiles: TileSet, candidate: Candidate) -> dict[str, object]:
    joints = zip(DIRECTIONS, candidate.joints, strict=True)
    return {
        "file": tiles.files[candidate.tile],
        "turn": 90 * candidate.turn,
        "probability": round(candidate.probability, 4),
        **{name: None if joint is None else round(joint, 4) for name, joint in joints},
    }


def _line(tiles: TileSet, rank: int, candidate: Candidate) -> list[object]:
    joints = ["" if joint is None else f"{joint:.3f}" for joint in candidate.joints]
    names = [tiles.numbers[candidate.tile], tiles.files[candidate.tile]]
    return [rank, *names, 90 * candidate.turn, f"{candidate.probability:.3f}", *joints]
