"""PingalaLogitsProcessor in transformers' own generate(), every way of it."""

import pytest
import torch

from tests.decoding.scripted import ScriptedScorer, ids, letter_tokenizer
from workbench.decoding.constraint import Constraint
from workbench.decoding.processor import PingalaLogitsProcessor
from workbench.decoding.search import results, search
from workbench.decoding.selection import read_written
from workbench.decoding.settings import Settings
from workbench.decoding.vocabulary import vocabulary
from workbench.models.scorers import ModelScorer
from workbench.models.tiny import FAMILIES, prompt
from workbench.prosody.metres import find


def generate(family, processor, **options):
    """The verses that generate() returns, without the prompt."""
    model, tokenizer = FAMILIES[family]()
    inputs = options.pop("inputs", prompt())
    output = model.generate(
        **inputs, logits_processor=[processor], max_new_tokens=options.pop("max_new_tokens", 220), pad_token_id=0,
        eos_token_id=2, **options,
    )  # fmt: skip
    skipped = 1 if model.config.is_encoder_decoder else inputs["input_ids"].shape[1]
    words = vocabulary(tokenizer)
    return [words.text(row[skipped:].tolist()) for row in output]


def all_full(texts, metre, script):
    verdicts = [read_written(text, find(metre), script).verdict for text in texts]
    return all(v and v.full and not v.licences and v.skrutable.perfect(find(metre)) for v in verdicts)


WAYS = {
    "beam search": {"num_beams": 5, "num_return_sequences": 5, "do_sample": False},
    "beam sampling": {"num_beams": 4, "num_return_sequences": 4, "do_sample": True},
    "greedy": {"num_beams": 1, "do_sample": False},
    "sampling": {"num_beams": 1, "do_sample": True, "num_return_sequences": 4, "temperature": 0.7},
    "with bans on repetition": {"num_beams": 5, "num_return_sequences": 5, "do_sample": False, "no_repeat_ngram_size": 2,
                                "repetition_penalty": 1.3},
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("script", ["slp1", "devanagari"])
@pytest.mark.parametrize("family", FAMILIES)
def test_every_way_of_generating(family, script, way):
    torch.manual_seed(5)
    _, tokenizer = FAMILIES[family]()
    texts = generate(family, PingalaLogitsProcessor(tokenizer, script=script), **WAYS[way])
    assert len(texts) == WAYS[way].get("num_return_sequences", 1)
    assert all_full(texts, "anuṣṭubh", script), texts


@pytest.mark.parametrize("family", FAMILIES)
def test_batches_of_prompts_and_a_processor_used_again(family):
    _, tokenizer = FAMILIES[family]()
    processor = PingalaLogitsProcessor(tokenizer, metre="vasantatilakā")
    batch = {name: torch.cat([prompt(at)[name] for at in range(3)]) for name in prompt()}
    together = generate(family, processor, inputs=batch, num_beams=3, do_sample=False)
    assert len(together) == 3
    assert all_full(together, "vasantatilakā", "slp1")
    # One after the other, with the same processor: what stands in input_ids at the first call is prompt.
    alone = [generate(family, processor, inputs=prompt(at), num_beams=3, do_sample=False)[0] for at in range(3)]
    assert alone == together


@pytest.mark.parametrize("family", FAMILIES)
def test_a_limit_is_kept_and_the_verse_finished(family):
    _, tokenizer = FAMILIES[family]()
    for limit in (40, 60):
        processor = PingalaLogitsProcessor(tokenizer, max_new_tokens=limit)
        texts = generate(family, processor, max_new_tokens=limit, num_beams=3, num_return_sequences=3, do_sample=False)
        assert all_full(texts, "anuṣṭubh", "slp1")


@pytest.mark.parametrize(("beta", "top_k", "length_penalty"), [(5.0, 100, 1.0), (0.0, None, 0.0), (1.0, 20, 0.5)])
@pytest.mark.parametrize("beams", [2, 5, 25])
@pytest.mark.parametrize("family", FAMILIES)
def test_our_search_is_transformers_beam_search(family, beams, beta, top_k, length_penalty):
    model, tokenizer = FAMILIES[family]()
    settings = Settings(beams=beams, returned=beams, beta=beta, top_k=top_k, length_penalty=length_penalty,
                        no_repeat_ngram=0)  # fmt: skip
    constraint = Constraint(tokenizer, Settings(beta=beta, top_k=top_k))
    ours = results(list(search(ModelScorer(model, prompt()), constraint, settings)), settings)
    output = model.generate(
        **prompt(), logits_processor=[PingalaLogitsProcessor(tokenizer, beta=beta, top_k=top_k)], num_beams=beams,
        num_return_sequences=beams, max_new_tokens=220, length_penalty=length_penalty, do_sample=False,
        return_dict_in_generate=True, output_scores=True, eos_token_id=2, pad_token_id=0,
    )  # fmt: skip
    skipped = 1 if model.config.is_encoder_decoder else prompt()["input_ids"].shape[1]
    theirs = [row[skipped:].tolist() for row in output.sequences]
    theirs = [tuple(row[: row.index(2) + 1]) for row in theirs]
    assert [hypothesis.tokens for hypothesis in ours] == theirs
    scores = [hypothesis.final_score(length_penalty) for hypothesis in ours]
    assert scores == pytest.approx(output.sequences_scores.tolist(), abs=1e-3)


def test_the_prompt_is_not_verse():
    """A prompt that is itself a verse, or half of one, changes nothing."""
    tokenizer = letter_tokenizer()
    processor = PingalaLogitsProcessor(tokenizer)
    scores = torch.zeros((2, len(tokenizer)))
    for text in ("Darmakzetre kurukzetre samavetA yuyutsavaH. ", "hello?"):
        row = processor(torch.tensor([ids(tokenizer, text)] * 2), scores)
        assert not torch.isfinite(row[0, 0])
        assert torch.equal(
            torch.isfinite(row[0]),
            torch.isfinite(processor.constraint.process([processor.constraint.start], scores[:1])[0]),
        )


def test_state_belongs_to_the_tokens_not_to_the_row():
    tokenizer = letter_tokenizer()
    processor = PingalaLogitsProcessor(tokenizer, top_k=None)
    scores = torch.zeros((2, len(tokenizer)))
    one, other = ids(tokenizer, "Da"), ids(tokenizer, "ka")
    processor(torch.tensor([[1], [1]]), scores)
    processor(torch.tensor([[1, one[0]], [1, other[0]]]), scores)
    straight = processor(torch.tensor([[1, *one], [1, *other]]), scores)
    processor = PingalaLogitsProcessor(tokenizer, top_k=None)
    processor(torch.tensor([[1], [1]]), scores)
    processor(torch.tensor([[1, one[0]], [1, other[0]]]), scores)
    crossed = processor(torch.tensor([[1, *other], [1, *one]]), scores)
    assert torch.equal(straight[0], crossed[1]) and torch.equal(straight[1], crossed[0])


def test_the_scripted_model_gets_the_verse_it_wants():
    tokenizer = letter_tokenizer()
    gita = "Darmakzetre kurukzetre samavetA yuyutsavaH. mAmakAH pARqavAScEva kimakurvata saYjaya.."
    settings = Settings(beams=3, returned=3, beta=0.0, no_repeat_ngram=0)
    found = results(
        list(
            search(
                ScriptedScorer(len(tokenizer), ids(tokenizer, gita)),
                Constraint(tokenizer, Settings(beta=0.0)),
                settings,
            )
        ),
        settings,
    )
    assert vocabulary(tokenizer).text(found[0].tokens) == gita
