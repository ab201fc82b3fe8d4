"""The administrator of a server: whose token makes studies, brings in what visitors saved, and fits the calibration.

At one's own machine nobody is asked for it. Where others reach the port, on a network, behind a named proxy or on a
Space, it is PINGALA_ADMIN; or one that is made and printed at the first start, of which a file in the folder for data
keeps the hash. Knows where the server listens and tokens, no studies.
"""

from __future__ import annotations

import ipaddress
import os
from pathlib import Path

from workbench.ratings import storage, tokens
from workbench.refusal import Refusal
from workbench.ui import rating_strings as strings

VARIABLE, PROXIES = "PINGALA_ADMIN", "PINGALA_PROXIES"
FILE = "admin.sha256"
# uvicorn's own: from whom it believes X-Forwarded-For. Left alone, it believes whoever comes from this machine.
BELIEVED = "FORWARDED_ALLOW_IPS"
_public: list[bool] = []  # one when others reach this server


def serve_at(host: str) -> str:
    """Told where the server will listen; a sentence to print, if a token was made for it."""
    trust_proxies()
    _public.clear()
    if not (_is_public(host) or os.environ.get(PROXIES)):
        return ""
    _public.append(True)
    if os.environ.get(VARIABLE) or _file().is_file():
        return ""
    token, file = tokens.mint(), _file()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch(mode=0o600)
    file.write_text(tokens.digest(token) + "\n", encoding="ascii")
    return strings.ADMIN_MADE.format(token=token, file=FILE)


def trust_proxies() -> None:
    """Believe the proxies that are named and nobody else: a header that says who asked is anybody's to write."""
    named = os.environ.get(PROXIES, "")
    for each in filter(None, (part.strip() for part in named.split(","))):
        try:
            ipaddress.ip_network(each, strict=False)
        except ValueError:
            raise Refusal(
                f"Expected addresses of proxies in {PROXIES}, divided by commas; got {each[:40]!r}."
            ) from None
    os.environ[BELIEVED] = named


def required() -> bool:
    return bool(_public or os.environ.get(VARIABLE) or os.environ.get("SPACE_ID"))


def check(token: str, where: str, limiter: tokens.Limiter) -> None:
    """Let the administrator in, where one is asked for; NoEntry for anybody else. A right token is never refused."""
    if not required():
        return
    named = os.environ.get(VARIABLE)
    kept = tokens.digest(named) if named else _kept()
    if not kept:
        raise tokens.NoEntry(strings.NO_CREATION)
    if not tokens.same(token, kept):
        limiter.refuse(where, tokens.NoEntry(strings.NOT_ADMIN))


def _kept() -> str:
    return _file().read_text(encoding="ascii").strip() if _file().is_file() else ""


def _file() -> Path:
    return storage.folder() / FILE


def _is_public(host: str) -> bool:
    """Whether others may reach an address: every one but this machine's own."""
    if host == "localhost":
        return False
    try:
        return not ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:  # a name, which may be anything
        return True
