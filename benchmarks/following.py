"""Run the commands of a page of docs/ in order."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"
BLOCK = re.compile(r"^```(sh|json)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run_process(words: list[str], folder: Path) -> None:
    """Run a command in ``folder`` in a process of its own."""
    if words[0] == "azulejar":
        words = [sys.executable, "-m", *words]
    subprocess.run(words, cwd=folder, check=True)


def follow(page: Path, folder: Path, run: Callable[[list[str], Path], None] = run_process) -> None:
    """Run ``page`` in ``folder``: its JSON becomes knowns.json, its lines are commands."""
    for kind, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        if kind == "json":
            (folder / "knowns.json").write_text(text, encoding="utf-8")
            continue
        for line in text.splitlines():
            print(f"$ {line}", flush=True)
            run(line.split(), folder)
