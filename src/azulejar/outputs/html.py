"""HTML pages from templates: values are escaped, styles and scripts are inlined."""

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from azulejar.outputs.wording import count_noun, format_percent, format_sureness, join_words
from azulejar.system.atomic import replacing

if TYPE_CHECKING:
    from jinja2 import Environment


def render_html(template: str, **values: Any) -> str:
    """Fill a template, which is named by its file, with values."""
    return _environment().get_template(template).render(values)


def write_html(path: str | os.PathLike[str], template: str, **values: Any) -> None:
    """Write a filled template, the file whole or not at all."""
    text = render_html(template, **values)
    with replacing(Path(path)) as temporary:
        temporary.write_text(text, encoding="utf-8")


@cache
def _environment() -> "Environment":
    # Imported late, since most commands write no page.
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("azulejar.outputs", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )

    def inline(name: str) -> Markup:
        """Return the text of a style or script as it is."""
        assert environment.loader is not None
        return Markup(environment.loader.get_source(environment, name)[0])

    environment.globals["inline"] = inline
    environment.filters |= {
        "count_noun": count_noun,
        "join_words": join_words,
        "percent": format_percent,
        "sureness": format_sureness,
    }
    return environment
