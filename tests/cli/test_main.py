"""What holds for all commands: help, version, and the one funnel for errors."""

import pytest
from typer.testing import CliRunner

from azulejar.cli import main
from azulejar.version import __version__

COMMANDS = [name for commands in main.COMMANDS.values() for name in commands]


def plain(text):
    """Help without its frames, on one line."""
    return " ".join(text.replace("│", " ").split())


def test_version(azulejar_process):
    assert azulejar_process("--version") == f"azulejar {__version__}\n"


def test_without_a_command_the_help_lists_them_all(invoke):
    result = invoke()
    shown = plain(result.stdout + result.stderr)
    assert "Example: azulejar solve my_tiles -o result" in shown
    for command in COMMANDS:
        assert f" {command} " in shown


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_an_example(command):
    result = CliRunner().invoke(main.app, [command, "--help"], prog_name="azulejar")
    assert result.exit_code == 0
    assert f"Example: azulejar {command} " in plain(result.output)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["assemble"], "No such command 'assemble'"),
        (["solve", "--fast"], "No such option: --fast"),
        (["solve"], "Missing argument 'TILES'"),
        (["solve", "tiles"], "Missing option '--output'"),
        (["solve", "tiles", "-o", "out", "--rows", "four"], "Invalid value for '--rows'"),
        (["solve", "tiles", "-o", "out", "--runs", "0"], "Invalid value for '--runs'"),
        (["puzzle", "panel.png", "-o", "out"], "Missing option '--rows'"),
        (["evaluate", "solution.json"], "Missing argument 'TRUTH'"),
    ],
)
def test_what_was_typed_wrong_is_told(arguments, told):
    result = CliRunner().invoke(main.app, arguments)
    assert result.exit_code == 2
    assert told in plain(result.output)


def test_a_typing_error_ends_a_real_call_with_status_2(process):
    result = process("solve", "tiles")
    assert result.returncode == 2
    assert "Missing option '--output'" in plain(result.stderr)
    assert "Traceback" not in result.stderr


def test_want_of_memory_is_told(monkeypatch, capsys):
    def greedy():
        raise MemoryError

    monkeypatch.setattr(main, "app", greedy)
    with pytest.raises(SystemExit) as end:
        main.run()
    assert end.value.code == 2
    assert "out of memory" in capsys.readouterr().err


def test_a_name_that_the_system_cannot_hold_is_told(refused):
    assert "too long" in refused("solve", "tiles", "-o", "a" * 300)
