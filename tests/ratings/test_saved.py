"""Compositions that were saved: once each, as items of any study, and seen by raters as nothing but prose and verse."""

import pytest

from tests.ratings import made
from workbench.ratings import items, saved, studies
from workbench.ratings.items import Item
from workbench.ratings.texts import RatingError

SETTINGS = {"beta": 5.0, "metre": "anuṣṭubh", "rank": 2, "link": "prose=A+king+spoke."}
ONE = ("A king spoke.", made.VERSE, "hidden-system", SETTINGS, "hidden-signature", {"cross": 0.5})


def test_a_composition_is_saved_once(engine):
    assert saved.keep(engine, *ONE)
    assert not saved.keep(engine, *ONE)
    assert not saved.keep(engine, *ONE[:3], {**SETTINGS, "rank": 1}, *ONE[4:])
    for changed in (("A king sat.", *ONE[1:]), (*ONE[:2], "other", *ONE[3:]), (*ONE[:4], "other", {})):
        assert saved.keep(engine, *changed)
    *_, first = listed = saved.listed(engine)
    number = int(first.id.removeprefix("saved-"))
    assert first == Item(f"saved-{number}", *ONE)
    assert [(item.prose, item.system, item.signature) for item in listed] == [
        ("A king spoke.", "hidden-system", "other"),
        ("A king spoke.", "other", "hidden-signature"),
        ("A king sat.", "hidden-system", "hidden-signature"),
        ("A king spoke.", "hidden-system", "hidden-signature"),
    ]


def test_a_study_brings_in_what_it_has_not_got(engine):
    study, other = (studies.create(engine, name, repeats=0).study for name in ("One", "Other"))
    assert saved.preview(engine, study) == items.Preview((), ())
    saved.keep(engine, *ONE)
    first = saved.preview(engine, study)
    assert items.add(engine, study, first.items) == 1
    saved.keep(engine, "A king sat.", *ONE[1:])
    second = saved.preview(engine, study)
    assert [item.prose for item in second.items] == ["A king sat."]
    assert [item.prose for item in saved.preview(engine, other).items] == ["A king sat.", "A king spoke."]
    assert items.add(engine, study, (*first.items, *second.items)) == 1
    who = made.rater(engine, study)
    showing = made.proceed(engine, who)
    assert showing.verse == made.VERSE and "hidden" not in repr(showing) and "beta" not in repr(showing)


def test_no_more_come_at_once_than_with_an_upload(file_engine, monkeypatch):
    monkeypatch.setattr(items, "ROWS", 2)
    study = studies.create(file_engine, "A study").study
    for number in range(3):
        saved.keep(file_engine, f"Prose {number}.", *ONE[1:])
    for expected in (["Prose 2.", "Prose 1."], ["Prose 0."], []):
        found = saved.preview(file_engine, study).items
        assert [item.prose for item in found] == expected
        items.add(file_engine, study, found)


@pytest.mark.parametrize(
    ("place", "value", "sentence"),
    [
        (0, "", "Expected a prose; got nothing."),
        (0, "x" * 5_001, "Expected a prose of at most 5,000 characters; got 5,001."),
        (0, "a\x00", "U\\+0000"),
        (1, " ", "Expected a verse; got nothing."),
        (2, "", "Expected a system's name; got nothing."),
        (3, {"link": "x" * 20_000}, "Expected settings of at most 20,000 characters"),
        (4, "x" * 5_001, "Expected a signature of at most 5,000 characters"),
    ],
)
def test_what_could_be_no_item_is_not_kept(file_engine, place, value, sentence):
    given = [*ONE[:place], value, *ONE[place + 1 :]]
    with pytest.raises(RatingError, match=sentence):
        saved.keep(file_engine, *given)
    assert saved.listed(file_engine) == []
