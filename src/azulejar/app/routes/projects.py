"""Projects: list, create, open, rename and delete them; what the server offers."""

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import Field

from azulejar.app.dependencies import PersonDep, Services, ServicesDep, StoreDep, require_role
from azulejar.app.jobs.queue import check_settings
from azulejar.app.museum.museum import is_museum
from azulejar.app.museum.tables import doubtful_part
from azulejar.app.people.roles import Person, Role, needs
from azulejar.app.schemas.boards import BoardState, Version
from azulejar.app.schemas.jobs import DemoRequest, Job, SolveSettings
from azulejar.app.schemas.messages import ProjectId, Schema
from azulejar.app.schemas.museums import Seam
from azulejar.app.schemas.people import Note
from azulejar.app.schemas.projects import Archived, DeletedProject, NewProject, ProjectSummary
from azulejar.app.schemas.tiles import ProjectTile, TileId
from azulejar.app.uploads.incoming import MAX_BYTES, MAX_FILES
from azulejar.imaging.picture import MAX_PIXELS
from azulejar.measures import MEASURES
from azulejar.solvers import PRESETS
from azulejar.version import __version__

router = APIRouter(prefix="/api", tags=["projects"])


class About(Schema):
    """The version, choices and limits of this server; ``museum`` if it serves that one alone."""

    version: str
    measures: list[str]
    presets: list[str]
    max_files: int
    max_bytes: int
    max_pixels: int
    museum: ProjectId | None = None


class Project(Schema):
    """Everything that the page needs to open a project, except its pictures.

    ``museum`` is the one to whose panels it belongs, if any; ``part``: tiles of such a panel that
    may be another one; ``seam``: what speaks for that.
    """

    project: ProjectId
    name: str
    museum: ProjectId | None = None
    part: list[TileId] = Field(default=[])
    seam: Seam = "few"
    tiles: list[ProjectTile]
    photographs: list[str]
    state: BoardState
    settings: SolveSettings
    versions: list[Version]
    jobs: list[Job]
    notes: list[Note]


@router.get("/about")
@needs(Role.LOOK)
def about(services: ServicesDep) -> About:
    """Return the version, choices and limits of this server."""
    alone = is_museum(services.workspace.folder)
    return About(
        version=__version__,
        measures=list(MEASURES),
        presets=list(PRESETS),
        max_files=MAX_FILES,
        max_bytes=MAX_BYTES,
        max_pixels=MAX_PIXELS,
        museum=next(iter(services.workspace.museums())) if alone else None,
    )


@router.get("/projects")
@needs(Role.LOOK)
def list_projects(services: ServicesDep) -> list[ProjectSummary]:
    """List all projects, the one changed last first."""
    working = services.queue.working()
    found = services.workspace.projects()
    for at, each in enumerate(found):
        if (job := working.get(each.project)) is not None:
            state = {"working": job.request.kind, "fraction": job.fraction}
            found[at] = each.model_copy(update=state)
    return found


@router.post("/projects", status_code=201)
@needs(Role.WORK)
def create_project(new: NewProject, services: ServicesDep, person: PersonDep) -> Project:
    """Create an empty project; if nothing comes into it, it is removed once its page is closed."""
    return _read_project(services, services.workspace.create(new.name)[0], person)


@router.post("/projects/demo", status_code=201)
@needs(Role.WORK)
def create_demo(services: ServicesDep, person: PersonDep) -> Project:
    """Create a project and start to paint the demo panel in it."""
    project, _ = services.workspace.create("Demo")
    services.queue.submit(project, DemoRequest(), person.name)
    return _read_project(services, project, person)


@router.get("/projects/{project}")
@needs(Role.LOOK)
def get_project(project: ProjectId, services: ServicesDep, person: PersonDep) -> Project:
    """Return everything of a project except its pictures."""
    return _read_project(services, project, person)


@router.patch("/projects/{project}")
@needs(Role.WORK)
def rename_project(
    project: ProjectId, new: NewProject, services: ServicesDep, store: StoreDep, person: PersonDep
) -> ProjectSummary:
    """Rename a project, or the museum with that id."""
    services.workspace.rename(project, new.name, person.name)
    return store.summary(project)


@router.delete("/projects/{project}", status_code=204)
@needs(Role.WORK)
def delete_project(project: ProjectId, services: ServicesDep, person: PersonDep) -> None:
    """Move a project or museum to the bin, and stop its jobs.

    A project to which nothing was ever added is removed for good, and anyone who may work can do
    so.
    """
    if services.workspace.remove_untouched(project):
        return
    require_role(person, Role.MANAGE)
    services.workspace.check_deletable(project)
    gone = services.workspace.deleted_with(project)
    for each in gone:
        services.queue.drop(each)
    services.workspace.move_to_bin(project, person.name)
    for each in gone:
        services.hub.end(each)


@router.put("/projects/{project}/archived")
@needs(Role.WORK)
def archive_project(
    project: ProjectId, change: Archived, store: StoreDep, person: PersonDep
) -> ProjectSummary:
    """Archive a project, or bring it back."""
    store.archive(change.archived, person.name)
    return store.summary(project)


@router.get("/bin")
@needs(Role.LOOK)
def list_deleted(services: ServicesDep) -> list[DeletedProject]:
    """List the deleted projects and museums, latest first."""
    return services.workspace.deleted()


@router.post("/bin/{entry}/restore", status_code=201)
@needs(Role.MANAGE)
def restore_project(
    entry: Annotated[str, Path(max_length=100)], services: ServicesDep, person: PersonDep
) -> ProjectSummary:
    """Restore a deleted project or museum."""
    project = services.workspace.restore(entry)
    store = services.workspace.open(project)
    store.log(person.name, "project-restored", store.name)
    return store.summary(project)


@router.put("/projects/{project}/settings")
@needs(Role.WORK)
def put_settings(project: ProjectId, settings: SolveSettings, store: StoreDep) -> SolveSettings:
    """Save how the project is to be solved."""
    check_settings(settings)
    return store.put_settings(settings)


def _read_project(services: Services, project: str, person: Person) -> Project:
    store = services.workspace.open(project)
    museum = services.workspace.museum_of(project)
    part, seam = (
        doubtful_part(services.workspace.museum(museum), store)
        if museum is not None and museum != project
        else ([], "few")
    )
    return Project(
        project=project,
        name=store.name,
        museum=museum,
        part=part,
        seam=seam,
        tiles=store.tiles(),
        photographs=store.photographs(),
        state=store.state(person.name),
        settings=store.settings(),
        versions=store.versions(),
        jobs=services.queue.jobs(project),
        notes=store.notes.all(),
    )
