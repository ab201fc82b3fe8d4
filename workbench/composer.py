"""The one door. The page, the command line and the measurements come in here, and none reaches behind it.

It scans: a text in any script becomes its verses, each judged. It composes: prose, settings and wishes become a stream
of the search's events, and in the end a Composition. At the desk it offers more for a place of a verse. All give plain
data, for a page or a line of JSON. What is heavy, torch and the models, is loaded when a verse is first asked for.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from workbench import paths
from workbench.composing import NO_JUDGE, Composing, compose, compose_signature, compose_together
from workbench.composition import Composition, by_hand
from workbench.damage import read_json
from workbench.decoding.document import TraceError, read_document
from workbench.decoding.settings import HOUSE, OFFERED, PRESETS, Settings, SettingsError
from workbench.desk import DeskError, Offer, Offers, finish, instead, meanings, mend, next_words, others
from workbench.models.entries import Entry, ModelError, entries, find_entry, offered_entries
from workbench.options import Option
from workbench.passages import DIVISIONS, Passage, divide_prose
from workbench.prosody import sounds
from workbench.prosody.aksharas import placed_padas
from workbench.prosody.detection import ReadingError
from workbench.prosody.drafts import Draft, read_draft
from workbench.prosody.metre_verses import quoted_verses
from workbench.prosody.metres import SPELLINGS, Metre, UnknownMetre, all_metres, find, plain_name
from workbench.prosody.metres import common as common_metres
from workbench.prosody.metres import search as search_metres
from workbench.prosody.scansion import GLYPHS, WEIGHT_NAMES
from workbench.prosody.script import SCRIPTS, to_slp1, write
from workbench.prosody.verse import Verse, read_verses
from workbench.prosody.wish_automata import compile_wishes
from workbench.prosody.wish_lines import FORMS as WISH_FORMS
from workbench.prosody.wish_lines import read_wish, read_wishes
from workbench.prosody.wishes import MOST_WISHES, Wish, WishError, locked
from workbench.refusal import Refusal
from workbench.scanning import Scan, draft_json, unfinished_padas
from workbench.semantics import JudgeError
from workbench.semantics.calibration import Calibration, CalibrationError
from workbench.semantics.judges import at_hand as judges_at_hand
from workbench.semantics.judges import judges
from workbench.semantics.registry import JudgeEntry, Scores, by_sim, judge_entries, ranker
from workbench.semantics.registry import as_json as scores_json
from workbench.understanding import (
    LEMMATIZER,
    VerseReading,
    doubt,
    lemmas,
    read,
    reader,
    reader_at_hand,
    reader_folder,
    support,
    words_identity,
)
from workbench.wording import ProseError, read_prose

__all__ = [
    "DIVISIONS", "HOUSE", "MOST_WISHES", "NO_JUDGE", "OFFERED", "PRESETS", "SCRIPTS", "SPELLINGS", "WISH_FORMS",
    "CalibrationError", "Composing", "Composition", "DeskError", "Draft", "Entry", "JudgeEntry", "JudgeError", "Metre",
    "ModelError", "Offer", "Offers", "Option", "Passage", "ProseError", "RatedVerse", "ReadingError", "Refusal", "Scan",
    "Settings", "SettingsError", "Support", "TraceError", "UnknownMetre", "Verse", "VerseReading", "Wish", "WishError",
    "all_metres", "by_hand", "by_sim", "calibrate", "calibrated_now", "check_wishes", "common_metres", "compose",
    "compose_signature", "compose_together", "devanagari_letters", "divide_prose", "doubt", "draft", "draft_json",
    "entries", "find_entry", "find_metre", "finish", "forget_calibration", "instead", "judge_entries", "judges_at_hand",
    "judges_identity", "lemmas", "locked", "meanings", "mend", "negative_log_prob", "next_words", "offered_entries",
    "others", "placed_padas", "plain_name", "quoted_source", "quoted_verse", "ranker", "ranker_identity", "read",
    "read_document", "read_prose", "read_verse", "read_wish", "read_wishes", "reader", "reader_at_hand",
    "reader_folder", "rewrite", "scale_by", "scan", "score", "scores_json", "search_metres", "support",
    "unfinished_padas", "weigh", "words_identity", "would_calibrate", "write",
]  # fmt: skip
RatedVerse: TypeAlias = tuple[str, str, float]  # prose, verse (SLP1), mean rating
CHANGES = 4  # parts of its range by which a calibration is shown before it is kept


if TYPE_CHECKING:
    from workbench.semantics.reader import Support


def find_metre(name: str | None) -> Metre | None:
    """A metre by name; None for no name, `auto` or an empty one."""
    return find(name) if name and name != "auto" else None


def quoted_verse(metre: Metre) -> Verse | None:
    """A real verse in a metre, where one is quoted."""
    quoted = quoted_verses().get(metre.name)
    return Verse.from_slp1(quoted.slp1) if quoted else None


def quoted_source(metre: Metre) -> str:
    """Where that verse stands."""
    quoted = quoted_verses().get(metre.name)
    return quoted.source if quoted else ""


def scan(text: str, script: str = "auto", metre: str | None = None) -> list[Scan]:
    """Read a text and judge every verse in it, as its own metre or as the one named.

    ReadingError and UnknownMetre carry a sentence for the person who asked.
    """
    found, verses = read_verses(text, script, find_metre(metre))
    return [scan for verse in verses if (scan := Scan.of(verse, found))]


def draft(text: str, metre: str = "anuṣṭubh", script: str = "auto") -> Draft:
    """What has been typed so far of a verse, on its metre; ReadingError and UnknownMetre carry a sentence."""
    return read_draft(text, find(metre), script)


def check_wishes(metre: str, wishes: Sequence[Wish]) -> None:
    """WishError where no verse of a metre can keep them all: which of them cannot be kept, and why. For the generator
    that ships, so that what is compiled here is what composing will use."""
    compile_wishes(find(metre), tuple(wishes), HOUSE.script, "bytes", HOUSE.max_cluster, HOUSE.yati)


def read_verse(text: str, script: str = "auto") -> str:
    """One verse in any script as SLP1; a ReadingError says why it is none."""
    scans = scan(text, script)
    if len(scans) != 1:
        raise ReadingError(f"Expected one verse; got {len(scans)}.")
    return scans[0].verse.slp1


def glyphs(weights: str) -> str:
    return "".join(GLYPHS[weight] for weight in weights)


def weight_name(weight: str) -> str:
    return WEIGHT_NAMES[weight]


def rewrite(text: str, script: str, to: str) -> str:
    """A text of a generator, in the script it writes, for people to read in another."""
    return write(to_slp1(text.replace("॥", "..").replace("।", "."), script), to)


# ------------------------------------------------------------------------------------------- what is at hand


def devanagari_letters() -> dict[str, Any]:
    """What letters of SLP1 are in Devanagari, for whoever writes it letter by letter."""
    return {
        "vowels": {letter: write(letter, "devanagari") for letter in sounds.VOWELS},
        "signs": {letter: write(f"k{letter}", "devanagari")[1:] for letter in sounds.VOWELS},
        "consonants": {letter: write(f"{letter}a", "devanagari") for letter in sounds.CONSONANTS},
        "marks": {letter: write(f"a{letter}", "devanagari")[1:] for letter in "MH'~."},
        "virama": write("k", "devanagari")[1:],
    }


def negative_log_prob(prose: str, slp1: str, model: str = "embedded") -> tuple[float, int]:
    """What a verse costs a generator, given the prose: its negative log-probability, and its tokens."""
    from workbench.models.loading import loaded_generator

    writer = loaded_generator(model)
    log_probability, tokens = writer.log_probability(writer.read(read_prose(prose)[0]), slp1)
    return -log_probability, tokens


def identity(model: str = "embedded") -> str:
    """Name and hash of a generator, as signatures have them."""
    from workbench.models.loading import loaded_generator

    return loaded_generator(model).identity


def prepare(model: str = "embedded") -> None:
    """Load what composing will need, of what comes in a folder: nothing is fetched before somebody asks for it."""
    if find_entry(model).kind != "embedded":
        return
    from workbench.models.loading import loaded_generator

    loaded_generator(model)
    if judges_at_hand() and not os.environ.get(ranker().variable):
        judges().judge(ranker().name)


def judges_identity() -> str:
    """Names and hashes of the judges of meaning."""
    return judges().identity


def scale_by() -> str:
    """Whose grades put the ranker's numbers on the scale from 1 to 5: people's, or those of verses graded by
    construction."""
    return judges().scale_by


def ranker_identity() -> str:
    """Name and hash of the one by whom verses are ranked."""
    return judges().ranked_by


def beta_curve() -> dict[str, Any] | None:
    """What β does to metre and meaning, in the paper and here, from the results that ship; None where they do not."""
    file = paths.RESULTS / "beta.json"
    return read_json(file, Refusal, "`git checkout` brings it back.") if file.is_file() else None


def cards() -> dict[str, str]:
    """The model cards of the models that are at hand in a folder, generators first, without their front matter."""
    places = {name: entry.where for name, entry in entries().items()}
    places |= {entry.title: entry.folder for entry in judge_entries().values()}
    places["lemmatizer"] = LEMMATIZER
    found = {}
    for name, place in places.items():
        file = paths.HOME / place / "README.md"
        if file.is_file():
            found[name] = file.read_text(encoding="utf-8").split("---\n", 2)[-1]
    return found


def results() -> str:
    """The figures that ship, with their signatures, as Markdown; empty where they do not."""
    file = paths.RESULTS_PAGE
    return file.read_text(encoding="utf-8") if file.is_file() else ""


# ------------------------------------------------------------------------------------------------------ scoring


def score(
    pairs: Sequence[tuple[str, str | Verse]], script: str = "auto", names: Sequence[str] | None = None
) -> list[dict[str, float | None] | str]:
    """What the judges of meaning, or those named, say of pairs of prose and verse, verses in any script or the one
    named. A pair that cannot be read gets a sentence instead. JudgeError says why there is no judge."""
    found: list[dict[str, float | None] | str] = []
    readable: list[tuple[int, str, Verse]] = []
    for number, (prose, verse) in enumerate(pairs):
        found.append("")
        try:
            read = verse if isinstance(verse, Verse) else Verse.read(verse, script)
            readable.append((number, read_prose(prose)[0], read))
        except (ProseError, ReadingError) as error:
            found[number] = str(error)
    if readable:
        scores = judges().score([prose for _, prose, _ in readable], [verse for *_, verse in readable], names)
        for (number, *_), each in zip(readable, scores, strict=True):
            found[number] = scores_json(each)
    return found


def weigh(prose: str, verse: Verse) -> Scores | None:
    """What the judge that ranks says of one verse; None where none is at hand."""
    try:
        return judges().weigh([read_prose(prose)[0]], [verse])[0]
    except JudgeError:
        return None


def calibrate(rated: Sequence[RatedVerse]) -> dict[str, Any]:
    """Fit the ranker's scores to people's ratings of prose and verse (SLP1), and keep the curve: from now on meaning is
    on their scale. CalibrationError and JudgeError say why it cannot be."""
    return _curve_json(judges().calibrate(*_rated(rated)))


def forget_calibration() -> bool:
    """Take away the curve that `calibrate` kept; whether there was one. Its file stays, under another name."""
    return judges().forget_calibration()


def would_calibrate(rated: Sequence[RatedVerse]) -> dict[str, Any]:
    """What `calibrate` would keep, and what scores over its range would become: `now` is None where no curve is known
    yet. Nothing changes by it."""
    fitted, now = judges().fitted(*_rated(rated)), judges().curve()
    low, high = fitted.raw[0], fitted.raw[-1]
    scores = [low + (high - low) * part / CHANGES for part in range(CHANGES + 1)]
    return {
        **_curve_json(fitted),
        "changes": [
            {"score": each, "now": now.apply(each) if now else None, "then": fitted.apply(each)} for each in scores
        ],
    }


def calibrated_now() -> dict[str, Any] | None:
    """The curve that stands, by people's ratings or by graded verses; None where there is none."""
    kept = judges().curve()
    return _curve_json(kept) if kept else None


def _rated(rated: Sequence[RatedVerse]) -> tuple[list[str], list[Verse], list[float]]:
    proses = [read_prose(prose)[0] for prose, _, _ in rated]
    return proses, [Verse.read(verse, "slp1") for _, verse, _ in rated], [rating for _, _, rating in rated]


def _curve_json(curve: Calibration) -> dict[str, Any]:
    return {
        "ratings": curve.ratings, "low": curve.rating[0], "high": curve.rating[-1], "data": curve.data, "by": curve.by,
    }  # fmt: skip
