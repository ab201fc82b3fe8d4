"""The one call: events while it works, candidates and trace when it has, and the paper's mode through the same door."""

import jsonschema
import pytest

from tests.decoding.scripted import ScriptedScorer, ids, letter_tokenizer
from tests.verses import VERSES
from workbench.decoding.constraint import Constraint
from workbench.decoding.decode import decode, make_constraint
from workbench.decoding.document import SCHEMA
from workbench.decoding.paper import PaperConstraint
from workbench.decoding.settings import Settings
from workbench.models.scorers import ModelScorer
from workbench.models.tiny import FAMILIES, prompt

TOKENIZER = letter_tokenizer()
GITA = VERSES["anuṣṭubh"][1]


def scripted(text: str) -> ScriptedScorer:
    return ScriptedScorer(len(TOKENIZER), ids(TOKENIZER, text))


def test_events_then_candidates_then_the_trace():
    decoding = decode(scripted(GITA), TOKENIZER, Settings(beams=3, returned=3, no_repeat_ngram=0))
    events = list(decoding)
    assert events[0]["number"] == 1 and events[-1]["finished"]
    assert decoding.candidates[0].full
    assert GITA in {candidate.text for candidate in decoding.candidates}
    jsonschema.validate(decoding.document, SCHEMA)
    assert decoding.document["settings"]["beams"] == 3


def test_cancelled_it_stops_and_keeps_what_it_has():
    decoding = decode(scripted(GITA), TOKENIZER, Settings(beams=2, returned=2))
    for event in decoding:
        if event["number"] == 5:
            decoding.cancel()
    assert len(decoding.document["steps"]) == 5
    assert decoding.candidates == []


@pytest.mark.parametrize("family", FAMILIES)
def test_the_papers_mode_goes_through_the_same_door(family):
    model, tokenizer = FAMILIES[family]()
    settings = Settings(mode="paper", beams=2, returned=2)
    assert isinstance(make_constraint(tokenizer, settings), PaperConstraint)
    decoding = decode(ModelScorer(model, prompt()), tokenizer, settings)
    steps = list(decoding)
    jsonschema.validate(decoding.document, SCHEMA)
    exact = decode(ModelScorer(model, prompt()), tokenizer, settings.but(mode="pingala"))
    assert len(list(exact)) and sum(candidate.copies for candidate in exact.candidates) == 2
    assert all(candidate.full for candidate in exact.candidates)
    # What it loses is in test_paper.py; here, that its beams can be watched and ranked like any other.
    assert len(steps) > 5 and steps[3]["beams"][0]["weights"]


def test_the_paper_cuts_what_comes_after_the_last_vowel():
    """The scripted model wants …sañjayam; the paper's steps end it at sañjaya, ours let it finish."""
    pieces = "Darma|kzetre▁|kuru|kzetre▁|sama|vetA▁|yuyut|savaH|.|▁mAma|kAH▁|pARqa|vAScE|va▁|kima|kur|vata▁|saY|jaya|m"
    tokenizer = letter_tokenizer(more=pieces.split("|"))
    script = [tokenizer.convert_tokens_to_ids(piece) for piece in pieces.split("|")]
    wanted = pieces.replace("|", "").replace("▁", " ")
    settings = Settings(beams=1, returned=1, no_repeat_ngram=0, beta=0.0)
    written = {}
    for mode in ("paper", "pingala"):
        decoding = decode(ScriptedScorer(len(tokenizer), script), tokenizer, settings.but(mode=mode))
        list(decoding)
        written[mode] = decoding.candidates[0].text
    assert written == {"paper": wanted[:-1], "pingala": wanted}


def test_the_exact_constraint_is_not_the_papers():
    assert isinstance(make_constraint(TOKENIZER, Settings(mode="cd")), Constraint)
    with pytest.raises(ValueError, match="Expected mode pingala or cd for the exact constraint; got 'paper'"):
        Constraint(TOKENIZER, Settings(mode="paper"))
