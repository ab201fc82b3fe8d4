"""Metre automaton x tokenizer -> constrained search. This room knows no page and no metric of meaning."""
