"""Messages about projects and what is uploaded to them."""

from azulejar.app.schemas.messages import Name, Problem, ProjectId, Schema


class NewProject(Schema):
    """The name of a new project, or a new name for one."""

    name: Name


class ProjectSummary(Schema):
    """A project in the list; ``working`` is the kind of its running or next queued job."""

    project: ProjectId
    name: str
    created: str
    changed: str
    tiles: int
    panels: int
    archived: bool = False
    working: str | None = None
    fraction: float | None = None


class DeletedProject(Schema):
    """A deleted project or museum; ``entry`` is the name of its folder in the bin."""

    entry: str
    name: str
    deleted: str
    tiles: int
    museum: bool = False


class Archived(Schema):
    """Whether a project is archived."""

    archived: bool


class Uploaded(Schema):
    """The outcome of an upload: accepted files, and why others were passed over."""

    taken: list[str]
    passed_over: list[Problem]
