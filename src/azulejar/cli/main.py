"""The command line: one app, one funnel for errors."""

import io
import sys
import warnings
from typing import Annotated, Any

import typer

from azulejar.cli import collection
from azulejar.cli.console import complain, console, errors, exit_stopped
from azulejar.cli.lazy import LazyGroup
from azulejar.cli.messages import phrase
from azulejar.errors import AzulejarError
from azulejar.system.plugins import PluginWarning
from azulejar.version import __version__

_show_any_warning = warnings.showwarning

COMMANDS = {
    "To begin with": {
        "demo": "demo",
        "practice": "practice",
        "serve": "serve",
        "launcher": "launcher",
    },
    "From photographs to a panel": {
        "import": "import_photos",
        "join": "join",
        "cut": "cut",
        "solve": "solve",
        "sort": "sort",
        "candidates": "candidates",
        "audit": "audit",
    },
    "For those who lay the tiles": {
        "render": "render",
        "plan": "plan",
        "placement": "placement",
        "joints": "joints",
    },
    "For catalogues and viewers": {"manifest": "manifest", "describe": "describe"},
    "For researchers": {
        "score": "score",
        "puzzle": "puzzle",
        "evaluate": "evaluate",
        "rank": "rank",
        "bench": "bench",
        "train": "train",
        "export": "export",
    },
}


class _Commands(LazyGroup):
    """All commands; Ctrl-C is answered with a sentence, where typer would end in silence."""

    package = "azulejar.cli"
    purposes = COMMANDS

    def invoke(self, ctx):
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            exit_stopped("nothing was written.")


app = typer.Typer(
    cls=_Commands,
    name="azulejar",
    help="Puts tile panels back together from pictures of loose tiles.\n\n"
    "Example: azulejar solve my_tiles -o result",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)
app.add_typer(collection.app, name="collection", rich_help_panel="For a whole museum")


def _show_version(wanted: bool) -> None:
    if wanted:
        console.print(f"azulejar {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    pass


def _show_warning(message: Warning | str, category: type[Warning], *where: Any) -> None:
    """Show warnings for users in one line, and those for developers as Python does."""
    if issubclass(category, FutureWarning | PluginWarning):
        errors.print(f"azulejar: {message}", style="yellow", markup=False, soft_wrap=True)
    else:
        _show_any_warning(message, category, *where)


def run() -> None:
    """Run the program; what goes wrong is said in a sentence, with exit status 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal may lack accents
    warnings.showwarning = _show_warning  # type: ignore[assignment]
    try:
        app()
    except AzulejarError as error:
        complain(phrase(error))
        sys.exit(2)
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        complain(f"{name}{error.strerror or error}. Check the path.")
        sys.exit(2)
    except MemoryError:
        complain("out of memory. Close other programs, or give fewer tiles.")
        sys.exit(2)
