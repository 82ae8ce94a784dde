"""Which pages of docs/results were made with other versions or weights than the present ones.

    python benchmarks/results_check.py

Lists the stale pages with the reason, and ends with 1 if there are any.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from azulejar.evaluation.markdown import default_mark
from azulejar.version import __version__
from azulejar.weights import shipped, weights_mark
from tables import RESULTS, confidence_mark

# The first words of a page's origin, as azulejar.evaluation.markdown writes it.
ORIGIN = re.compile(
    r"`(?P<command>[^`\n]+)`, (?P<date>\d{4}-\d\d-\d\d), azulejar (?P<version>\d[\w.]*\w)"
    r"(?:, (?:weights (?:(?P<model>[a-z]+) )?(?P<weights>[0-9a-f]{8}(?:, scores \d+)?)"
    r"|(?P<unlearned>no weights)))?"
    r"(?:, confidence (?P<confidence>[0-9a-f]{8}))?"
)
LOG = "training.md"  # has the origin of every run by itself


def main() -> None:
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    stale = list(stale_pages(RESULTS))
    for page, reason in stale:
        print(f"{page.relative_to(RESULTS)}: {reason}")
    print(f"{len(stale)} stale of {len(pages(RESULTS))} pages.")
    sys.exit(bool(stale))


def pages(folder: Path) -> list[Path]:
    """Return the pages that must say how they were made."""
    return [path for path in sorted(folder.rglob("*.md")) if path.name != LOG]


def stale_pages(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield each page that is not of the present version and weights, and why."""
    for page in pages(folder):
        origins = list(ORIGIN.finditer(page.read_text(encoding="utf-8")))
        reasons = [reason for found in origins if (reason := reason_of(found))]
        if not origins:
            yield page, "does not name its command, date and version"
        elif reasons:
            yield page, "; ".join(dict.fromkeys(reasons))


def reason_of(found: re.Match[str]) -> str | None:
    """Say why an origin is stale; None if it is not."""
    if found["version"] != __version__:
        return f"made with {found['version']} on {found['date']}, now {__version__}"
    judged = found["confidence"]
    if judged and judged != (now := confidence_mark()):
        return f"made on {found['date']} with weights {judged} of the confidence, now {now}"
    if found["unlearned"]:
        return None
    if found["weights"] is None:
        return f"made on {found['date']}, with weights that it does not name"
    model = found["model"]
    if model and model not in shipped():
        return f"made on {found['date']} with the model {model}, which is gone"
    if found["weights"] != (now := weights_mark(model) if model else default_mark()):
        named = f"{model} {found['weights']}" if model else found["weights"]
        return f"made on {found['date']} with weights {named}, now {now}"
    return None


if __name__ == "__main__":
    main()
