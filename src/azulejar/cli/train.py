"""``azulejar train``: train a learned measure on pictures and panels."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from azulejar.cli.console import exit_stopped, say, training_bars
from azulejar.cli.messages import needs_training_extra
from azulejar.cli.options import Device

if TYPE_CHECKING:
    from azulejar.learning.recipes import Config


def command(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="RUN", help="Folder of the run.")
    ],
    recipe: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="best; best-mild, -crowd, -worn, -light with --from; buddies; paper, "
            "paper-aged; a file.",
        ),
    ] = "best",
    pictures: Annotated[
        list[Path] | None,
        typer.Option(metavar="DIR", help="Folder of pictures to learn from; may be repeated."),
    ] = None,
    panels: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Real panels NAME__RxC.jpg to learn from.")
    ] = None,
    validation: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Real panels to measure on; never learnt from."),
    ] = None,
    start: Annotated[
        str | None,
        typer.Option("--from", metavar="MODEL", help="Continue from best, a model or a run."),
    ] = None,
    steps: Annotated[
        int | None, typer.Option(min=1, help="Steps of each stage, if not the recipe's number.")
    ] = None,
    validate_every: Annotated[int, typer.Option(min=1, metavar="STEPS")] = 1000,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Same seed, same run; 0 if the recipe has none.")
    ] = None,
    device: Device = "auto",
) -> None:
    """Train a network, through all stages of the recipe.

    Ctrl-C keeps what is learnt, and the same command goes on from there.

    Example: azulejar train --recipe best --pictures art --panels panels -o run
    """
    with needs_training_extra():
        from azulejar.learning.recipes import Config
        from azulejar.learning.run import train
        from azulejar.learning.training import CHECKPOINT
    config = _read_config(Config, recipe)
    given: dict[str, Any] = {
        "pictures": tuple(str(folder) for folder in pictures) if pictures else None,
        "panels": str(panels) if panels else None,
        "validation": str(validation) if validation else None,
        "start": start,
        "seed": seed,
    }
    config = replace(config, **{name: value for name, value in given.items() if value is not None})
    if steps:
        config = config.with_settings(steps=steps)
    try:
        with training_bars() as (on_load, on_report):
            done = train(
                config,
                output,
                device=device,
                validate_every=validate_every,
                on_load=on_load,
                on_report=on_report,
            )
    except KeyboardInterrupt:
        kept = (output / CHECKPOINT).exists()
        how = "goes on from the checkpoint" if kept else "starts again"
        exit_stopped(f"the same command {how}.")
    for name, value in done.rank_1.items():
        say(f"rank-1 {name}: {value:.1%}")
    say(f"Trained. Next: azulejar export {output}")


def _read_config(kind: "type[Config]", recipe: str) -> "Config":
    return kind.load(Path(recipe)) if recipe.endswith(".json") else kind(recipe)
