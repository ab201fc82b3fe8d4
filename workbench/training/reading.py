"""The embedded cross-encoder as a module of sentence-transformers, so that its trainer trains it and it is saved in its
layout. Knows nothing of its own: what it does is in semantics/together.py."""

from __future__ import annotations

from sentence_transformers.base.modules import InputModule

from workbench.semantics.together import Together


class ReadTogether(Together, InputModule):  # type: ignore[misc]
    save_in_root = False
