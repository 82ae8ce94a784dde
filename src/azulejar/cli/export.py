"""``azulejar export``: a trained run in the form that measures use."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from azulejar.cli.console import say
from azulejar.cli.messages import needs_training_extra
from azulejar.cli.options import Overwrite


class Kind(StrEnum):
    """How numbers are kept in the file."""

    FLOAT16 = "float16"
    INT8 = "int8"


def command(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a training run.")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="MODEL", help="Folder to write; RUN/model."),
    ] = None,
    kind: Annotated[Kind, typer.Option(help="How numbers are kept.")] = Kind.FLOAT16,
    overwrite: Overwrite = False,
) -> None:
    """Write the weights of a run with ONNX graphs and a model card.

    Example: azulejar export run -o model && azulejar solve my_tiles --model model -o result
    """
    with needs_training_extra():
        from azulejar.learning.shipping import export
    folder = export(run, output or run / "model", kind=kind.value, overwrite=overwrite)
    size = sum(path.stat().st_size for path in folder.iterdir() if path.is_file())
    say(f"Model of {size / 1e6:.1f} MB: {folder}")
