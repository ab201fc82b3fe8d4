"""The cross-encoder over one sequence: it begins as the reader's encoder, and a pair's number is its own alone."""

import pytest
import torch

from tests.semantics import small_reader
from workbench.prosody.verse import Verse
from workbench.semantics import JudgeError
from workbench.semantics.joint_encoder import JointEncoder, JointJudge, as_tensors, load, rows
from workbench.semantics.pieces import END, ENGLISH, Pieces
from workbench.semantics.reader import load as load_reader

PAIRS = list(small_reader.PAIRS.items())


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    return small_reader.make(tmp_path_factory.mktemp("reader"))


@pytest.fixture(scope="module")
def judge(reader):
    torch.manual_seed(4)
    return JointJudge(JointEncoder.from_reader(reader).eval(), Pieces.load(reader))


def test_the_verse_comes_first_then_the_sign_then_the_prose(judge):
    pieces = judge.pieces
    ((row, sign),) = rows(pieces, ["never its fruit"], ["mA Palezu"])
    verse, prose = pieces.read_slp1(["mA Palezu"])[0], pieces.read_english(["never its fruit"])[0]
    assert row == [*verse, pieces.sign(END), pieces.sign(ENGLISH), *prose, pieces.sign(END)]
    assert row[sign] == pieces.sign(ENGLISH)
    _, texts, _ = as_tensors([(row, sign)], judge.model.padding)
    assert texts[0].tolist() == [0] * (sign + 1) + [1] * (len(prose) + 1)


def test_over_a_verse_alone_it_begins_as_the_readers_encoder(judge, reader):
    numbers = torch.tensor([[*judge.pieces.read_slp1([PAIRS[0][0]])[0], judge.pieces.sign(END)]])
    found = judge.model.states(numbers, torch.zeros_like(numbers))
    wanted = load_reader(reader)._encoder(input_ids=numbers, attention_mask=torch.ones_like(numbers)).last_hidden_state
    assert torch.allclose(found, wanted, atol=1e-5)


def test_a_pair_has_the_same_number_in_whatever_company(judge):
    verses = [Verse.from_slp1(verse) for verse, _ in PAIRS]
    proses = [prose for _, prose in PAIRS]
    together = judge.score(proses, verses)
    assert together == pytest.approx(
        [judge.score([prose], [verse])[0] for prose, verse in zip(proses, verses, strict=True)], abs=1e-5
    )
    assert judge.score(proses[::-1], verses[::-1]) == pytest.approx(together[::-1], abs=1e-5)
    assert judge.score([], []) == [] and all(0 < score < 1 for score in together)


def test_a_long_prose_is_read_as_far_as_there_are_places(judge):
    (score,) = judge.score(["sons of Pandu " * 400], [Verse.from_slp1(PAIRS[0][0])])
    assert 0 < score < 1


def test_what_is_saved_is_loaded(judge, tmp_path):
    judge.model.save(tmp_path)
    judge.pieces.save(tmp_path)
    verse = Verse.from_slp1(PAIRS[1][0])
    assert load(tmp_path).score([PAIRS[1][1]], [verse]) == pytest.approx(judge.score([PAIRS[1][1]], [verse]), abs=1e-3)
    with pytest.raises(JudgeError, match="found no model.safetensors"):
        load(tmp_path / "nowhere")
