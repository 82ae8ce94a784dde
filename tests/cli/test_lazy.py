"""Commands that are imported when they are called."""

import subprocess
import sys
from typing import ClassVar

import pytest
import typer
from typer.testing import CliRunner

from azulejar.cli.lazy import LazyGroup
from azulejar.cli.main import app as app_of_azulejar
from azulejar.system.plugins import PluginTable

COMMAND = '''
"""A command."""

import typer

print("imported {name}")


def helper():
    """Not this one."""


def command(tiles: int = 2) -> None:
    """Count the {name}.

    Example: museum {name} --tiles 3
    """
    print(f"{{tiles}} {name}")
'''
HEAVY = "{'numpy', 'numba', 'scipy', 'PIL', 'onnxruntime', 'cv2', 'fastapi'}"
START = f"""
import sys
from azulejar.cli import main

sys.argv = ["azulejar", *sys.argv[1:]]
try:
    main.run()
finally:
    assert not {HEAVY} & set(sys.modules), sorted(sys.modules)
"""


@pytest.fixture
def app(tmp_path, monkeypatch):
    """Two commands in panels of their own, and a group with one more; ``broken`` cannot load."""
    for place in ("museum", "museum/crates"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "__init__.py").touch()
    (tmp_path / "museum/find.py").write_text(COMMAND.format(name="finds"))
    (tmp_path / "museum/broken.py").write_text(COMMAND.format(name="shards") + "\n1 / 0\n")
    (tmp_path / "museum/crates/sort_all.py").write_text(COMMAND.format(name="crates"))
    monkeypatch.syspath_prepend(tmp_path)

    class Museum(LazyGroup):
        package = "museum"
        purposes: ClassVar = {"To find": {"find": "find"}, "To lose": {"lose": "broken"}}

    class Crates(LazyGroup):
        package = "museum.crates"
        purposes: ClassVar = {"Commands": {"sort": "sort_all"}}

    app = typer.Typer(cls=Museum, add_completion=False)
    app.callback()(lambda: None)
    crates = typer.Typer(cls=Crates, help="All crates.")
    app.add_typer(crates, name="crates", rich_help_panel="To keep")
    yield app
    for name in [name for name in sys.modules if name.split(".")[0] == "museum"]:
        del sys.modules[name]


@pytest.fixture
def run(app):
    return lambda *arguments: CliRunner().invoke(app, arguments, prog_name="museum")


def test_the_help_tells_of_all_commands_without_importing_them(run):
    shown = run("--help").output
    inside = [line for line in shown.splitlines() if line.startswith(("╭", "│"))]
    told = [line.strip("╭╮│─ ") for line in inside]
    assert [" ".join(line.split()) for line in told][2:] == [
        "To find", "find Count the finds.",
        "To lose", "lose Count the shards.",
        "To keep", "crates All crates.",
    ]  # fmt: skip
    assert "museum.find" not in sys.modules


def test_a_command_is_imported_when_it_is_called(run):
    assert run("find", "--tiles", "5").output == "imported finds\n5 finds\n"
    assert "museum.broken" not in sys.modules


def test_a_command_s_own_help_is_whole(run):
    shown = run("find", "--help").output
    assert "Usage: museum find [OPTIONS]" in shown
    assert "Example: museum finds --tiles 3" in shown
    assert "--tiles" in shown


@pytest.mark.parametrize("command", ["solve", "bench"])
def test_help_names_plug_ins(monkeypatch, command):
    added = property(lambda table: [table.group.replace(".", "-")])
    monkeypatch.setattr(PluginTable, "added", added)
    shown = CliRunner().invoke(app_of_azulejar, [command, "--help"]).output
    shown = " ".join(shown.replace("│", " ").split())
    assert "Plug-ins: azulejar-measures." in shown
    assert "Plug-ins: azulejar-solvers." in shown


def test_what_fails_on_import_fails_when_called_alone(run):
    assert isinstance(run("lose").exception, ZeroDivisionError)


def test_a_group_in_a_group(run):
    assert "sort  Count the crates." in run("crates", "--help").output
    assert run("crates", "sort").output == "imported crates\n2 crates\n"


@pytest.mark.parametrize("arguments", [(), ("crates",)])
def test_a_name_typed_wrong_gets_the_nearest(run, arguments):
    known = "sort" if arguments else "find"
    result = run(*arguments, known + "d")
    assert result.exit_code == 2
    assert f"Did you mean '{known}'?" in " ".join(result.output.split())


@pytest.mark.parametrize(
    "arguments", [["--version"], ["--help"], ["assemble"], ["train", "--help"]]
)
def test_the_start_loads_nothing_heavy(arguments):
    ended = subprocess.run(
        [sys.executable, "-c", START, *arguments], capture_output=True, text=True
    )
    assert "AssertionError" not in ended.stderr
    assert ended.returncode == (2 if arguments == ["assemble"] else 0), ended.stderr
