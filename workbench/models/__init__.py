"""The generators behind one small interface. Knows models and tokenizers; no metres beyond what settings name, no UI."""
