"""Where what comes with the workbench is: checkpoints, assets, results and their page. Knows folders, nothing in them.

In a checkout they stand at its top, where a Space wants them; in an installed package, inside it.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

PACKAGE = Path(str(files("workbench")))
HOME = PACKAGE if (PACKAGE / "assets").is_dir() else PACKAGE.parent
ASSETS = HOME / "assets"
RESULTS = HOME / "docs" / "results"
RESULTS_PAGE = HOME / "docs" / "RESULTS.md"


def at_home(name: str | Path) -> Path:
    """A folder as it was named, or, where there is none, the one of that name that ships."""
    named = Path(name)
    return named if named.is_dir() or named.is_absolute() else HOME / named
