"""The pages of a table: Markdown and CSV, curves, the gallery, and what beats the truth."""

import csv
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from azulejar.core.assembly import Assembly
from azulejar.core.tiles import TileSet
from azulejar.evaluation.labelled_measures import any_learned, sole_model
from azulejar.evaluation.markdown import describe_run, markdown_table, write_markdown
from azulejar.evaluation.tables import summary
from azulejar.evaluation.tables.against_truth import write_against_truth
from azulejar.evaluation.tables.gallery import write_gallery
from azulejar.evaluation.tables.methods import method_title
from azulejar.evaluation.tables.protocol_pages import eroded_parts, lsej_parts, standard_parts
from azulejar.evaluation.tables.puzzle_recipes import Recipe
from azulejar.evaluation.tables.results import SearchResult, puzzle_key
from azulejar.evaluation.tables.schedule import (
    CONTENT,
    CORRUPTED_VARIANTS,
    ERODED,
    MISSING,
    VARIANTS,
    Loss,
)
from azulejar.evaluation.tables.summary import Columns
from azulejar.system.atomic import replacing

FILES = {
    "reconstruct": "reconstruction",
    "corruptions": "corruptions",
    "standard": "standard",
    "lsej": "lsej",
    "eroded": "eroded",
}
CURVES = {"reconstruct": ("trim",), "corruptions": ("missing", "trim", "content")}
LONG = ("place", "history")  # fields of a result that no line of a CSV file should hold
SIZE = {True: "known", False: "unknown"}
RUNS = (("runs", summary.runs),)
OURS = "DLCM is our measure `dlcm`, not the networks of the paper."


def write_table(
    folder: str | os.PathLike[str],
    name: str,
    results: Sequence[SearchResult],
    command: str,
    lost: int,
) -> Path:
    """Write the page and the CSV file of a table, and return the page.

    ``command`` is the command line that made it; ``lost`` results are lacking.
    """
    page = Path(folder) / f"{FILES[name]}.md"
    _write_csv(page.with_suffix(".csv"), results)
    write_markdown(page, _parts(name, results, command, lost))
    return page


def draw_pictures(
    folder: str | os.PathLike[str], table: str, found: Sequence[tuple[Recipe, SearchResult]]
) -> list[tuple[str, Path]]:
    """Write the pictures of a table's results, each given with its recipe.

    Return a name and the file of each that was written.
    """
    # Imported late: matplotlib is slow to load, and few commands draw.
    from azulejar.evaluation.tables.accuracy_curves import plot_accuracy, plot_progress

    folder = Path(folder)
    results = [result for _, result in found]
    recipes = {puzzle_key(result): recipe for recipe, result in found}

    def tiles_of(result: SearchResult) -> tuple[TileSet, Assembly]:
        puzzle = recipes[puzzle_key(result)].make()
        return puzzle.tiles, puzzle.truth

    name = FILES[table]
    written = []
    for loss in CURVES.get(table, ()):
        path = folder / f"{name}_{loss}.png"
        if plot_accuracy(results, path, loss):
            written.append(("Curve", path))
    path = folder / f"{name}_time.png"
    if table == "reconstruct" and plot_progress(results, path):
        written.append(("Curve", path))
    gallery = folder / f"{name}_gallery"
    if write_gallery(results, gallery, tiles_of):
        written.append(("Gallery", gallery / "index.html"))
    if table == "reconstruct" and write_against_truth(results, folder, tiles_of):
        written.append(("Worth more than the truth", folder / "against_truth" / "index.html"))
    return written


def _write_csv(path: Path, results: Sequence[SearchResult]) -> None:
    """Write one line a result, without where each tile lies and how it got there."""
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        names = [name for name in SearchResult.__dataclass_fields__ if name not in LONG]
        writer = csv.writer(file)
        writer.writerow(names)
        writer.writerows([[getattr(result, name) for name in names] for result in results])


def _parts(name: str, results: Sequence[SearchResult], command: str, lost: int) -> Iterator[str]:
    title, parts = PAGES[name]
    yield f"# {title}"
    measures = {result.measure for result in results}
    yield describe_run(
        command, learned=any_learned(measures), model=sole_model(measures), machine=True
    )
    if any(result.measure.split(":")[0] == "dlcm" for result in results):
        yield OURS
    if lost:
        yield f"**Not complete**: {lost} of {lost + len(results)} cells are lacking."
    yield from parts(results)


def _reconstruction(results: Sequence[SearchResult]) -> Iterator[str]:
    runs = len({result.seed for result in results})
    columns = _variants(VARIANTS)
    yield (
        f"Neighbour accuracy in %, means over {summary.count_panels(results)}. {summary.TYPES} "
        "Seconds are those of one search on one thread, without the scoring; – where a solver does "
        "not take such puzzles. A deterministic solver runs once."
    )
    conditions: Columns = {
        _condition(result): {"trim": result.trim, "light": result.light} for result in results
    }
    for name, wanted in conditions.items():
        own = summary.select_results(results, **wanted)
        yield f"## {name}"
        if runs > 1:
            yield "Best run on each panel, as the paper reports:"
        yield summary.method_table(own, columns, ("", summary.best), overall=RUNS)
        if runs > 1:
            yield "The run of highest worth to the solver, as a user would get it:"
            yield summary.method_table(own, columns, ("", summary.fittest), overall=RUNS)
            yield "Mean ± standard deviation of the runs on a panel:"
            yield summary.method_table(own, columns, ("", summary.mean), overall=RUNS)
        yield "Seconds:"
        yield summary.method_table(own, columns, ("", summary.seconds))
        yield f"Each panel, {' / '.join(columns)}{', best run' if runs > 1 else ''}:"
        yield _each_panel(own, columns)
    yield from summary.explain_held_back(results, conditions, columns)


def _condition(result: SearchResult) -> str:
    light = "" if result.light == "none" else f", {result.light} light"
    return f"Trim {result.trim:.3g}{light}"


def _corruptions(results: Sequence[SearchResult]) -> Iterator[str]:
    yield (
        f"Neighbour accuracy in %, means over {summary.count_panels(results)}, one run. "
        f"{summary.TYPES} Corruptions after Dirauf et al. (2025); where edges are not what is "
        "eroded, the trim is 3 %."
    )
    variants = _variants(CORRUPTED_VARIANTS)
    for name, wanted in variants.items():
        own = summary.select_results(results, **wanted)
        yield f"## {name}"
        yield "Missing tiles:"
        yield _losses(own, {f"{loss.amount:.0%}": loss for loss in MISSING})
        yield "Eroded edges, trim:"
        yield _losses(own, {f"{loss.trim:.0%}": loss for loss in ERODED})
        yield "Eroded content, share of each tile's area:"
        yield _losses(own, {f"{loss.amount:.0%}": loss for loss in CONTENT})
    yield from summary.explain_held_back(results, {"All levels": {}}, variants)


PAGES = {
    "reconstruct": ("Reconstruction", _reconstruction),
    "corruptions": ("Corrupted panels", _corruptions),
    "standard": ("Standard sets", standard_parts),
    "lsej": ("ImageNet-LSEJ", lsej_parts),
    "eroded": ("Eroded boundaries", eroded_parts),
}


def _variants(variants: Sequence[tuple[bool, bool]]) -> Columns:
    return {
        f"{summary.KIND[upright]} {SIZE[known]}": {"upright": upright, "known": known}
        for upright, known in variants
    }


def _losses(results: Sequence[SearchResult], losses: dict[str, Loss]) -> str:
    columns: Columns = {name: dict(vars(loss)) for name, loss in losses.items()}
    return summary.method_table(results, columns, ("", summary.best))


def _each_panel(results: Sequence[SearchResult], columns: Columns) -> str:
    names = summary.method_names(results)
    rows = []
    for panel in dict.fromkeys(result.panel for result in results):
        line = [panel]
        for solver, measure in names:
            own = summary.select_results(results, panel=panel, solver=solver, measure=measure)
            values = [summary.format_figure(summary.select_results(own, **wanted), summary.best)
                      for wanted in columns.values()]  # fmt: skip
            line.append(" / ".join(values))
        rows.append(line)
    head = ["panel", *(method_title(*name) for name in names)]
    return markdown_table(head, rows, align_right=True)
