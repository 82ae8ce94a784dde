"""The model card: what a person wants to know before relying on a model."""

from pathlib import Path
from typing import Any

LICENCE = "Apache-2.0, like azulejar itself. The pictures it was trained on are not part of it."
ABOUT = {
    "best": "Describes each edge of a tile, for the measures `twin` and `dlcm`. Trained list-wise "
    "on pictures that were aged into panels of tiles on the fly, with a small share of real "
    "panels.",
    "buddies": "Says of two edges that fit well how likely they are to meet, by two lines of "
    "pixels on either side; after Sholomon et al. (ICANN 2016). The post-processing step "
    "`dnn-buddies` runs it.",
    "paper": "Red-Net, Green-Net, Blue-Net and RGB-Net after Rika et al. (GECCO 2019), trained on "
    "triplets of tiles of real panels. The measures `red`, `green`, `blue`, `rgb` and their sum "
    "`dlcm-paper` run them. The paper does not print its layers; these are ours.",
}


def write_card(card: dict[str, Any], path: Path) -> None:
    """Write the card as Markdown."""
    config = card["config"]
    pictures = ", ".join(Path(folder).name for folder in config["pictures"]) or "none"
    panels = config["panels"]
    parts = [
        f"# Model of the recipe `{config['recipe']}`",
        ABOUT.get(card["recipe"], ""),
        _table(
            ["", ""],
            [
                ["parameters", f"{card['parameters']:,}"],
                ["weights kept as", card["kind"]],
                ["made", f"{card['date']}, azulejar {card['azulejar']}"],
                ["pictures", pictures],
                ["real panels", "/".join(Path(panels).parts[-2:]) if panels else "none"],
                ["seed", config["seed"]],
                *_setting_rows(config["settings"]),
                ["licence", LICENCE],
            ],
        ),
    ]
    if card["notes"]:
        parts += ["## Notes", card["notes"].strip()]
    if card["rank_1"]:
        rows = [[name, f"{100 * value:.1f}"] for name, value in card["rank_1"].items()]
        parts += ["## Rank-1 on the validation panels, in %", _table(["measure", "%"], rows)]
    sums = [[name, f"`{sum}`"] for name, sum in card["files"].items()]
    parts += ["## Checksums (SHA-256)", _table(["file", "sum"], sums)]
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _setting_rows(settings: dict[str, Any]) -> list[list[str]]:
    """Return a table row of settings for each stage, or one for all if there are no stages."""
    stages = {k: v for k, v in settings.items() if isinstance(v, dict) and "steps" in v}
    rows = {f"settings, stage {stage}": own for stage, own in stages.items()}
    return [
        [title, ", ".join(f"{name} {value}" for name, value in own.items())]
        for title, own in (rows or {"settings": settings}).items()
    ]


def _table(head: list[str], rows: list[list[Any]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)
