"""Studies, items and raters for the tests, and what a rater does, each thing in a transaction of its own."""

from contextlib import contextmanager

from workbench.ratings import items, raters, schema, session, studies

VERSE = "Darmakzetre kurukzetre samavetA yuyutsavaH . mAmakAH pARqavAScEva kimakurvata saYjaya .."  # Bhagavadgītā 1.1
ALL = ("grammar", "poetry", "recitability", "comment", "marks")


def study(engine, number=10, ask=ALL, systems=("hidden-system",), gold=0, **plan):
    """A study with so many items, the first of them gold."""
    founded = studies.create(engine, "A study", ask, **{"overlap": 5, "repeats": 0, **plan})
    made = [
        items.Item(
            f"v{at}", f"Prose {at}.", VERSE, systems[at % len(systems)], {"beta": 5}, "hidden-signature",
            {"cross": at / number}, {"coherence": 4} if at < gold else None,
        )
        for at in range(number)
    ]  # fmt: skip
    assert items.add(engine, founded.study, made) == number
    return founded.study


def rater(engine, study, name="R"):
    return consent(engine, raters.invite(engine, study, name).rater, {"training": "kāvya"})


def enter(engine, *given):
    with engine.begin() as connection:
        return raters.enter(connection, *given)


def enter_as(engine, *given):
    with engine.begin() as connection:
        return raters.enter_as(connection, *given)


def consent(engine, who, background):
    with engine.begin() as connection:
        return raters.consent(connection, who, background)


@contextmanager
def desk(engine, who, now=None):
    """A rater's desk, to write at."""
    with engine.begin() as connection:
        studies.lock(connection, who.study)
        yield session.RaterSession(connection, raters.present(connection, who.id), now)


@contextmanager
def glance(engine, who):
    """A rater's desk, only to look at."""
    with schema.reading(engine) as connection:
        yield session.RaterSession(connection, raters.present(connection, who.id))


def proceed(engine, who, now=None):
    with desk(engine, who, now) as at:
        return at.proceed()


def submit(engine, who, position, answers, key):
    with desk(engine, who) as at:
        at.submit(position, answers, key)
        return at.show(position)


def skip(engine, who, position, key):
    with desk(engine, who) as at:
        at.skip(position, key)
        return at.show(position)


def undo(engine, who, key):
    with desk(engine, who) as at:
        return at.undo(key)


def show(engine, who, position):
    with glance(engine, who) as at:
        return at.show(position)


def progress(engine, who):
    with glance(engine, who) as at:
        return at.progress()


def nudge(engine, who):
    with glance(engine, who) as at:
        return at.nudge()


def key(*parts):
    return "-".join(map(str, ("key", *parts))).ljust(8, "_")


def rate_all(engine, who, value=3, limit=None):
    """Rate what comes; `value` may be a function of what is shown. The prose of each, in order."""
    seen = []
    while (limit is None or len(seen) < limit) and (showing := proceed(engine, who)):
        given = value(showing) if callable(value) else value
        submit(engine, who, showing.position, {"coherence": given}, key(showing.position))
        seen.append(showing.prose)
    return seen
