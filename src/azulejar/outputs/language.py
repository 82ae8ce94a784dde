"""Translations of reports and plans: sentences are looked up by their English text.

Each language has one file in ``texts``, from the English sentence to its own; a sentence that is
missing there stays in English.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from azulejar.knowledge.headings import Language


@dataclass(frozen=True)
class Words:
    """Sentences in a language, with values filled in.

    Examples:
        >>> from azulejar.outputs.language import Words
        >>> Words("pt")("page {number} of {count}", number=2, count=5)
        'página 2 de 5'
        >>> Words("pt").decimal(0.934)
        '0,93'
    """

    language: Language = "en"

    def __call__(self, english: str, **values: Any) -> str:
        text = _catalogue(self.language).get(english, english)
        return text.format_map(values) if values else text

    def decimal(self, value: float, decimals: int = 2) -> str:
        """Return a number with so many decimals."""
        text = f"{value:,.{decimals}f}"
        return text if self.language == "en" else text.translate(_SEPARATORS)


ENGLISH = Words()
_SEPARATORS = str.maketrans(",.", "\N{NO-BREAK SPACE},")


@cache
def _catalogue(language: str) -> dict[str, str]:
    if language == "en":
        return {}
    found = files("azulejar.outputs") / "texts" / f"{language}.json"
    return json.loads(found.read_text(encoding="utf-8"))
