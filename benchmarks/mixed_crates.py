"""How well `azulejar sort` tells the panels of a mixed crate apart.

python benchmarks/mixed_crates.py DATA WORK [--workers N]
DATA holds panels/val. WORK keeps the figures of every crate, so that a stopped run resumes there.
"""

import argparse
import json
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import combinations
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar import Assembly, Compatibility, Knowns
from azulejar.evaluation.protocol import KnownPanel, find_panels
from azulejar.measures.dlcm import Dlcm
from azulejar.solvers import GuidedGrowth
from azulejar.sorting import Groups, solve_crate, sort_tiles
from crates import STRAYS, TRIM, Tiles, load_tiles, mix
from tables import origin, table, write_page

SCENE = "saobento_procession"  # its three parts are one scene, so no two of them share a crate
LARGER = (
    ("jcar_p1", "jcar_p3", "saobento_procession_l"),
    ("jcar_p2", "jcar_p4", "jcar_p5"),
    ("jcar_p2", "jcar_p5", "saobento_procession_m"),
    ("jcar_p1", "jcar_p2", "jcar_p4", "saobento_procession_r"),
    ("jcar_p2", "jcar_p3", "jcar_p4", "jcar_p5"),
    ("jcar_p1", "jcar_p2", "jcar_p3", "jcar_p4", "jcar_p5"),
    ("jcar_p1", "jcar_p2", "jcar_p3", "jcar_p5", "saobento_procession_l"),
)
WITH_STRAYS = (
    ("jcar_p1", "saobento_procession_l"),
    ("jcar_p2", "jcar_p4"),
    ("jcar_p5", "saobento_procession_r"),
    ("jcar_p3", "jcar_p5", "saobento_procession_m"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--workers", type=int, default=1, help="crates measured side by side")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    panels = {p.name.split("__")[0]: p for p in find_panels(options.data / "panels" / "val")}
    model = Dlcm().model.checksum[:12]
    results = options.work / f"crates_{model}.jsonl"
    done = read(results)
    listed = {"+".join(names) + "+strays" * strays: (names, strays)
              for names, strays in crates(list(panels))}  # fmt: skip
    # A forked process cannot use the GPU that this one has used.
    with ProcessPoolExecutor(options.workers, get_context("spawn")) as pool:
        waiting = {
            pool.submit(measure_crate, panels, *crate): key
            for key, crate in listed.items()
            if key not in done
        }
        for finished in as_completed(waiting):
            key = waiting[finished]
            done[key] = finished.result()
            with results.open("a") as file:
                file.write(json.dumps({"crate": key, **done[key]}) + "\n")
            print(key, done[key], flush=True)
    show({key: done[key] for key in listed}, len(listed))


def measure_crate(panels: dict[str, KnownPanel], names: tuple[str, ...], strays: bool) -> dict:
    """Mix the panels of a crate, with strays from the others or without, and measure it."""
    others = [name for name in panels if name not in names and not same_scene(name, names)]
    chosen = [*names, *others] if strays else names
    crate = mix([load_tiles(panels[name]) for name in chosen], len(names))
    return measure(crate, names)


def crates(names: list[str]) -> list[tuple[tuple[str, ...], bool]]:
    """Return panels alone, all pairs, larger crates, and crates with strays."""
    pairs = [pair for pair in combinations(names, 2) if not same_scene(pair[0], pair[1:])]
    whole = [*((name,) for name in names), *pairs, *LARGER]
    listed = [*((each, False) for each in whole), *((each, True) for each in WITH_STRAYS)]
    return sorted(listed, key=lambda crate: names.index(crate[0][-1]) + len(names) * crate[1])


def same_scene(name: str, others: tuple[str, ...]) -> bool:
    return name.startswith(SCENE) and any(other.startswith(SCENE) for other in others)


def read(path: Path) -> dict[str, dict]:
    lines = path.read_text().splitlines() if path.exists() else []
    return {(line := json.loads(text)).pop("crate"): line for text in lines}


def measure(crate: Tiles, names: tuple[str, ...]) -> dict:
    """Sort with the number of panels unknown and known, solve, and compare with the truth."""
    scores = crate.score()
    if len(names) == 1:
        everything = np.zeros(len(crate.pixels), np.int64)
        groups = Groups(everything, np.ones(len(everything)))
        return {"accuracy": accuracy(crate.truth, scores, groups)}
    found: dict = {"tiles": len(crate.pixels)}
    sorted_so: dict[bytes, list[float]] = {}  # accuracy by what the groups are
    for key, panels in (("unknown", None), ("known", len(names))):
        started = time.perf_counter()
        groups = sort_tiles(scores, panels=panels)
        seconds = time.perf_counter() - started
        same = groups.panel.tobytes()
        if same not in sorted_so:
            sorted_so[same] = accuracy(crate.truth, scores, groups)
        found[key] = {
            **sorting(crate.truth.panel, groups),
            "seconds": round(seconds, 1),
            "accuracy": sorted_so[same],
        }
    return found


def sorting(truth: NDArray[np.int32], groups: Groups) -> dict:
    """Return purity, what became of the strays, and how reliable the probabilities are."""
    real = truth >= 0
    right = np.where(groups.panel < 0, truth < 0, False)
    pure = 0
    for panel in range(groups.panels):
        inside = truth[(groups.panel == panel) & real]
        major = int(np.bincount(inside).argmax()) if len(inside) else -1
        pure += int((inside == major).sum())
        right |= (groups.panel == panel) & (truth == major)
    put = int(((groups.panel >= 0) & real).sum())
    bins = np.minimum((groups.probability * 10).astype(int), 9)
    return {
        "groups": groups.panels,
        "purity": pure / max(put, 1),
        "left_out": float((groups.panel[real] < 0).mean()),
        "strays": int((~real).sum()),
        "strays_found": int((groups.panel[~real] < 0).sum()),
        "bins": np.bincount(bins, minlength=10).tolist(),
        "right": np.bincount(bins, right, 10).tolist(),
        "predicted": np.bincount(bins, groups.probability, 10).tolist(),
    }


def accuracy(truth: Assembly, scores: Compatibility, groups: Groups) -> list[float]:
    """Return, for each panel, the share of its true joints in the assemblies of the groups."""
    assembly = solve_crate(scores, groups, lambda tiles: Knowns(), GuidedGrowth())
    true, met = truth.neighbours(), assembly.neighbours()
    panel = np.repeat(truth.panel, 4)
    return [
        float((met == true)[(true >= 0) & (panel == number)].mean())
        for number in range(int(truth.panel.max()) + 1)
    ]


def show(done: dict[str, dict], planned: int) -> None:
    alone = {key: each["accuracy"][0] for key, each in done.items() if "unknown" not in each}
    crates = {key: each for key, each in done.items() if "unknown" in each}
    if not crates:
        return
    write_page(
        "mixed_crates.md",
        "# Mixed crates",
        f"{origin()} Panels of `val`, trim {TRIM:.0%}, turned, sizes unknown, measure `dlcm`, "
        f"solver `guided-growth`, seed 0. {len(done)} of {planned} crates are measured.",
        "The three parts of `saobento_procession` are one scene, so no two of them share a crate. "
        "*Purity*: of the panels' tiles in groups, the share that belongs to the majority panel of "
        "their group; in brackets behind the strays found, purity with all others counted as "
        "wrong. *Left out*: share of the panels' tiles that were mistaken for strays. *Accuracy*: "
        "of a panel's true joints, the share that is found when each group is solved, in "
        "the order of the names; in brackets, how many points this is below the "
        f"same panel solved alone. Strays, {STRAYS:.0%} where there are any, are drawn from the "
        "other panels.",
        "The thresholds of the sorting were set on panels of `train` (trim 5 % with `dlcm`, 1 and "
        "2 % with `mgc`). Two rules were found on crates of these tables, jcar_p1 with jcar_p2, "
        "jcar_p3 with jcar_p4 and jcar_p1 with jcar_p5 (with earlier weights of the network): that "
        "large groups need links in proportion to their tiles, since panels of one design are "
        "linked everywhere, and that a joint's own probability counts in addition to its "
        "probability after loops.",
        "## Summary",
        summary(crates, alone),
        "## Number of panels unknown",
        details(crates, alone, "unknown"),
        "## Number of panels given",
        details(crates, alone, "known"),
        "## How reliable the probabilities are",
        "All tiles of all these crates, number unknown.",
        reliability(crates),
        "## Panels alone",
        table(["panel", "accuracy in %"], [[n, f"{100 * a:.1f}"] for n, a in alone.items()]),
    )


def losses(key: str, each: dict, alone: dict[str, float]) -> list[float]:
    names = key.removesuffix("+strays").split("+")
    return [100 * (alone[name] - found)
            for name, found in zip(names, each["accuracy"], strict=True)]  # fmt: skip


def summary(crates: dict[str, dict], alone: dict[str, float]) -> str:
    rows = []
    for title, wanted in (
        ("pairs", lambda key: key.count("+") == 1),
        ("three to five panels", lambda key: key.count("+") > 1 and "strays" not in key),
        ("with strays", lambda key: key.endswith("strays")),
    ):
        chosen = {key: each for key, each in crates.items() if wanted(key)}
        for kind in ("unknown", "known"):
            if not chosen:
                continue
            purity = [100 * each[kind]["purity"] for each in chosen.values()]
            lost = [x for key, each in chosen.items() for x in losses(key, each[kind], alone)]
            counted = sum(
                each[kind]["groups"] == len(each[kind]["accuracy"]) for each in chosen.values()
            )
            rows.append([title, kind, len(chosen), f"{counted} of {len(chosen)}",
                         f"{np.mean(purity):.1f}", f"{min(purity):.1f}",
                         sum(p >= 95 for p in purity), f"{np.mean(lost):.1f}", f"{max(lost):.1f}",
                         f"{sum(x <= 5 for x in lost)} of {len(lost)}"])  # fmt: skip
    return table(["crates", "number", "how many", "number of groups right", "mean purity in %",
                  "lowest", "at least 95 %", "mean loss of accuracy in points", "largest",
                  "panels within 5 points"], rows)  # fmt: skip


def details(crates: dict[str, dict], alone: dict[str, float], kind: str) -> str:
    rows = []
    for key, crate in crates.items():
        each = crate[kind]
        pairs = zip(each["accuracy"], losses(key, each, alone), strict=True)
        shown = ", ".join(f"{100 * a:.1f} ({lost:.1f})" for a, lost in pairs)
        put = (crate["tiles"] - each["strays"]) * (1 - each["left_out"])
        among = each["strays"] - each["strays_found"]
        mixed = f" ({100 * each['purity'] * put / (put + among):.1f})"
        strays = f"{each['strays_found']} of {each['strays']}{mixed}" if each["strays"] else ""
        rows.append([key.replace("+", ", "), crate["tiles"], each["groups"],
                     f"{100 * each['purity']:.1f}", f"{100 * each['left_out']:.1f}", strays, shown,
                     each["seconds"]])  # fmt: skip
    return table(["crate", "tiles", "groups", "purity in %", "left out in %", "strays found",
                  "accuracy in %", "seconds of sorting"], rows)  # fmt: skip


def reliability(crates: dict[str, dict]) -> str:
    count, right, predicted = (
        np.sum([each["unknown"][name] for each in crates.values()], axis=0)
        for name in ("bins", "right", "predicted")
    )
    rows = [
        [f"{i / 10:.1f} to {(i + 1) / 10:.1f}", int(count[i]), f"{predicted[i] / count[i]:.2f}",
         f"{right[i] / count[i]:.2f}"]
        for i in range(10) if count[i]
    ]  # fmt: skip
    return table(["probability", "tiles", "mean", "right"], rows)


if __name__ == "__main__":
    main()
