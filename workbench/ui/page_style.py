"""How the page looks: theme, fonts, style sheet. Colours and sizes are in the style sheets of assets/."""

from __future__ import annotations

import json

import gradio as gr

from workbench import composer
from workbench.paths import ASSETS
from workbench.ui import strings

SYSTEM_FONT = ("system-ui", "-apple-system", "Segoe UI", "Roboto", "sans-serif")
MONO_FONT = ("ui-monospace", "SFMono-Regular", "Menlo", "monospace")
SHEETS = ("workbench.css", "desk.css", "chooser.css", "studies.css", "tour.css")
SCRIPTS = ("workbench.js", "picture.js", "replay.js", "hear.js", "mend.js", "tour.js")
FONT_FAMILY = "Tiro Devanagari Sanskrit"
# Which characters each font file holds, so that a browser fetches only what the page shows.
FONT_FILES = {
    "devanagari": "U+0900-097F, U+1CD0-1CF9, U+200C-200D, U+25CC, U+A8E0-A8FF",
    "latin-ext": "U+0100-02BA, U+0300-036F, U+1E00-1E9F",
    "latin": "U+0000-00FF, U+2000-206F",
}


def theme() -> gr.themes.Base:
    accent = gr.themes.Color("#fdf3ee", "#fae3d8", "#f4c6b2", "#e59f80", "#c9684a", "#8a2b0e", "#7a260c", "#66200a",
                             "#521908", "#3f1306", "#2b0d04")  # fmt: skip
    return gr.themes.Base(
        primary_hue=accent, neutral_hue=gr.themes.colors.stone, font=SYSTEM_FONT, font_mono=MONO_FONT,
        radius_size=gr.themes.sizes.radius_lg,
    ).set(
        body_background_fill="var(--paper)", body_background_fill_dark="var(--paper)",
        body_text_color="var(--ink)", body_text_color_dark="var(--ink)",
        body_text_color_subdued="var(--quiet)", body_text_color_subdued_dark="var(--quiet)",
        background_fill_primary="var(--card)", background_fill_primary_dark="var(--card)",
        background_fill_secondary="var(--paper)", background_fill_secondary_dark="var(--paper)",
        border_color_primary="var(--line)", border_color_primary_dark="var(--line)",
        block_background_fill="transparent", block_background_fill_dark="transparent",
        block_border_width="0px", block_shadow="none", block_padding="0px",
        block_label_text_color="var(--quiet)", block_label_text_color_dark="var(--quiet)",
        block_title_text_color="var(--quiet)", block_title_text_color_dark="var(--quiet)",
        block_info_text_color="var(--quiet)", block_info_text_color_dark="var(--quiet)",
        input_background_fill="var(--field)", input_background_fill_dark="var(--field)",
        input_border_color="var(--edge)", input_border_color_dark="var(--edge)",
        input_border_color_focus="var(--accent)", input_border_color_focus_dark="var(--accent)",
        input_placeholder_color="var(--quiet)", input_placeholder_color_dark="var(--quiet)", input_shadow="none",
        input_border_width="1px", color_accent="var(--accent)", layout_gap="1rem",
        button_primary_background_fill="var(--accent)", button_primary_background_fill_dark="var(--accent)",
        button_primary_background_fill_hover="var(--accent-deep)",
        button_primary_background_fill_hover_dark="var(--accent-deep)",
        button_primary_text_color="var(--on-accent)", button_primary_text_color_dark="var(--on-accent)",
        button_secondary_background_fill="transparent", button_secondary_background_fill_dark="transparent",
        button_secondary_border_color="var(--accent)", button_secondary_border_color_dark="var(--accent)",
        button_secondary_text_color="var(--accent)", button_secondary_text_color_dark="var(--accent)",
        button_border_width="1px", link_text_color="var(--accent)", link_text_color_dark="var(--accent)",
    )  # fmt: skip


def css() -> str:
    fonts = f"gradio_api/file={ASSETS / 'fonts' / 'tiro-devanagari-sanskrit'}"
    faces = "\n".join(
        f"@font-face {{ font-family: '{FONT_FAMILY}'; font-display: swap; unicode-range: {span}; "
        f"src: url('{fonts}-{name}-400-normal.woff2') format('woff2'); }}"
        for name, span in FONT_FILES.items()
    )
    return faces + "".join((ASSETS / sheet).read_text(encoding="utf-8") for sheet in SHEETS)


def head() -> str:
    """What the whole page runs: the scripts of no single element, with their words."""
    replay = {"replay": strings.REPLAY, "pause": strings.PAUSE}
    hear = {**strings.HEAR_SAYS, "tempo": strings.HEAR_TEMPO, "letters": composer.devanagari_letters()}
    said = {
        "PICTURE_SAYS": strings.PICTURE_SAYS, "REPLAY_SAYS": replay, "HEAR_SAYS": hear, "TOUR_SAYS": strings.TOUR_SAYS,
        "MEND_SAYS": strings.MEND_SAYS,
    }  # fmt: skip
    says = "".join(f"const {name} = {json.dumps(words)};" for name, words in said.items())
    own = "".join((ASSETS / script).read_text(encoding="utf-8") for script in SCRIPTS)
    return f"<script>{says}\n{own}</script>"
