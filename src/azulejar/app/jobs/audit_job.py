"""Audit: find tiles of a panel that seem to be in the wrong place or turned."""

from azulejar.app.jobs.context import JobContext
from azulejar.app.jobs.job_result import JobResult
from azulejar.app.jobs.panel_notes import note_doubts
from azulejar.app.projects.convert import assembly_places, board_assembly
from azulejar.app.schemas.boards import LOOSE
from azulejar.app.schemas.jobs import AuditFinding, AuditRequest
from azulejar.judging.audit import audit
from azulejar.panel.doubts import question_laid
from azulejar.solvers import Budget


def run_audit(context: JobContext, request: AuditRequest) -> JobResult:
    """Return findings, each with the places that would mend it; locked tiles are never doubted."""
    scores = context.judged_scores(request.settings, context.board)
    context.reporter.step("auditing")
    # Tiles of other panels are not considered; loose tiles may belong in the panel.
    lies = {each.tile: each.panel for each in context.board.placed}
    here = (request.panel, LOOSE)
    which = [i for i, tile in enumerate(context.tiles) if lies.get(tile.tile, LOOSE) in here]
    tiles = [context.tiles[i] for i in which]
    assembly = board_assembly(context.board, tiles)
    upright = request.settings.upright
    scores = scores.take(which)
    judged = audit(scores, assembly, upright=upright)
    proposed = assembly_places(judged.proposed, tiles)
    locked = set(context.board.locked)
    findings = [
        AuditFinding(
            kind=found.kind,  # type: ignore[arg-type]
            tiles=[tiles[i].tile for i in found.tiles],
            probability=found.probability,
            proposed=[proposed[i] for i in found.tiles] if found.gain is not None else [],
        )
        for found in judged.findings
        if locked.isdisjoint(tiles[i].tile for i in found.tiles)
    ]
    copies = None if context.copies is None else context.copies[which]
    pixels = context.pictures.pixels[which]
    outlined = any(each.panel == request.panel for each in context.board.outlines)
    budget = None if outlined else Budget(stop=context.stop)
    for panel in question_laid(scores, assembly, pixels, budget, upright=upright, copies=copies):
        note_doubts(context.reporter, panel.doubts, panel.assembly)
    if len(judged.unsure):
        context.reporter.note(
            "audit-unsure",
            "Neither marked nor surely right: {count}.",
            count=len(judged.unsure),
        )
    return JobResult(findings=findings, revision=context.revision)
