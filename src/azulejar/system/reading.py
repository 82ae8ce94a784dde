"""Reading of small files whole, and what is wrong with them in plain words."""

import csv
import io
import json
import os
import re
from pathlib import Path
from typing import Any, Protocol

from azulejar.errors import AzulejarError

MOST_BYTES = 256 * 2**20


def read_bytes(path: str | os.PathLike[str], most: int = MOST_BYTES) -> bytes:
    """Return the contents of a file.

    Raises:
        AzulejarError: If the file cannot be read, or holds more than ``most`` bytes.
    """
    try:
        with Path(path).open("rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError) as error:  # a name with a NUL is a ValueError
        raise unreadable(path, getattr(error, "strerror", None) or str(error)) from error
    if len(data) > most:
        raise AzulejarError(
            "contents-too-large",
            "{path} is larger than {limit} MB.",
            "Check whether it is the right file.",
            path=str(path),
            limit=most // 2**20,
        )
    return data


class Table(Protocol):
    """Lines of cells, and the number of the line in the file that was read last, from 1."""

    line_num: int

    def __iter__(self) -> "Table": ...

    def __next__(self) -> list[str]: ...


def read_table(
    path: str | os.PathLike[str], most: int = MOST_BYTES, *, strict: bool = True
) -> Table:
    """Return the lines of a CSV file as written by spreadsheets in any language.

    Cells are separated by commas, semicolons (which a spreadsheet set to Portuguese writes) or
    tabs; the text is UTF-8, with or without a byte-order mark, or else Windows-1252. If ``strict``,
    reading a line with a stray quotation mark raises ``csv.Error``.
    """
    data = read_bytes(path, most)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")  # what older spreadsheets write
    separator = max(",;\t", key=text.split("\n", 1)[0].count)
    return csv.reader(io.StringIO(text), delimiter=separator, strict=strict)


def unreadable(path: str | os.PathLike[str], reason: str) -> AzulejarError:
    """Return the error for a file that cannot be read."""
    return AzulejarError(
        "file-unreadable",
        "Cannot read {path}: {reason}.",
        "Check the path.",
        path=str(path),
        reason=reason,
    )


def parse_json(data: bytes | str) -> Any:
    """Parse JSON; whatever is wrong with it is a ValueError.

    >>> parse_json(b"[" * 100_000)
    Traceback (most recent call last):
    ...
    ValueError: it is nested too deeply
    """
    try:
        return json.loads(data)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def repeated_key(text: str) -> str | None:
    """Return the first key of valid JSON that an object has twice, of which the last would count.

    >>> repeated_key('{"rows": 3, "cols": 4, "rows": 5}')
    'rows'
    """
    found: list[str] = []

    def note(pairs: list[tuple[str, Any]]) -> None:
        keys = [key for key, _ in pairs]
        found.extend(key for key in keys if keys.count(key) > 1)

    json.loads(text, object_pairs_hook=note)
    return found[0] if found else None


def validation_problem(error: Any) -> tuple[str, str]:
    """Return the place and, in plain words, the kind of the first problem that pydantic found.

    ``error`` is a ValidationError, whose class a bare server lacks. Places count from 1.

    >>> from pydantic import BaseModel, ValidationError
    >>> class Panel(BaseModel):
    ...     rows: int
    >>> try:
    ...     Panel.model_validate_json('{"rows": "two"}')
    ... except ValidationError as error:
    ...     validation_problem(error)
    ('rows', 'must be a whole number')
    """
    return describe_problem(error.errors(include_url=False)[0])


def describe_problem(first: Any) -> tuple[str, str]:
    """Return place and problem of one entry of pydantic's list of errors."""
    parts = [str(part + 1) if isinstance(part, int) else str(part) for part in first["loc"]]
    kind, context = first["type"], first.get("ctx", {})
    if kind == "missing":
        return " ".join(parts[:-1]), f"lacks {parts[-1]!r}"
    if kind == "extra_forbidden":
        return " ".join(parts[:-1]), f"has {parts[-1]!r}, which means nothing there"
    if kind == "value_error":
        return " ".join(parts), str(context["error"])
    if kind == "json_invalid":
        at = re.search(r"line (\d+) column (\d+)", context["error"])
        where = f" at line {at[1]}, column {at[2]}" if at else ""
        return " ".join(parts), f"is not valid JSON{where}"
    words = _PROBLEMS.get(kind) or next(
        (text for start, text in _KINDS.items() if kind.startswith(start)), "is not valid"
    )
    return " ".join(parts), words.format_map(context)


_PROBLEMS = {
    "enum": "must be {expected}",
    "finite_number": "must be a finite number",
    "greater_than": "must be more than {gt}",
    "greater_than_equal": "must be {ge} or more",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be {le} or less",
    "literal_error": "must be {expected}",
    "string_too_long": "must have {max_length} characters or fewer",
    "string_too_short": "must have {min_length} characters or more",
    "too_long": "must have {max_length} entries or fewer",
    "too_short": "must have {min_length} entries or more",
}
_KINDS = {  # by the beginning of pydantic's names
    "int_": "must be a whole number",
    "float_": "must be a number",
    "bool_": "must be true or false",
    "string_": "must be text",
    "list_": "must be a list in brackets",
    "tuple_": "must be a list in brackets",
    "dict_": "must be an object in braces",
    "model_": "must be an object in braces",
}
