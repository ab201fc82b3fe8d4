"""The paper's own steps, and what they lose where the design says they must."""

import pytest
import torch

from tests.decoding.scripted import ids, letter_tokenizer
from workbench.decoding.constraint import Constraint
from workbench.decoding.paper import PaperConstraint
from workbench.decoding.processor import PingalaLogitsProcessor
from workbench.decoding.settings import Settings

TOKENIZER = letter_tokenizer(more=["▁tre"])
# 32 syllables, the last one closed by m: kimakurvata sañjayam.
FIRST = "Darmakzetre kurukzetre samavetA yuyutsavaH. mAmakAH pARqavAScEva kimakurvata saYjaya"


def follow(processor: PingalaLogitsProcessor, text: str) -> torch.Tensor:
    """The processed row after a prompt of one token and a text, letter by letter."""
    scores = torch.zeros((1, len(TOKENIZER)))
    tokens = [1]
    row = processor(torch.tensor([tokens]), scores)
    for token in ids(TOKENIZER, text):
        tokens.append(token)
        row = processor(torch.tensor([tokens]), scores)
    return row[0]


def test_the_final_consonant_is_cut_off():
    """At the 32nd vowel the paper forces the end; the exact automaton lets sañjayam, sañjayaḥ and the daṇḍas come."""
    paper = follow(PingalaLogitsProcessor(TOKENIZER, mode="paper"), FIRST)
    exact = follow(PingalaLogitsProcessor(TOKENIZER), FIRST)
    for letter in "mH.":
        (token,) = ids(TOKENIZER, letter)
        assert not torch.isfinite(paper[token])
        assert torch.isfinite(exact[token])
    assert paper.argmax() == 0 and float(paper[0]) == 100.0
    assert torch.isfinite(exact[0])


def test_a_beam_is_stranded():
    """Scanned as if it ended there, `yu` is light and passes; the y that follows would make it heavy, and so would every
    other conjunct, so a word like yudDa is begun and cannot be gone on with: not in 500 tokens, and not at all."""
    start = "Darmakzetre kurukzetre samavetA yud"
    paper = PaperConstraint(TOKENIZER)
    # A consonant at the end closes the syllable when the text is scanned as it stands: yud is heavy, the fifth of an
    # even pāda must be light, and the paper drops a beginning that yudAraH would make right.
    assert paper.scan(start[:-1].encode()).valid
    assert not paper.scan(start.encode()).valid
    exact = Constraint(TOKENIZER)
    assert exact.lexicon.automaton.read(start.encode()) != 0
    # A model whose best 500 tokens are all such leaves a row with nothing in it.
    conjuncts = letter_tokenizer(more=[f"{a}{b}{c}" for a in "kgtdpb" for b in "yrlvmn" for c in "aiueoAIUO"])
    scores = torch.full((1, len(conjuncts)), -20.0)
    wanted = [token for token in range(len(conjuncts)) if len(conjuncts.convert_ids_to_tokens(token)) == 3]
    scores[0, wanted] = -1.0
    state = (start[:-1]).encode()
    paper = PaperConstraint(conjuncts, Settings(top_k=100))
    stranded = paper.process([paper.state_of(state)], scores)[0]
    assert not torch.isfinite(stranded[wanted]).any()
    row = paper.process([paper.state_of(state)], torch.cat([scores, torch.full((1, 400), -0.5)], dim=1))[0]
    assert not torch.isfinite(row).any()
    exact = Constraint(conjuncts)
    row = exact.process([exact.lexicon.automaton.read(state)], torch.cat([scores, torch.full((1, 400), -0.5)], dim=1))[
        0
    ]
    assert torch.isfinite(row).any()


def test_beta_stands_on_every_text_that_has_a_boundarys_syllables():
    """Algorithm 1 adds β whenever the text has 8 syllables, and so a second time for the visarga after the eighth."""
    paper = PaperConstraint(TOKENIZER, Settings(beta=5.0))
    scores = torch.zeros((1, len(TOKENIZER)))
    row = paper.process([paper.state_of(b"Darmakzetre kurukze")], scores)[0]
    assert float(row[TOKENIZER.convert_tokens_to_ids("▁tre")]) == 5.0
    again = paper.process([paper.state_of(b"Darmakzetre kurukzetre")], scores)[0]
    assert float(again[ids(TOKENIZER, "H")[0]]) == 5.0
    exact = Constraint(TOKENIZER, Settings(beta=5.0))
    row = exact.process([exact.lexicon.automaton.read(b"Darmakzetre kurukzetre")], scores)[0]
    assert float(row[ids(TOKENIZER, "H")[0]]) == 0.0


@pytest.mark.parametrize(
    ("text", "valid", "boundary", "padas"),
    [
        (b"", True, False, 0),
        (b"Darmakzetre", True, False, 0),
        (b"Darmakzetre kurukzetre", True, True, 1),
        (b"king!", False, False, 0),
        ("क".encode()[:2], False, False, 0),
        (b"kfttsnrya", False, False, 0),  # a conjunct of more than three halves
        (FIRST.encode(), True, True, 4),
        (FIRST.encode() + b"na", False, False, 0),
    ],
)
def test_scanning_a_text_as_if_it_ended(text, valid, boundary, padas):
    assert PaperConstraint(TOKENIZER).scan(text) == (valid, boundary, padas)


def test_devanagari_is_scanned_too():
    tokenizer = letter_tokenizer("devanagari")
    paper = PaperConstraint(tokenizer, Settings(script="devanagari"))
    assert paper.scan("धर्मक्षेत्रे कुरुक्षेत्रे".encode()).at_boundary
