"""Metres identified, faults located in words, licences named, and skrutable asked in one guarded place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verses import VERSES, VIPULAS, half_verse, halves
from workbench.prosody.identify import identify, lay_over, nearest, parts
from workbench.prosody.metres import all_metres, find
from workbench.prosody.scansion import weigh
from workbench.prosody.verdict import ask_skrutable, metre_verdict, metre_verdicts
from workbench.verification.agreement import skrutable_cannot

GITA = halves(VERSES["anuṣṭubh"][1])


@pytest.mark.parametrize("name", VERSES)
def test_real_verses_are_identified_by_us_and_by_skrutable(name):
    source, verse = VERSES[name]
    verdict = metre_verdict(halves(verse))
    assert (verdict.metre.name, verdict.full, verdict.problems, verdict.licences) == (name, True, (), ()), source
    if not skrutable_cannot(verdict.metre):
        assert verdict.perfect(verdict.metre) and verdict.skrutable.perfect(verdict.metre), verdict.skrutable
    assert len(verdict.padas) == 4
    assert "".join(pada.weights for pada in verdict.padas) == "".join(map(weigh, halves(verse)))


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("Darmakzetre kurukzetre samavetA yuyutsavaH", "half of anuṣṭubh"),
        ("mAmakAH pARqavAScEva", "pāda 1 or 3 of anuṣṭubh"),
        ("kaScit kAntAvirahaguruRA svADikArAt pramattaH", "pāda of mandākrāntā"),
        ("siMhaH SiSurapi nipatati madamalinakapolaBittizu gajezu", "half 1 of āryā"),
        ("yA kundendutuzArahAraDavalA yA SuBravastrAvftA", "pāda of śārdūlavikrīḍita"),
        ("sahasA vidaDIta na kriyAm", "pāda 1 or 3 of viyoginī"),
    ],
)
def test_a_line_by_itself_is_told_what_it_can_be(line, wanted):
    verdict = metre_verdict([line])
    assert not verdict.full and not verdict.complete and wanted in verdict.part_of


@pytest.mark.parametrize(
    ("lines", "metre", "words", "rows"),
    [
        (["kaScit kAntAvirahaguruRA svADikArAt pramattaH"], "mandākrāntā", "pāda of mandākrāntā", [17]),
        (["lokABirAmaM raRaraNgaDIraM"], "indravajrā", "pāda of indravajrā", [11]),
        (["samavetA yuyutsavaH"], "anuṣṭubh", "pāda 2 or 4 of anuṣṭubh", [8]),
        (["prakftiriyaM sattvavatAM na Kalu vayastejaso hetuH"], "āryā", "half 2 of āryā", [9, 10]),
        (["mAmakAH pARqavAScEva", "kimakurvata saYjaya"], "anuṣṭubh", "half of anuṣṭubh", [8, 8]),
        ([GITA[0], "mAmakAH pARqavAScEva"], "anuṣṭubh", "three pādas of anuṣṭubh", [8, 8, 8]),
        (["yA kundendutuzArahAraDavalA yA SuBravastrAvftA", "yA vIRAvaradaRqamaRqitakarA yA SvetapadmAsanA"],
         "śārdūlavikrīḍita", "half of śārdūlavikrīḍita", [19, 19]),
        (["sahasA vidaDIta na kriya"], "viyoginī", "pāda 1 or 3 of viyoginī", [10]),  # a light end stands for a heavy
    ],
)  # fmt: skip
def test_less_than_a_verse_is_shown_as_what_it_is(lines, metre, words, rows):
    verdict = metre_verdict(lines)
    assert (verdict.metre.name, verdict.part_of[0], verdict.full, verdict.complete) == (metre, words, False, False)
    assert [len(pada.syllables) for pada in verdict.padas] == rows
    assert len(verdict.problems) == 1


def test_of_what_a_line_can_be_the_common_metres_come_before_the_others_and_mixtures_after():
    names = [words.split(" of ")[1] for words in metre_verdict(["lokABirAmaM raRaraNgaDIraM"]).part_of]
    assert names[:3] == ["indravajrā", "upajāti", "upajāti (triṣṭubh-jagatī)"]
    fixed, general, *_ = metre_verdict(["sahasA vidaDIta na kriyAm"]).part_of
    assert (fixed, general) == ("pāda 1 or 3 of viyoginī", "pāda 1 or 3 of vaitālīya")


def test_a_line_is_judged_as_the_metre_that_was_asked_for():
    assert metre_verdict(["lokABirAmaM raRaraNgaDIraM"], find("upajāti")).part_of == ("pāda of upajāti",)


def test_four_lines_of_one_verse_with_faults_are_one_verse():
    faulty = ["Darmakzetre kurukzetre", "samavetA yudDArTinaH", "mAmakAH pARqavASca", "kimakurvata vE saYjaya"]
    (verdict,) = metre_verdicts(faulty)
    assert verdict.metre.name == "anuṣṭubh" and len(verdict.padas) == 4


@given(st.sampled_from(all_metres()), st.integers(0, 3), st.data())
def test_every_pada_and_half_of_every_metre_is_told_to_be_that(metre, at, data):
    padas = [data.draw(st.sampled_from(sorted(pada.weights))) for pada in metre.padas]
    (pada,) = parts([padas[at]], metre)
    assert at in pada.starts and pada.what == "pāda"
    half = at // 2
    (part,) = parts(["".join(padas[2 * half : 2 * half + 2])], metre)
    assert part.metre == metre and metre in [each.metre for each in parts([padas[at]])]


def test_two_halves_are_no_part():
    assert metre_verdict(GITA).part_of == ()


@pytest.mark.parametrize("form", VIPULAS)
def test_forms_of_anustubh(form):
    verdict = metre_verdict(halves(VIPULAS[form]))
    assert form in {pada.form for pada in verdict.padas}
    assert form in verdict.skrutable.label


def test_forms_of_a_mixture_are_the_metres_of_its_padas():
    verdict = metre_verdict(halves(VERSES["upajāti"][1]))
    assert [pada.form for pada in verdict.padas] == ["indravajrā", "indravajrā", "upendravajrā", "upendravajrā"]


@pytest.mark.parametrize(
    ("old", "new", "sentences"),
    [
        ("yuyutsavaH", "yudDArTinaH", ["Pāda 2, syllable 5 (yu) is guru; it should be laghu."]),
        ("samavetA", "samavetAH", []),  # it may be either there
        ("cEva", "ca", ["Pāda 3 has 7 syllables; anuṣṭubh wants 8."]),
        ("saYjaya", "tu saYjaya", ["Pāda 4 has 9 syllables; anuṣṭubh wants 8."]),
        ("kimakurvata saYjaya", "kimakurvata san", ["Pāda 4 has 6 syllables; anuṣṭubh wants 8."]),
    ],
)
def test_faults_are_located_in_words(old, new, sentences):
    verdict = metre_verdict([half.replace(old, new) for half in GITA])
    assert verdict.metre.name == "anuṣṭubh"
    assert [problem.sentence for problem in verdict.problems] == sentences
    assert verdict.full == (not sentences)


def test_a_fault_is_also_data():
    (fault,) = metre_verdict([GITA[0].replace("yuyutsavaH", "yudDArTinaH"), GITA[1]]).problems
    assert (fault.pada, fault.syllable, fault.wanted, fault.got) == (2, 5, "laghu", "guru")


def test_a_verse_judged_as_another_metre():
    verdict = metre_verdict(halves(VERSES["indravajrā"][1]), find("upendravajrā"))
    assert not verdict.full
    assert [problem.sentence for problem in verdict.problems] == [
        "Pāda 1, syllable 1 (lo) is guru; it should be laghu.",
        "Pāda 2, syllable 1 (rā) is guru; it should be laghu.",
        "Pāda 3, syllable 1 (kā) is guru; it should be laghu.",
        "Pāda 4, syllable 1 (śrī) is guru; it should be laghu.",
    ]
    # A pure indravajrā is also an upajāti, if that is what was asked for.
    assert metre_verdict(halves(VERSES["indravajrā"][1]), find("upajāti")).full


def test_the_licence_of_kramasamyoga_is_named():
    # Mahābhārata: vāpi krīḍate; skrutable lets pi stay light before the word-initial kr.
    verse = ["kasyESvaryaM samAnaM ca BUtEH ko vApi krIqate", "kasya tulyabalA deva gaRAScESvaryadarpitAH"]
    verdict = metre_verdict(verse)
    assert verdict.full
    assert [licence.sentence for licence in verdict.licences] == [
        "Pāda 2, syllable 5 (pi) counts as laghu: the conjunct after it begins a word "
        "(kramasaṃyoga, Vṛttaratnākara 1.10)."
    ]
    assert verdict.skrutable.perfect(find("anuṣṭubh"))
    # gr is not among the conjuncts.
    assert not metre_verdict([verse[0].replace("krIqate", "grIqate"), verse[1]]).full


def test_the_licence_of_a_padas_end_is_named():
    # viyoginī writes its last syllable heavy; a light one there stands for it.
    first, second = halves(VERSES["viyoginī"][1])
    verdict = metre_verdict([first, second.replace("saMpadaH", "saMpada")])
    assert (verdict.metre.name, verdict.full) == ("viyoginī", True)
    assert [licence.sentence for licence in verdict.licences] == [
        "Pāda 4, syllable 11 (da) counts as guru: it ends the pāda, where a laghu may stand for a guru (pādānte vā)."
    ]


@pytest.mark.parametrize(
    "written",
    [
        [" ".join(GITA)],  # no daṇḍa
        ["Darmakzetre kurukzetre", "samavetA yuyutsavaH", GITA[1]],  # one too many
        ["Darmakzetre kurukzetre", "samavetA yuyutsavaH", "mAmakAH pARqavAScEva", "kimakurvata saYjaya"],
    ],
)
def test_half_verses_are_found_where_dandas_are_missing_or_too_many(written):
    verdict = metre_verdict(written)
    assert (verdict.full, verdict.complete) == (True, True)
    assert verdict.halves == tuple(GITA)


def test_half_a_verse_and_one_and_a_half():
    half = metre_verdict(GITA[:1])
    assert (half.full, half.complete, half.metre.name) == (False, False, "anuṣṭubh")
    assert "got one half of 16 syllables" in half.problems[0].sentence
    three = metre_verdict([*GITA, GITA[1]])
    assert three.problems[0].sentence == "Expected a verse of two half-verses; got 3."
    assert [len(pada.syllables) for pada in three.padas] == [8] * 6


def test_no_metre_is_near():
    verdict = metre_verdict(["rAma eva", "sItA vanaM jagAma ha sma vE"])
    assert verdict.metre is None
    assert verdict.problems[0].sentence == "No metre of the table is near to 4 syllables and 10 syllables."


def test_nearest_metres_come_in_order():
    near = nearest([weigh(half.replace("yuyutsavaH", "yudDArTinaH")) for half in GITA])
    assert near[0].metre.name == "anuṣṭubh"
    assert [one.cost for one in near] == sorted(one.cost for one in near)


@pytest.mark.parametrize("lines", [[], [""], ["", ""], ["k"], ["a"], ["a"] * 9, ["'", "~"], ["ka" * 500]])
def test_skrutable_is_asked_safely(lines):
    verdict = ask_skrutable(lines)
    assert verdict.score < 9 or not verdict.label.startswith("anuṣṭubh (1,2")


def test_skrutable_sees_clean_letters():
    # ॐ, jihvāmūlīya and avagraha: skrutable would drop or misread them in the spellings they came in.
    assert ask_skrutable(["yo'ntaZkaraRarUpeRa sTito Bavati sarvadA", GITA[1]]).score == 9


@given(st.lists(half_verse, min_size=1, max_size=4))
def test_any_syllables_get_a_verdict(lines):
    verdict = metre_verdict(lines)
    assert verdict.full != bool(verdict.problems)
    if verdict.full:
        assert all(pada.weights for pada in verdict.padas)


@given(st.sampled_from([metre for metre in all_metres() if metre.kind != "jāti"]), st.data())
def test_every_filling_of_every_metre_is_identified_without_fault(metre, data):
    weights = [data.draw(st.sampled_from(sorted(pada.weights))) for pada in metre.padas]
    first, second = weights[0] + weights[1], weights[2] + weights[3]
    found = identify(first, second)
    assert found is not None and not found.licences
    assert identify(first, second, metre=metre) is not None
    assert lay_over(metre, [first, second]).faults == ()
