"""The assemblies that the confidence is fitted on and judged by, with the evidence for joints."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.judging.confidence import ConfidenceModel, weigh_evidence
from azulejar.judging.evidence import Rivals, joint_evidence, most_believed
from azulejar.judging.islands import islands
from disturbing import DISTURBANCES, disturb
from stored_cases import Case, StoredCase

FITTED_ON = ("books", "painted", "train", "crate", "museum", "large", "hard", "small")
SOLVED = 0.97  # joints that the solver must have right where errors are made by hand
PARTS = 0.9  # how likely loops must make a joint that holds a part of a panel together

# Places (row and col from 0) of val panels where the wall itself seems to be laid wrong, as the
# pictures show: two tiles swapped, and one upside down.
ODD_ON_THE_WALL = {
    "jcar_p1__11x17": [(10, 2), (10, 3)],
    "jcar_p2__11x17": [(10, 2), (10, 3)],
    "saobento_procession_m__17x12": [(7, 3)],
}


@dataclass
class Judged:
    """One assembly of a case: the evidence for its joints [m, 2], and which are right."""

    about: Case
    how: str
    assembly: Assembly
    joints: NDArray
    evidence: dict[str, NDArray]
    most: NDArray
    right: NDArray

    def confidence(self, model: ConfidenceModel) -> NDArray:
        return weigh_evidence(self.evidence, self.most, model)

    @property
    def fitted_on(self) -> bool:
        return self.about.kind in FITTED_ON

    @property
    def puzzle(self) -> str:
        """What its assemblies have in common; the groups of one museum are one puzzle."""
        return f"{self.about.number} {self.about.trim} {self.about.sources[0]}"

    @property
    def by_hand(self) -> bool:
        return self.how in (*DISTURBANCES, "as it was")

    @property
    def whole(self) -> bool:
        """Whether a solver laid it, and it was not taken apart since."""
        return not self.by_hand and self.how != "parts"

    def classes(self) -> list[str]:
        """The rows of the tables that this assembly counts in."""
        about = self.about
        if self.by_hand:
            return ["intact, laid by hand" if self.how == "as it was" else f"by hand: {self.how}"]
        if self.how == "parts":
            return ["parts of panels"]
        if self.how == "forced":
            return ["forced into a wrong size"]
        if about.kind == "val":
            lit = about.light != "none"
            return [f"`val`, light {about.light}" if lit else f"`val`, trim {about.trim:.0%}"]
        names = {
            "judge-books": "pictures of other books",
            "judge-painted": "practice panels",
            "judge-crate": "mixed crates",
            "judge-large": "other books, large panels",
            "judge-museum": "museum groups",
            "photographs": "photographs (MIT)",
        }
        if about.kind == "judge-small":
            return [f"small and clean, `{about.measure}`"]
        found = [names.get(about.kind, f"fitted on: {about.kind}")]
        if about.measure == "mgc" and not self.fitted_on:
            found.append("measure `mgc`")
        return found


def judge(case: StoredCase) -> Iterator[Judged]:
    """Judge all assemblies of a case, and errors made by hand where the edges can be read."""
    rivals = Rivals.of(case.scores)
    partner = case.truth.neighbours()
    for how, laid in laid_so(case, rivals):
        joints = laid.joints()
        if not len(joints):
            continue
        evidence = joint_evidence(rivals, laid, joints)
        right = partner[joints[:, 0]] == joints[:, 1]
        counts = ~odd_on_the_wall(case)[joints // 4].any(axis=1)
        evidence = {name: each[counts] for name, each in evidence.items()}
        most = most_believed(rivals, laid, joints)[counts]
        yield Judged(case.about, how, laid, joints[counts], evidence, most, right[counts])


def odd_on_the_wall(case: StoredCase) -> NDArray[np.bool_]:
    """Return which tiles lie wrong on the wall itself, so that nobody knows what is right [n]."""
    truth = case.truth
    odd = np.zeros(len(truth), bool)
    for row, col in ODD_ON_THE_WALL.get(case.about.sources[0], []):
        odd |= (truth.row == row) & (truth.col == col)
    return odd


def laid_so(case: StoredCase, rivals: Rivals) -> Iterator[tuple[str, Assembly]]:
    for how, laid in zip(case.about.runs, case.assemblies, strict=True):
        yield how.split()[0], laid
    joints = case.assemblies[0].joints()
    if len(joints):
        yield "parts", islands(case.assemblies[0], joints, np.exp(rivals.loops(joints)), PARTS)
    if not can_be_disturbed(case):
        return
    yield "as it was", case.truth
    rng = np.random.default_rng(case.about.number)
    for kind in DISTURBANCES:
        laid, moved = disturb(case.truth, kind, 1 + len(case.truth) // 50, rng)
        if moved.any():
            yield kind, laid


def can_be_disturbed(case: StoredCase) -> bool:
    """Return whether errors can be made by hand in a panel that shows them.

    Where the tiles can hardly be told apart, only the fact that somebody laid them would tell that
    they lie right; so the panel must have been solved too.
    """
    joints = case.assemblies[0].joints()
    if len(case.about.sizes) > 1 or not len(joints):
        return False
    right = case.truth.neighbours()[joints[:, 0]] == joints[:, 1]
    return bool(right.mean() >= SOLVED)
