"""The controls' values: as settings, as a link, back again."""

from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench import composer
from workbench.ui.choices import COMPARED, NAMES, OFFERED, OTHER, Choices, differences, from_link, paper
from workbench.ui.scripts import SHOWN


def test_the_defaults_are_the_house_s_settings():
    assert Choices().settings == Choices().but(Choices().controls()).settings == composer.HOUSE
    assert paper().but(paper().controls()).settings == composer.PRESETS["paper"]


def test_sliders_give_floats_and_zero_means_the_whole_vocabulary():
    chosen = Choices().but({"beams": 7.0, "top_k": 0, "draws": 3.0, "seed": 4.0, "no_repeat_ngram": 2.0, "beta": 2})
    settings = chosen.settings
    assert (settings.beams, settings.returned, settings.top_k, settings.draws, settings.seed) == (7, 7, None, 3, 4)
    assert "beta=2.0" in composer.compose_signature("embedded#1", settings), "as the command line has it"
    assert (chosen.controls()["top_k"], chosen.controls()["beams"]) == (0, 7)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"beams": 2.5}, "Expected beams to be a whole number from 1 to 50; got 2.5."),
        ({"beams": 4000}, "Expected beams to be a whole number from 1 to 50; got 4000."),
        ({"beta": None}, "Expected beta to be a number from 0 to 10; got None."),
        ({"mode": "magic"}, "Expected mode to be one of pingala, cd, paper, free; got 'magic'."),
        ({"script": "runes"}, "Expected script to be one of devanagari"),
        ({"prose": 5}, "Expected prose to be text; got 5."),
        ({"groups": 9, "beams": 8}, "Expected at most as many groups as beams, 8; got 9."),
        ({"wishes": ["sonnet"]}, "Expected a wish of the kinds given, word,"),
        ({"wishes": "rhyme 1"}, "Expected a list of wishes; got rhyme 1."),
    ],
)
def test_what_cannot_be_is_refused(values, sentence):
    with pytest.raises((composer.SettingsError, composer.WishError)) as refusal:
        Choices().but(values)
    assert str(refusal.value).startswith(sentence)


def values_of(option):
    """What a person can set a control to."""
    if option.kind == "metre":
        return st.sampled_from([metre.name for metre in composer.all_metres()])
    if option.kind == "choice":
        return st.sampled_from([value for _, value in option.choices])
    if option.kind == "switch":
        return st.booleans()
    least, most = round(option.least / option.step), round(option.most / option.step)
    return st.integers(least, most).map(lambda steps: round(steps * option.step, 6))


WISHES = [
    "given 4:पार्वतीपरमेश्वरौ",
    "given end:रामो । राजा",
    "inside 2:मेघ",
    "without 2.3:र् =ति",
    "begins का - गं",
    "rhyme 2:2,4",
]
CONTROLS = st.fixed_dictionaries(
    {
        "prose": st.text(min_size=1, max_size=200).filter(lambda text: text.isprintable()),
        "model": st.sampled_from(list(composer.offered_entries())),
        "script": st.sampled_from(list(SHOWN)),
        **{name: values_of(option) for name, option in OFFERED.items()},
        "wishes": st.lists(st.sampled_from(WISHES), max_size=4),
    }
)
CHOICES = CONTROLS.map(lambda values: Choices().but({**values, "groups": min(values["groups"], values["beams"])}))


@given(CHOICES)
def test_a_link_brings_back_what_was_chosen(choices):
    read, notes = from_link(dict(parse_qsl(choices.link(), keep_blank_values=True)))
    assert read == choices and notes == []


@given(CHOICES, CHOICES)
def test_a_link_brings_back_a_comparison(one, other):
    query = dict(parse_qsl(one.link(other), keep_blank_values=True))
    read, notes = from_link(query, OTHER, paper())
    assert notes == [] and query["compare"] == "1"
    assert all(read.controls()[name] == other.controls()[name] for name in COMPARED)


@given(st.dictionaries(st.sampled_from([*NAMES, "nonsense"]), st.text(max_size=30)))
def test_any_link_gives_choices_that_a_search_can_have(query):
    choices, _ = from_link(query)
    assert choices.but(choices.controls()) == choices
    composer.find_entry(choices.model)


@pytest.mark.parametrize(
    ("query", "settings"),
    [
        (
            "beta=2.5&beams=8&top_k=0&yati=prefer&mode=cd&length_penalty=1.5&no_repeat_ngram=2&repetition=0.5&prose=x",
            {"beta": 2.5, "beams": 8, "returned": 8, "top_k": None, "yati": "prefer", "mode": "cd", "repetition": 0.5,
             "length_penalty": 1.5, "no_repeat_ngram": 2},
        ),
        (
            "metre=vasantatilaka&alpha=0.5&gamma=2&draws=100&temperature=0.6&guidance=0&synchronous=0&seed=2147483647",
            {"metre": "vasantatilakā", "alpha": 0.5, "gamma": 2.0, "draws": 100, "temperature": 0.6, "guidance": 0.0,
             "synchronous": False, "seed": 2**31 - 1},
        ),
    ],
)  # fmt: skip
def test_links_that_are_out_in_the_world_still_open(query, settings):
    """As the page wrote them when each control still had its own list."""
    choices, notes = from_link(dict(parse_qsl(query)))
    assert notes == [] and choices.settings == composer.HOUSE.but(**settings)


def test_a_comparison_that_is_out_in_the_world_still_opens():
    query = "compare=1&b_model=embedded&b_mode=pingala&b_beta=5&b_beams=25&b_top_k=100&b_draws=0&b_guidance=0&b_synchronous=0"
    choices, notes = from_link(dict(parse_qsl(query)), OTHER, paper())
    assert notes == [] and choices == paper()


def test_what_a_link_says_wrongly_is_told():
    choices, notes = from_link({"beta": "eleven", "beams": "500", "model": "gpt", "metre": "sonnet", "top_k": "50"})
    assert choices == Choices().but({"top_k": 50})
    assert notes[0] == f"Expected model in the link to be one of {', '.join(composer.offered_entries())}; got 'gpt'."
    assert "Expected beta in the link to be a number from 0 to 10; got 'eleven'." in notes
    assert "Expected beams in the link to be a whole number from 1 to 50; got 500." in notes
    assert any("sonnet" in note for note in notes) and len(notes) == 4


def test_a_very_long_prose_does_not_break_the_link():
    assert len(Choices("x" * 20_000).link()) < 8000


def test_a_line_says_what_sets_choices_apart():
    spaced = [choices.summary().replace("\u00a0", " ") for choices in (Choices(), paper())]
    assert spaced == [
        "embedded · β 5 · top-k 100 · 25 beams · pingala · 6 begin alike · equal pādas · guidance 0.5",
        "embedded · β 5 · top-k 100 · 25 beams · pingala",
    ]
    assert "β\u00a00 · whole\u00a0vocabulary" in Choices().but({"beta": 0, "top_k": 0}).summary()


def test_every_difference_of_two_choices_is_named_on_both_sides():
    ours, theirs = differences(Choices(), paper()), differences(paper(), Choices())
    assert [each.split(": ")[0] for each in ours] == [each.split(": ")[0] for each in theirs]
    differing = [name for name in NAMES if Choices().controls()[name] != paper().controls()[name]]
    assert len(ours) == len(differing) >= 2 and ours != theirs
    assert any("0.5" in each for each in ours) and any(each.endswith(": 0") for each in theirs)
    assert differences(Choices("a prose"), Choices("another", script="iast")) == []
    drawn = Choices().but({"draws": 4, "wishes": ["rhyme 1"]})
    told = " ".join(differences(drawn, Choices()))
    assert "4" in told and "wishes: rhyme 1" in told and "wishes: none" in differences(Choices(), drawn)
