"""Shared by all benchmarks: where results go, and how a table states its origin."""

import hashlib
import os
import platform
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from azulejar.evaluation.markdown import describe_run
from azulejar.judging import confidence
from azulejar.outputs.wording import count_noun
from azulejar.system.atomic import replacing
from azulejar.system.threads import thread_count

RESULTS = Path(__file__).parent.parent / "docs" / "results"
CONFIDENCE = Path(confidence.__file__).with_name("confidence.json")  # its fitted weights


def origin(*, learned: bool = True, judged: bool = False) -> str:
    """Return command, date, version, weights and machine as one paragraph.

    ``learned``: whether a learned measure took part; ``judged``: whether figures depend on the
    confidence, whose weights are then named too.
    """
    command = " ".join([f"python benchmarks/{Path(sys.argv[0]).name}", *sys.argv[1:]])
    machine = (
        f"{platform.machine()}, {count_noun(thread_count(), 'thread')} of {os.cpu_count()} cores"
    )
    run = describe_run(command, learned=learned).removesuffix(".")
    return f"{run}, confidence {confidence_mark()}, {machine}." if judged else f"{run}, {machine}."


def confidence_mark() -> str:
    """Return a short checksum of the weights of the confidence."""
    return hashlib.sha256(CONFIDENCE.read_bytes()).hexdigest()[:8]


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def write_page(name: str, *parts: str) -> None:
    """Write docs/results/NAME, with parts as paragraphs."""
    with replacing(RESULTS / name) as temporary:
        temporary.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    print(f"wrote {RESULTS / name}")
