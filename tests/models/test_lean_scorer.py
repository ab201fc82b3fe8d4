"""The embedded generator's own scorer says what transformers' forward says, whatever rows a search goes on with."""

import random

import pytest
import torch

from workbench.decoding.scorer import ScoreRequest
from workbench.models import loading
from workbench.models.generator import Generator
from workbench.models.lean_scorer import LeanScorer

PROSES = ["On the field of duty what did my sons do?", "Stand up.", "As in this body childhood, youth and old age come"]


@pytest.mark.parametrize("guidance", [0.0, 0.7])
@pytest.mark.parametrize("proses", [PROSES[:1], PROSES])
@pytest.mark.parametrize("given", [(), (7, 120, 31, 8)])
def test_it_says_what_transformers_says(proses, guidance, given, monkeypatch):
    writer, chance = loading.loaded_generator("embedded"), random.Random(7)
    prompts = [writer.read(prose, "upajāti") for prose in proses]
    lean = writer.scorer(prompts, guidance, "upajāti", given)
    monkeypatch.setattr(type(writer), "_scorer", Generator._scorer)
    usual = writer.scorer(prompts, guidance, "upajāti", given)
    assert isinstance(lean, LeanScorer) and not isinstance(usual, LeanScorer)
    for one, other in zip(lean.start(), usual.start(), strict=True):
        assert torch.allclose(one, other, atol=1e-4)
    rows = dict.fromkeys(range(len(proses)), 1)
    for step in range(40):  # past the room that a cache begins with
        if step in (5, 9) and len(rows) > 1:
            rows.pop(next(iter(rows)))  # a search has ended
        number = {prompt: chance.choice([4, 4, 3, 5]) for prompt in rows}
        asks = {
            prompt: ScoreRequest(
                [chance.randrange(rows[prompt]) for _ in range(number[prompt])],
                [chance.randrange(5, len(writer.tokenizer)) for _ in range(number[prompt])],
            )
            for prompt in rows
        }
        one, other = lean.advance(asks), usual.advance(asks)
        assert one.keys() == other.keys() == rows.keys()
        for prompt in rows:
            assert torch.allclose(one[prompt], other[prompt], atol=1e-4), (step, prompt)
        rows = number


def test_it_can_be_started_again():
    writer = loading.loaded_generator("embedded")
    scorer = writer.scorer([writer.read(PROSES[0])])
    first = scorer.start()[0]
    scorer.advance({0: ScoreRequest([0, 0], [7, 8])})
    assert torch.equal(scorer.start()[0], first)
