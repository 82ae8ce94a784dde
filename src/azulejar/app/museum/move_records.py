"""What the museum's own project records of each change by hand, so that it can be replayed."""

from pydantic import BaseModel, TypeAdapter

from azulejar.app.schemas.boards import BoardState
from azulejar.collection.pattern_names import PatternNaming
from azulejar.collection.reassigning import Reassignment
from azulejar.collection.storage.overrides import RecordValues
from azulejar.collection.storage.pictures import StoredPicture

Changed = list[tuple[str, BoardState]]  # projects, and their boards as they are now


class Recorded(Reassignment):
    """A move with the id by which actions on tables name it."""

    move: str


class Renumbered(BaseModel):
    """The inventory numbers of a tile before and after a change; ``tile`` is its own number."""

    tile: int
    old: str
    new: str


class Edited(BaseModel):
    """An edit of records, by inventory number, with the id by which actions on tables name it.

    Where a tile is also ``renumbered``, its record goes by the new number.
    """

    move: str
    renumbered: Renumbered | None = None
    before: dict[str, RecordValues]
    after: dict[str, RecordValues]


class Removed(BaseModel):
    """Tiles that were removed, or ``restored``, each with the tile that it was merged with.

    All go by their inventory numbers; ``taken`` is the move of the one that is kept into the panel
    of the other.
    """

    move: str
    removed: dict[str, str | None]
    restored: bool = False
    taken: Reassignment | None = None


class Pictured(BaseModel):
    """A picture that took the place of another; the tile goes by its inventory number."""

    move: str
    tile: str
    old: StoredPicture
    new: StoredPicture


class Named(PatternNaming):
    """Patterns that were named; no table is concerned."""

    move: str


Done = Recorded | Edited | Removed | Pictured | Named
DONE: TypeAdapter[Done] = TypeAdapter(Done)
