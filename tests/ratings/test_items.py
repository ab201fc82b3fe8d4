"""Items from CSV, JSON lines and `evaluate`: what is read, and what each bad row is told."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ratings import made
from workbench.ratings import items, schema, studies
from workbench.ratings.items import Item
from workbench.ratings.texts import RatingError

V = made.VERSE


@pytest.fixture
def study(file_engine):
    return studies.create(file_engine, "A study", made.ALL).study


def errors(study, upload, **more):
    return [(error.row, error.sentence) for error in items.preview(study, upload, **more).errors]


def test_csv_with_scores_gold_settings_and_more(study):
    upload = (
        "\ufeffid,en,verse,system,settings,signature,score_cross,gold_coherence,beams\r\n"
        f'1,"He went, and\nreturned.","{V}",pingala,"{{""beta"": 5}}",sig,0.75,,25\r\n'
        f"2,=1+1,{V},<b>x</b>,,,,4,\r\n"
    )
    found = items.preview(study, upload.encode("utf-8"))
    assert found.errors == ()
    assert found.items == (
        Item("1", "He went, and\nreturned.", V, "pingala", {"beta": 5, "beams": "25"}, "sig", {"cross": 0.75}, None),
        Item("2", "=1+1", V, "<b>x</b>", {}, "", {}, {"coherence": 4}),
    )
    assert found == items.preview(study, upload)


def test_json_lines(study):
    rows = [
        {"id": 7, "en": "One.", "sa": V, "system": "a", "scores": {"bi": 1, "cross": 0.5}, "gold": {"coherence": 5}},
        {"en": "Two.", "slp1": V, "system": "a", "settings": {"beta": 1}, "signature": None},
    ]
    found = items.preview(study, "\n\n".join(map(json.dumps, rows)))
    assert found.items == (
        Item("7", "One.", V, "a", {}, "", {"bi": 1, "cross": 0.5}, {"coherence": 5}),
        Item("row 3", "Two.", V, "a", {"beta": 1}),
    )


def test_the_rows_of_evaluate_get_their_english_from_the_corpus(study):
    rows = [
        {"id": "R.1", "verse": V, "full": True, "syllables": 32, "seconds": 1.5},
        {"id": "R.2", "verse": "", "full": False, "syllables": 0, "seconds": 1.5},
        {"id": "R.3", "verse": V, "full": True, "syllables": 32, "seconds": 1.5},
    ]
    upload = "".join(json.dumps(row) + "\n" for row in rows)
    found = items.preview(study, upload, {"R.1": "Prose.", "R.2": "More."}, "nllb", "its signature")
    assert found.items == (
        Item("R.1", "Prose.", V, "nllb", {"full": True, "syllables": 32, "seconds": 1.5}, "its signature"),
    )
    assert [(error.row, error.sentence) for error in found.errors] == [
        (2, "Expected a verse; got nothing."),
        (3, "Expected an English prose (en); got nothing."),
    ]


def test_verses_are_read_by_the_callers_reader(study):
    def reader(verse):
        if verse == "bad":
            raise ValueError("Expected Sanskrit; got bad.")
        return verse.upper()

    found = items.preview(study, "id,en,verse,system\n1,E,good,s\n2,E,bad,s\n", read_verse=reader)
    assert [item.verse for item in found.items] == ["GOOD"]
    assert found.errors == (items.RowError(3, "Expected Sanskrit; got bad."),)


def row(**fields):
    return json.dumps({"id": "1", "en": "E", "verse": V, "system": "s", **fields})


@pytest.mark.parametrize(
    ("upload", "number", "sentence"),
    [
        ("", 1, "Expected a header with id, en, verse or slp1 or sa, system, each once; got ''."),
        ("en,system\nE,s\n", 1, "each once; got 'en, system'"),
        ("en,verse,en\nE,v,E\n", 1, "each once"),
        ("id,en,verse,system\n1,E,v,s,more\n", 2, "Expected 4 fields; got 5."),
        ('id,en,verse,system\n1,E,"v,s\n', 2, "Expected CSV that can be read to its end"),
        (f"id,en,verse,system\n1,E,{'v' * 140_000},s\n", 2, "Expected CSV that can be read to its end; field larger"),
        ("{nothing}\n", 1, "Expected one JSON object a line; got '{nothing}"),
        ("[1, 2]\n", 1, "Expected one JSON object a line"),
        ("{" * 100_000, 1, "Expected one JSON object a line"),
        ('{"scores": {"bi": NaN}}', 1, "Expected one JSON object a line"),
        (row(en=""), 1, "Expected an English prose (en); got nothing."),
        (row(en=5), 1, "Expected text as an English prose (en); got 5."),
        (row(en="E" * 5_001), 1, "of at most 5,000 characters; got 5,001."),
        (row(verse="v" * 2_001), 1, "Expected a verse of at most 2,000 characters; got 2,001."),
        (row(verse="a\x00"), 1, "the character U+0000"),
        (row(en="\ud800"), 1, "the character U+D800"),
        (row(system=" "), 1, "Expected a system's name; got nothing."),
        (row(id="i" * 101), 1, "Expected an id of at most 100 characters"),
        (row(settings="[]"), 1, "Expected a JSON object as settings; got '[]'."),
        (row(settings={"a": "x" * 20_000}), 1, "Expected settings of at most 20,000 characters"),
        (row(settings={"a": "\ud800"}), 1, "U+D800"),
        (row(score_bi="high"), 1, "Expected a number as score bi; got 'high'."),
        (row(scores={"bi": True}), 1, "Expected a number as score bi; got True."),
        (row(score_bi="1e999"), 1, "Expected a number as score bi"),
        (row(gold_coherence="9"), 1, "Expected a number from 1 to 5 for coherence; got 9."),
        (row(gold={"metre": 1}), 1, "Expected answers to coherence"),
        (row() + "\n" + row(en="F"), 2, "Expected every id once for a system; '1' stands in row 1 too."),
    ],
)  # fmt: skip
def test_a_bad_row_says_what_was_expected(study, upload, number, sentence):
    ((at, said),) = errors(study, upload)
    assert at == number and sentence in said


def test_too_much_is_refused_before_it_is_read(study):
    with pytest.raises(RatingError, match="Expected an upload of at most 5 MB; got 50.0 MB."):
        items.preview(study, b"x" * 50_000_000)
    with pytest.raises(RatingError, match="Expected CSV or JSON lines in UTF-8; byte 0 is none."):
        items.preview(study, b"\xff\xfe")


def test_too_many_rows_are_left_out_and_told(study, monkeypatch):
    monkeypatch.setattr(items, "ROWS", 2)
    found = items.preview(study, "en,verse,system\n" + "E,v,s\n" * 5)
    assert len(found.items) == 2
    assert found.errors == (items.RowError(4, "Expected at most 2 rows; got more, left out from here on."),)


@given(st.one_of(st.text(), st.binary(), st.text('{}[]",:\n id=en verse')))
def test_any_upload_is_read_or_gets_a_sentence(any_study, upload):
    try:
        found = items.preview(any_study, upload, system="s")
    except RatingError as error:
        assert str(error).startswith("Expected ")
    else:
        assert found.items or found.errors
        assert all(error.sentence.startswith("Expected ") for error in found.errors)


@pytest.fixture(scope="module")
def any_study(tmp_path_factory):
    engine = schema.connect(f"sqlite:///{tmp_path_factory.mktemp('uploads') / 'ratings.db'}")
    yield studies.create(engine, "A study").study
    engine.dispose()


def test_items_are_added_once_all_or_none(engine):
    study = studies.create(engine, "A study").study
    first, second = Item("1", "One.", V, "a", scores={"bi": 0.5}), Item("1", "One.", V, "b", gold={"coherence": 5})
    assert items.add(engine, study, [first, second]) == 2
    assert items.add(engine, study, [first, second, Item("2", "Two.", V, "a")]) == 1
    with pytest.raises(RatingError, match="Expected a new id, or the same item as before; 'a/1' is another item."):
        items.add(engine, study, [Item("3", "Three.", V, "a"), Item("1", "Changed.", V, "a")])
    with schema.reading(engine) as connection:
        assert [item for _, item in items.stored(connection, study)] == [first, second, Item("2", "Two.", V, "a")]


def test_scores_make_no_other_item_and_what_is_there_stays(engine):
    study = studies.create(engine, "A study").study
    bare, told = Item("1", "One.", V, "a"), Item("2", "Two.", V, "a", {"beta": 5}, scores={"cross": 0.5})

    def scores():
        with schema.reading(engine) as connection:
            return [dict(item.scores) for _, item in items.stored(connection, study)]

    assert items.add(engine, study, [bare, told]) == 2
    assert items.fill(engine, study, {"a/1": {"bi": 0.25, "cross": 0.75}, "a/2": {"bi": 0.5, "cross": 0.9}}) == 2
    assert scores() == [{"bi": 0.25, "cross": 0.75}, {"bi": 0.5, "cross": 0.5}]
    assert items.fill(engine, study, {"a/1": {"bi": 0.3, "cross": 0.8}, "b/1": {"bi": 1.0}}) == 0
    assert items.add(engine, study, [bare, told]) == 0  # as they came at first, without what was filled in
    assert items.add(engine, study, [Item("1", "One.", V, "a", scores={"chrf": 30})]) == 0
    assert scores() == [{"bi": 0.25, "cross": 0.75, "chrf": 30}, {"bi": 0.5, "cross": 0.5}]
    with pytest.raises(
        RatingError, match="Expected no score cross, or the same as before; 'a/2' has 0.5, and now got 1"
    ):
        items.add(
            engine, study, [Item("3", "Three.", V, "a"), Item("2", "Two.", V, "a", {"beta": 5}, scores={"cross": 1})]
        )
    assert len(scores()) == 2
