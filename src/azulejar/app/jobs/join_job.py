"""Join: look again for fragments of one tile, as people have decided."""

from azulejar.app.jobs.context import JobContext
from azulejar.app.jobs.import_job import copy_new, join
from azulejar.app.jobs.job_result import JobResult
from azulejar.app.schemas.jobs import JoinRequest
from azulejar.app.uploads.imported import import_folder
from azulejar.imaging.photographs.import_log import ImportLog
from azulejar.imaging.photographs.importing import FRAGMENTS


def run_join(context: JobContext, request: JoinRequest) -> JobResult:
    """Put the tiles of new joins into the tray."""
    records = ImportLog(import_folder(context.folder))
    join(context, records)
    return JobResult(tiles=copy_new(context, records, {FRAGMENTS}, set()))
