"""Wishes at every door: Python, command line, API and link; in the signature, and nowhere where there are none."""

import json

import gradio as gr
import pytest

from tests.training import small
from workbench import composer
from workbench.__main__ import main
from workbench.prosody.wishes import Given, Without
from workbench.ui.choices import Choices, from_link
from workbench.ui.composing import compose_api
from workbench.ui.templates import template
from workbench.ui.verse import chosen_verse

PROSE = next(iter(small.VERSES))
QUICK = composer.HOUSE.but(beams=3, returned=3)
LINES = ["given 4:पार्वतीपरमेश्वरौ", "without 1:छ् =ति"]


def composed(**asked):
    composing = composer.compose(PROSE, QUICK, watch=False, **asked)
    for _ in composing:
        pass
    return composing.composition


@pytest.mark.parametrize("wishes", [LINES, [Given("pArvatIparameSvarO", "4"), Without("C", ("ti",), 1)]])
def test_in_python(wishes):
    composition = composed(wishes=wishes)
    assert composition.candidates and all(candidate.full for candidate in composition.candidates)
    assert all(wish.kept(candidate.verse) for wish in composition.wishes for candidate in composition.candidates)
    assert f" | wishes={'; '.join(LINES)} | " in composition.signature
    told = composition.as_json("iast")["wishes"]
    assert [wish["line"] for wish in told] == LINES
    assert told[0]["sentence"] == "Pāda 4 is pārvatīparameśvarau."


def test_the_page_says_which_are_kept():
    composition = composed(wishes=LINES)
    made = composition.as_json("slp1")
    card = chosen_verse(made, [candidate.verse for candidate in composition.candidates], 0, "iast")["verse"]
    assert card["wishes"] == [wish["sentence"] for wish in made["wishes"]] and len(card["wishes"]) == 2
    assert "{{#each wishes}}" in template("verse")
    plain = composed()
    card = chosen_verse(plain.as_json("slp1"), [candidate.verse for candidate in plain.candidates], 0, "iast")["verse"]
    assert card["wishes"] == []


def test_several_proses_together_and_none_at_all():
    two = composer.compose_together([PROSE, PROSE], QUICK, wishes=LINES)
    assert all(wish.kept(made.chosen.verse) for made in two for wish in made.wishes)
    plain = composed()
    assert "wishes" not in plain.signature and "wishes" not in plain.as_json()
    assert plain.signature == composed(wishes=[]).signature


def test_on_the_command_line(capsys):
    flags = ["--given", "4:pārvatīparameśvarau", "--without", "1:ch =ti", "--beams", "3", "--json"]
    assert main(["compose", PROSE, *flags]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [wish["line"] for wish in found["wishes"]] == LINES
    assert all(one["slp1"].endswith(" pArvatIparameSvarO ..") and one["full"] for one in found["candidates"])


REFUSED = [
    (["--given", "4:pārvatīparameśvarāya"], "pāda 4: the given text has 9 syllables; it must have 8."),
    (["--word", "रामः", "--without", "r"], "got two that exclude each other: “The verse has the word rāmaḥ"),
    (["--akshara", "1:ka"], "Expected akshara PADA.SYLLABLE:AKSHARA, such as 1.3:ka; got '1:ka'."),
    (["--given", "1:" + "rāma" * 2500], "Expected at most 400 characters in a wish; got 10,002."),
    (["--given", "1:rāma राम"], "Expected one script in one text"),
    (["--given", "1:"], "Expected given PLACE:TEXT; got no text."),
    (["--word", "<b>rāma</b>"], "Expected Sanskrit in a wish; got “<”"),
    ([flag for _ in range(40) for flag in ("--word", "rāmaḥ")], "Expected at most 12 wishes at once; got 40."),
    (["--word", "rāmaḥ", "--mode", "free"], "Expected mode pingala or cd for wishes; got free."),
]


@pytest.mark.parametrize(("flags", "sentence"), REFUSED, ids=lambda value: str(value)[:30])
def test_refused_with_a_sentence(flags, sentence, capsys):
    assert main(["compose", PROSE, *flags]) == 2
    assert sentence in capsys.readouterr().err


def test_for_programs_over_the_network():
    made = compose_api(prose=PROSE, beams=3, wishes=LINES, script="slp1")
    assert [wish["line"] for wish in made["wishes"]] == LINES
    assert made["verse"].endswith(" pArvatIparameSvarO ..")
    with pytest.raises(gr.Error) as refusal:
        compose_api(prose=PROSE, beams=3, wishes=["given 4:pārvatīparameśvarāya"])
    assert "the given text has 9 syllables" in refusal.value.message


def test_a_link_that_was_edited_by_hand_gets_a_note():
    choices, notes = from_link({"wishes": "given 9:rāma"})
    assert choices == Choices() and notes[0].startswith("Expected a place among")
