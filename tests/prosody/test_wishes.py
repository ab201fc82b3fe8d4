"""Wishes: what each asks, in which words and lines; and that metre and wishes accept exactly the verses that keep them.

The verses are real ones, with their sources in tests/verses.py: pādas of Raghuvaṃśa 1.1, Bhagavadgītā 1.1, Meghadūta 1
and others are given, and looked for in verses a letter or two away from them.
"""

import random
import re

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.verses import VERSES, VIPULAS
from workbench.prosody import wish_product
from workbench.prosody.acceptor import acceptor
from workbench.prosody.aksharas import aksharas_of, placed_padas
from workbench.prosody.automaton import DEAD, LETTERS, compile_metre
from workbench.prosody.detection import ReadingError
from workbench.prosody.metres import find
from workbench.prosody.script import to_slp1, write
from workbench.prosody.verse import DANDA, Verse
from workbench.prosody.wish_automata import compile_wishes
from workbench.prosody.wish_lines import read_wish, read_wishes
from workbench.prosody.wish_rhymes import commonest
from workbench.prosody.wishes import (
    Akshara,
    Beginnings,
    Given,
    Rhyme,
    TooManyStates,
    Wish,
    WishError,
    Without,
    Word,
    locked,
)
from workbench.verification.agreement import walk

ANUSTUBH = find("anuṣṭubh")
RAGHUVAMSHA = "vAgarTAviva saMpfktO vAgarTapratipattaye . jagataH pitarO vande pArvatIparameSvarO .."
# Where a metre leaves open at which syllable its pādas end, wishes about pādas are refused: not of these.
CERTAIN = [name for name in VERSES if all(len(threads) == 1 for threads in acceptor(find(name)).threads)]
EXAMPLES = {"raghuvaṃśa": ("anuṣṭubh", RAGHUVAMSHA), **{name: (name, VERSES[name][1]) for name in CERTAIN}}
EXAMPLES |= {form: ("anuṣṭubh", text) for form, text in VIPULAS.items()}


def verse(text: str) -> Verse:
    return Verse.from_slp1(text)


def is_kept(line: str, text: str = RAGHUVAMSHA, metre: str = "anuṣṭubh") -> bool:
    return read_wish(line).kept(verse(text), find(metre))


def accepts(wishes: list[Wish], text: str, metre: str = "anuṣṭubh") -> bool:
    """Whether the automaton does; one that is refused accepts nothing."""
    try:
        return compile_wishes(find(metre), wishes, max_cluster=5).accepts(text)
    except WishError:
        return False


# ------------------------------------------------------------------------------------------------ akṣaras, places


@pytest.mark.parametrize(
    ("half", "aksharas"),
    [
        ("kaScit kAntAvirahaguruRA", "ka Scit kA ntA vi ra ha gu ru RA"),  # Meghadūta 1
        ("kaScitkAntAvirahaguruRA", "ka Sci tkA ntA vi ra ha gu ru RA"),  # the same without the space
        ("so'ntaH praviSya", "so ntaH pra vi Sya"),
        ("vAgarTAviva saMpfktO", "vA ga rTA vi va saM pf ktO"),
    ],
)
def test_aksharas_are_as_written(half, aksharas):
    assert [akshara.sounds for akshara in aksharas_of(half)] == aksharas.split()


def test_a_pada_ends_at_the_space_or_before_the_next_consonants():
    padas = placed_padas(verse(RAGHUVAMSHA).halves, ANUSTUBH)
    assert [pada.text for pada in padas] == [
        "vAgarTAviva saMpfktO", "vAgarTapratipattaye", "jagataH pitarO vande", "pArvatIparameSvarO"
    ]  # fmt: skip
    runs_on = placed_padas(verse(RAGHUVAMSHA.replace("vande pAr", "vandepAr")).halves, ANUSTUBH)
    assert [pada.text for pada in runs_on[2:]] == ["jagataH pitarO vande", "pArvatIparameSvarO"]
    assert not runs_on[2].ends_word and not runs_on[3].begins_word
    closed = placed_padas(verse(VIPULAS["na-vipulā"]).halves, ANUSTUBH)  # svādhyāyanirataM | tapasvI, and varam
    assert closed[1].text == "tapasvI vAgvidAM varam"


# ------------------------------------------------------------------------------------------------ what they mean


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("given 4:pārvatīparameśvarau", True),
        ("given 4:पार्वतीपरमेश्वरौ", True),
        ("given 3:pārvatīparameśvarau", False),
        ("given 2:vāgartha", False),
        ("given 1:vāgarthāviva saṃpṛktau", True),
        ("given 1:vāgarthāv iva saṃpṛktau", False),  # spaces are as they are written
        ("given half 2:jagataḥ pitarau vande pārvatīparameśvarau", True),
        ("given half 1:jagataḥ pitarau vande pārvatīparameśvarau", False),
        ("given beginning:vāgarthāviva", True),
        ("given beginning:vāgarthā", False),  # a word ends where it ends
        ("given beginning:vāgarthāviva saṃpṛktau vāgarthapratipattaye / jagataḥ pitarau", True),
        ("given end:pārvatīparameśvarau", True),
        ("given end:parameśvarau", False),
        ("given end:vāgarthapratipattaye / jagataḥ pitarau vande pārvatīparameśvarau", True),
        ("word vande", True),
        ("word 3:vande", True),
        ("word 4:vande", False),
        ("word pitarau vande", True),
        ("word artha", False),
        ("inside artha", False),  # vā-ga-rtha: no akṣara begins with the a
        ("inside 2:pratipatti", False),
        ("inside 2:tipatta", True),
        ("inside parameśvara", False),  # rau is not ra
        ("inside parameśvar", True),
        ("akshara 1.3:rthā", True),
        ("akshara 1.3:thā", False),
        ("akshara 1.6:saṃ", True),
        ("akshara 1.6:sa", False),
        ("akshara 2.8:ye", True),
        ("without kh gh ṅ", True),
        ("without r", False),
        ("without 4.8:p t", True),  # only the last akṣara
        ("without 4:t", False),
        ("without =ra", False),
        ("without 2.1:=mā", True),
        ("begins vā vā ja pā", True),
        ("begins - vā - pā", True),
        ("begins va vā ja pā", False),
        ("rhyme 1:1,4", False),
        ("rhyme 1:2,3", False),
    ],
)
def test_what_a_verse_keeps(line, kept):
    assert is_kept(line) == kept
    assert accepts([read_wish(line)], RAGHUVAMSHA) == kept


def test_a_rhyme_is_of_whole_aksharas():
    # tvameva mātā: pādas end in va, va, va, va; and in the same two, meva.
    text = VERSES["upendravajrā"][1]
    assert is_kept("rhyme 1", text, "upendravajrā")
    assert is_kept("rhyme 2:1,2,3", text, "upendravajrā")
    assert not is_kept("rhyme 2", text, "upendravajrā")  # deva deva: de-va
    upendravajra = find("upendravajrā")
    assert compile_wishes(upendravajra, [Rhyme(1)]).accepts(text)
    # Two of the four are given: the ending is theirs, however rare.
    wishes = [Given("tvameva vidyA draviRaM tvameva", "3"), Rhyme(2, (1, 2, 3))]
    assert compile_wishes(upendravajra, wishes).accepts(text)
    assert not compile_wishes(upendravajra, [wishes[0], Rhyme(2)]).accepts(text)


def test_a_final_m_is_asked_for_in_either_spelling():
    for text, spelled in (("nAradaM", "nAradam"), ("nAradam", "nAradaM")):
        assert Word(spelled).kept(verse(VIPULAS["na-vipulā"].replace("nAradaM", text)), ANUSTUBH)
        assert compile_wishes(ANUSTUBH, [Word(spelled)]).accepts(VIPULAS["na-vipulā"])


def test_a_given_text_may_have_longer_clusters_than_a_generator_may_write():
    automaton = compile_wishes(ANUSTUBH, [Word("kArtsnyena")], max_cluster=2)
    assert automaton.read("kArtsnyena ") != DEAD
    assert compile_wishes(ANUSTUBH, [Akshara("rtsnye", 1, 2)], max_cluster=2).read("kArtsnyena ") != DEAD


def test_padas_of_a_verse_are_kept_while_the_others_are_made_anew():
    own = Verse.from_slp1(RAGHUVAMSHA).judged(ANUSTUBH)
    one, two = Given("vAgarTAviva saMpfktO", "1"), Given(own.halves[1], "half 2")
    assert locked(own, {1}) == (one,) and locked(own, {1, 3, 4}) == (one, two)
    assert locked(own, {2, 3}) == (Given("vAgarTapratipattaye", "2"), Given("jagataH pitarO vande", "3"))
    assert locked(own, ()) == ()
    runs_on = Verse.from_slp1(RAGHUVAMSHA.replace("vande pAr", "vandepAr")).judged(ANUSTUBH)
    with pytest.raises(WishError, match="got pāda 3, whose last word runs on into pāda 4"):
        locked(runs_on, {4})
    assert [wish.place for wish in locked(runs_on, {3, 4})] == ["half 2"]
    with pytest.raises(WishError, match="Expected a verse that is in its metre"):
        locked(Verse.from_slp1("rAmo rAjA . sItA"), {1}, ANUSTUBH)


# --------------------------------------------------------------------------------------------------- lines, words

LINES = {
    "given 4:parvatiparamesvarau": "given 4:पर्वतिपरमेस्वरौ",
    "given half2:rāmo rājā": "given half 2:रामो राजा",
    "given start:rāmo / rājā": "given beginning:रामो । राजा",
    "word 2:vanaṃ": "word 2:वनं",
    "word మేఘః": "word मेघः",
    "inside megha": "inside मेघ",
    "akshara 1.3:ṣṭhaṃ": "akshara 1.3:ष्ठं",
    "akshara 1.3:zWaM": "akshara 1.3:ष्ठं",
    "without r ल =ti kṣi": "without र् ल् =ति =क्षि",
    "without 3.2:sibilants": "without 3.2:श् ष् स्",
    "without ṃ ḥ": "without ं ः",
    "begins rā ma - tā": "begins रा म - ता",
    "rhyme 2:4,2": "rhyme 2:2,4",
    "rhyme 1": "rhyme 1",
}


@pytest.mark.parametrize("line", LINES)
def test_a_line_reads_back_as_the_same_wish(line):
    wish = read_wish(line)
    assert wish.line == LINES[line]
    assert read_wish(wish.line) == wish
    assert wish.sentence[0].isupper() and wish.sentence.endswith(".")


BAD = {
    "": "Expected a wish of the kinds given, word, inside, akshara, without, begins, rhyme; got ''.",
    "pada 4:x": "Expected a wish of the kinds given, word, inside, akshara, without, begins, rhyme; got 'pada'.",
    "given": "Expected given PLACE:TEXT; got nothing after given.",
    "given 4:": "Expected given PLACE:TEXT; got no text.",
    "given rāma": "Expected given PLACE:TEXT; got 'rāma'.",
    "given 5:rāma": "Expected a place among 1, 2, 3, 4, half 1, half 2, beginning, end; got '5'.",
    "given 1:rāmo / rājā": "Expected one line for pāda 1; got 2.",
    "given 1:" + "rāma " * 2000: "Expected at most 400 characters in a wish; got 10,001.",
    "given 1:rāma राम": "Expected one script in one text; got letters of the Latin alphabet (r) and Devanagari (र).",
    "given 1:<b>rāma</b>": "Expected Sanskrit in a wish; got “<”, less-than sign (U+003C).",
    "given 1:the quick brown fox": "Expected Sanskrit; this text in Latin letters does not sound like it",
    "word 7:rāma": "Expected a pāda from 1 to 4; got 7.",
    "word k": "Expected syllables; got consonants without a single vowel: k",
    "akshara 1:ka": "Expected akshara PADA.SYLLABLE:AKSHARA, such as 1.3:ka; got '1:ka'.",
    "akshara 1.3:kara": "Expected one akṣara; got kara, which has 2.",
    "akshara 1.3:k": "Expected one akṣara with a vowel, in letters of SLP1; got 'k'.",
    "akshara 1.99:ka": "Expected a syllable from 1 to 54; got 99.",
    "without kara": "Expected one akṣara; got kara, which has 2.",
    "begins ka ga ca ja ṭa": "Expected one to four akṣaras, one for each pāda; got 5.",
    "begins -": "Expected one to four akṣaras, one for each pāda; got 1.",
    "rhyme 3": "Expected akṣaras that end alike from 1 to 2; got 3.",
    "rhyme x": "Expected rhyme SYLLABLES[:PADAS], such as 1 or 2:2,4; got 'x'.",
    "rhyme 1:2,2": "Expected two pādas or more from 1 to 4, in order; got 2, 2.",
}


@pytest.mark.parametrize("line", BAD, ids=lambda line: line[:20])
def test_what_cannot_be_read_gets_a_sentence(line):
    with pytest.raises((WishError, ReadingError)) as refusal:
        read_wish(line)
    assert str(refusal.value).startswith(BAD[line])


def test_forty_wishes_at_once_get_a_sentence():
    for wishes in (["word rāmaḥ"] * 40, [Word("rAmaH")] * 40):
        with pytest.raises(WishError, match="Expected at most 12 wishes at once; got 40"):
            read_wishes(wishes)
    with pytest.raises(WishError, match="Expected at most 12 wishes at once; got 40"):
        compile_wishes(ANUSTUBH, [Word("rAmaH")] * 40)
    with pytest.raises(WishError, match="Expected a list of wishes; got word rāmaḥ"):
        read_wishes("word rāmaḥ")
    with pytest.raises(WishError, match="Expected a wish in a line of text; got 5"):
        read_wishes([5])


# --------------------------------------------------------------------------------------------------------- refused

REFUSED = [
    (["given 4:pārvatīparameśvarāya"], "pāda 4: the given text has 9 syllables; it must have 8."),
    (["given 4:pārvatīparameśvara"], None),  # the verse's last is free
    (["given 4:pārvatīparasukhaṃ vā"], "pāda 4: syllable 6 of the given text is laghu; it must be guru."),
    (["given 2:vāgarthaṃ pratipadyatām"], None),
    (["given 2:vāgarthaṃ pratipadyantām"], "pāda 2: syllable 7 of the given text is guru; it must be laghu."),
    (["given half 1:vāgarthāviva saṃpṛktau"], "half 1: the given text has 8 syllables; anuṣṭubh has 16."),
    (["given beginning:rāmāya rāmāya rāmāya rāmāya rāmāya"], "syllable 13 of the given text is guru; it must be laghu."),
    (["word 2:rāmeṇārātīnāṃ"], "fits nowhere in pāda 2."),
    (["akshara 2.5:kā"], "pāda 2: syllable 5 must be laghu, and kā is guru."),
    (["akshara 2.9:ka"], "Expected a syllable from 1 to 8 of pāda 2 in anuṣṭubh; got 9."),
    (["akshara 1.1:ka", "begins kha"], "exclude each other: “Akṣara 1 of pāda 1 is ka” and “The pādas begin with kha (1)”."),
    (["word vande", "given 1:vāgarthāviva saṃpṛktau", "without n"], "“The verse has the word vande, by itself” and “The"),
    (["word 1:vāgarthāviva", "word 1:saṃpṛktau", "word 1:ca"], "got 3 of which any two can be kept, but not all: “Pāda"),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "complaint"), REFUSED, ids=lambda value: str(value)[:30])
def test_what_cannot_be_kept_is_refused_with_the_reason(lines, complaint):
    if complaint is None:
        assert len(compile_wishes(ANUSTUBH, read_wishes(lines))) > 100
        return
    with pytest.raises((WishError, ReadingError), match=re.escape(complaint)):
        compile_wishes(ANUSTUBH, read_wishes(lines))


def test_too_many_states_are_refused(monkeypatch):
    monkeypatch.setattr(wish_product, "MOST_STATES", 2000)
    with pytest.raises(TooManyStates, match="Expected fewer wishes, or a pāda named .* at most 2,000 states; got"):
        compile_wishes(ANUSTUBH, [Word("rAmaH"), Word("sItA"), Word("vanaM")], max_cluster=2)


def test_words_end_with_padas_where_that_is_asked_for_too():
    wishes = [Word("vande", 3)]
    runs_on = RAGHUVAMSHA.replace("saMpfktO vAgarTa", "saMpfktOvAgarTa")
    for yati, accepted in (("none", True), ("prefer", True), ("require", False)):
        automaton = compile_wishes(ANUSTUBH, wishes, yati=yati)
        assert automaton.accepts(RAGHUVAMSHA) and automaton.accepts(runs_on) == accepted
    counting = compile_wishes(ANUSTUBH, wishes, yati="prefer")
    assert counting.breaks[counting.read(runs_on)] == 1


def test_wishes_about_padas_need_padas_that_end_somewhere():
    mixture = find("upajāti (triṣṭubh-jagatī)")
    with pytest.raises(WishError, match="Expected a metre whose pādas end at a certain syllable"):
        compile_wishes(mixture, [Rhyme()])
    automaton = compile_wishes(mixture, [Word("karuRAkaraM"), Without("C")])
    assert automaton.accepts(VERSES["indravajrā"][1])


# -------------------------------------------------------------------------------- the automaton, and the definition


@st.composite
def wishes_of(draw, metre, text):
    """A wish that a verse keeps, or nearly."""
    halves = verse(text).halves
    padas = placed_padas(halves, find(metre))
    at = draw(st.integers(0, 3))
    pada = padas[at]
    words = draw(st.sampled_from(halves)).split()
    word = draw(st.sampled_from(words))
    akshara = draw(st.integers(0, len(pada.aksharas) - 1))
    letters = st.sampled_from("aiuAkgtdnmrvMHS")
    kinds = {
        "given": lambda: Given(pada.text, str(at + 1)),
        "half": lambda: Given(halves[at % 2], f"half {at % 2 + 1}"),
        "beginning": lambda: Given(" ".join(halves[0].split()[: draw(st.integers(1, 2))]), "beginning"),
        "over": lambda: Given(halves[0] + DANDA + halves[1].split()[0], "beginning"),
        "end": lambda: Given(" ".join(halves[1].split()[-draw(st.integers(1, 2)) :]), "end"),
        "all but the first word": lambda: Given(
            " ".join([*halves[0].split()[1:], ".", halves[1]]) if " " in halves[0] else halves[1], "end"
        ),
        "word": lambda: Word(word, draw(st.sampled_from([None, at + 1]))),
        "inside": lambda: Word(word[draw(st.integers(0, 2)) :] or word, draw(st.sampled_from([None, at + 1])), True),
        "akshara": lambda: Akshara(pada.aksharas[akshara].sounds, at + 1, akshara + 1),
        "open": lambda: Akshara(pada.aksharas[akshara].onset + pada.aksharas[akshara].vowel, at + 1, akshara + 1),
        "without": lambda: Without("".join({draw(letters), draw(letters)})),
        "from": lambda: Without(draw(letters), (), at + 1, akshara + 1),
        "not the akṣara": lambda: Without("", (pada.aksharas[akshara].sounds,), draw(st.sampled_from([None, 2, 4]))),
        "begins": lambda: Beginnings(tuple(pada.aksharas[0].sounds for pada in padas)),
    }
    try:
        return kinds[draw(st.sampled_from(sorted(kinds)))]()
    except WishError:
        assume(False)


@st.composite
def near_verses(draw):
    """A real verse, some wishes that it keeps or nearly keeps, and the verse with up to two letters changed."""
    metre, text = EXAMPLES[draw(st.sampled_from(sorted(EXAMPLES)))]
    wishes = draw(st.lists(wishes_of(metre, text), min_size=1, max_size=3))
    near = text
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(near) - 1))
        letter = draw(st.sampled_from([*LETTERS["slp1"], " ", ""]))
        near = near[:at] + letter + near[at + draw(st.integers(0, 1)) :]
    return metre, wishes, near


@settings(max_examples=300, deadline=None)
@given(near_verses())
def test_accepts_exactly_the_verses_of_the_metre_that_keep_every_wish(case):
    metre, wishes, text = case
    kept = compile_metre(find(metre), max_cluster=5).accepts(text)
    kept = kept and all(wish.kept(verse(text), find(metre)) for wish in wishes)
    assert accepts(wishes, text, metre) == kept, (wishes, text)


@settings(max_examples=60, deadline=None)
@given(near_verses())
def test_devanagari_and_bytes_accept_the_same(case):
    metre, wishes, text = case
    assume("\n" not in text)
    try:
        slp1 = compile_wishes(find(metre), wishes, max_cluster=5)
    except WishError:
        return
    for script, unit in (("slp1", "bytes"), ("devanagari", "characters"), ("devanagari", "bytes")):
        automaton = compile_wishes(find(metre), wishes, script, unit, max_cluster=5)
        written = write(text, script)
        if script == "slp1" or to_slp1(written.replace("।", ".").replace("॥", ".."), script) == text:
            assert automaton.accepts(written) == slp1.accepts(text), (wishes, written)


SETS = [
    ("anuṣṭubh", ["given 4:pārvatīparameśvarau", "word 2:vanaṃ"]),
    ("anuṣṭubh", ["word rāmo", "word 3:sītā", "without labials =ti"][:2]),
    ("vasantatilakā", ["begins ka gha cā ja", "without 3:sibilants"]),
    ("āryā", ["rhyme 1:2,4", "akshara 3.2:ta"]),
    ("mālinī", ["rhyme 2", "inside 1:megha"]),
    ("śārdūlavikrīḍita", ["given 1:yā kundendutuṣārahāradhavalā yā śubhravastrāvṛtā", "rhyme 1"]),
]


@pytest.mark.parametrize(("metre", "lines"), SETS, ids=lambda value: str(value)[:40])
@pytest.mark.parametrize("script", ["slp1", "devanagari"])
@pytest.mark.parametrize("unit", ["characters", "bytes"])
def test_every_state_reaches_an_end_and_walks_keep_the_wishes(metre, lines, script, unit):
    wishes = read_wishes(lines)
    automaton = compile_wishes(find(metre), wishes, script, unit)
    assert (automaton.to_end[1:] >= 0).all() and automaton.start == len(automaton) - 1
    below = automaton.delta.max(axis=1) < np.arange(len(automaton))
    assert below[1:].all()
    if unit == "bytes":
        return
    for seed in range(10):
        text = walk(automaton, random.Random(seed))
        walked = verse(to_slp1(text.replace("।", ".").replace("॥", ".."), script))
        assert walked.judged(find(metre)).verdict.full
        assert all(wish.kept(walked, find(metre)) for wish in wishes), text


def test_letters_to_the_end_and_those_that_are_due():
    given_pada = "pArvatIparameSvarO"
    automaton = compile_wishes(ANUSTUBH, [Given(given_pada, "4")])
    first = "vAgarTAviva saMpfktO vAgarTapratipattaye . jagataH pitarO vande "
    assert automaton.progress(first).padas == 3
    assert automaton.progress(first).letters_to_end == len(given_pada)
    assert automaton.alive_letters(automaton.read(first)) == ["p"]
    assert automaton.due[automaton.read(first)] == len(given_pada)
    assert automaton.due[automaton.read(first + given_pada[:5])] == len(given_pada) - 5
    assert automaton.due[automaton.read(first + given_pada)] == 0
    assert automaton.due[automaton.start] == len(given_pada)
    assert compile_metre(ANUSTUBH).due is None


def test_rhymes_are_made_on_the_commonest_endings():
    assert [len(endings) for endings in commonest().values()] == [100, 100]
    automaton = compile_wishes(ANUSTUBH, [Rhyme(1, (2, 4))])
    rhymed = RAGHUVAMSHA.replace("pattaye", "pattitaH").replace("parameSvarO", "parame tataH")
    assert automaton.accepts(rhymed) and Rhyme(1, (2, 4)).kept(verse(rhymed), ANUSTUBH)
    assert not automaton.accepts(RAGHUVAMSHA)


def test_wishes_are_equal_when_they_ask_the_same():
    assert len({read_wish("word రామః"), read_wish("word rāmaḥ"), Word("rAmaH")}) == 1
    assert isinstance(read_wish("rhyme 1"), Wish)
