"""The cross-encoder over one sequence: it reads what the reader makes of both, and a pair's number is its own alone."""

import json

import pytest
import torch

from tests.semantics import small_reader
from workbench.prosody.verse import Verse
from workbench.semantics import JudgeError
from workbench.semantics.joint_encoder import FAR, FrozenReader, JointEncoder, JointJudge, load
from workbench.semantics.reader import load as load_reader

PAIRS = list(small_reader.PAIRS.items())
PROSES, TEXTS = [prose for _, prose in PAIRS], [verse for verse, _ in PAIRS]


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    return small_reader.make(tmp_path_factory.mktemp("reader"))


@pytest.fixture(scope="module")
def judge(reader):
    torch.manual_seed(4)
    frozen = FrozenReader.load(reader)
    return JointJudge(JointEncoder(frozen.width, 32, 4, 2).eval(), frozen)


def test_what_it_reads_is_what_the_reader_says(judge, reader):
    """Of every word: how likely it is with the verse and without, as the support of a prose has it."""
    proses = [PROSES[0], PROSES[1], PROSES[0]]
    texts = [TEXTS[0], TEXTS[0], TEXTS[2]]
    joined = judge.reader.join(proses, texts)
    wanted = load_reader(reader)
    told, alone = wanted.log_probs(proses, texts), wanted.log_probs(proses, [""] * 3)
    for row in range(3):
        there = joined.prose_mask[row]
        given, without, gained = (FAR * joined.likelihoods[row][there]).T
        assert torch.allclose(given, told[row].clamp(-FAR, FAR), atol=1e-4)
        assert torch.allclose(without, alone[row].clamp(-FAR, FAR), atol=1e-4)
        assert torch.allclose(gained, (told[row] - alone[row]).clamp(-FAR, FAR), atol=1e-4)
    assert joined.proses.shape[-1] == 2 * joined.verses.shape[-1] == 2 * judge.reader.width


def test_a_pair_has_the_same_number_in_whatever_company(judge):
    verses = [Verse.from_slp1(text) for text in TEXTS]
    together = judge.score(PROSES, verses)
    assert together == pytest.approx(
        [judge.score([prose], [verse])[0] for prose, verse in zip(PROSES, verses, strict=True)], abs=1e-5
    )
    assert judge.score(PROSES[::-1], verses[::-1]) == pytest.approx(together[::-1], abs=1e-5)
    assert judge.score([], []) == [] and all(0 < score < 1 for score in together)
    assert len(set(together)) == len(together)


def test_with_and_without_a_danda_a_verse_is_the_same(judge):
    whole, bare = Verse.from_slp1(TEXTS[0]), Verse.from_slp1(TEXTS[0].replace(" . ", " "))
    assert judge.score([PROSES[0]], [whole]) == judge.score([PROSES[0]], [bare])


def test_a_long_prose_is_read_as_far_as_there_are_places(judge):
    (score,) = judge.score(["sons of Pandu " * 400], [Verse.from_slp1(TEXTS[0])])
    assert 0 < score < 1


def test_what_is_saved_is_loaded_beside_its_reader_only(judge, reader, tmp_path):
    judge.model.save(tmp_path, judge.reader.identity)
    verse = Verse.from_slp1(TEXTS[1])
    again = load(tmp_path, reader)
    assert again.score([PROSES[1]], [verse]) == pytest.approx(judge.score([PROSES[1]], [verse]), abs=1e-3)
    with pytest.raises(JudgeError, match="found no model.safetensors"):
        load(tmp_path / "nowhere", reader)
    told = json.loads((tmp_path / "joint.json").read_text())
    (tmp_path / "joint.json").write_text(json.dumps({**told, "reader": "reader#0"}))
    with pytest.raises(JudgeError, match="Expected the reader that the judge learnt with, reader#0; got model#"):
        load(tmp_path, reader)
