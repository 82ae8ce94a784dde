"""How errors of the library are phrased on the command line, where options have names.

An error is shown in its own words unless its code stands here. The templates are filled with the
values of the error, so they may use the placeholders of the library's templates and no others.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from azulejar.errors import AzulejarError

_CHECK_TILES = "Check the folder for extra tiles, or leave --rows and --cols out."
_INSTALL_MODEL = "Install azulejar again, or export the model again with azulejar export."

PROBLEMS: dict[str, str] = {
    "bench-folder-in-use": "{folder} exists and is no folder of azulejar bench (it has no {mark}).",
    "import-folder-foreign": "{folder} exists and is no folder of azulejar import (it has no "
    "{home}).",
    "output-not-ours": "{path} exists and is no folder that azulejar wrote (it has no {mark}), so "
    "--overwrite will not touch it.",
    "workspace-in-use": "{folder} is in use by another azulejar serve.",
}

REMEDIES: dict[str, str] = {
    "array-damaged": "Rebuild it from the photographs with azulejar collection repair, or restore "
    "a backup with azulejar collection restore.",
    "backup-unreadable": "Give a file that azulejar collection backup wrote.",
    "bench-folder-in-use": "Give another -o, new or from an earlier run.",
    "bench-store-unusable": "Free some space if the disk is full; otherwise give another -o.",
    "catalogue-damaged": "Restore a backup with azulejar collection restore, or create a new "
    "collection and add the crates again.",
    "catalogue-index-damaged": "Make it anew: azulejar collection repair.",
    "certificate-unusable": "Give --certificate and --key as PEM files that belong together, "
    "without a password.",
    "checkpoint-unreadable": "Give another -o, or remove the file to start again.",
    "collection-damaged": "Rebuild it from the photographs: azulejar collection repair {folder}; "
    "or restore a backup: azulejar collection restore.",
    "collection-disk-full": "What was added before is kept. Free some space, and give the same "
    "command again.",
    "collection-empty": "Add some: azulejar collection add.",
    "collection-exists": "Add to it with azulejar collection add, or give a new folder.",
    "collection-half-described": "Wait for it to end, or start it again: azulejar collection "
    "repair.",
    "collection-missing": "Check the path, or make one: azulejar collection create.",
    "collection-not-sorted": "Sort it: azulejar collection sort {folder}.",
    "collection-other-network": "Describe them anew, for which no photographs are needed: azulejar "
    "collection repair.",
    "collection-too-small": "Add some: azulejar collection add.",
    "device-without-cuda": "Use --device cpu, or install onnxruntime-gpu or a CUDA build of torch.",
    "grey-card-missing": "Lay one flat beside the tiles, or give --colour auto.",
    "grid-invalid": "Give one that azulejar cut wrote, edited or not.",
    "groups-unreadable": "Sort again: azulejar collection sort {folder}.",
    "import-folder-foreign": "Give another -o, new or from an earlier import.",
    "lock-beyond-tiles": "Correct it there, or give --rows and --cols if tiles are missing.",
    "measure-without-network": "Leave out --model and --device, or choose dlcm.",
    "model-card-unreadable": _INSTALL_MODEL,
    "model-card-wrong-format": _INSTALL_MODEL,
    "model-file-changed": _INSTALL_MODEL,
    "model-file-missing": _INSTALL_MODEL,
    "model-lacks-network": "Choose another --measure, or another --model.",
    "model-too-large-unpacked": "Use --kind int8.",
    "model-unknown": "Choose from {names}, or give the folder that azulejar export wrote.",
    "model-unusable": "Export the model again with azulejar export, or choose another --measure.",
    "no-loose-tiles": "Give --among other folders, or --all.",
    "output-exists": "Give another -o, or --overwrite to replace it.",
    "output-file-exists": "Give another -o, or --overwrite.",
    "output-is-folder": "Give the name of a file to write: -o.",
    "output-not-ours": "Give another -o.",
    "output-place-unwritable": "Choose another place with -o.",
    "output-write-failed": "Nothing was changed there; free some space or choose another place "
    "with -o.",
    "panel-not-solved": "Do so: azulejar collection solve {folder} --panel {name}.",
    "panel-too-large": "Give --rows and --cols up to {longest:,}, and {places:,} places at most.",
    "panel-too-small": _CHECK_TILES,
    "panel-too-small-with-empty": _CHECK_TILES,
    "patterns-not-found-yet": "Look for them: azulejar collection patterns {folder}.",
    "place-is-no-hole": "Choose an empty place, or give --all.",
    "plan-tile-too-large": "Give another scale, such as --scale 1:{better}.",
    "plan-tile-too-small": "Give another scale, such as --scale 1:{better}.",
    "recipe-needs-panels": "Name them with --panels.",
    "recipe-needs-pictures": "Name folders of them with --pictures.",
    "recipe-needs-start": "Name a model or a run to start from with --from.",
    "run-other-settings": "Give another -o, or --recipe with the config.json in there to continue "
    "it.",
    "run-without-weights": "Train first: azulejar train.",
    "runs-too-few": "Give --runs 1 or more.",
    "scores-of-other-tiles": "Score this folder again: azulejar score.",
    "scores-unreadable": "Make it again: azulejar score.",
    "solver-finds-size": "Leave --rows and --cols out, or choose another solver.",
    "solver-needs-size": "Give --rows and --cols, or choose another solver.",
    "solver-upright-only": "Give --upright, or choose another solver.",
    "statement-of-one-panel": "Leave them out, and state the size of a panel with --panel, "
    "--rows and --cols.",
    "tile-not-square": "Crop it to the tile, or remove it. azulejar import finds the tiles in "
    "photographs of a table; if every picture is one tile, give --these-are-tiles.",
    "tile-picture-twice": "Remove one of them, or give --these-are-tiles to keep both.",
    "tiles-csv-row-above": "Correct it there, or give other --rows.",
    "tiles-csv-rows-unknown": "Solve with azulejar solve --rows.",
    "tiles-folder-unknown": "Give --tiles.",
    "tiles-moved": "Say where the tiles lie: --tiles.",
    "tiles-of-two-sizes": "Put each size in a folder of its own (azulejar sort tells them apart), "
    "or give --these-are-tiles if all are of one size.",
    "tiles-wrong-size": "Give a --tile-size of {least} px or more, and {limit} million pixels at "
    "most for all tiles together.",
    "training-no-cuda": "Use --device cpu.",
    "workspace-unusable": "Give another folder: azulejar serve FOLDER.",
}


def phrase(error: AzulejarError) -> str:
    """Return the problem and the remedy as the terminal shows them."""
    problem, remedy = error.problem, error.remedy
    if error.code in PROBLEMS:
        problem = PROBLEMS[error.code].format_map(error.values)
    if error.code in REMEDIES:
        remedy = REMEDIES[error.code].format_map(error.values)
    return f"{problem} {remedy}"


@contextmanager
def needs_training_extra() -> Iterator[None]:
    """Say how to install what training needs, where an import in the block fails."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise AzulejarError(
            "training-not-installed",
            "Training needs {module}, which is not installed.",
            "Install it: pip install 'azulejar[train]'.",
            module=str(error.name),
        ) from error
