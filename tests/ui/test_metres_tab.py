"""Every metre has its page: found by what people type, its pattern drawn as the table has it."""

import pytest

from tests.verses import VERSES
from workbench import composer
from workbench.ui import metres_tab, strings


def test_the_list_has_every_metre_the_common_ones_first():
    names = [name for _, name in metres_tab.listed("")]
    assert names[:3] == ["anuṣṭubh", "upajāti", "śārdūlavikrīḍita"]
    assert sorted(names) == sorted(metre.name for metre in composer.all_metres())


@pytest.mark.parametrize(
    "typed, first",
    [("sardula", "śārdūlavikrīḍita"), ("shardula", "śārdūlavikrīḍita"), ("sloka", "anuṣṭubh"),
     ("indravajra", "indravajrā"), ("मालिनी", "mālinī"), ("19", "śārdūlavikrīḍita")],
)  # fmt: skip
def test_people_find_metres_by_what_they_type(typed, first):
    assert metres_tab.listed(typed)[0][1] == first


@pytest.mark.parametrize("metre", composer.all_metres(), ids=lambda metre: metre.name)
def test_every_metre_has_a_page_that_says_what_the_table_says(metre):
    page = metres_tab.metre_data(metre.name)
    assert page["name"] == metre.name and page["family"] == strings.FAMILIES[metre.kind]
    assert page["source"] and page["padas"]
    if metre.unit == "syllables" and len(metre.padas[0].forms) == 1:
        (form,) = page["padas"][0]["forms"]
        drawn = "".join(tile["glyph"] for tile in form["tiles"])
        assert len(drawn) == metre.padas[0].lengths[0]
        weights = min(metre.padas[0].weights)
        assert all(glyph in ("·", composer.glyphs(weight)) for glyph, weight in zip(drawn, weights, strict=True))


def test_a_pause_opens_a_gap_where_a_word_should_end():
    page = metres_tab.metre_data("mandākrāntā")
    (form,) = page["padas"][0]["forms"]
    assert [at for at, tile in enumerate(form["tiles"]) if tile["pause"]] == [4, 10]
    assert page["yati"] == "4 + 6 + 7" and page["padas"][0]["title"] == "Pāda 1, 2, 3, 4"


def test_a_verse_in_a_long_metre_is_set_a_pāda_a_line():
    page = metres_tab.metre_data("mandākrāntā")
    assert [line.split()[0] for line in page["romanised"]] == ["kaścit", "śāpenāstaṃgamitamahimā", "yakṣaścakre",
                                                              "snigdhacchāyātaruṣu"]  # fmt: skip
    assert page["romanised"][1].endswith("\N{NO-BREAK SPACE}|"), "a daṇḍa never stands alone on a line of a phone"
    assert len(page["verse"]) == 4 and len(metres_tab.metre_data("anuṣṭubh")["verse"]) == 2


def test_odd_and_even_padas_stand_apart_with_their_forms():
    odd, even = metres_tab.metre_data("anuṣṭubh")["padas"]
    assert odd["title"] == "Pāda 1, 3" and [form["name"] for form in odd["forms"]][:2] == ["pathyā", "na-vipulā"]
    assert odd["forms"][0]["signs"] == "· (⏑–|–⏑|––) · ⏑–– ·" and even["title"] == "Pāda 2, 4"


@pytest.mark.parametrize("name", ["anuṣṭubh", "mandākrāntā", "āryā", "udgatā", "upajāti (miśra)"])
def test_its_verse_has_a_grid_judged_as_it(name):
    page = metres_tab.metre_data(name)
    grid = page["grid"]
    assert grid["judged"] == name and grid["full"] and grid["script"] == "devanagari"
    assert composer.scan(grid["slp1"], "slp1", name)[0].verse.lines("devanagari", dandas=True) == grid["lines"]
    assert "".join("".join(line.split()) for line in grid["lines"]) == "".join(
        "".join(line.split()) for line in page["verse"]
    )


@pytest.mark.parametrize("name", VERSES)
def test_a_quoted_verse_is_in_its_metre_and_has_its_source(name):
    page = metres_tab.metre_data(name)
    assert page["verse_source"] == VERSES[name][0]
    (scan,) = composer.scan("\n".join(page["verse"]))
    assert scan.verdict.full and scan.verdict.metre.name == name


@pytest.mark.parametrize("metre", composer.all_metres(), ids=lambda metre: metre.name)
def test_every_metre_shows_a_verse_in_it_and_whose_it_is(metre):
    page = metres_tab.metre_data(metre.name)
    (scan,) = composer.scan("\n".join(page["verse"]), metre=metre.name)
    assert scan.verdict.full and scan.verdict.metre.name == metre.name and len(page["romanised"]) == len(page["verse"])
    assert (metre.name in VERSES) != page["verse_source"].startswith("Not of the tradition: composed by this workbench")
