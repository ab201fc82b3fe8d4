"""The judges that ship, on verses everybody knows, with English of our own."""

from itertools import permutations

import numpy as np
import pytest

from workbench import composer
from workbench.prosody.script import write
from workbench.prosody.verse import Verse
from workbench.semantics.judges import Judges

PAIRS = {
    # Bhagavadgītā 1.1, 2.23 and 4.7, Rāmāyaṇa 1.1.1
    "Assembled on the field of duty, on the field of the Kurus, eager to fight, what did my sons and those of Pandu do, "
    "O Sanjaya?": "Darmakzetre kurukzetre samavetA yuyutsavaH . mAmakAH pARqavAScEva kimakurvata saYjaya",
    "Weapons do not cut it, fire does not burn it, water does not wet it, and the wind does not dry it.":
        "nEnaM Cindanti SastrARi nEnaM dahati pAvakaH . na cEnaM kledayantyApo na Sozayati mArutaH",
    "Whenever righteousness declines, O Bharata, and unrighteousness rises, then I send forth myself.":
        "yadA yadA hi Darmasya glAnirBavati BArata . aByutTAnamaDarmasya tadAtmAnaM sfjAmyaham",
    "The ascetic Valmiki asked Narada, who delights in penance and study, best of those who know speech, foremost of "
    "sages.": "tapaHsvADyAyanirataM tapasvI vAgvidAM varam . nAradaM paripapracCa vAlmIkirmunipuMgavam",
}  # fmt: skip


@pytest.fixture(scope="module")
def judges():
    return Judges()


def test_every_prose_gets_its_own_verse(judges):
    prose, verses = list(PAIRS), [Verse.read(verse, "slp1") for verse in PAIRS.values()]
    for name, least in {"bi": 0.1, "heard": 0.2, "judge": 0.4}.items():
        scored = np.array([[said[name] for said in judges.score([text] * len(verses), verses)] for text in prose])
        assert scored.argmax(axis=1).tolist() == list(range(len(prose))), name
        assert ((scored >= (-1 if name == "heard" else 0)) & (scored <= 1)).all()
        apart = scored.diagonal().mean() - np.mean([scored[a, b] for a, b in permutations(range(len(prose)), 2)])
        assert apart > least, name


def test_script_dandas_and_markup_do_not_move_a_score(judges, monkeypatch):
    monkeypatch.setattr("workbench.semantics.judges._judges", judges)
    for prose, verse in PAIRS.items():
        texts = [write(each, script) for each in (f"{verse} ..", verse.replace(" . ", " ")) for script in
                 ("devanagari", "iast", "slp1", "telugu")]  # fmt: skip
        texts.append(write(f"{verse} ..", "devanagari").replace("। ", "।\n"))
        found = composer.score([(prose, text) for text in texts])
        for name in ("bi", "heard", "judge"):
            said = [each[name] for each in found]
            assert max(said) - min(said) < 0.02, (name, said)


def test_what_is_no_sanskrit_is_refused_with_a_sentence(judges, monkeypatch):
    monkeypatch.setattr("workbench.semantics.judges._judges", judges)
    prose, verse = next(iter(PAIRS.items()))
    bad = ["", "   ", "The king went to the forest and spoke to his ministers.", "123 456", "🙂🙂"]
    found = composer.score([*((prose, text) for text in bad), ("", verse), (prose, verse)])
    assert all(isinstance(said, str) and said.startswith("Expected") for said in found[:-1])
    assert set(found[-1]) == {"heard", "bi", "cross", "judge", "calibrated"}
    assert {name for name, score in found[-1].items() if score is None} == {"cross"}, "which does not ship"
