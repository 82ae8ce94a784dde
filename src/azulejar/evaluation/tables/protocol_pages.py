"""Paragraphs and tables of the published protocols: standard sets, LSEJ, eroded boundaries."""

from collections.abc import Iterator, Sequence

from azulejar.evaluation.markdown import NONE, markdown_table
from azulejar.evaluation.tables import summary
from azulejar.evaluation.tables.protocols import (
    ERODED_CROPS,
    ERODED_SIZE,
    LSEJ_CROPS,
    LSEJ_GRIDS,
    LSEJ_PUBLISHED,
    LSEJ_SIZE,
    LSEJ_SOURCE,
    LSEJ_SQUARE,
)
from azulejar.evaluation.tables.results import SearchResult
from azulejar.evaluation.tables.schedule import BOTH, STANDARD_SIZE
from azulejar.evaluation.tables.summary import Columns

SIZED = "size known, except for solvers that cannot use it (multi-segment)"
ACCURACIES = (
    "Accuracies in %, means over pictures; *perfect* counts pictures; seconds are those of one "
    "search on one thread"
)
FIGURES = (
    ("direct", summary.direct),
    ("neighbour", summary.best),
    ("perfect", summary.perfect),
    ("seconds", summary.seconds),
)
LSEJ_FIGURES = (
    ("PA", summary.perfect_share),
    ("AA", summary.direct),
    ("SRA", summary.best),
)
TURNS: Columns = {summary.KIND[upright]: {"upright": upright} for upright in BOTH}


def standard_parts(results: Sequence[SearchResult]) -> Iterator[str]:
    """Yield the paragraphs of the page on the standard sets, in pieces of 28 px."""
    yield f"Tiles of {STANDARD_SIZE} px, one run, {SIZED}. {summary.TYPES} {ACCURACIES}."
    sets = _sets(results)
    for name, wanted in sets.items():
        own = summary.select_results(results, **wanted)
        yield f"## {name}, {summary.count_panels(own, 'picture')}"
        yield summary.method_table(own, TURNS, *FIGURES)
    yield from summary.explain_held_back(results, sets, TURNS)


def lsej_parts(results: Sequence[SearchResult]) -> Iterator[str]:
    """Yield the paragraphs of the page on ImageNet-LSEJ, with the published figures."""
    yield (
        "Puzzles as [ImageNet-LSEJ](https://github.com/ChangxinYe/ImageNet-LSEJ) makes them: the "
        f"central square of a picture, at most {LSEJ_SQUARE} px, resized to 10×10 or 20×20 pieces "
        f"of {LSEJ_SIZE} px, each cropped by {_list(LSEJ_CROPS)} px a side and resized back, "
        "upright, size known, one run. Only the shuffles are our own. In %: *PA*, perfect puzzles; "
        "*AA*, pieces in their absolute place; *SRA*, true joints that the assembly has."
    )
    grids: Columns = {f"{count} × {count}": {"rows": count} for count in LSEJ_GRIDS}
    crops: Columns = {f"{crop} px": {"trim": crop / LSEJ_SIZE} for crop in LSEJ_CROPS}
    grids = {name: own for name, own in grids.items() if summary.select_results(results, **own)}
    for name, wanted in grids.items():
        own = summary.select_results(results, **wanted)
        yield f"## {name}, {summary.count_panels(own, 'picture')} ({', '.join(_sets(own))})"
        yield summary.method_table(own, crops, *LSEJ_FIGURES)
    yield "## Published"
    yield (
        f"On the benchmark's own 2,000 test pictures, 10 × 10, as its authors [report]"
        f"({LSEJ_SOURCE}); they trained ViT-T on 9,000 other pictures of the set, for each crop "
        "by itself. Compare methods on the same pictures only: where those above are others, "
        "Gallagher + MGC in both tables tells how much easier or harder they are."
    )
    yield _published(list(crops))
    yield from summary.explain_held_back(results, grids, crops)


def eroded_parts(results: Sequence[SearchResult]) -> Iterator[str]:
    """Yield the paragraphs of the page on eroded boundaries, after Bridger et al."""
    yield (
        "After Bridger, Danon and Tal (*Solving jigsaw puzzles with eroded boundaries*, 2020): "
        f"pieces of {ERODED_SIZE} px, eroded by 7 and 14 %. Here that is lost at each side of a "
        f"piece, in whole pixels: {_list(ERODED_CROPS)} px, and nothing is resampled. One run, "
        f"{SIZED}. {summary.TYPES} {ACCURACIES}."
    )
    sets = _sets(results)
    erosions: Columns = {
        f"{percent} %": {"trim": crop / ERODED_SIZE}
        for percent, crop in zip((7, 14), ERODED_CROPS, strict=True)
    }
    columns: Columns = {
        f"{kind} {name}": turned | eroded
        for kind, turned in TURNS.items()
        for name, eroded in erosions.items()
    }
    for name, wanted in sets.items():
        own = summary.select_results(results, **wanted)
        grids = dict.fromkeys(f"{result.rows} × {result.cols}" for result in own)
        pictures = summary.count_panels(own, "picture")
        yield f"## {name}, {pictures} of {', '.join(grids)} pieces"
        for kind, turned in TURNS.items():
            yield f"{'Upright' if turned['upright'] else 'Turned'} ({kind}):"
            alike = summary.select_results(own, **turned)
            yield summary.method_table(alike, erosions, *FIGURES)
    yield from summary.explain_held_back(results, sets, columns)


def _published(crops: Sequence[str]) -> str:
    rows = []
    for name, figures in LSEJ_PUBLISHED.items():
        shown = [f"{value:.1f}" for each in figures for value in each]
        rows.append([name, *shown, *[NONE] * (len(LSEJ_FIGURES) * len(crops) - len(shown))])
    head = [f"{crop} {name}" for crop in crops for name, _ in LSEJ_FIGURES]
    return markdown_table(["method", *head], rows, align_right=True)


def _sets(results: Sequence[SearchResult]) -> Columns:
    return {result.set: {"set": result.set} for result in results}


def _list(numbers: Sequence[int]) -> str:
    *first, last = map(str, numbers)
    return f"{', '.join(first)} or {last}"
