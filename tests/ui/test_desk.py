"""The desk as the page has it, by a tiny generator: locks, others, a verse taken, passages, the list, what is taken away."""

import json
from urllib.parse import parse_qsl

import gradio as gr
import pytest

from tests.training import small
from workbench import composer
from workbench.ui import composing, desk, desk_events, kept_list, passage_view, strings, wishes_panel
from workbench.ui.choices import Choices

PROSE = next(iter(small.VERSES))
CHOICES = Choices(PROSE).but({"beams": 5})

pytestmark = pytest.mark.usefixtures("registered")


@pytest.fixture
def kept():
    *_, last = composing.compose(CHOICES, "somebody")
    assert last.kept
    return last.kept


def event(**told):
    return gr.EventData(None, told)


def padas(verse):
    return [pada.text for pada in composer.placed_padas(verse.halves, composer.find_metre("anuṣṭubh"))]


def places(kept, state=desk.EMPTY, at=0):
    return kept.verse(at, "iast", state.locks, state.panel.shown("iast") if state.panel else None)["verse"]["places"]


def test_a_line_a_pāda_with_every_word_in_its_place(kept):
    shown = places(kept)
    halves = kept.verses[0].halves
    words = [word for place in shown for word in place["words"]]
    assert [(word["half"], word["word"]) for word in words] == [
        (half, at) for half in (0, 1) for at in range(len(halves[half].split()))
    ]
    assert [number for place in shown for number in place["padas"]] == [1, 2, 3, 4]
    assert [place["mark"] for place in shown if place["mark"]] == ["|", "||"]


def test_a_word_that_runs_on_joins_its_pādas():
    verse = composer.Verse.from_slp1(
        "taTA dehAntaraprAptirDIrastatra na muhyati . Darmakzetre kurukzetre samavetA yuyutsavaH"
    )
    from workbench.ui.verse import places as laid

    assert [place["padas"] for place in laid(verse, "anuṣṭubh", "iast")] == [[1, 2], [3], [4]]
    assert [place["padas"] for place in laid(composer.Verse(("rAma",)), "anuṣṭubh", "iast")] == [[]], "cannot be locked"


def test_what_is_locked_stays_and_the_rest_is_new(kept):
    state = desk.toggle(desk.toggle(desk.EMPTY, kept, 0, 1), kept, 0, 4)
    assert [place["locked"] for place in places(kept, state)] == [
        bool(set(place["padas"]) & state.locks) for place in places(kept)
    ]
    lines = desk_events.gather_wishes(kept, 0, state, *wishes_panel.EMPTY.values())
    *_, last = composing.compose(CHOICES.but({"wishes": lines}), "somebody")
    before, after = padas(kept.verses[0]), padas(last.kept.verses[0])
    assert all(after[pada - 1] == before[pada - 1] for pada in state.locks)
    assert last.kept.verse(0, "iast")["verse"]["kept"] == strings.WISHES_ALL_KEPT.format(count=len(lines))
    rest, anew = desk_events.buttons(state)
    assert rest.value == "Compose the rest" and anew.visible
    assert desk.toggle(state, kept, 0, 1).locks < state.locks, "and unlocked again"


def test_others_are_looked_at_and_one_is_taken(kept):
    state = desk.look(desk.EMPTY, kept, 0, {"action": "others", "pada": 3})
    place = next(place for place in places(kept, state) if 3 in place["padas"])
    assert place["panel"]["rows"] and place["panel"]["rows"][0]["text"]
    assert sum(bool(place["panel"]) for place in places(kept, state)) == 1
    wanted = state.panel.offers[1]
    after, taken = desk.take(state, kept, 0, 1)
    assert taken.verses[0] == wanted.verse and taken.composition["candidates"][0]["full"] and after.panel is None
    assert taken.composition["candidates"][0]["why"] == strings.TAKEN
    row = taken.table(0, "iast")["rows"][0]
    assert row["dots"] == strings.BY_HAND and row["chosen"] and len(taken.verses) == len(kept.verses) + 1
    assert desk.take(after, taken, 0, 5) == (after, taken), "nothing is open"


def test_words_instead_of_one(kept):
    state = desk.look(desk.EMPTY, kept, 0, {"action": "instead", "half": 1, "word": 0})
    assert state.panel.pada == 3 and (state.panel.offers or state.panel.sentence == strings.NO_OFFERS)
    strange = desk.look(desk.EMPTY, kept, 0, {"action": "instead", "half": 1, "word": 40})
    assert strange.panel.sentence.startswith("Expected a word of the verse; got word 41")


def test_a_wish_that_is_no_longer_kept_is_no_longer_told_of(kept):
    text = composer.write(padas(kept.verses[0])[3], "devanagari")
    *_, last = composing.compose(CHOICES.but({"wishes": [f"given 4:{text}"]}), "somebody")
    state = desk.look(desk.EMPTY, last.kept, 0, {"action": "others", "pada": 4})
    assert state.panel.offers, "the given text does not forbid others for its own place"
    _, taken = desk.take(state, last.kept, 0, 0)
    assert taken.composition["wishes"] == [] and taken.verse(0, "iast")["verse"]["kept"] == ""


def test_the_buttons_of_a_page_without_a_verse_do_nothing():
    assert desk_events.lock_or_close(None, 0, "iast", desk.EMPTY, event(action="lock", pada=1)) == (gr.skip(),) * 4
    assert desk_events.look_or_take(None, 0, "iast", desk.EMPTY, event(action="others", pada=1)) == (gr.skip(),) * 7


# --------------------------------------------------------------------------------------------------- passages


def test_a_passage_shows_each_verse_as_it_comes():
    choices = CHOICES.but({"prose": " ".join(list(small.VERSES)[:2])})
    pictures = list(passage_view.compose(choices, "sentences", "somebody"))
    last = pictures[-1]
    assert last.ended and len(last.done) == 3, "the second has two sentences"
    assert last.sentence == "3 verses." and not last.error
    assert [kept.composition["prose"] for kept in last.done] == composer.divide_prose(choices.prose)
    view = passage_view.view(last.done, 1, "iast", last.sentence)
    assert [verse["open"] for verse in view["verses"]] == [False, True, False] and view["verses"][0]["lines"]
    assert len(json.loads(kept_list.record(last.done))) == 3
    assert composing.TICKETS.find("somebody") is None


def test_a_passage_that_cannot_be_gets_a_sentence():
    (last,) = passage_view.compose(CHOICES.but({"prose": "King. " * 70}), "sentences", "somebody")
    assert last.error == "Expected at most 60 verses at once; got prose for 70."


# --------------------------------------------------------------------------------------------------- the list


@pytest.fixture
def entry(kept):
    (told,) = json.loads(kept_list.record([kept]))
    return told


def test_an_entry_comes_back_as_it_was(kept, entry):
    choices, back = kept_list.bring_back(entry)
    assert choices.prose == PROSE and choices.settings == CHOICES.settings
    assert back.verses[0] == kept.verses[0] and back.composition["candidates"][0]["full"]
    assert back.verse(0, "iast")["verse"]["places"] == kept.verse(0, "iast")["verse"]["places"]
    found = desk.look(desk.EMPTY, back, 0, {"action": "others", "pada": 1})
    assert found.panel.offers, "and can be worked on"
    assert [side["verse"]["full"] for side in kept_list.sides([entry, {**entry, "name": "mine"}])] == [True, True]


@pytest.mark.parametrize("script", ["devanagari", "iast", "telugu"])
def test_taken_away_in_any_script(entry, script):
    lines = composer.Verse.read(entry["slp1"], "slp1").lines(script, dandas=True)
    for form in ("text", "markdown", "latex", "json"):
        name, text = kept_list.export([entry], form, script)
        assert name.startswith("pingala-verses.") and all(line in text.replace(" \\\\", "") for line in lines)
    name, text = kept_list.export([{**entry, "prose": "50% of R&D_{x} \\input{a}"}], "latex", script)
    assert r"50\% of R\&D\_\{x\} \textbackslash{}input\{a\}" in text
    assert json.loads(kept_list.export([entry], "json", script)[1])[0]["script"] == script


@pytest.mark.parametrize(
    "bad", [None, [], "x", {"prose": 5}, {"prose": "x", "slp1": "a" * 3000}, {"prose": "x", "slp1": "!", "link": ""}]
)
def test_what_cannot_be_read_gets_a_sentence(bad):
    with pytest.raises(composer.Refusal, match="Expected "):
        kept_list.bring_back(bad)
    assert desk_events.come_back("devanagari", event(entry=bad))[0] is None
    sides, file = desk_events.compare_or_take_away("iast", event(action="export", form="text", entries=[bad]))
    assert sides[0]["error"].startswith("Expected ") and file == ""


# ------------------------------------------------------------------------------------------------------ wishes


LINES = ["given 4:पार्वतीपरमेश्वरौ", "word 2:रामः", "akshara 1.3:क", "without र्", "rhyme 2", "begins क", "word सीता"]


def test_fields_and_lines_are_the_same_wishes():
    fields = wishes_panel.to_fields(LINES)
    assert sorted(wishes_panel.to_lines(fields)) == sorted(LINES)
    assert wishes_panel.to_lines(wishes_panel.to_fields([])) == []
    link = Choices(PROSE).but({"wishes": LINES[:3]}).link()
    assert dict(parse_qsl(link))["wishes"].splitlines() == LINES[:3]


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (["given 4:" + "rāma" * 2500], "Expected at most 400 characters in a wish; got 10,002."),
        (["word rāma राम"], "Expected one script in one text"),
        (["word 2: "], "got no text"),
        (["word <b>rāma</b>"], "Expected Sanskrit in a wish; got “<”"),
        (["word rāmaḥ"] * 40, "Expected at most 12 wishes at once; got 40."),
        (["given 4:pārvatīparameśvarāya"], "pāda 4: the given text has 9 syllables; it must have 8."),
        (["word रामः", "without r"], "got two that exclude each other"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_wish_that_cannot_be_gets_a_sentence_as_it_is_typed(lines, sentence):
    told = wishes_panel.check(lines, "anuṣṭubh")
    said = [told["refused"], *(each["sentence"] for each in told["told"] if each["bad"])]
    assert any(sentence in each for each in said) and not told["possible"]


def test_a_wish_that_can_be_is_said_in_plain_words():
    told = wishes_panel.check(["word 2:रामः", "without ङ्"], "anuṣṭubh")
    assert [each["sentence"] for each in told["told"]] == [
        "Pāda 2 has the word rāmaḥ, by itself.", "The verse does without the sounds ṅ.",
    ]  # fmt: skip
    assert told["possible"] == "Every verse in anuṣṭubh will keep this." and not told["refused"]


def test_a_link_without_wishes_leaves_what_is_being_typed():
    assert wishes_panel.wishes_of_link([], "anuṣṭubh") == [gr.skip()] * (len(wishes_panel.FIELDS) + 2)
    shown = wishes_panel.wishes_of_link(["without ra"], "anuṣṭubh")
    assert shown[wishes_panel.FIELDS.index("without")] == "ra" and shown[-1].label == strings.WISHES_COUNT.format(
        count=1
    )
