"""The search: streamed step by step, cancelled between steps, never stranded, and what else it can be told."""

from collections import Counter

import pytest
import torch

from tests.decoding.scripted import ScriptedScorer, ids, letter_tokenizer
from tests.verses import VERSES
from workbench.decoding.constraint import FINISHED, Constraint
from workbench.decoding.decode import make_constraint
from workbench.decoding.scorer import BatchOfOne
from workbench.decoding.search import results, search, search_together
from workbench.decoding.settings import HOUSE, PAPER, PRESETS, Settings
from workbench.decoding.vocabulary import vocabulary
from workbench.models.scorers import BatchModelScorer, GuidedBatchScorer, ModelScorer
from workbench.models.tiny import FAMILIES, m2m100, prompt
from workbench.verification.noise import run

TOKENIZER = letter_tokenizer()
WORDS = vocabulary(TOKENIZER)
GITA = VERSES["anuṣṭubh"][1]


def scripted(text: str = GITA, **options) -> ScriptedScorer:
    return ScriptedScorer(len(TOKENIZER), ids(TOKENIZER, text), **options)


def compose(settings: Settings, scorer=None, tokenizer=TOKENIZER):
    constraint = make_constraint(tokenizer, settings)  # fmt: skip
    steps = list(search(scorer or scripted(), constraint, settings))
    return steps, results(steps, settings)


def test_each_step_shows_its_beams_and_milestones():
    steps, found = compose(Settings(beams=4, returned=4, beta=5.0, no_repeat_ngram=0))
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    assert all(len(step.beams) <= 4 and len(step.parents) == len(step.beams) for step in steps)
    for before, step in zip(steps, steps[1:], strict=False):
        for beam, parent in zip(step.beams, step.parents, strict=True):
            assert beam.tokens[:-1] == before.beams[parent].tokens
    best = next(hypothesis for hypothesis in found if WORDS.text(hypothesis.tokens) == GITA)
    assert [milestone.pada for milestone in best.milestones] == [1, 2, 3, 4]
    assert best.added == 20.0
    assert best.score == pytest.approx(best.log_probability + best.added, abs=1e-3)
    # The eighth vowel of the verse is the e of the second kṣetre.
    assert best.milestones[0].step == GITA.index("kurukzetre") + len("kurukzetre")


def test_it_stops_between_steps_when_its_reader_does():
    scorer = scripted()
    steps = search(scorer, Constraint(TOKENIZER), Settings(beams=3, returned=3))
    for _ in range(4):
        next(steps)
    length = len(scorer.prefixes[0])
    steps.close()
    assert length == 3  # four steps were asked for, three tokens read, and none since
    with pytest.raises(StopIteration):
        next(steps)


def test_a_ban_on_repetition_never_strands_a_beam():
    """A vocabulary of two syllables must repeat itself; with the ban in force it still ends in a verse."""
    names = letter_tokenizer().get_vocab()
    scorer = ScriptedScorer(len(names), ids(TOKENIZER, "kA" * 40))
    for size in (1, 2, 3):
        _, found = compose(Settings(beams=3, returned=3, no_repeat_ngram=size), scorer)
        assert found and all(hypothesis.state == FINISHED for hypothesis in found)
    free = compose(Settings(beams=1, returned=1, no_repeat_ngram=0, beta=0.0), scripted("kAkakAkA" * 20))[1][0]
    banned = compose(Settings(beams=1, returned=1, no_repeat_ngram=3, beta=0.0), scripted("kAkakAkA" * 20))[1][0]
    grams = [free.tokens[at : at + 3] for at in range(len(free.tokens) - 2)]
    assert len(set(grams)) < len(grams)
    grams = [banned.tokens[at : at + 3] for at in range(len(banned.tokens) - 2)]
    assert len(set(grams)) == len(grams)


AGES = "paritrARAya sADUnAM vinASAya ca duzkftAm . DarmasaMsTApanArTAya samBavAmi "  # Bhagavadgītā 4.8


@pytest.mark.parametrize("kind", [{"beams": 3, "returned": 3}, {"samples": 1, "temperature": 0.1}])
def test_a_word_that_was_there_costs_what_it_is_told_to(kind):
    tokenizer = letter_tokenizer(more=["yuge", "▁yuge", "▁yugezu"])
    size, (first, again) = len(tokenizer), tokenizer.convert_tokens_to_ids(["yuge", "▁yuge"])
    wanted = [*ids(tokenizer, AGES), first, again, *ids(tokenizer, " ..")]
    found = {}
    for cost in (0.0, 1.0, 10.0):
        settings = Settings(**kind, beta=0.25, no_repeat_ngram=0, repetition=cost)
        found[cost] = compose(settings, ScriptedScorer(size, wanted, others=-1.5), tokenizer)[1][0]
    assert list(found[0.0].tokens[: len(wanted)]) == list(found[1.0].tokens[: len(wanted)]) == wanted
    assert found[0.0].score == pytest.approx(found[0.0].log_probability + 1, abs=1e-3)
    assert found[1.0].score == pytest.approx(found[1.0].log_probability + 1 - 1, abs=1e-3)
    assert again not in found[10.0].tokens and found[10.0].state == FINISHED, "put off, and the verse still ends"


def test_verses_that_may_not_begin_alike_begin_differently():
    model, tokenizer = m2m100()

    def beginnings(settings):
        steps, found = compose(settings, ModelScorer(model, prompt()), tokenizer)
        most = [max(Counter(beam.beginning for beam in step.beams if beam.beginning).values(), default=0)
                for step in steps]  # fmt: skip
        assert len(found) == 12 and all(verse.state == FINISHED for verse in found)
        return max(most), len({verse.beginning for verse in found})

    for settings in (Settings(beams=12, returned=12), HOUSE.but(beams=12, returned=12, guidance=0.0, alike=0)):
        most, different = beginnings(settings.but(alike=3))
        assert most == 3 and different >= 4
        most, fewer = beginnings(settings)
        assert most > 3 and fewer < different


def test_samples_are_full_and_the_seed_decides():
    model, tokenizer = m2m100()
    settings = Settings(samples=6, temperature=0.8, seed=7)
    first, again = (compose(settings, ModelScorer(model, prompt()), tokenizer)[1] for _ in range(2))
    assert [hypothesis.tokens for hypothesis in first] == [hypothesis.tokens for hypothesis in again]
    other = compose(settings.but(seed=8), ModelScorer(model, prompt()), tokenizer)[1]
    assert [hypothesis.tokens for hypothesis in other] != [hypothesis.tokens for hypothesis in first]
    assert len({hypothesis.tokens for hypothesis in first}) == 6


def test_diverse_beams_differ_more():
    model, tokenizer = m2m100()

    def openings(settings):
        return {beam.tokens[:3] for beam in compose(settings, ModelScorer(model, prompt()), tokenizer)[1]}

    plain = Settings(beams=6, returned=6)
    assert len(openings(plain.but(groups=6, diversity=20.0))) > len(openings(plain))


def test_synchronous_beams_share_places_among_pada_counts():
    model, tokenizer = m2m100()

    def spread(settings):
        steps, _ = compose(settings, ModelScorer(model, prompt()), tokenizer)
        constraint = Constraint(tokenizer)
        return sum(len({int(constraint.padas[beam.state]) for beam in step.beams}) for step in steps) / len(steps)

    settings = Settings(beams=8, returned=8, beta=5.0)
    assert spread(settings.but(synchronous=True)) > spread(settings)


def test_guidance_takes_off_what_the_model_says_without_the_source():
    with_source, without = scripted(GITA, others=-5.0), scripted("A" * 50, liked=-0.5, others=-5.0)
    first = GuidedBatchScorer(BatchOfOne(with_source), BatchOfOne(without), 1.0).start()[0]
    expected = torch.log_softmax(2 * with_source.start()[0] - without.start()[0], dim=-1)
    assert torch.allclose(first, expected)
    model, tokenizer = m2m100()
    empty = {"input_ids": torch.tensor([[2]]), "attention_mask": torch.tensor([[1]])}
    guided = GuidedBatchScorer(BatchModelScorer(model, [prompt()]), BatchModelScorer(model, [empty]), 0.5)
    settings = Settings(beams=3, returned=3)
    steps = [step for _, step in search_together(guided, make_constraint(tokenizer, settings), settings, 1)]
    assert len(results(steps, settings)) == 3


def test_the_presets():
    assert PRESETS == {"paper": PAPER, "house": HOUSE}
    assert (PAPER.beams, PAPER.returned, PAPER.beta, PAPER.top_k) == (25, 25, 5.0, 100)
    assert (PAPER.length_penalty, PAPER.no_repeat_ngram, PAPER.mode) == (1.0, 3, "pingala")
    assert (HOUSE.beta, HOUSE.top_k, HOUSE.beams) == (PAPER.beta, PAPER.top_k, PAPER.beams)
    assert (HOUSE.length_penalty, HOUSE.guidance, HOUSE.synchronous) == (0.0, 0.5, True)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("script", ["slp1", "devanagari"])
@pytest.mark.parametrize("metre", ["anuṣṭubh", "vasantatilakā", "āryā"])
@pytest.mark.parametrize(("beams", "beta"), [(1, 0.0), (5, 5.0), (25, 10.0)])
def test_noise_in_metre_out(family, script, metre, beams, beta):
    """A part of `python -m workbench verify noise`, which goes through all 324 settings."""
    outcome = run(family, Settings(metre=metre, script=script, beams=beams, returned=beams, beta=beta), number=1)
    assert (outcome.returned, outcome.full, outcome.wrong) == (beams, beams, ())


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(
    "settings",
    [
        HOUSE.but(beams=6, returned=6),
        Settings(samples=5, temperature=1.5, top_k=None),
        Settings(beams=6, returned=6, groups=3, yati="require"),
        Settings(beams=6, returned=6, yati="prefer", mode="cd", metre="śārdūlavikrīḍita"),
        Settings(beams=6, returned=6, max_cluster=1, no_repeat_ngram=1, metre="udgatā"),
    ],
    ids=["house", "hot samples", "diverse, yati", "cd, prefer yati", "no conjuncts, no letter twice"],
)
def test_noise_in_metre_out_whatever_is_asked(family, settings):
    for script in ("slp1", "devanagari"):
        outcome = run(family, settings.but(script=script))
        assert outcome.returned == outcome.full > 0, outcome.wrong
