"""A tiny generator that knows a few verses, and a search by it, for pages that show one; a study in its owner's hands, and
one that two people have rated, in a database of its own."""

import json

import pytest

from tests.models import folders
from tests.ratings import made
from tests.ui.pressed import CHOICES, every_one
from tests.verses import IN_EVERY_SCRIPT
from workbench import composer
from workbench.ratings import items, tokens
from workbench.semantics import judges as judging
from workbench.ui import admin, composing, database, results
from workbench.ui import owner as owning
from workbench.ui.owner import Owner

DEVANAGARI = IN_EVERY_SCRIPT["devanagari"]


@pytest.fixture(scope="session")
def tiny_generator(tmp_path_factory):
    made = tmp_path_factory.mktemp("models")
    return folders.register(made / "models.toml", embedded={"where": folders.embedded(made / "embedded")})


@pytest.fixture
def registered(tiny_generator, monkeypatch, tmp_path):
    monkeypatch.setenv("PINGALA_MODELS", str(tiny_generator))
    monkeypatch.setattr(judging, "HOME", tmp_path)
    monkeypatch.setattr(judging, "_judges", judging.Judges())


@pytest.fixture
def pictures(registered, monkeypatch):
    monkeypatch.setattr(composing, "newest", every_one)
    return list(composing.compose(CHOICES, "somebody"))


@pytest.fixture
def engine(monkeypatch, tmp_path):
    for name in ("DATABASE_URL", "SPACE_ID", admin.VARIABLE, judging.CALIBRATION):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PINGALA_DATA", str(tmp_path))
    limiter = tokens.Limiter()
    for module in (owning, results):
        monkeypatch.setattr(module, "LIMITER", limiter)
    yield database.engine()
    database._open.popitem()[1].dispose()


@pytest.fixture
def owner(engine):
    founded = owning.create("", "here", "A study", ["comment", "marks"], 2, 0.0, 10.0, 0, False)
    return Owner(founded.study.id, founded.token, "here")


@pytest.fixture
def rated(engine, owner):
    """Twelve items of two systems, rated by two people."""
    rows = [
        {"id": str(at), "en": f"Prose {at}.", "verse": DEVANAGARI, "system": f"system-{at % 2}", "score_cross": at / 12}
        for at in range(12)
    ]
    upload = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    study = owner.open()
    found = items.preview(study, upload, read_verse=composer.read_verse)
    assert owning.add(owner, found) == "12 items added; 0 were there already."
    for shift, name in enumerate(("Gārgī", "<b>Maitreyī</b> ${alert(1)}")):
        who = made.rater(engine, study, name)
        while showing := made.proceed(engine, who):
            value = min(5, 1 + int(showing.prose.split()[1].strip(".")) // 3 + shift)
            answers = {"coherence": value, "comment": "=2+3", "marks": [{"word": 0, "mark": "wrong word"}]}
            made.submit(engine, who, showing.position, answers, made.key(showing.position))
    return owner


class NumberJudge:
    """Says of "Prose 7." seven hundred; nobody's made-up score is that high."""

    spelling = "slp1"

    def score(self, proses, verses):
        assert {verse.halves[0] for verse in verses} == {"Darmakzetre kurukzetre samavetA yuyutsavaH"}
        return [100.0 * int(prose.split()[1].strip(".")) for prose in proses]


@pytest.fixture
def judged(monkeypatch, tmp_path):
    """A judge whose folder has no scale of its own."""
    monkeypatch.setenv(composer.ranker().variable, str(tmp_path))
    monkeypatch.setattr(judging, "_judges", judging.Judges())
    judging.judges()._loaded[composer.ranker().name] = NumberJudge()
