"""A job's result, written into its project and told to all who watch."""

from azulejar.app.atlas import begin_atlas
from azulejar.app.events import Hub
from azulejar.app.jobs.result import Result, on_board
from azulejar.app.schemas import Job
from azulejar.app.store import Store


def apply(store: Store, project: str, hub: Hub, job: Job, result: Result) -> Job:
    """Write it down; gives the job with what has become of it. May be done twice."""
    if result.tiles:
        store.add_tiles(result.tiles)
        hub.publish(project, "tiles", store.tiles())
        begin_atlas(store)
    version = None
    if result.laid:
        board = on_board(store.state().board, result, store.tiles())
        state, kept = store.put_board(board, result.label, result.source, result.confidence)
        version = None if kept is None else kept.version
        hub.publish(project, "board", state)
        hub.publish(project, "versions", store.versions())
    elif result.tiles:
        hub.publish(project, "board", store.state())
    news = {
        "state": "stopped" if result.stopped else "done",
        "fraction": job.fraction if result.stopped else 1.0,
        "seconds_left": None,
        "confidence": result.confidence if result.confidence is not None else job.confidence,
        "findings": result.findings,
        "download": result.download,
        "version": version,
    }
    return job.model_copy(update=news)
