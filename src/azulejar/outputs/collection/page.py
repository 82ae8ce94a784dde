"""What the pages on a collection share: their frame, style and scripts."""

from collections.abc import Mapping
from importlib.resources import files

from azulejar.outputs.page import CLOSED, page


def closed_page(title: str, body: str) -> str:
    """A page that holds all its pictures itself; ``title`` is escaped, ``body`` is HTML."""
    return page(title, body, head=CLOSED, style=_resource("collection.css"))


def open_page(title: str, body: str, script: str = "") -> str:
    """A page with pictures beside it, which loads nothing from anywhere else.

    ``script`` names a file of this folder that goes into the page.
    """
    code = f"<script>\n{_resource(script)}</script>\n" if script else ""
    return page(title, body, head="", style=_resource("collection.css"), foot=code)


def wall(
    cards: str, orders: Mapping[str, str], kinds: Mapping[str, tuple[str, int]] | None = None
) -> str:
    """Cards under a search box, for ``wall.js``.

    ``orders`` are the cards' data by which they may be ordered, in words, the present one first;
    ``kinds`` has the trust and the number of the cards of each kind, by what it is called.
    """
    options = "".join(f'<option value="{key}">{text}</option>' for key, text in orders.items())
    buttons = "".join(
        f'<button type="button" value="{kind}" aria-pressed="false"><i class="{kind}"></i>'
        f"{text} <small>{count:,}</small></button>"
        for text, (kind, count) in (kinds or {}).items()
        if count
    )
    every = '<button type="button" value="" aria-pressed="true">all</button>'
    choices = f'<span class="choices">{every}{buttons}</span>' if buttons else ""
    # Hidden until the script that heeds it runs.
    return f"""<form class="tools" hidden role="search">
<input type="search" placeholder="Panel, crate or inventory number" aria-label="Search">
{choices}
<label>Order <select>{options}</select></label>
<output></output>
</form>
<div class="wall">
{cards}
</div>
<p class="nothing" hidden>No panel answers to that.</p>"""


def _resource(name: str) -> str:
    """The text of a file of this folder."""
    return files("azulejar.outputs.collection").joinpath(name).read_text(encoding="utf-8")
