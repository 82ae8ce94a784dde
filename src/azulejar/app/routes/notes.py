"""Notes on tiles, joints and panels."""

from typing import Annotated

from fastapi import APIRouter, Path

from azulejar.app.dependencies import PersonDep, ServicesDep, StoreDep
from azulejar.app.people.roles import Role, needs
from azulejar.app.schemas.messages import ProjectId
from azulejar.app.schemas.people import NewNote, Note

router = APIRouter(prefix="/api/projects/{project}/notes", tags=["notes"])

NoteNumber = Annotated[int, Path(ge=1, lt=2**31)]


@router.get("")
@needs(Role.LOOK)
def list_notes(project: ProjectId, store: StoreDep) -> list[Note]:
    """List all notes, the oldest first."""
    return store.notes.all()


@router.post("", status_code=201)
@needs(Role.WORK)
def add_note(
    project: ProjectId, new: NewNote, services: ServicesDep, store: StoreDep, person: PersonDep
) -> Note:
    """Write a note on a tile, a joint or a panel."""
    note = store.notes.add(new, person.name)
    services.hub.publish(project, "notes", store.notes.all())
    return note


@router.delete("/{note}", status_code=204)
@needs(Role.WORK)
def remove_note(
    project: ProjectId,
    note: NoteNumber,
    services: ServicesDep,
    store: StoreDep,
    person: PersonDep,
) -> None:
    """Remove one's own note, or anybody's as a manager."""
    store.notes.remove(note, person)
    services.hub.publish(project, "notes", store.notes.all())


@router.post("/{note}/restore")
@needs(Role.WORK)
def restore_note(
    project: ProjectId,
    note: NoteNumber,
    services: ServicesDep,
    store: StoreDep,
    person: PersonDep,
) -> Note:
    """Restore a removed note."""
    found = store.notes.remove(note, person, back=True)
    services.hub.publish(project, "notes", store.notes.all())
    return found
