"""Headings as museums write them."""

import pytest

from azulejar.knowledge.headings import LISTED, READ, columns_of, guesses, heading

PORTUGUESE = "Ficheiro;N.º de Inventário;CAIXA;Tardoz;Espessura (mm);Observações"


def test_an_inventory_in_portuguese():
    columns, unknown = columns_of(PORTUGUESE.split(";"))
    assert columns == ["file", "inventory", "crate", "mark", "thickness", "note"]
    assert unknown == []


@pytest.mark.parametrize(
    ("words", "column"),
    [("Nº Inv.", "inventory"), ("num_inventario", "inventory"), ("Código", "code"),
     ("Marca no tardoz", "mark"), ("Nível", "level"), ("SECÇÃO", "section"), ("Parede", "wall"),
     ("row_from_1", "row"), ("Box", "crate"), ("Notes", "note"), ("", None)],
)  # fmt: skip
def test_one_thing_has_many_names(words, column):
    assert columns_of([words])[0] == [column]


def test_of_several_the_first_named_counts():
    columns, unknown = columns_of(["Notas", "Observações", "Marca", "mark"])
    assert columns == [None, "note", None, "mark"]
    assert unknown == ["Notas", "Marca"]


def test_every_heading_that_is_written_is_read_again():
    for language in ("en", "pt"):
        written = [heading(column, language) for column in READ]
        assert columns_of(written) == (list(READ), [])
        assert columns_of([heading(column, language) for column in LISTED])[1] == []


def test_a_slip_is_told_with_what_may_be_meant():
    assert guesses(["Observasões", "tardos", "Cor"]) == [
        "Observasões (observações?)",
        "tardos (tardoz?)",
        "Cor",
    ]


def test_a_second_heading_of_one_column_is_no_slip():
    unknown = columns_of(["thickness", "Espessura"])[1]
    assert guesses(unknown) == ["Espessura (= thickness)"]
