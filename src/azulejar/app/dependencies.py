"""What the routes depend on: the server's services, the project of the path, and the sender."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request
from starlette.concurrency import run_in_threadpool

from azulejar.app.http.errors import Forbidden, Unauthorized
from azulejar.app.http.events import Hub
from azulejar.app.jobs.queue import Queue
from azulejar.app.people.accounts import Accounts
from azulejar.app.people.roles import ALONE, STRANGER, Person, Role, role_needed
from azulejar.app.projects.store import ProjectStore
from azulejar.app.schemas.messages import ProjectId
from azulejar.app.workspace import Workspace
from azulejar.errors import AzulejarError


@dataclass(frozen=True)
class Services:
    """The services of one server: projects, subscribers to their events, and jobs."""

    workspace: Workspace
    hub: Hub
    queue: Queue

    @property
    def accounts(self) -> Accounts:
        """The people who may use the server."""
        return self.workspace.accounts

    def remove_abandoned(self, project: str) -> None:
        """Remove a project whose page was closed before its first upload was finished."""
        with suppress(AzulejarError):  # a damaged one stays as it is
            if not self.hub.is_watched(project):
                self.workspace.remove_untouched(project)


async def get_services(request: Request) -> Services:
    """Return the services of the server."""
    return request.app.state.services


ServicesDep = Annotated[Services, Depends(get_services)]


async def get_store(project: ProjectId, services: ServicesDep) -> ProjectStore:
    """Return the project that the path names; opening it takes a thread."""
    store = services.workspace.opened(project)
    if store is None:
        store = await run_in_threadpool(services.workspace.open, project)
    return store


StoreDep = Annotated[ProjectStore, Depends(get_store)]


def cookie_name(request: Request, kind: str = "azulejar") -> str:
    """Return a cookie name with the port, since cookies are shared across ports."""
    return f"{kind}-{(request.scope.get('server') or ('', 0))[1]}"


def sender_of(request: Request) -> Person:
    """Return the sender of a request; a stranger once their login has ended."""
    accounts = request.app.state.services.accounts
    if not request.app.state.public and not accounts.exist:
        return ALONE
    return accounts.person_of(request.cookies.get(cookie_name(request), "")) or STRANGER


async def check_role(request: Request) -> Person:
    """Return the sender of a request; raise if their role is too low."""
    person = sender_of(request)
    require_role(person, role_needed(request.scope["endpoint"]))
    return person


def require_role(person: Person, needed: Role) -> None:
    """Raise if a person's role is too low."""
    if person.role >= needed:
        return
    if person.role is Role.NOBODY:
        raise Unauthorized("login-required", "This server asks who you are.", "Log in.")
    raise Forbidden(
        "role-too-low",
        "Your account may not do that.",
        "Ask a manager of this server for the role {role}.",
        role=needed.name.lower(),
    )


PersonDep = Annotated[Person, Depends(check_role)]
