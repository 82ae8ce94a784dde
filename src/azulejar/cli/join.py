"""``azulejar join``: from fragments of broken tiles to whole ones."""

from pathlib import Path
from typing import Annotated

import typer

from azulejar.cli.console import bar, say
from azulejar.imaging.fragments.join_list import LIST
from azulejar.imaging.fragments.joins import join_imported
from azulejar.imaging.photographs.importing import FRAGMENTS
from azulejar.outputs.fragment_page import write_fragment_page
from azulejar.outputs.wording import count_noun


def command(
    tiles: Annotated[Path, typer.Argument(metavar="TILES", help="Folder that import has written.")],
) -> None:
    """Join fragments of broken tiles by their outline and paint.

    Sure joins become tiles in TILES, transparent where glaze is missing. All are shown on
    TILES/fragments/joins.html: write yes or no beside them in joins.csv and give the command again.

    Example: azulejar join my_tiles
    """
    with bar("Joining fragments") as progress:
        joins, left = join_imported(tiles, progress)
    page = write_fragment_page(tiles, joins, left)
    made = [join for join in joins if join.is_made]
    say(f"{count_noun(len(made), 'tile')} joined: {tiles}")
    if len(joins) > len(made):
        unsure = count_noun(len(joins) - len(made), "join")
        say(f"{unsure} to be confirmed: yes or no in {tiles / FRAGMENTS / LIST}")
    if left:
        fit = (
            "fits to nothing and stays as it is"
            if len(left) == 1
            else "fit to nothing and stay as they are"
        )
        say(f"{count_noun(len(left), 'fragment')} {fit}.")
    say(f"Pictures: {page}")
