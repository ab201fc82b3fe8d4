"""Many verses scanned at once, as data: numbers, summary, files to take away, links; without a browser."""

import csv
import io
import json

import gradio as gr
import pytest

from workbench.ui import scan_tab, strings

GITA = strings.EXAMPLES[0][0]
FAULTY = GITA.replace("युयुत्सवः", "युद्धार्थिनः")
PROSE = "अथातो ब्रह्मजिज्ञासा जन्माद्यस्य यतः ।\nशास्त्रयोनित्वात् ॥"  # Brahmasūtra 1.1.1-3
MANY = "\n\n".join([GITA, FAULTY, GITA, PROSE])


def shown(text, to=scan_tab.AS_WRITTEN):
    return scan_tab.scan_for_page(text, "auto", "auto", to)


def test_one_verse_is_open_and_has_no_summary():
    assert "many" not in shown(GITA)


def test_of_many_the_summary_names_those_with_faults():
    found = shown(MANY)
    assert found["many"] and [verse["number"] for verse in found["verses"]] == [1, 2, 3, 4]
    told = found["summary"]
    assert told["told"] == "4 verses, 2 of them without fault"
    assert told["metres"] == [{"name": "anuṣṭubh", "count": 3}]
    assert told["faulty"] == [{"number": 2, "id": "scan-verse-2"}]
    assert told["none"] == [{"number": 4, "id": "scan-verse-4"}]
    assert [verse["id"] for verse in found["verses"]][1] == "scan-verse-2"


@pytest.mark.parametrize("to, first", [(scan_tab.AS_WRITTEN, "dharmakṣetre"), ("devanagari", "धर्मक्षेत्रे"), ("?", "धर्म")])
def test_verses_are_shown_as_they_were_written_unless_somebody_asks(to, first):
    text = "dharmakṣetre kurukṣetre samavetā yuyutsavaḥ | māmakāḥ pāṇḍavāścaiva kimakurvata sañjaya ||"
    assert shown(text, to)["verses"][0]["lines"][0].startswith(first)


def test_long_metres_are_set_a_pāda_a_line_and_what_is_mended_stays_as_it_was_typed():
    (verse,) = shown(strings.EXAMPLES[1][0])["verses"]
    assert [line.split()[0] for line in verse["lines"]] == ["kaścit", "śāpenāstaṃgamitamahimā", "yakṣaś",
                                                           "snigdhacchāyātaruṣu"]  # fmt: skip
    assert len(verse["text"].split("\n")) == 2
    assert [len(each["lines"]) for each in (shown(GITA) | shown(FAULTY))["verses"]] == [2]
    assert len(shown("kaścit kāntāvirahaguruṇā svādhikārāt pramattaḥ")["verses"][0]["lines"]) == 1


def test_files_say_what_the_page_says():
    _, _, _, taken, row = scan_tab.scan_and_show(MANY, "auto", "auto", scan_tab.AS_WRITTEN)
    made = json.loads(taken)
    table = list(csv.DictReader(io.StringIO(made["csv"].removeprefix("\ufeff"))))
    assert [line["number"] for line in table] == ["1", "2", "3", "4"]
    assert table[0]["verse"].startswith("धर्मक्षेत्रे") and table[0]["state"] == strings.FULL
    assert table[0]["weights"].startswith("––––⏑–––") and "it should be laghu" in table[1]["faults"]
    assert [verse["full"] for verse in json.loads(made["json"])] == [True, False, True, False]
    assert "2. anuṣṭubh: does not fit yet\n   Pāda 2, syllable 5" in made["txt"]
    assert row.visible


@pytest.mark.parametrize("text", ["", "😀", "The king spoke to his ministers about the war."])
def test_nothing_to_take_away_of_what_was_not_scanned(text):
    _, _, _, taken, row = scan_tab.scan_and_show(text, "auto", "auto", "iast")
    assert taken == "" and not row.visible


def test_a_file_is_opened_or_refused_in_a_sentence(tmp_path):
    file = tmp_path / "verses.txt"
    file.write_bytes(b"\xef\xbb\xbf" + GITA.encode())
    assert scan_tab.open_file(str(file)) == GITA
    file.write_bytes(GITA.encode("utf-16"))
    with pytest.raises(gr.Error, match="Expected a text file in UTF-8"):
        scan_tab.open_file(str(file))
    file.write_bytes(b"a" * (scan_tab.LARGEST_FILE + 1000))
    with pytest.raises(gr.Error, match="Expected a file of at most 400 kB; got 401 kB"):
        scan_tab.open_file(str(file))


def test_a_link_brings_its_verse_and_other_links_nothing():
    class Asked:
        def __init__(self, **query):
            self.query_params = query

    text, result, *_ = scan_tab.from_link(Asked(scan=GITA))
    assert text == GITA
    assert result["verses"][0]["metre"] == "anuṣṭubh"
    assert scan_tab.from_link(Asked(prose="x")) == (gr.skip(),) * 6
