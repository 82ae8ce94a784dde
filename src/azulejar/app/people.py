"""Who may do what: roles, and the role that each route requires.

Nobody needs an account on a server that only this computer can reach, until somebody has made one.
A route names its role with ``needs``; one that names none is left to managers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Request

from azulejar.app.http_errors import Forbidden, Unauthorized


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


def cookie_name(request: Request, kind: str = "azulejar") -> str:
    """Return a cookie name with the port, since cookies are shared across ports."""
    return f"{kind}-{(request.scope.get('server') or ('', 0))[1]}"


async def check_role(request: Request) -> Person:
    """Return the sender of a request; raise if their role is too low."""
    workspace = request.app.state.services.workspace
    if not request.app.state.public and not workspace.accounts.exist:
        person = ALONE
    else:
        secret = request.cookies.get(cookie_name(request), "")
        person = workspace.accounts.person_of(secret) or STRANGER
    needed = role_needed(request.scope["endpoint"])
    if person.role >= needed:
        return person
    if person.role is Role.NOBODY:
        raise Unauthorized("login-required", "This server asks who you are.", "Log in.")
    raise Forbidden(
        "role-too-low",
        "Your account may not do that.",
        "Ask a manager of this server for the role {role}.",
        role=needed.name.lower(),
    )


PersonDep = Annotated[Person, Depends(check_role)]
