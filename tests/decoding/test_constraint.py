"""One decoding step, on exact scores: what is masked, what is added, when it ends, and what is refused."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.decoding.scripted import ids, letter_tokenizer
from tests.verses import VERSES
from workbench.decoding.constraint import DEAD, FINISHED, LAST_RESORT, Constraint, top
from workbench.decoding.processor import PingalaLogitsProcessor
from workbench.decoding.settings import Settings
from workbench.decoding.vocabulary import TokenizerError
from workbench.models.tiny import wordpiece
from workbench.prosody.metres import UnknownMetre

GITA = VERSES["anuṣṭubh"][1]
TOKENIZER = letter_tokenizer(more=["▁tre", "tre", "kzetre", "xyz!", "1"])
SIZE = len(TOKENIZER)


def state_after(constraint: Constraint, text: str) -> int:
    return constraint.lexicon.automaton.read(text.encode())


def uniform(rows: int = 1) -> torch.Tensor:
    return torch.full((rows, SIZE), -math.log(SIZE))


def live(row: torch.Tensor) -> set[str]:
    return {TOKENIZER.convert_ids_to_tokens(int(token)) for token in torch.nonzero(torch.isfinite(row))}


@pytest.mark.parametrize("top_k", [None, 100, 5])
def test_what_breaks_the_metre_is_minus_infinity_and_nothing_else_is_touched(top_k):
    constraint = Constraint(TOKENIZER, Settings(beta=0.0, top_k=top_k))
    scores = torch.log_softmax(torch.linspace(3, -3, SIZE).repeat(1, 1), dim=1)
    state = state_after(constraint, "Darmakzetre kurukzetre samavetA yu")  # the fifth of an even pāda: light
    processed = constraint.process([state], scores)
    kept = torch.isfinite(processed[0])
    assert (processed[0][kept] == scores[0][kept]).all()
    alive = constraint.lexicon.row(state)[constraint.lexicon.entry_of_token] != DEAD
    if top_k is None or top_k >= SIZE:
        assert (kept.numpy() == alive).all()
        assert "M" not in live(processed[0])  # anusvāra would make it heavy
        assert {"y", "k", "a", "▁"} <= live(processed[0])
    else:
        assert kept.any() and (kept.numpy() <= alive).all()


def test_beta_is_added_once_for_each_pada_completed():
    constraint = Constraint(TOKENIZER, Settings(beta=5.0, top_k=None))
    state = state_after(constraint, "Darmakzetre kurukze")  # seven syllables
    row = constraint.process([state], uniform())[0] - uniform()[0]
    added = {name: round(float(row[TOKENIZER.convert_tokens_to_ids(name)]), 4) for name in ("tre", "t", "M", "i", "E")}
    assert added == {"tre": 5.0, "t": 0.0, "M": 0.0, "i": 5.0, "E": 5.0}
    # On the way of a whole verse, token by token, exactly four times β.
    total, state = 0.0, constraint.start
    for token in ids(TOKENIZER, GITA):
        total += float(constraint.process([state], uniform())[0, token] - uniform()[0, token])
        state = constraint.next_state(state, token)
    assert total == pytest.approx(20.0)


def test_cd_masks_the_same_and_adds_nothing():
    pingala, cd = Constraint(TOKENIZER, Settings(top_k=None)), Constraint(TOKENIZER, Settings(top_k=None, mode="cd"))
    state = state_after(cd, "Darmakzetre kurukze")
    ours, theirs = pingala.process([state], uniform()), cd.process([state], uniform())
    assert (torch.isfinite(ours) == torch.isfinite(theirs)).all()
    assert (theirs[torch.isfinite(theirs)] == uniform()[torch.isfinite(theirs)]).all()


def test_the_end_is_suppressed_before_allowed_at_and_forced_after():
    constraint = Constraint(TOKENIZER)
    for text, allowed in ((GITA[:-4], False), (GITA[:-2], True), (GITA, True)):
        row = constraint.process([state_after(constraint, text)], uniform())[0]
        assert bool(torch.isfinite(row[0])) == allowed, text
    assert live(row) == {"</s>"}
    assert constraint.next_state(state_after(constraint, GITA), 0) == FINISHED
    assert live(constraint.process([FINISHED], uniform())[0]) == {"</s>"}
    assert constraint.next_state(state_after(constraint, "Darma"), 0) == DEAD


def test_k_doubles_until_something_lives():
    constraint = Constraint(TOKENIZER, Settings(top_k=1, beta=0.0))
    state = state_after(constraint, "Darmakzetre kurukzetre samavetA yuyutsava")
    scores = torch.linspace(0, -9, SIZE)[None]
    order = scores[0].argsort(descending=True)
    row = constraint.process([state], scores)[0]
    alive = torch.tensor(constraint.lexicon.row(state)[constraint.lexicon.entry_of_token] != DEAD)
    first = int(alive[order].nonzero()[0])
    widths = [1, 2, 4, 8, 16, 32, 64, SIZE]
    width = next(width for width in widths if width > first)
    assert set(torch.nonzero(torch.isfinite(row))[:, 0].tolist()) == {int(t) for t in order[:width] if alive[t]}


def test_a_row_is_never_empty_even_when_others_forbid_all_that_lives():
    constraint = Constraint(TOKENIZER)
    state = state_after(constraint, "Darmakzetre kurukzetre samavetA yuyutsavaH")
    alive = constraint.lexicon.row(state)[constraint.lexicon.entry_of_token] != DEAD
    scores = uniform()
    scores[0, torch.tensor(alive)] = -torch.inf  # as a ban on repeated n-grams might
    row = constraint.process([state], scores)[0]
    assert (torch.isfinite(row).numpy() == alive).all()
    assert float(row.max()) < LAST_RESORT + 100


def test_with_little_room_left_only_the_way_out_is_open():
    constraint = Constraint(TOKENIZER, Settings(top_k=None))
    state = constraint.start
    # Always the last live token, within the least room there is.
    for room in range(constraint.shortest + 1, 0, -1):
        row = constraint.process([state], uniform(), room)[0]
        token = int(torch.nonzero(torch.isfinite(row))[-1])
        state = constraint.next_state(state, token)
        if state == FINISHED:
            break
    assert state == FINISHED


def test_yati_is_preferred_or_required():
    text = "Darmakzetre kurukzetre"
    for yati, added in (("none", 5.0), ("prefer", 5.0)):
        constraint = Constraint(TOKENIZER, Settings(yati=yati, top_k=None))
        assert (
            float(constraint.process([state_after(constraint, text[:-1])], uniform())[0].max() - uniform()[0, 0])
            == added
        )
    prefer = Constraint(TOKENIZER, Settings(yati="prefer", top_k=None))
    after = prefer.next_state(state_after(prefer, text), *ids(TOKENIZER, "s"))
    row = prefer.process([after], uniform())[0] - uniform()[0]
    assert float(row[ids(TOKENIZER, "a")[0]]) == -2.0  # kṣetresa: the word runs on into the next pāda
    require = Constraint(TOKENIZER, Settings(yati="require", top_k=None))
    after = require.next_state(state_after(require, text), *ids(TOKENIZER, "s"))
    assert not live(require.process([after], uniform())[0]) & {"a", "A", "i"}


def test_a_padded_vocabulary_and_a_first_token():
    constraint = Constraint(TOKENIZER, Settings(top_k=None))
    padded = torch.zeros((1, SIZE + 7))
    assert not torch.isfinite(constraint.process([constraint.start], padded)[0, SIZE:]).any()
    tokenizer = wordpiece()
    first = Constraint(tokenizer, Settings(top_k=None))
    row = first.process([first.start], torch.zeros((1, len(tokenizer))))[0]
    assert not torch.isfinite(row[tokenizer.convert_tokens_to_ids("##ka")])
    assert torch.isfinite(row[tokenizer.convert_tokens_to_ids("ka")])


@given(st.integers(1, 40), st.integers(1, 3000), st.integers(0, 10**6))
def test_top_is_topk(k, size, seed):
    scores = torch.randn((3, max(k, size)), generator=torch.Generator().manual_seed(seed))
    values, places = top(scores, k)
    assert np.allclose(np.sort(values, axis=1), np.sort(scores.topk(k, dim=1).values.numpy(), axis=1))
    assert (np.take_along_axis(scores.numpy(), places, axis=1) == values).all()


@pytest.mark.parametrize(
    "alike", [lambda s: torch.zeros_like(s), lambda s: s.round(), lambda s: s.where(s > 2, -torch.inf)]
)
def test_top_where_many_are_alike(alike):
    scores = alike(torch.randn((4, 2000), generator=torch.Generator().manual_seed(1)))
    values, places = top(scores, 100)
    assert (np.sort(values, axis=1) == np.sort(scores.topk(100, dim=1).values.numpy(), axis=1)).all()
    assert all(len(set(row)) == 100 for row in places.tolist())


BAD = [
    ({"beta": -1.0}, "Expected beta to be a number from 0 to 10; got -1.0"),
    ({"beta": math.nan}, "Expected beta to be a number from 0 to 10; got nan"),
    ({"beta": math.inf}, "Expected beta to be a number from 0 to 10; got inf"),
    ({"beta": "5"}, "Expected beta to be a number from 0 to 10; got '5'"),
    ({"top_k": -1}, "Expected top_k to be a whole number from 0 to 500; got -1"),
    ({"top_k": 2.5}, "Expected top_k to be a whole number from 0 to 500; got 2.5"),
    ({"yati": "maybe"}, "Expected yati to be one of none, prefer, require; got 'maybe'"),
    ({"max_cluster": 0}, "Expected max_cluster to be a whole number from 1 to 5; got 0"),
    ({"mode": "magic"}, "Expected mode to be one of pingala, cd, paper, free; got 'magic'"),
    ({"script": "iast"}, "Expected script to be one of slp1, devanagari; got 'iast'"),
    ({"max_new_tokens": 10}, "Expected max_new_tokens of at least 34"),
]


@pytest.mark.parametrize(("settings", "complaint"), BAD)
def test_bad_settings_are_refused_when_the_processor_is_made(settings, complaint):
    with pytest.raises(ValueError, match=complaint.replace("(", r"\(")):
        PingalaLogitsProcessor(TOKENIZER, **settings)


def test_unknown_metres_and_vocabularies_without_sanskrit_are_refused_too():
    with pytest.raises(UnknownMetre, match="Expected a metre of the table; got 'sonnet'"):
        PingalaLogitsProcessor(TOKENIZER, metre="sonnet")
    with pytest.raises(TokenizerError, match="Expected a vocabulary that can write anuṣṭubh in devanagari"):
        PingalaLogitsProcessor(TOKENIZER, script="devanagari")
    endless = letter_tokenizer()
    endless.eos_token = None
    with pytest.raises(ValueError, match="Expected a tokenizer with an end-of-sequence token"):
        PingalaLogitsProcessor(endless)


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"beams": 0}, "Expected beams to be a whole number from 1 to 50; got 0"),
        ({"returned": 2.5}, "Expected returned to be a whole number"),
        ({"temperature": 0.0}, "Expected temperature to be a number from 0.1 to 2; got 0.0"),
        ({"guidance": -1.0}, "Expected guidance to be a number from 0 to 3; got -1.0"),
        ({"length_penalty": math.nan}, "Expected length_penalty to be a number from 0 to 2; got nan"),
        ({"beams": 4, "groups": 5}, "Expected at most as many groups as beams, 4; got 5"),
        ({"beta": math.nan}, "Expected beta to be a number"),
    ],
)
def test_bad_search_settings_are_refused(settings, complaint):
    with pytest.raises(ValueError, match=complaint):
        Settings(**settings)


def test_k_that_doubles_beyond_a_small_vocabulary_is_the_whole_of_it():
    """The best k are all dead, and twice as many would be more than there are."""
    lexicon = Constraint(TOKENIZER).lexicon
    living = [lexicon.row(state)[lexicon.entry_of_token] != DEAD for state in range(2, len(lexicon.automaton))]
    state, alive = next((at, row) for at, row in enumerate(living, start=2) if SIZE / 2 < (~row).sum() < SIZE)
    scores = uniform()
    scores[0, torch.tensor(alive)] = -30.0
    settings = Settings(top_k=int((~alive).sum()), beta=0.0)
    found = Constraint(TOKENIZER, settings).candidates([state], scores)
    assert set(found.tokens[np.isfinite(found.scores)].tolist()) == set(np.flatnonzero(alive).tolist())
