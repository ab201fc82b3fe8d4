"""Texts to learn from and to measure on: files of rows, the sources they come from, and the texts in them."""

from workbench.corpora.files import PROSE_COLUMNS, VERSE_COLUMNS, CorpusError, any_rows, full_rows, rows, signature

__all__ = ["PROSE_COLUMNS", "VERSE_COLUMNS", "CorpusError", "any_rows", "full_rows", "rows", "signature"]
