"""A group of commands, each imported when it is called: the start stays short."""

import ast
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption
from typer.main import get_command


class LazyGroup(TyperGroup):
    """Commands that are known by name until one is called; the help reads their sources.

    A command is the function ``command`` of a module. Commands and groups that are added to the
    app in typer's own ways come after these.
    """

    package: ClassVar[str]  # where the modules are
    purposes: ClassVar[dict[str, dict[str, str]]]  # panel of the help: command: module

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.modules = {
            name: f"{self.package}.{module}"
            for commands in self.purposes.values()
            for name, module in commands.items()
        }
        named = {
            name: TyperCommand(name, rich_help_panel=purpose)
            for purpose, commands in self.purposes.items()
            for name in commands
        }
        self.commands = named | dict(self.commands)

    def resolve_command(self, ctx, args):
        name, command, rest = super().resolve_command(ctx, args)
        if name in self.modules:
            command = _import(name, self.modules[name])
        return name, command, rest

    def format_help(self, ctx, formatter):
        for name, module in self.modules.items():
            self.commands[name].help = _description(module)
        super().format_help(ctx, formatter)


class _Command(TyperCommand):
    """A command whose help names the plug-ins for its options; it looks for them only then."""

    def format_help(self, ctx, formatter):
        for option in self.params:
            names = _added_names(option.name or "")
            if names and isinstance(option, TyperOption):
                option.help = f"{option.help} Plug-ins: {', '.join(names)}."
        super().format_help(ctx, formatter)


def _added_names(option: str) -> list[str]:
    """Return the names of plug-ins that an option takes; others need not be imported."""
    if option in ("measure", "measures"):
        from azulejar.measures import MEASURES

        return MEASURES.added
    if option in ("solver", "solvers"):
        from azulejar.solvers import SOLVERS

        return SOLVERS.added
    return []


def _import(name: str, module: str) -> Any:
    app = typer.Typer(add_completion=False, rich_markup_mode="rich", pretty_exceptions_enable=False)
    app.command(name, cls=_Command)(import_module(module).command)
    return get_command(app)


def _description(module: str) -> str | None:
    """Return the docstring of a module's function ``command`` without importing the module."""
    found = find_spec(module)
    assert found and found.origin, module
    for part in ast.parse(Path(found.origin).read_text(encoding="utf-8")).body:
        if isinstance(part, ast.FunctionDef) and part.name == "command":
            return ast.get_docstring(part)
    return None
