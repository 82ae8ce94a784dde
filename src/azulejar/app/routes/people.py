"""People: log in and out, and the accounts of a server."""

from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import JSONResponse, Response

from azulejar.app.dependencies import PersonDep, ServicesDep, StoreDep, cookie_name
from azulejar.app.http.errors import Conflict
from azulejar.app.people.accounts import LOGIN
from azulejar.app.people.roles import Role, needs
from azulejar.app.schemas.messages import ProjectId
from azulejar.app.schemas.people import (
    AccountChange,
    AccountRow,
    Cursor,
    HistoryEntry,
    Login,
    NewAccount,
    NewPassword,
    Session,
)

router = APIRouter(prefix="/api", tags=["people"])

PersonNumber = Annotated[int, Path(ge=1, lt=2**31)]


@router.get("/session")
@needs(Role.NOBODY)
def get_session(services: ServicesDep, person: PersonDep) -> Session:
    """Return who is logged in."""
    role = None if person.role is Role.NOBODY else person.role.name.lower()
    return Session(accounts=services.accounts.exist, name=person.name, role=role)  # type: ignore[arg-type]


@router.post("/session", response_model=Session)
@needs(Role.NOBODY)
def log_in(login: Login, request: Request, services: ServicesDep) -> Response:
    """Log in; the reply sets a cookie that expires."""
    return _reply(request, services, services.accounts.log_in(login.name, login.password))


@router.delete("/session", status_code=204)
@needs(Role.NOBODY)
def log_out(request: Request, services: ServicesDep, person: PersonDep) -> Response:
    """Log out."""
    cookie = cookie_name(request)
    services.accounts.log_out(request.cookies.get(cookie, ""))
    if person.name:
        services.hub.drop(person.name)
    reply = Response(status_code=204)
    reply.delete_cookie(cookie)
    return reply


@router.put("/session/password", response_model=Session)
@needs(Role.LOOK)
def change_password(
    new: NewPassword, request: Request, services: ServicesDep, person: PersonDep
) -> Response:
    """Change one's own password, which ends one's other logins."""
    secret = services.accounts.change_own_password(person.name, new.old, new.new)
    services.hub.drop(person.name)
    return _reply(request, services, secret)


@router.get("/people")
@needs(Role.MANAGE)
def list_people(services: ServicesDep) -> list[AccountRow]:
    """List all accounts."""
    return services.accounts.people()


@router.post("/people", status_code=201)
@needs(Role.MANAGE)
def add_person(new: NewAccount, services: ServicesDep, person: PersonDep) -> AccountRow:
    """Add an account."""
    if not services.accounts.exist:
        raise Conflict(
            "accounts-not-in-use",
            "This server has no accounts, as only this computer reaches it.",
            "Start it so that it asks for a first manager.",
        )
    return services.accounts.add(new.name, Role[new.role.upper()], new.password, person.name)


@router.patch("/people/{number}")
@needs(Role.MANAGE)
def change_person(
    number: PersonNumber, change: AccountChange, services: ServicesDep, person: PersonDep
) -> AccountRow:
    """Change the role or password of an account."""
    role = None if change.role is None else Role[change.role.upper()]
    changed = services.accounts.change(number, person.name, role, change.password)
    services.hub.drop(changed.name)
    return changed


@router.delete("/people/{number}", status_code=204)
@needs(Role.MANAGE)
def remove_person(number: PersonNumber, services: ServicesDep, person: PersonDep) -> None:
    """Remove an account."""
    services.hub.drop(services.accounts.remove(number, person.name))


@router.get("/people/history")
@needs(Role.MANAGE)
def list_account_history(services: ServicesDep) -> list[HistoryEntry]:
    """List the latest logins and changes of accounts, the newest first."""
    return services.accounts.history()


@router.post("/projects/{project}/presence", status_code=204)
@needs(Role.LOOK)
def tell_presence(
    project: ProjectId, cursor: Cursor, services: ServicesDep, store: StoreDep, person: PersonDep
) -> None:
    """Broadcast one's selection to the others who have the project open."""
    services.hub.move(project, person.name, cursor)


def _reply(request: Request, services: ServicesDep, secret: str) -> Response:
    """Reply with the session and set the login cookie."""
    person = services.accounts.person_of(secret)
    assert person is not None
    session = Session(accounts=True, name=person.name, role=person.role.name.lower())  # type: ignore[arg-type]
    reply = JSONResponse(session.model_dump(), headers={"Cache-Control": "no-store"})
    reply.set_cookie(
        cookie_name(request),
        secret,
        max_age=LOGIN,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return reply
