"""The whole page: its header, its tabs, and how it is served."""

from __future__ import annotations

import logging
import os
import sys
from typing import Any

# Before gradio is imported: it reads this when it loads, and the page must talk to no other host.
os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
# After every event Gradio sums up all events of before, with pandas: nobody here looks at that.
os.environ.setdefault("GRADIO_ANALYTICS_CACHE_FREQUENCY", "1000000000")
os.environ.setdefault("GRADIO_ANALYTICS_MAX_EVENTS", "100")
# Before torch is: its threads sleep while they wait for each other. By themselves they spin, and take from everybody
# else what they do not need.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("KMP_BLOCKTIME", "0")
os.environ.setdefault("OMP_NUM_THREADS", str(max(1, (os.cpu_count() or 1) // 2)))  # and leave half the machine free

import gradio as gr  # noqa: E402

from workbench.paths import ASSETS  # noqa: E402
from workbench.ratings import storage  # noqa: E402
from workbench.refusal import Refusal  # noqa: E402
from workbench.ui import admin, guard, metre_chooser, page_style, rating, strings  # noqa: E402
from workbench.ui.about_tab import add_about_tab  # noqa: E402
from workbench.ui.beams_tab import add_beams_tab  # noqa: E402
from workbench.ui.compose_tab import add_compose_tab  # noqa: E402
from workbench.ui.composing import PROGRAMS, SCORING, compose_api, score_api  # noqa: E402
from workbench.ui.lines import for_line  # noqa: E402
from workbench.ui.metres_tab import add_metres_tab  # noqa: E402
from workbench.ui.picture import picture  # noqa: E402
from workbench.ui.rate_tab import add_rate_tab  # noqa: E402
from workbench.ui.reading_card import read_api  # noqa: E402
from workbench.ui.scan_tab import add_scan_tab, scan_api  # noqa: E402
from workbench.ui.studies_tab import add_studies_tab  # noqa: E402
from workbench.ui.templates import template  # noqa: E402
from workbench.ui.write_tab import add_write_tab  # noqa: E402
from workbench.ui.write_tab import endpoints as write_endpoints  # noqa: E402

MOST_BYTES = 20_000_000  # of one upload; traces are the largest
HOUR = 3600  # seconds: so often it is looked for uploads and downloads of more than a day ago, which are removed
SESSIONS = 500  # of which the page keeps the last composition; of one that was there before, it forgets it
SWITCH = 0.001  # seconds after which a thread that computes lets another one, a fifth of Python's own
THREADS = 120  # Gradio counts those who wait in our lines too, though they hold none
WAITING = 200  # events in Gradio's own queue, after which it says that it is full


def build() -> gr.Blocks:
    gr.set_static_paths([ASSETS])
    page = gr.Blocks(title=strings.TITLE, fill_width=True, analytics_enabled=False, delete_cache=(HOUR, 24 * HOUR))
    with page:
        gr.HTML(template("masthead"), js_on_load=None, apply_default_css=False)
        with gr.Tabs(elem_id="tabs", overflow_behavior="wrap") as tabs:
            compose = add_compose_tab(page)
            add_write_tab()
            add_beams_tab(compose, tabs)
            scan_metre = add_scan_tab(page)
            add_metres_tab(tabs, compose.metre, scan_metre)
            add_rate_tab()
            add_studies_tab()
            add_about_tab()
        for name, call, most in (
            ("compose", for_line(PROGRAMS)(compose_api), None),
            ("score", for_line(SCORING)(score_api), None), ("scan", scan_api, 4), ("read", read_api, 2),
        ):  # fmt: skip
            call.__name__ = name  # under which MCP's assistants find it
            of_programs = f"{name} for programs"  # so that they hold up nobody at the page
            gr.api(  # type: ignore[attr-defined]
                call, api_name=name, concurrency_id=of_programs, concurrency_limit=most
            )
        for call in rating.ENDPOINTS:
            # Not among the tools for programs, since raters are people; and not queued, so that an answer is an answer.
            gr.api(  # type: ignore[attr-defined]
                rating.unhurried(call), api_name=call.__name__, queue=False, api_visibility="undocumented"
            )
        # The page's own, at every key or press: not queued either.
        for name, call in [*write_endpoints(), ("picture", picture)]:
            gr.api(call, api_name=name, queue=False, api_visibility="undocumented")  # type: ignore[attr-defined]
    return page


def launch() -> None:
    """Serve the page until somebody ends it; where it cannot be, say why in a sentence."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    logging.getLogger("workbench").setLevel(logging.INFO)
    try:
        serve()
    except Refusal as refusal:
        sys.exit(str(refusal))


def serve(**options: object) -> gr.Blocks:
    """Serve the page. Host and port follow Gradio's environment variables, as a Space sets them."""
    os.environ.setdefault("PINGALA_DATA", str(storage.folder()))  # one folder for all that the app keeps
    settings: dict[str, Any] = {
        "theme": page_style.theme(),
        "css": page_style.css(),
        "head": page_style.head() + metre_chooser.head(),
        "footer_links": [],
        "run_history": False,
        "mcp_server": True,
        "ssr_mode": False,
        "show_error": False,
        "max_file_size": MOST_BYTES,
        "max_threads": THREADS,
        # No look at itself after the start, which ends the server when a crowd waits for it and one answer takes 3 s.
        "_frontend": False,
        "state_session_capacity": SESSIONS,
        **options,
    }
    host = str(settings.get("server_name") or os.environ.get("GRADIO_SERVER_NAME") or "127.0.0.1")
    if notice := admin.serve_at(host):
        print(notice, flush=True)
    sys.setswitchinterval(SWITCH)
    page: gr.Blocks = build().queue(default_concurrency_limit=4, max_size=WAITING)
    page.launch(app_kwargs={"lifespan": guard.around}, **settings)
    return page
