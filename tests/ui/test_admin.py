"""Who may come in: to a study its owner alone, and on a server that others reach the administrator alone to what is
everybody's. Without a browser."""

import os

import pytest

from tests.ratings import made
from workbench.ratings import raters, saved, storage, studies, tokens
from workbench.ratings.texts import RatingError
from workbench.refusal import Refusal
from workbench.ui import admin, results
from workbench.ui import owner as owning
from workbench.ui.owner import Owner


def test_only_the_owner_comes_in(engine, owner):
    other = studies.create(engine, "Other")
    rater = raters.invite(engine, owner.open(), "rater").token
    for number, token in enumerate(("", "guess", other.token, rater)):
        for call, given in (
            (results.summarise, ("coherence",)), (results.exported, ("csv",)), (results.calibration, ()),
            (results.calibrate, ("",)), (owning.look, ()), (owning.renew, ("rater", "")),
            (owning.add, (None,)), (owning.invite, ("x", "")), (owning.revoke, ("rater",)),
            (owning.looked_through, ("nowhere", "", "auto")), (owning.brought, ()), (owning.score, (["s/1"],)),
        ):  # fmt: skip
            wrong = Owner(owner.study, token, f"place {number} {call.__name__}")
            with pytest.raises(tokens.NoEntry, match="This token opens no study here."):
                call(wrong, *given)
    assert owner.token not in repr(owner)


def test_nothing_is_counted_against_who_has_opened_no_study(engine):
    for _ in range(tokens.TRIES + 1):
        with pytest.raises(RatingError, match="Expected an open study; got none. Make one in step 1"):
            owning.look(Owner("", "", "here"))


def test_strangers_make_no_studies_on_a_space(engine, monkeypatch):
    plan = ("A study", [], 5, 0.1, 10, 0, False)
    monkeypatch.setenv("SPACE_ID", "somebody/pingala")
    with pytest.raises(tokens.NoEntry, match="PINGALA_ADMIN"):
        owning.create("", "here", *plan)
    monkeypatch.setenv(admin.VARIABLE, "the right one")
    for _ in range(tokens.TRIES):
        with pytest.raises(tokens.NoEntry, match="Expected the administrator's token; got another"):
            owning.create("the wrong one", "here", *plan)
    with pytest.raises(tokens.TooMany):
        owning.create("the wrong one", "here", *plan)
    assert owning.create("the right one", "here", *plan).token


@pytest.fixture
def public(monkeypatch, capsys):
    """The token of the administrator of a server that others reach, made and printed at its first start."""
    monkeypatch.setattr(admin, "_public", [])
    monkeypatch.setenv(admin.BELIEVED, "")
    told = admin.serve_at("0.0.0.0")  # noqa: S104  nothing listens there
    assert admin.serve_at("0.0.0.0") == ""  # noqa: S104  a second start makes no other
    return told.split("this once: ")[1].split()[0]


def test_off_loopback_studies_saved_prose_and_calibration_are_the_administrators(rated, engine, public, judged):
    plan = ("A study", [], 5, 0.1, 10, 0, False)
    saved.keep(engine, "A visitor's prose.", made.VERSE, "embedded", {}, "signed", {})
    with pytest.raises(tokens.NoEntry, match="Expected the administrator's token; got another"):
        owning.create("", "here", *plan)
    for call in (owning.brought, results.calibration, lambda who: results.calibrate(who, "")):
        with pytest.raises(tokens.NoEntry, match="Expected the administrator's token; got another"):
            call(rated)  # with its owner's token alone
    assert owning.create(public, "here", *plan).token
    both = Owner(rated.study, rated.token, "here", public)
    assert [item.prose for item in owning.brought(both).items] == ["A visitor's prose."]
    assert results.calibrate(both, results.calibration(both)[1]).startswith("Stored: ")
    kept = b"".join(file.read_bytes() for file in storage.folder().iterdir() if file.is_file())
    assert public.encode() not in kept


@pytest.mark.parametrize(
    ("host", "others"),
    [("127.0.0.1", False), ("localhost", False), ("::1", False), ("0.0.0.0", True), ("192.168.1.2", True),
     ("pingala.example", True)],
)  # fmt: skip
def test_whoever_is_at_their_own_machine_is_asked_for_nothing(engine, monkeypatch, host, others):
    monkeypatch.setattr(admin, "_public", [])
    monkeypatch.setenv(admin.BELIEVED, "")
    assert bool(admin.serve_at(host)) == others == admin.required()


def test_a_proxy_brings_others_here_and_must_be_named_by_its_address(engine, monkeypatch):
    monkeypatch.setattr(admin, "_public", [])
    monkeypatch.setenv(admin.BELIEVED, "")
    monkeypatch.setenv(admin.PROXIES, "127.0.0.1, 10.0.0.0/8")
    assert admin.serve_at("127.0.0.1") and admin.required()
    assert os.environ[admin.BELIEVED] == "127.0.0.1, 10.0.0.0/8"
    monkeypatch.setenv(admin.PROXIES, "*")
    with pytest.raises(Refusal, match="Expected addresses of proxies in PINGALA_PROXIES, divided by commas; got '"):
        admin.trust_proxies()
