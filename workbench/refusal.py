"""The one base of every error that is a sentence for the person who asked. Knows no room.

A room derives its own from it, so that callers can tell them apart; a door (command line, page, API) catches the base
and shows the sentence. Any other exception is a fault of ours: it gets a traceback in a log.
"""


class Refusal(ValueError):
    """What was asked cannot be had. The message is the whole sentence: "Expected ...; got ..."."""
