"""Who may do what: roles, and the role that each route requires.

Nobody needs an account on a server that only this computer can reach, until somebody has made one.
A route names its role with ``needs``; one that names none is left to managers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, TypeVar


class Role(IntEnum):
    """What a person may do; each role includes those before it."""

    NOBODY = 0  # without a login
    LOOK = 1
    WORK = 2
    MANAGE = 3


@dataclass(frozen=True)
class Person:
    """The sender of a request; without accounts, a nameless manager."""

    name: str
    role: Role


ALONE = Person("", Role.MANAGE)
STRANGER = Person("", Role.NOBODY)

_Endpoint = TypeVar("_Endpoint", bound=Callable[..., Any])


def needs(role: Role) -> Callable[[_Endpoint], _Endpoint]:
    """Declare the role that a route requires; place it below the route decorator."""

    def declare(endpoint: _Endpoint) -> _Endpoint:
        endpoint.role = role  # type: ignore[attr-defined]
        return endpoint

    return declare


def role_needed(endpoint: Callable[..., Any]) -> Role:
    """Return the role that a route has declared."""
    return getattr(endpoint, "role", Role.MANAGE)
