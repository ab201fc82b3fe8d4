"""The table of metres: complete, well-formed, and the same patterns that skrutable has."""

import random
import re
from collections import Counter
from pathlib import Path

import pytest
from skrutable import meter_patterns as skrutable

from tests.verses import VERSES, halves
from workbench.prosody.identify import parts
from workbench.prosody.metres import GANAS, UnknownMetre, _parse, all_metres, common, find, fold, plain_name, search
from workbench.prosody.scansion import weigh
from workbench.verification import peers

SKRUTABLE_GANAS = {
    "y": "ya",
    "m": "ma",
    "t": "ta",
    "r": "ra",
    "j": "ja",
    "B": "bha",
    "b": "bha",
    "n": "na",
    "s": "sa",
    "l": "la",
    "g": "ga",
}


def expand(pattern: str) -> str:
    return "".join(GANAS[SKRUTABLE_GANAS[letter]] for letter in pattern)


def by_skrutable_name(kind: str) -> dict[tuple[str, int], object]:
    ours = [metre for metre in all_metres() if metre.kind == kind and metre.skrutable]
    return {(metre.skrutable, len(max(metre.padas[0].weights))): metre for metre in ours}


def test_how_many():
    kinds = Counter(metre.kind for metre in all_metres())
    assert kinds == {
        "anuṣṭubh": 1, "samavṛtta": 134, "daṇḍaka": 11, "ardhasamavṛtta": 11, "viṣamavṛtta": 11, "upajāti": 8, "jāti": 25,
    }  # fmt: skip
    assert all(metre.source for metre in all_metres())


def test_every_samavrtta_of_skrutable_with_its_pattern():
    ours = by_skrutable_name("samavṛtta")
    for length, patterns in skrutable.samavfttas_by_family_and_gaRa.items():
        for pattern, name in patterns.items():
            heavy = expand(skrutable.choose_heavy_gaRa_pattern(pattern))
            metre = ours.pop((name, length))
            # The last syllable is free in both.
            assert all(pada.weights == {heavy, heavy[:-1] + "l"} for pada in metre.padas), name
    assert not ours


def test_every_ardhasama_and_visamavrtta_of_skrutable_with_its_pattern():
    ours = by_skrutable_name("ardhasamavṛtta")
    for (odd, even), label in skrutable.ardhasamavftta_by_odd_even_weights.items():
        metre = ours.pop((label.split(" = ")[0], len(odd)))
        assert [pada.weights for pada in metre.padas] == [{odd}, {even}, {odd}, {even}]
    assert not ours
    ours = by_skrutable_name("viṣamavṛtta")
    for patterns, label in skrutable.vizamavftta_by_4_tuple.items():
        metre = ours.pop((label.split(" = ")[0], 10))
        assert [pada.weights for pada in metre.padas] == [{expand(pattern)} for pattern in patterns]
    assert not ours


def test_morae_of_the_jatis_are_skrutables():
    for _, name, _, _, _, quarters in skrutable.jAtis_by_ardha_morae:
        for pada, morae in zip(find(name).padas, quarters, strict=True):
            counted = {len(weights) + weights.count("g") for weights in pada.weights}
            free_end = {weights[:-1] + "l" for weights in pada.weights} <= pada.weights
            assert counted == ({morae, morae - 1} if free_end else {morae}), name


def of_morae(morae: int) -> list[str]:
    """Every string of weights of so many morae."""
    if morae <= 0:
        return [""] * (morae == 0)
    return [weight + rest for weight, long in (("l", 1), ("g", 2)) for rest in of_morae(morae - long)]


@pytest.mark.parametrize(
    ("name", "end"), [("vaitālīya", "glglg"), ("aupacchandasika", "glglgg"), ("āpātalikā", "gllgg")]
)
def test_the_vaitaliya_family_is_its_rule_in_words(name, end):
    """Exhaustive: six or eight morae before the end, no guru on an even mora; in even pādas not six lights in a row."""
    odd, even = find(name).padas[:2]
    for pada, morae in ((odd, 6), (even, 8)):
        keeps = set()
        for weights in of_morae(morae):
            begins = [1 + sum(1 + (before == "g") for before in weights[:at]) for at in range(len(weights))]
            joined = any(weight == "g" and mora % 2 == 0 for weight, mora in zip(weights, begins, strict=True))
            if not joined and not (morae == 8 and "llllll" in weights):
                keeps.add(weights + end)
        if morae == 8:
            keeps |= {weights[:-1] + "l" for weights in keeps}
        assert pada.weights == keeps


@pytest.mark.parametrize(
    ("fixed", "general"),
    [("viyoginī", "vaitālīya"), ("aparavaktra", "vaitālīya"), ("mālābhāriṇī", "aupacchandasika"),
     ("puṣpitāgrā", "aupacchandasika"), ("rathoddhatā", "aparāntikā")],
)  # fmt: skip
def test_metres_with_fixed_weights_are_cases_of_their_mora_metre(fixed, general):
    for one, other in zip(find(fixed).padas, find(general).padas, strict=True):
        assert {weights for weights in one.weights if weights[-1] == "g"} <= other.weights


# Kedāra's definitions are in the metres they define (Vṛttaratnākara 2): a pāda or the first half of each.
DEFINED = {
    "dakṣiṇāntikā": "tftIyayug dakziRAntikA samastapAdezu dvitIyalaH",
    "udīcyavṛtti": "udIcyavfttirdvitIyalaH sakto'greRa Baved ayugmayoH",
    "prācyavṛtti": "pUrveRa yuto'Ta paYcamaH prAcyavfttiruditeti yugmayoH",
    "pravṛttaka": "yadA samAvojayugmakO pUrvayorBavati tat pravfttakam",
    "aparāntikā": "asya yugmaracitAparAntikA",
    "cāruhāsinī": "ayugBavA cAruhAsinI",
    "acaladhṛti": "dvikaguRitavasulaGuracalaDftiriha",
    "śikhā": "SiKiguRitadaSalaGuracitamapagatalaGuyugalamaparamidamaKilam",
    "atirucirā (mātrā)": "triguRanavalaGuravasitigururiti dalayugakftatanuratirucirA",
}


@pytest.mark.parametrize("name", DEFINED)
def test_definitions_of_the_vrttaratnakara_are_in_the_metre_they_define(name):
    (part,) = parts([weigh(DEFINED[name])], find(name))
    assert 0 in part.starts


def test_anustubh_is_the_rule_of_the_design():
    """Exhaustive over the 256 weight strings of a pāda, against the rule in words."""
    odd, even = find("anuṣṭubh").padas[:2]
    for bits in range(256):
        pada = "".join("lg"[bits >> at & 1] for at in range(8))
        ll = pada[1:3] == "ll"
        assert (pada in even.weights) == (pada[4:7] == "lgl" and not ll and pada[1:4] != "glg")
        form = (
            "pathyā"
            if pada[4:7] == "lgg" and not ll
            else "ma-vipulā"
            if pada[1:7] == "glgggg"
            else "bha-vipulā"
            if pada[1:7] in ("glggll", "ggggll")
            else "na-vipulā"
            if pada[3:7] == "glll" and not ll
            else "ra-vipulā"
            if pada[3:7] == "gglg" and not ll
            else None
        )
        assert odd.names.get(pada) == form, pada


def test_yatis_fill_their_padas():
    with_yati = [metre for metre in all_metres() if metre.padas[0].yati]
    assert len(with_yati) == 56
    assert all(sum(metre.padas[0].yati) == metre.padas[0].lengths[0] for metre in with_yati)
    assert find("mandākrāntā").padas[0].yati == (4, 6, 7)
    assert find("śārdūlavikrīḍita").padas[0].yati == (12, 7)


def test_no_name_means_two_metres():
    owners: dict[str, set[str]] = {}
    for metre in all_metres():
        for name in (metre.name, *metre.also):
            owners.setdefault(fold(name), set()).add(metre.name)
    assert {name: found for name, found in owners.items() if len(found) > 1} == {}


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Vasantatilaka", "vasantatilakā"), ("śloka", "anuṣṭubh"), ("arya", "āryā"), ("sundarī", "viyoginī"),
        ("shardula", "śārdūlavikrīḍita"), ("sardulavikridita", "śārdūlavikrīḍita"), ("shloka", "anuṣṭubh"),
        ("zArdUlavikrIDita", "śārdūlavikrīḍita"), ("wasantatilaka", "vasantatilakā"), ("totakam", "toṭaka"),
        ("chandrika", "candrikā"), ("shikharinee", "śikhariṇī"), ("vasanta", "vasantatilakā"), ("मालिनी", "mālinī"),
        ("bhujangaprayat", "bhujaṅgaprayāta"), ("bhujanga", "bhujaṅga"), ("sumukhi", "sumukhī"), ("Mandaakraantaa", "mandākrāntā"),
    ],
)  # fmt: skip
def test_names_as_people_type_them(name, found):
    assert find(name).name == found


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("sardula", "śārdūlavikrīḍita"), ("shardula", "śārdūlavikrīḍita"), ("sloka", "anuṣṭubh"), ("shloka", "anuṣṭubh"),
        ("indravajra", "indravajrā"), ("arya", "āryā"), ("giti", "gīti"), ("upajati", "upajāti"), ("malini", "mālinī"),
        ("mandakranta", "mandākrāntā"), ("Vasanta", "vasantatilakā"), ("prithvi", "pṛthvī"), ("bhujangap", "bhujaṅgaprayāta"),
        ("vritta", "vṛtta"), ("candavrishti", "caṇḍavṛṣṭiprapāta"), ("19", "śārdūlavikrīḍita"), ("dandaka", "caṇḍavṛṣṭiprapāta"),
        ("sundari", "viyoginī"), ("मालिनी", "mālinī"), ("qqq", None),
    ],
)  # fmt: skip
def test_metres_are_found_by_what_people_type(typed, first):
    found = search(typed)
    assert (found[0].name if found else None) == first


def test_every_metre_is_found_by_each_of_its_names():
    for metre in all_metres():
        for name in (metre.name, *metre.also):
            assert metre in search(name)[:3], name


def test_with_nothing_typed_the_common_ones_come_first():
    found = search("")
    assert found[: len(common())] == list(common()) and set(found) == set(all_metres())


def test_the_beginning_of_several_names_is_answered_with_them():
    with pytest.raises(UnknownMetre, match="got 'chandra', which may be candravartma, candrikā, candralekhā"):
        find("chandra")
    with pytest.raises(UnknownMetre, match="Expected a metre of the table; got 'man'"):
        find("man")  # too short to stand for a name


def test_no_plain_name_means_two_metres():
    owners: dict[str, set[str]] = {}
    for metre in all_metres():
        for name in (metre.name, *metre.also):
            owners.setdefault(plain_name(name), set()).add(metre.name)
    assert {name: found for name, found in owners.items() if len(found) > 1} == {}


def test_outlines():
    assert find("mandākrāntā").outline == ("gggg lllllg glgglgx",)
    assert find("anuṣṭubh").outline == ("xxxxlggx", "xxxxlglx")
    assert find("upajāti").outline == ("xglggllglgx",)
    assert find("upajāti (triṣṭubh-jagatī)").outline == ("xglggllglgx|xglggllglglx",)
    assert find("upajāti (miśra)").outline == () and find("pādākulaka").outline == ()
    assert find("udgatā").outline == tuple(max(pada.weights) for pada in find("udgatā").padas)


@pytest.mark.parametrize(
    ("name", "outline"),
    [("āryā", ("12", "8l2l4x", "12", "8l4x")), ("vaitālīya", ("6glglg", "8glglx")), ("acaladhṛti", ("l" * 16,)),
     ("viśloka", ("4l2l6g", "4l2l6x")), ("upacitrā (mātrāsamaka)", ("8g4g", "8g4x")),
     ("prācyavṛtti", ("6glglg", "2lgl2glglx"))],
)  # fmt: skip
def test_an_outline_of_morae_tells_what_is_fixed_and_how_much_is_not(name, outline):
    assert find(name).outline == outline


@pytest.mark.parametrize("metre", [each for each in all_metres() if each.unit == "morae"], ids=lambda metre: metre.name)
def test_an_outline_of_morae_has_as_many_as_its_pada(metre):
    drawn = metre.outline * (4 // len(metre.outline)) if metre.outline else ()
    for pada, morae in zip(drawn, metre.morae, strict=bool(drawn)):
        fixed = sum({"l": 1, "g": 2, "x": 2}[weight] for weight in re.findall("[lgx]", pada))
        assert fixed + sum(map(int, re.findall(r"\d+", pada))) == morae


def test_an_unknown_metre_names_the_nearest():
    with pytest.raises(UnknownMetre, match="got 'mandakranti'; did you mean mandākrāntā"):
        find("mandakranti")
    with pytest.raises(UnknownMetre, match="such as anuṣṭubh"):
        find("qqq")


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        ({"ganas": "ta xa"}, "Expected gaṇas among ya, ma"),
        ({"ganas": "ta ta", "yati": [4, 4]}, "to fill a pāda of 6 syllables"),
    ],
)
def test_a_wrong_entry_says_what_was_expected(entry, complaint):
    table = {
        "anustubh": {},
        "sama": {"new": entry},
        "dandaka": {},
        "ardhasama": {},
        "visama": {},
        "upajati": {},
        "jati": {"gana": {}, "pada": {}, "metre": {}},
    }
    with pytest.raises(ValueError, match=complaint):
        _parse(table)


def test_a_new_metre_is_one_entry():
    table = {
        "anustubh": {},
        "sama": {"new": {"ganas": "ta ja ga", "yati": [4, 3]}},
        "dandaka": {},
        "ardhasama": {},
        "visama": {},
        "upajati": {},
        "jati": {"gana": {}, "pada": {}, "metre": {}},
    }
    (metre,) = _parse(table)
    assert metre.padas[3].weights == {"ggllglg", "ggllgll"}
    assert (metre.syllables, metre.summary) == (28, "4 × 7")


@pytest.mark.parametrize("name", VERSES)
def test_poets_verses_have_their_metres_length(name):
    weights = list(map(weigh, halves(VERSES[name][1])))
    assert find(name).count(weights) in find(name).lengths


@pytest.mark.parametrize("metre", all_metres(), ids=lambda metre: metre.name)
def test_whatever_fills_a_metre_has_its_length_and_a_pada_more_or_less_has_not(metre):
    chance = random.Random(metre.name)
    for _ in range(20):
        one, two, three, four = (chance.choice(sorted(pada.weights)) for pada in metre.padas)
        assert metre.count([one + two, three + four]) in metre.lengths
        assert metre.count([one + two, four]) < metre.lengths[0] <= metre.lengths[-1]
        assert metre.count([one + two, three + four + four]) > metre.lengths[-1]


@pytest.mark.parametrize("metre", [each for each in all_metres() if each.unit == "morae"], ids=lambda metre: metre.name)
def test_whatever_fills_a_mora_metre_is_divided_into_ganas_and_nothing_is_lost(metre):
    chance = random.Random(metre.name)
    for number, told in enumerate(metre.summary.removesuffix(" morae").split(" + ")):
        for weights in chance.choices(sorted(metre.padas[number].weights), k=20):
            morae, ganas = metre.mora_count(weights)
            assert "".join(ganas) == weights and len(ganas) > 1
            assert morae == int(told)


def test_what_a_verse_is_counted_in():
    assert (find("anuṣṭubh").unit, find("anuṣṭubh").lengths) == ("syllables", (32,))
    assert (find("vasantatilakā").unit, find("vasantatilakā").lengths) == ("syllables", (56,))
    assert find("upajāti (triṣṭubh-jagatī)").lengths == (44, 45, 46, 47, 48)
    arya = find("āryā")
    assert (arya.unit, arya.lengths) == ("morae", (57,))
    # A light end makes up for a mora that is lacking, and for no more.
    assert [arya.count(["g" * 15, "g" * at + "l"]) for at in (13, 12)] == [57, 56]
    assert arya.count(["g" * 14 + "ll", "g" * 13 + "l"]) == 57
    assert arya.count(["g" * 14 + "l", "g" * 13 + "l"]) == 57 and arya.count(["g" * 15, "g" * 14]) == 58


def test_another_table_is_compared_by_patterns_and_what_differs_has_its_reason_on_the_page(tmp_path):
    table = tmp_path / "peers.tsv"
    table.write_text("malinI\tLLLLLLGG|GLGGLGG\nvegavatI\tLLGLLGLLGLLGG/GLLGLLGLLGG\nnUtanA\tGLLLLLLLLLLLLL\n", "utf-8")
    same, reasoned, missing = peers.compare(table)
    assert (same.ours, reasoned.ours, missing.ours) == ("mālinī", "", "")
    assert "sa sa sa ga" in reasoned.reason and missing.reason == ""
    page = (Path(__file__).parents[2] / "docs" / "METRES.md").read_text(encoding="utf-8")
    assert all(reason.removeprefix("our yavamatī: ") in page for reason in peers.REASONS.values())
