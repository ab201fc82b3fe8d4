"""What careful readers gave a generator's verses: the file that ships, and how its rows find their prose."""

import json
from collections import Counter

from workbench.corpora.blind_readings import FILE, blind_readings, to_learn_from
from workbench.prosody.verse import Verse

LINES = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


def test_every_line_has_points_on_the_scale_and_a_verse_or_the_poets_row():
    assert len({line["id"] for line in LINES}) == len(LINES) == 1172
    for line in LINES:
        assert len(line["meaning"]) == len(line["grammar"]) == (1 if line["kind"] == "more" else 2)
        assert all(1 <= each <= 5 and 2 * each == int(2 * each) for each in (*line["meaning"], *line["grammar"]))
        assert (line["kind"] == "reference") == ("verse" not in line)
        assert (line["of"] in ("everyday", "modern")) == ("prose" in line)  # the epics' English is not kept here
        assert "verse" not in line or Verse.from_slp1(line["verse"]).verdict.full
    assert max(Counter((line["row"], line["kind"], line.get("verse")) for line in LINES).values()) == 1


def test_rows_of_the_epics_are_read_where_their_corpus_is(tmp_path):
    at_hand = blind_readings({})
    assert {each.of for each in at_hand} == {"everyday", "modern"}
    poets = next(line for line in LINES if line["of"] == "dev" and line["kind"] == "reference")
    corpus = tmp_path / "dev.jsonl"
    row = {
        "id": poets["row"],
        "en": "So it is said.",
        "slp1": "Darmakzetre kurukzetre samavetA yuyutsavaH . mAmakAH ..",
    }
    corpus.write_text(json.dumps(row) + "\n", encoding="utf-8")
    more = [each for each in blind_readings({"dev": corpus}) if each.of == "dev"]
    assert {each.prose for each in more} == {"So it is said."} and {each.row for each in more} == {poets["row"]}
    (own,) = (each for each in more if each.kind == "reference")
    assert own.slp1 == "Darmakzetre kurukzetre samavetA yuyutsavaH . mAmakAH" and not own.composed
    assert own.points == sum(poets["meaning"]) / 2 and own.share == (own.points - 1) / 4


def test_nothing_is_learnt_from_what_only_tells_and_halves_share_no_prose():
    every = blind_readings({})
    halves = [to_learn_from(every, half) for half in (0, 1)]
    assert {each.of for half in halves for each in half} == {"everyday"}
    assert not {each.prose for each in halves[0]} & {each.prose for each in halves[1]}
    assert sorted(map(id, to_learn_from(every))) == sorted(id(each) for half in halves for each in half)
