"""Audit: tiles of a panel that seem to be in the wrong place or turned."""

from azulejar.app.convert import assembly_of, placed_of
from azulejar.app.jobs.bench import Bench
from azulejar.app.jobs.result import Result
from azulejar.app.schemas import LOOSE, Audit, Finding
from azulejar.judging.audit import audit


def work(bench: Bench, wish: Audit) -> Result:
    """Findings, each with the places that would put it right; locked tiles are beyond doubt."""
    scores = bench.scores(wish.settings)
    bench.tell.step("auditing")
    # What lies in other panels is no part of the question; loose tiles may have been left out.
    lies = {each.tile: each.panel for each in bench.board.placed}
    here = (wish.panel, LOOSE)
    which = [i for i, tile in enumerate(bench.tiles) if lies.get(tile.tile, LOOSE) in here]
    tiles = [bench.tiles[i] for i in which]
    assembly = assembly_of(bench.board, tiles)
    judged = audit(scores.take(which), assembly, upright=wish.settings.upright)
    proposed = placed_of(judged.proposed, tiles)
    locked = set(bench.board.locked)
    findings = [
        Finding(
            kind=found.kind,  # type: ignore[arg-type]
            tiles=[tiles[i].tile for i in found.tiles],
            probability=found.probability,
            proposed=[proposed[i] for i in found.tiles],
        )
        for found in judged.findings
        if locked.isdisjoint(tiles[i].tile for i in found.tiles)
    ]
    return Result(findings=findings)
