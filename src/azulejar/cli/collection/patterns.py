"""``azulejar collection patterns``: the pattern tiles of the whole collection, by design."""

from pathlib import Path
from typing import Annotated

import typer

from azulejar.cli.collection.options import CollectionFolder, open_filled
from azulejar.cli.console import bar, console, note, say
from azulejar.collection.patterns import FOLDER, CollectionPatterns
from azulejar.errors import AzulejarError
from azulejar.outputs.collection.patterns_page import LIST, NAME, TILES
from azulejar.outputs.collection.stages import list_patterns
from azulejar.outputs.wording import count_noun, describe_module

SHOWN = 12  # patterns that are listed


def command(
    folder: CollectionFolder,
    name: Annotated[
        list[str] | None,
        typer.Option(
            metavar="OLD=NEW",
            help="Call a pattern by the museum's code, such as 3=P-17-00101; may be repeated.",
        ),
    ] = None,
) -> None:
    """Group alike tiles of a collection by design, find how each repeats, and count the stock.

    Writes DIR/patterns: patterns.html shows each repeat, patterns.csv lists the patterns with
    their stock and its condition, pattern_tiles.csv every tile. Names are kept from one time to
    the next; a column pattern in tiles.csv names patterns too. What has one name is one pattern.

    Example: azulejar collection patterns museum --name 3=P-17-00101
    """
    rename = dict(_parse(text) for text in name or [])
    with open_filled(folder) as collection, bar("Comparing tiles") as progress:
        kept = list_patterns(collection, rename=rename, on_progress=progress)
    _print_patterns(kept, Path(folder) / FOLDER)


def _parse(text: str) -> tuple[str, str]:
    old, equals, new = text.partition("=")
    if not equals or not old.strip():
        raise AzulejarError(
            "pattern-rename-unclear",
            "--name {text} does not give a pattern and its new name.",
            "Write it like --name 3=P-17-00101.",
            text=text,
        )
    return old.strip(), new.strip()


def _print_patterns(kept: CollectionPatterns, home: Path) -> None:
    if not len(kept):
        note("no design is shown by eight tiles or more: there are no patterns.")
    for name, pattern in list(zip(kept.names, kept.found, strict=True))[:SHOWN]:
        designs = count_noun(len(pattern.designs), "design")
        tiles = count_noun(len(pattern), "tile")
        stock = ", ".join(
            f"{count} {kind}" for kind, count in kept.conditions(pattern.tiles).items() if count
        )
        say(f"  pattern {name}: {tiles} of {designs}, {describe_module(pattern.module)} ({stock})")
    if len(kept) > SHOWN:
        console.print(f"  … and {len(kept) - SHOWN:,} more")
    say(f"Pictures: {home / NAME}")
    say(f"Lists:    {home / LIST}, {home / TILES}")
