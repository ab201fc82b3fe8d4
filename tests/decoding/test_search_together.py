"""Several prompts at once give what each would give alone, whatever their lengths and whichever ends first."""

import pytest
import torch

from workbench.decoding.decode import make_constraint
from workbench.decoding.search import results, search, search_together
from workbench.decoding.settings import Settings
from workbench.models import tiny
from workbench.models.scorers import BatchModelScorer, GuidedBatchScorer, ModelScorer

LENGTHS = (4, 9, 2, 6)


def prompt(length: int) -> dict[str, torch.Tensor]:
    ids = torch.tensor([[5 + (7 * length + at) % 40 for at in range(length)]])
    return {"input_ids": ids, "attention_mask": torch.ones_like(ids)}


@pytest.mark.parametrize("family", tiny.FAMILIES)
@pytest.mark.parametrize(
    "settings",
    [
        Settings(beams=4, returned=4),
        Settings(beams=3, returned=3, synchronous=True, beta=0.0, guidance=0.7, metre="āryā"),
        Settings(samples=3, temperature=0.7, seed=4),
        Settings(beams=4, returned=4, mode="free", length_penalty=0.0),
    ],
    ids=["beams", "guided āryā", "draws", "no metre"],
)
def test_together_is_each_alone(family, settings):
    model, tokenizer = tiny.FAMILIES[family]()
    constraint = make_constraint(tokenizer, settings)

    def composed(prompts):
        scorer = BatchModelScorer(model, prompts)
        if settings.guidance:
            scorer = GuidedBatchScorer(scorer, BatchModelScorer(model, [prompt(3)] * len(prompts)), settings.guidance)
        steps = list(search_together(scorer, constraint, settings, len(prompts)))
        return [results([step for at, step in steps if at == each], settings) for each in range(len(prompts))]

    prompts = [prompt(length) for length in LENGTHS]
    alone, together = [composed([each])[0] for each in prompts], composed(prompts)
    if not settings.guidance:
        by_itself = results(list(search(ModelScorer(model, prompts[0]), constraint, settings)), settings)
        assert [found.tokens for found in by_itself] == [found.tokens for found in alone[0]]
    for one, same in zip(alone, together, strict=True):
        assert one and [found.tokens for found in one] == [found.tokens for found in same]
        for left, right in zip(one, same, strict=True):
            assert left.log_probability == pytest.approx(right.log_probability, rel=1e-4)
    assert len({tuple(found[0].tokens) for found in together}) > 1, "prompts must matter here"


def test_one_prompt_without_a_mask_needs_none():
    model, tokenizer = tiny.phi3()
    settings = Settings(beams=2, returned=2)
    constraint = make_constraint(tokenizer, settings)
    bare = {"input_ids": prompt(5)["input_ids"]}
    without = results(list(search(ModelScorer(model, bare), constraint, settings)), settings)
    masked = results(list(search(ModelScorer(model, prompt(5)), constraint, settings)), settings)
    assert [found.tokens for found in without] == [found.tokens for found in masked]
