"""WordNet's own files (Debian's wordnet-base): which English words share a meaning. Knows their format."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from pathlib import Path

from workbench.corpora import CorpusError

FILES = ("noun", "verb", "adj", "adv")


class WordNet:
    def __init__(self, folder: Path) -> None:
        missing = [f"data.{name}" for name in FILES if not (folder / f"data.{name}").is_file()]
        if missing:
            raise CorpusError(f"Expected WordNet's {', '.join(missing)} in {folder}; found none.")
        self._synsets: dict[str, set[str]] = defaultdict(set)
        self._bases: dict[str, set[str]] = defaultdict(set)
        total = hashlib.sha256()
        for name in FILES:
            raw = (folder / f"data.{name}").read_bytes()
            total.update(raw)
            for line in raw.decode("utf-8", "replace").splitlines():
                if not line.startswith("  "):
                    self._take(name, line)
            exceptions = folder / f"{name}.exc"
            if exceptions.is_file():
                for line in exceptions.read_text(encoding="utf-8").splitlines():
                    form, *bases = line.split()
                    self._bases[form] |= set(bases)
        self.identity = f"WordNet#{total.hexdigest()[:12]}"

    def _take(self, name: str, line: str) -> None:
        """A synset's line: offset, file, kind, the number of words in hexadecimal, then word and sense in turn."""
        fields = line.split(" ")
        for at in range(int(fields[3], 16)):
            word = fields[4 + 2 * at].split("(")[0].replace("_", " ").lower()
            self._synsets[word].add(f"{name}{fields[0]}")

    def _forms(self, word: str) -> set[str]:
        found = {word} | self._bases.get(word, set())
        for ending, base in (("s", ""), ("es", ""), ("ies", "y"), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e")):
            if word.endswith(ending) and len(word) > len(ending) + 2:
                found.add(word[: -len(ending)] + base)
        return found

    def share(self, one: str, other: str) -> bool:
        """Whether two words, in whatever form, stand in one synset."""
        first = set().union(*(self._synsets.get(form, set()) for form in self._forms(one)))
        second = set().union(*(self._synsets.get(form, set()) for form in self._forms(other)))
        return bool(first & second) or bool(self._forms(one) & self._forms(other))
