"""The reader: readings, lemmas, glosses and support of verses that a small one knows by heart."""

import hashlib
import json

import pytest
import torch
from safetensors.torch import load_file

from tests.semantics import small_reader
from workbench.__main__ import main
from workbench.semantics import ReaderMissing
from workbench.semantics.function_words import is_content
from workbench.semantics.pieces import ENGLISH, NEW, SIGNS, WORDS, Pieces, plain
from workbench.semantics.reader import HEARD, NOT_HEARD, Thresholds, load
from workbench.training.back_translation import back_translate, done, verses
from workbench.training.reader import ReaderTraining
from workbench.training.reader_texts import Item, Material
from workbench.training.recipes import continue_from

VERSES = list(small_reader.PAIRS)
FRUIT = VERSES[1]


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return small_reader.make(tmp_path_factory.mktemp("reader"))


@pytest.fixture(scope="session")
def reader(folder):
    return load(folder)


def test_it_reads_what_it_has_learnt(reader):
    assert [said[0] for said in reader.english(VERSES, style="")] == list(small_reader.PAIRS.values())


def test_a_reading_alone_is_the_same_as_among_others(reader):
    together = reader.english(VERSES, style="")
    assert [reader.english([verse], style="")[0][0] for verse in VERSES] == [said[0] for said in together]


def test_lemmas_and_meanings(reader):
    assert reader.lemmas(["mA Palezu kadAcana"]) == [["mA", "Pala", "kadAcana"]]
    assert [meanings[0] for meanings in reader.meanings(["Pala", "putra"])] == ["fruit", "son"]
    assert all(len(set(meanings)) == len(meanings) <= 5 for meanings in reader.meanings(["Pala", "agni"]))


def test_no_words_no_answers(reader):
    assert reader.meanings([]) == reader.answers([], ENGLISH) == []


def test_support_is_the_difference_that_the_verse_makes(reader):
    """Summed over its words and its end, what a prose gains is log p(prose | verse) - log p(prose)."""
    prose = small_reader.PAIRS[FRUIT]
    (gained,) = reader.gains(prose, [FRUIT])
    given, alone = reader.log_probs([prose, prose], [FRUIT, ""])
    assert [word for word, _ in gained] == prose.split()
    assert sum(nats for _, nats in gained) == pytest.approx(float((given - alone)[:-1].sum()), abs=1e-3)


def test_the_true_verse_supports_its_prose_and_another_does_not(reader):
    prose = small_reader.PAIRS[FRUIT]
    own, other = reader.support(prose, [FRUIT, VERSES[3]])
    assert sum(each.nats for each in own) > sum(each.nats for each in other) + 5
    # Of four proses that it knows the first word tells which one it is; after that it needs no verse.
    assert own[0].word == other[0].word == "Work"
    assert own[0].nats > max(1, other[0].nats + 4) and other[0].heard == NOT_HEARD
    assert [each.word for each in own if each.content] == ["Work", "choose,", "fruit."]


def test_support_of_many_verses_is_the_support_of_each(reader):
    prose = small_reader.PAIRS[FRUIT]
    many = reader.gains(prose, VERSES * 10)
    assert len(many) == 40
    alone = reader.gains(prose, [FRUIT])[0]
    assert [nats for _, nats in many[1]] == pytest.approx([nats for _, nats in alone], abs=1e-3)


@pytest.mark.parametrize("prose", ["fruit " * 500, "x" * 3000, "", "नमः", "work " + "y" * 900 + " fruit"])
def test_a_prose_of_any_length_is_read_part_by_part(reader, prose):
    (gained,) = reader.gains(prose, [FRUIT])
    assert len(gained) == len(plain(prose).split())
    assert all(nats == nats for _, nats in gained)


def test_the_numbers_of_the_two_languages_do_not_meet(reader):
    pieces = reader.pieces
    (slp1,), (english,) = pieces.read_slp1(["rAmo vanam"]), pieces.read_english(["Rama goes."])
    assert max(slp1) < pieces.offset <= min(english) and max(english) < len(pieces)
    assert pieces.write_slp1(slp1) == "rAmo vanam" and pieces.write_english(english) == "Rama goes."
    assert pieces.slice(WORDS) == (0, pieces.offset) and pieces.sign(NEW) == SIGNS.index(NEW)


@pytest.mark.parametrize(
    ("text", "folded"),
    [("Ikşvāku’s  “line” — Śiva…", 'Iksvaku\'s "line" - Siva...'), ("naïve\ncafé", "naive cafe"), ("राम", "")],
)
def test_english_is_folded_to_plain_letters(text, folded):
    assert plain(text) == folded


@pytest.mark.parametrize(
    ("word", "content"), [("king", True), ("the", False), ("O", False), ("it's", False), ("—", False), ("Rama's", True)]
)
def test_which_words_say_something(word, content):
    assert is_content(word) is content


def test_thresholds_are_kept_beside_the_model(folder, reader):
    assert Thresholds(2.0, 1.0).name(2.0) == HEARD and Thresholds(2.0, 1.0).name(0.9) == NOT_HEARD
    (folder / "support.json").write_text('{"heard": 3.5, "faintly": 0.25, "chosen_on": "somewhere"}')
    assert load(folder).thresholds == Thresholds(3.5, 0.25)
    (folder / "support.json").unlink()


def test_a_missing_reader_says_how_to_make_one(tmp_path):
    with pytest.raises(ReaderMissing, match="train reader"):
        load(tmp_path)


# ------------------------------------------------------------------------------------------ back-translation


def test_every_verse_gets_a_prose_and_a_stopped_run_goes_on(reader, tmp_path):
    rows = [{"id": str(at), "slp1": verse, "metre": "anuṣṭubh"} for at, verse in enumerate(VERSES)]
    out, again = tmp_path / "made.jsonl", tmp_path / "again.jsonl"
    assert back_translate(reader, rows, out, lambda _: None, temperature=0.01) == 4
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert [line["english"] for line in lines] == list(small_reader.PAIRS.values())
    assert all(line["score"] <= 0 for line in lines)
    torn = out.read_text().splitlines(keepends=True)
    again.write_text(torn[0] + torn[1] + torn[2][:20])
    assert done(again) == 2
    assert back_translate(reader, rows, again, lambda _: None, temperature=0.01) == 4
    assert [json.loads(line)["id"] for line in again.read_text().splitlines()] == ["0", "1", "2", "3"]


def test_verses_come_from_rows_in_any_script(tmp_path):
    file = tmp_path / "verses.jsonl"
    rows = [{"id": "1", "sa": "रामो वनम्"}, {"id": "2", "slp1": "sItA vanam"}, {"id": "3", "sa": "Ω"}]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert [row["slp1"] for row in verses([file], lambda row: True)] == ["rAmo vanam", "sItA vanam"]


# ------------------------------------------------------------------------------------------ the command


@pytest.fixture
def at_hand(folder, monkeypatch):
    monkeypatch.setenv("PINGALA_READER", str(folder))


def test_read_prints_a_reading_a_verse(at_hand, capsys):
    assert (
        main(["read", "mā niṣāda pratiṣṭhāṃ tvamagamaḥ śāśvatīḥ samāḥ / yatkrauñcamithunādekamavadhīḥ kāmamohitam"])
        == 0
    )
    shown = capsys.readouterr().out
    assert "mā niṣāda" in shown and "Hunter" in shown


def test_read_as_json_with_support(at_hand, capsys):
    verse = "karmaRyevADikAraste mA Palezu kadAcana / mA karmaPalaheturBUrmA te saNgo'stvakarmaRi"
    assert main(["read", verse, "--script", "slp1", "--json", "--prose", "Never its fruit."]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {"english", "words", "alternatives", "support", "notes", "reader"} <= set(told)
    assert [each["word"] for each in told["support"]] == ["Never", "its", "fruit."]
    assert all(set(word) == {"lemma", "slp1", "gloss", "meanings"} for word in told["words"])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Expected a Sanskrit verse"),
        ("The king went to the forest and saw a lion there.", "Expected"),
        ("क्ष्म्", "Expected syllables"),
        ("!!!", "Expected"),
    ],
)
def test_what_is_no_verse_gets_a_sentence(at_hand, capsys, text, sentence):
    assert main(["read", text]) == 2
    assert capsys.readouterr().err.startswith(sentence)


def test_prose_and_half_a_word_are_read_with_a_note(at_hand, capsys):
    assert main(["read", "sa gṛhaṃ gacchati tatra ca jalaṃ pibati tataḥ svapiti", "rāma"]) == 0
    shown = capsys.readouterr().out
    assert "it is read as prose" in shown and "hardly more than a word" in shown


def test_a_finished_reader_says_how_it_was_made_and_can_be_gone_on_with(folder, tmp_path):
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "itihasa.train.jsonl.gz: 32 texts (Apache-2.0 (Itihāsa))" in card
    assert "| hours | steps | epics | english alone |" in card
    assert hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest() in card
    continue_from(folder, tmp_path / "more")
    again = ReaderTraining(
        tmp_path / "more", small_reader.RECIPE, small_reader.material(), lambda sentence: None, start=folder
    )
    kept = load_file(folder / "model.safetensors")
    for name, value in again.parameters.items():
        assert torch.equal(value.detach(), kept[name].float()), name


def test_a_run_that_began_with_a_model_keeps_its_pieces_when_it_is_gone_on_with(folder, tmp_path):
    """Failed before: pieces were learnt anew from the texts at hand, and every word had another's number."""
    other = Material({"itihasa": [Item(ENGLISH, "rAmo vanam agacCat", "Rama went to the forest.")] * 8}, {})
    out, known = tmp_path / "more", Pieces.load(folder)
    for start in (folder, None):
        training = ReaderTraining(out, small_reader.RECIPE, other, lambda sentence: None, start=start)
        for texts in (VERSES, list(small_reader.PAIRS.values())):
            assert training.pieces.read_slp1(texts) == known.read_slp1(texts)
            assert training.pieces.read_english(texts) == known.read_english(texts)
