"""Sounds to syllables to weights to metres to automata. This room knows no tokens and no models."""
