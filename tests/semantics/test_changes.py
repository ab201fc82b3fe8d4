"""Changes to English that change what it says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.semantics.changes import KINDS, changes

CASES = [
    ("He was slain by the arrow.", "negation added", "He was not slain by the arrow."),
    ("I shall not go to the forest.", "negation dropped", "I shall go to the forest."),
    ("You cannot slay him.", "negation dropped", "You can slay him."),
    ("Then Arjuna struck Karna.", "names swapped", "Then Karna struck Arjuna."),
    ("Hearing Rāma's words, Sītā wept for Rāma.", "names swapped", "Hearing Sītā's words, Rāma wept for Sītā."),
    ("He shot five arrows.", "number changed", "He shot two arrows."),
    ("Thrice he circled the fire.", "number changed", "Ten times he circled the fire."),
]


@pytest.mark.parametrize(("prose", "kind", "changed"), CASES)
def test_a_change_of_each_kind(prose, kind, changed):
    assert {change.kind: change.text for change in changes(prose)}[kind] == changed


def test_what_offers_nothing_to_change_is_left_alone():
    assert list(changes("The sage sat by the river.")) == []
    assert [change.kind for change in changes("The King and the Lord rejoiced. There Arjuna came.")] == []


@given(st.text(max_size=80), st.integers(0, 3))
def test_a_change_changes_and_is_the_same_for_the_same_seed(prose, seed):
    found = list(changes(prose, seed))
    assert found == list(changes(prose, seed))
    assert all(change.text != prose and change.kind in KINDS for change in found)
