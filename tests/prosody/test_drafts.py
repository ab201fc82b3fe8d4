"""Verses as they are typed, key by key. The verses are Bhagavadgītā 1.1, Meghadūta 1 and an āryā of Bhartṛhari."""

import pytest

from workbench.prosody.detection import ReadingError
from workbench.prosody.drafts import read_draft
from workbench.prosody.metres import find
from workbench.prosody.script import SCRIPTS, write
from workbench.prosody.verse import Verse

ANUSTUBH = find("anuṣṭubh")
GITA = "dharmakṣetre kurukṣetre samavetā yuyutsavaḥ |\nmāmakāḥ pāṇḍavāścaiva kimakurvata sañjaya ||"
MEGHADUTA = "kaścit kāntāvirahaguruṇā svādhikārāt pramattaḥ"
ARYA = (
    "siṃhaḥ śiśurapi nipatati madamalinakapolabhittiṣu gajeṣu |\nprakṛtiriyaṃ sattvavatāṃ na khalu vayastejaso hetuḥ ||"
)


def weights(draft):
    return ["".join(each.syllable.weight for each in pada.syllables) for pada in draft.padas]


@pytest.mark.parametrize(
    ("text", "metre"), [(GITA, "anuṣṭubh"), (MEGHADUTA, "mandākrāntā"), (ARYA, "āryā")], ids=["g", "m", "a"]
)
def test_a_true_verse_has_no_fault_at_any_key(text, metre):
    """However little of it is there; akṣaras that are not finished are not yet wrong."""
    for end in range(len(text) + 1):
        draft = read_draft(text[:end], find(metre), "iast")
        assert draft.problems == (), text[:end]


def test_what_must_come_shrinks_to_nothing():
    assert [len(pada.to_come) for pada in read_draft("", ANUSTUBH).padas] == [8, 8, 8, 8]
    half = read_draft(GITA.split("|")[0], ANUSTUBH)
    assert [len(pada.to_come) for pada in half.padas] == [0, 0, 8, 8]
    assert half.padas[3].to_come[4:7] == ("l", "g", "l")
    whole = read_draft(GITA, ANUSTUBH)
    assert whole.complete and whole.full and whole.padas[0].form == "pathyā"
    assert weights(whole) == [pada.weights for pada in Verse.read(GITA).judged(ANUSTUBH).padas]


def test_one_slip_is_one_fault_with_what_it_should_be():
    draft = read_draft(GITA.replace("yuyutsavaḥ", "yuddhārthinaḥ"), ANUSTUBH)
    assert draft.problems == ("Pāda 2, syllable 5 (yu) is guru; it should be laghu.",)
    assert draft.faulty_words == ((0, 3),) and not draft.complete and not draft.full


def test_a_syllable_too_many_is_said():
    draft = read_draft(GITA.replace("sañjaya", "sañjayaḥ ca"), ANUSTUBH)
    assert "Pāda 4 has 9 syllables; it should have 8." in draft.problems


def test_the_last_syllable_is_open_until_something_follows():
    draft = read_draft("dharmakṣetre kurukṣetre samavetā yuyu", ANUSTUBH)
    assert draft.problems == () and draft.padas[1].syllables[5].is_open
    closed = read_draft("dharmakṣetre kurukṣetre samavetā yuyu |", ANUSTUBH)
    assert closed.problems == ("Pāda 2, syllable 6 (yu) is laghu; it should be guru.",)


def test_pādas_may_stand_on_lines_of_their_own_or_run_on():
    halves = read_draft(GITA, ANUSTUBH).halves
    lines = "dharmakṣetre kurukṣetre\nsamavetā yuyutsavaḥ\nmāmakāḥ pāṇḍavāścaiva\nkimakurvata sañjaya"
    assert read_draft(lines, ANUSTUBH).halves == halves
    assert read_draft(lines.replace("\n", " "), ANUSTUBH).halves == halves


@pytest.mark.parametrize("script", SCRIPTS)
def test_in_every_script(script):
    text = write("Darmakzetre kurukzetre samavetA yuyutsavaH", script)
    draft = read_draft(text, ANUSTUBH, script)
    assert draft.problems == () and [len(pada.to_come) for pada in draft.padas] == [0, 0, 8, 8]
    assert read_draft(text, ANUSTUBH).halves == draft.halves, "found out by itself"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("The king spoke to his ministers about the war", "does not sound like it"),
        ("धर्म kuru", "Expected one script in one text"),
        ("क" * 20_001, "Expected at most 20,000 characters"),
        ("rāma\n" * 9, "Expected one verse, of two half-verses or four pādas; got 9 lines."),
    ],
    ids=lambda value: value[:12],
)
def test_refused_with_a_sentence(text, sentence):
    with pytest.raises(ReadingError, match=sentence):
        read_draft(text, ANUSTUBH)
