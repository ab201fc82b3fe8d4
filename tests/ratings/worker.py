"""One process that enters a rater's ratings and says which are in: `python -m tests.ratings.worker ADDRESS RATER DONE LAST`.

What it does is decided beforehand, so that a second process can go on where a first was killed: it sends again what the
first did not acknowledge, with the same keys. After the key LAST it kills itself, before it can say so.
"""

import os
import signal
import sys

from tests.ratings import made
from workbench.ratings import raters, schema
from workbench.ratings.texts import RatingError

ITEMS = 12


def actions():
    """(key, what, position, rating), in order: every verse is rated, some are edited, some taken back and rated again."""
    for position in range(1, ITEMS + 1):
        yield f"rate-{position:04}", "rate", position, 1 + position % 5
        if position % 3 == 0:
            yield f"edit-{position:04}", "rate", position, 1 + (position + 1) % 5
        if position % 4 == 0:
            yield f"undo-{position:04}", "undo", position, None
            yield f"last-{position:04}", "rate", position, 1 + (position + 2) % 5


def main(url, number, done, last):
    engine = schema.connect(url)
    with engine.begin() as connection:
        who = raters.present(connection, int(number))
    for key, what, position, rating in actions():
        if key in done.split(","):
            continue
        try:
            made.show(engine, who, position)
        except RatingError:
            made.proceed(engine, who)
        if what == "undo":
            made.undo(engine, who, key)
        else:
            made.submit(engine, who, position, {"coherence": rating}, key)
        if key == last:
            os.kill(os.getpid(), signal.SIGKILL)
        print(key, flush=True)  # the acknowledgement: from here on it must be there, whatever happens
    engine.dispose()


if __name__ == "__main__":
    main(*sys.argv[1:])
