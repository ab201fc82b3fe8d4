"""What choosers of metres list: every metre once, with keys that prosody makes, the common ones first, in families."""

import itertools
import json

import pytest

from workbench import composer
from workbench.ui import metre_chooser, strings


def test_every_metre_is_listed_once_the_common_ones_first():
    lines = metre_chooser.metre_lines()
    assert [line["name"] for line in lines][:3] == ["anuṣṭubh", "upajāti", "śārdūlavikrīḍita"]
    assert sorted(line["name"] for line in lines) == sorted(metre.name for metre in composer.all_metres())


def test_groups_are_families_and_none_comes_twice():
    groups = [group for group, _ in itertools.groupby(line["group"] for line in metre_chooser.metre_lines())]
    assert len(groups) == len(set(groups)) and groups[0] == strings.CHOOSER_COMMON
    assert "samavṛtta, 4 × 11" in groups and groups[-1].startswith("jāti: measured in morae")


def test_a_line_says_what_a_person_would_know_a_metre_by():
    (line,) = (line for line in metre_chooser.metre_lines() if line["name"] == "mandākrāntā")
    assert line["shown"] == "mandākrāntā · 4 × 17" and line["pattern"] == "–––– ⏑⏑⏑⏑⏑– –⏑––⏑–·"
    assert line["keys"][0] == composer.plain_name("Mandaakraanta") and line["nagari"] == ["मन्दाक्रान्ता"]


@pytest.mark.parametrize("metre", composer.all_metres(), ids=lambda metre: metre.name)
def test_every_metre_shows_its_pattern(metre):
    (line,) = (line for line in metre_chooser.metre_lines() if line["name"] == metre.name)
    drawn = [pada.replace(" ", "") for pada in line["pattern"].split(" / ")]
    assert all(drawn)
    if metre.unit == "syllables" and metre.syllables:
        assert [len(pada) for pada in drawn] == [pada.lengths[0] for pada in metre.padas][: len(drawn)]


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("āryā", "12 + 18 | 12 + 15 morae, in gaṇas of four"),
        ("vaitālīya", "6 morae –⏑–⏑– / 8 morae –⏑–⏑·"),
        ("mātrāsamaka", "8 morae ⏑ 5 morae – / 8 morae ⏑ 5 morae ·"),
        ("acaladhṛti", "⏑" * 16),
        ("upajāti (triṣṭubh-jagatī)", "·–⏑––⏑⏑–⏑–· or ·–⏑––⏑⏑–⏑–⏑·"),
        (
            "upajāti (miśra)",
            "each pāda in one of 24: indravajrā, upendravajrā, dodhaka, bhramaravilasita, rathoddhatā, …",
        ),
        ("pādākulaka", "each pāda in one of 5: mātrāsamaka, vānavāsikā, viśloka, citrā, upacitrā"),
    ],
)
def test_what_has_no_one_row_of_signs_has_a_pattern_in_words(name, pattern):
    assert {line["name"]: line["pattern"] for line in metre_chooser.metre_lines()}[name] == pattern


def test_the_page_carries_them_once_for_all_choosers():
    head = metre_chooser.head()
    told = json.loads(head.removeprefix("<script>window.pingalaMetres = ").split(";\n", 1)[0])
    assert len(told["metres"]) == len(composer.all_metres())
    assert told["spellings"] == [list(pair) for pair in composer.SPELLINGS]
    assert head.count("</script>") == 1
