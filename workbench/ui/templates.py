"""The page's HTML, from assets/templates. Double braces are Handlebars', filled in the browser; what is known when the
page is made stands in brackets, and Jinja fills it: words, and one template inside another. Knows no tab."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from workbench.paths import ASSETS
from workbench.ui import strings


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(ASSETS / "templates"), autoescape=True, undefined=StrictUndefined,
        variable_start_string="[[", variable_end_string="]]", comment_start_string="[#", comment_end_string="#]",
    )  # fmt: skip


def template(name: str, **given: Any) -> str:
    """A template for Handlebars, the page's words in it; whatever a word holds is text."""
    return drawn(f"{name}.html", **given)


def drawn(file: str, **given: Any) -> str:
    """A file of assets/templates, filled; all that goes into it is escaped. Whose words `strings` are may be given;
    what stands on every tab finds its own in `page_strings`."""
    return _environment().get_template(file).render({"strings": strings, "page_strings": strings, **given})
