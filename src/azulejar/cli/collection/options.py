"""Options and words that the commands for collections share."""

from pathlib import Path
from typing import Annotated

import typer

CollectionFolder = Annotated[
    Path, typer.Argument(metavar="DIR", help="Folder of the collection.", show_default=False)
]
EngineName = Annotated[
    str,
    typer.Option("--engine", metavar="NAME", help="local (this computer) or ray (many)."),
]
Workers = Annotated[
    int | None,
    typer.Option(min=1, help="Processes side by side; by default one a core.", show_default=False),
]
Address = Annotated[
    str | None,
    typer.Option(
        metavar="HOST:PORT",
        help="Of the Ray cluster; by default one is started here.",
        show_default=False,
    ),
]


def counted(count: int, what: str) -> str:
    """As in “1 tile” and “2 tiles”."""
    return f"{count} {what}{'s' * (count != 1)}"
