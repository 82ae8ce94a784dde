"""Find the errors that the package raises, by reading its source."""

import ast
import re
from pathlib import Path
from typing import NamedTuple

import azulejar

CLASS = re.compile(r"^class (\w+)\((.*?)\):", re.MULTILINE | re.DOTALL)


class RaisedError(NamedTuple):
    """One place in the source where an ``AzulejarError`` is made."""

    where: str  # path inside the package, and line
    texts: tuple[str, ...] | None  # code and templates, or None where they are not literal
    all_texts: list[str]  # every literal among the arguments
    values: set[str] | None  # names of the values, or None where they are passed on as a whole


def _literals(part):
    return [
        each.value
        for each in ast.walk(part)
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    ]


def find_raised_errors():
    """Return every ``AzulejarError``, or error derived from it, that the package makes."""
    package = Path(azulejar.__file__).parent
    texts = {
        path.relative_to(package).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(package.rglob("*.py"))
    }
    classes = [match.groups() for text in texts.values() for match in CLASS.finditer(text)]
    kinds, before = {"AzulejarError"}, set()
    while kinds != before:
        before = set(kinds)
        kinds |= {name for name, bases in classes if kinds & set(re.findall(r"\w+", bases))}
    made = re.compile(rf"\b(?:{'|'.join(kinds)})\(")
    parts = [
        (path, part)
        for path, text in texts.items()
        if made.search(text)  # most files make none, and reading their syntax takes long
        for part in ast.walk(ast.parse(text))
        if isinstance(part, ast.ClassDef | ast.Call)
    ]
    # Kinds with a constructor of their own pass on the code and the words of another error.
    own = {
        part.name
        for _, part in parts
        if isinstance(part, ast.ClassDef)
        and part.name in kinds - {"AzulejarError"}
        and any(isinstance(each, ast.FunctionDef) and each.name == "__init__" for each in part.body)
    }
    return [
        RaisedError(
            f"{path}:{part.lineno}",
            tuple(each.value for each in part.args)
            if part.args and all(isinstance(each, ast.Constant) for each in part.args)
            else None,
            [text for each in part.args for text in _literals(each)],
            None
            if any(each.arg is None for each in part.keywords)
            else {each.arg for each in part.keywords},
        )
        for path, part in parts
        if isinstance(part, ast.Call)
        and (getattr(part.func, "id", None) or getattr(part.func, "attr", None)) in kinds - own
    ]
