"""A composition as the Compose tab shows it: the verse with its grid, its meaning, the table of candidates.

Makes data from what the composer gave, for any script, and has the templates that place it. Knows no models.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from workbench import composer
from workbench.composer import Verse
from workbench.ratings.questions import COHERENCE
from workbench.ui import strings
from workbench.ui.grid import verse_data

# From which score of five on a verse is called so; the register says it of a judge's own numbers.
FAITHFUL_FROM, PARTLY_FROM = 4.0, 2.5

NO_VERSE: dict[str, Any] = {"verse": None, "notes": [], "error": "", "empty": strings.COMPOSE_EMPTY}
NO_CANDIDATES: dict[str, Any] = {"rows": [], "title": "", "meaning": "", "all": "", "few": ""}
NO_SCORE: dict[str, Any] = {"word": "", "sentence": "", "share": 0, "figure": ""}
LONG_PADA = 11  # from so many syllables on, a half-verse is too long for a line
DIFFERING = 5  # candidates that are shown first
NEARNESS = (0.5, 0.34, 0.2, 0.01)  # shares of words that must be others', the widest first


def sentence(error: str) -> dict[str, Any]:
    return {**NO_VERSE, "error": error, "empty": ""}


def set_lines(verse: Verse, metre: str, to: str) -> list[str]:
    """The verse as it is set for people: a half a line; in long metres a pāda a line, where no word runs on."""
    if len(verse.halves) != 2:
        return verse.lines(to)
    found = composer.find_metre(metre)
    if not found or found.padas[0].lengths[0] < LONG_PADA:
        return verse.lines(to, dandas=True)
    return [
        " ".join([*(word["text"] for word in place["words"]), *filter(None, [place["mark"]])])
        for place in places(verse, metre, to)
    ]


def places(verse: Verse, metre: str, to: str) -> list[dict[str, Any]]:
    """The verse as a poet works on it: a place for each pāda, or for both of a half where a word runs on from one into
    the other; of a verse that is not in its metre, the lines, of which none can be locked."""
    padas = composer.placed_padas(verse.halves, composer.find_metre(metre) or composer.all_metres()[0])
    found = []
    bare, marked = verse.lines(to), verse.lines(to, dandas=len(verse.halves) == 2)
    for half, line in enumerate(bare):
        words = [{"text": text, "half": half, "word": at} for at, text in enumerate(line.split(" "))]
        mark = marked[half][len(line) :].strip()
        numbers = [2 * half + 1, 2 * half + 2]
        if padas and padas[2 * half].ends_word:
            cut = len(padas[2 * half].text.split())
            found.append({"padas": numbers[:1], "words": words[:cut], "mark": ""})
            found.append({"padas": numbers[1:], "words": words[cut:], "mark": mark})
        else:
            found.append({"padas": numbers if padas else [], "words": words, "mark": mark})
    return found


def _place(place: dict[str, Any], locks: Collection[int], panel: dict[str, Any] | None) -> dict[str, Any]:
    numbers = place["padas"]
    name = strings.ONE_PADA if len(numbers) == 1 else strings.TWO_PADAS
    locked = bool(numbers) and set(numbers) <= set(locks)
    return {
        **place,
        "first": numbers[0] if numbers else 0,
        "number": "–".join(map(str, numbers)),
        "name": name.format(number="–".join(map(str, numbers))),
        "workable": bool(numbers),
        "locked": locked,
        "lock": strings.UNLOCK if locked else strings.LOCK,
        "panel": panel if panel and panel["pada"] in numbers else None,
    }


def chosen_verse(
    composition: dict[str, Any],
    verses: Sequence[Verse],
    at: int,
    to: str,
    locks: Collection[int] = (),
    panel: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """The card of one candidate, with what is locked of it and what is offered at one of its places."""
    if not composition["candidates"]:
        return {**NO_VERSE, "empty": "", "error": strings.NO_BEAM_ENDED, "notes": composition["notes"]}
    candidate, scan = composition["candidates"][at], composer.Scan.of(verses[at])
    lines = set_lines(verses[at], composition["metre"], to)
    seconds = sum(composition["timings"].get(name, 0.0) for name in ("composing", "weighing"))
    return {
        "verse": {
            "places": [_place(place, locks, panel) for place in places(verses[at], composition["metre"], to)],
            "lines": lines,
            "copy": "\n".join(lines),
            "arrival": strings.VERSE_ARRIVED.format(verse=" ".join(lines), metre=composition["metre"]),
            "metre": composition["metre"],
            "full": candidate["full"],
            "state": strings.FULL_METRE if candidate["full"] else strings.NOT_FULL,
            "rank": "" if at == 0 else strings.RANK_SHOWN.format(rank=at + 1),
            "seconds": "" if composition.get("example") else strings.SECONDS.format(seconds=seconds),
            "example": strings.AN_EXAMPLE.format(prose=composition["prose"]) if composition.get("example") else "",
            "why": candidate["why"],
            "wishes": [wish["sentence"] for wish in composition.get("wishes", ())],
            "kept": _wishes_kept(len(composition.get("wishes", ()))),
            "signature": composition["signature"],
            "grid": verse_data(scan, to) if scan else None,
        },
        "notes": [note for note in composition["notes"] if note != composer.NO_JUDGE],
        "error": "",
        "empty": "",
    }


def _wishes_kept(count: int) -> str:
    return "" if not count else strings.WISH_KEPT if count == 1 else strings.WISHES_ALL_KEPT.format(count=count)


def one_scan(slp1: str, metre: str = "auto") -> composer.Scan | None:
    """A verse read and judged, or None for what cannot be read as one."""
    try:
        scans = composer.scan(slp1, "slp1", metre)
    except composer.ReadingError:
        return None
    return scans[0] if len(scans) == 1 else None


def grid(slp1: str, metre: str, to: str) -> dict[str, Any] | None:
    """The akṣara grid of a verse, if it is one."""
    scan = one_scan(slp1, metre)
    return verse_data(scan, to) if scan else None


def held(line: str) -> str:
    """A line whose daṇḍa never stands alone on the next one."""
    words, space, mark = line.rpartition(" ")
    return f"{words}\N{NO-BREAK SPACE}{mark}" if space else line


def meaning(candidate: dict[str, Any]) -> dict[str, Any]:
    """The semantic score with its bar, its word, and what it means."""
    scores = candidate["meaning"]
    if scores is None:
        return {**NO_SCORE, "sentence": composer.NO_JUDGE}
    judge = composer.ranker()
    score, calibrated = scores.get(judge.name), scores["calibrated"]
    if score is None:  # kept from a time when another judge ranked
        return {**NO_SCORE, "sentence": strings.OTHER_JUDGE}
    if calibrated is None:
        share, figure, sentence = max(0.0, score), f"{score:.2f}".replace("-", "−"), judge.says
        word = judge.word(score)
    else:
        share, figure = (calibrated - 1) / 4, strings.OF_FIVE.format(score=calibrated)
        rubric = COHERENCE.points[round(calibrated) - 1].rubric
        point = strings.RUBRIC.format(sentence=rubric, figure=round(calibrated))
        sentence = f"{point} {strings.SCALES[composer.scale_by()].format(judge=judge.title)}"
        word = _word_of_five(calibrated)
    return {"word": word, "figure": figure, "share": round(100 * share), "sentence": sentence}


def _word_of_five(points: float) -> str:
    if points >= FAITHFUL_FROM:
        return strings.FAITHFUL
    return strings.PARTLY if points >= PARTLY_FROM else strings.NOT_FAITHFUL


def differing(verses: Sequence[Verse]) -> set[int]:
    """Those that differ most in their words, the better before the worse: the first one, then each that is unlike all
    that were taken; with less and less unlikeness, until there are enough."""
    words = [set(verse.words) for verse in verses]
    taken: list[int] = []
    for least in NEARNESS:
        for at, here in enumerate(words):
            if len(taken) < DIFFERING and at not in taken:
                shared = (len(here & words[other]) / max(1, len(here | words[other])) for other in taken)
                if all(1 - each >= least for each in shared):
                    taken.append(at)
    return set(taken)


def _marked(lines: Sequence[str], words: Sequence[str], known: Collection[str]) -> list[list[dict[str, Any]]]:
    """Lines as words; every line but its daṇḍa is as many of the verse's words as it has."""
    rest, found = list(words), []
    for line in lines:
        count = sum(1 for text in line.split(" ") if any(letter.isalpha() for letter in text))
        found.append(_words(line, rest[:count], known))
        rest = rest[count:]
    return found


def _words(line: str, slp1: Sequence[str], known: Collection[str]) -> list[dict[str, Any]]:
    """The words of a line, those marked that the verse on the desk has not; a daṇḍa is none."""
    found: list[dict[str, Any]] = []
    for at, text in enumerate(line.split(" ")):
        if at < len(slp1):
            found.append({"text": text, "other": slp1[at] not in known})
        else:
            found[-1]["text"] += f"\N{NO-BREAK SPACE}{text}"  # never alone on the next line
    return found


def table(composition: dict[str, Any], verses: Sequence[Verse], at: int, to: str) -> dict[str, Any]:
    """Every candidate in a row, the chosen one marked."""
    rows: list[dict[str, Any]] = []
    unlike = differing(verses)
    for number, candidate in enumerate(composition["candidates"]):
        said = meaning(candidate)
        done = len(candidate["milestones"])
        lines = set_lines(verses[number], composition["metre"], to)
        rows.append(
            {
                "rank": number + 1,
                "text": " ".join(lines),
                "lines": [held(line) for line in lines],
                "parts": _marked(lines, verses[number].words, verses[at].words),
                "near": number not in unlike and number != at,
                "full": candidate["full"],
                "mark": "✓" if candidate["full"] else "✗",
                "verdict": strings.FULL_METRE if candidate["full"] else strings.NOT_FULL,
                "forms": " · ".join(pada["form"] for pada in candidate["padas"] if pada["form"]),
                "meaning": said["figure"] or "–",
                "share": said["share"],
                "word": said["word"],
                "log_p": f"{candidate['log_prob']:.1f}".replace("-", "−"),
                "dots": strings.BY_HAND if candidate.get("by_hand") else "●" * done + "○" * (4 - done),
                "milestones": strings.MILESTONES.format(
                    steps=", ".join(str(milestone["step"]) for milestone in candidate["milestones"]) or "–"
                ),
                "chosen": number == at,
            }
        )
    count, few = len(rows), len(unlike)
    if few == count:
        title = strings.CANDIDATES.format(count=count) if rows else ""
        return {**NO_CANDIDATES, "rows": rows, "title": title, "meaning": strings.MEANING_COLUMN}
    return {
        "rows": rows,
        "title": strings.CANDIDATES_DIFFER.format(few=few, count=count),
        "meaning": strings.MEANING_COLUMN,
        "all": strings.CANDIDATES_ALL.format(count=count),
        "few": strings.CANDIDATES_FEW.format(few=few),
    }


# The desk's buttons: what is quick is told at once, what needs the generator waits its turn.
AT_WORK = """
element.addEventListener('click', (event) => {
  const button = event.target.closest('button[data-do]');
  if (!button) return;
  const asked = Object.fromEntries(Object.entries(button.dataset).filter(([name]) => name !== 'do'));
  for (const name of Object.keys(asked)) asked[name] = Number(asked[name]);
  const quick = ['lock', 'close'].includes(button.dataset.do);
  if (!quick) button.setAttribute('aria-busy', 'true');
  trigger(quick ? 'select' : 'submit', {action: button.dataset.do, ...asked});
});
element.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && element.querySelector('.offers')) trigger('select', {action: 'close'});
});
// The keyboard goes where the eye goes: to what is offered, and back to its place when that is closed.
let before = '';
watch('value', () => {
  const panel = element.querySelector('.offers'), now = panel?.dataset.place ?? '';
  if (panel && now !== before) panel.focus({preventScroll: false});
  if (!panel && before) element.querySelector(`button[data-do="others"][data-pada="${before}"]`)?.focus();
  before = now;
});
"""

# A verse of a passage, put on the desk.
OPEN = """
element.addEventListener('click', (event) => {
  const button = event.target.closest('button[data-at]');
  if (button) trigger('select', {index: Number(button.dataset.at)});
});
"""

# A click anywhere in a row, or Enter on its button, shows that candidate.
PICK = """
element.addEventListener('click', (event) => {
  const all = event.target.closest('button[data-all]');
  if (all) {
    element.closest('#candidates').classList.toggle('all', all.dataset.all === '1');
    element.querySelector(`button[data-all="${all.dataset.all === '1' ? 0 : 1}"]`)?.focus();
    return;
  }
  const row = event.target.closest('tr[data-at]');
  if (row) trigger('select', {index: Number(row.dataset.at)});
});
"""
