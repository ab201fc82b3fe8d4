"""The trace: one JSON document that a viewer needs no model for."""

import json

import jsonschema
import pytest

from tests.decoding.scripted import ScriptedScorer, ids, letter_tokenizer
from tests.verses import VERSES
from workbench.decoding.constraint import BREAKS_METRE, NOT_SANSKRIT, OVERRUNS, TOO_EARLY, Constraint
from workbench.decoding.decode import make_constraint
from workbench.decoding.document import SCHEMA
from workbench.decoding.search import search
from workbench.decoding.settings import Settings
from workbench.decoding.trace import Tracer
from workbench.models.scorers import ModelScorer
from workbench.models.tiny import FAMILIES, prompt

TOKENIZER = letter_tokenizer(more=["!", "kAlaH"])
GITA = VERSES["anuṣṭubh"][1]


def traced(settings: Settings, scorer, tokenizer):
    constraint = make_constraint(tokenizer, settings)
    tracer = Tracer(constraint, settings)
    for step in search(scorer, constraint, settings, watch=True):
        jsonschema.validate(tracer.event(step), SCHEMA["properties"]["steps"]["items"])
    document = json.loads(json.dumps(tracer.document()))
    jsonschema.validate(document, SCHEMA)
    return document


@pytest.fixture(scope="module")
def document():
    scorer = ScriptedScorer(len(TOKENIZER), ids(TOKENIZER, GITA))
    return traced(Settings(beams=3, returned=3, top_k=20, no_repeat_ngram=0), scorer, TOKENIZER)


def test_text_pattern_and_pādas_grow_step_by_step(document):
    step = document["steps"][len("Darmakzetre kurukzetre") - 1]
    beam = next(beam for beam in step["beams"] if beam["text"] == "Darmakzetre kurukzetre")
    assert (beam["weights"], beam["padas"], beam["open"], beam["wanted"]) == ("gggglggg", 1, False, "gl")
    assert beam["milestones"] == [{"pada": 1, "step": step["number"], "score": pytest.approx(beam["score"])}]
    assert beam["added"] == 5.0
    last = document["steps"][-1]["finished"] + [end for step in document["steps"] for end in step["finished"]]
    assert GITA in {end["text"] for end in last}
    assert {end["padas"] for end in last} == {4}


def test_every_beam_has_its_parent_and_dropped_ones_their_reason(document):
    known = set()
    for step in document["steps"]:
        parents = {beam["parent"] for beam in step["beams"]}
        assert parents <= known | {None}
        assert {dropped["id"] for dropped in step["dropped"]} <= known
        assert not parents & {dropped["id"] for dropped in step["dropped"]}
        known = {beam["id"] for beam in step["beams"]}


def test_what_was_masked_and_why(document):
    for step in document["steps"]:
        looked = step["looked"]
        assert looked["masked"] == sum(looked["reasons"].values()) <= looked["tokens"]
    reasons = set().union(*(step["looked"]["reasons"] for step in document["steps"]))
    assert reasons <= {BREAKS_METRE, OVERRUNS, NOT_SANSKRIT, TOO_EARLY}


def test_reasons_one_by_one():
    constraint = Constraint(TOKENIZER)
    state = constraint.lexicon.automaton.read(b"Darmakzetre kurukzetre samavetA yu")
    token = TOKENIZER.convert_tokens_to_ids
    assert constraint.reason(state, token("M")) == BREAKS_METRE
    assert constraint.reason(state, token("!")) == NOT_SANSKRIT
    assert constraint.reason(state, token("<unk>")) == NOT_SANSKRIT
    assert constraint.reason(state, token("</s>")) == TOO_EARLY
    end = constraint.lexicon.automaton.read(GITA[:-2].encode())
    assert constraint.reason(end, token("kAlaH")) == OVERRUNS


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("script", ["slp1", "devanagari"])
def test_a_trace_of_every_family_is_valid(family, script):
    model, tokenizer = FAMILIES[family]()
    document = traced(Settings(beams=3, returned=3, script=script), ModelScorer(model, prompt()), tokenizer)
    assert len(document["steps"]) > 5
    best = document["steps"][2]["looked"]["best_refused"]
    assert best and best["reason"]
