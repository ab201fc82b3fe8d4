"""Wishes for a search: read, and with the settings' metre compiled to one automaton. Loads no torch, so that a door can
refuse before anything heavy is loaded. Knows no tokens."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.decoding.settings import Settings
from workbench.prosody.automaton import Automaton
from workbench.prosody.wish_automata import compile_wishes
from workbench.prosody.wish_lines import read_wishes
from workbench.prosody.wishes import Wish, WishError

__all__ = ["Wish", "WishError", "read_wishes", "wished_automaton"]


def wished_automaton(settings: Settings, wishes: Sequence[Wish]) -> Automaton:
    """The automaton of the settings' metre with wishes, which only an exact mask can keep. WishError says which wish
    cannot be kept, and why."""
    if settings.mode not in ("pingala", "cd"):
        raise WishError(f"Expected mode pingala or cd for wishes; got {settings.mode}.")
    return compile_wishes(
        settings.found_metre(), tuple(wishes), settings.script, "bytes", settings.max_cluster, settings.yati
    )
