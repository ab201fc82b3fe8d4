"""Learns which Sanskrit sound follows which, from a corpus, as the small table that script detection reads.

Knows the corpora's format and nothing of detection. The table costs each pair of sounds in bits, one hexadecimal
digit a pair, because a person should be able to see that `k` is often followed by `a` and never by `G`.

    python -m workbench.training.phonotactics itihasa.train.jsonl.gz > workbench/prosody/phonotactics.txt
"""

from __future__ import annotations

import gzip
import json
import math
import sys
from collections import Counter

from workbench.prosody.sounds import LETTERS

SYMBOLS = " " + LETTERS
SMOOTHING = 0.1


def count_pairs(paths: list[str]) -> Counter[str]:
    pairs: Counter[str] = Counter()
    for path in paths:
        with gzip.open(path, "rt", encoding="utf-8") as rows:
            for row in rows:
                text = json.loads(row)["slp1"]
                words = "".join(c if c in SYMBOLS else " " for c in text).split()
                spaced = f" {' '.join(words)} "
                pairs.update(map("".join, zip(spaced, spaced[1:], strict=False)))
    return pairs


def table(pairs: Counter[str]) -> str:
    lines = [f"# bits of the pair row+column, 0-f; made by {__spec__.name}", SYMBOLS]
    for first in SYMBOLS:
        total = sum(pairs[first + second] + SMOOTHING for second in SYMBOLS)
        costs = (-math.log2((pairs[first + second] + SMOOTHING) / total) for second in SYMBOLS)
        lines.append("".join(f"{min(15, round(cost)):x}" for cost in costs))
    return "\n".join(lines)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("Expected one or more .jsonl.gz files with an slp1 field, got none.")
    print(table(count_pairs(sys.argv[1:])))
