"""The layout of the package: its layers, its folders, and one name for one thing."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

import azulejar

ROOT = Path(__file__).parents[1]
PACKAGE = Path(azulejar.__file__).parent
LOOSE = {"__init__.py", "__main__.py", "errors.py", "py.typed", "version.py"}
FRONT_ENDS = {"app", "cli"}  # these may mirror the library's names
MODULES = sorted(PACKAGE.rglob("*.py"))
SCRIPTS = {path: path.read_text("utf-8") for path in PACKAGE.joinpath("app/web").rglob("*.js")}


def relative(path):
    return path.relative_to(PACKAGE).as_posix()


@pytest.fixture(scope="module")
def trees():
    """The syntax tree of every module, by its path inside the package."""
    return {relative(path): ast.parse(path.read_text(encoding="utf-8")) for path in MODULES}


def test_the_layers_hold(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    assert lint_imports(no_cache=True) == 0, capsys.readouterr().out


def test_only_a_few_files_lie_loose_at_the_top():
    assert {path.name for path in PACKAGE.iterdir() if path.is_file()} == LOOSE


def test_every_folder_of_modules_says_what_lives_there(trees):
    folders = {path.parent for path in MODULES}
    silent = [
        relative(folder)
        for folder in sorted(folders)
        if not (folder / "__init__.py").is_file()
        or not ast.get_docstring(trees[relative(folder / "__init__.py")])
    ]
    assert silent == []


def test_the_library_gives_no_class_name_twice(trees):
    homes = defaultdict(list)
    for path, tree in trees.items():
        if path.split("/")[0] not in FRONT_ENDS:
            for part in tree.body:
                if isinstance(part, ast.ClassDef) and not part.name.startswith("_"):
                    homes[part.name].append(path)
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}


def test_docstrings_are_sentences(trees):
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    odd = [
        f"{path}:{getattr(part, 'lineno', 1)}"
        for path, tree in trees.items()
        for part in ast.walk(tree)
        if isinstance(part, kinds) and (ast.get_docstring(part) or "").startswith("Of ")
    ]
    assert odd == []


def _names(braced):
    return {name.split(" as ")[0].strip() for name in braced.split(",")} - {""}


def test_the_scripts_of_the_page_import_what_others_export():
    exported = {
        path: set(re.findall(r"^export (?:async )?\w+ (\w+)", script, re.MULTILINE)).union(
            *map(_names, re.findall(r"^export \{([^}]+)\}", script, re.MULTILINE))
        )
        for path, script in SCRIPTS.items()
    }
    missing = [
        f"{relative(path)}: {names} of {file}"
        for path, script in SCRIPTS.items()
        for names, file in re.findall(r'^import (.+?) from "(\.[^"]+)"', script, re.M | re.S)
        if (exporter := (path.parent / file).resolve()) not in SCRIPTS
        or (names.startswith("{") and not _names(names.strip("{}")) <= exported[exporter])
    ]
    assert missing == []
