"""`python -m workbench scan`, as a person calls it."""

import io
import json
import subprocess
import sys

import pytest

from tests.verses import VERSES, VIPULAS
from workbench.__main__ import main

GITA = "धर्मक्षेत्रे कुरुक्षेत्रे समवेता युयुत्सवः । मामकाः पाण्डवाश्चैव किमकुर्वत सञ्जय ॥"


def run(*arguments, stdin=b"", monkeypatch=None):
    if monkeypatch is not None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
    return main(["scan", *arguments])


def test_for_people(capsys):
    assert run(GITA) == 0
    shown = capsys.readouterr().out
    assert "anuṣṭubh · full" in shown
    assert "1  dha  rma  kṣe  tre  ku   ru   kṣe  tre" in shown
    assert "   –    –    –    –    ⏑    –    –    –    pathyā" in shown
    assert "skrutable: anuṣṭubh (1,2: pathyā; 3,4: pathyā) (9 of 9)" in shown


def test_a_line_by_itself(capsys):
    assert run("mAmakAH pARqavAScEva", "--script", "slp1") == 2  # half a verse is no verse, but it is told what it is
    shown = capsys.readouterr()
    assert "By itself it can be: pāda 1 or 3 of anuṣṭubh" in shown.out
    assert "Expected a verse of two half-verses" in shown.out + shown.err


def test_json_lines_from_standard_input(capsys, monkeypatch):
    lines = "\n".join([GITA, "", *VIPULAS.values()]).encode()
    assert run("--json", "--to", "telugu", stdin=lines, monkeypatch=monkeypatch) == 0
    verses = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [verse["full"] for verse in verses] == [True] * 5
    assert verses[0]["padas"][0]["syllables"][:2] == ["ధ", "ర్మ"]


def test_slashes_divide_and_a_metre_may_be_asked_for(capsys):
    text = VERSES["indravajrā"][1].replace(". ", " / ").replace("..", "")
    assert run("--json", "--script", "slp1", "--metre", "Upendravajra", text) == 0
    verse = json.loads(capsys.readouterr().out)
    assert (verse["metre"], verse["full"], len(verse["problems"])) == ("upendravajrā", False, 4)


BAD = {
    "empty": ("", "an empty text"),
    "emoji": ("😀😀", "grinning face"),
    "latin prose": ("The king spoke to his ministers about the war.", "does not sound like"),
    "a megabyte": ("धर्म " * 210_000, "at most 20,000 characters"),
    "lone consonants": ("क् ख् ग्", "without a single vowel"),
    "a NUL": ("धर्म\0", "U+0000"),
    "half a verse": (GITA.split("।")[0], "one half of 16 syllables"),
    "mixed scripts": ("धर्म kṣetre", "Devanagari (ध) and the Latin alphabet (k)"),
    "an unknown metre": (["--metre", "haiku", GITA], "Expected a metre of the table; got 'haiku'"),
    "an unknown script": (["--script", "runic", GITA], "Expected --script to be one of auto, devanagari"),
    "an unknown target": (["--to", "runic", GITA], "Expected --to to be one of devanagari"),
}


@pytest.mark.parametrize("kind", BAD)
@pytest.mark.parametrize("as_json", [True, False], ids=["json", "text"])
def test_bad_input_gets_a_sentence_and_exit_code_2(kind, as_json, capsys):
    arguments, sentence = BAD[kind]
    arguments = arguments if isinstance(arguments, list) else [arguments]
    assert run(*arguments, *(["--json"] if as_json else [])) == 2
    said = capsys.readouterr()
    assert sentence in said.err
    assert "Traceback" not in said.err
    assert len(said.err.splitlines()) == 1


def test_a_bad_line_does_not_stop_the_good_ones(capsys, monkeypatch):
    lines = f"{GITA}\n😀\n{GITA.split('।')[0]}\n{GITA}\n".encode()
    assert run("--json", stdin=lines, monkeypatch=monkeypatch) == 2
    said = capsys.readouterr()
    assert [json.loads(line)["full"] for line in said.out.splitlines()] == [True, False, True]
    assert len(said.err.splitlines()) == 2


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\xff\xfe\x00", b"\xe0\xa4"])
def test_bytes_that_are_no_text(data, capsys, monkeypatch):
    assert run(stdin=data, monkeypatch=monkeypatch) == 2
    assert capsys.readouterr().err.startswith("Expected")


def test_as_a_process_of_its_own():
    """The real thing once: arguments, exit codes, and a reader that goes away early."""
    command = [sys.executable, "-m", "workbench", "scan", "--json"]
    good = subprocess.run([*command, GITA], capture_output=True, check=False)
    assert (good.returncode, good.stderr) == (0, b"")
    bad = subprocess.run(command, input="😀\n".encode(), capture_output=True, check=False)
    assert bad.returncode == 2
    assert b"Traceback" not in bad.stderr
    many = f"{GITA}\n" * 300
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as early:
        early.stdin.write(many.encode())
        early.stdin.close()
        early.stdout.readline()
        early.stdout.close()
        complaint = early.stderr.read()
    assert b"Traceback" not in complaint
