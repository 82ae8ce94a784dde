"""system/reading.py: whole files, and one error for those that cannot be read."""

from typing import Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from azulejar.errors import AzulejarError
from azulejar.system.reading import parse_json, read_bytes, validation_problem


def test_returns_the_contents(tmp_path):
    (tmp_path / "a").write_bytes(b"\xff\x00")
    assert read_bytes(tmp_path / "a") == b"\xff\x00"
    assert read_bytes(str(tmp_path / "a")) == b"\xff\x00"


@pytest.mark.parametrize("name", ["absent", "."])
def test_says_why_a_file_cannot_be_read(tmp_path, name):
    with pytest.raises(AzulejarError) as raised:
        read_bytes(tmp_path / name)
    assert raised.value.code == "file-unreadable"
    assert raised.value.values["path"] == str(tmp_path / name)
    assert raised.value.values["reason"]


@pytest.mark.parametrize("path", ["/dev/zero", "a\0b"])
def test_files_that_never_end_and_names_that_cannot_be(path):
    with pytest.raises(AzulejarError):
        read_bytes(path, most=1000)


@pytest.mark.parametrize("text", ["{", "[" * 100_000, "1" * 5000, ""])
def test_whatever_is_wrong_with_json_is_a_value_error(text):
    with pytest.raises(ValueError):
        parse_json(text)


class Message(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    rows: int = Field(1, ge=1, le=9)
    share: float = 0.0
    turn: Literal[0, 90] = 0
    name: str = Field("", max_length=3)
    upright: bool = False
    tiles: list[dict[str, int]] = Field([], max_length=2)


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ('{"rows": 0}', "rows", "must be 1 or more"),
        ('{"rows": 10}', "rows", "must be 9 or less"),
        ('{"rows": 1.5}', "rows", "must be a whole number"),
        ('{"rows": "1e9999"}', "rows", "must be a whole number"),
        ('{"share": "half"}', "share", "must be a number"),
        ('{"share": NaN}', "share", "must be a finite number"),
        ('{"turn": 45}', "turn", "must be 0 or 90"),
        ('{"name": 3}', "name", "must be text"),
        ('{"name": "long"}', "name", "must have 3 characters or fewer"),
        ('{"upright": 7}', "upright", "must be true or false"),
        ('{"tiles": 7}', "tiles", "must be a list in brackets"),
        ('{"tiles": [{}, 7]}', "tiles 2", "must be an object in braces"),
        ('{"tiles": [{}, {}, {}]}', "tiles", "must have 2 entries or fewer"),
        ('{"colz": 3}', "", "has 'colz', which means nothing there"),
        ("[]", "", "must be an object in braces"),
        ("{", "", "is not valid JSON at line 1, column 1"),
    ],
)
def test_problems_are_told_in_plain_words(text, where, what):
    with pytest.raises(ValidationError) as raised:
        Message.model_validate_json(text)
    assert validation_problem(raised.value) == (where, what)
