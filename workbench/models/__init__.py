"""The generators behind one small interface. Knows models and tokenizers; no metres, no UI."""
