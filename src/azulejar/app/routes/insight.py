"""Insight: how sure the board is, and what would fit."""

from typing import Annotated

from fastapi import APIRouter, Query

from azulejar.app import insight
from azulejar.app.context import OpenStore
from azulejar.app.schemas import Candidates, Confidence, Coordinate, Place, ProjectId

router = APIRouter(prefix="/api/projects/{project}", tags=["insight"])


@router.get("/confidence")
def confidence(project: ProjectId, store: OpenStore) -> Confidence:
    """How likely each tile and each joint is right, as the board lies now."""
    return insight.confidence(store)


@router.get("/candidates")
def candidates(
    project: ProjectId,
    store: OpenStore,
    panel: Annotated[int, Query(ge=0, lt=10_000)],
    row: Annotated[Coordinate, Query()],
    col: Annotated[Coordinate, Query()],
    everything: bool = False,
    top: Annotated[int, Query(ge=1, le=200)] = 12,
) -> Candidates:
    """Which tiles would fit a hole, or the place of a tile, best first."""
    return insight.candidates(store, Place(panel=panel, row=row, col=col), everything, top)
