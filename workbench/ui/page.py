"""The whole page: its header, its tabs, and how it is served."""

from __future__ import annotations

import os

# Before gradio is imported: it reads this when it loads, and the page must talk to no other host.
os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")

import gradio as gr  # noqa: E402

from workbench.paths import ASSETS  # noqa: E402
from workbench.ratings import storage  # noqa: E402
from workbench.ui import page_style, rating, strings  # noqa: E402
from workbench.ui.about_tab import add_about_tab  # noqa: E402
from workbench.ui.beams_tab import add_beams_tab  # noqa: E402
from workbench.ui.compose_tab import add_compose_tab  # noqa: E402
from workbench.ui.composing import compose_api, score_api  # noqa: E402
from workbench.ui.metres_tab import add_metres_tab  # noqa: E402
from workbench.ui.rate_tab import add_rate_tab  # noqa: E402
from workbench.ui.reading_card import read_api  # noqa: E402
from workbench.ui.results_tab import add_results_tab  # noqa: E402
from workbench.ui.scan_tab import add_scan_tab, scan_api  # noqa: E402
from workbench.ui.write_tab import add_write_tab  # noqa: E402
from workbench.ui.write_tab import endpoints as write_endpoints  # noqa: E402

MOST_BYTES = 20_000_000  # of one upload; traces are the largest
HEADER = f"""<header class="masthead"><span class="brand" lang="sa">{strings.BRAND}</span>
<h1>{strings.TITLE}</h1><span class="quiet">{strings.TAGLINE}</span></header>"""


def build() -> gr.Blocks:
    gr.set_static_paths([ASSETS])
    page = gr.Blocks(title=strings.TITLE, fill_width=True, analytics_enabled=False)
    with page:
        gr.HTML(HEADER, js_on_load=None, apply_default_css=False)
        with gr.Tabs(elem_id="tabs", overflow_behavior="wrap") as tabs:
            compose = add_compose_tab(page)
            add_write_tab()
            add_beams_tab(compose, tabs)
            scan_metre = add_scan_tab(page, tabs)
            add_metres_tab(tabs, compose.metre, scan_metre)
            add_rate_tab(page, tabs)
            add_results_tab()
            add_about_tab()
        for name, call, most in (
            ("compose", compose_api, 1), ("score", score_api, 1), ("scan", scan_api, 4), ("read", read_api, 2),
        ):  # fmt: skip
            call.__name__ = name  # under which MCP's assistants find it
            gr.api(call, api_name=name, concurrency_id=name, concurrency_limit=most)  # type: ignore[attr-defined]
        for call in rating.ENDPOINTS:
            # Not among the tools for programs, since raters are people; and not queued, so that an answer is an answer.
            gr.api(  # type: ignore[attr-defined]
                call, api_name=call.__name__, queue=False, api_visibility="undocumented"
            )
        for name, call in write_endpoints():  # the page's own, at every key: not queued either
            gr.api(call, api_name=name, queue=False, api_visibility="undocumented")  # type: ignore[attr-defined]
    return page


def launch(**options: object) -> None:
    """Serve the page. Host and port follow Gradio's environment variables, as a Space sets them."""
    os.environ.setdefault("PINGALA_DATA", str(storage.folder()))  # one folder for all that the app keeps
    settings: dict[str, object] = {
        "theme": page_style.theme(),
        "css": page_style.css(),
        "head": page_style.head(),
        "footer_links": [],
        "run_history": False,
        "mcp_server": True,
        "ssr_mode": False,
        "show_error": False,
        "max_file_size": MOST_BYTES,
        **options,
    }
    build().queue(default_concurrency_limit=4).launch(**settings)
