"""Studies, items and raters for the tests."""

from workbench.ratings import items, raters, session, studies

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
    return raters.consent(engine, raters.invite(engine, study, name).rater, {"training": "kāvya"})


def key(*parts):
    return "-".join(map(str, ("key", *parts))).ljust(8, "_")


def rate_all(engine, who, value=3, limit=None):
    """Rate what comes; `value` may be a function of what is shown. The prose of each, in order."""
    seen = []
    while (limit is None or len(seen) < limit) and (showing := session.proceed(engine, who)):
        given = value(showing) if callable(value) else value
        session.submit(engine, who, showing.position, {"coherence": given}, key(showing.position))
        seen.append(showing.prose)
    return seen
