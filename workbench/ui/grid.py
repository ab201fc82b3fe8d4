"""The akṣara grid: verses as data for the page, and the template that draws them.

The data is made here, tested without a browser; the template only places it. Handlebars escapes what it places.
"""

from __future__ import annotations

from typing import Any

from workbench import composer
from workbench.ui import strings

WIDE = 13  # from so many syllables a pāda on, tiles are small; from WIDEST on, smaller
WIDEST = 20


def verse_data(scan: composer.Scan, to: str) -> dict[str, Any]:
    """One scanned verse as the grid shows it."""
    verse = scan.as_json(to)
    columns = max(len(pada["syllables"]) for pada in verse["padas"])
    faults = {(p["pada"], p["syllable"]): p["wanted"] for p in verse["problems"] if p["syllable"]}
    miscounted = {p["pada"] for p in verse["problems"] if p["pada"] and not p["syllable"]}
    return {
        "lines": scan.verse.lines(to, dandas=True),
        "metre": verse["metre"] or strings.NO_METRE,
        "kind": _kind(verse),
        "state": _state(scan, verse),
        "full": verse["full"],
        "columns": columns,
        "size": "widest" if columns >= WIDEST else "wide" if columns >= WIDE else "",
        "rows": [
            _row(number, pada, faults, miscounted, columns) | ({} if verse["metre"] else {"mark": "", "fits": True})
            for number, pada in enumerate(verse["padas"], start=1)
        ],
        "problems": [problem["sentence"] for problem in verse["problems"]],
        "licences": [licence["sentence"] for licence in verse["licences"]],
        "near": ", ".join(verse["near"]),
        "skrutable": strings.SKRUTABLE.format(**verse["skrutable"])
        if verse["skrutable"]["label"]
        else strings.SKRUTABLE_NOTHING,
    }


def _state(scan: composer.Scan, verse: dict[str, Any]) -> str:
    if verse["full"]:
        return strings.LICENSED if verse["licences"] else strings.FULL
    if not scan.verdict.complete:
        return strings.INCOMPLETE
    return strings.FAULTY if verse["metre"] else strings.UNKNOWN


def _kind(verse: dict[str, Any]) -> str:
    """What one should know of the metre: its kind, its gaṇas, where a word should end inside the pāda."""
    kind = verse["kind"] if verse["kind"] not in (None, verse["metre"]) else ""
    yati = strings.YATI.format(parts=" + ".join(map(str, verse["yati"]))) if verse["yati"] else ""
    return " · ".join(filter(None, (kind, verse["ganas"], yati)))


def _row(
    number: int, pada: dict[str, Any], faults: dict[tuple[int, int], str], miscounted: set[int], columns: int
) -> dict[str, Any]:
    tiles = []
    for at, (akshara, weight, why) in enumerate(
        zip(pada["syllables"], pada["weights"], pada["reasons"], strict=True), start=1
    ):
        wanted = faults.get((number, at), "")
        tiles.append(
            {
                "akshara": akshara,
                "weight": composer.weight_name(weight),
                "glyph": composer.glyphs(weight),
                "why": why,
                "fault": f"{strings.SHOULD_BE} {wanted}" if wanted else "",
            }
        )
    sound = number not in miscounted and not any(tile["fault"] for tile in tiles)
    count = strings.SYLLABLE_COUNT.format(count=len(tiles))
    return {
        "number": number,
        "tiles": tiles,
        "missing": columns - len(tiles),
        "form": pada["form"],
        "fits": sound,
        "mark": "✓" if sound else "✗",
        "count": count,
    }


GRID = """
<div class="grid-scroll" tabindex="0" role="group" aria-label="{{metre}}">
<table class="grid {{size}}" style="--columns: {{columns}}">
  {{#each rows}}
  <tr class="{{#if fits}}fits{{else}}faulty{{/if}}">
    <th scope="row"><span class="sr-only">Pāda </span>{{number}}</th>
    {{#each tiles}}
    <td><span class="tile {{weight}}{{#if fault}} fault{{/if}}" tabindex="0" data-why="{{why}}"
      aria-label="{{akshara}}: {{why}}"><span class="akshara" aria-hidden="true">{{akshara}}</span>
      <span class="glyph" aria-hidden="true">{{glyph}}</span>
      {{#if fault}}<span class="wanted" aria-hidden="true">{{fault}}</span>{{/if}}</span></td>
    {{/each}}
    {{#if missing}}<td colspan="{{missing}}"></td>{{/if}}
    <td class="row-note"><span class="mark" aria-hidden="true">{{mark}}</span> {{count}}
      <span class="form">{{form}}</span></td>
  </tr>
  {{/each}}
</table>
</div>
"""

SCAN_RESULT = (
    """
{{#if value.error}}<p class="card sentence" role="alert">{{value.error}}</p>{{/if}}
{{#if value.empty}}<p class="card quiet">{{value.empty}}</p>{{/if}}
{{#each value.verses}}
<section class="card verse" aria-label="{{metre}}">
  <header><h2>{{metre}}</h2><span class="badge {{#if full}}good{{else}}bad{{/if}}">{{state}}</span>
    <span class="quiet">{{kind}}</span></header>
  <p class="sanskrit" lang="sa">{{#each lines}}<span>{{this}}</span>{{/each}}</p>
  <div class="grid-and-forms">"""
    + GRID
    + """
  <ul class="forms" aria-hidden="true">{{#each rows}}<li class="{{#if fits}}fits{{else}}faulty{{/if}}">
    <span class="mark">{{mark}}</span> {{number}}: {{count}} <span class="form">{{form}}</span></li>{{/each}}</ul></div>
  {{#if problems}}<h3>"""
    + strings.PROBLEMS
    + """</h3><ul class="problems">{{#each problems}}<li>{{this}}</li>{{/each}}</ul>{{/if}}
  {{#if licences}}<h3>"""
    + strings.LICENCES
    + """</h3><ul class="licences">{{#each licences}}<li>{{this}}</li>{{/each}}</ul>{{/if}}
  <footer class="quiet">{{#if near}}<p>"""
    + strings.NEAR
    + """: {{near}}</p>{{/if}}<p>{{skrutable}}</p></footer>
</section>
{{/each}}
"""
)
