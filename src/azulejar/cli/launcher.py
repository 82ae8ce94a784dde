"""``azulejar launcher``: an entry in the system's menu that opens the page."""

import html
import json
import sys
import tempfile
import urllib.error
import urllib.request
import webbrowser
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from azulejar.cli import serve
from azulejar.cli.console import console, say
from azulejar.cli.messages import phrase
from azulejar.errors import AzulejarError
from azulejar.system.menu_entry import MenuEntry

COMMENTS = {
    "en": "Put tile panels back together",
    "pt": "Voltar a compor painéis de azulejos",
}


def command(
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="[FOLDER]", help="What to open, as azulejar serve takes it."),
    ] = None,
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port of the server.")] = serve.PORT,
    remove: Annotated[bool, typer.Option("--remove", help="Take the entry away again.")] = False,
    start: Annotated[bool, typer.Option("--start", hidden=True)] = False,
) -> None:
    """Write an entry into the system's menu that starts the server and opens the page.

    Chosen again, it opens the page of the server that runs already. The server ends when you log
    out. On Linux, Windows and macOS, for yourself alone.

    Example: azulejar launcher
    """
    if start:
        _start(folder, port)
        return
    entry = _entry(folder, port)
    if remove:
        gone = entry.remove()
        say(f"Removed: {gone[0]}" if gone else "There was no entry.")
        return
    say(f"Written: {entry.write()}")
    console.print("Look for azulejar in the menu of your programs.")


def _entry(folder: Path | None, port: int) -> MenuEntry:
    given = [] if folder is None else [str(folder.resolve())]
    chosen = [] if port == serve.PORT else ["--port", str(port)]
    program = [sys.executable, "-m", "azulejar", "launcher", "--start", *chosen, *given]
    icon = files("azulejar.app") / "web" / "icons" / "azulejar.svg"
    return MenuEntry("azulejar", program, COMMENTS, icon.read_bytes())


def _start(folder: Path | None, port: int) -> None:
    """Open the page of the server at this port, starting one if necessary."""
    address = f"http://{serve.HOST}:{port}/"
    if _is_ours(address):
        webbrowser.open(address)
        return
    try:
        serve.command(folder, port=port)
    except AzulejarError as error:
        webbrowser.open(_write_problem(error).as_uri())
        raise


def _is_ours(address: str) -> bool:
    """Whether an azulejar server answers there, with or without accounts."""
    try:
        with urllib.request.urlopen(f"{address}api/about", timeout=5) as answer:
            return "presets" in json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return error.code == 401
    except (OSError, ValueError):
        return False


def _write_problem(error: AzulejarError) -> Path:
    """Write what went wrong as a page for the browser."""
    folder = Path(tempfile.mkdtemp(prefix="azulejar-"))
    page = folder / "azulejar.html"
    page.write_text(
        f'<!doctype html><meta charset="utf-8"><title>azulejar</title>'
        f'<body style="font:1.2em sans-serif;margin:4em"><h1>azulejar</h1>'
        f"<p>{html.escape(phrase(error))}</p>",
        encoding="utf-8",
    )
    return page
