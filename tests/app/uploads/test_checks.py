"""Names of files that come from elsewhere."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.app.http.errors import InvalidRequest
from azulejar.app.uploads.checks import MAX_NAME, FileNames, check_name, unsupported_file


@pytest.mark.parametrize(
    "name",
    ["1.png", "Azulejo nº 12 (São João).tif", "青い.jpg", "a.b.c.webp", "console.png", "é.png"],
)
def test_plain_names_are_taken(name):
    assert check_name(name) == name
    assert check_name(unicodedata.normalize("NFD", name)) == name


@pytest.mark.parametrize(
    "name",
    [
        "", ".", "..", "../../x.png", "/etc/passwd", "a/b.png", "a\\b.png", "C:\\x.png", "C:x.png",
        ".hidden.png", " a.png", "a.png ", "a.png.", "a\x00.png", "a\nb.png", "a\x7f.png",
        "a\u202egnp.exe", "a\u200b.png", "a\u2028.png", "\xa0.png", "\ud800.png", "CON",
        "con.png", "Lpt1.jpg", "nul.tar.gz", "aux .png", "a?.png", "a*.png", 'a".png', "a|b.png",
        "<a>.png", "x" * 300 + ".png", "ã" * 150,
    ],
)  # fmt: skip
def test_all_others_are_refused(name):
    with pytest.raises(InvalidRequest) as refusal:
        check_name(name)
    refusal.value.problem.encode()  # can be told
    assert not any(unicodedata.category(letter) == "Cc" for letter in refusal.value.problem)


@given(st.text(max_size=30))
def test_whatever_is_taken_stays_in_its_folder(tmp_path_factory, name):
    try:
        plain = check_name(name)
    except InvalidRequest:
        return
    folder = tmp_path_factory.getbasetemp()
    assert (folder / plain).resolve().parent == folder.resolve()
    assert len(plain.encode()) <= MAX_NAME
    assert plain == plain.strip()
    assert not any(unicodedata.category(letter)[0] == "C" for letter in plain)


def test_names_that_cannot_lie_side_by_side_are_found():
    names = FileNames(["12a.png", "B.jpg"])
    assert names.like("12a.png") == names.like("12A.PNG") == names.like("12a.tif") == "12a.png"
    assert names.like("12A.tif") is None
    assert names.like("C.jpg") is None
    names.add("C.jpg")
    assert names.like("c.JPG") == "C.jpg"


@pytest.mark.parametrize("kind", ["tiles", "photographs"])
def test_heic_is_told_from_what_is_no_picture(kind):
    assert "is a HEIC picture" in unsupported_file("IMG_1.HEIC", kind).problem
    assert "is no picture" in unsupported_file("notes.txt", kind).problem
