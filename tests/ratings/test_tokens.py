"""Tokens: what is kept is no secret, and what is wrong is slow."""

import pytest

from workbench.ratings import tokens


def test_only_the_hash_of_a_token_is_kept():
    token = tokens.mint()
    kept = tokens.digest(token)
    assert token not in kept and len(token) >= 32 and tokens.mint() != token
    assert tokens.same(token, kept) and not tokens.same(token + "x", kept) and not tokens.same("", kept)


def test_wrong_tokens_are_limited_by_place_and_time():
    limiter = tokens.Limiter(tries=3, within=60)
    for second in range(3):
        limiter.check("here", second)
        limiter.wrong("here", second)
    with pytest.raises(tokens.TooMany, match="try again in 50 seconds"):
        limiter.check("here", 10)
    limiter.check("there", 10)
    limiter.check("here", 61)


def test_a_limiter_forgets_the_oldest_places(monkeypatch):
    monkeypatch.setattr(tokens, "PLACES", 2)
    limiter = tokens.Limiter(tries=1)
    for place in ("a", "b", "c"):
        limiter.wrong(place, 0)
    limiter.check("a", 1)
    with pytest.raises(tokens.TooMany):
        limiter.check("c", 1)
