"""``azulejar serve``: the page in the browser."""

import os
import shlex
import shutil
import socket
import sys
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from azulejar.cli.console import bar, console, say, warn
from azulejar.errors import AzulejarError

if TYPE_CHECKING:
    from azulejar.app.workspace import Workspace

PORT = 8642
HOST = "127.0.0.1"
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME")


def command(
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FOLDER]",
            help="Folder of projects, a museum, a result of solve, or a folder of tile pictures.",
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(min=1, max=65535, help=f"By default {PORT}, or any that is free."),
    ] = None,
    host: Annotated[
        str, typer.Option(help="Address to listen on, such as 0.0.0.0; others log in.")
    ] = HOST,
    url: Annotated[
        str | None,
        typer.Option(help="Address at which a reverse proxy offers the page, as https://…."),
    ] = None,
    certificate: Annotated[
        Path | None, typer.Option(help="Certificate chain (PEM): the connection is encrypted.")
    ] = None,
    key: Annotated[Path | None, typer.Option(help="Private key of the certificate (PEM).")] = None,
    new_manager: Annotated[
        bool,
        typer.Option("--new-manager", help="First ask for a manager's name and password."),
    ] = False,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Do not open the page, only print its address.")
    ] = False,
) -> None:
    """Open the page in the browser: add tiles, solve, correct, solve again, export.

    Everything is saved at once; without a FOLDER, projects lie in the folder azulejar among your
    documents.

    Example: azulejar serve result
    """
    # The server is not needed by other commands, which start faster without it.
    from azulejar.app.http.security import is_loopback
    from azulejar.app.server import create_app, load_certificate, run_server

    encryption = None if certificate is None else load_certificate(certificate, key)
    with _listen(host, port) as listener:
        workspace, shown = _open_workspace(folder)
        try:
            app = create_app(workspace, host=host, url=url)
            if new_manager or (app.state.public and not workspace.accounts.exist):
                _ask_manager(workspace)
            kind = "Museum" if (shown or "").startswith("museum=") else "Projects"
            scheme = "http" if encryption is None else "https"
            address = _make_address(url, scheme, host, listener.getsockname()[1], shown)
            say(f"{kind}: {workspace.folder}")
            say(f"In the browser: {address}")
            if encryption is None and url is None and not is_loopback(host):
                warn(
                    "The connection is not encrypted: passwords can be read in this network. Give "
                    "--certificate and --key, or use a reverse proxy."
                )
            console.print("Ctrl-C stops the server.")
            if not no_browser and _has_screen():
                threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
            run_server(app, listener, encryption)
        finally:
            workspace.close()
    console.print("Stopped. Everything is saved.")


def how_to_open(result: Path) -> str:
    """Return the command that shows a result in the browser, as it can be typed here."""
    called = Path(sys.argv[0])
    if called.name == "__main__.py":
        program = [sys.executable, "-m", "azulejar"]
    else:
        on_path = shutil.which(called.name)
        here = on_path is not None and Path(on_path).resolve() == called.resolve()
        program = [called.name if here else str(called)]
    return shlex.join([*program, "serve", str(result)])


def _open_workspace(folder: Path | None) -> tuple["Workspace", str | None]:
    """Return the workspace folder, and the fragment of the address to open."""
    from azulejar.app.local_projects import is_openable, open_local
    from azulejar.app.museum.museum import is_museum
    from azulejar.app.projects import database
    from azulejar.app.projects.atlas import start_atlas
    from azulejar.app.workspace import Workspace, default_folder

    if folder is None:
        return Workspace(default_folder()), None
    if is_museum(folder):
        workspace = Workspace(folder.resolve())
        museum = next(iter(workspace.museums()))
        try:
            workspace.museum(museum).refresh_soon()  # while the browser starts
        except BaseException:
            workspace.close()
            raise
        return workspace, f"museum={museum}"
    if (folder / database.NAME).is_file():
        workspace = Workspace(folder.resolve().parent)
        return workspace, f"project={workspace.id_of(folder)}"
    if not is_openable(folder):
        if folder.is_file():
            raise AzulejarError(
                "project-is-file",
                "{path} is a file.",
                "Give a folder, or a solution.json.",
                path=str(folder),
            )
        return Workspace(folder), None
    workspace = Workspace(default_folder())
    try:
        with bar("Copying tiles") as progress:
            project = open_local(workspace, folder, progress)
        start_atlas(workspace.open(project))  # while the browser starts
        return workspace, f"project={project}"
    except BaseException:
        workspace.close()
        raise


def _listen(host: str, port: int | None) -> socket.socket:
    """Return a socket on the port that was asked for, or else on a free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for wanted in (port,) if port is not None else (PORT, 0):
        try:
            return socket.create_server((host, wanted), family=family)
        except OSError as error:
            reason = error.strerror or str(error)
            if isinstance(error, socket.gaierror):
                break
    if port is None:
        raise AzulejarError(
            "host-unusable",
            "The server cannot listen at {host}: {reason}.",
            "Give --host an address of this computer.",
            host=host,
            reason=reason,
        )
    raise AzulejarError(
        "port-unusable",
        "Port {port} at {host} cannot be used: {reason}.",
        "Give another --port, or none.",
        port=port,
        host=host,
        reason=reason,
    )


def _ask_manager(workspace: "Workspace") -> None:
    """Ask for the name and password of a manager of this server."""
    if not sys.stdin.isatty():
        raise AzulejarError(
            "manager-missing",
            "Nobody can log in to the server of {folder} yet.",
            "Start it once in a terminal with --new-manager, which asks for the first manager.",
            folder=str(workspace.folder),
        )
    say("Other people can reach this server. Who manages it?")
    name = typer.prompt("Name")
    while True:
        password = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
        try:
            workspace.accounts.put_manager(name, password)
        except AzulejarError as error:
            warn(str(error))
        else:
            return


def _has_screen() -> bool:
    """Return whether there is a screen; without one, a browser would open in the terminal."""
    return sys.platform in ("win32", "darwin") or any(map(os.environ.get, SCREENS))


def _make_address(url: str | None, scheme: str, host: str, port: int, shown: str | None) -> str:
    """Return what to type in a browser; for all networks at once, by this computer's name."""
    name = socket.gethostname() if host in ("0.0.0.0", "::") else host
    name = f"[{name}]" if ":" in name else name
    base = f"{scheme}://{name}:{port}" if url is None else url.rstrip("/")
    return f"{base}/{f'#{shown}' if shown else ''}"
