"""Numbers and lists as people say them."""

from collections.abc import Mapping, Sequence
from html import escape

SURE, FAIR = 0.9, 0.7  # mean confidence from which a panel is called so
TRUST = {"sure": "mostly right", "fair": "right in part", "check": "doubtful"}


def counted(number: int, thing: str) -> str:
    """1 tile, 2,400 tiles."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def listed(words: Sequence[str]) -> str:
    """12, 17 and 40."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def per_cent(share: float) -> str:
    """Whole per cent; what is not all is never called 100, what is not nothing never 0."""
    whole = round(100 * share)
    if 0 < share < 1:
        whole = min(max(whole, 1), 99)
    return f"{whole} %"


def sureness(confidence: float) -> str:
    """A probability in per cent; nothing is ever quite certain."""
    return "< 1 %" if confidence < 0.01 else per_cent(min(confidence, 0.99))


def trust(confidence: float) -> str:
    """A key of ``TRUST`` for a panel's mean confidence."""
    return "sure" if confidence >= SURE else "fair" if confidence >= FAIR else "check"


def crates_shown(crates: Mapping[str, int], most: int = 4) -> str:
    """The crates that hold most tiles, as HTML: 12 ×40, 17 ×33 and 5 more."""
    pairs = sorted(crates.items(), key=lambda pair: -pair[1])
    shown = [f"<b>{escape(crate) or '–'}</b> ×{count}" for crate, count in pairs[:most]]
    if len(pairs) > most:
        shown.append(f"{len(pairs) - most:,} more")
    return listed(shown)
