"""Every door to a search offers the same settings: same names, same bounds, same words, one sentence for what is refused."""

import argparse
import asyncio
import html
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import gradio as gr
import pytest
from gradio.utils import get_function_description

from workbench import composer
from workbench.commands import settings as document
from workbench.commands.compose import add_settings, settings_of
from workbench.evaluation import candidates, reproduction, sweep
from workbench.ui.choices import COMPARED, NAMES, OTHER, Choices, from_link, paper
from workbench.ui.composing import compose_api
from workbench.ui.page import build

ROOT = Path(__file__).resolve().parents[1]
RUNS = sorted((ROOT / "docs" / "results").rglob("run.json"))
NUMBERS = [option for option in composer.OFFERED if option.kind in ("whole", "number")]
BESIDE = {"prose", "model", "script", "wishes"}  # what a composition is told beside settings

every_setting = pytest.mark.parametrize("option", composer.OFFERED, ids=lambda option: option.name)
every_number = pytest.mark.parametrize("option", NUMBERS, ids=lambda option: option.name)


@pytest.fixture(scope="module")
def page():
    async def built():  # where no event loop runs, Gradio opens some and leaves them open
        return build()

    with ThreadPoolExecutor(1) as elsewhere:  # playwright may have this thread's
        return elsewhere.submit(lambda: asyncio.run(built())).result()


@pytest.fixture(scope="module")
def controls(page):
    return {block.elem_id: block for block in page.blocks.values() if getattr(block, "elem_id", None)}


@pytest.fixture(scope="module")
def endpoint(page):
    return {each["parameter_name"]: each for each in page.get_api_info()["named_endpoints"]["/compose"]["parameters"]}


@pytest.fixture
def parser():
    made = argparse.ArgumentParser()
    add_settings(made)
    return made


def test_what_people_upload_is_removed_after_a_day(page):
    assert page.delete_cache == (3600, 86_400)


def test_no_door_offers_more_than_the_others(page, parser, endpoint):
    names = {option.name for option in composer.OFFERED}
    assert {action.dest for action in parser._actions} - {"help"} == names | {"model", "preset"}
    assert set(endpoint) == set(NAMES) == names | BESIDE
    assert set(get_function_description(compose_api)[1]) == set(NAMES)
    asked = next(fn for fn in page.fns.values() if fn.name == "compose_either")
    assert len(asked.inputs) == len(NAMES) + 1  # and how the prose is divided


@every_setting
def test_the_page_has_a_control_as_it_is_declared(option, controls):
    control = controls[option.flag]
    if option.kind == "metre":  # a chooser of its own: its words stand in its template
        assert option.label in control.html_template and option.help in html.unescape(control.html_template)
    else:
        assert (control.label, control.info) == (option.label, option.help)
    assert control.value == Choices().controls()[option.name]
    if option in NUMBERS:
        assert (control.minimum, control.maximum, control.step) == (option.least, option.most, option.step)
    if option.kind == "choice":
        assert [tuple(choice) for choice in control.choices] == list(option.choices)
    assert (f"other-{option.flag}" in controls) == option.compared == (option.name in COMPARED)


@every_setting
def test_the_command_line_programs_and_assistants_read_the_same_words(option, parser, endpoint):
    (action,) = [action for action in parser._actions if action.dest == option.name]
    assert f"--{option.flag}" in action.option_strings and option.about in action.help
    argument = endpoint[option.name]
    assert argument["parameter_default"] == Choices().controls()[option.name]
    assert argument["python_type"]["type"] == option.type.__name__
    assert get_function_description(compose_api)[1][option.name] == option.about


@every_number
@pytest.mark.parametrize("end", ["least", "most"])
def test_every_door_takes_the_bound_and_refuses_what_is_beyond_it(option, end, parser):
    bound, name, flag = getattr(option, end), option.name, f"--{option.flag}"
    room = {"beams": 50} if name == "groups" else {}  # as many as there are beams
    same = composer.HOUSE.asked({**room, name: bound})
    more = [f"--beams={room['beams']}"] if room else []
    assert settings_of(parser.parse_args([f"{flag}={bound}", *more])) == same
    assert Choices().but({**room, name: bound}).settings == same
    assert from_link({name: str(bound), **{key: str(value) for key, value in room.items()}}) == (
        Choices(settings=same),
        [],
    )

    beyond = option.type(bound + option.step * (1 if end == "most" else -1))
    sentence = f"Expected {name} to be {option.expected}; got {beyond}."
    for door in (
        lambda: settings_of(parser.parse_args([f"{flag}={beyond}"])),
        lambda: Choices().but({name: beyond}),
        lambda: composer.Settings(**{name: beyond}),
    ):
        with pytest.raises(composer.SettingsError) as refusal:
            door()
        assert str(refusal.value) == sentence
    with pytest.raises(gr.Error) as refusal:
        compose_api(prose="A king spoke.", **{name: beyond})
    assert refusal.value.message == sentence
    said = sentence.replace(f"Expected {name} ", f"Expected {name} in the link ")
    assert from_link({name: str(beyond)}) == (Choices(), [said])
    if option.compared:
        assert from_link({OTHER + name: str(beyond)}, OTHER, paper()) == (paper(), [said])


@every_setting
def test_a_preset_is_the_same_at_every_door(option, parser):
    for name, preset in composer.PRESETS.items():
        assert settings_of(parser.parse_args(["--preset", name])) == preset
        assert Choices().but(Choices(settings=preset).controls()).settings == preset


def test_the_document_is_what_the_command_prints():
    """`python -m workbench settings > docs/SETTINGS.md`."""
    assert (ROOT / "docs" / "SETTINGS.md").read_text(encoding="utf-8") == document.document()


def test_what_the_experiments_ask_for_is_within_bounds():
    planned = [plan.settings for plans in reproduction.EXPERIMENTS.values() for plan in plans]
    planned += [sweep.BASE.but(**variant) for variant in sweep.VARIANTS.values()]
    planned += [
        candidates.asked_for(composer.HOUSE, size, beside) for size in candidates.SIZES for beside in (True, False)
    ]
    for settings in planned:
        assert composer.Settings(**vars(settings)) == settings


@pytest.mark.parametrize("file", RUNS, ids=lambda file: "/".join(file.parts[-4:-1]))
def test_runs_that_ship_are_told_as_they_were(file):
    told = json.loads(file.read_text(encoding="utf-8"))
    settings = composer.Settings(**told["settings"], rank=told["rank"])
    signature = composer.compose_signature(told["identity"], settings)
    assert signature.split(" | ")[:2] == told["signature"].split(" | ")[:2], 'a newer setting has recorded="changed"'
    recorded = settings.recorded()
    assert list(recorded) == ["metre", "script", *list(told["settings"])[1:]], "in the same order"
    assert {name: value for name, value in recorded.items() if name != "script"} == told["settings"]
