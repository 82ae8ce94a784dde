"""How much accuracy missing tiles cost: turned tiles, size known or unknown.

python benchmarks/missing.py PANELS [--missing .05,.1,.2]
"""

import argparse
from pathlib import Path
from statistics import mean

from azulejar import Knowns, evaluate, get_measure, solve
from azulejar.evaluation.tables.puzzle_recipes import PanelSource, Recipe, find_sources
from tables import origin, table, write_page

TRIM, SIZE = 0.03, 50


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("panels", type=Path)
    parser.add_argument("--missing", default="0.05,0.1,0.2")
    options = parser.parse_args()
    parts = [0.0, *map(float, options.missing.split(","))]
    sources = find_sources(options.panels)
    found = {
        (source.panel.name, part): accuracies(source, part) for source in sources for part in parts
    }
    names = [source.panel.name for source in sources]
    sections = []
    for which, title in enumerate(("Size known", "Size unknown")):
        rows = [
            [name, *(f"{100 * found[name, part][which]:.1f}" for part in parts)] for name in names
        ]
        means = [100 * mean(found[name, part][which] for name in names) for part in parts]
        rows.append(["**mean**", *(f"**{value:.1f}**" for value in means)])
        sections += [
            f"## {title}",
            table(["panel", *(f"{part:.0%} missing" for part in parts)], rows),
        ]
    write_page(
        "missing.md",
        "# Missing tiles",
        origin(),
        "Neighbour accuracy in %, over the joints that still exist. Tiles turned, trim 3 %, "
        "measure `dlcm`, default solver, one run, seed 0. Where the size is known, the solver is "
        "not told which places are empty; where it is unknown, not even how many.",
        *sections,
    )


def accuracies(source: PanelSource, part: float) -> tuple[float, float]:
    """Return the neighbour accuracy with the size known, and unknown."""
    kind = "missing" if part else "none"
    puzzle = Recipe(source, False, 0, TRIM, SIZE, corruption=kind, amount=part).make()
    scores = get_measure("dlcm").score(puzzle.tiles)
    panel = source.panel
    known, unknown = (
        evaluate(solve(scores, knowns), puzzle.truth, upright=False).neighbour
        for knowns in (Knowns(panel.rows, panel.cols), Knowns())
    )
    print(f"{panel.name} {part:.0%}: {known:.3f} {unknown:.3f}", flush=True)
    return known, unknown


if __name__ == "__main__":
    main()
