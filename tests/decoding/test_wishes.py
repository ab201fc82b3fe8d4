"""Wishes in a search and in anybody's generate: kept whatever a model says, scored as a whole, and refused in time."""

import numpy as np
import pytest
import torch

from tests.decoding.scripted import ScriptedScorer, ids, letter_tokenizer
from workbench.decoding import lexicon as tables
from workbench.decoding.constraint import ASKED_WEIGHT, BREAKS_WISH, DEAD, FINISHED, Constraint
from workbench.decoding.decode import decode, make_constraint
from workbench.decoding.lexicon import KEPT, automaton_lexicon, cache_folder
from workbench.decoding.processor import PingalaLogitsProcessor
from workbench.decoding.settings import HOUSE, Settings
from workbench.decoding.vocabulary import vocabulary
from workbench.decoding.wishing import wished_automaton
from workbench.models.scorers import ModelScorer
from workbench.models.tiny import FAMILIES, TOKENIZERS, prompt
from workbench.prosody.metres import find
from workbench.prosody.verse import Verse
from workbench.prosody.wish_lines import read_wishes
from workbench.prosody.wishes import Given, Rhyme, WishError, Without, Word

RAGHUVAMSHA = "vAgarTAviva saMpfktO vAgarTapratipattaye. jagataH pitarO vande pArvatIparameSvarO.."  # 1.1
TOKENIZER = letter_tokenizer()
GIVEN = Given("pArvatIparameSvarO", "4")
QUICK = Settings(beams=4, returned=4)


def verses(settings, wishes, family="encoder_decoder", number=0):
    model, tokenizer = FAMILIES[family]()
    decoding = decode(ModelScorer(model, prompt(number)), tokenizer, settings, wishes=wishes, watch=False)
    for _ in decoding:
        pass
    return decoding.candidates


@pytest.mark.parametrize("script", ["slp1", "devanagari"])
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(
    "lines",
    [
        ["given 4:pārvatīparameśvarau", "without gutturals"],
        ["word 1:rāmo", "word 2:vanaṃ", "word 3:sītā", "word 4:rājā"],
        ["akshara 1.3:ka", "begins - ta", "rhyme 1:2,4"],
    ],
    ids=lambda lines: lines[0],
)
def test_noise_in_wishes_kept(lines, family, script):
    wishes = read_wishes(lines)
    found = verses(QUICK.but(script=script), wishes, family)
    assert found and all(candidate.full for candidate in found)
    assert all(wish.kept(candidate.verse) for candidate in found for wish in wishes), [c.text for c in found]


def test_sampling_and_the_house_settings_keep_them_too():
    wishes = (GIVEN, Without("", ("ti",)))
    for settings in (QUICK.but(samples=5), HOUSE.but(beams=4, guidance=0.0), QUICK.but(groups=2), QUICK.but(mode="cd")):
        found = verses(settings, wishes)
        assert found and all(wish.kept(candidate.verse) for candidate in found for wish in wishes)


def test_what_is_given_is_scored_and_a_verse_is_ranked_by_the_whole():
    """A letter that is asked for gives back about what it costs; over a verse everybody gets the same."""
    settings = Settings(beta=0.0, top_k=None)
    constraint = Constraint(TOKENIZER, settings, automaton=wished_automaton(settings, [GIVEN]))
    scores = torch.zeros((1, len(TOKENIZER)))
    state, added = constraint.start, []
    for token in ids(TOKENIZER, RAGHUVAMSHA[:-2]):
        row = constraint.process([state], scores)[0]
        added.append(float(row[token]))
        state = constraint.next_state(state, token)
    assert sum(added) == pytest.approx(ASKED_WEIGHT * len(GIVEN.text), abs=1e-3)
    first, *others = added[-len(GIVEN.text) :]  # with its first vowel, pā, it is certain that the pāda has begun
    assert [first, *others] == pytest.approx([0, 2 * ASKED_WEIGHT, *[ASKED_WEIGHT] * (len(others) - 1)], abs=1e-3)
    assert torch.isfinite(constraint.process([state], scores)[0, 0])
    assert constraint.next_state(state, 0) == FINISHED
    masks_only = Constraint(TOKENIZER, settings.but(mode="cd"), automaton=wished_automaton(settings, [GIVEN]))
    assert float(masks_only.process([masks_only.start], scores)[0].max()) == 0.0


def test_the_given_text_does_not_lose_to_verses_that_have_it_before_them():
    """A model that thinks nothing of the given text: beams that reach it must not be pushed out by slower ones."""
    scorer = ScriptedScorer(len(TOKENIZER), ids(TOKENIZER, RAGHUVAMSHA.split("pArva")[0]), others=-3.0)
    settings = QUICK.but(no_repeat_ngram=0, top_k=None, beta=0.0, length_penalty=0.0)
    decoding = decode(scorer, TOKENIZER, settings, wishes=[GIVEN], watch=False)
    for _ in decoding:
        pass
    best = decoding.candidates[0]
    assert best.verse.slp1 == Verse.from_slp1(RAGHUVAMSHA).slp1


def test_a_word_is_looked_at_wherever_it_may_stand_whatever_the_model_thinks_of_it():
    """A model that would never say rājā, and a search that looks at three tokens a step."""
    wishes = [Word("rAjA", 3)]
    tokenizer = letter_tokenizer(more=["▁rAjA", "▁rA"])
    settings = Settings(top_k=3, beams=2, returned=2)
    constraint = make_constraint(tokenizer, settings, wishes=wishes)
    scores = torch.linspace(0, -9, len(tokenizer))[None]
    prefix = "vAgarTAviva saMpfktO vAgarTapratipattaye. jagataH"
    state = constraint.lexicon.automaton.read(prefix.encode())
    found = constraint.candidates([state], scores)
    looked = tokenizer.convert_ids_to_tokens(found.tokens[0][np.isfinite(found.scores[0])].tolist())
    assert {"▁rAjA", "▁rA"} <= set(looked) and len(looked) == len(set(looked)) < 20
    at = found.tokens[0].tolist().index(tokenizer.convert_tokens_to_ids("▁rAjA"))
    assert found.added[0, at] == pytest.approx(4 * ASKED_WEIGHT, abs=1e-3)
    before = constraint.lexicon.automaton.read(b"vAgarTAviva saMpfktO")  # not in the third pāda
    looked = constraint.candidates([before], scores)
    assert tokenizer.convert_tokens_to_ids("▁rAjA") not in looked.tokens[0][np.isfinite(looked.scores[0])].tolist()


def test_milestones_and_beta_are_as_ever():
    (best, *_) = verses(QUICK.but(beams=1, returned=1), (GIVEN,))
    assert [milestone.pada for milestone in best.hypothesis.milestones] == [1, 2, 3, 4]
    due = wished_automaton(QUICK, (GIVEN,)).due
    assert best.added == pytest.approx(4 * QUICK.beta + ASKED_WEIGHT * due[-1], abs=1e-2)


def is_given(automaton, state) -> bool:
    return np.count_nonzero(automaton.delta[state]) == 1 and not automaton.accepting[state]


@pytest.mark.parametrize("family", TOKENIZERS)
@pytest.mark.parametrize("script", ["slp1", "devanagari"])
def test_a_token_leads_where_its_bytes_lead(family, script):
    tokenizer = TOKENIZERS[family]()
    settings = Settings(script=script)
    automaton = wished_automaton(settings, [GIVEN, Word("vande", 3)])
    table = automaton_lexicon(tokenizer, automaton)
    words = vocabulary(tokenizer)
    chance = np.random.default_rng(0)
    state = automaton.start
    for _ in range(30):
        for token in chance.integers(0, table.size, 30).tolist():
            written = words.tokens[token]
            skipped = written is None or (state == automaton.start and token in words.not_first)
            expected = DEAD if skipped else automaton.read(written, state)
            expected = expected if table._alive[expected] else DEAD
            # Into what is given, and in it, one way leads: others may be cut off.
            cut = {DEAD} if is_given(automaton, state) or is_given(automaton, expected) else set()
            assert table.next_state(state, token) in {expected} | cut
        alive = np.flatnonzero(table.row(state)[table.entries(table.size, state)])
        if not len(alive):
            break
        state = table.next_state(state, int(chance.choice(alive)))


@pytest.mark.parametrize(
    ("pieces", "written"),
    [
        (["▁pAr", "▁pArv", "vatI", "para", "param", "me", "Svar", "SvarO"], "▁pAr vatI para me SvarO"),
        (["▁pArva", "tIparameSvarO", "▁pArvatI"], "▁pArva tIparameSvarO"),  # the longest first would take many
        ([], "▁ p A r v a t I p a r a m e S v a r O"),
    ],
)
def test_what_is_given_is_written_in_one_way(pieces, written):
    tokenizer = letter_tokenizer(more=pieces)
    constraint = make_constraint(tokenizer, Settings(top_k=None), wishes=[GIVEN])
    table = constraint.lexicon
    state = table.automaton.read(RAGHUVAMSHA.split(" pArva")[0].encode())
    found = []
    while not table.automaton.accepting[state]:
        tokens = np.flatnonzero(table.row(state)[table.entry_of_token]).tolist()
        names = dict(zip(tokenizer.convert_ids_to_tokens(tokens), tokens, strict=True))
        into = [name for name in names if name.startswith("▁")] if not found else list(names)
        assert len(into) == 1, into
        found += into
        state = table.next_state(state, names[into[0]])
    assert found == written.split(" ")


def test_tables_of_wishes_are_kept_in_memory_only_and_the_oldest_goes():
    before = {path.name for path in cache_folder().glob("*")} if cache_folder().exists() else set()
    tables._for_automaton.cache_clear()
    first = wished_automaton(QUICK, [Word("rAmaH")])
    assert automaton_lexicon(TOKENIZER, first) is automaton_lexicon(TOKENIZER, first)
    assert automaton_lexicon(TOKENIZER, first).memory < 10e6
    for word in ("rAjA", "sItA", "vanaM", "SivaH", "devI", "jalaM", "agniH", "vAyuH", "naraH")[: KEPT + 1]:
        automaton_lexicon(TOKENIZER, wished_automaton(QUICK, [Word(word)]))
    assert tables._for_automaton.cache_info().currsize == KEPT
    hits = tables._for_automaton.cache_info().hits
    automaton_lexicon(TOKENIZER, first)
    assert tables._for_automaton.cache_info().hits == hits
    after = {path.name for path in cache_folder().glob("*")} if cache_folder().exists() else set()
    assert after == before


def test_only_visited_states_get_a_row():
    wishes = (Rhyme(1, (2, 4)),)
    settings = QUICK.but(beams=2, returned=2)
    model, tokenizer = FAMILIES["encoder_decoder"]()
    decoding = decode(ModelScorer(model, prompt()), tokenizer, settings, wishes=wishes, watch=False)
    for _ in decoding:
        pass
    assert wishes[0].kept(decoding.candidates[0].verse)
    assert decoding.constraint.lexicon._used < 1000 < len(decoding.constraint.lexicon.automaton)


def test_in_anybodys_generate():
    model, tokenizer = FAMILIES["m2m100"]()
    processor = PingalaLogitsProcessor(tokenizer, wishes=["given 1:vāgarthāviva saṃpṛktau", "word 4:rājā"])
    made = model.generate(**prompt(), logits_processor=[processor], num_beams=3, max_new_tokens=200, do_sample=False)
    text = vocabulary(tokenizer).text(made[0].tolist())
    found = Verse.read(text.strip(), "slp1")
    for wish in read_wishes(["given 1:vāgarthāviva saṃpṛktau", "word 4:rājā"]):
        assert wish.kept(found, find("anuṣṭubh")), text


def test_refused_when_the_processor_is_made():
    with pytest.raises(WishError, match="pāda 4: the given text has 9 syllables; it must have 8"):
        PingalaLogitsProcessor(TOKENIZER, wishes=["given 4:pārvatīparameśvarāya"])
    with pytest.raises(WishError, match="Expected mode pingala or cd for wishes; got paper"):
        PingalaLogitsProcessor(TOKENIZER, mode="paper", wishes=["word rāmaḥ"])
    with pytest.raises(WishError, match="Expected mode pingala or cd for wishes; got free"):
        make_constraint(TOKENIZER, QUICK.but(mode="free"), wishes=[Word("rAmaH")])
    with pytest.raises(ValueError, match="Expected max_new_tokens of at least"):
        PingalaLogitsProcessor(TOKENIZER, wishes=["word rāmaḥ"], max_new_tokens=20)


def test_a_refused_token_is_told_of():
    constraint = make_constraint(TOKENIZER, QUICK, wishes=[GIVEN])
    state = constraint.lexicon.automaton.read(RAGHUVAMSHA.split("pArva")[0].encode())
    assert constraint.reason(state, ids(TOKENIZER, "k")[0]) == BREAKS_WISH
