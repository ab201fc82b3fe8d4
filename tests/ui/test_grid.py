"""What the page shows, as data, without a browser."""

import subprocess
import sys

import gradio as gr
import pytest

from tests.verses import VERSES
from workbench import composer
from workbench.paths import ASSETS
from workbench.ui import rating_strings, scan_tab, strings
from workbench.ui.templates import template

GITA = VERSES["anuṣṭubh"][1]


def shown(text: str, to: str = "devanagari", metre: str = "auto") -> dict:
    return scan_tab.scan_for_page(text, "auto", metre, to)


def test_four_padas_of_tiles_with_glyph_name_and_reason():
    (verse,) = shown(GITA)["verses"]
    assert verse["lines"] == ["धर्मक्षेत्रे कुरुक्षेत्रे समवेता युयुत्सवः ।", "मामकाः पाण्डवाश्चैव किमकुर्वत सञ्जय ॥"]
    assert (verse["metre"], verse["state"], verse["columns"]) == ("anuṣṭubh", strings.FULL, 8)
    assert [len(row["tiles"]) for row in verse["rows"]] == [8, 8, 8, 8]
    assert [row["form"] for row in verse["rows"]] == ["pathyā", "", "pathyā", ""]
    assert verse["rows"][0]["tiles"][0] == {
        "akshara": "ध",
        "weight": "guru",
        "glyph": "–",
        "why": "guru: the conjunct rm follows",
        "fault": "",
        "long": "",
        "gap": False,
        "pause": False,
    }


def test_a_metre_of_morae_is_told_in_morae_and_ganas():
    (verse,) = shown(VERSES["āryā"][1])["verses"]
    assert verse["kind"] == "jāti · 12 + 18 + 12 + 15 morae"
    assert [(row["count"], row["form"]) for row in verse["rows"]] == [
        ("12 morae", "–– ⏑⏑⏑⏑ ⏑⏑⏑⏑"), ("18 morae", "⏑⏑⏑⏑ ⏑⏑– ⏑–⏑ ⏑⏑– ⏑"),  # the light end counts as long
        ("12 morae", "⏑⏑⏑⏑ –– ⏑⏑–"), ("15 morae", "⏑⏑⏑⏑ –– ⏑ –– –"),
    ]  # fmt: skip
    (even,) = {row["count"] for row in shown(VERSES["aupacchandasika"][1])["verses"][0]["rows"][1::2]}
    assert even == "18 morae"
    assert [row["count"] for row in shown(GITA)["verses"][0]["rows"]] == ["8 syllables"] * 4


def test_a_line_by_itself_is_told_what_it_can_be():
    (verse,) = shown("कश्चित् कान्ताविरहगुरुणा स्वाधिकारात् प्रमत्तः")["verses"]
    assert verse["part_of"] == "pāda of mandākrāntā"
    assert shown(GITA)["verses"][0]["part_of"] == ""
    assert "{{part_of}}" in template("scan_result")


def test_what_one_should_know_of_the_metre():
    (verse,) = shown(VERSES["mandākrāntā"][1])["verses"]
    assert verse["kind"] == "samavṛtta · ma bha na ta ta ga ga · yati (pause) 4 + 6 + 7"
    (verse,) = shown(GITA)["verses"]
    assert verse["kind"] == ""


def test_a_fault_is_marked_with_what_should_be():
    (verse,) = shown(GITA.replace("yuyutsavaH", "yudDArTinaH"))["verses"]
    assert [row["mark"] for row in verse["rows"]] == ["✓", "✗", "✓", "✓"]
    assert verse["rows"][1]["tiles"][4]["fault"] == "should be laghu"
    assert verse["problems"] == ["Pāda 2, syllable 5 (yu) is guru; it should be laghu."]


def test_a_pada_of_the_wrong_length_is_marked():
    (verse,) = shown(GITA.replace("cEva", "ca"))["verses"]
    assert [row["fits"] for row in verse["rows"]] == [True, True, False, True]
    assert [row["missing"] for row in verse["rows"]] == [0, 0, 1, 0]


def test_half_a_verse_and_no_metre_say_so():
    (half,) = shown(GITA.split(".")[0])["verses"]
    assert half["state"] == strings.INCOMPLETE
    assert half["lines"] == ["धर्मक्षेत्रे कुरुक्षेत्रे समवेता युयुत्सवः ।"]
    (nothing,) = shown("rāmaḥ sītā / lakṣmaṇaḥ")["verses"]
    assert (nothing["state"], nothing["metre"]) == (strings.UNKNOWN, strings.NO_METRE)
    assert [row["mark"] for row in nothing["rows"]] == ["", ""]


@pytest.mark.parametrize(("name", "size"), [("anuṣṭubh", ""), ("śārdūlavikrīḍita", "wide"), ("sragdharā", "widest")])
def test_long_padas_get_small_tiles(name, size):
    (verse,) = shown(VERSES[name][1])["verses"]
    assert verse["size"] == size


@pytest.mark.parametrize("to", composer.SCRIPTS)
def test_two_lines_in_every_script(to):
    (verse,) = shown(GITA, to)["verses"]
    assert len(verse["lines"]) == 2


@pytest.mark.parametrize("text", ["", "  ", None])
def test_nothing_typed_is_no_error(text):
    assert shown(text) == scan_tab.NOTHING_YET


def test_bad_input_is_a_sentence_in_the_page():
    result = shown("😀")
    assert result["verses"] == []
    assert result["error"].startswith("Expected letters; character 1 is")
    assert "haiku" in shown(GITA, metre="haiku")["error"]


def test_a_failure_of_ours_is_a_sentence_too_and_the_log_has_the_rest(monkeypatch, caplog):
    monkeypatch.setattr(composer, "scan", lambda *_: 1 / 0)
    assert shown(GITA)["error"] == strings.UNEXPECTED
    assert "ZeroDivisionError" in caplog.text


def test_the_api_refuses_with_the_same_sentence():
    assert scan_tab.scan_api(GITA)[0]["metre"] == "anuṣṭubh"
    with pytest.raises(gr.Error, match="Expected letters"):
        scan_tab.scan_api("😀")


def test_every_example_is_what_its_label_says():
    for verse, label in strings.EXAMPLES:
        (scan,) = composer.scan(verse)
        if ":" in label:
            assert scan.verdict.full and scan.verdict.metre.name == label.split(":")[0]
        else:
            assert scan.verdict.problems


@pytest.mark.parametrize("name", sorted(path.stem for path in (ASSETS / "templates").glob("*.html")))
def test_templates_escape_what_they_place(name):
    words = rating_strings if name in ("rating", "raters", "studies", "study") else strings
    box = {"id": "metre", "label": "Metre", "info": ""}
    box |= dict.fromkeys(("title", "sentence", "picture", "width", "height"), "given by the server")
    box |= {"head": ("name",), "rows": (("a cell",),)}  # of a table that the server draws
    made = template(name, strings=words, scripts=composer.SCRIPTS.values(), cards="value.cards", reader=True, **box)
    # Triple braces would place raw HTML; ${} would run as JavaScript.
    assert "{{{" not in made and "${" not in made and made.count("{{#") == made.count("{{/")


def test_the_page_does_not_load_torch():
    code = "import sys, workbench.ui; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
