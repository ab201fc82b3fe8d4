"""A composition as the Compose tab shows it: the verse with its grid, its meaning, the table of candidates.

Makes data from what the composer gave, for any script, and has the templates that place it. Knows no models.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from workbench import composer
from workbench.composer import Verse
from workbench.ui import strings
from workbench.ui.grid import GRID, verse_data

# From which calibrated score on a verse is called so; the register says it of a judge's own.
CALIBRATED_FAITHFUL, CALIBRATED_PARTLY = 3.5, 2.5

NO_VERSE: dict[str, Any] = {"verse": None, "notes": [], "error": "", "empty": strings.COMPOSE_EMPTY}
NO_CANDIDATES: dict[str, Any] = {"rows": [], "title": "", "meaning": ""}
NO_SCORE: dict[str, Any] = {"word": "", "sentence": "", "share": 0, "figure": "", "odds": ""}
SUREST = 1 - 1e-12  # beyond it, double precision has no odds


def sentence(error: str) -> dict[str, Any]:
    return {**NO_VERSE, "error": error, "empty": ""}


def chosen_verse(composition: dict[str, Any], verses: Sequence[Verse], at: int, to: str) -> dict[str, Any]:
    """The card of one candidate."""
    if not composition["candidates"]:
        return {**NO_VERSE, "empty": "", "error": strings.NO_BEAM_ENDED, "notes": composition["notes"]}
    candidate, scan = composition["candidates"][at], composer.Scan.of(verses[at])
    lines = _lines(verses[at], to)
    seconds = sum(composition["timings"].get(name, 0.0) for name in ("composing", "weighing"))
    return {
        "verse": {
            "lines": lines,
            "copy": "\n".join(lines),
            "metre": composition["metre"],
            "full": candidate["full"],
            "state": strings.FULL_METRE if candidate["full"] else strings.NOT_FULL,
            "rank": "" if at == 0 else strings.RANK_SHOWN.format(rank=at + 1),
            "seconds": strings.SECONDS.format(seconds=seconds),
            "why": candidate["why"],
            "signature": composition["signature"],
            "grid": verse_data(scan, to) if scan else None,
        },
        "notes": [note for note in composition["notes"] if note != composer.NO_JUDGE],
        "error": "",
        "empty": "",
    }


def grid(slp1: str, metre: str, to: str) -> dict[str, Any] | None:
    """The akṣara grid of a verse, or None for what cannot be read as one."""
    try:
        scans = composer.scan(slp1, "slp1", metre)
    except composer.ReadingError:
        return None
    return verse_data(scans[0], to) if len(scans) == 1 else None


def _lines(verse: Verse, to: str) -> list[str]:
    return verse.lines(to, dandas=len(verse.halves) == 2)


def _held(line: str) -> str:
    """A line whose daṇḍa never stands alone on the next one."""
    words, space, mark = line.rpartition(" ")
    return f"{words}\N{NO-BREAK SPACE}{mark}" if space else line


def meaning(candidate: dict[str, Any]) -> dict[str, Any]:
    """The semantic score with its bar, its word, and what it means."""
    scores = candidate["meaning"]
    if scores is None:
        return {**NO_SCORE, "sentence": composer.NO_JUDGE}
    judge = composer.ranker()
    score, calibrated = scores[judge.name], scores["calibrated"]
    if calibrated is None:
        share, figure, sentence = score, f"{score:.2f}", judge.says
        word, odds = _word(score, judge.faithful, judge.partly), _odds(score)
    else:
        share, figure = (calibrated - 1) / 4, strings.OF_FIVE.format(score=calibrated)
        sentence = strings.CALIBRATED.format(judge=judge.title)
        word, odds = _word(calibrated, CALIBRATED_FAITHFUL, CALIBRATED_PARTLY), ""
    return {"word": word, "figure": figure, "share": round(100 * share), "sentence": sentence, "odds": odds}


def _odds(probability: float) -> str:
    """Log-odds: among verses that are all likely, they differ where two decimals do not."""
    held = min(SUREST, max(1 - SUREST, probability))
    return f"{math.log(held / (1 - held)):+.1f}".replace("-", "−")


def _word(score: float, faithful: float, partly: float) -> str:
    return strings.FAITHFUL if score >= faithful else strings.PARTLY if score >= partly else strings.NOT_FAITHFUL


def table(composition: dict[str, Any], verses: Sequence[Verse], at: int, to: str) -> dict[str, Any]:
    """Every candidate in a row, the chosen one marked."""
    rows = []
    for number, candidate in enumerate(composition["candidates"]):
        said = meaning(candidate)
        done = len(candidate["milestones"])
        lines = _lines(verses[number], to)
        rows.append(
            {
                "rank": number + 1,
                "text": " ".join(lines),
                "lines": [_held(line) for line in lines],
                "full": candidate["full"],
                "mark": "✓" if candidate["full"] else "✗",
                "verdict": strings.FULL_METRE if candidate["full"] else strings.NOT_FULL,
                "forms": " · ".join(pada["form"] for pada in candidate["padas"] if pada["form"]),
                "meaning": said["figure"] or "–",
                "odds": said["odds"],
                "share": said["share"],
                "word": said["word"],
                "log_p": f"{candidate['log_prob']:.1f}".replace("-", "−"),
                "dots": "●" * done + "○" * (4 - done),
                "milestones": strings.MILESTONES.format(
                    steps=", ".join(str(milestone["step"]) for milestone in candidate["milestones"]) or "–"
                ),
                "chosen": number == at,
            }
        )
    title = strings.CANDIDATES.format(count=len(rows)) if rows else ""
    return {"rows": rows, "title": title, "meaning": strings.MEANING_COLUMN}


VERSE = (
    """
{{#if value.error}}<p class="card sentence" role="alert">{{value.error}}</p>{{/if}}
{{#if value.empty}}<div class="card quiet">{{value.empty}}</div>{{/if}}
{{#if value.verse}}{{#with value.verse}}
<section class="card verse" aria-label="Verse">
  <header><h2>Verse</h2><span class="badge {{#if full}}good{{else}}bad{{/if}}">{{state}} {{metre}}</span>
    <span class="quiet">{{rank}}</span><span class="actions quiet"><span>{{seconds}}</span>
    <button type="button" class="plain" data-copy="{{copy}}">copy</button>
    <button type="button" class="plain" data-share>share</button></span></header>
  <p class="sanskrit" lang="sa">{{#each lines}}<span>{{this}}</span>{{/each}}</p>
  {{#if grid}}{{#with grid}}<div class="grid-and-forms">"""
    + GRID
    + """<ul class="forms" aria-hidden="true">{{#each rows}}<li class="{{#if fits}}fits{{else}}faulty{{/if}}">
    <span class="mark">{{mark}}</span> {{number}}: {{count}} <span class="form">{{form}}</span></li>{{/each}}</ul></div>
  {{#if problems}}<ul class="problems">{{#each problems}}<li>{{this}}</li>{{/each}}</ul>{{/if}}{{/with}}{{/if}}
  <footer class="quiet"><p>{{why}}</p><details><summary>How it was made</summary><p class="mono">{{signature}}</p>
  </details></footer>
</section>
{{/with}}{{/if}}
{{#each value.notes}}<p class="note quiet">{{this}}</p>{{/each}}
"""
)

SCORE = """
{{#if value.sentence}}<section class="card meaning" aria-label="Meaning"><h3>Meaning</h3>
{{#if value.figure}}<p class="figure"><span class="bar" aria-hidden="true"><span style="width: {{value.share}}%"></span>
</span> <strong>{{value.figure}}</strong> “{{value.word}}”{{#if value.odds}}
<span class="quiet">log-odds {{value.odds}}</span>{{/if}}</p>{{/if}}
<p class="quiet">{{value.sentence}}</p></section>{{/if}}
"""

CANDIDATES = """
{{#if value.rows}}<section class="card" aria-label="Candidates"><h2 class="table-title">{{value.title}}</h2>
<div class="table-scroll" tabindex="0" role="region" aria-label="{{value.title}}"><table class="candidates">
<thead><tr><th scope="col">#</th><th scope="col">verse</th><th scope="col">metre</th>
<th scope="col" class="number" title="{{value.meaning}}">meaning</th>
<th scope="col" class="number">log P</th><th scope="col">pādas</th></tr>
</thead>
<tbody>{{#each value.rows}}<tr data-at="{{@index}}" class="{{#if chosen}}chosen{{/if}}">
<td><button type="button" class="pick" aria-pressed="{{chosen}}"
aria-label="Show candidate {{rank}}">{{rank}}</button></td>
<td class="sanskrit-cell" lang="sa">{{#each lines}}<span>{{this}}</span> {{/each}}</td>
<td class="whole {{#if full}}fits{{else}}faulty{{/if}}"><span class="mark">{{mark}}</span> {{verdict}}
<span class="forms-cell">{{forms}}</span></td>
<td class="number meaning-cell">
{{#if word}}<span class="bar" aria-hidden="true"><span style="width: {{share}}%"></span></span>{{/if}}
<span class="meaning-figure">{{meaning}}</span> <span class="sr-only">{{word}}</span>
{{#if odds}}<span class="odds quiet"><span class="sr-only">log-odds </span>{{odds}}</span>{{/if}}</td>
<td class="number log-cell"><span class="phone-label" aria-hidden="true">log P</span> {{log_p}}</td>
<td class="padas-cell" title="{{milestones}}"><span aria-hidden="true">{{dots}}</span>
<span class="sr-only">{{milestones}}</span></td></tr>
{{/each}}</tbody></table></div></section>{{/if}}
"""

# A click anywhere in a row, or Enter on its button, shows that candidate.
PICK = """
element.addEventListener('click', (event) => {
  const row = event.target.closest('tr[data-at]');
  if (row) trigger('select', {index: Number(row.dataset.at)});
});
"""
