"""The thirty tasks that docs show: that each can be done, and is what its art asks for."""

from collections import Counter

import pytest

from workbench import composer
from workbench.evaluation import avadhana

TASKS = avadhana.tasks()


def test_ten_of_each_and_none_twice():
    assert Counter(task.art for task in TASKS) == dict.fromkeys(avadhana.ARTS.values(), 10)
    assert len({(task.prose, task.wishes) for task in TASKS}) == 30


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.prose[:30])
def test_each_can_be_done(task):
    composer.check_wishes("anuṣṭubh", task.wishes)
    lines = [wish.line for wish in task.wishes]
    if task.art == "Samasyā":
        assert len(lines) == 1 and lines[0].startswith("given 4:") and task.source
    elif task.art == "Dattapadī":
        assert [line[:6] for line in lines] == [f"word {pada}" for pada in (1, 2, 3, 4)]
    else:
        assert lines[0].startswith("without ")
