"""The desk with a tiny generator that knows six verses of the Bhagavadgītā, and with the one that ships: whatever is
offered is held to metre, neighbours and wishes by the strict judge and by plain string work."""

import pytest

from tests.training import small
from workbench import composer
from workbench.decoding.gaps import Gap, GapConstraint, GapError
from workbench.models.loading import loaded_generator
from workbench.prosody.aksharas import placed_padas
from workbench.prosody.metres import find
from workbench.prosody.verse import Verse

ANUSTUBH = find("anuṣṭubh")
PROSE = next(iter(small.VERSES))
GITA = Verse.from_slp1("Darmakzetre kurukzetre samavetA yuyutsavaH . mAmakAH pARqavAScEva kimakurvata saYjaya ..")
RUNS_ON = Verse.from_slp1("karmaRyevADikAraste mA Palezu kadAcana . mA karmaPalaheturBUrmA te saNgo'stvakarmaRi ..")
TYPED = "dharmakṣetre kurukṣetre samavetā "


def judged(verse):
    verdict = verse.verdict
    return verdict.full and not verdict.licences and verdict.metre == ANUSTUBH


@pytest.mark.parametrize("pada", [1, 2, 3, 4])
def test_others_fit_the_metre_and_leave_the_rest_as_it_is(pada):
    found = composer.others(PROSE, GITA, pada)
    before = [each.text for each in placed_padas(GITA.halves, ANUSTUBH)]
    assert len(found.offers) >= 3 and len({offer.text for offer in found.offers}) == len(found.offers)
    for offer in found.offers:
        now = [each.text for each in placed_padas(offer.verse.halves, ANUSTUBH)]
        assert judged(offer.verse) and now[pada - 1] == offer.text != before[pada - 1]
        assert [*now[: pada - 1], *now[pada:]] == [*before[: pada - 1], *before[pada:]]
    scores = [offer.score for offer in found.offers]
    assert scores == sorted(scores, reverse=True), "the generator's order, since no judge is at hand"


def test_a_pāda_whose_word_runs_on_is_made_anew_with_its_neighbour():
    found = composer.others(PROSE, RUNS_ON, 2)
    assert "A word of pāda 1 runs on into pāda 2" not in found.sentence, "a space stands between these"
    verse = Verse.from_slp1(
        "taTA dehAntaraprAptirDIrastatra na muhyati . Darmakzetre kurukzetre samavetA yuyutsavaH .."
    )
    found = composer.others(PROSE, verse, 1)
    assert found.sentence.startswith("A word of pāda 1 runs on into pāda 2")
    assert found.offers and all(
        judged(offer.verse) and offer.verse.halves[1] == verse.halves[1] for offer in found.offers
    )


def test_others_keep_wishes():
    wishes = ["without l", "begins dha"]
    found = composer.others(PROSE, Verse.from_slp1(f"{GITA.halves[0]} . {GITA.halves[1]}"), 2, wishes=wishes)
    asked = composer.read_wishes(wishes)
    assert found.offers and all(wish.kept(offer.verse, ANUSTUBH) for offer in found.offers for wish in asked)
    assert not any("l" in offer.text for offer in found.offers)


def test_instead_has_the_same_weights_and_is_one_word():
    found = composer.instead(PROSE, GITA, 0, 2)
    assert found.offers and found.sentence == "Instead of samavetā: words of the same weights."
    for offer in found.offers:
        assert judged(offer.verse) and offer.verse.weights == GITA.weights
        assert " " not in offer.text and offer.text != "samavetA"
        assert (
            offer.verse.halves[0].split()[:2] == GITA.halves[0].split()[:2] and offer.verse.halves[1] == GITA.halves[1]
        )


def test_meanings_are_left_out_where_no_reader_is(monkeypatch, tmp_path):
    monkeypatch.setenv("PINGALA_READER", str(tmp_path))
    assert composer.meanings(["rAma", "vana"]) == ["", ""]


@pytest.mark.parametrize("prose", ["", PROSE])
def test_next_words_go_on_where_the_draft_stops(prose):
    found = composer.next_words(composer.draft(TYPED), prose)
    assert len(found.offers) >= 3
    for offer in found.offers:
        after = composer.draft(
            f"{write_iast('Darmakzetre kurukzetre samavetA')} {write_iast(offer.text)} ", script="iast"
        )
        assert after.problems == () and " " not in offer.text


def write_iast(slp1):
    return composer.write(slp1, "iast")


def test_a_word_that_is_begun_is_gone_on_with():
    found = composer.next_words(composer.draft("dharmakṣetre kuru"), PROSE)
    assert found.offers and all(offer.text.startswith("kuru") for offer in found.offers)
    assert found.sentence == "What kuru… can become."


@pytest.mark.parametrize(
    "typed", ["", "dharma", "dharmakṣetre kurukṣetre samavetā yuyutsavaḥ", f"{TYPED}yuyutsavaḥ |\nmām"]
)
def test_finish_begins_as_the_draft_does_and_is_full(typed):
    found = composer.finish(composer.draft(typed), PROSE)
    assert found.offers
    begun = " . ".join(composer.draft(typed).halves)
    for offer in found.offers:
        assert judged(offer.verse) and offer.verse.slp1.startswith(begun)


def test_mend_offers_the_nearest_words_that_fit():
    draft = composer.draft(f"{TYPED}yuddhārthinaḥ |\nmāmakāḥ pāṇḍavāścaiva kimakurvata sañjaya")
    (half, word), *more = draft.faulty_words
    assert not more
    found = composer.mend(draft, half, word)
    assert found.offers
    for offer in found.offers:
        words = draft.halves[0].split()
        mended = " ".join([*words[:word], offer.text, *words[word + 1 :]])
        assert judged(Verse((mended, draft.halves[1])).judged(ANUSTUBH))


def test_mend_works_while_the_rest_is_still_to_come_and_has_faults_of_its_own():
    draft = composer.draft(f"{TYPED}yuddhārthinaḥ |\nmāmakāḥ pāṇḍavāścaiva kimakurvanta rājānaḥ")
    assert len(draft.faulty_words) > 1
    for offer in composer.mend(draft, 0, 3).offers:
        line = " ".join([*draft.halves[0].split()[:3], offer.text])
        assert composer.draft(write_iast(line) + " |", script="iast").problems == ()
    with pytest.raises(composer.DeskError, match="yuddhārthinaḥ does not: mend that first"):
        composer.mend(draft, 1, 3)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: composer.others(PROSE, GITA, 5), "Expected a pāda from 1 to 4; got 5."),
        (lambda: composer.others(PROSE, Verse(("rAma", "vana")), 1), "Expected a verse that is in anuṣṭubh"),
        (lambda: composer.instead(PROSE, GITA, 0, 9), "Expected a word of the verse; got word 10 of half-verse 1."),
        (lambda: composer.next_words(composer.draft(f"{TYPED}yuddhārthinaḥ |")), "got a fault: Pāda 2, syllable 5"),
        (lambda: composer.finish(composer.draft(" . ".join(GITA.halves), script="slp1")), "got a whole one"),
        (lambda: composer.others(PROSE, GITA, 1, wishes=["given 9:rāma"]), "Expected a place among"),
    ],
)
def test_refused_with_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def test_a_gap_that_nothing_fits_is_refused():
    writer = loaded_generator("embedded")
    with pytest.raises(GapError, match="got none"):
        GapConstraint(
            writer.tokenizer, composer.HOUSE, Gap("Darmakzetre kuru", after=" . mAmakAH"), writer.eos_token_id
        )


def test_every_state_of_a_gap_reaches_its_end():
    """By a search of its own, forwards from the gap's beginning."""
    writer = loaded_generator("embedded")
    gap = Gap("Darmakzetre", after=" samavetA yuyutsavaH . mAmakAH pARqavAScEva kimakurvata saYjaya")
    constraint = GapConstraint(writer.tokenizer, composer.HOUSE, gap, writer.eos_token_id)
    automaton = constraint.lexicon.automaton
    seen, waiting, ended = set(), [constraint.start], 0
    while waiting:
        state = waiting.pop()
        if state in seen:
            continue
        seen.add(state)
        ended += automaton.accepts(gap.before + " x" + gap.after) or bool(constraint._complete[state])
        following = {int(each) for each in automaton.delta[state] if constraint._inside[each]}
        assert following or constraint._complete[state]
        waiting += following
    assert len(seen) > 20 and ended


@pytest.mark.parametrize("model", ["nllb", "phi4", "plain"])
def test_with_every_kind_of_generator(model):
    """Random ones, in Devanagari and in SLP1, over letters, bytes and pieces: what they offer fits none the less."""
    found = composer.others(PROSE, GITA, 3, model=model)
    assert found.offers and all(judged(offer.verse) for offer in found.offers)
    words = composer.next_words(composer.draft(TYPED), PROSE, model=model)
    assert words.offers and all(
        composer.draft(f"{TYPED}{write_iast(offer.text)} ", script="iast").problems == () for offer in words.offers
    )
