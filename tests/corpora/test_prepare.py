"""A folder of corpora prepared: what is kept, what is left out and why, the table, the words that glosses are measured on."""

import gzip
import json

import pytest

from workbench.__main__ import main
from workbench.corpora.files import CorpusError
from workbench.corpora.prepare import KEPT_WORDS, prepare, texts

VERSES = {
    # Bhagavadgītā 2.47, 4.7, 2.22 (upajāti), 1.1
    "karman": "कर्मण्येवाधिकारस्ते मा फलेषु कदाचन । मा कर्मफलहेतुर्भूर्मा ते सङ्गोऽस्त्वकर्मणि ॥",
    "yada": "यदा यदा हि धर्मस्य ग्लानिर्भवति भारत । अभ्युत्थानमधर्मस्य तदात्मानं सृजाम्यहम् ॥",
    "vasamsi": "वासांसि जीर्णानि यथा विहाय नवानि गृह्णाति नरोऽपराणि । तथा शरीराणि विहाय जीर्णान्यन्यानि संयाति नवानि देही ॥",
    "dharma": "धर्मक्षेत्रे कुरुक्षेत्रे समवेता युयुत्सवः । मामकाः पाण्डवाश्चैव किमकुर्वत सञ्जय ॥",
}


def write(folder, name, rows):
    with gzip.open(folder / name, "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def pair(number, verse, english):
    return {"id": f"p{number}", "source": "made", "sa": VERSES[verse], "en": english}


@pytest.fixture
def folder(tmp_path):
    write(tmp_path, "itihasa.dev.jsonl.gz", [pair(0, "dharma", "On the field of dharma they gathered to fight.")])
    write(
        tmp_path,
        "itihasa.test1421.jsonl.gz",
        [pair(1, "yada", "Whenever there is a decline of righteousness, I come.")],
    )
    train = [
        pair(2, "karman", "You have a right to action alone."),
        pair(3, "karman", "You have a right to action alone."),
        pair(4, "dharma", "What did my sons do?"),
        pair(5, "vasamsi", "They say: whenever there is a decline of righteousness, I come."),
        pair(6, "vasamsi", "As one puts on new clothes."),
        {"id": "p7", "source": "made", "sa": "Ω", "en": "Nothing."},
    ]
    write(tmp_path, "itihasa.train.jsonl.gz", train)
    write(
        tmp_path,
        "pairs_mitra.jsonl.gz",
        [pair(8, "vasamsi", "Clothes."), pair(9, "vasamsi", "As a man throws away worn clothes and takes new ones.")],
    )
    lemmas = [["वासस्", "NOUN"], ["जीर्ण", "ADJ"]]
    dcs = [{"id": f"d{n}", "source": work, "sa": VERSES[verse], "lemmas": lemmas, "anustubh": 0}
           for n, (work, verse) in enumerate([("dcs/Other", "vasamsi"), ("dcs/Saundarānanda", "karman")])]  # fmt: skip
    write(tmp_path, "mono_dcs.jsonl.gz", dcs)
    write(tmp_path, "words_english_sanskrit.jsonl.gz", [{"en": "lion", "sa": ["सिंहः"], "source": "mw"}])
    return tmp_path


def test_everything_is_counted_once(folder, tmp_path):
    table = {row.source.name: row for row in prepare(folder, tmp_path / "out", lambda _: None, workers=1)}
    train = table["itihasa"]
    assert (train.rows, train.kept) == (6, 2)
    assert dict(train.dropped) == {
        "letters": 1,
        "half-line of dev or test": 1,
        "sentence of dev or test": 1,
        "twice": 1,
    }
    assert dict(train.metres) == {"anuṣṭubh": 1, "upajāti": 1}
    assert table["mitra"].kept == 1 and table["mitra"].dropped["length"] == 1
    assert table["itihasa_dev"].kept == 1 and not table["itihasa_dev"].dropped


def test_works_kept_out_are_written_apart(folder, tmp_path):
    prepare(folder, tmp_path / "out", lambda _: None, workers=1)
    assert [text.id for text in texts(tmp_path / "out", "dcs")] == ["d0"]
    (kept,) = texts(tmp_path / "out", "dcs.kept_out")
    assert kept.id == "d1" and kept.lemmas == ("vAsas", "jIrRa")


def test_words_that_verses_use_often_are_kept_for_measuring(folder, tmp_path):
    dcs = [{"id": f"d{n}", "source": "dcs/Other", "sa": f"{verse} सिंह" + "क" * n, "lemmas": [["सिंह", "NOUN"]]}
           for n, verse in enumerate(["अत्र"] * 12)]  # fmt: skip
    write(folder, "mono_dcs.jsonl.gz", dcs)
    entries = [
        {"en": "lion", "sa": ["सिंहः", "सिंहस्य", "मृगेन्द्रः"], "source": "mw"},
        {"en": "hero", "sa": ["वीरः"], "source": "mw"},
    ]
    write(folder, "words_english_sanskrit.jsonl.gz", entries)
    prepare(folder, tmp_path / "out", lambda _: None, workers=1)
    assert json.loads((tmp_path / "out" / KEPT_WORDS).read_text()) == {"siMha": ["lion"]}
    assert [text.slp1 for text in texts(tmp_path / "out", "words_english_sanskrit")] == ["mfgendraH", "vIraH"]


def test_nothing_is_learnt_where_there_is_nothing_to_keep_apart_from(folder):
    (folder / "itihasa.dev.jsonl.gz").unlink()
    with pytest.raises(CorpusError, match=r"Expected itihasa\.dev\.jsonl\.gz in"):
        prepare(folder, folder / "out", lambda _: None, workers=1)


def test_the_command_prints_the_table(folder, capsys):
    assert main(["corpus", str(folder), "--workers", "1"]) == 0
    shown = capsys.readouterr().out
    assert "itihasa_test" in shown and "CC BY-SA 4.0 (Mitrasaṃgraha)" in shown
    assert "mitra: 1 length" in shown
