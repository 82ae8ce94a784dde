"""The headings of lists, in English and in Portuguese: those that are read, and our own."""

import unicodedata
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Literal

Language = Literal["en", "pt"]

TROPY = "https://tropy.org/v1/tropy#"  # where the tables of that program have their headings
DUBLIN_CORE = "http://purl.org/dc/elements/1.1/"

# Each column of tiles.csv, its Portuguese heading, and others that mean the same. Where a table has
# several of them, the first counts.
READ = {
    "file": ("ficheiro", "filename", "image", "picture", "imagem", "arquivo", f"{TROPY}path"),
    "inventory": (
        "número de inventário",
        "inv",
        "accession number",
        "identifier",
        f"{DUBLIN_CORE}identifier",
    ),
    "crate": ("caixa", "box", "contentor", "caixote", f"{TROPY}box"),
    "code": ("código", "inscription", "inscrição"),
    "mark": ("tardoz", "back", "back mark", "mark on the back", "marca", "marca no tardoz"),
    "thickness": ("espessura",),
    "turn": ("rotação", "rotation", "turn degrees clockwise"),
    "row": ("fiada", "linha"),
    "row_from_bottom": ("fiada a contar de baixo", "fiada de baixo", "linha de baixo"),
    "col": ("coluna", "column"),
    "outer": ("lado exterior", "lados exteriores", "outer side", "outer sides", "lados de fora"),
    "half": ("metade", "meio azulejo", "half tile"),
    "panel": ("painel",),
    "pattern": ("padrão", "padronagem"),
    "wall": ("parede",),
    "level": ("nível", "nível de leitura"),
    "section": ("secção", "seção"),
    "iiif": ("serviço de imagem", "image service"),
    "photo": ("fotografia", "photograph"),
    "note": ("observações", "obs", "notes", "remarks", "nota", "notas", f"{TROPY}note"),
}
# Columns of other lists of ours: nothing is read from them.
LISTED = {
    "panel_from_1": "painel",
    "row_from_1": "fiada",
    "col_from_1": "coluna",
    "turn_degrees_clockwise": "rotação",
    "confidence": "confiança",
    "probability": "probabilidade",
    "above": "acima",
    "right": "à direita",
    "below": "abaixo",
    "left": "à esquerda",
    "tile": "azulejo",
    "side": "lado",
    "other_tile": "outro azulejo",
    "other_side": "lado do outro",
    "by": "por",
    "date": "data",
    "blur": "desfocagem",
    "glare": "reflexo",
    "missing": "falta",
    "width_cm": "largura (cm)",
    "height_cm": "altura (cm)",
}
# Words of headings that add nothing: "N.º de inventário" and "espessura (mm)" mean what
# "inventário" and "espessura" mean.
FILLERS = {"a", "o", "n", "no", "num", "numero", "number", "de", "da", "do", "em", "of", "the",
           "in", "from", "1", "mm", "cm"}  # fmt: skip


def heading(column: str, language: Language) -> str:
    """Return the heading of a column in a list of ours.

    >>> heading("inventory", "pt"), heading("inventory", "en")
    ('número de inventário', 'inventory')
    """
    if language == "en":
        return column
    return READ[column][0] if column in READ else LISTED.get(column, column)


def columns_of(header: Sequence[str]) -> tuple[list[str | None], list[str]]:
    """Return the column of each heading, None if it is unknown, and the unknown headings.

    >>> columns_of(["N.º de inventário", "Ficheiro", "Espessura (mm)", "Cor"])
    (['inventory', 'file', 'thickness', None], ['Cor'])
    """
    ranks = [_RANKS.get(_plain(cell), (len(_RANKS), "")) for cell in header]
    best: dict[str, int] = {}
    for at, (rank, column) in enumerate(ranks):
        if column and (column not in best or rank < ranks[best[column]][0]):
            best[column] = at
    meant = [column if best.get(column) == at else None for at, (_, column) in enumerate(ranks)]
    own = {_plain(name) for pair in LISTED.items() for name in pair}
    unknown = [
        cell
        for cell, column in zip(header, meant, strict=True)
        if column is None and cell and _plain(cell) not in own
    ]
    return meant, unknown


def in_centimetres(cell: str) -> bool:
    """Return whether a heading says that its numbers are centimetres."""
    return "cm" in _words(cell)


def guesses(unknown: Iterable[str]) -> list[str]:
    """Return headings that mean nothing, with the one that may be meant in brackets.

    One that is passed over because another column counts has that column's name.

    >>> guesses(["Espesura", "Cor", "Espessura"])
    ['Espesura (espessura?)', 'Cor', 'Espessura (= thickness)']
    """
    names = (name for column, others in READ.items() for name in (column, *others))
    known = [name for name in names if "://" not in name]
    shown = []
    for cell in unknown:
        if _plain(cell) in _RANKS:
            shown.append(f"{cell} (= {_RANKS[_plain(cell)][1]})")
            continue
        near = get_close_matches(cell.casefold(), known, 1, 0.8)
        shown.append(f"{cell} ({near[0]}?)" if near and len(cell) > 3 else cell)
    return shown


def _words(cell: str) -> list[str]:
    apart = unicodedata.normalize("NFKD", cell.casefold())
    letters = (c if c.isalnum() else " " for c in apart if not unicodedata.combining(c))
    return "".join(letters).split()


def _plain(cell: str) -> str:
    """Return a heading without accents, punctuation, and words that add nothing."""
    words = _words(cell)
    return " ".join([word for word in words if word not in FILLERS] or words)


_RANKS = {
    _plain(name): (rank, column)
    for column, others in reversed(READ.items())
    for rank, name in reversed([*enumerate((column, *others))])
}
