"""What this server offers, and its projects."""

from fastapi import APIRouter

from azulejar.app.choices import check_settings
from azulejar.app.context import Context, OpenContext, OpenStore
from azulejar.app.schemas import (
    About,
    Demo,
    NewProject,
    Project,
    ProjectId,
    ProjectSummary,
    Settings,
)
from azulejar.app.uploads import MAX_BYTES, MAX_FILES
from azulejar.imaging.picture import MAX_PIXELS
from azulejar.measures import MEASURES
from azulejar.solvers import PRESETS
from azulejar.version import __version__

router = APIRouter(prefix="/api")


@router.get("/about")
def about() -> About:
    """What this server offers."""
    return About(
        version=__version__,
        measures=list(MEASURES),
        presets=list(PRESETS),
        max_files=MAX_FILES,
        max_bytes=MAX_BYTES,
        max_pixels=MAX_PIXELS,
    )


@router.get("/projects")
def list_projects(context: OpenContext) -> list[ProjectSummary]:
    """All projects, what was changed last first."""
    return context.workspace.projects()


@router.post("/projects", status_code=201)
def create_project(new: NewProject, context: OpenContext) -> Project:
    """A new, empty project."""
    return _whole(context, context.workspace.create(new.name)[0])


@router.post("/projects/demo", status_code=201)
def create_demo(context: OpenContext) -> Project:
    """A project for which the demo panel is being painted."""
    project, _ = context.workspace.create("Demo")
    context.queue.submit(project, Demo())
    return _whole(context, project)


@router.get("/projects/{project}")
def get_project(project: ProjectId, context: OpenContext) -> Project:
    """Everything of a project but its pictures."""
    return _whole(context, project)


@router.patch("/projects/{project}")
def rename_project(project: ProjectId, new: NewProject, store: OpenStore) -> ProjectSummary:
    """Give a project another name."""
    store.rename(new.name)
    return store.summary(project)


@router.delete("/projects/{project}", status_code=204)
def delete_project(project: ProjectId, context: OpenContext) -> None:
    """Move a project to the bin; work on it ends."""
    context.workspace.open(project)
    context.queue.drop(project)
    context.workspace.throw_away(project)


@router.put("/projects/{project}/settings")
def put_settings(project: ProjectId, settings: Settings, store: OpenStore) -> Settings:
    """Remember how the project is to be solved."""
    check_settings(settings)
    return store.put_settings(settings)


def _whole(context: Context, project: str) -> Project:
    store = context.workspace.open(project)
    return Project(
        project=project,
        name=store.name,
        tiles=store.tiles(),
        photographs=store.photographs(),
        state=store.state(),
        settings=store.settings(),
        versions=store.versions(),
        jobs=context.queue.jobs(project),
    )
