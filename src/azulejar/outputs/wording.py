"""Numbers, lists and places in words."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from azulejar.core.assembly import Assembly, Place
from azulejar.judging.seams import LoosePart
from azulejar.judging.verdict import is_probably_wrong
from azulejar.outputs.language import ENGLISH, Words
from azulejar.panel.doubts import PanelDoubts
from azulejar.patterns.finding import Pattern
from azulejar.patterns.repeats import Module
from azulejar.reference.following import Followed

SURE, FAIR = 0.9, 0.7  # mean confidence from which a panel is called so
PROBABLY_WRONG = (
    "This is probably wrong: only about {share} of the tiles are likely to lie right. It would "
    "help to photograph all tiles in the same light, to give the panel's rows and cols, or to lock "
    "tiles whose places are known."
)
TAKEN_FOR_UPRIGHT = "The tiles were taken for upright: if some may be turned, leave that out."
HARDLY_JUDGED = (
    "This is probably wrong, or too worn to be judged: only about {share} of the tiles are likely "
    "to lie right. Tiles that are not marked may lie wrong too."
)
RAGGED = (
    "The tiles do not fill a rectangle: there are {tiles} in {rows} rows × {cols} cols. Unless the "
    "panel has another shape, some lie wrong. It would help to give its rows and cols, or to lock "
    "tiles whose places are known."
)
BETTER_SIZE = (
    "The tiles fit better as {rows} rows × {cols} cols than in the present size. Check the size."
)
LOOSE_PART = (
    "A part of {tiles} tiles is connected to the rest of the panel by mostly doubtful joints: it "
    "may belong elsewhere, or to another panel. Check this seam first, or lock tiles whose places "
    "are known."
)
MIRRORED_PART = (
    "Two panels may lie side by side: {tiles} tiles (rows {rows}, cols {cols}) meet the rest along "
    "a seam whose sides mirror each other, as the borders of two panels do. Check this seam first; "
    "if they are two, sort the tiles and solve each panel by itself."
)
PATTERN = (
    "Pattern: order undetermined. {tiles} of {designs} repeat every {module}; which of the alike "
    "tiles lay where cannot be known."
)
ALIKE = (
    "{tiles} of {designs} are alike, as in a repeated frame or a pattern: which of them lay where "
    "cannot be known. If they are of another wall, part them first with azulejar sort."
)
TRUST = {"sure": "mostly right", "fair": "right in part", "check": "doubtful"}


class CrateCounts(NamedTuple):
    """The crates that hold most tiles, with their numbers, and how many ``more`` there are."""

    shown: list[tuple[str, int]]
    more: int


def describe_reference(found: Followed, say: Words = ENGLISH) -> str:
    """Say how far a reference picture was believed."""
    if not found.believed:
        return say(
            "The reference does not help: it does not show where the sure parts of the panel lie."
        )
    told = say(
        "The reference picture was believed: of the {most} bits that tell the place and turn of a "
        "tile, it gave {bits} on {tiles} tiles that the edges alone are sure of.",
        most=say.decimal(found.most, 1),
        bits=say.decimal(found.bits, 1),
        tiles=found.tiles,
    )
    more = [say("It is a mirror image of the panel.")] if found.mirrored else []
    return " ".join([told, *more, _compare(say)])


def describe_guide(believed: bool, say: Words = ENGLISH) -> str:
    """Say whether an old picture guided the solve, without figures."""
    if not believed:
        return say("It was not used to put the panel together.")
    told = say("The panel was put together with this picture as a guide.")
    return f"{told} {_compare(say)}"


def _compare(say: Words) -> str:
    return say(
        "Compare the two: a picture of another panel with the same painted frame can be believed "
        "too."
    )


def count_noun(number: int, noun: str) -> str:
    """Return a number with its noun: 1 tile, 2,400 tiles."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def count_clause(number: int, noun: str, one: str = "is", more: str = "are") -> str:
    """Return a number with its noun and verb: 1 panel is, 2 panels are."""
    return f"{count_noun(number, noun)} {one if number == 1 else more}"


def join_words(words: Sequence[str]) -> str:
    """Return words as a list: 12, 17 and 40."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def format_percent(share: float) -> str:
    """Return a share in whole per cent; only all is 100 %, and only nothing is 0 %."""
    whole = round(100 * share)
    if 0 < share < 1:
        whole = min(max(whole, 1), 99)
    return f"{whole} %"


def format_sureness(probability: float) -> str:
    """Return a probability in per cent, which is never called certain."""
    return "< 1 %" if probability < 0.01 else format_percent(min(probability, 0.99))


def format_probability(probability: float) -> str:
    """Return a probability from 0.00 to 0.99: none is certain."""
    return f"{min(probability, 0.99):.2f}"


def doubts(mean: float | None, say: Words = ENGLISH, *, upright: bool = False) -> list[str]:
    """Return what warns of an assembly with this mean confidence, if anything has to.

    ``upright``: its tiles were taken for upright.
    """
    if mean is None or not is_probably_wrong(mean):
        return []
    warning = say(PROBABLY_WRONG, share=format_percent(mean))
    return [f"{warning} {say(TAKEN_FOR_UPRIGHT)}" if upright else warning]


def describe_part(part: LoosePart, assembly: Assembly, say: Words = ENGLISH) -> str:
    """Say which part of a panel may not belong to the rest, and why."""
    tiles = say.decimal(len(part), 0)
    if not part.mirrored:
        return say(LOOSE_PART, tiles=tiles)
    at = list(part.tiles)
    rows, cols = (
        say("{first} to {last}", first=lies[at].min() + 1, last=lies[at].max() + 1)
        for lies in (assembly.row, assembly.col)
    )
    return say(MIRRORED_PART, tiles=tiles, rows=rows, cols=cols)


def describe_doubts(doubted: PanelDoubts, assembly: Assembly) -> list[str]:
    """Return a sentence for each thing that speaks against a panel as a whole."""
    said = []
    if doubted.ragged:
        tiles = count_noun(len(assembly), "tile")
        said.append(RAGGED.format(tiles=tiles, rows=assembly.rows, cols=assembly.cols))
    if doubted.better_size is not None:
        rows, cols = doubted.better_size
        said.append(BETTER_SIZE.format(rows=rows, cols=cols))
    if doubted.loose_part is not None:
        said.append(describe_part(doubted.loose_part, assembly))
    return said


def describe_module(module: Module) -> str:
    """Say how large a repeat is: 2 × 2 tiles, half drop."""
    if not module.drop:
        return f"{module.rows} × {module.cols} tiles"
    half = 2 * module.drop == module.rows
    return f"{module.rows} × {module.cols} tiles, {'half drop' if half else f'drop {module.drop}'}"


def describe_pattern(pattern: Pattern, *, whole: bool = True) -> str:
    """Say what can be known of the order of pattern tiles: a ``whole`` wall, or some of a panel."""
    return (PATTERN if whole else ALIKE).format(
        tiles=count_noun(len(pattern), "tile"),
        designs=count_noun(len(pattern.designs), "design"),
        module=describe_module(pattern.module),
    )


def trust_of(confidence: float) -> str:
    """Return the key of ``TRUST`` for a panel's mean confidence."""
    return "sure" if confidence >= SURE else "fair" if confidence >= FAIR else "check"


def largest_crates(crates: Mapping[str, int], most: int) -> CrateCounts:
    """Return at most ``most`` crates, those with most tiles first."""
    pairs = sorted(crates.items(), key=lambda pair: -pair[1])
    return CrateCounts(pairs[:most], max(0, len(pairs) - most))


def describe_place(place: Place, *, several: bool, say: Words = ENGLISH) -> str:
    """Say where a tile lies, counted from 1; the panel is named where there are ``several``."""
    if place.panel < 0:
        return say("without a place")
    panel = say("panel {number}, ", number=place.panel + 1) if several else ""
    return panel + say("row {row}, col {col}", row=place.row + 1, col=place.col + 1)
