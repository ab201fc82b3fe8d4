"""Reading verses: every script, Unicode's spellings, marks and numbers, and what is refused with a sentence."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verses import GITA, IN_EVERY_SCRIPT, VERSES, halves
from workbench.prosody.detection import ReadingError
from workbench.prosody.script import SCRIPTS, write
from workbench.prosody.text_reading import read_text


def shown(text: str) -> str:
    """A text with its code points, for a failure that eyes cannot see."""
    return f"{text!r} [{' '.join(f'{ord(c):04X}' for c in text)}]"


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("told", [True, False], ids=["told", "detected"])
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_one_verse_in_every_script(script, told, form):
    text = unicodedata.normalize(form, IN_EVERY_SCRIPT[script])
    reading = read_text(text, script if told else "auto")
    assert reading.script == script
    assert reading.verses == (GITA,), shown(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ॐ नमः शिवाय", "oM namaH SivAya"),
        ("oṃ namaḥ śivāya", "oM namaH SivAya"),
        ("ततोऽपि सः", "tato'pi saH"),
        ("tato’pi saḥ", "tato'pi saH"),
        ("क\u200dर्म क\u200cर्म", "karma karma"),
        ("अ॒ग्निमी॑ळे पु॒रोहि॑तम्", "agnimILe purohitam"),  # Ṛgveda 1.1.1, accents off
        ("agním īḷe puróhitam", "agnim ILe purohitam"),
        ("kḷptaṃ rūpam", "kxptaM rUpam"),
        ("अन्तᳵकरणम्", "antaZkaraRam"),
        ("पुनᳶपुनः", "punaVpunaH"),
        ("antaẖkaraṇam", "antaZkaraRam"),
        ("पुन: रामः", "punaH rAmaH"),  # a colon typed for the visarga
        ("praügam", "praugam"),
        ("r̥ṣiḥ saṁyamaḥ", "fziH saMyamaH"),  # ISO 15919's letters
        ('तस्य (नित्यं) — वाचकः, "प्रणवः"', "tasya nityaM vAcakaH praRavaH"),
        ("कुरु\u00adक्षेत्रे", "kurukzetre"),
        ("DHARMA Kṣetre", "Darma kzetre"),
        ("सव्ँविष्टः", "savvizwaH"),
        ("தத்வம் அஸி", "tatvam asi"),
        ("കർമ", "karma"),
        ("বঙ্গ সত্য়", "vaNga satya"),
    ],
)
def test_spellings(text, expected):
    assert read_text(text).verses == ((expected,),), shown(text)


@pytest.mark.parametrize(
    "text",
    [
        "रामः वनं गच्छति ।\nसीता च ॥ १-१ ॥",
        "rāmaḥ vanaṃ gacchati / sītā ca // 1.1 //",
        "rAmaH vanaM gacCati. sItA ca.. 12",
        "रामः वनं गच्छति | सीता च || १ ||",
        "rāmaḥ vanaṃ gacchati\r\nsītā ca\n",
        "॥ रामः वनं गच्छति ।। सीता च ।",  # the daṇḍas the wrong way round
        "rāmaḥ vanaṃ gacchati. sītā ca. 1",
    ],
)
def test_marks_and_numbers_divide_half_verses(text):
    assert read_text(text).verses == (("rAmaH vanaM gacCati", "sItA ca"),)


def test_several_verses_and_four_lines():
    gita = IN_EVERY_SCRIPT["devanagari"]
    assert read_text(f"{gita} १\n\n{gita} २").verses == (GITA, GITA)
    assert read_text("rāma\nsītā\nvana\nnagara").verses == (("rAma", "sItA", "vana", "nagara"),)


@pytest.mark.parametrize(
    ("text", "expected", "got"),
    [
        ("", "a Sanskrit verse", "an empty text"),
        (" \n\t", "a Sanskrit verse", "an empty text"),
        ("😀", "letters", "grinning face"),
        ("धर्म 😀", "letters", "character 6"),
        ("a\0b", "letters", "U+0000"),
        ("\ud800", "letters", "U+D800"),
        ("k t m", "syllables", "k t m"),
        ("क् त्", "syllables", "k t"),
        ("१२३ ॥", "a Sanskrit verse", "no letter"),
        ("धर्म kuru", "one script", "Devanagari (ध) and the Latin alphabet (k)"),
        ("నమః नमः", "one script", "Telugu (న) and Devanagari (न)"),
        ("рама", "Devanagari, IAST", "cyrillic"),
        ("a" * 20_001, "at most 20,000 characters", "20,001"),
        ("rāmaḥ wants", "IAST", "“w”"),
        ("rāma" * 61, "at most 120 syllables", "got one of 122"),
        ("The quick brown fox jumps over the lazy dog.", "Sanskrit", "does not sound like it"),
        ("When the king had spoken, all the warriors rose and praised him.", "Sanskrit", "does not sound like it"),
    ],
)
def test_refused_with_what_was_expected_and_what_was_got(text, expected, got):
    with pytest.raises(ReadingError) as refused:
        read_text(text)
    assert expected in str(refused.value)
    assert got in str(refused.value)
    assert str(refused.value).isprintable()


def test_a_named_script_is_kept_to():
    with pytest.raises(ReadingError, match="Expected a script among auto, devanagari"):
        read_text("rāma", "klingon")
    with pytest.raises(ReadingError, match="Expected Devanagari; got “r”"):
        read_text("rāma", "devanagari")


@given(st.text(), st.sampled_from(["auto", *SCRIPTS]))
def test_arbitrary_unicode_is_read_or_refused_with_a_sentence(text, script):
    try:
        reading = read_text(text, script)
    except ReadingError as refused:
        assert str(refused).startswith("Expected")
    else:
        assert reading.verses
        assert all(half.strip() for verse in reading.verses for half in verse)


def test_every_example_verse_survives_every_script():
    for _, verse in VERSES.values():
        for script in SCRIPTS:
            read_back = read_text(write(verse, script), script).verses
            expected = tuple(half.replace("b", "v") if script == "bengali" else half for half in halves(verse))
            assert read_back == (expected,), script
