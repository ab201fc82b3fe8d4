"""The Rate tab: a door, the consent, then one verse a screen.

Places one template, which assets/rating.js fills from the rate_* endpoints of `rating` and whose keys and buttons it
listens to; a token is only ever in the rater's browser and in the body of what it sends.
"""

from __future__ import annotations

import json
import os
from importlib.util import find_spec

import gradio as gr

from workbench.paths import ASSETS
from workbench.ui import rating
from workbench.ui import rating_strings as strings
from workbench.ui.scripts import SHOWN
from workbench.ui.templates import template


def script() -> str:
    """What the tab's element runs: the sentences it says, the scripts it offers, then assets/rating.js."""
    constants = {"SAYS": strings.RATE_SAYS, "EMPTY": rating.EMPTY, "OFFERED": list(SHOWN)}
    said = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in constants.items())
    return said + (ASSETS / "rating.js").read_text(encoding="utf-8")


def logins() -> bool:
    """Whether people can log in: on a Space that says so in its README, and that has what it takes."""
    return bool(os.environ.get("SPACE_ID") and os.environ.get("OAUTH_CLIENT_ID") and find_spec("authlib"))


def add_rate_tab() -> None:
    """A rater's link opens it: see assets/workbench.js."""
    with gr.Tab(strings.RATE_TAB, id="rate"), gr.Column(elem_id="rate"):
        if logins():
            gr.Markdown(strings.RATE_LOGIN, elem_classes="intro")
            gr.LoginButton(elem_id="rate-login")
        screen = template("rating", strings=strings, scripts=SHOWN.values())
        gr.HTML(
            {**rating.EMPTY, "door": True}, html_template=screen, js_on_load=script(), apply_default_css=False,
            elem_id="rate-screen",
        )  # fmt: skip
