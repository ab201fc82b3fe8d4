"""The Rate tab: a door, the consent, then one verse a screen.

Places one template, which assets/rating.js fills from the rate_* endpoints of `rating` and whose keys and buttons it
listens to; a token is only ever in the rater's browser and in the body of what it sends.
"""

from __future__ import annotations

import json
import os
from html import escape
from importlib.util import find_spec

import gradio as gr

from workbench import composer
from workbench.paths import ASSETS
from workbench.ratings.questions import MARKS
from workbench.ui import rating
from workbench.ui import rating_strings as strings
from workbench.ui.grid import GRID
from workbench.ui.quiet import quiet

_OPTIONS = "".join(
    f'<option value="{escape(script.name)}">{escape(script.label)}</option>' for script in composer.SCRIPTS.values()
)


def _field(name: str, asked: str, choices: tuple[str, ...]) -> str:
    options = "".join(f"<option>{escape(choice)}</option>" for choice in ("", *choices))
    return f'<label class="field">{escape(asked)}<select data-background="{name}">{options}</select></label>'


DOOR = f"""
{{{{#if value.door}}}}<section class="card rate-card" aria-labelledby="rate-door">
<h2 id="rate-door">{strings.RATE_DOOR}</h2><p class="quiet">{strings.RATE_INTRO}</p>
<p class="sentence-line" role="alert">{{{{value.error}}}}</p>
<label class="field">{strings.RATE_STUDY}<input id="rate-study" type="text" spellcheck="false"></label>
<label class="field">{strings.RATE_TOKEN}<input id="rate-token" type="password" autocomplete="off"></label>
<button type="button" id="rate-open" class="action first main-action">{strings.RATE_OPEN}</button></section>{{{{/if}}}}
"""
CONSENT = f"""
{{{{#if value.consent}}}}<section class="card rate-card" aria-labelledby="rate-welcome">
<h2 id="rate-welcome">{strings.RATE_WELCOME}</h2>
<p class="quiet">{{{{value.study}}}} · {{{{value.rater}}}}</p><p>{strings.RATE_ABOUT}</p>
{"".join(_field(*each) for each in strings.BACKGROUND)}
<label class="tick"><input id="rate-consent" type="checkbox"> {strings.RATE_CONSENT}</label>
<p class="sentence-line" id="rate-consent-told" role="alert">{{{{value.error}}}}</p>
<button type="button" id="rate-begin" class="action first main-action">{strings.RATE_BEGIN}</button>
</section>{{{{/if}}}}
"""
PROGRESS = f"""
{{{{#if value.progress}}}}{{{{#with value.progress}}}}<div class="card rate-bar">
<label class="rate-progress">{{{{sentence}}}}
<progress id="rate-progress" value="{{{{rated}}}}" max="{{{{total}}}}"></progress></label>
<span class="rate-moves"><button type="button" class="action" id="rate-previous">{strings.RATE_PREVIOUS}</button>
<button type="button" class="action" id="rate-following">{strings.RATE_FOLLOWING}</button>
<button type="button" class="action" id="rate-next">{strings.RATE_NEXT}</button>
<label>{strings.RATE_JUMP} <select id="rate-jump"><option value="0"></option>
{{{{#each places}}}}<option value="{{{{position}}}}">{{{{label}}}}</option>{{{{/each}}}}</select></label>
<label>{strings.RATE_SCRIPT} <select id="rate-script">{_OPTIONS}</select></label>
<button type="button" class="plain" id="rate-leave">{strings.RATE_LEAVE}</button></span>
</div>{{{{/with}}}}{{{{/if}}}}
{{{{#if value.nudge}}}}<p class="card rate-nudge" role="status">{{{{value.nudge}}}}</p>{{{{/if}}}}
"""
VERSE = (
    f"""
<section class="card verse" id="rate-verse" tabindex="-1" aria-label="{strings.RATE_VERSE}">
{{{{#with value.showing}}}}<header><h2>{{{{title}}}}</h2></header>
<h3>{strings.RATE_ENGLISH}</h3><p class="rate-prose">{{{{prose}}}}</p><h3>{strings.RATE_VERSE}</h3>
<p class="sanskrit" lang="sa">{{{{#each lines}}}}<span>{{{{#each words}}}}<button type="button" class="word"
data-word="{{{{at}}}}">{{{{word}}}}</button> {{{{/each}}}}{{{{danda}}}}</span>{{{{/each}}}}</p>
{{{{#if grid}}}}<details open><summary>{strings.RATE_GRID}</summary>{{{{#with grid}}}}<div class="grid-and-forms">"""
    + GRID
    + """</div>{{/with}}</details>{{/if}}{{/with}}</section>
"""
)
QUESTIONS = f"""
<section class="card rate-questions" aria-label="{strings.RATE_SAID}">
{{{{#each value.questions}}}}
{{{{#if scale}}}}<fieldset class="question{{{{#unless required}}}} compact{{{{/unless}}}}" data-question="{{{{name}}}}">
<legend>{{{{label}}}}{{{{#unless required}}}} <span class="quiet">{strings.RATE_OPTIONAL}</span>{{{{/unless}}}}</legend>
<div class="points">{{{{#each points}}}}<label class="point"><input type="radio" name="rate-{{{{of}}}}"
value="{{{{value}}}}"><span class="value">{{{{value}}}}</span> <span class="rubric">{{{{rubric}}}}</span></label>
{{{{/each}}}}</div>
{{{{#unless required}}}}<details><summary>{strings.RATE_RUBRIC}</summary><ol class="rubrics">
{{{{#each points}}}}<li>{{{{rubric}}}}</li>{{{{/each}}}}</ol></details>{{{{/unless}}}}
{{{{#if examples}}}}<details class="examples"><summary>{strings.RATE_EXAMPLES}</summary><ol>{{{{#each examples}}}}<li>
<p>{{{{prose}}}}</p><p class="sanskrit-cell" lang="sa">{{{{#each lines}}}}<span>{{{{this}}}}</span> {{{{/each}}}}</p>
<p class="quiet">{{{{source}}}}. {{{{why}}}}</p></li>{{{{/each}}}}</ol></details>{{{{/if}}}}</fieldset>{{{{/if}}}}
{{{{#if marks}}}}<p class="question" data-marks>{{{{label}}}} <span class="quiet">{strings.RATE_MARKS_HELP}</span></p>
{{{{/if}}}}
{{{{#if comment}}}}<label class="question field">{{{{label}}}}
<textarea rows="2" data-comment="{{{{name}}}}"></textarea></label>{{{{/if}}}}
{{{{/each}}}}
<p id="rate-told" role="status" aria-live="polite"></p>
<div class="rate-buttons"><button type="button" class="action first main-action" id="rate-submit">{strings.RATE_SUBMIT}
</button><button type="button" class="action" id="rate-skip">{strings.RATE_SKIP}</button>
<button type="button" class="action" id="rate-undo">{strings.RATE_UNDO}</button></div>
<p class="quiet keys">{strings.RATE_KEYS}</p></section>
"""
DONE = f"""
{{{{#if value.done}}}}<section class="card rate-card" id="rate-done"><p role="status">{{{{value.done}}}}</p>
<p id="rate-done-told" class="sentence-line" role="alert"></p>
<button type="button" class="action" id="rate-undo">{strings.RATE_UNDO}</button></section>{{{{/if}}}}
"""
RATE = (
    DOOR + CONSENT + PROGRESS + "{{#if value.rate}}<div class='rate-desk'>" + VERSE + QUESTIONS + "</div>{{/if}}" + DONE
)


def script() -> str:
    """What the tab's element runs: the sentences it says, then assets/rating.js."""
    told = {"SAYS": strings.RATE_SAYS, "MARKS": MARKS, "EMPTY": rating.EMPTY}
    said = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in told.items())
    return said + (ASSETS / "rating.js").read_text(encoding="utf-8")


def logins() -> bool:
    """Whether people can log in: on a Space that says so in its README, and that has what it takes."""
    return bool(os.environ.get("SPACE_ID") and os.environ.get("OAUTH_CLIENT_ID") and find_spec("authlib"))


def add_rate_tab(page: gr.Blocks, tabs: gr.Tabs) -> None:
    with gr.Tab(strings.RATE_TAB, id="rate"), gr.Column(elem_id="rate"):
        if logins():
            gr.Markdown(strings.RATE_LOGIN, elem_classes="intro")
            gr.LoginButton(elem_id="rate-login")
        gr.HTML(
            {**rating.EMPTY, "door": True}, html_template=RATE, js_on_load=script(), apply_default_css=False,
            elem_id="rate-screen",
        )  # fmt: skip
        small = gr.Textbox(visible="hidden")
    page.load(open_tab, None, tabs, **quiet(small, queue=False))


def open_tab(request: gr.Request) -> object:
    """A rater's link opens their tab. Its token has left the address by now."""
    return gr.Tabs(selected="rate") if "study" in dict(request.query_params or {}) else gr.skip()
