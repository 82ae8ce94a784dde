"""``azulejar collection``: the commands for all tiles of a museum."""

from typing import ClassVar

import typer

from azulejar.cli.lazy import LazyGroup


class _Commands(LazyGroup):
    package = "azulejar.cli.collection"
    purposes: ClassVar = {
        "The catalogue": {
            "practice": "practice",
            "create": "create",
            "add": "add",
            "status": "status",
        },
        "Nothing lost": {
            "backup": "backup",
            "restore": "restore",
            "repair": "repair",
        },
        "What belongs together": {
            "find": "find",
            "sort": "sort",
            "solve": "solve",
            "report": "report",
            "patterns": "patterns",
            "match": "match",
        },
    }


app = typer.Typer(
    cls=_Commands,
    help="All tiles of a museum: a catalogue that grows, searched, sorted and solved as one.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
)
