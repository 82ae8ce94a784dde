"""Changes of the board by hand."""

from fastapi import APIRouter

from azulejar.app.context import OpenContext, OpenStore
from azulejar.app.schemas import BoardState, Edit, ProjectId, Revision

router = APIRouter(prefix="/api/projects/{project}")


@router.post("/edits")
def edit_board(
    project: ProjectId, edit: Edit, context: OpenContext, store: OpenStore
) -> BoardState:
    """Make one change, whole or not at all."""
    state = store.edit(edit)
    context.hub.publish(project, "board", state)
    return state


@router.post("/undo")
def undo(project: ProjectId, meant: Revision, context: OpenContext, store: OpenStore) -> BoardState:
    """Take back the latest action."""
    state = store.undo(meant.revision)
    context.hub.publish(project, "board", state)
    return state


@router.post("/redo")
def redo(project: ProjectId, meant: Revision, context: OpenContext, store: OpenStore) -> BoardState:
    """Make the action again that was taken back last."""
    state = store.redo(meant.revision)
    context.hub.publish(project, "board", state)
    return state
