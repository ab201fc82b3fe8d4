"""Verses over a corpus: runs on disk, what is measured of them, the paper's tables and figures, and RESULTS.md."""
