"""Rows as texts: canonical SLP1, the metre of real verses, what is refused and why."""

import pytest

from workbench.corpora.overlap import MeasuredTexts, SeenTexts, letters, sentences
from workbench.corpora.prepare import stem
from workbench.corpora.sources import KINDS, Source, sources
from workbench.corpora.texts import NO_ENDING, Text, Unreadable, canonical, find_metre, read_row

PAIRS = Source("some", "some.jsonl.gz", "pairs", "none")
WORDS = Source("words", "words.jsonl.gz", "words", "none")


@pytest.mark.parametrize(
    ("devanagari", "slp1"),
    [
        # Bhagavadgītā 1.1, as editions write it and as dharmanexus divides it
        ("धर्मक्षेत्रे कुरुक्षेत्रे समवेता युयुत्सवः । मामकाः पाण्डवाश्चैव किमकुर्वत संजय ॥ १ ॥",
         "Darmakzetre kurukzetre samavetA yuyutsavaH . mAmakAH pARqavAScEva kimakurvata saMjaya"),
        ("मामकाः पाण्डवाश् चैव किम् अकुर्वत संजय ॥", "mAmakAH pARqavAScEva kimakurvata saMjaya"),
        ("रामः", "rAmaH"),
    ],
)  # fmt: skip
def test_editions_that_divide_words_differently_are_spelled_alike(devanagari, slp1):
    assert canonical(devanagari) == slp1


@pytest.mark.parametrize(
    ("text", "reason"),
    [("", "empty"), ("123 ।।", "empty"), ("राम Ω", "letters"), ("रा" * 130, "too long")],
)
def test_what_cannot_be_read_is_a_reason(text, reason):
    with pytest.raises(Unreadable, match=reason):
        canonical(text)


@pytest.mark.parametrize(
    ("slp1", "metre"),
    [
        # Rāmāyaṇa 1.2.15; Meghadūta 1 in two lines; Bhagavadgītā 11.36 in four; prose
        ("mA nizAda pratizWAM tvamagamaH SASvatIH samAH . yatkrOYcamiTunAdekamavaDIH kAmamohitam", "anuṣṭubh"),
        ("kaScitkAntAvirahaguruRA svADikArAtpramattaH SApenAstaMgamitamahimA varzaBogyeRa BartuH . "
         "yakzaScakre janakatanayAsnAnapuRyodakezu snigDacCAyAtaruzu vasatiM rAmagiryASramezu", "mandākrāntā"),
        ("sTAne hfzIkeSa tava prakIrtyA . jagatprahfzyatyanurajyate ca . rakzAMsi BItAni diSo dravanti . "
         "sarve namasyanti ca sidDasaMGAH", "upajāti"),
        ("sa gfhaM gacCati . tatra jalaM pibati", ""),
        ("ekameva", ""),
    ],
)  # fmt: skip
def test_the_metre_is_our_own_engines(slp1, metre):
    assert find_metre(slp1) == metre


def test_a_row_of_pairs():
    row = {"id": "x.1", "sa": "रामो वनं गच्छति ।", "en": "Rāma  goes to\nthe forest.", "source": "x",
           "anvaya": "रामः (दाशरथिः) वन-मध्यम् गच्छति"}  # fmt: skip
    (text,) = read_row(row, PAIRS)
    assert (text.slp1, text.english, text.anvaya) == (
        "rAmo vanaM gacCati",
        "Rāma goes to the forest.",
        "rAmaH vanamaDyamgacCati",
    )


@pytest.mark.parametrize("english", ["", "१२", "रामः वनं गच्छति", "x" * 1200])
def test_a_pair_without_english_is_left_out(english):
    with pytest.raises(Unreadable):
        read_row({"id": "x", "sa": "रामः", "en": english, "source": "x"}, PAIRS)


@pytest.mark.parametrize(
    ("slp1", "found"),
    [
        ("SAstra kahate hEM ki", True),  # Hindi: śāstra kahate haiṃ ki
        ("baMDana meM banDa", True),
        ("tO prayAntO mahAvIroM divyAM", True),  # a misprint of mahāvīrau
        ("oM namo BagavatIM vandehaM", False),
        ("eNkAra oMkAraH saMyogo meMha", False),  # within a word
    ],
)
def test_an_ending_that_no_sanskrit_word_has(slp1, found):
    assert bool(NO_ENDING.search(slp1)) == found


def test_a_dictionarys_entry_is_a_text_a_word():
    row = {"en": "lion", "sa": ["सिंहः", "Ω", "मृगेन्द्रः (king of beasts)"], "source": "mw"}
    assert [text.slp1 for text in read_row(row, WORDS)] == ["siMhaH", "mfgendraH"]


@pytest.mark.parametrize(
    ("word", "lemma"), [("siMhaH", "siMha"), ("Palam", "Pala"), ("nadI", "nadI"), ("gam", "ga"), ("guruH", "guru")]
)
def test_a_stem_is_what_a_lemma_looks_like(word, lemma):
    assert stem(word) == lemma


# ------------------------------------------------------------------------------------------ overlap

GITA = Text("1", "dev", "gita", "Darmakzetre kurukzetre samavetA yuyutsavaH . mAmakAH pARqavAScEva kimakurvata saMjaya",
            "On the field of dharma, gathered and eager to fight; what did they do, Sanjaya?")  # fmt: skip


def test_editions_letters_do_not_hide_what_is_shared():
    assert letters("saYjaya uvAca") == letters("saMjaya uvAca") == letters("saMjayauvAca")


def test_sentences_have_six_words():
    assert list(sentences("He went. He went to the great forest, O king! Śiva said: yes.")) == [
        "he went to the great forest o king"
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (Text("2", "a", "a", "anyat . mAmakAH pARqavAScEva kimakurvata saYjaya"), "half-line of dev or test"),
        (
            Text("3", "a", "a", "rAmo vanam", "Look: on the field of Dharma, gathered and eager to fight."),
            "sentence of dev or test",
        ),
        (Text("4", "a", "a", "rAmo vanam", "On the field of battle, gathered and eager to fight."), ""),
        (Text("5", "a", "a", "saMjaya", "What did they do?"), ""),
    ],
)
def test_what_shares_a_line_or_a_sentence_with_dev_is_found(text, reason):
    measured = MeasuredTexts()
    measured.add(GITA)
    assert measured.shared(text) == reason


def test_what_was_seen_before():
    seen = SeenTexts()
    assert not seen.before(GITA)
    assert seen.before(Text("9", "b", "b", GITA.slp1, GITA.english))
    assert not seen.before(Text("10", "b", "b", GITA.slp1, "Another English of the same verse."))
    assert seen.before(Text("11", "b", "b", GITA.slp1))
    assert not seen.before(Text("12", "b", "b", GITA.slp1, lemmas=("Darma", "kzetra")))
    assert not seen.before(
        Text(
            "13",
            "b",
            "b",
            "anyadvAkyamidaM proktaM munInAM BAvitAtmanAm . mAmakAH pARqavAScEva kimakurvata saMjaya",
        )
    )


def test_every_source_is_of_a_known_kind_and_has_a_licence():
    for source in sources().values():
        assert source.kind in KINDS and source.licence and source.file.endswith(".jsonl.gz")
    assert [source.measured for source in sources().values()][:2] == [True, True]
