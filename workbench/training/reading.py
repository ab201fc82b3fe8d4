"""The embedded cross-encoder as a module of sentence-transformers, so that its trainer trains it and it is saved in its
layout. Knows nothing of its own: what it does is in semantics/embedded_crossencoder.py. The names of this file and its
class stand in the modules.json of every such checkpoint, so they stay."""

from __future__ import annotations

from sentence_transformers.base.modules import InputModule

from workbench.semantics.embedded_crossencoder import EmbeddedCrossEncoder


class ReadTogether(EmbeddedCrossEncoder, InputModule):  # type: ignore[misc]
    save_in_root = False
