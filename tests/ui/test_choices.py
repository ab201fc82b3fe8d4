"""The controls' values: as settings, as a link, back again."""

from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench import composer
from workbench.ui import strings
from workbench.ui.choices import COMPARED, OTHER, RANGES, Choices, from_link, options, paper

LISTS = options()


def test_the_defaults_are_the_house_s_settings():
    assert Choices().settings() == composer.HOUSE
    assert paper().settings() == composer.PRESETS["paper"]


def test_sliders_give_floats_and_zero_means_the_whole_vocabulary():
    settings = Choices(beams=7.0, top_k=0, draws=3.0, seed=4.0, no_repeat_ngram=2.0).settings()
    assert (settings.beams, settings.returned, settings.top_k, settings.draws, settings.seed) == (7, 7, None, 3, 4)


@pytest.mark.parametrize(
    ("choices", "sentence"),
    [
        (Choices(beams=2.5), "Expected beams to be a whole number of at least 1; got 2.5"),
        (Choices(beta=None), "Expected beta to be a number of at least 0; got None"),
        (Choices(mode="magic"), "Expected mode to be one of"),
    ],
)
def test_what_cannot_be_is_refused(choices, sentence):
    with pytest.raises(composer.SettingsError, match=sentence):
        choices.settings()


def numbers(name):
    least, most, step = RANGES[name]
    if step == int(step):
        return st.integers(int(least), int(most))
    return st.integers(round(least * 10), round(most * 10)).map(lambda tenths: tenths / 10)


CHOICES = st.builds(
    Choices,
    prose=st.text(min_size=1, max_size=200).filter(lambda text: text.isprintable()),
    synchronous=st.booleans(),
    **{name: st.sampled_from(values) for name, values in LISTS.items()},
    **{name: numbers(name) for name in RANGES},
)


@given(CHOICES)
def test_a_link_brings_back_what_was_chosen(choices):
    read, notes = from_link(dict(parse_qsl(choices.link(), keep_blank_values=True)))
    assert read == choices and notes == []


@given(CHOICES, CHOICES)
def test_a_link_brings_back_a_comparison(one, other):
    query = dict(parse_qsl(one.link(other), keep_blank_values=True))
    read, notes = from_link(query, OTHER, paper())
    assert notes == [] and query["compare"] == "1"
    assert all(getattr(read, name) == getattr(other, name) for name in COMPARED)


@given(st.dictionaries(st.sampled_from([*RANGES, *LISTS, "synchronous", "nonsense"]), st.text(max_size=30)))
def test_any_link_gives_choices_that_a_search_can_have(query):
    choices, _ = from_link(query)
    assert choices.settings()
    composer.find_entry(choices.model)


def test_what_a_link_says_wrongly_is_told():
    choices, notes = from_link({"beta": "eleven", "beams": "500", "model": "gpt", "metre": "sonnet", "top_k": "50"})
    assert choices == Choices(top_k=50)
    assert notes[0] == f"Expected model in the link to be one of {', '.join(LISTS['model'])}; got 'gpt'."
    assert "Expected beta in the link to be a number from 0 to 10; got 'eleven'." in notes
    assert "Expected beams in the link to be a number from 1 to 50; got '500'." in notes
    assert any("sonnet" in note for note in notes) and len(notes) == 4


def test_a_very_long_prose_does_not_break_the_link():
    assert len(Choices("x" * 20_000).link()) < 8000


def test_the_lists_of_the_page_are_the_lists_of_the_links():
    assert [value for _, value in strings.MODE_CHOICES] == LISTS["mode"]
    assert [value for _, value in strings.YATI_CHOICES] == LISTS["yati"]
