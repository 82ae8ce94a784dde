"""What all pages share: their head, tables, and files written whole."""

import csv
import os
import platform
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path

from azulejar.evaluation.tables.cells import Cell
from azulejar.system.atomic import replacing
from azulejar.version import __version__

NONE = "–"
CPUINFO = Path("/proc/cpuinfo")
LONG = ("place", "history")  # fields of a cell that no line of a CSV file should hold


def origin(command: str) -> str:
    """Command, date, version and machine, as one paragraph."""
    machine = f"{_processor()}, {os.cpu_count()} cores"
    return f"`{command}`, {date.today()}, azulejar {__version__}, {machine}."


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; all columns but the first lie to the right."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def write_page(path: Path, parts: Iterable[str]) -> None:
    """Write parts as paragraphs."""
    with replacing(path) as temporary:
        temporary.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def write_csv(path: Path, cells: Sequence[Cell]) -> None:
    """Write one line a cell, without where each tile lies and how it got there."""
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        names = [name for name in Cell.__dataclass_fields__ if name not in LONG]
        writer = csv.writer(file)
        writer.writerow(names)
        writer.writerows([[getattr(cell, name) for name in names] for cell in cells])


def _processor() -> str:
    """The model's name where the system tells it."""
    lines = CPUINFO.read_text().splitlines() if CPUINFO.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
