"""The reader as a judge: verses it knows by heart bear out their own prose, and not another's."""

import pytest

from tests.semantics import small_reader
from workbench.prosody.verse import Verse
from workbench.semantics.reader import Support
from workbench.semantics.support import MOST, load, share_heard


@pytest.fixture(scope="module")
def judge(tmp_path_factory):
    return load(small_reader.make(tmp_path_factory.mktemp("reader")))


def word(nats, content=True):
    return Support("word", nats, "heard", content)


@pytest.mark.parametrize(
    "words, share",
    [
        ([word(MOST), word(MOST)], 1.0),
        ([word(99.0), word(0.0)], 0.5),  # one word said very well is one word
        ([word(-5.0), word(2.0)], -0.25),  # and one that is spoken against, too
        ([word(-99.0)], -1.0),
        ([word(2.0), word(9.0, content=False)], 0.5),
        ([word(4.0, content=False)], 1.0),  # "to be or not to be"
        ([], 0.0),
    ],
)
def test_the_share_of_what_is_heard(words, share):
    assert share_heard(words) == pytest.approx(share)


def test_own_prose_is_heard_and_another_is_not(judge):
    pairs = [(english, Verse.from_slp1(slp1)) for slp1, english in small_reader.PAIRS.items()]
    proses, verses = [english for english, _ in pairs], [verse for _, verse in pairs]
    own = judge.score(proses, verses)
    crossed = judge.score(proses, verses[1:] + verses[:1])
    assert min(own) > max(crossed)


def test_pairs_may_come_in_any_order_and_a_prose_more_than_once(judge):
    (one, first), (two, second) = list(small_reader.PAIRS.items())[:2]
    pairs = [(first, one), (second, one), (first, two), (first, one)]
    together = judge.score([prose for prose, _ in pairs], [Verse.from_slp1(slp1) for _, slp1 in pairs])
    alone = [judge.score([prose], [Verse.from_slp1(slp1)])[0] for prose, slp1 in pairs]
    assert together == pytest.approx(alone, abs=1e-4)
    assert judge.score([], []) == []
