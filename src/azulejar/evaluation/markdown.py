"""Markdown pages: tables, a line on how they were made, files written whole."""

import os
import platform
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path

from azulejar.measures.dlcm import Dlcm
from azulejar.system.atomic import replacing
from azulejar.version import __version__
from azulejar.weights import weights_mark

NONE = "–"  # where a table has no figure
CPUINFO = Path("/proc/cpuinfo")


def describe_run(
    command: str, *, learned: bool = True, model: str | None = None, machine: bool = False
) -> str:
    """Return how a page was made: command, date, versions and weights, as a paragraph.

    Args:
        command: The command line.
        learned: Whether a learned measure took part; if not, the page says ``no weights``.
        model: The shipped model whose weights were used, if not those of the default measure.
        machine: Whether to add the processor.
    """
    mark = f"{model} {weights_mark(model)}" if model else default_mark()
    weights = f"weights {mark}" if learned else "no weights"
    text = f"`{command}`, {date.today()}, azulejar {__version__}, {weights}"
    return f"{text}, {_processor()}, {os.cpu_count()} cores." if machine else f"{text}."


def default_mark() -> str:
    """Return what the scores of the default measure depend on: its weights and its version."""
    return f"{weights_mark()}, scores {Dlcm.version}"


def markdown_table(
    head: Sequence[str], rows: Iterable[Sequence[str]], *, align_right: bool = False
) -> str:
    """Return a Markdown table; with ``align_right``, all columns but the first lie to the right."""
    rule = "---:" if align_right else "---"
    lines = [head, ["---", *[rule] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def write_markdown(path: str | os.PathLike[str], parts: Iterable[str]) -> None:
    """Write parts as paragraphs, the file whole or not at all."""
    with replacing(Path(path)) as temporary:
        temporary.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _processor() -> str:
    """Return the processor's model where the system tells it, else its architecture."""
    lines = CPUINFO.read_text().splitlines() if CPUINFO.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
