"""Pages that need nothing beside themselves."""

from importlib.resources import files

# Nothing is loaded or run: all pictures are in the page itself.
CLOSED = """<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
"""


def page(title: str, body: str, *, head: str = CLOSED, style: str = "", foot: str = "") -> str:
    """The whole page; ``title`` is escaped already, ``body`` is HTML.

    ``head`` and ``foot`` go to the end of head and body, ``style`` is added to that of all pages.
    """
    style = files("azulejar.outputs").joinpath("report.css").read_text(encoding="utf-8") + style
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
{head}<meta name="color-scheme" content="light dark">
<title>{title} · azulejar</title>
<style>
{style}</style>
</head>
<body>
<div class="band"></div>
<main>
{body}
</main>
{foot}</body>
</html>
"""


def section(heading: str, lead: str, content: str) -> str:
    """A part of the page under its heading; ``lead`` says in a sentence what it shows."""
    lead = f'<p class="lead">{lead}</p>' if lead else ""
    return f"<section><h2>{heading}</h2>{lead}{content}</section>"
