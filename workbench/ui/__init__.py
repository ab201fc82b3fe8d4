"""The page: one module a tab, no logic that a test without a browser could not reach elsewhere.

Nothing here or below loads torch; models load when a person first asks for a verse.
"""

from workbench.ui.page import build, launch

__all__ = ["build", "launch"]
