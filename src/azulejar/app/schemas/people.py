"""Messages about people: their accounts and logins, what they did, noted and shared."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from azulejar.app.schemas.boards import Pair, Panel
from azulejar.app.schemas.messages import Name, Schema
from azulejar.app.schemas.tiles import TileId


class NewNote(Schema):
    """A note on a tile, on a joint or on a panel: exactly one of them is given."""

    text: Annotated[str, Field(min_length=1, max_length=2000, pattern=r"\S")]
    tile: TileId | None = None
    joint: Pair | None = None
    panel: Annotated[int, Field(ge=0, lt=10_000)] | None = None

    @model_validator(mode="after")
    def _is_on_one_thing(self) -> "NewNote":
        if sum(each is not None for each in (self.tile, self.joint, self.panel)) != 1:
            raise ValueError("must be on a tile, a joint or a panel")
        return self


class Note(Schema):
    """A note, by whom and when it was written."""

    note: int
    at: str
    who: str
    text: str
    tile: TileId | None = None
    joint: Pair | None = None
    panel: int | None = None


RoleName = Literal["look", "work", "manage"]
Password = Annotated[str, Field(min_length=1, max_length=500)]


class AccountRow(Schema):
    """An account in the list."""

    person: int
    name: str
    role: RoleName
    created: str


class NewAccount(Schema):
    """A new account."""

    name: Name
    role: RoleName
    password: Password


class AccountChange(Schema):
    """A new role or a new password of an account; None leaves it."""

    role: RoleName | None = None
    password: Password | None = None


class Login(Schema):
    """Name and password of somebody who logs in."""

    name: Name
    password: Password


class NewPassword(Schema):
    """The present password and the one that replaces it."""

    old: Password
    new: Password


class Session(Schema):
    """Who uses the page; ``role`` is None for somebody who is not logged in."""

    accounts: bool
    name: str
    role: RoleName | None


class HistoryEntry(Schema):
    """Who did what and when; ``about`` is what it was done to, as text."""

    entry: int
    at: str
    who: str
    what: str
    about: str


class Cursor(Schema):
    """What somebody looks at: a panel and the selected tiles."""

    panel: Panel
    tiles: list[TileId] = Field(default_factory=list, max_length=100)


class Presence(Cursor):
    """Somebody who has the project open, and what they look at."""

    name: str


class SharedLink(Schema):
    """A read-only link to one panel; ``name`` tells whom it is for."""

    link: int
    panel: int
    name: str
    who: str
    created: str


class NewLink(Schema):
    """The panel to share, and whom the link is for."""

    panel: Annotated[int, Field(ge=0, lt=10_000)]
    name: Name


class LinkSecret(Schema):
    """The secret from the address of a link."""

    secret: Annotated[str, Field(min_length=1, max_length=200)]
