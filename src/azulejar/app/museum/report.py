"""The director's report: its figures, and the PDF with the texts of the page."""

import json
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, Literal

from azulejar.app.museum.museum import Museum
from azulejar.app.museum.panel_lines import panel_line
from azulejar.app.schemas.museums import Panel, Report
from azulejar.collection.history import read_history
from azulejar.outputs.collection.crate_selection import select_crates
from azulejar.outputs.collection.panels import count_shares
from azulejar.outputs.collection.report_pdf import ReportTexts, make_report_pdf
from azulejar.version import __version__

TEXTS = Path(__file__).parents[1] / "web" / "texts"
MOMENTS = 12  # that are listed
FINEST = 10
SELECTIONS = 12
HIGHEST = 0.99  # nothing that a program thinks is called entirely sure

Language = Literal["en", "pt"]


def make_pdf(museum: Museum, language: Language) -> bytes:
    """Return the director's report of a museum as PDF."""
    return make_report_pdf(_texts(museum, read_report(museum), Phrases(language)))


def read_report(museum: Museum) -> Report:
    """Return the figures of the director's report."""
    found, solved = museum.sort, museum.solved()
    groups = found.groups if found is not None else []
    crates = museum.tiles.panel_crates()
    strays = len(found.strays) if found is not None else 0
    by_name = {group.name: group for group in groups}
    solved = sorted(solved, key=lambda panel: by_name[panel.name].apart > 0)
    tiles = museum.count
    return Report.model_validate(
        {
            "tiles": tiles,
            "crates": len(museum.tiles.crates()),
            "panels": len(groups),
            "solved": len(solved),
            "grouped": sum(len(group.tiles) for group in groups),
            "strays": strays,
            "duplicates": len(found.duplicates) if found is not None else 0,
            "places": sum(panel.places for panel in solved),
            "placed": sum(panel.within for panel in solved),
            "whole": sum(panel.holes == 0 for panel in solved),
            "doubtful": sum(panel.doubtful for panel in solved),
            "apart": sum(group.apart > 0 for group in groups),
            "outdated": sum(panel.outdated for panel in solved),
            "vanished": sum(panel.vanished for panel in solved),
            "shares": count_shares(tiles, groups, solved, strays),
            "finest": [
                panel_line(by_name[panel.name], panel, crates.get(panel.name, {}))
                for panel in solved[:FINEST]
            ],
            "selections": [
                (each.panel, list(each.crates), each.share)
                for each in select_crates(crates)[:SELECTIONS]
            ],
            "days": museum.tiles.days(),
            "history": read_history(museum.collection),
        }
    )


class Phrases:
    """The texts of the page in one language."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._texts = _load(language)

    def __call__(self, key: str, **values: object) -> str:
        """Return the text of a key with its values; ``count`` selects singular or plural."""
        found = self._texts[key]
        if isinstance(found, dict):
            found = found["one" if values.get("count") == 1 else "other"]
        return str(found).format_map(values)

    def number(self, value: int) -> str:
        """Return a number with the separators of the language."""
        return f"{value:,}".replace(",", " ") if self.language == "pt" else f"{value:,}"

    def percent(self, share: float) -> str:
        return f"{round(100 * share)} %"

    def day(self, when: str) -> str:
        """Format an ISO 8601 timestamp as local date and time."""
        local = datetime.fromisoformat(when).astimezone()
        return f"{local:%d/%m/%Y %H:%M}" if self.language == "pt" else f"{local:%Y-%m-%d %H:%M}"


@cache
def _load(language: str) -> dict[str, Any]:
    return json.loads((TEXTS / f"{language}.json").read_text(encoding="utf-8"))


def _texts(museum: Museum, report: Report, say: Phrases) -> ReportTexts:
    now = datetime.now().astimezone().isoformat()
    return ReportTexts(
        title=say("report.title", museum=museum.name),
        lead=f"{_claim(report, say)} {say.day(now)}",
        figures=_figures(report, say),
        shares_title=say("report.shares"),
        shares=[
            (f"{say.number(count)} {say(f'report.share.{key}')}", count, key)
            for key, count in report.shares.items()
            if count
        ],
        pictures_title=say("report.finest"),
        pictures=[
            (museum.solved_picture(panel.name), _caption(panel, say)) for panel in report.finest
        ],
        lists=[
            (say("report.crates"), _selections(report, say)),
            (say("report.doubts"), _doubts(report, say)),
        ],
        chart_title=say("report.history"),
        chart=_chart(report, say),
        columns=[
            say(f"report.column.{name}")
            for name in ("when", "what", "tiles", "panels", "solved", "laid", "strays")
        ],
        rows=[
            [
                say.day(each.when),
                say(f"report.what.{each.what}"),
                *map(say.number, (each.tiles, each.panels, each.solved, each.laid, each.strays)),
            ]
            for each in reversed(report.history[-MOMENTS:])
        ],
        foot=f"azulejar {__version__}",
    )


def _claim(report: Report, say: Phrases) -> str:
    values = {name: say.number(getattr(report, name)) for name in ("tiles", "crates", "panels")}
    if not report.panels:
        return say("report.claim.unsorted", **values)
    share = say.percent(report.grouped / max(1, report.tiles))
    grouped, solved = say.number(report.grouped), say.number(report.solved)
    return say("report.claim", **values, grouped=grouped, share=share, solved=solved)


def _figures(report: Report, say: Phrases) -> list[tuple[str, str]]:
    complete = say.percent(report.placed / report.places) if report.places else "–"
    return [
        (say("report.tiles"), say.number(report.tiles)),
        (say("report.crate.count"), say.number(report.crates)),
        (say("report.panels"), say.number(report.panels)),
        (say("report.solved"), say.number(report.solved)),
        (say("report.complete"), complete),
        (say("report.strays"), say.number(report.strays)),
        (say("report.duplicates"), say.number(report.duplicates)),
    ]


def _caption(panel: Panel, say: Phrases) -> str:
    sure = say("panels.sure", share=say.percent(min(HIGHEST, panel.confidence or 0.0)))
    holes = say("panels.holes", count=panel.holes) if panel.holes else say("panels.whole")
    size = say("panels.size", rows=panel.rows, cols=panel.cols)
    return f"{say('museum.panel', panel=panel.name)}: {size} · {sure} · {holes}"


def _selections(report: Report, say: Phrases) -> list[str]:
    return [
        say("report.selection", panel=panel, crates=", ".join(crates), share=say.percent(share))
        for panel, crates, share in report.selections
    ]


def _doubts(report: Report, say: Phrases) -> list[str]:
    kinds = ("doubtful", "apart", "outdated", "strays", "duplicates", "vanished")
    counts = {kind: getattr(report, kind) for kind in kinds}
    return [
        *(
            say(f"report.doubt.{kind}", count=count, shown=say.number(count))
            for kind, count in counts.items()
            if count
        ),
        say("report.doubt.up"),
    ]


def _chart(report: Report, say: Phrases) -> list[tuple[str, list[tuple[float, float]]]]:
    """Return the number of tiles, and of tiles placed, over time."""
    added, sum_so_far = [], 0
    for day, count in report.days:
        sum_so_far += count
        added.append((datetime.fromisoformat(day).timestamp(), sum_so_far))
    laid = [(datetime.fromisoformat(each.when).timestamp(), each.laid) for each in report.history]
    if not added:
        return []
    now = datetime.now().timestamp()
    first = min([time for time, _ in added + laid], default=now)
    span, top = max(1.0, now - first), max(1, report.tiles)
    lines = []
    for key, points in (("report.added", added), ("report.laid", laid)):
        if points:
            whole = [*points, (now, points[-1][1])]
            lines.append((say(key), [((time - first) / span, n / top) for time, n in whole]))
    return lines
