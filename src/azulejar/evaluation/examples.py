"""Sheets of joints that a measure gets right or wrong, beside the choices of the others."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from azulejar.evaluation.ranks import Ranking, RankTable
from azulejar.imaging.picture import resize_square

TILE, GAP, FRAME = 96, 5, 4  # pixels
PAIR = 2 * TILE + GAP + 4 * FRAME
MARGIN, BETWEEN = 24, 18
LETTER, LINE = 15, 20
ROW = LINE + 2 + TILE + 4 * FRAME + LINE + 16
INK, GREY, GREEN, RED = "#222222", "#666666", "#1A8F4C", "#D1342F"


@dataclass(frozen=True)
class Example:
    """One edge that has a true neighbour, as each measure sees it; ``at`` is its number."""

    rankings: Sequence[Ranking]
    at: int


def right_sheet(table: RankTable, count: int, seed: int) -> Image.Image:
    """Draw turned tiles for which the last measure alone chooses the true neighbour."""
    best = table.measures[-1]
    others = " where all others are wrong" if len(table.measures) > 1 else ""
    return _sheet(table, count, seed, f"{best} is right{others}", last_right=True)


def wrong_sheet(table: RankTable, count: int, seed: int) -> Image.Image:
    """Draw turned tiles for which the last measure chooses a wrong neighbour."""
    return _sheet(table, count, seed, f"{table.measures[-1]} is wrong", last_right=False)


def find_examples(table: RankTable, *, last_right: bool) -> list[Example]:
    """Find all examples for a sheet at the last trim, each joint once."""
    found = []
    columns = [table.of(measure, table.trims[-1], upright=False) for measure in table.measures]
    for rankings in zip(*columns, strict=True):
        right = np.array([ranking.rank == 0 for ranking in rankings])
        fits = right[-1] & ~right[:-1].any(axis=0) if last_right else ~right[-1]
        edge, true = rankings[0].edge, rankings[0].true
        # A joint that is an example from both of its sides is shown from the lower edge.
        fits &= ~(np.isin(true, edge[fits]) & (true < edge))
        found += [Example(rankings, at) for at in np.flatnonzero(fits).tolist()]
    return found


def draw_pair(example: Example, partner: int) -> NDArray[np.uint8]:
    """Draw the example's tile on the left and a partner's on the right, edge to edge: [H, W, 3]."""
    ranking = example.rankings[0]
    picture = np.full((TILE, 2 * TILE + GAP, 3), 255, np.uint8)
    picture[:, :TILE] = _facing(ranking, int(ranking.edge[example.at]), 1)
    picture[:, -TILE:] = _facing(ranking, partner, 3)
    return picture


def _facing(ranking: Ranking, edge: int, direction: int) -> NDArray[np.uint8]:
    """Return the tile of ``edge``, turned so that this edge faces ``direction`` (a side)."""
    tile = resize_square(ranking.puzzle.tiles.pixels[edge // 4], TILE)
    return np.rot90(tile, edge % 4 - direction)


def _sheet(table: RankTable, count: int, seed: int, title: str, *, last_right: bool) -> Image.Image:
    found = find_examples(table, last_right=last_right)
    chosen = np.random.default_rng(seed).permutation(len(found))[:count]
    shown = [found[i] for i in sorted(chosen.tolist())]
    much = f"{len(found):,} joints, {len(shown)} of them drawn at random" if found else "no joint"
    lines = [f"{title}: {much}", f"Tiles turned, trim {table.trims[-1]:.3g}. The tile on the left"
             " of each pair is the one that looks for its neighbour."]  # fmt: skip
    heads = ["true neighbour", *(label.replace(":", "\n", 1) for label in table.measures)]
    head = MARGIN + 2 * LINE + 14
    top = head + LINE * (1 + max(text.count("\n") for text in heads)) + 10
    columns = len(heads) * (PAIR + BETWEEN) - BETWEEN
    width = 2 * MARGIN + max(columns, *(round(_font().getlength(line)) for line in lines))
    sheet = Image.new("RGB", (width, top + len(shown) * ROW + MARGIN), "white")
    draw = ImageDraw.Draw(sheet)
    for i, (line, colour) in enumerate(zip(lines, (INK, GREY), strict=True)):
        draw.text((MARGIN, MARGIN + i * LINE), line, colour, _font())
    for i, text in enumerate(heads if shown else ()):
        draw.text((_left(i) + PAIR / 2, head), text, INK, _font(), "ma", align="center")
    for i, example in enumerate(shown):
        _draw_row(sheet, example, top + i * ROW)
    return sheet


def _draw_row(sheet: Image.Image, example: Example, top: int) -> None:
    """Write the place of the tile, and below it a framed pair for the truth and each measure."""
    draw = ImageDraw.Draw(sheet)
    first, at = example.rankings[0], example.at
    tile = first.edge[at] // 4
    truth = first.puzzle.truth
    place = f"row {truth.row[tile] + 1}, col {truth.col[tile] + 1}"
    draw.text((MARGIN, top), f"{first.puzzle.panel.name}, {place}", GREY, _font())
    pairs = [(int(first.true[at]), GREEN, "")]
    for ranking in example.rankings:
        rank = int(ranking.rank[at]) + 1
        colour, said = (GREEN, "right") if rank == 1 else (RED, f"wrong: true one at rank {rank:,}")
        pairs.append((int(ranking.choice[at]), colour, said))
    for i, (partner, colour, said) in enumerate(pairs):
        left, upper = _left(i), top + LINE + 2
        box = (left, upper, left + PAIR - 1, upper + TILE + 4 * FRAME - 1)
        draw.rectangle(box, "white", colour, FRAME)
        pair = Image.fromarray(draw_pair(example, partner))
        sheet.paste(pair, (left + 2 * FRAME, upper + 2 * FRAME))
        draw.text((left + PAIR / 2, box[3] + 3), said, colour, _font(), "ma")


def _left(column: int) -> int:
    return MARGIN + column * (PAIR + BETWEEN)


def _font() -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(LETTER)
