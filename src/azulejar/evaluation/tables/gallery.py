"""The gallery: every reconstruction on one page, beside its truth."""

import os
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from azulejar.evaluation.tables.assembly_pictures import (
    PICTURES,
    draw_assembly,
    joints_missing_from,
    line_joints,
    picture_file_name,
    remove_other_pictures,
    write_jpeg,
)
from azulejar.evaluation.tables.methods import method_title
from azulejar.evaluation.tables.result_store import result_key
from azulejar.evaluation.tables.results import (
    SearchResult,
    TilesOf,
    aligned_assembly,
    best_runs,
    each_with_puzzle,
    loss_title,
    panel_key,
    panel_title,
    puzzle_key,
    variant_title,
)
from azulejar.outputs.html import write_html

LONGEST = 640  # side of a picture in pixels
WRONG = (226, 54, 40)
# The page opens with the museum's own case: nothing known, and the highest trim.
HARDEST = "turned, size unknown"


def write_gallery(
    results: Iterable[SearchResult], folder: str | os.PathLike[str], tiles_of: TilesOf
) -> bool:
    """Write ``index.html`` and its pictures to ``folder``; False, and nothing, without results.

    Pictures that are there already stay as they are.
    """
    folder = Path(folder)
    runs = best_runs(results)
    if not runs:
        return False
    _draw_missing(runs, folder / PICTURES, tiles_of)
    write_html(
        folder / "index.html",
        "gallery.html",
        title="Gallery",
        pictures=PICTURES,
        filters=_filters(runs),
        panels=[_panel(list(group)) for _, group in groupby(runs, _whole_panel)],
    )
    names = {name(run) for run in runs for name in (_truth_name, _run_name)}
    remove_other_pictures(folder, names)
    return True


def _draw_missing(runs: Sequence[SearchResult], folder: Path, tiles_of: TilesOf) -> None:
    missing = [
        run
        for run in runs
        if not ((folder / _run_name(run)).exists() and (folder / _truth_name(run)).exists())
    ]
    for run, tiles, truth in each_with_puzzle(missing, tiles_of):
        assembly = aligned_assembly(run, truth)
        picture, size = draw_assembly(tiles, assembly, LONGEST)
        line_joints(picture, assembly, joints_missing_from(assembly, truth), size, WRONG)
        write_jpeg(folder / _run_name(run), picture)
        if not (folder / _truth_name(run)).exists():
            write_jpeg(folder / _truth_name(run), draw_assembly(tiles, truth, LONGEST)[0])


def _run_name(run: SearchResult) -> str:
    return picture_file_name(run.panel, result_key(LONGEST, puzzle_key(run), run.place))


def _truth_name(run: SearchResult) -> str:
    return picture_file_name(run.panel, result_key(LONGEST, panel_key(run)))


def _whole_panel(run: SearchResult) -> tuple[str, str]:
    return run.set, run.panel


def _filters(runs: Sequence[SearchResult]) -> list[dict[str, Any]]:
    """Return label, name, options and first choice of the lists by which cards are filtered."""
    by_loss = _by_loss(runs)
    hardest = max(
        (run for run in by_loss if run.corruption == "none"),
        key=lambda run: run.trim,
        default=by_loss[0],
    )
    filters = (
        ("Loss", "loss", map(loss_title, by_loss), loss_title(hardest)),
        ("Tiles", "variant", sorted(map(variant_title, runs)), HARDEST),
        ("Method", "row", map(_method_title, runs), None),
    )
    return [
        {"label": label, "name": name, "options": list(dict.fromkeys(values)), "chosen": chosen}
        for label, name, values, chosen in filters
    ]


def _by_loss(runs: Sequence[SearchResult]) -> list[SearchResult]:
    return sorted(runs, key=lambda run: panel_key(run)[4:])


def _panel(runs: Sequence[SearchResult]) -> dict[str, Any]:
    first = runs[0]
    groups = [list(group) for _, group in groupby(_by_loss(runs), loss_title)]
    return {
        "title": panel_title(first),
        "rows": first.rows,
        "cols": first.cols,
        "set": first.set,
        "groups": [
            {
                "loss": loss_title(group[0]),
                "truth": _truth_name(group[0]),
                "runs": [
                    _card(run) for run in sorted(group, key=lambda run: (run.upright, run.known))
                ],
            }
            for group in groups
        ],
    }


def _card(run: SearchResult) -> dict[str, Any]:
    return {
        "variant": variant_title(run),
        "method": _method_title(run),
        "picture": _run_name(run),
        "neighbour": run.neighbour,
        "share": f"{100 * run.neighbour:.1f} %",
        "perfect": run.perfect,
        "seconds": run.seconds,
    }


def _method_title(run: SearchResult) -> str:
    return method_title(run.solver, run.measure)
